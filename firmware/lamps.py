"""What the panel shows: from the view before and what is now to lamps, words and sounds. Pure."""

from dataclasses import dataclass
from typing import Literal

from calibration.wizard import Lead
from firmware.drivers import Lamps
from rules.game import Scoreboard
from vision.happening import EyeState
from web.ports import GameView, PanelView, View

Sound = Literal["throw", "farkle", "hot-dice", "bank", "refuse", "win", "ask"]
LAMPS_OF_BAR = 6


@dataclass(frozen=True, slots=True)
class Sign:
    """A colour of the status lamp and what it means. `pulse`: the lamp breathes; only while it waits for somebody, so
    that our own light never moves while a throw is being read."""

    colour: str
    word: str
    pulse: bool = False


# The colours are Okabe and Ito's, made for colour-blind eyes, but for white and the crimson of a lost camera, whose
# share of blue sets it apart from amber. Each also has a word, and the two that call for somebody breathe.
EYE_SIGNS: dict[EyeState, Sign] = {
    "empty": Sign("#2a5874", "ready"),
    "hand": Sign("#ffffff", "hand"),
    "rolling": Sign("#0072b2", "rolling"),
    "settling": Sign("#56b4e9", "reading"),
    "read": Sign("#009e73", "read"),
    "unsure": Sign("#e69f00", "unsure", pulse=True),
    "camera-lost": Sign("#ff2d6f", "camera lost", pulse=True),
}
# A calibration leads with page and lamp together: the word says what to do, and the lamp breathes while it waits.
STEPS: dict[Lead, Sign] = {
    "offered": Sign("#cc79a7", "pairing", pulse=True),
    "light": Sign("#cc79a7", "light", pulse=True),
    "empty": Sign("#cc79a7", "empty the tray", pulse=True),
    "tray": Sign("#cc79a7", "tray"),
    "dice": Sign("#cc79a7", "put dice in", pulse=True),
    "learning": Sign("#56b4e9", "learning"),
    "faces": Sign("#cc79a7", "which face", pulse=True),
    "rolls": Sign("#cc79a7", "roll", pulse=True),
    "passed": Sign("#009e73", "passed"),
    "failed": Sign("#e69f00", "not learned"),
}
REFUSED = Sign("#e69f00", "not allowed")
ASKING = Sign("#e69f00", "your call", pulse=True)
WON = Sign("#f0e442", "game over")
BUSY: tuple[EyeState, ...] = ("hand", "rolling", "settling")


def panel_view(
    before: View | None, eye: EyeState, game: GameView | None, refused: bool, step: Lead = "off"
) -> PanelView:
    """The panel for what is now. `before`: the view shown last, None at the start; a sound is only made by a change.
    `refused`: the last thing the players did does not score or may not be done. `step`: of a calibration under way."""
    sign = STEPS.get(step) or _sign(eye, game, refused)
    turn = game.board.turn if game is not None else None
    asking = game is not None and bool(game.doubts)
    return PanelView(
        factory=before.panel.factory if before is not None else PanelView().factory,
        status=sign.colour,
        word=sign.word,
        pulse=sign.pulse,
        dice_left=min(turn.dice_left, LAMPS_OF_BAR) if turn is not None else 0,
        bank=turn is not None and turn.may_bank and not asking,
        sound=None if before is None else _of_step(before.panel.word, step) or _sound(before, game, refused),
    )


def lamps_of(panel: PanelView) -> Lamps:
    """The lamps for a panel view. An LED's light is in proportion to its power, a page's colour is not: 2.2 is the
    usual exponent between them."""
    red, green, blue = (round((int(panel.status[at : at + 2], 16) / 255) ** 2.2, 3) for at in (1, 3, 5))
    sound: Sound | None = None
    for known in _SOUNDS:
        if known == panel.sound:
            sound = known
    return Lamps((red, green, blue), panel.pulse, panel.dice_left, panel.bank, sound)


_SOUNDS: tuple[Sound, ...] = ("throw", "farkle", "hot-dice", "bank", "refuse", "win", "ask")


def _sign(eye: EyeState, game: GameView | None, refused: bool) -> Sign:
    # While hands and dice move, what was asked or refused is being put right.
    if eye in BUSY or eye == "camera-lost":
        return EYE_SIGNS[eye]
    if refused:
        return REFUSED
    if game is not None and game.doubts:
        return ASKING
    if game is not None and game.board.status == "over" and eye != "unsure":
        return WON
    return EYE_SIGNS[eye]


_CUES: dict[Lead, Sound] = {"offered": "ask", "passed": "win", "failed": "refuse", "rolls": "ask"}


def _of_step(word: str, step: Lead) -> Sound | None:
    """A cue for each step of a calibration that is reached; those of a picture that was taken are alike."""
    if step not in STEPS or STEPS[step].word == word:
        return None
    return _CUES.get(step, "throw")


def _sound(before: View, game: GameView | None, refused: bool) -> Sound | None:
    was = before.game
    if refused and (before.panel.word != REFUSED.word or was is None or game is None or was.notes != game.notes):
        return "refuse"
    if game is None or was is None or was.id != game.id:
        return None
    moved = _of_move(was.board, game.board)
    if moved is None and game.doubts and not was.doubts and not refused:
        return "ask"
    return moved


def _of_move(was: Scoreboard, board: Scoreboard) -> Sound | None:
    """The sound of a move that went forward; a move taken back makes none."""
    gained = sum(player.score for player in board.players) - sum(player.score for player in was.players)
    thrown = board.throws - was.throws
    if thrown < 0 or (thrown == 0 and gained < 0):
        return None
    what = board.last.what if board.last is not None and board.last != was.last else None
    if board.status == "over" and was.status != "over" and board.winner is not None:
        return "win"
    if what == "went-over" or (what in ("farkle", "four-twos") and thrown > 0):
        return "farkle"
    if what == "banked" and gained > 0:
        return "bank"
    if what == "hot-dice":
        return "hot-dice"
    return "throw" if thrown > 0 else None

"""What the panel shows: from the view before, the move and what is now to cues, words and lamps. Pure."""

from collections.abc import Iterator, Sequence

from calibration.course import Lead
from firmware.drivers import Lamps, Light
from rules.events import Banked, Event, Kept, Thrown
from rules.game import Last, Scoreboard
from vision.happening import EyeState
from web.cues import BAR, LASTING, MOMENTS, STEP_WORDS, Cue, Step, played, repeated
from web.view import GameView, PanelView, View

# While hands and dice move, what was asked or refused is being put right.
BUSY: dict[EyeState, str] = {"hand": "hand", "rolling": "rolling", "settling": "reading", "camera-lost": "camera-lost"}
# Moments that still play when these come are cut short: our own light must not move in a picture that is read.
STILL = ("rolling", "reading")
# Moves that go forward: only these make a moment. What is taken back or corrected is told on the pages.
FORWARD = (Thrown, Kept, Banked)
OF_LAST = {
    "farkle": "farkle",
    "four-twos": "farkle",
    "went-over": "farkle",
    "rolled-off": "farkle",
    "hot-dice": "hot-dice",
    "won": "win",
    "point-on": "point-on",
    "point-off": "point-off",
}
DARK = (0.0, 0.0, 0.0)
# What the state has always called the sounds of these.
SOUNDS = {"scored": "throw", "banked": "bank", "refused": "refuse", "unsure": "ask", "failed": "refuse"}


def panel_view(
    before: View | None,
    move: Sequence[Event],
    eye: EyeState,
    game: GameView | None,
    refused: bool = False,
    step: Lead = "off",
) -> PanelView:
    """The panel for what is now. `before`: the view shown last, None at the start, when there are no moments. `move`:
    what was played since, empty for none. `refused`: the last thing the players did does not score or may not be done.
    `step`: of a calibration under way."""
    cue = lasting(eye, game, refused, step)
    word = STEP_WORDS.get(step, cue.word) if cue.name in ("step", "learning") else cue.word
    turn = game.board.turn if game is not None else None
    moment = None if before is None else _moment(before, move, cue, word, game, step)
    return PanelView(
        factory=before.panel.factory if before is not None else PanelView().factory,
        status=cue.colour,
        word=word,
        pulse=cue.calls,
        dice_left=min(turn.dice_left, BAR) if turn is not None else 0,
        bank=turn is not None and turn.may_bank and not (game is not None and game.doubts),
        sound=SOUNDS.get(moment.name, moment.name) if moment is not None and moment.notes else None,
        cue=cue.name,
        moment=None if moment is None else moment.name,
    )


def lasting(eye: EyeState, game: GameView | None, refused: bool = False, step: Lead = "off") -> Cue:
    """The one cue that holds now."""
    return LASTING[_learning(step) or BUSY.get(eye) or _at_rest(eye, game, refused)]


def lamps_of(panel: PanelView, sound: bool = True) -> Lamps:
    """What the driver is to show. `sound`: the buzzer may be heard. Dark for a panel that shows nothing."""
    cue, moment = LASTING.get(panel.cue), _known(panel.moment)
    return Lamps(
        lasting=() if cue is None else _lights(repeated(cue), cue.colour, sound),
        moment=() if moment is None else _lights(played(moment), moment.colour, sound),
        dice_left=panel.dice_left,
        bank=panel.bank,
        still=panel.cue in STILL,
    )


def _learning(step: Lead) -> str | None:
    if step == "offered":
        return "pairing"
    if step == "learning":
        return "learning"
    return "step" if step in STEP_WORDS else None


def _at_rest(eye: EyeState, game: GameView | None, refused: bool) -> str:
    if refused:
        return "refused"
    if game is not None and game.doubts:
        return "ask"
    if eye == "unsure":
        return "unsure"
    if game is None:
        return "read" if eye == "read" else "ready"
    if game.board.turn is None:
        return "over"
    return "read" if game.board.turn.throw is not None and not game.board.turn.aside else "throw"


def _moment(before: View, move: Sequence[Event], cue: Cue, word: str, game: GameView | None, step: Lead) -> Cue | None:
    """The uppermost of the moments that come now; else a lasting cue that begins and has a sound is played once."""
    if step in ("passed", "failed") and word != before.panel.word:
        return MOMENTS[step]
    came = set(_of_move(before, move, game))
    for name, moment in MOMENTS.items():
        if name in came:
            return moment
    return cue if cue.notes and _begins(before, cue, word, game) else None


def _begins(before: View, cue: Cue, word: str, game: GameView | None) -> bool:
    """Whether this cue is news; a second refusal is."""
    if (cue.name, word) != (before.panel.cue, before.panel.word):
        return True
    was = before.game
    return cue.name == "refused" and was is not None and game is not None and was.notes != game.notes


def _of_move(before: View, move: Sequence[Event], game: GameView | None) -> Iterator[str]:
    was = before.game
    if game is None or was is None or was.id != game.id or not move or not all(isinstance(e, FORWARD) for e in move):
        return
    board = game.board
    if board.status == "over" and was.board.status != "over" and board.winner is not None:
        yield "win"
    if board.status == "final-round" and was.board.status == "playing":
        yield "final-round"
    yield from _of_last(board.last, was.board)
    yield from _of_dice(move, board)


def _of_last(last: Last | None, was: Scoreboard) -> Iterator[str]:
    # The very same value is of a move before; the same once more has happened twice.
    if last is None or last is was.last:
        return
    if last.what in OF_LAST:
        yield OF_LAST[last.what]
    if last.what == "banked" and last.points > 0:
        yield "banked"


def _of_dice(move: Sequence[Event], board: Scoreboard) -> Iterator[str]:
    if any(isinstance(event, Thrown) for event in move):
        yield "scored"
    if any(isinstance(event, Kept) for event in move) and board.turn is not None and board.turn.aside:
        yield "aside"


def _known(name: str | None) -> Cue | None:
    return None if name is None else MOMENTS.get(name) or LASTING.get(name)


def _lights(steps: Sequence[Step], colour: str, sound: bool) -> tuple[Light, ...]:
    """An LED's light is in proportion to its power, a page's colour is not: 2.2 is the usual exponent between them."""
    red, green, blue = (round((int(colour[at : at + 2], 16) / 255) ** 2.2, 3) for at in (1, 3, 5))
    return tuple(
        Light(step.s, (red, green, blue) if step.lit else DARK, step.dice_left, step.bank, step.hz if sound else None)
        for step in steps
    )

"""The table at one instant: game, what the eye sees, what is asked. Frozen; `firmware.table` owns the present one."""

from collections import Counter
from dataclasses import dataclass, field, replace

from calibration.wizard import UNDER_WAY, Lead
from firmware.errors import BadState
from firmware.journal import Journal
from firmware.past import record_of
from firmware.referee import NO_SIGHT, Ruling
from firmware.wild_die import Sighting, coloured_die
from rules.events import Event
from rules.game import Scoreboard
from rules.record import Record
from vision.happening import STATE_AFTER, EyeState, Happening
from vision.seen import Doubt
from web.ports import EyeView

STARTING = EyeView("camera-lost", "The camera is starting.")
WORDS: dict[EyeState, str] = {
    "empty": "The tray is empty.",
    "hand": "A hand is over the tray.",
    "rolling": "The dice are rolling.",
    "settling": "The dice lie still: reading.",
    "read": "Read.",
    "unsure": "Not sure: look at the question.",
    "camera-lost": "No picture from the camera: it is tried again and again. Enter this throw by hand.",
}

CALIBRATING = "The tray learns a set of dice: throws do not count meanwhile."


@dataclass(frozen=True, slots=True)
class Present:
    """What is known and asked now.

    `rev`: journal number of the last move, `move`: what was played in it. `rail_before`: values on the rail when the
    present throw was read.
    `opened`: the eye has seen the tray at rest since it started. `refused`: the last thing done does not score.
    `asked_roll`: the eye's number of the throw that is asked about; `counted_roll`: of the last that is in the game,
    so that a nudge after an answer does not count it again. `wild_colour`: what the coloured die of this game was last
    seen to be, where the rules do not say. `offered`: the preset that MODE has chosen for the next
    game. `step`: of a calibration under way. `panel`: the pin factory in use. `banners` last; `troubles` go when they
    are over.
    """

    rev: int = 0
    move: tuple[Event, ...] = ()
    game: str | None = None
    record: Record | None = None
    eye: EyeView = STARTING
    doubts: tuple[Doubt, ...] = ()
    proposed: tuple[int | None, ...] = ()
    notes: tuple[str, ...] = ()
    refused: bool = False
    rail_before: Counter[int] = field(default_factory=Counter)
    opened: bool = False
    asked_roll: int | None = None
    counted_roll: int | None = None
    wild_colour: str = ""
    banners: tuple[str, ...] = ()
    offered: str = "farkle"
    step: Lead = "off"
    panel: str = "none"
    panel_troubles: tuple[str, ...] = ()
    journal_trouble: str | None = None

    @property
    def board(self) -> Scoreboard | None:
        return self.record.board if self.record else None

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong now, for banners that go when it is over."""
        other = self.eye.other
        # Dice of another set are the thing that lies there.
        drifts = (one.text for one in self.eye.drifts if other is None or one.kind != "thing")
        strange = () if other is None else (f"These look like the dice of {other.name}, which are not in use.",)
        return (*((self.journal_trouble,) if self.journal_trouble else ()), *self.panel_troubles, *drifts, *strange)

    @property
    def playing(self) -> bool:
        board = self.board
        return board is not None and board.status != "over"

    def moved(self, record: Record, rev: int, move: tuple[Event, ...], notes: tuple[str, ...] = ()) -> "Present":
        """After a move that is on disk: open questions about the moment before are gone."""
        return replace(self, record=record, rev=rev, move=move, notes=notes, refused=False, doubts=(), proposed=())

    def asking(self, ruling: Ruling) -> "Present":
        """With what a ruling says but does not play."""
        return replace(self, doubts=ruling.doubts, proposed=ruling.proposed, notes=ruling.notes, refused=ruling.refused)

    def answered(self) -> "Present":
        """After a throw was entered by hand: if it was the one asked about, the eye's own reading of it is no other."""
        counted = self.counted_roll if self.asked_roll is None else self.asked_roll
        return replace(self, counted_roll=counted, asked_roll=None)

    def wild_die(self, happening: Happening) -> Sighting:
        """Which of the dice in view is the coloured one, by the rules of this game."""
        board = self.board
        if board is None or board.wild_colour is None:
            return NO_SIGHT
        return coloured_die(happening.dice, board.wild_colour, self.wild_colour)

    def learning(self, wild: Sighting) -> "Present":
        return self if wild.die is None else replace(self, wild_colour=wild.die.colour)

    def calibrating(self, step: Lead) -> "Present":
        """What lies there when a calibration ends was not thrown for the game; it is read anew."""
        if step in UNDER_WAY:
            return replace(self, step=step, eye=replace(self.eye, text=CALIBRATING))
        if self.step not in UNDER_WAY:
            return replace(self, step=step)
        eye = replace(self.eye, state="settling", text=WORDS["settling"])
        return replace(self, step=step, eye=eye, opened=False, asked_roll=None, counted_roll=None)

    def with_banner(self, text: str) -> "Present":
        return self if text in self.banners else replace(self, banners=(*self.banners, text))

    def seeing(self, happening: Happening) -> "Present":
        state = STATE_AFTER[happening.kind]
        if happening.kind == "removed" and not happening.dice:
            state = "empty"
        text = happening.doubts[0].text if happening.doubts else WORDS[state]
        moving = state in ("hand", "rolling", "settling", "camera-lost")
        dice = self.eye.dice if moving else happening.dice
        return replace(self, eye=replace(self.eye, state=state, text=text, dice=dice))


def rail_of(board: Scoreboard | None) -> Counter[int]:
    """What should lie on the rail from before the present throw, by the game alone (after a restart)."""
    turn = board.turn if board else None
    return Counter(turn.kept) - Counter(turn.aside) if turn else Counter()


def resume(journal: Journal) -> Present:
    """The table after a power cut: the replay of the journal."""
    last = journal.last()
    if last is None:
        return Present()
    game, rev = last
    try:
        record = record_of(journal.moves(game))
    except BadState as error:
        return Present(rev=rev).with_banner(f"About the last game: {error} Start a new one.")
    return Present(rev=rev, game=game, record=record, rail_before=rail_of(record.board))

"""The table at one instant: game, what the eye sees, what is asked. Frozen; `firmware.table` owns the present one."""

from collections import Counter
from dataclasses import dataclass, field, replace

from calibration.course import UNDER_WAY, Lead
from firmware import dispute, lying
from firmware.briefs import record_of
from firmware.errors import BadState
from firmware.journal import LAY, Journal
from firmware.lying import Lying
from firmware.referee import NO_SIGHT, Ruling, rail_values
from firmware.wild_die import Sighting, coloured_die
from rules.events import Event
from rules.game import Scoreboard
from rules.record import Record
from speech.sentence import say
from vision.happening import STATE_AFTER, EyeState, Happening
from vision.seen import Doubt, SeenDie
from web.view import Closeups, Disputed, EyeView

STARTING = EyeView("camera-lost", say("The camera is starting."))
WORDS: dict[EyeState, str] = {
    "empty": say("No dice in the tray: throw."),
    "hand": say("Take the hand out to have it read."),
    "rolling": say("Let the dice come to rest."),
    "settling": say("Being read: leave the dice alone."),
    "read": say("Read."),
    "unsure": say("Not sure: look at the question."),
    "camera-lost": say("No picture from the camera: it is tried again and again. Enter this throw by hand."),
}

CALIBRATING = say("The tray learns a set of dice: throws do not count meanwhile.")


@dataclass(frozen=True, slots=True)
class Present:
    """What is known and asked now.

    `rev`: journal number of the last move, `move`: what was played in it. `rail_before`: values on the rail when the
    present throw was read.
    `lay`: how the dice lay when the eye last read them for sure; None when nobody knows. `lying`: the throw that lies
    in the tray, in the game or not yet. `ahead`: values of a throw that was entered by hand while it fell;
    `instead`: entered since the last move for a throw that cannot be the one asked about: it may be falling.
    `closeups`: of its doubts. `disputed`: the throw that everybody is asked to look at again.
    `refused`: the last thing done does not score. `wild_colour`: what the coloured die of this game was last seen to
    be, where the rules do not say. `offered`: the preset that MODE has chosen for the next game. `step`: of a
    calibration under way. `panel`: the pin factory in use. `url`: where phones reach the pages; `unreached`: what to
    do while they cannot. `banners` last; `troubles` go when they are over.
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
    lay: tuple[SeenDie, ...] | None = None
    lying: Lying | None = None
    ahead: tuple[int, ...] | None = None
    instead: tuple[int, ...] | None = None
    closeups: Closeups | None = None
    disputed: Disputed | None = None
    wild_colour: str = ""
    banners: tuple[str, ...] = ()
    offered: str = "farkle"
    step: Lead = "off"
    panel: str = "none"
    panel_troubles: tuple[str, ...] = ()
    journal_trouble: str | None = None
    url: str = ""
    unreached: str = ""

    @property
    def board(self) -> Scoreboard | None:
        return self.record.board if self.record else None

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong now, for banners that go when it is over."""
        other = self.eye.other
        # Dice of another set are the thing that lies there.
        drifts = (one.text for one in self.eye.drifts if other is None or one.kind != "thing")
        strange = (
            ()
            if other is None
            else (say("These look like the dice of {name}, which are not in use.", name=other.name),)
        )
        alone = (self.unreached,) if self.unreached else ()
        return (
            *((self.journal_trouble,) if self.journal_trouble else ()),
            *alone,
            *self.panel_troubles,
            *drifts,
            *strange,
        )

    @property
    def playing(self) -> bool:
        board = self.board
        return board is not None and board.status != "over"

    def moved(
        self, record: Record, rev: int, move: tuple[Event, ...], notes: tuple[str, ...] = (), lying: Lying | None = None
    ) -> "Present":
        """After a move that is on disk: open questions about the moment before are gone. `lying`: the throw that lies
        there now."""
        if lying is not None and lying.number == record.board.throws:
            rail = lying.rail
        else:
            rail = self.rail_before & rail_of(record.board)
        return replace(
            self,
            record=record,
            rev=rev,
            move=move,
            notes=notes,
            refused=False,
            doubts=(),
            proposed=(),
            lying=lying,
            instead=None,
            rail_before=rail,
            disputed=dispute.still(self.disputed, self.record, record),
        )

    def asking(self, ruling: Ruling) -> "Present":
        """With what a ruling says but does not play."""
        return replace(self, doubts=ruling.doubts, proposed=ruling.proposed, notes=ruling.notes, refused=ruling.refused)

    def looked_at(self, closeups: Closeups) -> "Present":
        """With close-ups of the throw that lies there; those of another reading tell nothing of its doubts."""
        lies = self.lying
        return self if lies is None or lies.seen.taken_ms != closeups.taken_ms else replace(self, closeups=closeups)

    @property
    def open_closeups(self) -> Closeups | None:
        """Of the doubts that are open now."""
        closeups, lies = self.closeups, self.lying
        if closeups is None or lies is None or lies.seen.taken_ms != closeups.taken_ms:
            return None
        return closeups if lies.seen.doubts == self.doubts else None

    @property
    def unanswered(self) -> Lying | None:
        """The throw that lies there and is not in the game."""
        lies = self.lying
        return None if lies is None or (self.board is not None and lies.counted(self.board)) else lies

    def is_answered_by(self, values: tuple[int, ...]) -> bool:
        """Whether a throw entered by hand is the one that lies there and is asked about. While dice fall, or nobody
        sees them, it may be another."""
        return self.unanswered is not None and (self.eye.state in ("read", "unsure", "empty") or self._asks(values))

    def entered(self, values: tuple[int, ...], before: "Present") -> "Present":
        """After a throw was entered by hand. `before`: that move."""
        if self.eye.state == "camera-lost":
            return replace(self, lay=None, rail_before=rail_of(self.board))
        if before.is_answered_by(values):
            return self if before._asks(values) else replace(self, instead=values)
        falling = self.eye.state in ("hand", "rolling", "settling") and not before._asks(values)
        return replace(self, ahead=values if falling else None, rail_before=rail_values(self.eye.dice))

    def _asks(self, values: tuple[int, ...]) -> bool:
        """Whether what is asked about may be these dice."""
        known, given = Counter(value for value in self.proposed if value is not None), Counter(values)
        return bool(self.doubts) and (known <= given or given <= known)

    def wild_die(self, happening: Happening) -> Sighting:
        """Which of the dice in view is the coloured one, by the rules of this game."""
        board = self.board
        if board is None or board.wild_colour is None:
            return NO_SIGHT
        return coloured_die(happening.dice, board.wild_colour, self.wild_colour)

    def learning(self, wild: Sighting) -> "Present":
        return self if wild.die is None else replace(self, wild_colour=wild.die.colour)

    def calibrating(self, step: Lead) -> "Present":
        if step in UNDER_WAY:
            return replace(self, step=step, eye=replace(self.eye, text=CALIBRATING))
        if self.step not in UNDER_WAY:
            return replace(self, step=step)
        return replace(self, step=step, eye=replace(self.eye, state="settling", text=WORDS["settling"]))

    def with_banner(self, text: str) -> "Present":
        return self if text in self.banners else replace(self, banners=(*self.banners, text))

    def seeing(self, happening: Happening) -> "Present":
        state = STATE_AFTER[happening.kind]
        if happening.kind == "removed" and not happening.dice:
            state = "empty"
        text = happening.doubts[0].text if happening.doubts else WORDS[state]
        moving = state in ("hand", "rolling", "settling", "camera-lost")
        dice = self.eye.dice if moving else happening.dice
        # What cannot be read at the first look may hide what has changed.
        lay = self.lay if moving or (happening.found and state == "unsure") else dice
        return replace(self, eye=replace(self.eye, state=state, text=text, dice=dice), lay=lay)

    def lay_so(self, dice: tuple[SeenDie, ...]) -> "Present":
        """These dice lie there, and it is known that they were not thrown for the game."""
        lies = self.lying and self.lying.again(Happening("removed", 0, 0.0, dice=dice))
        return replace(self, lay=dice, lying=lies)


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
        moves = journal.moves(game)
        record = record_of(moves)
    except BadState as error:
        return Present(rev=rev).with_banner(say("About the last game: {error} Start a new one.", error=str(error)))
    return Present(
        rev=rev,
        game=game,
        record=record,
        rail_before=rail_of(record.board),
        lay=lying.read(journal.mark(LAY)),
        disputed=dispute.found(journal.mark(dispute.MARK), game, moves),
    )

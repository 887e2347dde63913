"""What the device tells of seats, games, dice and other trays, frozen."""

from dataclasses import dataclass

from rules import die_words
from rules.best_play.findings import Reckoning
from rules.events import Event
from rules.fairness import Bet
from rules.game import Scoreboard, Status
from rules.retelling import Threw, ToldTurn
from rules.tally import Tally
from vision.dice_set import Kind


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. `mark`: name of its colour and shape, see `web.marks`. `phone`: the one that holds it, None
    when nobody does. `plays`: it is a player's; else that of a screen which only moves."""

    id: str
    name: str
    mark: str = ""
    phone: str | None = None
    plays: bool = True


@dataclass(frozen=True, slots=True)
class DieRecord:
    """What a die showed in all its throws, or equal dice together. `name`: of its kind. `dice`: how many share it, 0
    when that is not known. `counts`: how often each face came, from the one to the six. `bet`: against its fairness,
    named at `limit`. `look`: None when the set no longer has such a die."""

    name: str
    dice: int
    counts: tuple[int, ...]
    bet: Bet
    limit: int
    look: Kind | None = None

    @property
    def unfair(self) -> str | None:
        """A sentence when the die was named."""
        named = self.bet.named_at is not None
        return die_words.unfair(self.counts, self.name, self.dice) if named else None


@dataclass(frozen=True, slots=True)
class SetRecord:
    """The records of a set of dice. `slug`: in addresses. `name`: for people."""

    slug: str
    name: str
    dice: tuple[DieRecord, ...]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game of the journal in short. `began`, `moved`: wall time of its first and its last move, ISO 8601. `rules`:
    their name. `turns`, `throws`: so far. `archived`: out of the list. `current`: it is the one on the table.
    `trouble`: why it cannot be played on, a sentence; then most of the rest is empty. `marks`: the players' colours."""

    id: str
    began: str
    moved: str = ""
    rules: str = ""
    players: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    status: Status = "over"
    winners: tuple[int, ...] = ()
    turns: int = 0
    throws: int = 0
    archived: bool = False
    current: bool = False
    trouble: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """A game throw by throw. `moves`: all of them, as they were accepted. Only these when the game cannot be replayed:
    see the card's `trouble`."""

    card: GameCard
    moves: tuple[tuple[Event, ...], ...]
    board: Scoreboard | None = None
    turns: tuple[ToldTurn, ...] = ()
    reckoning: Reckoning | None = None


@dataclass(frozen=True, slots=True)
class ToldThrow:
    """A throw, and who threw it."""

    player: str
    threw: Threw


@dataclass(frozen=True, slots=True)
class PlayerTally:
    name: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class DiceSet:
    """A set of dice that the tray knows. `slug`: in addresses, and of its files. `made`: the date of its calibration,
    ISO. `rolls`: test rolls it passed, `least`: the smallest confidence in them, None without any. `before`: the date
    of the calibration before, None when there is none to go back to. `trouble`: a sentence when it cannot be used."""

    slug: str
    name: str
    active: bool
    kinds: tuple[Kind, ...] = ()
    made: str = ""
    rolls: int = 0
    least: float | None = None
    before: str | None = None
    trouble: str = ""

    @property
    def count(self) -> int:
        return sum(kind.count for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class ClubTray:
    """Another tray, or this one, as the broker knows it. `here`: it is connected. `status`: a word or two. `turn`:
    index of the player to move, None without one. `dice`: of the throw that lies there."""

    id: str
    name: str
    status: str
    rules: str = ""
    target: int = 0
    players: tuple[tuple[str, int], ...] = ()
    turn: int | None = None
    at_risk: int = 0
    dice: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    here: bool = True

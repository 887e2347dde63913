"""A game of Farkle at one instant. Frozen: the moves beside this module answer with another one."""

from dataclasses import dataclass, replace

from rules.events import Player
from rules.game import Last, Offer, Option, Trying
from rules.options import Options
from rules.scoring import Groups, Scorer, scorer


@dataclass(frozen=True, slots=True)
class Side:
    """Who shares one score: a player, or a team. `farkles`: in a row."""

    score: int = 0
    on_board: bool = True
    farkles: int = 0


@dataclass(frozen=True, slots=True)
class Left:
    """What a bank left to the next player: the `offer`, the dice on the rail beside it, and whether the coloured die
    is one of these."""

    offer: Offer
    rail: tuple[int, ...] = ()
    coloured_aside: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """`player`: index of who is to move. The turn so far: `points` before the present throw, without those `carried`
    over from the player before; `taken`: dice that were on the rail when the turn began; `held`: those set aside since,
    or since the last hot dice, a group for each throw; `coloured_aside`: the coloured die is among the two.

    The present throw: `throw`, its plain dice, and what the `coloured` die shows; `choices`, what may be set aside of
    it, and `aside`, what is. `declared`: the attempt that the next throw will make; `attempt`: the one that this throw
    has made. `turn_throws` counts in this turn, `throws` in the game.

    `left`: what the player to move may take over. `roll_off`: the winning turn that he may take back. `leader`: who is
    to be beaten in the final round, `until`: whose turn would come when it is over. `playoff`: sides that still play
    to break a tie. `won`: the sides that have won.
    """

    options: Options
    players: tuple[Player, ...]
    sides: tuple[Side, ...]
    player: int = 0
    points: int = 0
    carried: int = 0
    taken: tuple[int, ...] = ()
    held: Groups = ()
    coloured_aside: bool = False
    throw: tuple[int, ...] | None = None
    coloured: int | None = None
    choices: tuple[Option, ...] = ()
    aside: Option | None = None
    declared: Trying | None = None
    attempt: Trying | None = None
    turn_throws: int = 0
    throws: int = 0
    left: Left | None = None
    roll_off: Offer | None = None
    leader: int | None = None
    until: int | None = None
    playoff: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    over: bool = False
    last: Last | None = None

    @property
    def scorer(self) -> Scorer:
        return scorer(self.options.dice, self.options.score)

    @property
    def count(self) -> int:
        """Dice of a full throw."""
        return self.options.dice.count

    @property
    def own(self) -> int:
        """Points that the player has made in this turn, the present choice included."""
        return self.points + (self.aside.score if self.aside else 0)

    @property
    def at_risk(self) -> int:
        """Points carried over count as soon as one die has scored."""
        return self.own + self.carried if self.own else 0

    @property
    def dice_aside(self) -> tuple[int, ...]:
        """All dice chosen from the present throw, the coloured one included."""
        return self.aside.faces(self.coloured) if self.aside else ()

    @property
    def thrown(self) -> tuple[int, ...] | None:
        """All dice of the present throw, the coloured one included."""
        if self.throw is None or self.coloured is None:
            return self.throw
        return tuple(sorted((*self.throw, self.coloured)))

    @property
    def on_rail(self) -> tuple[int, ...]:
        """All dice that are not in the player's hand, those kept for an attempt included."""
        trying = self.declared or self.attempt
        groups = (self.taken, *self.held, trying.dice if trying else (), self.dice_aside)
        return tuple(sorted(die for group in groups for die in group))

    @property
    def hot(self) -> bool:
        """Every die has scored."""
        return len(self.on_rail) == self.count

    @property
    def dice_left(self) -> int:
        return self.count if self.hot else self.count - len(self.on_rail)

    @property
    def coloured_due(self) -> bool:
        """The coloured die is among the dice of the next throw."""
        return self.options.dice.wild != "off" and (self.hot or not self.coloured_set_aside)

    @property
    def coloured_set_aside(self) -> bool:
        return self.coloured_aside or bool(self.aside and self.aside.with_coloured)

    @property
    def chosen(self) -> bool:
        """The present throw has been answered: the rest may be thrown."""
        return self.aside is not None or self.declared is not None

    def side_of(self, player: int) -> int:
        return player % len(self.sides)

    @property
    def side(self) -> Side:
        """Of the player to move."""
        return self.sides[self.side_of(self.player)]

    def with_side(self, index: int, side: Side) -> "State":
        return replace(self, sides=(*self.sides[:index], side, *self.sides[index + 1 :]))

    def with_own_side(self, side: Side) -> "State":
        return self.with_side(self.side_of(self.player), side)

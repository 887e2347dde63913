"""Farkle and Dice 10,000: throw, set aside what scores, throw the rest or bank; no score loses the turn."""

from dataclasses import dataclass, replace

from rules.errors import BadRules, IllegalMove, InvalidMove
from rules.events import Banked, Ended, Event, Kept, Player, Started, Thrown
from rules.game import ENGINE_VERSION, Last, Option, Scoreboard, Standing, Status, Turn
from rules.games.unplayed import refuse_unplayed
from rules.house import parse
from rules.options import Options
from rules.scoring import Groups, Scorer, dearest, scorer
from rules.wording import count_text, dice_text, points_text

FEWEST, MOST = 2, 8


@dataclass(frozen=True, slots=True)
class State:
    """`points`: of this turn, before the present throw. `held`: dice on the rail since the last hot dice, before the
    present throw, a group for each throw. `throw`: the open throw, `aside` the choice from it. `leader`: who is to be
    beaten in the final round, `until`: whose turn would come when it is over; None before it."""

    options: Options
    players: tuple[Standing, ...]
    player: int = 0
    points: int = 0
    held: Groups = ()
    throw: tuple[int, ...] | None = None
    aside: tuple[int, ...] = ()
    throws: int = 0
    leader: int | None = None
    until: int | None = None
    over: bool = False
    last: Last | None = None

    @property
    def scorer(self) -> Scorer:
        return scorer(self.options.dice, self.options.score)

    @property
    def choices(self) -> tuple[Option, ...]:
        return () if self.throw is None else self.scorer.options(self.throw, self.held)

    @property
    def chosen(self) -> Option | None:
        return next((option for option in self.choices if option.dice == self.aside), None)

    @property
    def at_risk(self) -> int:
        return self.points + (self.chosen.score if self.chosen else 0)

    @property
    def on_rail(self) -> tuple[int, ...]:
        return tuple(sorted((*(die for group in self.held for die in group), *self.aside)))

    @property
    def hot(self) -> bool:
        return len(self.on_rail) == self.options.dice.count

    @property
    def dice_left(self) -> int:
        return self.options.dice.count if self.hot else self.options.dice.count - len(self.on_rail)


@dataclass(frozen=True, slots=True)
class Farkle:
    """The `Game` protocol for every rule set of `rules.options` that this version plays."""

    name: str = "farkle"
    version: int = ENGINE_VERSION

    def start(self, started: Started) -> State:
        options = parse(started.rules)
        refuse_unplayed(options)
        _check_players(started.players)
        on_board = options.turn.entry_threshold == 0
        return State(
            options, tuple(Standing(player.name, player.seat, on_board=on_board) for player in started.players)
        )

    def play(self, state: State, event: Event) -> State:
        if state.over:
            raise IllegalMove("The game is over; start a new one, or undo the last move.")
        match event:
            case Thrown(values=values):
                return _thrown(state, values)
            case Kept(dice=dice):
                return _kept(state, dice)
            case Banked():
                return _banked(state)
            case Ended():
                return replace(state, over=True, leader=None, last=None)
        raise InvalidMove(f"{type(event).__name__} is not a move of Farkle.")

    def board(self, state: State) -> Scoreboard:
        return Scoreboard(
            rules=state.options.name,
            target=state.options.win.target,
            status=_status(state),
            players=state.players,
            turn=None if state.over else _turn(state),
            winner=state.leader if state.over else None,
            last=state.last,
            throws=state.throws,
            dice=state.options.dice.count,
        )


def _check_players(players: tuple[Player, ...]) -> None:
    if not FEWEST <= len(players) <= MOST:
        raise BadRules(f"Farkle is for {FEWEST} to {MOST} players, not {len(players)}.")
    seen: set[str] = set()
    for player in players:
        name = player.name.strip().casefold()
        if not name:
            raise BadRules("Every player needs a name.")
        if name in seen:
            raise BadRules(f"Two players are called {player.name.strip()}; give one of them another name.")
        seen.add(name)


def _thrown(state: State, values: tuple[int, ...]) -> State:
    for value in values:
        if value not in range(1, 7):
            raise InvalidMove(f"A die shows 1 to 6, not {value}.")
    if state.throw is not None and not state.aside:
        raise IllegalMove("Set aside at least one scoring die first.")
    if len(values) != state.dice_left:
        raise IllegalMove(f"Throw {count_text(state.dice_left)}, not {len(values)}.")
    held = (*state.held, state.aside) if state.aside and not state.hot else ()
    throw = tuple(sorted(values))
    state = replace(state, points=state.at_risk, held=held, throw=throw, aside=(), throws=state.throws + 1, last=None)
    return state if state.choices else _farkled(state)


def _farkled(state: State) -> State:
    here = state.players[state.player]
    last = Last(state.player, "farkle", state.points, state.throw or ())
    return _passed_on(_with_player(state, replace(here, farkles=here.farkles + 1)), last)


def _kept(state: State, dice: tuple[int, ...]) -> State:
    if state.throw is None:
        raise IllegalMove("Throw first: there are no dice to set aside yet.")
    dice = tuple(sorted(dice))
    if not any(option.dice == dice for option in state.choices):
        raise IllegalMove(_why_not_aside(state, state.throw, dice))
    state = replace(state, aside=dice, last=None)
    return replace(state, last=Last(state.player, "hot-dice", state.at_risk, state.throw or ())) if state.hot else state


def _why_not_aside(state: State, throw: tuple[int, ...], dice: tuple[int, ...]) -> str:
    if not dice:
        return "Set aside at least one scoring die."
    for die in dice:
        if dice.count(die) > throw.count(die):
            return f"{dice_text(dice)} cannot be set aside from {dice_text(throw)}."
    partly = [option.dice for option in state.choices if _is_within(option.dice, dice)]
    dead = list(dice)
    for die in max(partly, key=len, default=()):
        dead.remove(die)
    return f"{dice_text(tuple(dead))} scores nothing here; set aside only dice that score."


def _is_within(part: tuple[int, ...], dice: tuple[int, ...]) -> bool:
    return all(part.count(die) <= dice.count(die) for die in part)


def _banked(state: State) -> State:
    if state.throw is None:
        raise IllegalMove("Throw first: there is nothing to bank yet.")
    state = _with_choice(state)
    refusal = _why_not_bank(state)
    if refusal:
        raise IllegalMove(refusal)
    here = state.players[state.player]
    here = replace(here, score=here.score + state.at_risk, farkles=0, on_board=True)
    last = Last(state.player, "banked", state.at_risk)
    return _passed_on(_led(_with_player(state, here), here.score), last)


def _with_choice(state: State) -> State:
    """With nothing set aside, the dearest option is taken."""
    return state if state.aside else replace(state, aside=dearest(state.choices).dice)


def _why_not_bank(state: State) -> str | None:
    turn, here = state.options.turn, state.players[state.player]
    if state.hot and turn.hot_dice == "must":
        return "All dice have scored: they must be thrown once more."
    if not here.on_board and state.at_risk < turn.entry_threshold:
        return f"The first {points_text(turn.entry_threshold)} must be made in one turn; {state.at_risk} is too few."
    least = max(turn.minimum, turn.bank_min_score)
    if state.at_risk < least:
        return f"A turn must make {points_text(least)} before it can be banked; {state.at_risk} is too few."
    most = turn.bank_max_dice_left
    if most is not None and not state.hot and state.dice_left > most:
        return f"No more than {count_text(most)} may be left when you stop, and {state.dice_left} are: throw on."
    return None


def _led(state: State, score: int) -> State:
    """Who reaches the target first is to be beaten; in the final round, who scores strictly more."""
    win = state.options.win
    if state.leader is not None:
        beaten = score > state.players[state.leader].score
        return replace(state, leader=state.player) if beaten else state
    reached = score > win.target if win.rule == "over" else score >= win.target
    if not reached:
        return state
    return replace(state, leader=state.player, until=state.player, over=not win.final_round)


def _passed_on(state: State, last: Last) -> State:
    step = 1 if state.options.turn.order == "clockwise" else -1
    following = (state.player + step) % len(state.players)
    over = state.over or following == state.until
    if over and state.leader is not None:
        last = Last(state.leader, "won", state.players[state.leader].score)
    return replace(state, player=following, points=0, held=(), throw=None, aside=(), over=over, last=last)


def _with_player(state: State, standing: Standing) -> State:
    return replace(state, players=(*state.players[: state.player], standing, *state.players[state.player + 1 :]))


def _status(state: State) -> Status:
    if state.over:
        return "over"
    return "playing" if state.until is None else "final-round"


def _turn(state: State) -> Turn:
    return Turn(
        player=state.player,
        score=state.at_risk,
        dice_left=state.dice_left,
        throw=state.throw,
        throw_id=None if state.throw is None else state.throws,
        aside=state.aside,
        kept=state.on_rail,
        options=state.choices,
        may_bank=state.throw is not None and _why_not_bank(_with_choice(state)) is None,
        may_throw=state.throw is None or bool(state.aside),
        hot_dice=state.hot,
    )

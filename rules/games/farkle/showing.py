"""A state as the scoreboard that screens show."""

from rules.game import Scoreboard, Standing, Status, Team, Turn
from rules.games.farkle import attempts, banking, seats, taking
from rules.games.farkle.state import State


def board(state: State) -> Scoreboard:
    options = state.options
    return Scoreboard(
        rules=options.name,
        target=options.win.target,
        status=_status(state),
        players=tuple(_standing(state, index) for index in range(len(state.players))),
        turn=None if state.over else _turn(state),
        winner=state.leader if state.over else None,
        last=state.last,
        throws=state.throws,
        dice=options.dice.count,
        winners=tuple(index for index in range(len(state.players)) if state.side_of(index) in state.won),
        teams=_teams(state),
        leader=None if state.over else state.leader,
        playoff=tuple(index for index in range(len(state.players)) if state.side_of(index) in state.playoff),
        stake=options.stake,
        wild_colour=None if options.dice.wild == "off" else options.dice.wild_colour,
    )


def _standing(state: State, index: int) -> Standing:
    player, number = state.players[index], state.side_of(index)
    side = state.sides[number]
    team = number if state.options.teams else None
    return Standing(player.name, player.seat, side.score, side.on_board, side.farkles, team, player.mark)


def _teams(state: State) -> tuple[Team, ...]:
    everyone = range(len(state.players))
    return tuple(
        Team(tuple(index for index in everyone if state.side_of(index) == number), state.sides[number].score)
        for number in range(state.options.teams)
    )


def _status(state: State) -> Status:
    if state.over:
        return "over"
    return "playing" if state.until is None and state.roll_off is None else "final-round"


def _turn(state: State) -> Turn:
    answered = banking.with_choice(state)
    spent = banking.is_spent(state)
    return Turn(
        player=state.player,
        score=state.at_risk,
        dice_left=0 if spent else state.dice_left,
        throw=state.thrown,
        throw_id=None if state.throw is None else state.throws,
        aside=state.declared.dice if state.declared else state.dice_aside,
        kept=state.on_rail,
        options=state.choices,
        may_bank=state.throw is not None and banking.why_not_bank(answered) is None,
        may_throw=(state.throw is None or state.chosen) and not spent,
        hot_dice=state.hot and not spent,
        goes_over=banking.goes_over(answered),
        coloured=state.coloured,
        with_coloured=state.aside.with_coloured if state.aside else None,
        coloured_due=state.coloured_due,
        may_take=taking.offered(state),
        carried=state.carried,
        roll_off=state.roll_off,
        may_attempt=attempts.possible(state),
        attempt=state.declared or state.attempt,
        following=seats.following(state),
    )

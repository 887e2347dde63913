"""Who sits at the table, who plays together, and whose turn comes next."""

from rules.errors import BadRules
from rules.events import Player
from rules.games.farkle.state import Side, State
from rules.options import Options
from speech.sentence import either, say

FEWEST, MOST = 2, 8


def check_players(players: tuple[Player, ...], options: Options) -> None:
    """Raises `BadRules` when these players cannot play by these rules."""
    if not FEWEST <= len(players) <= MOST:
        raise BadRules(
            say(
                "Farkle is for {fewest} to {most} players, not {number}.",
                fewest=FEWEST,
                most=MOST,
                number=len(players),
            )
        )
    seen: set[str] = set()
    for player in players:
        name = player.name.strip().casefold()
        if not name:
            raise BadRules(say("Every player needs a name."))
        if name in seen:
            raise BadRules(
                say("Two players are called {name}; give one of them another name.", name=player.name.strip())
            )
        seen.add(name)
    if options.teams and len(players) % options.teams:
        fitting = [str(number) for number in range(FEWEST, MOST + 1) if number % options.teams == 0]
        raise BadRules(
            say(
                "{teams} equal teams need {some} players, not {number}.",
                teams=options.teams,
                some=either(fitting),
                number=len(players),
            )
        )


def sides(players: tuple[Player, ...], options: Options) -> tuple[Side, ...]:
    """One for each player or team. Team-mates sit opposite each other, so the teams throw in turn: with two teams
    every second player belongs to the first."""
    on_board = options.turn.entry_threshold == 0
    return tuple(Side(on_board=on_board) for _ in range(options.teams or len(players)))


def following(state: State) -> int:
    """Whose turn comes next. Only those who are tied still play in a playoff."""
    step = 1 if state.options.turn.order == "clockwise" else -1
    player = (state.player + step) % len(state.players)
    while state.playoff and state.side_of(player) not in state.playoff:
        player = (player + step) % len(state.players)
    return player

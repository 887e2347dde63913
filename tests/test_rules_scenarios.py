"""The turns and games of the golden scenarios, each step played by the engine itself."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from rules.errors import IllegalMove
from rules.events import Attempted, Banked, Kept, Player, Started, Taken, Thrown
from rules.game import ENGINE_VERSION, Scoreboard, Turn
from rules.games.farkle import Farkle
from rules.games.farkle.state import State
from rules.house import parse
from rules.scoring import scorer

GAME = Farkle()
Step = dict[str, Any]
GOLDEN = Path(__file__).parent / "data" / "golden" / "scenarios.json"
SCENARIOS = {scenario["name"]: scenario for scenario in json.loads(GOLDEN.read_text())["scenarios"]}
BASES: dict[str, dict[str, Any]] = {
    "farkle_standard": {},
    "dark_knights_base": {"score.straight": 1000, "win.rule": "over"},
    "dark_knights_first_values": {
        "score.straight": 1000,
        "score.kinds": "adding",
        "score.three_pairs": 500,
        "score.two_triplets": 2500,
        "win.rule": "over",
    },
    "dice_10000": {
        "score.kinds": "adding",
        "score.straight": 1500,
        "score.three_pairs": 1500,
        "score.mcflurry": 2000,
        "turn.entry_threshold": 1000,
        "turn.minimum": 500,
        "win.rule": "over",
    },
    "five_dice_standard": {"dice.count": 5},
    "wild_standard": {"dice.wild": "coloured_4"},
}
INSTANT = {
    "instant_win_five_kind_first_throw": "five_kind_first_throw",
    "instant_win_six_kind": "six_kind",
    "instant_win_six_ones": "six_ones",
}
OPTIONS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "progressive": lambda on: {"score.progressive": "all" if on else "off"},
    "three_pairs_four_plus_pair": lambda on: {"score.three_pairs_four_plus_pair": on},
    "nothing_score": lambda points: {"score.nothing": points},
    "entry_threshold": lambda points: {"turn.entry_threshold": points},
    "turn_minimum": lambda points: {"turn.minimum": points},
    "on_board": lambda _: {},
    "hot_dice_must_throw": lambda on: {"turn.hot_dice": "must" if on else "may"},
    "three_farkles_penalty": lambda points: {"penalty.three_farkles": points},
    "piggyback": lambda how: {"turn.piggyback": how},
    "piggyback_flat": lambda points: {"turn.piggyback_flat": points},
    "target": lambda points: {"win.target": points},
    "target_rule": lambda rule: {"win.rule": rule},
    "exact_overshoot": lambda what: {"win.overshoot": what, "win.final_round": False},
    "roll_off": lambda on: {"win.roll_off": on},
    "wild": lambda on: {"dice.wild": "coloured_4" if on else "off"},
    "teams": lambda number: {"teams": number},
    "straight_attempt": lambda on: {"turn.straight_attempt": on},
    "triple_attempt": lambda on: {"turn.triple_attempt": on},
    **{name: lambda on, instant=instant: {"win.instant": [instant] if on else []} for name, instant in INSTANT.items()},
}


def begin(scenario: dict[str, Any]) -> State:
    rules: dict[str, Any] = {"name": "test", **BASES[scenario["preset"]]}
    for name, value in scenario["options"].items():
        rules |= OPTIONS[name](value)
    names = next((list(step["scores"]) for step in scenario["steps"] if "scores" in step), ["A", "B"])
    names = next((step["order"] for step in scenario["steps"] if "order" in step), names)
    players = tuple(Player(name) for name in names)
    state = GAME.start(Started("farkle", parse(rules).to_json(), ENGINE_VERSION, players))
    return on_board(state) if scenario["options"].get("on_board") else state


def on_board(state: State) -> State:
    return replace(state, sides=tuple(replace(side, on_board=True) for side in state.sides))


def shown(state: State) -> Scoreboard:
    return GAME.board(state)


def turn(state: State) -> Turn:
    found = shown(state).turn
    assert found is not None
    return found


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    before = state = begin(SCENARIOS[name])
    for step in SCENARIOS[name]["steps"]:
        before = before if step.get("alt") else state
        state = played(before, step)
        compare(before, state, step)


def played(state: State, step: Step) -> State:
    """The state after one step, with what the step takes for granted brought about first."""
    state = prepared(state, step)
    if step.get("piggyback"):
        state = GAME.play(state, Taken())
    if "farkle_turn" in step:
        return lost(state)
    if "plain" in step:
        state = GAME.play(state, Thrown((*step["plain"], step["coloured"]), coloured=step["coloured"]))
    if "throw" in step:
        state = GAME.play(state, Thrown(tuple(step["throw"])))
    if "set_aside" in step:
        state = set_aside(state, step)
    if "declare" in step:
        state = GAME.play(state, Attempted(step["declare"], tuple(step["keep"])))
    if step.get("farkle") and "throw" not in step:
        state = lost(state)
    return bank(state, step) if "bank" in step else state


def prepared(state: State, step: Step) -> State:
    """Scores as the step has them; turns of other players, who get nothing, until it is this one's."""
    for key in ("scores", "score_before"):
        if key in step:
            scores = step[key].values() if key == "scores" else [step[key], 0]
            sides = [replace(side, score=score) for side, score in zip(state.sides, scores, strict=True)]
            state = on_board(replace(state, sides=tuple(sides)))
    wanted = wanted_player(state, step)
    while not state.over and state.player != wanted:
        state = lost(state)
    if step.get("hot_dice") and "throw" not in step and "set_aside" not in step:
        state = GAME.play(state, Thrown((1, 1, 3, 3, 3)))
        state = GAME.play(state, Kept((1, 1, 3, 3, 3)))
    return state


def wanted_player(state: State, step: Step) -> int:
    names = [player.name for player in state.players]
    if "turn_of" in step:
        return names.index(step["turn_of"])
    if isinstance(step.get("player"), str):
        return names.index(step["player"])
    if "player" in step:
        return int(step["player"]) - 1
    of_first = {"score_before", "score_after", "farkle_turn"} & set(step)
    return 0 if of_first else state.player


def lost(state: State) -> State:
    """Throws of the player to move until he has farkled."""
    player = state.player
    while state.player == player and not state.over:
        state = GAME.play(state, Thrown(((2, 2, 3, 4, 6, 6) * 2)[: state.dice_left]))
    return state


def set_aside(state: State, step: Step) -> State:
    aside = step["set_aside"]
    if isinstance(aside, dict):
        return GAME.play(state, Kept(tuple(aside["dice"]), aside["with_coloured"]))
    if step.get("legal") is False:
        with pytest.raises(IllegalMove):
            GAME.play(state, Kept(tuple(aside)))
        return state
    return GAME.play(state, Kept(tuple(aside)))


def bank(state: State, step: Step) -> State:
    """Bank the points of the step: those of the turn so far, or all of one throw that makes them."""
    if state.throw is None:
        state = GAME.play(state, Thrown(*throw_for(state, step["bank"], step.get("dice_left"))))
        option = next(each for each in state.choices if fits(state, each.score, each.size, step))
        state = GAME.play(state, Kept(option.dice))
    assert state.at_risk == step["bank"]
    return GAME.play(state, Banked())


def throw_for(state: State, points: int, left: int | None) -> tuple[tuple[int, ...]]:
    known = scorer(state.options.dice, state.options.score)
    for throw in combinations_with_replacement(range(1, 7), state.dice_left):
        for option in known.options(throw):
            if fits(state, option.score, option.size, {"bank": points, "dice_left": left}):
                return (throw,)
    raise AssertionError(points)


def fits(state: State, score: int, size: int, step: Step) -> bool:
    left = step.get("dice_left")
    return bool(score == step["bank"]) and (left is None or state.count - size == left)


def compare(before: State, state: State, step: Step) -> None:
    board, first = shown(state), state.sides[0]
    names = {player.name: index for index, player in enumerate(board.players)}
    banking = "bank" in step
    found: dict[str, Any] = {
        "score_after": first.score,
        "consecutive_after": first.farkles,
        "player1_keeps": first.score,
        "final_round": board.status == "final-round" or board.status == "over",
        "winner": None if board.winner is None else board.players[board.winner].name,
        "wins_at_once": board.status == "over",
        "on_board": board.players[before.player].on_board,
        "order": list(names),
    }
    if board.turn is not None and not banking:
        found |= {
            "turn": board.turn.score,
            "carried": board.turn.carried,
            "dice_left": board.turn.dice_left,
            "hot_dice": board.turn.hot_dice,
            "may_bank": board.turn.may_bank,
        }
    if "set_aside" in step or ("throw" in step and not step.get("farkle")):
        found["score"] = state.at_risk - before.at_risk
    if "turn_of" in step:
        found["score"] = board.players[names[step["turn_of"]]].score
    if step.get("farkle") and "throw" in step:
        assert (board.last is not None and board.last.what, state.player) == ("farkle", (before.player + 1) % 2)
        found["turn_total"] = board.players[before.player].score
    if "teams" in step:
        found["teams"] = team_names(board)
    if "team_score" in step:
        team = board.teams[board.players[names[step["player"]]].team or 0]
        found["team_score"] = {"XY"[board.teams.index(team)]: team.score}
    if "next_may_roll_off" in step:
        found["next_may_roll_off"] = board.turn is not None and board.turn.roll_off is not None
    same = {key: value for key, value in found.items() if key in step}
    assert same == {key: step[key] for key in same}


def team_names(board: Scoreboard) -> dict[str, list[str]]:
    return {
        letter: [board.players[index].name for index in team.players]
        for letter, team in zip("XY", board.teams, strict=True)
    }


def test_all_scenarios_are_here() -> None:
    assert len(SCENARIOS) == 31

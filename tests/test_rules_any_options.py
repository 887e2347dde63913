"""What holds under any combination of options: in the scorer, and in games that are played at random."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from firmware import rulebook
from rules.codec import from_json, to_json
from rules.combinations import alike, spanning
from rules.errors import IllegalMove, InvalidMove, RulesError
from rules.events import Attempted, Banked, Ended, Event, Kept, Player, Started, Taken, Thrown, Undone
from rules.game import ENGINE_VERSION, Scoreboard, Turn
from rules.house import parse, read
from rules.options import Options
from rules.record import Record, replay
from rules.scoring import scorer
from rules.sheet import sheet

# A busy machine may take its time.
STEADY = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
FEW = settings(STEADY, max_examples=60)

KIND = st.sampled_from(["off", "adding", "doubling", {"set": 1000}, {"set": 50}, {"mult": 3}, {"mult": 10}])
SWITCH = st.booleans()
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "dice.count": st.sampled_from([6, 6, 6, 5, 12]),
    "dice.wild": st.sampled_from(["off", "coloured_4"]),
    "dice.wild_alone": SWITCH,
    "score.ones": st.sampled_from([100, 50, 0]),
    "score.triple_1": st.sampled_from([1000, 300, 200]),
    "score.kind4": KIND,
    "score.kind5": KIND,
    "score.kind6": KIND,
    "score.six_ones": st.sampled_from(["off", 5000]),
    "score.straight": st.sampled_from(["off", 1500]),
    "score.three_pairs": st.sampled_from(["off", 750]),
    "score.three_pairs_four_plus_pair": SWITCH,
    "score.three_pairs_six_kind": SWITCH,
    "score.two_triplets": st.sampled_from(["off", 2500]),
    "score.full_house_bonus": st.sampled_from(["off", 250]),
    "score.nothing": st.sampled_from(["off", 500]),
    "score.nothing_hot_dice": SWITCH,
    "score.mcflurry": st.sampled_from(["off", 2000]),
    "score.mcflurry_exact": SWITCH,
    "score.progressive": st.sampled_from(["off", "kinds", "all"]),
    "score.custom": st.sampled_from([[], [{"pattern": "aabb", "value": 300}], [{"pattern": "2", "value": 50}]]),
    "turn.entry_threshold": st.sampled_from([0, 350, 1000]),
    "turn.minimum": st.sampled_from([0, 500]),
    "turn.bank_min_score": st.sampled_from([0, 500]),
    "turn.bank_max_dice_left": st.sampled_from(["off", 0, 2]),
    "turn.hot_dice": st.sampled_from(["may", "must"]),
    "turn.piggyback": st.sampled_from(["off", "full", "flat"]),
    "turn.piggyback_needs_board": SWITCH,
    "turn.straight_attempt": SWITCH,
    "turn.triple_attempt": SWITCH,
    "turn.order": st.sampled_from(["clockwise", "counter"]),
    "penalty.three_farkles": st.sampled_from(["off", 500, 1000, "all"]),
    "penalty.floor": st.sampled_from(["off", 0, -500]),
    "penalty.four_twos": SWITCH,
    "win.target": st.sampled_from([500, 1500, 3000]),
    "win.rule": st.sampled_from(["at_least", "over", "exact"]),
    "win.overshoot": st.sampled_from(["lose_turn", "give_to_lowest"]),
    "win.final_round": SWITCH,
    "win.tie": st.sampled_from(["first", "shared", "playoff"]),
    "win.roll_off": SWITCH,
    "win.instant": st.sampled_from([[], ["six_kind"], ["six_ones"], ["five_kind_first_throw"]]),
    "teams": st.sampled_from([0, 0, 2]),
}


@st.composite
def rule_sets(draw: st.DrawFn) -> Options:
    """Any rules that are not refused."""
    rules = {name: draw(values) for name, values in VALUES.items() if draw(SWITCH)}
    options, mistakes = read({"name": "any", **rules}, {})
    assume(not mistakes)
    return options


def begin(options: Options, players: int = 4) -> Record:
    seats = tuple(Player(name) for name in "ABCD"[:players])
    return Record.begin(Started("farkle", options.to_json(), ENGINE_VERSION, seats))


def throw(dice: int, coloured: bool, rng: random.Random) -> Thrown:
    values = [rng.randint(1, 6) for _ in range(dice)]
    return Thrown(tuple(sorted(values)), coloured=values[0] if coloured else None)


def legal(turn: Turn, rng: random.Random) -> list[Event]:
    """What the scoreboard says may be done now; one throw stands for all."""
    moves: list[Event] = [Kept(option.dice, option.with_coloured) for option in turn.options]
    moves += [Attempted(trying.what, trying.dice) for trying in turn.may_attempt]
    if turn.may_take:
        moves.append(Taken())
    if turn.may_throw:
        moves.append(throw(turn.dice_left, turn.coloured_due, rng))
    if turn.may_bank:
        moves.append(Banked())
    return moves


def moves_of(record: Record, rng: random.Random, most: int) -> Iterator[tuple[Record, Event]]:
    """A game at random: each position with the move made from it. A player who may bank mostly does."""
    for _ in range(most):
        turn = record.board.turn
        if turn is None:
            return
        moves = legal(turn, rng)
        assert moves, "nobody may do anything"
        move = moves[-1] if rng.random() < 0.6 else rng.choice(moves)
        yield record, move
        record = record.play(move)


def played(options: Options, seed: int, most: int = 60) -> Record:
    record = begin(options)
    for before, move in moves_of(record, random.Random(seed), most):
        record = before.play(move)
    return record


SEEDS = st.integers(0, 2**32)


@FEW
@given(rule_sets(), SEEDS)
def test_every_offered_move_is_legal_and_nobody_is_ever_stuck(options: Options, seed: int) -> None:
    rng = random.Random(seed)
    for record, _ in moves_of(begin(options), rng, 40):
        turn = record.board.turn
        assert turn is not None
        for move in legal(turn, rng):
            record.play(move)


@FEW
@given(rule_sets(), SEEDS)
def test_replaying_a_game_of_any_rules_gives_the_same_game_through_json(options: Options, seed: int) -> None:
    record = played(options, seed)
    written = json.loads(json.dumps([[to_json(event) for event in move] for move in record.moves]))
    again = replay([tuple(from_json(event) for event in move) for move in written])
    assert again == record
    assert again.board == record.board


@FEW
@given(rule_sets(), SEEDS)
def test_undo_takes_back_any_move_of_any_rules(options: Options, seed: int) -> None:
    for record, move in moves_of(begin(options), random.Random(seed), 25):
        assert record.play(move).play(Undone()).board == record.board


@FEW
@given(rule_sets(), SEEDS)
def test_what_is_not_offered_is_refused_in_a_sentence_and_changes_nothing(options: Options, seed: int) -> None:
    rng = random.Random(seed)
    for record, _ in moves_of(begin(options), rng, 25):
        board = record.board
        assert board.turn is not None
        for move in not_offered(board, board.turn, rng):
            with pytest.raises((IllegalMove, InvalidMove), match=r"[.?]$"):
                record.play(move)
            assert record.board == board


def not_offered(board: Scoreboard, turn: Turn, rng: random.Random) -> Iterator[Event]:
    if not turn.may_bank and turn.throw is None:
        yield Banked()
    if not turn.may_take:
        yield Taken()
    if turn.throw is not None and not turn.may_throw:
        yield throw(turn.dice_left or board.dice, turn.coloured_due, rng)
    yield throw(board.dice + 1, turn.coloured_due, rng)
    yield Thrown((7,) * turn.dice_left)
    yield Attempted("triple", (1, 2))
    faces = {tuple(sorted(option.faces(turn.coloured))) for option in turn.options}
    for size in range(1, 4):
        dice = tuple(sorted(rng.randint(1, 6) for _ in range(size)))
        if dice not in faces:
            yield Kept(dice)


@settings(STEADY, max_examples=25)
@given(rule_sets(), SEEDS)
def test_a_game_at_random_ends_or_can_go_on(options: Options, seed: int) -> None:
    board = played(options, seed, most=300).board
    if board.turn is None:
        assert board.status == "over"
        assert board.winner in board.winners
        assert board.last is not None
        assert board.last.what == "won"
    else:
        assert board.turn.may_throw or board.turn.may_bank or board.turn.options


@FEW
@given(rule_sets(), SEEDS)
def test_points_are_never_made_from_nothing(options: Options, seed: int) -> None:
    """Each move changes the scores by what it says it does."""
    for record, move in moves_of(begin(options), random.Random(seed), 40):
        before, board = record.board, record.play(move).board
        was, now = sides(before), sides(board)
        last = board.last
        if isinstance(move, Banked) and last is not None and last.what == "banked":
            assert sum(now) - sum(was) == last.points
        elif isinstance(move, Taken | Attempted | Kept):
            assert now == was


def sides(board: Scoreboard) -> list[int]:
    return [team.score for team in board.teams] or [player.score for player in board.players]


@settings(STEADY, max_examples=150)
@given(rule_sets(), st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_no_split_by_brute_force_beats_the_best_and_no_dead_die_is_set_aside(options: Options, dice: list[int]) -> None:
    if options.score.mcflurry_exact:
        return  # which combinations there are depends on the whole throw: the golden vectors have it
    throw = tuple(sorted(dice[: options.dice.count]))
    known = scorer(options.dice, options.score)
    combos = [combo for face in range(1, 7) for combo in alike(options.dice, options.score, face)]
    combos += spanning(options.dice, options.score)
    splits = [(Counter(faces_of(combo.counts)), combo.value) for combo in combos]
    found = {}
    for size in range(1, len(throw) + 1):
        for chosen in set(combinations(throw, size)):
            best = brute(Counter(chosen), splits)
            if best > 0:
                found[chosen] = best
    if not found and options.score.nothing and len(throw) == options.dice.count:
        found[throw] = options.score.nothing
    assert {option.dice: option.score for option in known.options(throw)} == found


def faces_of(counts: tuple[int, ...]) -> list[int]:
    return [face for face, number in enumerate(counts, start=1) for _ in range(number)]


def brute(dice: Counter[int], splits: list[tuple[Counter[int], int]]) -> int:
    """Best score when every die goes into a combination; below zero when that cannot be."""
    if not dice:
        return 0
    first = min(dice)
    rests = [(dice - combo, value) for combo, value in splits if combo[first] and combo <= dice]
    return max((value + rest for left, value in rests if (rest := brute(left, splits)) >= 0), default=-1)


@FEW
@given(rule_sets())
def test_any_rules_can_be_read_aloud_and_are_the_same_after_json(options: Options) -> None:
    assert parse(options.to_json()) == options
    for chapter in sheet(options):
        for sentence in chapter.sentences:
            assert sentence.endswith(".")
            assert not any(word in sentence for word in ("None", "True", "False", "_", "{", "  "))


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_a_game_of_every_preset_is_played_to_its_end(name: str) -> None:
    options = rulebook.presets()[name].options
    rng = random.Random(name)
    record, number = begin(options), 0
    while record.board.turn is not None and number < 20_000:
        move = sensible(record.board.turn, rng)
        # Without the history, which a fold of thousands of moves would copy again and again.
        record = Record(record.started, record.moves[:1], (), (), record.play(move).state)
        number += 1
    board = record.board
    assert board.status == "over"
    assert board.winner is not None


def sensible(turn: Turn, rng: random.Random) -> Event:
    """A player who takes the dearest dice and banks at 300, or when that hits the target."""
    if turn.may_bank and not turn.goes_over and (turn.score >= 300 or turn.dice_left <= 2):
        return Banked()
    if turn.may_throw:
        return throw(turn.dice_left, turn.coloured_due, rng)
    if turn.may_bank and not turn.options:
        return Banked()
    best = max(turn.options, key=lambda option: (option.score, option.size))
    return Kept(best.dice, best.with_coloured)


def test_a_game_that_was_stopped_has_no_winner_unless_it_was_to_be_rolled_off() -> None:
    record = begin(Options())
    assert record.play(Ended()).board.winners == ()
    with pytest.raises(RulesError):
        record.play(Ended()).play(Ended())

"""The game of two against plain Python that knows nothing of its arrays, and against published values."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from firmware import rulebook, winning
from rules.best_play import table
from rules.best_play.advice import Moment, plays
from rules.best_play.contest import before_turn, contest
from rules.best_play.duel import MOST_SCORES, TooLong, chances, match
from rules.best_play.of_two import fingerprint, left_out
from rules.best_play.throwing import throwing
from rules.hands import Hand, fates, first_hand, full_hand, hand_of
from rules.house import parse
from rules.options import Options

Pair = tuple[int, int]


def rules(**changes: Any) -> Options:
    return parse(changes, rulebook.by_any_name())


@pytest.mark.parametrize(
    "options",
    [
        rules(win={"target": 400, "final_round": False}),
        rules(win={"target": 50}),
        rules(base="exact-10000", win={"target": 200}),
        rules(base="welfare", win={"target": 200}),
        rules(base="five-dice", win={"target": 250, "final_round": False, "rule": "over"}),
        rules(base="dark-knights-full", win={"target": 250, "final_round": False}),
        rules(score={"nothing": 500, "nothing_hot_dice": False}, win={"target": 300, "final_round": False}),
        rules(turn={"entry_threshold": 200, "minimum": 100}, win={"target": 300, "final_round": False}),
        rules(base="wild", win={"target": 150, "final_round": False}),
    ],
    ids=lambda options: f"{options.name}-{options.win.target}",
)
def test_every_pair_of_scores_has_the_chance_that_plain_python_finds(options: Options) -> None:
    won, step = chances(match(options)), throwing(options).step
    for (own, other), chance in Plain(options).solved().items():
        assert won[own // step, other // step] == pytest.approx(chance, abs=1e-6), (own, other)


class Plain:
    """The same game by looking every throw up again and again until the chances stay as they are."""

    def __init__(self, options: Options) -> None:
        self.options, self.win = options, options.win
        self.step = throwing(options).step
        scores = [score for score in range(0, self.win.target + 1, self.step) if not self.reached(score)]
        self.won: dict[Pair, float] = {(own, other): 0.5 for own in scores for other in scores}
        self.closed: dict[tuple[Hand, int], float] = {}

    def solved(self) -> dict[Pair, float]:
        changed = 1.0
        while changed > 1e-9:
            changed = 0.0
            for own, other in sorted(self.won, key=sum, reverse=True):
                chance = self.turn(own, other)
                changed = max(changed, abs(chance - self.won[own, other]))
                self.won[own, other] = chance
        return self.won

    def reached(self, score: int) -> bool:
        return score > self.win.target if self.win.rule == "over" else score >= self.win.target

    def turn(self, own: int, other: int) -> float:
        lost, reset = 1 - self.won[other, own], 1 - self.won[other, 0]

        def banked(points: int) -> float:
            score = own + points
            if not self.reached(score):
                return 1 - self.won[other, score]
            if self.win.rule == "exact" and score > self.win.target:
                return self.given(own, other, points) if self.win.overshoot == "give_to_lowest" else lost
            last_word = self.win.final_round and self.win.rule != "exact"
            return 1 - self.closing(first_hand(self.options), score - other) if last_word else 1.0

        # So far beyond the target nobody throws on, however near the other is.
        cap = self.win.target - own + (2500 if self.win.final_round and self.win.rule != "exact" else self.step)
        return self.best(own, banked, lost, reset, max(cap, self.win.target - other + self.step))

    def given(self, own: int, other: int, points: int) -> float:
        if other + points == self.win.target:
            return 0.0
        return 1 - (self.won[other + points, own] if other + points < self.win.target else self.won[other, own])

    def closing(self, hand: Hand, gap: int) -> float:
        """The chance to score more than `gap` in what is left of a turn."""
        if (hand, gap) not in self.closed:
            total = 0.0
            for fate in fates(self.options, hand):
                worth = [1.0 if points > gap else self.closing(left, gap - points) for points, left in fate.choices]
                total += fate.ways * max(worth, default=0.0)
            self.closed[hand, gap] = total / 6**hand.dice
        return self.closed[hand, gap]

    def best(self, own: int, banked: Callable[[int], float], lost: float, reset: float, cap: int) -> float:
        """The value of a turn. From a turn score of `cap` on everything is banked."""
        ends = {"farkle": lost, "wins": 1.0, "cancels": reset}
        known: dict[tuple[Hand, int], float] = {}

        def thrown(hand: Hand, score: int) -> float:
            if (hand, score) not in known:
                total = 0.0
                for fate in fates(self.options, hand):
                    worth = [value(left, score + points) for points, left in fate.choices]
                    total += fate.ways * max(worth, default=ends.get(fate.how, 0.0))
                known[hand, score] = total / 6**hand.dice
            return known[hand, score]

        def value(hand: Hand, score: int) -> float:
            if score >= cap or hand.dice == 0:
                return banked(score)
            return max(thrown(hand, score), banked(score) if self.may_bank(own, score) else 0.0)

        return thrown(first_hand(self.options), 0)

    def may_bank(self, own: int, points: int) -> bool:
        turn = self.options.turn
        hits = self.win.rule == "exact" and own + points == self.win.target
        return hits or points >= max(turn.minimum, turn.entry_threshold if own == 0 else 0)


def shipped(options: Options) -> table.WinTable:
    found = winning.shipped(options)
    assert found is not None, f"{options.name} has no table; make tables"
    return found


def test_who_begins_plain_farkle_wins_as_often_as_published() -> None:
    """Busche and Neller, 2017, recommend 200 points to make up for going second: the step nearest to one half."""
    sudden = shipped(rules(win={"final_round": False}))
    assert sudden.first == pytest.approx(0.53695303, abs=1e-8)
    assert sudden.chances[0, 0] == pytest.approx(0.53695303, abs=1e-6)
    assert sudden.chances[0, 4] == pytest.approx(0.504002, abs=1e-6)
    assert sudden.chances[0, 5] == pytest.approx(0.495701, abs=1e-6)


def test_who_begins_plain_farkle_with_a_final_round_wins_a_little_less() -> None:
    farkle = shipped(Options())
    assert farkle.first == pytest.approx(0.53565521, abs=1e-8)
    assert farkle.chances[0, 4] == pytest.approx(0.503851, abs=1e-6)
    assert farkle.chances[0, 5] == pytest.approx(0.495844, abs=1e-6)


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_every_preset_has_a_small_table_of_its_own_rules(name: str) -> None:
    options = rulebook.load(name)
    found = shipped(options)
    assert found.fingerprint == fingerprint(options)
    assert len(found.to_bytes()) <= 200_000
    assert 0.5 < found.first < 0.6
    assert found.chances[0, 0] == pytest.approx(found.first, abs=table.ERROR * 1.01)


def test_more_points_win_more_often_and_against_more_points_less_often() -> None:
    won = shipped(Options()).chances
    assert (np.diff(won, axis=0) > -1e-6).all()
    assert (np.diff(won, axis=1) < 1e-6).all()


def test_a_table_reads_back_as_it_was_written() -> None:
    solved = table.solve(rules(win={"target": 500}))
    read = table.from_bytes(solved.to_bytes())
    assert np.abs(read.chances - solved.chances).max() <= table.ERROR
    assert (read.first, read.fingerprint, read.rules) == (solved.first, solved.fingerprint, "farkle")
    assert np.allclose(read.closing, solved.closing, atol=1e-7)


@pytest.mark.parametrize("data", [b"", b"{}\n", b'{"goal": 1}\nx', b"\x00\xff\nabc"])
def test_what_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no table of chances"):
        table.from_bytes(data)


def test_rules_that_play_alike_between_two_share_a_table() -> None:
    farkle = fingerprint(Options())
    assert fingerprint(rulebook.load("high-stakes")) == farkle
    assert left_out(rulebook.load("high-stakes")) == (
        "The chance to win leaves out taking over the dice of the player before.",
    )
    assert fingerprint(rules(turn={"minimum": 300})) != farkle
    assert left_out(Options()) == ()


def test_a_turn_read_off_a_table_is_worth_what_the_table_says() -> None:
    options = rules(win={"target": 1000})
    solved = table.solve(options)
    for own, other in ((0, 0), (500, 900), (950, 0), (0, 950)):
        begun = contest(options, solved, own, other).throw(0, first_hand(options))
        assert begun == pytest.approx(before_turn(options, solved, own, other), abs=1e-7)


def test_who_must_surpass_the_leader_never_banks_before_that() -> None:
    options = Options()
    last_turn = contest(options, shipped(options), 9000, 10_200)
    assert last_turn.bank(1200, Hand(1)) == 0
    assert last_turn.bank(1250, Hand(1)) == 1
    assert last_turn.throw(1200, Hand(1)) == pytest.approx(1 / 3)
    found = {
        play.option.dice: play for play in plays(options, Moment(1050, Hand(3), (1, 1, 5)), last_turn) if play.option
    }
    assert (found[1, 1].then, found[1, 1].worth.win) == ("bank", 1)
    assert (found[1, 5].then, found[1, 5].worth.win) == ("throw", pytest.approx(1 / 3))


def test_a_target_that_must_be_hit_is_hit_with_fewer_points_than_a_turn_needs() -> None:
    options = rules(base="exact-10000", win={"target": 1000})
    last = contest(options, table.solve(options), 900, 500)
    assert last.bank(100, Hand(5)) == 1
    assert last.bank(50, Hand(5)) is None
    assert last.bank(150, Hand(4)) is None
    assert last.throw(150, Hand(4)) == pytest.approx(last.bank(500, Hand(2)) or 0)


def test_twice_the_same_position_is_the_same_whoever_is_to_move() -> None:
    won = chances(match(rules(win={"target": 600})))
    assert (won + won.T >= 1 - 1e-9).all(), "the move is never a burden"


def test_a_game_of_too_many_scores_is_refused_in_a_sentence() -> None:
    with pytest.raises(TooLong, match=r"a game of more than 1,000 is not solved\."):
        table.solve(rules(score={"fives": 51}))
    with pytest.raises(TooLong):
        table.solve(rules(turn={"entry_threshold": 100_000}, win={"target": 500}))
    assert MOST_SCORES == 1000


def test_a_hand_in_the_middle_of_a_turn_is_all_dice_after_hot_dice() -> None:
    assert hand_of(Options(), 0) == hand_of(Options(), 6) == full_hand(Options())

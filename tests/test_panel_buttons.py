"""Buttons: every physical press is one press, short or long, and a jammed button is found."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.buttons import Contact, Freed, Outcome, Stuck, Timing, at_start, contact, due_s, tick
from firmware.drivers import Press

TIMING = Timing()
SHORT, LONG = Press("bank"), Press("bank", long=True)


def outcomes(
    edges: Iterable[tuple[float, bool]], ticks: Iterable[float] = (), until_s: float = 1000.0
) -> list[Outcome]:
    """Everything that comes of contacts at their times, with the clock ticking at `ticks` and at last `until_s`."""
    moments: list[tuple[float, bool | None]] = [*edges, *((at_s, None) for at_s in ticks), (until_s, None)]
    now, found = Contact("bank"), list[Outcome]()
    for at_s, closed in sorted(moments, key=lambda moment: moment[0]):
        now, more = tick(now, at_s, TIMING) if closed is None else contact(now, closed, at_s, TIMING)
        found.extend(more)
    return found


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([(1.0, True), (1.1, False)], [SHORT]),
        ([(1.0, True), (1.79, False)], [SHORT]),
        ([(1.0, True), (1.8, False)], [LONG]),
        ([(1.0, True), (9.0, False)], [LONG]),
        ([(1.0, True), (1.015, False)], []),
        ([(1.0, True), (1.005, False), (1.008, True), (1.2, False)], [SHORT]),
        ([(1.0, True), (1.2, False), (1.205, True), (1.21, False)], [SHORT]),
        ([(1.0, True), (1.5, False), (1.51, True), (1.9, False)], [LONG]),
        ([(1.0, True), (1.79, False), (1.805, True), (1.81, False)], [LONG]),
        ([(1.0, True), (1.2, False), (1.3, True), (1.5, False)], [SHORT, SHORT]),
        ([(1.0, True), (20.0, False), (21.0, True), (21.1, False)], [LONG, Stuck("bank"), Freed("bank"), SHORT]),
    ],
)
def test_contacts_become_presses(edges: list[tuple[float, bool]], expected: list[Outcome]) -> None:
    assert outcomes(edges) == expected


def test_a_long_press_acts_while_the_button_is_still_held() -> None:
    now, _ = contact(Contact("bank"), True, 1.0, TIMING)
    now, _ = tick(now, 1.02, TIMING)
    assert due_s(now, TIMING) == 1.8
    now, found = tick(now, 1.8, TIMING)
    assert found == (LONG,)


def test_a_short_press_acts_when_the_release_is_certain() -> None:
    now, _ = contact(Contact("bank"), True, 1.0, TIMING)
    now, found = contact(now, False, 1.2, TIMING)
    assert found == ()
    assert due_s(now, TIMING) == 1.2 + TIMING.bounce_s
    assert tick(now, due_s(now, TIMING), TIMING)[1] == (SHORT,)


def test_a_stuck_button_is_told_once() -> None:
    assert outcomes([(1.0, True)], ticks=[float(second) for second in range(2, 100)]) == [LONG, Stuck("bank")]


def test_a_button_that_is_down_at_the_start_is_no_press_but_may_be_stuck() -> None:
    now = at_start("bank", True, 5.0)
    now, found = tick(now, 6.0, TIMING)
    assert found == ()
    now, found = tick(now, 15.0, TIMING)
    assert found == (Stuck("bank"),)
    now, found = contact(now, False, 16.0, TIMING)
    assert tick(now, 17.0, TIMING)[1] == (Freed("bank"),)


def test_a_button_that_is_down_at_the_start_and_let_go_is_no_press() -> None:
    now, _ = contact(at_start("bank", True, 5.0), False, 6.0, TIMING)
    now, found = tick(now, 7.0, TIMING)
    assert (found, now.down) == ((), False)


def test_nothing_is_due_while_nothing_is_pressed() -> None:
    assert due_s(Contact("bank"), TIMING) == float("inf")


chatter = st.lists(st.floats(0.0005, 0.006), max_size=4).map(lambda gaps: gaps[: len(gaps) // 2 * 2])
# Not within a bounce of where short becomes long: there chatter may honestly decide.
held = st.one_of(st.floats(0.05, 0.75), st.floats(0.83, 9.0))
physical_presses = st.lists(st.tuples(held, chatter, chatter, st.floats(0.06, 5.0)), max_size=6)


@given(physical_presses, st.lists(st.floats(0, 100), max_size=20))
def test_one_press_for_each_physical_press_however_the_contacts_chatter(
    presses: list[tuple[float, list[float], list[float], float]], ticks: list[float]
) -> None:
    edges: list[tuple[float, bool]] = []
    start_s = 1.0
    for held_s, closing, opening, pause_s in presses:
        edges += chattering(start_s, True, closing) + chattering(start_s + held_s, False, opening)
        start_s += held_s + pause_s
    assert outcomes(edges, ticks) == [Press("bank", long=held_s >= 0.8) for held_s, *_ in presses]


def chattering(at_s: float, closed: bool, gaps: list[float]) -> list[tuple[float, bool]]:
    """The contact changes at `at_s`, and there and back again after each of `gaps`."""
    edges = [(at_s, closed)]
    for gap_s in gaps:
        at_s += gap_s
        edges.append((at_s, not edges[-1][1]))
    return edges


noise = st.lists(st.floats(0.0001, 2.0), max_size=30)


@given(noise, st.lists(st.floats(0, 60), max_size=30))
def test_when_the_clock_is_looked_at_changes_nothing(gaps: list[float], ticks: list[float]) -> None:
    edges, at_s = [], 0.0
    for number, gap_s in enumerate(gaps):
        at_s += gap_s
        edges.append((at_s, number % 2 == 0))
    assert outcomes(edges, ticks) == outcomes(edges)


@given(noise)
def test_out_of_any_noise_come_no_more_presses_than_steady_closures(gaps: list[float]) -> None:
    edges, at_s = [], 0.0
    for number, gap_s in enumerate([*gaps, 1.0]):
        at_s += gap_s
        edges.append((at_s, number % 2 == 0))
    pairs = zip(edges, [*edges[1:], (1000.0, False)], strict=True)
    closures = sum(closed and end_s >= start_s + TIMING.bounce_s for (start_s, closed), (end_s, _) in pairs)
    assert sum(isinstance(outcome, Press) for outcome in outcomes(edges)) <= closures


@given(noise)
def test_a_clock_that_steps_back_never_makes_a_contact_older(times: list[float]) -> None:
    now = Contact("bank")
    for number, at_s in enumerate(times):
        before = now
        now, _ = contact(now, number % 2 == 0, at_s, TIMING)
        assert now.since_s >= before.since_s

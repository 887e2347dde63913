"""The steps of a calibration, by what happens."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.asked import Meaning, Unnamed
from calibration.course import UNDER_WAY, Calibration, NotNow
from calibration.deeds import (
    Answered,
    Begun,
    Cancelled,
    Confirmed,
    Denied,
    Event,
    Judged,
    KeepStill,
    Learn,
    Learnt,
    Looked,
    Named,
    NotLearnt,
    Offered,
    Order,
    Outlined,
    Progressed,
    Restore,
    Rolled,
    Save,
    StillKept,
    Studied,
    Study,
    Taken,
    Ticked,
    TryOut,
)
from calibration.guide import LEFT, says
from calibration.sight import Hint, Sight
from calibration.wizard import SILENCE_S, follow, suggested
from vision.dice_set import Kind
from vision.emblem import NO_PICTURE
from vision.seen import SeenDie

TRAY = ((10.0, 10.0), (90.0, 10.0), (90.0, 70.0), (10.0, 70.0))
RAIL = ((90.0, 10.0), (99.0, 10.0), (99.0, 70.0), (90.0, 70.0))
IVORY = Kind("ivory", (178, 212, 230), (34, 30, 30), 16.0, 0.25, 0.09, 0.1, seen=12, count=6)
RED = replace(IVORY, name="red")
LOGO, CROWN = (Unnamed(0, NO_PICTURE, ((at, 10.0, 20.0),)) for at in (0, 1))
DICE = tuple(SeenDie(value, 100.0 * value, 50.0, 40.0, confidence=0.99 + value / 1000) for value in range(1, 7))
GOOD = Sight(1280, 960, still=True, dice=DICE, tray=TRAY)
MOVING = replace(GOOD, still=False)
DARK = replace(GOOD, hints=(Hint("dark", "It is dark."),))


class Owner:
    """Follows one calibration, a second a happening, and notes what is to be done."""

    def __init__(self, count: int = 6) -> None:
        self.now, self.at_s, self.orders = Calibration(), 0.0, list[Order]()
        self.found = replace(GOOD, dice=(DICE * 2)[:count])
        self.unnamed: tuple[Unnamed, ...] = ()

    def see(self, *events: Event, wait_s: float = 1.0) -> "Owner":
        for event in events:
            self.at_s += wait_s
            self.now, orders = follow(self.now, event, self.at_s)
            self.orders += orders
            for order in orders:
                if isinstance(order, KeepStill):
                    self.see(StillKept(order.name), wait_s=0.1)
                if isinstance(order, Study):
                    self.see(Studied(order.name, self.found), wait_s=0.1)
        return self

    def until(self, step: str) -> "Owner":
        """Nothing but good pictures, and dice stirred between them, until that step."""
        if step == "faces":
            self.unnamed = (LOGO,)
        if not self.now.under_way:
            self.see(Begun(("Ivory dice",)))
        for _ in range(100):
            if self.now.step == step:
                return self
            match self.now.step:
                case "learning":
                    self.see(Learnt((IVORY,), len(self.found.dice), self.unnamed))
                case "faces":
                    self.unnamed = ()
                    self.see(Answered((Meaning(6, "crown"),) * len(self.now.unnamed)))
                case "rolls":
                    self.see(Rolled(self.found, True))
                    self.see(Confirmed(len(self.now.rolls)))
                case "passed":
                    self.see(Named(self.now.name))
                case "dice" if not self.now.stirred:
                    self.see(Looked(MOVING))
                case _:
                    self.see(Looked(GOOD))
        raise AssertionError(f"{step} never came, it stands at {self.now.step}")


def test_good_pictures_and_three_confirmed_rolls_are_all_it_takes() -> None:
    owner = Owner().until("named")
    assert owner.orders == [
        KeepStill("empty"),
        Study("empty"),
        KeepStill("dice0"),
        Study("dice0", 0, TRAY),
        KeepStill("dice1"),
        Study("dice1", 6, TRAY),
        Learn(("empty", "dice0", "dice1"), TRAY),
        TryOut(),
        KeepStill("roll1"),
        KeepStill("roll2"),
        KeepStill("roll3"),
        Save("Ivory dice 2"),
    ]


def test_a_picture_is_taken_only_after_it_has_been_good_for_a_second() -> None:
    owner = Owner().see(Begun()).see(Looked(GOOD), Looked(GOOD), wait_s=0.4)
    assert owner.now.step == "light"
    owner.see(Looked(DARK), Looked(GOOD), Looked(GOOD), wait_s=0.4)
    assert owner.now.step == "light", "the second begins anew"
    owner.see(Looked(GOOD), Looked(GOOD), wait_s=0.4)
    assert owner.now.step == "empty"


@pytest.mark.parametrize("bad", [DARK, MOVING])
def test_a_picture_that_is_not_good_is_never_taken_by_itself_but_by_a_tap(bad: Sight) -> None:
    owner = Owner().see(Begun(), *[Looked(bad)] * 30)
    assert (owner.now.step, owner.now.good) == ("light", False)
    assert owner.see(Taken()).now.step == "empty"


def test_a_picture_in_which_something_is_amiss_is_not_taken_until_it_was_put_right_or_by_a_tap() -> None:
    owner = Owner().until("dice")
    owner.found = replace(owner.found, hints=(Hint("cocked", "It leans.", (1, 2, 3, 4)),))
    owner.see(*[Looked(GOOD)] * 9)
    assert owner.now.stills == ("empty",)
    assert [hint.kind for hint in owner.now.hints] == ["cocked"]
    owner.see(Looked(MOVING))
    assert owner.now.hints == ()
    owner.see(*[Looked(GOOD)] * 3)
    assert owner.see(Taken()).now.stills == ("empty", "dice0")


def test_a_tap_takes_no_picture_of_dice_without_dice() -> None:
    owner = Owner().until("dice")
    owner.found = replace(owner.found, dice=(), hints=(Hint("too-few", "There are no dice."),))
    assert owner.see(Taken(), Taken()).now.stills == ("empty",)


def test_dice_that_nobody_touched_since_the_last_picture_are_not_taken_again() -> None:
    owner = Owner().until("dice").see(*[Looked(GOOD)] * 10)
    assert owner.now.stills == ("empty", "dice0")
    assert not owner.now.good
    owner.see(Looked(MOVING), *[Looked(GOOD)] * 4)
    assert owner.now.step == "learning"


@pytest.mark.parametrize(("count", "pictures"), [(1, 4), (2, 4), (3, 3), (4, 2), (6, 2), (12, 2)])
def test_few_dice_are_shown_more_often(count: int, pictures: int) -> None:
    owner = Owner(count).until("learning")
    assert len(owner.now.stills) == 1 + pictures


def test_the_outline_that_is_found_is_shown_and_the_one_that_is_drawn_counts() -> None:
    owner = Owner().until("tray").see(Looked(GOOD))
    assert owner.now.tray == TRAY
    owner.see(Outlined(RAIL), Looked(GOOD))
    assert owner.now.tray == RAIL
    owner.until("learning")
    assert owner.orders[-1] == Learn(("empty", "dice0", "dice1"), RAIL)


def test_an_outline_that_is_not_found_waits_to_be_drawn_or_for_a_tap() -> None:
    owner = Owner()
    owner.found = replace(owner.found, tray=None)
    owner.until("tray").see(*[Looked(GOOD)] * 20)
    assert (owner.now.step, owner.now.good) == ("tray", False)
    assert owner.see(Taken()).now.step == "dice"


def test_plain_dice_are_never_asked_about() -> None:
    owner = Owner().until("learning").see(Learnt((IVORY,), 6))
    assert owner.now.step == "rolls"


def test_faces_without_pips_are_asked_about_once_and_learned_with_the_answers() -> None:
    owner = Owner()
    owner.unnamed = (LOGO, CROWN)
    owner.until("learning").see(Learnt((IVORY,), 6, owner.unnamed))
    assert (owner.now.step, TryOut() in owner.orders) == ("faces", False)
    owner.see(Answered((Meaning(6, "6"), None)))
    answers = ((LOGO, Meaning(6, "6")), (CROWN, None))
    assert owner.orders[-1] == Learn(("empty", "dice0", "dice1"), TRAY, None, answers)
    owner.see(Learnt((IVORY,), 6), Rolled(GOOD, True), Denied(1))
    assert owner.orders[-1] == Learn(("empty", "dice0", "dice1", "roll1"), TRAY, None, answers)
    owner.see(Learnt((IVORY,), 6))
    assert owner.now.step == "rolls"


def test_a_face_that_only_a_later_lesson_finds_is_asked_about_beside_those_before() -> None:
    owner = Owner().until("faces").see(Answered((Meaning(1, "1"),)), Learnt((IVORY,), 6, (CROWN,)))
    assert owner.now.unnamed == (CROWN,)
    owner.see(Answered((Meaning(6, "6"),)))
    assert owner.orders[-1] == Learn(
        ("empty", "dice0", "dice1"), TRAY, None, ((LOGO, Meaning(1, "1")), (CROWN, Meaning(6, "6")))
    )


def test_a_face_that_was_not_shown_is_shown_in_one_more_picture() -> None:
    owner = Owner()
    owner.unnamed = (LOGO,) * 4
    owner.until("learning").see(Learnt((IVORY,), 6, owner.unnamed))
    with pytest.raises(NotNow, match=r"No face was shown that counts 5, 6.*one more picture"):
        owner.see(Answered(tuple(Meaning(value, str(value)) for value in (1, 2, 3, 4))))
    owner.see(Taken())
    assert owner.now.step == "dice"
    assert "faces show which are missing" in says(owner.now)[1]
    owner.see(Looked(MOVING), *[Looked(GOOD)] * 3)
    assert owner.orders[-1] == Learn(("empty", "dice0", "dice1", "dice2"), TRAY)


@pytest.mark.parametrize("faces", [(), (Meaning(6, "6"), None)])
def test_each_face_that_is_asked_about_needs_one_answer(faces: tuple[Meaning | None, ...]) -> None:
    with pytest.raises(NotNow, match="1 faces without pips"):
        Owner().until("faces").see(Answered(faces))


@pytest.mark.parametrize(
    ("judged", "values"),
    [(Denied(1, (1, 1, 2, 3, 4, 5)), (1, 1, 2, 3, 4, 5)), (Denied(1), ()), (Confirmed(1), (1, 2, 3, 4, 5, 6))],
)
def test_a_roll_read_wrong_or_not_for_sure_is_learned_from_and_the_rolls_begin_again(
    judged: Event, values: tuple[int, ...]
) -> None:
    owner = Owner().until("rolls").see(Rolled(GOOD, isinstance(judged, Denied)), judged)
    assert owner.now.step == "learning"
    told = (Judged("roll1", values),) if values else ()
    assert owner.orders[-1] == Learn(("empty", "dice0", "dice1", "roll1"), TRAY, rolls=told)
    owner.until("passed")
    assert [roll.still for roll in owner.now.rolls] == ["roll2", "roll3", "roll4"]


def rolling_drawn() -> Owner:
    return Owner().until("faces").until("rolls")


def test_of_faces_without_pips_the_rolls_that_were_read_right_are_learned_from_too() -> None:
    owner = rolling_drawn()
    for number in (1, 2, 3):
        owner.see(Rolled(GOOD, True), Confirmed(number))
    assert owner.now.step == "learning"
    rolls = tuple(Judged(f"roll{number}", (1, 2, 3, 4, 5, 6)) for number in (1, 2, 3))
    assert owner.orders[-1] == Learn(("empty", "dice0", "dice1"), TRAY, None, owner.now.answers, rolls, passed=True)
    assert "from these rolls as well" in says(owner.now)[1]
    assert owner.see(Learnt((IVORY,), 6)).until("named").orders[-1] == Save("Ivory dice 2")


def test_a_face_without_pips_that_was_not_read_is_told_and_learned() -> None:
    unread = replace(GOOD, dice=DICE[:5], hints=(Hint("count", "What lies here?", (1, 2, 3, 4)),))
    owner = rolling_drawn().see(Rolled(unread, False))
    assert [(roll.values, roll.sure) for roll in owner.now.rolls] == [((1, 2, 3, 4, 5), False)]
    owner.see(Denied(1, (1, 2, 3, 4, 5, 6)))
    told = (Judged("roll1", (1, 2, 3, 4, 5, 6)),)
    assert owner.orders[-1] == Learn(("empty", "dice0", "dice1"), TRAY, None, owner.now.answers, told)


def test_of_plain_dice_one_that_was_not_read_is_a_hint_and_no_roll() -> None:
    unread = replace(GOOD, dice=DICE[:5], hints=(Hint("count", "What lies here?", (1, 2, 3, 4)),))
    assert Owner().until("rolls").see(Rolled(unread, False)).now.rolls == ()


def test_a_corrected_roll_that_is_still_read_otherwise_is_told() -> None:
    owner = Owner().until("rolls").see(Rolled(GOOD, True), Denied(1, (1, 1, 1, 1, 1, 1)))
    assert "still read otherwise" in says(owner.see(Learnt((IVORY,), 6, unlike=1)).now)[1]
    assert "still" not in says(owner.see(Rolled(GOOD, True)).now)[1]


def test_after_two_more_lessons_it_fails_with_the_reason_and_nothing_changes() -> None:
    owner = Owner().until("rolls")
    for _ in range(3):
        owner.see(Rolled(GOOD, True), Denied(1)).see(Learnt((IVORY,), 6))
    assert owner.now.step == "failed"
    assert owner.orders[-1] == Restore()
    assert "light" in says(owner.now)[1]


def test_rolls_may_be_confirmed_late_and_out_of_order() -> None:
    owner = Owner().until("rolls").see(Rolled(GOOD, True), Rolled(GOOD, True), Rolled(GOOD, True), Rolled(GOOD, True))
    assert len(owner.now.rolls) == 3
    owner.see(Confirmed(2), Confirmed(3))
    assert owner.now.step == "rolls"
    assert owner.see(Confirmed(1)).now.step == "passed"


def test_a_roll_with_a_die_too_few_or_askew_is_a_hint_and_no_roll() -> None:
    cocked = replace(GOOD, hints=(Hint("cocked", "It leans.", (1, 2, 3, 4)),))
    owner = Owner().until("rolls").see(Rolled(cocked, False))
    assert owner.now.rolls == ()
    assert owner.now.hints[0].kind == "cocked"


def test_the_smallest_confidence_of_a_roll_is_kept() -> None:
    owner = Owner().until("rolls").see(Rolled(GOOD, True))
    assert owner.now.rolls[0].least == pytest.approx(0.991)
    assert owner.now.rolls[0].values == (1, 2, 3, 4, 5, 6)


def test_pictures_that_cannot_be_learned_from_fail_with_the_reason() -> None:
    owner = Owner().until("learning").see(Progressed(0.5), NotLearnt("There are no dice."))
    assert (owner.now.step, owner.now.reason) == ("failed", "There are no dice.")
    assert owner.orders[-1] == Restore()
    assert owner.see(Begun()).now.step == "light"


@pytest.mark.parametrize("step", UNDER_WAY)
def test_cancelling_restores_everything_from_any_step(step: str) -> None:
    owner = Owner().until(step).see(Cancelled())
    assert (owner.now.step, owner.orders[-1]) == ("off", Restore())


@pytest.mark.parametrize("step", UNDER_WAY)
def test_ten_minutes_of_silence_restore_everything(step: str) -> None:
    owner = Owner().until(step).see(Ticked(), wait_s=SILENCE_S - 1)
    assert owner.now.step == step
    owner.see(Ticked(), wait_s=2)
    assert (owner.now.step, owner.orders[-1]) == ("off", Restore())
    assert "ten minutes" in says(owner.now)[1]


def test_a_slow_board_that_is_still_learning_is_not_silent() -> None:
    owner = Owner().until("learning").see(Progressed(0.2), wait_s=SILENCE_S - 1)
    assert owner.see(Ticked(), wait_s=2).now.step == "learning"
    owner.see(Progressed(0.2), wait_s=SILENCE_S - 3)
    assert owner.see(Ticked(), wait_s=2).now.step == "off", "it has learned nothing for ten minutes"


def test_holding_the_button_leads_to_a_calibration_for_a_minute() -> None:
    owner = Owner().see(Offered())
    assert (owner.now.lead, owner.now.step) == ("offered", "off")
    assert owner.see(Ticked(), wait_s=50).now.lead == "offered"
    assert owner.see(Ticked(), wait_s=20).now.lead == "off"
    owner.see(Offered(), Begun())
    assert owner.now.lead == "light"
    assert owner.see(Offered()).now.lead == "light"


def test_only_one_calibration_at_a_time() -> None:
    with pytest.raises(NotNow, match="under way"):
        Owner().until("dice").see(Begun())


@pytest.mark.parametrize(
    ("step", "deed"),
    [
        ("off", Taken()), ("off", Named("x")), ("light", Confirmed(1)), ("rolls", Confirmed(1)), ("rolls", Taken()),
        ("learning", Taken()), ("light", Outlined(TRAY)), ("rolls", Outlined(TRAY)), ("dice", Named("x")),
        ("named", Taken()), ("learning", Answered((None,))), ("rolls", Answered((None,))),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_step_is_refused_with_a_sentence(step: str, deed: Event) -> None:
    owner = Owner() if step == "off" else Owner().until(step)
    with pytest.raises(NotNow, match=r"\.$"):
        owner.see(deed)


@pytest.mark.parametrize(
    ("kinds", "names", "name"),
    [
        ((IVORY,), (), "Ivory dice"),
        ((IVORY, RED), (), "Ivory and red dice"),
        ((IVORY, RED, replace(RED, name="blue")), (), "Ivory, red and blue dice"),
        ((IVORY, IVORY), ("ivory DICE", "Ivory dice 2"), "Ivory dice 3"),
        ((), ("Dice",), "Dice 2"),
    ],
)
def test_the_suggested_name_says_the_colours_and_is_free(
    kinds: tuple[Kind, ...], names: tuple[str, ...], name: str
) -> None:
    assert suggested(kinds, names) == name


EVENTS = st.sampled_from(
    [
        Begun(), Taken(), Cancelled(), Confirmed(1), Confirmed(2), Confirmed(3), Denied(1), Named("Mine"), Ticked(),
        Outlined(TRAY), Looked(GOOD), Looked(GOOD), Looked(MOVING), Looked(DARK), StillKept("empty"),
        StillKept("dice0"), StillKept("dice1"), Studied("empty", GOOD), Studied("dice0", GOOD), Studied("dice1", GOOD),
        Studied("dice0", DARK),  Progressed(0.5), Learnt((IVORY,), 6), NotLearnt("No."),
        Learnt((IVORY,), 6, (LOGO,)), Answered((Meaning(6, "6"),)), Answered((None,)),
        Rolled(GOOD, True), Rolled(GOOD, False), Offered(),
    ]
)  # fmt: skip


@given(st.lists(EVENTS, max_size=60))
def test_whatever_happens_nothing_is_saved_but_what_three_confirmed_rolls_have_proved(events: list[Event]) -> None:
    now, learned = Calibration(), False
    for at_s, event in enumerate(events):
        try:
            after, orders = follow(now, event, float(at_s))
        except NotNow:
            continue
        learned = learned or TryOut() in orders
        if any(isinstance(order, Save) for order in orders):
            assert learned
            assert [roll.confirmed and roll.sure for roll in after.rolls] == [True] * 3
        ended = now.under_way and not after.under_way
        assert ended == any(isinstance(order, Save | Restore) for order in orders)
        title, text = says(after)
        assert title
        assert text.endswith((".", "?"))
        assert (LEFT.get(after.step, 0) > 0) == after.under_way
        now = after

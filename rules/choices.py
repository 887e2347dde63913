"""What people are asked about each option: a label in plain words, and the values that rule books name."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rules.checks import COLOURS
from rules.house import Mistake
from rules.wording import KINDS, points_text
from speech.colours import colour
from speech.sentence import Sentence, figure, joined, say, say_as

Asked = Literal["choice", "number", "switch", "faces", "several", "patterns"]


@dataclass(frozen=True, slots=True)
class Choice:
    """`value`: as JSON has it. `said`: the same in words."""

    value: Any
    said: str


@dataclass(frozen=True, slots=True)
class Question:
    """`key`: dotted name of the option. `asked`: "choice" of one of `choices`, "several" of them, a "number", a
    "switch", points by "faces", or a list of "patterns". `free`: a "choice" may also be a number of this unit;
    `within`: the number is written as {within: number}. `void`: another option, and its values beside which this one
    does not matter and is `idle`."""

    key: str
    label: str
    asked: Asked = "choice"
    choices: tuple[Choice, ...] = ()
    free: str = ""
    within: str = ""
    void: tuple[str, tuple[Any, ...]] | None = None
    idle: Any = None
    hint: str = ""

    def said(self, value: Any) -> str:
        """A value of this option in words."""
        match value:
            case _ if self.asked == "choice" and value in [choice.value for choice in self.choices]:
                return next(choice.said for choice in self.choices if choice.value == value)
            case bool():
                return say("yes") if value else say("no")
            case int():
                return figure(value)
            case {"set": int(worth)}:
                return points_text(worth)
            case {"mult": int(times)}:
                return say("{times} times the triple", times=times)
            case list() if self.asked == "several":
                said = [choice.said for choice in self.choices if choice.value in value]
                return joined(said, ", ") if said else say_as("nothing does", "none")
            case list():
                return joined([_own(each) for each in value], ", ") if value else say("none")
            case {"2": _}:
                return joined([figure(worth) for worth in value.values()], ", ")
        return str(value)


def _own(combination: Mapping[str, Any]) -> Sentence:
    name = combination["name"] or combination["pattern"]
    return say("{name} {points:,}", name=name, points=combination["value"])


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    title: str
    hint: str
    questions: tuple[Question, ...]


def _choice(key: str, label: str, choices: Mapping[Any, str], **more: Any) -> Question:
    return Question(key, label, "choice", tuple(Choice(value, said) for value, said in choices.items()), **more)


def _points(key: str, label: str, *usual: int, off: str = "", zero: str = "", **more: Any) -> Question:
    """Usual points, or any others. `off`, `zero`: what the values "off" and 0 are called, where they are offered."""
    none: dict[Any, str] = ({"off": off} if off else {}) | ({0: zero} if zero else {})
    return _choice(key, label, none | {value: points_text(value) for value in usual}, free=POINTS, **more)


def _switch(key: str, label: str, **more: Any) -> Question:
    return Question(key, label, "switch", **more)


def _kind(number: int, sets: Iterable[int], mults: Iterable[int]) -> Question:
    choices = [
        Choice("off", say("nothing of its own")),
        Choice("adding", say("adding: {times} times the triple", times=number - 2)),
        Choice("doubling", say("doubling: {times} times the triple", times=2 ** (number - 3))),
        *(Choice({"set": value}, points_text(value)) for value in sets),
        *(Choice({"mult": value}, say("{times} times the triple", times=value)) for value in mults),
    ]
    return Question(f"score.kind{number}", KINDS[number], "choice", tuple(choices), free=POINTS, within="set")


POINTS, DICE = say("points"), say("dice")
OFF = say("does not count")
NOT_WILD = ("dice.wild", ("off",))
NOT_EXACT = ("win.rule", ("at_least", "over"))
NO_PAIRS = ("score.three_pairs", ("off",))

GROUPS: tuple[Group, ...] = (
    Group(
        "dice",
        say("Dice"),
        say("how many, wild die"),
        (
            _choice("dice.count", say("Number of dice"), {6: say("six"), 5: say("five"), 12: say("twelve")}),
            _choice(
                "dice.wild",
                say("Wild die"),
                {"off": say_as("no die", "none"), "coloured_4": say("a coloured 4 is wild")},
            ),
            _choice(
                "dice.wild_colour",
                say("Which die is the wild one?"),
                {"": say("the odd one out")} | {name: say("the {colour} one", colour=colour(name)) for name in COLOURS},
                void=NOT_WILD,
                idle="",
                hint=say("The tray knows it by its colour: the odd one out is the one whose colour no other die has."),
            ),
            _switch("dice.wild_alone", say("The wild die may stand alone, as a 1"), void=NOT_WILD, idle=True),
        ),
    ),
    Group(
        "score",
        say("Scoring"),
        say("1s and 5s, kinds, straight, pairs, your own"),
        (
            Question("score.ones", say("A single 1"), "number", free=POINTS),
            Question("score.fives", say("A single 5"), "number", free=POINTS),
            _points("score.triple_1", say("Three 1s"), 1000, 300, 200),
            Question("score.triples", say("Three alike"), "faces", free=POINTS),
            _kind(4, (1000, 2000), (2, 3, 4)),
            _kind(5, (2000, 4000), (3, 5, 6)),
            _kind(6, (3000, 6000, 10000), (4, 8, 10)),
            _points("score.six_ones", say("Six 1s"), 5000, off=say("as six of a kind")),
            _points("score.straight", say("Straight, 1 to 6"), 1000, 1200, 1500, 2000, 2500, 3000, off=OFF),
            _points("score.three_pairs", say("Three pairs"), 500, 600, 750, 1000, 1500, off=OFF),
            _switch(
                "score.three_pairs_four_plus_pair",
                say("Four alike and a pair are three pairs too"),
                void=NO_PAIRS,
                idle=False,
            ),
            _switch("score.three_pairs_six_kind", say("Six alike are three pairs too"), void=NO_PAIRS, idle=False),
            _points("score.two_triplets", say("Two triplets"), 2500, off=OFF),
            _points("score.full_house_bonus", say("Full house, beside its triple"), 250, off=OFF),
            _points("score.nothing", say("A first throw without a score"), 500, off=say("is a farkle")),
            _switch(
                "score.nothing_hot_dice",
                say("Then all dice have scored: hot dice"),
                void=("score.nothing", ("off",)),
                idle=True,
            ),
            _points("score.mcflurry", say("Grand mcflurry, four 5s and a 2"), 2000, off=OFF),
            _switch(
                "score.mcflurry_exact", say("Only with exactly four 5s"), void=("score.mcflurry", ("off",)), idle=False
            ),
            _choice(
                "score.progressive",
                say("Dice set aside before may grow"),
                {
                    "off": say("no, each throw by itself"),
                    "kinds": say("dice of a kind may"),
                    "all": say("any combination may"),
                },
            ),
            Question(
                "score.custom",
                say("Combinations of your own"),
                "patterns",
                hint=say("A sign a die: 1 to 6, or a letter for any number. aabb is two pairs, 55552 four 5s and a 2."),
            ),
        ),
    ),
    Group(
        "turn",
        say("The turn"),
        say("getting on the board, stopping, taking over dice"),
        (
            _points(
                "turn.entry_threshold", say("To get on the board"), 350, 400, 500, 1000, zero=say("no points needed")
            ),
            _points("turn.minimum", say("Least points of every turn"), 500, zero=say("none")),
            _points("turn.bank_min_score", say("Points needed before stopping"), 500, 1000, zero=say("none")),
            _choice(
                "turn.bank_max_dice_left",
                say("Dice that may be left when stopping"),
                {"off": say("any number"), 2: say("two at most")},
                free=DICE,
            ),
            _choice(
                "turn.hot_dice", say("On hot dice you"), {"may": say("may throw on"), "must": say("must throw on")}
            ),
            _choice(
                "turn.piggyback",
                say("Taking over the last player's dice"),
                {"off": say("no"), "full": say("yes, with all their points"), "flat": say("yes, for fixed points")},
            ),
            _points(
                "turn.piggyback_flat",
                say("Points for taking over"),
                1000,
                void=("turn.piggyback", ("off", "full")),
                idle=1000,
            ),
            _switch(
                "turn.piggyback_needs_board",
                say("Only who is on the board may take over"),
                void=("turn.piggyback", ("off",)),
                idle=False,
            ),
            _switch("turn.straight_attempt", say("A straight may be tried for")),
            _switch("turn.triple_attempt", say("Three of a kind may be tried for")),
            _choice(
                "turn.order",
                say("The turn passes"),
                {"clockwise": say("clockwise"), "counter": say("counter-clockwise")},
            ),
        ),
    ),
    Group(
        "penalty",
        say("Penalties"),
        say("three farkles, four 2s"),
        (
            _choice(
                "penalty.three_farkles",
                say("Three farkles in a row cost"),
                {0: say("nothing"), 500: say("500 points"), 1000: say("1,000 points"), "all": say("the whole score")},
                free=POINTS,
            ),
            _choice(
                "penalty.floor",
                say("No penalty takes a score below"),
                {"off": say("no limit"), 0: "0"},
                free=POINTS,
                void=("penalty.three_farkles", (0,)),
                idle="off",
            ),
            _switch("penalty.four_twos", say("Four 2s in one throw cost the whole score")),
        ),
    ),
    Group(
        "win",
        say("Winning"),
        say("target, last round, ties"),
        (
            _points("win.target", say("Target"), 5000, 10000, 20000),
            _choice(
                "win.rule",
                say("Who wins must"),
                {"at_least": say("reach the target"), "over": say("go above it"), "exact": say("hit it exactly")},
            ),
            _choice(
                "win.overshoot",
                say("Points that go above it"),
                {"lose_turn": say("are lost"), "give_to_lowest": say("go to the player with the least")},
                void=NOT_EXACT,
                idle="lose_turn",
            ),
            _switch("win.roll_off", say("The next player may roll the win off"), void=NOT_EXACT, idle=False),
            _switch(
                "win.final_round", say("Everybody else has one last turn"), void=("win.rule", ("exact",)), idle=False
            ),
            _choice(
                "win.tie",
                say("A tie goes"),
                {"first": say("to who got there first"), "shared": say("to both"), "playoff": say("to a playoff")},
                void=("win.final_round", (False,)),
                idle="first",
            ),
            Question(
                "win.instant",
                say("Wins the game at once"),
                "several",
                (
                    Choice("five_kind_first_throw", say("five alike on the first throw, of five dice")),
                    Choice("six_kind", say("six alike in one throw")),
                    Choice("six_ones", say("six 1s in one throw")),
                ),
            ),
        ),
    ),
    Group(
        "teams",
        say("Teams"),
        say("who plays together"),
        (
            _choice(
                "teams",
                say("Teams"),
                {
                    0: say("none, everybody plays alone"),
                    2: say("two teams"),
                    3: say("three teams"),
                    4: say("four teams"),
                },
                hint=say("Team-mates never sit side by side: with two teams every second player is of the same one."),
            ),
        ),
    ),
    Group(
        "stake",
        say("Stake"),
        say("what everybody puts in the pot"),
        (
            Question(
                "stake", say("Everybody puts in the pot"), "number", hint=say("The tray only shows it. 0 is no stake.")
            ),
        ),
    ),
)
QUESTIONS: Mapping[str, Question] = {each.key: each for group in GROUPS for each in group.questions}


def differences(changed: Mapping[str, Any]) -> tuple[str, ...]:
    """Options by dotted name and their values, each in words: "Straight, 1 to 6: 2,000 points"."""
    return tuple(
        say("{label}: {value}", label=each.label, value=each.said(changed[key]))
        for key, each in QUESTIONS.items()
        if key in changed
    )


def in_words(mistake: Mistake) -> str:
    """A mistake in an option that is asked, with its label in place of the dotted name; any other as it is."""
    found = _ASKED.fullmatch(mistake.key)
    if found is None or not mistake.allowed:
        return mistake.text
    label = QUESTIONS[found["key"]].label
    if found["place"]:
        label = say("{label}, number {number}", label=label, number=int(found["place"]) + 1)
    if found["part"]:
        label = say("{label}, {part}", label=label, part=_PARTS.get(found["part"], found["part"]))
    return say(
        "{label}: {value} is not allowed; use {allowed}.", label=label, value=mistake.value, allowed=mistake.allowed
    )


_PART = "of a combination"
_PARTS = {"pattern": say_as(_PART, "pattern"), "value": say_as(_PART, "value"), "name": say_as(_PART, "name")}
_KEYS = "|".join(re.escape(key) for key in sorted(QUESTIONS, key=len, reverse=True))
_ASKED = re.compile(rf"(?P<key>{_KEYS})(\[(?P<place>\d+)\])?(\.(?P<part>\w+))?")

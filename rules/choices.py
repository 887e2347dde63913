"""What people are asked about each option: a label in plain words, and the values that rule books name."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rules.checks import COLOURS
from rules.house import Mistake
from rules.wording import points_text

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
                return "yes" if value else "no"
            case int():
                return f"{value:,}"
            case {"set": int(worth)}:
                return points_text(worth)
            case {"mult": int(times)}:
                return f"{times} times the triple"
            case list() if self.asked == "several":
                said = [choice.said for choice in self.choices if choice.value in value]
                return ", ".join(said) or "none"
            case list():
                return ", ".join(f"{each['name'] or each['pattern']} {each['value']:,}" for each in value) or "none"
            case {"2": _}:
                return ", ".join(f"{worth:,}" for worth in value.values())
        return str(value)


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
    return _choice(key, label, none | {value: points_text(value) for value in usual}, free="points", **more)


def _switch(key: str, label: str, **more: Any) -> Question:
    return Question(key, label, "switch", **more)


def _kind(number: int, name: str, sets: Iterable[int], mults: Iterable[int]) -> Question:
    choices = [
        Choice("off", "nothing of its own"),
        Choice("adding", f"adding: {number - 2} times the triple"),
        Choice("doubling", f"doubling: {2 ** (number - 3)} times the triple"),
        *(Choice({"set": value}, points_text(value)) for value in sets),
        *(Choice({"mult": value}, f"{value} times the triple") for value in mults),
    ]
    return Question(f"score.kind{number}", f"{name} of a kind", "choice", tuple(choices), free="points", within="set")


OFF = "does not count"
NOT_WILD = ("dice.wild", ("off",))
NOT_EXACT = ("win.rule", ("at_least", "over"))
NO_PAIRS = ("score.three_pairs", ("off",))

GROUPS: tuple[Group, ...] = (
    Group(
        "dice",
        "Dice",
        "how many, wild die",
        (
            _choice("dice.count", "Number of dice", {6: "six", 5: "five", 12: "twelve"}),
            _choice("dice.wild", "Wild die", {"off": "none", "coloured_4": "a coloured 4 is wild"}),
            _choice(
                "dice.wild_colour",
                "Which die is the wild one?",
                {"": "the odd one out"} | {colour: f"the {colour} one" for colour in COLOURS},
                void=NOT_WILD,
                idle="",
                hint="The tray knows it by its colour: the odd one out is the one whose colour no other die has.",
            ),
            _switch("dice.wild_alone", "The wild die may stand alone, as a 1", void=NOT_WILD, idle=True),
        ),
    ),
    Group(
        "score",
        "Scoring",
        "1s and 5s, kinds, straight, pairs, your own",
        (
            Question("score.ones", "A single 1", "number", free="points"),
            Question("score.fives", "A single 5", "number", free="points"),
            _points("score.triple_1", "Three 1s", 1000, 300, 200),
            Question("score.triples", "Three alike", "faces", free="points"),
            _kind(4, "Four", (1000, 2000), (2, 3, 4)),
            _kind(5, "Five", (2000, 4000), (3, 5, 6)),
            _kind(6, "Six", (3000, 6000, 10000), (4, 8, 10)),
            _points("score.six_ones", "Six 1s", 5000, off="as six of a kind"),
            _points("score.straight", "Straight, 1 to 6", 1000, 1200, 1500, 2000, 2500, 3000, off=OFF),
            _points("score.three_pairs", "Three pairs", 500, 600, 750, 1000, 1500, off=OFF),
            _switch(
                "score.three_pairs_four_plus_pair",
                "Four alike and a pair are three pairs too",
                void=NO_PAIRS,
                idle=False,
            ),
            _switch("score.three_pairs_six_kind", "Six alike are three pairs too", void=NO_PAIRS, idle=False),
            _points("score.two_triplets", "Two triplets", 2500, off=OFF),
            _points("score.full_house_bonus", "Full house, beside its triple", 250, off=OFF),
            _points("score.nothing", "A first throw without a score", 500, off="is a farkle"),
            _switch(
                "score.nothing_hot_dice",
                "Then all dice have scored: hot dice",
                void=("score.nothing", ("off",)),
                idle=True,
            ),
            _points("score.mcflurry", "Grand mcflurry, four 5s and a 2", 2000, off=OFF),
            _switch("score.mcflurry_exact", "Only with exactly four 5s", void=("score.mcflurry", ("off",)), idle=False),
            _choice(
                "score.progressive",
                "Dice set aside before may grow",
                {"off": "no, each throw by itself", "kinds": "dice of a kind may", "all": "any combination may"},
            ),
            Question(
                "score.custom",
                "Combinations of your own",
                "patterns",
                hint="A sign a die: 1 to 6, or a letter for any number. aabb is two pairs, 55552 four 5s and a 2.",
            ),
        ),
    ),
    Group(
        "turn",
        "The turn",
        "getting on the board, stopping, taking over dice",
        (
            _points("turn.entry_threshold", "To get on the board", 350, 400, 500, 1000, zero="no points needed"),
            _points("turn.minimum", "Least points of every turn", 500, zero="none"),
            _points("turn.bank_min_score", "Points needed before stopping", 500, 1000, zero="none"),
            _choice(
                "turn.bank_max_dice_left",
                "Dice that may be left when stopping",
                {"off": "any number", 2: "two at most"},
                free="dice",
            ),
            _choice("turn.hot_dice", "On hot dice you", {"may": "may throw on", "must": "must throw on"}),
            _choice(
                "turn.piggyback",
                "Taking over the last player's dice",
                {"off": "no", "full": "yes, with all their points", "flat": "yes, for fixed points"},
            ),
            _points(
                "turn.piggyback_flat",
                "Points for taking over",
                1000,
                void=("turn.piggyback", ("off", "full")),
                idle=1000,
            ),
            _switch(
                "turn.piggyback_needs_board",
                "Only who is on the board may take over",
                void=("turn.piggyback", ("off",)),
                idle=False,
            ),
            _switch("turn.straight_attempt", "A straight may be tried for"),
            _switch("turn.triple_attempt", "Three of a kind may be tried for"),
            _choice("turn.order", "The turn passes", {"clockwise": "clockwise", "counter": "counter-clockwise"}),
        ),
    ),
    Group(
        "penalty",
        "Penalties",
        "three farkles, four 2s",
        (
            _choice(
                "penalty.three_farkles",
                "Three farkles in a row cost",
                {0: "nothing", 500: "500 points", 1000: "1,000 points", "all": "the whole score"},
                free="points",
            ),
            _choice(
                "penalty.floor",
                "No penalty takes a score below",
                {"off": "no limit", 0: "0"},
                free="points",
                void=("penalty.three_farkles", (0,)),
                idle="off",
            ),
            _switch("penalty.four_twos", "Four 2s in one throw cost the whole score"),
        ),
    ),
    Group(
        "win",
        "Winning",
        "target, last round, ties",
        (
            _points("win.target", "Target", 5000, 10000, 20000),
            _choice(
                "win.rule",
                "Who wins must",
                {"at_least": "reach the target", "over": "go above it", "exact": "hit it exactly"},
            ),
            _choice(
                "win.overshoot",
                "Points that go above it",
                {"lose_turn": "are lost", "give_to_lowest": "go to the player with the least"},
                void=NOT_EXACT,
                idle="lose_turn",
            ),
            _switch("win.roll_off", "The next player may roll the win off", void=NOT_EXACT, idle=False),
            _switch("win.final_round", "Everybody else has one last turn", void=("win.rule", ("exact",)), idle=False),
            _choice(
                "win.tie",
                "A tie goes",
                {"first": "to who got there first", "shared": "to both", "playoff": "to a playoff"},
                void=("win.final_round", (False,)),
                idle="first",
            ),
            Question(
                "win.instant",
                "Wins the game at once",
                "several",
                (
                    Choice("five_kind_first_throw", "five alike on the first throw, of five dice"),
                    Choice("six_kind", "six alike in one throw"),
                    Choice("six_ones", "six 1s in one throw"),
                ),
            ),
        ),
    ),
    Group(
        "teams",
        "Teams",
        "who plays together",
        (
            _choice(
                "teams",
                "Teams",
                {0: "none, everybody plays alone", 2: "two teams", 3: "three teams", 4: "four teams"},
                hint="Team-mates never sit side by side: with two teams every second player is of the same one.",
            ),
        ),
    ),
    Group(
        "stake",
        "Stake",
        "what everybody puts in the pot",
        (Question("stake", "Everybody puts in the pot", "number", hint="The tray only shows it. 0 is no stake."),),
    ),
)
QUESTIONS: Mapping[str, Question] = {each.key: each for group in GROUPS for each in group.questions}


def differences(changed: Mapping[str, Any]) -> tuple[str, ...]:
    """Options by dotted name and their values, each in words: "Straight, 1 to 6: 2,000 points"."""
    return tuple(f"{each.label}: {each.said(changed[key])}" for key, each in QUESTIONS.items() if key in changed)


def in_words(mistake: Mistake) -> str:
    """A mistake in an option that is asked, with labels in place of dotted names; any other as it is."""
    sentence = mistake.text
    if not _ASKED.match(mistake.key):
        return sentence
    own = _ABOUT.match(sentence)
    if own is None:
        return _NAME.sub(lambda found: f"“{QUESTIONS[found[0]].label}”", sentence)
    place = f", number {int(own['place']) + 1}" if own["place"] else ""
    part = f", {own['part']}" if own["part"] else ""
    return f"{QUESTIONS[own['key']].label}{place}{part}: {sentence[own.end() :]}"


_KEYS = "|".join(re.escape(key) for key in sorted(QUESTIONS, key=len, reverse=True))
_ASKED = re.compile(rf"(?:{_KEYS})(?![\w])")
_ABOUT = re.compile(rf"(?P<key>{_KEYS})(\[(?P<place>\d+)\])?(\.(?P<part>\w+))? = ")
_NAME = re.compile(rf"\b(?:{'|'.join(re.escape(key) for key in QUESTIONS if '.' in key)})\b")

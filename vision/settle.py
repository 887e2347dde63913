"""From looks and readings to happenings: a state machine as two pure steps.

`step` takes one look at a frame. When it says `due`, the frame is to be read, and `judge` takes the reading. Time
comes with the frames; nothing else is remembered than `Memory`.

A rest is three still frames over 0.15 s at least. Then every frame is read until `vision.agree` has a verdict. Whether
the rest ends a throw says `vision.throws`.
After a hand or a roll at least one happening always leads back to a restful state: when the dice lie as they did,
`removed` (or `empty`, or `unsure`) is said once more with the same dice.
"""

from dataclasses import dataclass, field, replace

from speech.sentence import say
from vision import throws
from vision.agree import Verdict, agree
from vision.happening import STATE_AFTER, EyeState, Happening, Kind
from vision.motion import Look
from vision.seen import Doubt, Reading, SeenDie
from vision.throws import Between
from vision.together import near
from vision.track import Altered, Pairing, anywhere, pair
from vision.unsettled import Open, about, of_what_is_new

STILL_FRAMES = 3
STILL_S = 0.15
# A single frame with something in it may be a spark of the codec; two in a row are not.
TOLD_FRAMES = 2
# A hand that rests over the tray is waited for; shorter than a picture of a show of pictures is held. Then it is asked
# about, since it may hide dice, and from then on it is a part of the view: something put down, perhaps.
HAND_WAIT_S = 1.5
LOOK_AGAIN_S = 0.3
# What is doubtful without a profile is read a few times more: meanwhile a codec refines its picture, and the view of a
# camera held by hand changes.
APART_S = 0.1
READ_ON = 12
OVER = say("The film ends before I am sure of this die: let it run for a second after the dice lie still.")


@dataclass(frozen=True, slots=True)
class Memory:
    """`dice`: as they lay at the last rest, at camera position `drift`. `known`: a rest was seen since the start.
    `sure`: what lay there at a rest since the start was read without a doubt.
    `state`: what was told last; None before anything was. `still`: still frames in a row, since `since_s`.
    `next_s`: before then no further reading is made in this rest. `resting`: this rest has been judged; with
    `readings`, it is still doubtful and read again."""

    state: EyeState | None = None
    dice: tuple[SeenDie, ...] = ()
    drift: tuple[float, float] = (0.0, 0.0)
    known: bool = False
    sure: bool = False
    roll: int = 0
    open: Open | None = None
    between: Between = field(default_factory=Between)
    at_s: float | None = None
    still: int = 0
    since_s: float = 0.0
    next_s: float | None = None
    resting: bool = False
    readings: tuple[Reading, ...] = ()

    @property
    def due(self) -> bool:
        """The present frame is to be read."""
        if self.resting and not self.readings:
            return False
        if self.at_s is None or self.still < STILL_FRAMES or self.at_s - self.since_s < STILL_S:
            return False
        return self.next_s is None or self.at_s >= self.next_s


Told = tuple[Memory, tuple[Happening, ...]]


def step(memory: Memory, frame: int, at_s: float, look: Look) -> Told:
    """Take one look in."""
    waited = at_s - memory.at_s if memory.at_s is not None else 0.0
    memory = replace(memory, at_s=at_s)
    if look.moving:
        return _moving(memory, frame, at_s, look, waited)
    # Nothing has changed since the frame before, so the stillness began with that one.
    since_s = memory.since_s if memory.still else at_s - waited
    memory = replace(memory, still=memory.still + 1, since_s=since_s)
    if memory.due and memory.state in ("hand", "rolling"):
        return _tell(memory, "settling", frame, at_s)
    return memory, ()


def _moving(memory: Memory, frame: int, at_s: float, look: Look, waited: float) -> Told:
    if not memory.known and memory.readings:
        # The first look was not finished when things began to move; what was read so far is what lay there.
        memory = replace(memory, known=True, dice=memory.readings[-1].dice, drift=look.drift, between=Between())
    between = throws.watched(memory.between, look, waited)
    memory = replace(memory, between=between, still=0, resting=False, readings=(), next_s=None)
    if not memory.known or look.everywhere:
        return memory, ()
    if between.hand >= TOLD_FRAMES and look.hand and memory.state != "hand":
        return _tell(memory, "hand", frame, at_s)
    if between.moving >= TOLD_FRAMES and look.free and not look.hand and memory.state != "rolling":
        return _tell(memory, "rolling", frame, at_s)
    return memory, ()


def judge(
    memory: Memory,
    frame: int,
    at_s: float,
    look: Look,
    reading: Reading,
    hand: Doubt | None = None,
    altered: Altered = anywhere,
    trusted: bool = True,
) -> Told:
    """Take in the reading of a still frame. `hand`: about what reaches in, lying still. `altered`: whether the picture
    has changed since the last rest at a place. `trusted`: the reader knows this tray and its dice."""
    memory = replace(memory, next_s=at_s + LOOK_AGAIN_S)
    if hand and at_s - memory.since_s < HAND_WAIT_S:
        if memory.known and memory.state != "hand":
            return _tell(replace(memory, readings=()), "hand", frame, at_s)
        return replace(memory, readings=()), ()
    if hand and not memory.between.sudden:
        reading = replace(reading, doubts=(*reading.doubts, hand))
    readings = (*memory.readings, reading)
    # Once told, this rest is what all is compared with: from then on nothing is new.
    all_counts = trusted or memory.resting or not memory.known
    weighed = readings if all_counts else tuple(of_what_is_new(one, altered) for one in readings)
    verdict = agree(weighed, trusted)
    if verdict is None:
        apart = 0.0 if trusted or len(readings) == 1 else APART_S
        return replace(memory, readings=readings, next_s=at_s + apart), ()
    old = tuple(doubt for doubt in reading.doubts if doubt not in weighed[-1].doubts)
    verdict = replace(verdict, doubts=(*verdict.doubts, *old))
    memory, told = _rest(memory, frame, at_s, look, verdict, altered)
    if verdict.doubts and not trusted and len(readings) < READ_ON:
        memory = replace(memory, readings=readings, next_s=at_s + APART_S)
    return memory, told


def ended(memory: Memory, frame: int, at_s: float, look: Look, altered: Altered) -> Told:
    """The film is over. Dice that lay still and were not yet read for sure are asked about, all of them."""
    if memory.resting or not memory.readings:
        return memory, ()
    reading = memory.readings[-1]
    unasked = [die for die in reading.dice if not any(near(doubt, die) for doubt in reading.doubts)]
    over = tuple(Doubt("count", die.x, die.y, OVER) for die in unasked)
    return _rest(memory, frame, at_s, look, Verdict(reading, (*reading.doubts, *over)), altered)


def lost(memory: Memory, frame: int, at_s: float) -> Told:
    """The camera is gone: what lies there when it is back is no throw."""
    if memory.state == "camera-lost":
        return memory, ()
    return _tell(afresh(memory), "camera-lost", frame, at_s)


def afresh(memory: Memory) -> Memory:
    """Before the first rest again; only the throws stay counted, and an open one open."""
    return Memory(state=memory.state, dice=memory.dice, roll=memory.roll, open=memory.open)


def _rest(memory: Memory, frame: int, at_s: float, look: Look, verdict: Verdict, altered: Altered) -> Told:
    """The tray is at rest and was read as well as it can be."""
    dice = verdict.reading.dice
    shift = (look.scale * (look.drift[0] - memory.drift[0]), look.scale * (look.drift[1] - memory.drift[1]))
    pairing = pair(memory.dice, dice, shift, altered)
    new_doubts = about(verdict.doubts, (), altered)
    thrown = memory.known and throws.is_throw(memory.dice, dice, pairing, memory.between, bool(new_doubts))
    if memory.known and not thrown and _only_light(memory, pairing):
        return replace(memory, resting=True, readings=()), ()
    opened = memory.open
    # The only die of an open throw, thrown again, is a throw of its own.
    mended = opened.mended(dice) if opened and not (thrown and len(opened.thrown) == 1) else None
    told = memory.state in ("hand", "rolling", "settling", "camera-lost", None)
    changed = bool(pairing.fresh or pairing.gone)
    gone = [memory.dice[b] for b in pairing.gone]
    found = (not memory.sure or memory.between.blind) and not thrown
    memory = replace(memory, dice=dice, drift=look.drift, known=True, between=Between(), resting=True, readings=())
    memory = replace(memory, sure=memory.sure or thrown or not verdict.doubts)
    if not told and not changed and (mended is None or verdict.doubts):
        return memory, ()
    if opened is not None and mended is not None:
        verdict = replace(verdict, doubts=about(verdict.doubts, mended, altered))
        return _found(_told_throw(memory, opened.roll, frame, at_s, verdict, mended, opened.aside), found)
    if thrown:
        return _throw(memory, frame, at_s, verdict, pairing, altered)
    if opened is not None and opened.given_up(dice, gone):
        memory = replace(memory, open=None)
    return _found(_lie(memory, frame, at_s, verdict), found)


def _found(told: Told, found: bool) -> Told:
    memory, happenings = told
    return memory, tuple(replace(happening, found=found) for happening in happenings)


def _only_light(memory: Memory, pairing: Pairing) -> bool:
    """Everything changed at once and dice can only not be seen any more: it is dark, or a lamp blinds the camera."""
    between = memory.between
    return between.lights > 0 and not between.hand and not pairing.fresh and bool(pairing.gone)


def _throw(memory: Memory, frame: int, at_s: float, verdict: Verdict, pairing: Pairing, altered: Altered) -> Told:
    dice = verdict.reading.dice
    fresh = [a in pairing.fresh and die.zone == "tray" for a, die in enumerate(dice)]
    thrown = tuple(die for die, is_fresh in zip(dice, fresh, strict=True) if is_fresh)
    aside = tuple(die for die, is_fresh in zip(dice, fresh, strict=True) if not is_fresh)
    known = {*pairing.fresh, *(a for _, a in pairing.lying)}
    ghosts = tuple(
        # Read for sure where nothing has changed and none lay before: missed then, or imagined now.
        Doubt("count", die.x, die.y, say("There may be a die here or not: nudge it."))
        for a, die in enumerate(dice)
        if a not in known and die.zone == "tray" and die.confidence >= throws.LIKELY
    )
    doubts = (*about(verdict.doubts, thrown, altered), *ghosts)
    memory = replace(memory, roll=memory.roll + 1)
    return _told_throw(memory, memory.roll, frame, at_s, replace(verdict, doubts=doubts), thrown, aside)


def _told_throw(
    memory: Memory,
    roll: int,
    frame: int,
    at_s: float,
    verdict: Verdict,
    thrown: tuple[SeenDie, ...],
    aside: tuple[SeenDie, ...],
) -> Told:
    dice, doubts = verdict.reading.dice, verdict.doubts
    if not doubts:
        memory = replace(memory, open=None)
        return _tell(memory, "settled", frame, at_s, roll=roll, dice=dice, thrown=thrown)
    memory = replace(memory, open=Open(roll, thrown, aside, doubts))
    return _tell(memory, "unsure", frame, at_s, roll=roll, dice=dice, thrown=thrown, doubts=doubts)


def _lie(memory: Memory, frame: int, at_s: float, verdict: Verdict) -> Told:
    dice = verdict.reading.dice
    if not dice and not verdict.doubts:
        return _tell(memory, "empty", frame, at_s)
    if verdict.doubts:
        roll, thrown = (memory.open.roll, memory.open.thrown) if memory.open else (None, ())
        return _tell(memory, "unsure", frame, at_s, roll=roll, dice=dice, thrown=thrown, doubts=verdict.doubts)
    return _tell(memory, "removed", frame, at_s, dice=dice)


def _tell(
    memory: Memory,
    kind: Kind,
    frame: int,
    at_s: float,
    *,
    roll: int | None = None,
    dice: tuple[SeenDie, ...] = (),
    thrown: tuple[SeenDie, ...] = (),
    doubts: tuple[Doubt, ...] = (),
) -> Told:
    happening = Happening(kind, frame, at_s, roll, dice, thrown, doubts)
    return replace(memory, state=STATE_AFTER[kind]), (happening,)

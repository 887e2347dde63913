"""Build a profile from stills: an empty tray, if there is one, and dice that lie flat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import belong, colours, emblems, patterns, slack
from calibration import tray as trays
from calibration.alike import as_pips
from calibration.asked import Answer, Unnamed, asked_again
from calibration.measure import Seen, measured
from calibration.redrawn import Shown, redrawn
from speech.sentence import say
from vision import alone, cube, known, places, reader
from vision.dice_set import Kind, Learned
from vision.errors import VisionError
from vision.frame import Frame, Image
from vision.pips import resized
from vision.profile import Profile, shrunk
from vision.sampling import Floats
from vision.seen import Reading
from vision.watcher import Read


@dataclass(frozen=True, slots=True)
class Lesson:
    """`readings`: of the dice pictures, by the new profile, in their order. `remarks`: sentences on what could be
    better, none when all is well. `unnamed`: faces without pips to ask about."""

    profile: Profile
    readings: tuple[Reading, ...]
    remarks: tuple[str, ...]
    unnamed: tuple[Unnamed, ...] = ()


def build(
    empty: Image | None,
    dice: Sequence[Image],
    size_mm: float = 16.0,
    count: int | None = None,
    rail: bool = False,
    made: str = "",
    version: str = "",
    read: Read = reader.read,
    where: trays.Where | None = None,
    told: Callable[[float], object] = float,
    answers: Sequence[Answer] = (),
    rolls: Sequence[Shown] = (),
) -> Lesson:
    """Learn tray, camera and dice.

    `empty`: the tray without dice, or None. `dice`: one or more pictures of the same tray with dice that lie flat
    and apart, best with every value in view. `size_mm`: edge of the dice; of the commonest where they differ.
    `count`: dice in each picture when known. `rail`: the tray has a keep rail. `made`, `version`: kept in the profile.
    `read`: reads the dice pictures with it in the end. `where`: the outlines, when they are known already. `told`:
    called with the share that is done, 0-1. `answers`: what was said of the faces without
    pips that a lesson of these pictures asked about before, see `Lesson.unnamed`. `rolls`: test rolls that were judged;
    faces without pips are learned from them too.

    Raises `VisionError`, with the reason, when the pictures do not fit together, or dice are where they should not be
    or not where they should.
    """
    _check(empty, dice)
    if empty is not None:
        for number, image in enumerate(dice, 1):
            belong.one_tray(empty, image, (belong.EMPTY, belong.dice_picture(number)))
    profile, at, unnamed = _faces(dice, size_mm, empty, told)
    answers = emblems.without_pips(dice, profile, asked_again(unnamed, answers))
    profile = emblems.named(profile, answers)
    profile, doubt = redrawn(dice, profile, answers, rolls)
    told(0.7)
    profile = replace(profile, likeness=colours.learned(dice, profile))
    profile = replace(profile, slack=slack.learned(dice, profile, doubt))
    told(0.9)
    if where is None:
        where = trays.find(empty, dice, at, profile, rail)
    profile = replace(profile, tray=where.tray, rail=where.rail)
    readings = tuple(read(Frame(image), profile) for image in dice)
    learned = Learned(made, version, len(dice), sum(len(r.dice) for r in readings), sum(r.sure for r in readings))
    profile = replace(profile, kinds=_counted(dice, profile), learned=learned)
    told(1.0)
    open_ = emblems.open_questions(unnamed, answers, dice, readings, profile)
    return Lesson(profile, readings, _remarks(readings, count, rail, where.rail is not None), open_)


def _faces(
    dice: Sequence[Image], size_mm: float, empty: Image | None, told: Callable[[float], object]
) -> tuple[Profile, list[Floats], tuple[Unnamed, ...]]:
    """What the dice's faces tell, where in each picture they lie, pixels (n, 2), and those that have no pips."""
    drawn = None
    try:
        profile, seen = _pipped(dice, size_mm, empty, told)
    except VisionError:
        drawn = None if empty is None else emblems.drawn(dice, empty, size_mm)
        if drawn is None:
            raise
    else:
        if empty is not None and not emblems.have_pips(dice, empty, profile):
            drawn = emblems.drawn(dice, empty, size_mm)
    if drawn is not None:
        at = [one.axes(drawn.profile.camera, size_mm)[0] for one in drawn.squares]
        return drawn.profile, at, tuple(emblems.unnamed(dice, drawn.profile, drawn))
    if empty is None:
        _together(dice, seen, profile)
    belong.dice_in_place(empty, dice, [one.faces for one in seen], profile)
    if empty is None:
        profile = replace(profile, empty=_emptied(dice, profile))
    profile = patterns.refined(dice, profile)
    return profile, [one.faces.xy for one in seen], tuple(emblems.unnamed(dice, profile))


def _pipped(
    dice: Sequence[Image], size_mm: float, empty: Image | None, told: Callable[[float], object]
) -> tuple[Profile, list[Seen]]:
    """What the pips tell, and where they were seen. Raises `VisionError` when no dice with pips were found."""
    floors = _floors(dice) if empty is None else [empty] * len(dice)
    profile = measured(dice, list(map(first_look, dice, floors)), size_mm, empty)
    for turn in range(2):
        told(0.3 + 0.2 * turn)
        again = [_again(image, floor, profile) for image, floor in zip(dice, floors, strict=True)]
        if not any(len(one.faces) for one in again):
            break
        profile = measured(dice, again, size_mm, empty)
    return profile, again


def _check(empty: Image | None, dice: Sequence[Image]) -> None:
    if not dice:
        raise VisionError(say("There is no picture of dice: give at least one with the dice lying flat and apart."))
    height, width = dice[0].shape[:2]
    if any(image.shape[:2] != (height, width) for image in [*dice, *([] if empty is None else [empty])]):
        raise VisionError(say("The pictures differ in size: take them all with one camera in one mode."))
    if min(height, width) < 120:
        raise VisionError(
            say(
                "The pictures are {width}x{height} pixels, too small for dice: 640x480 is the least that helps.",
                width=width,
                height=height,
            )
        )


def _together(dice: Sequence[Image], seen: Sequence[Seen], profile: Profile) -> None:
    """Without an empty picture the first of the dice pictures is what the others are compared with."""
    apart = [belong.where_dice_lie(image, one.faces, profile) for image, one in zip(dice, seen, strict=True)]
    for number in range(1, len(dice)):
        names = belong.dice_picture(1), belong.dice_picture(number + 1)
        belong.one_tray(dice[0], dice[number], names, apart[0] | apart[number])


def _floors(dice: Sequence[Image]) -> list[Image | None]:
    """For each picture what stands for an empty one: what most of them show, since dice lie elsewhere in each; of two
    the other; None for a single one."""
    if len(dice) < 3:
        return list(dice[::-1]) if len(dice) == 2 else [None]
    return [np.median(np.stack(dice), axis=0).astype(np.uint8)] * len(dice)


def first_look(image: Image, empty: Image | None) -> Seen:
    """Faces found without knowing anything, in the pixels of the whole picture."""
    scale = min(1.0, alone.WORK_SIDE / max(image.shape[:2]))
    small = resized(image, scale)
    only = None
    if empty is not None:
        changed = (places.difference(image, shrunk(empty)) > 15).astype(np.uint8)
        changed = np.asarray(cv2.dilate(changed, np.ones((5, 5), np.uint8)), np.uint8)
        size = (small.shape[1], small.shape[0])
        only = np.asarray(cv2.resize(changed, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    look = alone.from_above(small, only)
    found = belong.plain(look.faces)
    found = replace(
        found,
        xy=(found.xy + 0.5) / scale - 0.5,
        frame=found.frame / scale,
        radius=found.radius / scale,
        half=found.half / scale,
    )
    every = replace(look.pips, xy=(look.pips.xy + 0.5) / scale - 0.5, radius=look.pips.radius / scale)
    return Seen(found, every)


def _again(image: Image, floor: Image | None, profile: Profile) -> Seen:
    """Faces found with what is known so far."""
    profile = replace(profile, empty=floor)
    found = known.look(image, profile)
    return Seen(as_pips(image, belong.plain(patterns.as_spaced(found, profile)), profile), found.pips)


def _emptied(dice: Sequence[Image], profile: Profile) -> Image:
    """The tray without its dice, put together from pictures in which they lie in different places."""
    total = np.zeros((profile.height, profile.width, 3), np.float32)
    count = np.zeros((profile.height, profile.width), np.float32)
    for image in dice:
        found = known.look(image, profile).faces
        mask = cube.covered(profile.height, profile.width, found, profile)
        # With the shadow beside each die.
        reach = 2 * round(0.35 * float(np.median(2 * found.half))) + 1 if len(found) else 1
        clear = cv2.dilate(mask, np.ones((reach, reach), np.uint8)) == 0
        total[clear] += image[clear]
        count += clear
    seen = count > 0
    total[seen] /= count[seen][:, None]
    empty = total.astype(np.uint8)
    if not seen.all():
        small = cv2.resize(empty, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_NEAREST)
        hole = cv2.resize((~seen).astype(np.uint8), small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        small = cv2.inpaint(small, cv2.dilate(hole, np.ones((3, 3), np.uint8)), 3, cv2.INPAINT_TELEA)
        filled = cv2.resize(small, (profile.width, profile.height), interpolation=cv2.INTER_LINEAR)
        empty[~seen] = filled[~seen]
    return empty


def _counted(dice: Sequence[Image], profile: Profile) -> tuple[Kind, ...]:
    """The kinds with how many dice of each lie in the picture that shows the most."""
    kinds = [known.look(image, profile).faces.kind for image in dice]
    fullest = np.bincount(max(kinds, key=len), minlength=len(profile.kinds))
    return tuple(replace(kind, count=int(n)) for kind, n in zip(profile.kinds, fullest, strict=True))


def _remarks(readings: tuple[Reading, ...], count: int | None, rail: bool, rail_found: bool) -> tuple[str, ...]:
    said = []
    if count is not None:
        off = [k for k, r in enumerate(readings, 1) if len(r.dice) != count]
        if off:
            said.append(f"Picture {off[0]} shows {len(readings[off[0] - 1].dice)} dice to me, not {count}.")
    if any(not r.sure for r in readings):
        said.append("Some of its own pictures leave a doubt: more even light, or dice that lie apart, would help.")
    if rail and not rail_found:
        said.append("The keep rail was not found: a divider or another floor colour must show in the picture.")
    return tuple(said)


def in_words(lesson: Lesson) -> str:
    """What was learned, a few lines for people."""
    profile = lesson.profile
    kinds = ", ".join(f"{k.name} {k.edge_mm:.0f} mm" for k in profile.kinds)
    tilt = float(np.degrees(np.hypot(profile.camera.tilt_x, profile.camera.tilt_y)))
    lines = [
        f"dice: {kinds}",
        f"camera: {profile.camera.height_mm:.0f} mm above the floor, tilted {tilt:.1f} degrees",
        f"tray: {'found' if profile.tray else 'not found, the whole picture is taken'}"
        + (", with its keep rail" if profile.rail else ""),
        f"{profile.learned.sure} of {profile.learned.pictures} of its own pictures read for sure",
        *lesson.remarks,
    ]
    return "\n".join(lines)

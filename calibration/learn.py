"""Build a profile from stills: an empty tray, if there is one, and dice that lie flat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import belong, colours, edges, emblems, ones, slack
from calibration import camera as cameras
from calibration import kinds as sorting
from calibration import tray as trays
from calibration.asked import Answer, Unnamed
from speech.sentence import say
from vision import alone, cube, faces, known, places, pose, reader
from vision.errors import VisionError
from vision.faces import Faces
from vision.frame import Frame, Image
from vision.geometry import Camera
from vision.pips import Pips, resized
from vision.profile import Kind, Learned, Profile, shrunk
from vision.sampling import Floats
from vision.seen import Reading
from vision.watcher import Read


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Faces of one picture and the pips they were made from."""

    faces: Faces
    pips: Pips


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
) -> Lesson:
    """Learn tray, camera and dice.

    `empty`: the tray without dice, or None. `dice`: one or more pictures of the same tray with dice that lie flat
    and apart, best with every value in view. `size_mm`: edge of the dice; of the commonest where they differ.
    `count`: dice in each picture when known. `rail`: the tray has a keep rail. `made`, `version`: kept in the profile.
    `read`: reads the dice pictures with it in the end. `where`: the outlines, when they are known already. `told`:
    called with the share that is done, 0-1. `answers`: what was said of the faces without
    pips that a lesson of these pictures asked about before, see `Lesson.unnamed`.

    Raises `VisionError`, with the reason, when the pictures do not fit together, or dice are where they should not be
    or not where they should.
    """
    _check(empty, dice)
    if empty is not None:
        for number, image in enumerate(dice, 1):
            belong.one_tray(empty, image, (belong.EMPTY, belong.dice_picture(number)))
    profile, at, unnamed = _faces(dice, size_mm, empty, told)
    profile = emblems.named(profile, answers)
    told(0.7)
    profile = replace(profile, likeness=colours.learned(dice, profile))
    profile = replace(profile, slack=slack.learned(dice, profile))
    told(0.9)
    if where is None:
        where = trays.find(empty, dice, at, profile, rail)
    profile = replace(profile, tray=where.tray, rail=where.rail)
    readings = tuple(read(Frame(image), profile) for image in dice)
    learned = Learned(made, version, len(dice), sum(len(r.dice) for r in readings), sum(r.sure for r in readings))
    profile = replace(profile, kinds=_counted(dice, profile), learned=learned)
    told(1.0)
    asked = emblems.open_questions(unnamed, answers, readings, float(profile.looks.edge_px[0]))
    return Lesson(profile, readings, _remarks(readings, count, rail, where.rail is not None), asked)


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
    profile = ones.learned(dice, _with_sixes(dice, _with_spacing(dice, profile)))
    return profile, [one.faces.xy for one in seen], tuple(emblems.unnamed(dice, profile))


def _pipped(
    dice: Sequence[Image], size_mm: float, empty: Image | None, told: Callable[[float], object]
) -> tuple[Profile, list[Seen]]:
    """What the pips tell, and where they were seen. Raises `VisionError` when no dice with pips were found."""
    floors = _floors(dice) if empty is None else [empty] * len(dice)
    profile = _learned(dice, list(map(first_look, dice, floors)), size_mm, empty)
    for turn in range(2):
        told(0.3 + 0.2 * turn)
        again = [_again(image, floor, profile) for image, floor in zip(dice, floors, strict=True)]
        if not any(len(one.faces) for one in again):
            break
        profile = _learned(dice, again, size_mm, empty)
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
    found = _plain(look.faces)
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
    found = known.look(image, replace(profile, empty=floor))
    return Seen(_plain(found.faces), found.pips)


def _plain(found: Faces) -> Faces:
    """Without those that may be a pattern of the floor: better to learn from fewer dice than from one of these."""
    if not len(found):
        return found
    bright = float(np.percentile(found.contrast, 75))
    keep = (found.strays == 0) & (found.contrast > 0.3 * bright) & (found.uneven < 0.35) & (found.misfit < 0.8)
    keep &= found.score > np.where(found.value > 1, 0.45 * found.value - 0.45, 0.15)
    # On dice a pip is 0.07 to 0.2 of the edge; specks are smaller.
    keep &= found.radius > 0.045 * 2 * found.half
    return found.pick(keep)


def _learned(dice: Sequence[Image], seen: list[Seen], size_mm: float, empty: Image | None) -> Profile:
    every = faces.join([one.faces for one in seen])
    if not len(every):
        raise VisionError(
            say("No dice were found in the pictures: put the dice flat, in good light, inside the tray, and try again.")
        )
    height, width = dice[0].shape[:2]
    look, many = sorting.looks(every), every.value > 1
    camera, spacing = _camera(cameras.straight(width, height), seen, every, look)
    size = np.full(len(every), -1)
    size[many] = sorting.sizes(spacing[many])
    unit = _unit(camera, every.xy)
    edge_px = _edges(dice, seen, every, size, look, unit)
    flat = edge_px / unit
    # Edges of one size, up to the error of the vote on outlines, are one size; 14 and 16 mm are 0.13 apart.
    edge_size = sorting.sizes(flat, 0.07)
    for name in np.unique(edge_size):
        flat[edge_size == name] = np.median(flat[edge_size == name])
    edge_px = flat * unit
    group = look * 1000 + np.where(many, size, 0)
    group[~many] = [_kin(int(k), group, look, many, flat) for k in np.nonzero(~many)[0]]
    kept = _plausible(group, look, many)
    common = edge_size == np.bincount(edge_size[kept]).argmax()
    camera = replace(camera, height_mm=cameras.height(camera, every.xy[common], edge_px[common], size_mm))
    usual = _usual(every, edge_px)
    out: list[Kind] = []
    for name in np.unique(group[kept]):
        rows = (group == name) & kept
        edge_mm = size_mm if common[rows].all() else _edge_mm(camera, every.xy[rows], edge_px[rows])
        out.append(sorting.describe(every.pick(rows), edge_mm, edge_px[rows], usual))
    out.sort(key=lambda kind: -kind.seen)
    return Profile(width, height, camera, tuple(out), empty=empty)


def _camera(camera: Camera, seen: list[Seen], every: Faces, look: NDArray[np.int64]) -> tuple[Camera, Floats]:
    """The camera's tilt, and each face's pip spacing free of perspective (0 for ones)."""
    points, rows = [], []
    row = 0
    # Many sets space the six unlike the rest: it speaks only where nothing else does.
    few = ((every.value > 1) & (every.value < 6)).sum() < 3
    for one in seen:
        for k in range(len(one.faces)):
            if one.faces.value[k] > 1 and (one.faces.value[k] < 6 or few):
                places, xy = pose.matched(one.faces, k, one.pips, camera)
                if len(places) > 1:
                    points.append(cameras.Points(places, xy, 0))
                    rows.append(row)
            row += 1
    spacing = np.zeros(len(every))
    spacing[every.value > 1] = every.offset[every.value > 1]
    if not points:
        return camera, spacing
    at = np.array(rows)
    groups = look[at] * 1000 + sorting.sizes(every.offset[at], 0.1)
    for gap in (0.06, 0.03):
        marked = [replace(p, group=int(g)) for p, g in zip(points, groups, strict=True)]
        camera, sizes = cameras.tilted(camera, marked)
        groups = look[at] * 1000 + sorting.sizes(sizes, gap)
    spacing = every.offset / _unit(camera, every.xy)
    spacing[at] = sizes * camera.focal / 1000
    return camera, spacing


def _kin(k: int, group: NDArray[np.int64], look: NDArray[np.int64], many: NDArray[np.bool_], flat: Floats) -> int:
    """The group a one belongs to: dice of its look and size, or its own."""
    like = np.nonzero(many & (look == look[k]) & (np.abs(np.log(flat / flat[k])) < 0.02))[0]
    return int(group[like[0]]) if len(like) else int(look[k] * 1000 + 900)


def _plausible(group: NDArray[np.int64], look: NDArray[np.int64], many: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which faces are surely dice: a group of ones only, or a small one, beside a larger group of its look is none."""
    kept = np.ones(len(group), bool)
    for name in np.unique(group):
        rows = group == name
        fellows = np.bincount(np.unique(group[(look == look[rows][0]) & many], return_inverse=True)[1]).max(initial=0)
        if (not many[rows].any() and fellows > 0) or rows.sum() < 0.25 * fellows:
            kept[rows] = False
    return kept


def _edges(
    dice: Sequence[Image],
    seen: list[Seen],
    every: Faces,
    size: NDArray[np.int64],
    look: NDArray[np.int64],
    unit: Floats,
) -> Floats:
    """(n,) edge of each top face in pixels; faces of one look and pip spacing are measured together."""
    votes = np.concatenate([edges.votes(image, one.faces) for image, one in zip(dice, seen, strict=True)])
    many = every.value > 1
    edge_px = 2 * every.half
    # Sets differ in spacing at one size, so each look is measured by itself; a look seen little asks the others too.
    pattern = look * 1000 + size
    for name in np.unique(pattern[many]):
        group = many & (pattern == name)
        others = votes[many].mean(0, keepdims=True) * (0.5 if group.sum() < 4 else 0.1)
        edge_px[group] = 2 * every.offset[group] * edges.elected(votes[group].mean(0, keepdims=True) + others)
    flat = edge_px / unit
    for k in np.nonzero(~many)[0]:
        # A one has no spacing: it is as large as a die of its look that has, if its outline agrees by and large. A look
        # of ones alone is mostly a gleam, which has an outline of its own: then any die's size will do.
        like, most = flat[many & (look == look[k])], 0.2
        if not len(like):
            like, most = flat[many], 0.35
        if len(like):
            nearest = like[np.abs(np.log(like / flat[k])).argmin()]
            if abs(np.log(nearest / flat[k])) < most:
                edge_px[k] = nearest * unit[k]
    return np.asarray(edge_px)


def _unit(camera: Camera, xy: Floats) -> Floats:
    """(n,) size of things of one size at these places, 1 in the middle of the picture."""
    middle = np.array([[camera.cx, camera.cy]])
    scale = np.sqrt(np.abs(np.linalg.det(camera.scale(xy))))
    return np.asarray(scale / np.sqrt(np.abs(np.linalg.det(camera.scale(middle)))))


def _usual(every: Faces, edge_px: Floats) -> tuple[float, float]:
    many = every.value > 1
    if not many.any():
        return 0.255, 0.09
    return float(np.median((every.offset / edge_px)[many])), float(np.median((every.radius / edge_px)[many]))


def _edge_mm(camera: Camera, xy: Floats, edge_px: Floats) -> float:
    """A die that is larger is nearer the camera as well: solved by trying again with the height found."""
    edge = 16.0
    for _ in range(4):
        edge = float(np.median(edge_px / np.sqrt(np.abs(np.linalg.det(camera.scale(xy, edge))))))
    return edge


def _with_spacing(dice: Sequence[Image], profile: Profile) -> Profile:
    """With the pips of each kind as far apart as they are at the end, on the median of its faces."""
    stretch: dict[int, list[float]] = {}
    for image in dice:
        found = known.look(image, profile)
        measured = pose.measure(found.faces, found.pips, profile)
        for k in np.nonzero((measured.used > 1) & (found.faces.value < 6))[0]:
            stretch.setdefault(int(found.faces.kind[k]), []).append(float(measured.long[k] * measured.short[k]) ** 0.5)
    kinds = [
        replace(kind, offset=kind.offset * float(np.median(stretch[k]))) if len(stretch.get(k, ())) > 1 else kind
        for k, kind in enumerate(profile.kinds)
    ]
    return replace(profile, kinds=tuple(kinds))


def _with_sixes(dice: Sequence[Image], profile: Profile) -> Profile:
    spacing: list[tuple[int, float, float]] = []
    for image in dice:
        found = known.look(image, profile)
        spacing += pose.six(found.faces, found.pips, profile)
    out = []
    for k, kind in enumerate(profile.kinds):
        own = [(along, across) for name, along, across in spacing if name == k]
        middle = np.median(own, axis=0) if own else np.ones(2)
        # One six is no rule; and below two in a hundred it is not told from noise.
        plain = len(own) < 2 or np.abs(middle - 1).max() < 0.02
        out.append(kind if plain else replace(kind, six=(float(middle[0]), float(middle[1]))))
    return replace(profile, kinds=tuple(out))


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

"""Faces without pips in the calibration pictures: found, sorted by likeness, and learned once each has a name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import squares
from calibration.alike import Face, as_pips, cut, grouped, upright
from calibration.asked import FEW, Answer, Unnamed, check
from calibration.squares import Squares
from vision import colour, cube, known
from vision.dice_set import Colour, Kind
from vision.emblem import SIDE, Emblem
from vision.emblems import ODD, like_pips
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import Camera
from vision.profile import Profile
from vision.sampling import Floats
from vision.seen import Reading

# How much shows of the dice that no pips explain: 0.8 to 1.7 on rendered ones, shadows beside dice up to 0.6.
_SURELY = 0.75
_CLEAR = 0.1  # of the taken faces' surroundings, in edges, that are theirs too


def have_pips(dice: Sequence[Image], empty: Image, profile: Profile) -> bool:
    """Whether faces with pips, of the right size, lie on half at least of what lies in the pictures."""
    explained = every = 0
    for image in dice:
        found = known.look(image, profile).faces
        # Noise on letters makes patterns that are not quite like pips.
        found = found.pick(found.misfit < ODD)
        edge, in_parts = 2 * found.half, np.zeros(len(found), np.bool_)
        for x, y, area in _large(squares.things(image, empty)):
            far = np.hypot(found.xy[:, 0] - x, found.xy[:, 1] - y)
            # Of a die of the floor's own colour no more has changed than some pips, a side and its shadow.
            part = (far < edge) & (edge**2 > _LARGEST * area)
            in_parts |= part
            if not part.any():
                every += 1
                explained += bool(((far < np.sqrt(area)) & (edge**2 > _SMALLEST * area)).any())
        every, explained = every + int(in_parts.sum()), explained + int(in_parts.sum())
    return 2 * explained >= every


def _large(things: Floats) -> Floats:
    """Those that may be dice: not specks, nor bits of shadow."""
    return things[things[:, 2] > _THING * np.percentile(things[:, 2], 80)] if len(things) else things


# Share of what has changed that is a die's top face: the rest are its sides and its shadow. Where the face is larger
# than that, only a part of its die has changed.
_SMALLEST, _LARGEST = 0.2, 1.4


def unnamed(dice: Sequence[Image], profile: Profile, only: "Drawn | None" = None) -> list[Unnamed]:
    """The faces without pips, one of each, in the order they are met in the pictures from top to bottom.

    `only`: what is known of dice that have no pips at all.
    """
    if only is not None:
        found = only.squares
    elif profile.empty is not None:
        found = left_over(dice, profile, [_by_pips(image, known.look(image, profile).faces, profile) for image in dice])
    else:
        return []
    every = []
    for k, (image, dies) in enumerate(zip(dice, found, strict=True)):
        xy, axes = dies.axes(profile.camera, profile.kinds[0].edge_mm)
        every += [Face(k, _kind(image, xy[j], profile), xy[j], axes[j]) for j in np.argsort(xy[:, 1])]
    groups = grouped(dice, every, sorts=1 if only is None else 6)
    asked = (upright(dice, group, profile, pips=only is None) for group in groups)
    return [one for one in asked if one is not None]


def _by_pips(image: Image, found: Faces, profile: Profile) -> Faces:
    """Those of the faces `found` in this picture that are quite like the pips they were read as."""
    return as_pips(image, like_pips(found), profile)


def without_pips(dice: Sequence[Image], profile: Profile, answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers, but of a set with pips no face whose value others show by their pips: it has these too, in a gleam
    or a shadow. `profile`: it has no emblems yet."""
    if len({said.value for _, said in answers if said is not None}) > FEW:
        return tuple(answers)
    asked = [place for one, _ in answers for place in one.places]
    shown: set[tuple[int, int]] = set()
    for k, image in enumerate(dice):
        faces = _by_pips(image, known.look(image, profile).faces, profile)
        places = [(x, y) for j, x, y in asked if j == k]
        for xy, half, kind, value in zip(faces.xy, faces.half, faces.kind, faces.value, strict=True):
            if all(np.hypot(*(xy - place)) > half for place in places):
                shown.add((int(kind), int(value)))
    return tuple((one, None if said and (one.kind, said.value) in shown else said) for one, said in answers)


def named(profile: Profile, answers: Sequence[Answer]) -> Profile:
    """The profile with these faces; what is no face is left out. Raises `VisionError`, see `asked.check`."""
    check(answers)
    kinds = list(profile.kinds)
    for one, said in answers:
        if said is not None:
            kind = kinds[one.kind]
            kinds[one.kind] = replace(kind, emblems=(*kind.emblems, Emblem(said.value, said.name, one.picture)))
    return replace(profile, kinds=tuple(kinds))


def open_questions(
    found: Sequence[Unnamed],
    answers: Sequence[Answer],
    dice: Sequence[Image],
    readings: Sequence[Reading],
    profile: Profile,
) -> tuple[Unnamed, ...]:
    """Those that nobody has answered. What is read for sure as it is, wherever it was met, needs no answer: through
    clear dice the pips of the other side are seen, and not always alike. Pips that are not quite like them may be a
    logo: it is asked about when it was met again."""
    known_ = [place for one, _ in answers for place in one.places]
    edge_px = float(profile.looks.edge_px[0])
    found = [
        one
        for one in found
        if all(k != j or np.hypot(x - u, y - v) >= edge_px / 2 for k, x, y in one.places for j, u, v in known_)
    ]
    if not found:
        return ()
    pipped = [known.look(image, profile).faces for image in dice]
    plain = [_by_pips(image, faces, profile) for image, faces in zip(dice, pipped, strict=True)]

    def is_read(k: int, x: float, y: float, by: Faces) -> bool:
        """`by`: the second look alone takes many a logo for a one."""
        return readings[k].sure and any(
            die.counts
            and np.hypot(die.x - x, die.y - y) < edge_px / 2
            and bool((np.hypot(by.xy[:, 0] - die.x, by.xy[:, 1] - die.y) < edge_px / 4).any())
            for die in readings[k].dice
        )

    return tuple(
        one
        for one in found
        if not all(is_read(k, x, y, (plain if len(one.places) > 1 else pipped)[k]) for k, x, y in one.places)
    )


def left_over(dice: Sequence[Image], profile: Profile, seen: Sequence[Faces]) -> list[Squares]:
    """The dice that no face that was `seen` in each picture explains."""
    assert profile.empty is not None
    camera, edge_mm = profile.camera, profile.kinds[0].edge_mm
    odd = [squares.strange(image, profile.empty) for image in dice]
    read = [squares_of(faces.pick(faces.kind == 0), profile) for faces in seen]
    round_ = squares.roundness(odd, read, camera, edge_mm)
    reach = 2 * round(_CLEAR * float(profile.looks.edge_px[0])) + 1
    found = []
    for image, strange, faces in zip(dice, odd, seen, strict=True):
        taken = cube.covered(profile.height, profile.width, faces, profile)
        taken = np.asarray(cv2.dilate(taken, np.ones((reach, reach), np.uint8)), np.uint8)
        left = squares.things(image, profile.empty, taken)
        found.append(squares.fitted(strange, left, camera, edge_mm, round_))
    both = [squares.joined(one, other) for one, other in zip(read, found, strict=True)]
    odd = squares.topped(dice, odd, both, camera, edge_mm)
    found = [squares.refined(o, one, camera, edge_mm, round_) for o, one in zip(odd, found, strict=True)]
    return [_surely(one, squares_of(faces, profile), edge_mm) for one, faces in zip(found, seen, strict=True)]


_NONE = Squares(np.zeros((0, 2)), np.zeros(0), np.zeros(0))


def _surely(found: Squares, known_: Squares, edge_mm: float) -> Squares:
    """Those that are no shadow beside a die, no die twice, and none that is `known_`: its side was taken for one."""
    mm = np.concatenate([known_.mm, found.mm])
    near = np.triu(np.hypot(*(mm[:, None] - mm).transpose(2, 0, 1)) < edge_mm / 2, 1).any(0)
    keep = (found.shown > _SURELY) & ~near[len(known_) :]
    return Squares(found.mm[keep], found.turn[keep], found.shown[keep])


def squares_of(faces: Faces, profile: Profile) -> Squares:
    """Where these faces are, as dice that lie flat."""
    corners = profile.camera.table(cube.flat(faces, profile).top, profile.kinds[0].edge_mm)
    way = corners[:, 1] - corners[:, 0]
    return Squares(corners.mean(1), np.arctan2(way[:, 1], way[:, 0]), np.zeros(len(faces)))


def _kind(image: Image, at: Floats, profile: Profile) -> int:
    """The kind whose body is likest to what is seen about there."""
    if len(profile.kinds) == 1:
        return 0
    reach = round(0.35 * float(profile.looks.edge_px.min()))
    x, y = (round(float(v)) for v in at)
    part = image[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach].reshape(-1, 3).astype(np.float64)
    far = np.linalg.norm(part[:, None] - profile.looks.body, axis=2)
    return int(np.median(far, axis=0).argmin())


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Dice that have no pips at all, and where they lie in each picture."""

    profile: Profile
    squares: list[Squares]


def drawn(dice: Sequence[Image], empty: Image, size_mm: float) -> Drawn | None:
    """What the outlines of dice tell; None where nothing looks like dice."""
    odd = [squares.strange(image, empty) for image in dice]
    every = [_large(squares.things(image, empty)) for image in dice]
    if not sum(len(things) for things in every):
        return None
    camera, round_, found = squares.seen_from(dice, odd, every, size_mm)
    odd = squares.topped(dice, odd, found, camera, size_mm)
    found = [_surely(one, _NONE, size_mm) for one in found]
    for k, one in enumerate(found):
        # Dice that touch are one thing: beside the one that is found the others lie.
        beside = squares.left(odd[k], squares.covered(one, camera, size_mm, empty.shape[:2]))
        more = squares.fitted(odd[k], beside, camera, size_mm, round_)
        found[k] = _surely(squares.joined(one, more), _NONE, size_mm)
    if not all(len(one) for one in found) or _lay_there(dice, found, camera, size_mm):
        return None
    height, width = empty.shape[:2]
    body, ink = _colours(dice, found, camera, size_mm)
    seen = sum(len(one) for one in found)
    kind = Kind(colour.name(body), body, ink, size_mm, _OFFSET, _RADIUS, _RADIUS, seen)
    profile = Profile(width, height, camera, (kind,), empty=empty)
    return Drawn(profile, found)


def _lay_there(dice: Sequence[Image], found: Sequence[Squares], camera: Camera, edge_mm: float) -> bool:
    """Whether something differs from the empty tray in the same way in all pictures: it lay in the empty tray."""
    first, same = found[0], []
    xy, axes = first.axes(camera, edge_mm)
    faces = [[cut(image, *place) for place in zip(xy, axes, strict=True)] for image in dice]
    for other, seen in zip(found[1:], faces[1:], strict=True):
        apart = np.hypot(*(first.mm[:, None] - other.mm).transpose(2, 0, 1)) / edge_mm
        turn = np.abs((first.turn[:, None] - other.turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        alike = [cv2.absdiff(one, two).mean() < _ALIKE for one, two in zip(faces[0], seen, strict=True)]
        same.append(((apart < _STAYS) & (turn < _STAYS)).any(1) & alike)
    return bool(same and np.all(same, axis=0).any())


_STAYS = 0.1  # edges and radians
_ALIKE = 12.0  # grey levels that a floor may differ by from picture to picture; letters differ by 20 and more


_OFFSET, _RADIUS = 0.25, 0.09  # of usual dice: these have no pips
_THING = 0.25


def _colours(dice: Sequence[Image], found: list[Squares], camera: Camera, edge_mm: float) -> tuple[Colour, Colour]:
    """Of the body and of what is on it."""
    seen: list[Image] = []
    for image, one in zip(dice, found, strict=True):
        for xy, axes in zip(*one.axes(camera, edge_mm), strict=True):
            edge = round(0.15 * SIDE)
            seen.append(cut(image, xy, axes)[edge:-edge, edge:-edge].reshape(-1, 3))
    body = np.median([np.median(one, axis=0) for one in seen], axis=0)
    every = np.concatenate(seen).astype(np.float64)
    far = np.linalg.norm(every - body, axis=1)
    ink = np.median(every[far >= np.percentile(far, 95)], axis=0)
    return (float(body[0]), float(body[1]), float(body[2])), (float(ink[0]), float(ink[1]), float(ink[2]))

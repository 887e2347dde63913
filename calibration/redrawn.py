"""Better pictures of faces without pips, and a better camera: from all places where the first pictures are found."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration import colours, emblems, level, middles, squares
from calibration.alike import cut
from calibration.asked import Answer
from vision import known
from vision.dice_set import Kind
from vision.emblem import FINE, Emblem
from vision.emblems import inked, pictures
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import Camera, angle_of, turned
from vision.profile import Profile
from vision.sampling import Floats

_SURE, _APART = 0.85, 0.06  # likeness of a face to learn from, and by how much the next must stay behind
_NEAR = 0.4  # half edges from where it was first seen


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A test roll. `image`: of the size of the other pictures. `values`: what its dice show, by the owner's word."""

    image: Image
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A face that shows an emblem. `kind`, `which`: of the emblem."""

    image: Image
    kind: int
    which: int
    xy: Floats
    axes: Floats


def redrawn(
    dice: Sequence[Image], profile: Profile, answers: Sequence[Answer], rolls: Sequence[Shown] = ()
) -> tuple[Profile, float]:
    """The profile with what its faces without pips teach once they are found, and how well the camera is known then,
    see `Levelled.doubt`; 0 where pips told it."""
    if not any(kind.emblems for kind in profile.kinds):
        return profile, 0.0
    # Where a shadow is known for one no face is looked for.
    profile = replace(profile, likeness=colours.learned(dice, profile))
    doubt, first = 0.0, profile.kinds[0]
    drawn = len({one.value for one in first.emblems}) == 6
    more = tuple(one for roll in rolls for one in [_corrected(roll, profile)] if one is not None)
    profile = replace(profile, kinds=(replace(first, emblems=(*first.emblems, *more)), *profile.kinds[1:]))
    for turn in range(2 if drawn or rolls else 1):
        found = [one for k, image in enumerate(dice) for one in _asked_about(k, image, profile, answers)]
        found += [one for roll in rolls if turn for one in _thrown(roll, profile)]
        if not found:
            break
        shapes = None
        if drawn:
            seen = level.Faces(
                np.stack([one.xy for one in found]),
                np.stack([one.axes for one in found]),
                np.array([one.which for one in found]),
            )
            told = level.levelled(profile.camera, profile.kinds[0].edge_mm, seen, len(profile.kinds[0].emblems))
            profile, shapes, doubt = replace(profile, camera=told.camera), told.shapes, told.doubt
        kinds = (_with(kind, k, found, profile, shapes) for k, kind in enumerate(profile.kinds))
        profile = replace(profile, kinds=tuple(kinds))
    return _true(dice, profile, answers), doubt


def _asked_about(number: int, image: Image, profile: Profile, answers: Sequence[Answer]) -> list[_Found]:
    """The faces of this picture that are where one of their value was asked about."""
    faces = known.look(image, profile).faces
    return _emblems(image, faces.pick(_near(faces, number, answers)), profile)


def _near(faces: Faces, number: int, answers: Sequence[Answer]) -> NDArray[np.bool_]:
    """(n,) which faces of this picture are where one of their value was asked about."""
    told = [(said.value, x, y) for one, said in answers if said is not None for k, x, y in one.places if k == number]
    near = [
        any(value == own and np.hypot(at[0] - x, at[1] - y) < _NEAR * half for value, x, y in told)
        for own, at, half in zip(faces.value, faces.xy, faces.half, strict=True)
    ]
    return np.array(near, np.bool_)


def _thrown(roll: Shown, profile: Profile) -> list[_Found]:
    """The faces of a test roll, but for those of values that fewer dice show than are found."""
    faces = known.look(roll.image, profile).faces
    told, seen = Counter(roll.values), Counter(faces.value.tolist())
    right = [seen[value] <= told[value] for value in faces.value.tolist()]
    return _emblems(roll.image, faces.pick(np.array(right, np.bool_)), profile)


def _corrected(roll: Shown, profile: Profile) -> Emblem | None:
    """The face of the one die that was not found in a test roll, or is another one than it was taken for."""
    kind, faces = profile.kinds[0], known.look(roll.image, profile).faces
    if profile.empty is not None:
        # A picture that was cut where a gleam hid the outline is found beside the dice that show it.
        where = emblems.squares_of(faces, profile)
        faces = faces.pick(squares.outlined(roll.image, profile.empty, where, profile.camera, kind.edge_mm))
    told, seen = Counter(roll.values), Counter(faces.value.tolist())
    missing, wrong = list((told - seen).elements()), list((seen - told).elements())
    if len(missing) != 1 or len(profile.kinds) > 1:
        return None
    name = next((one.name for one in kind.emblems if one.value == missing[0]), "")
    if not name:
        return None
    if wrong:
        # The one that is least like what it was taken for.
        k = int(np.where(faces.value == wrong[0], faces.misfit, -1).argmax())
        if seen[wrong[0]] > 1 and faces.misfit[k] < 1 - _SURE:
            return None
        faces = faces.pick(np.arange(len(faces)) != k)
    (left,) = emblems.left_over([roll.image], profile, [faces])
    if len(wrong) > 1 or len(left) != 1:
        return None
    ((at, axes),) = zip(*left.axes(profile.camera, kind.edge_mm), strict=True)
    return Emblem(missing[0], name, cut(roll.image, at, axes))


def _emblems(image: Image, faces: Faces, profile: Profile) -> list[_Found]:
    out = []
    sure = np.nonzero(faces.pictured & (1 - faces.misfit > _SURE) & (faces.margin > _APART))[0]
    drawn = {own: _inked(image, profile, own) for own in set(faces.kind[sure].tolist())}
    for k in sure:
        own = int(faces.kind[k])
        kind = profile.kinds[own]
        axes = faces.frame[k].astype(np.float64) / (2 * kind.offset)
        same = np.array([j for j, one in enumerate(kind.emblems) if one.value == faces.value[k]])
        look = FINE.seen(drawn[own], faces.xy[k][None], axes[None])
        like = pictures(kind).fine.likeness(np.repeat(look, len(same), 0), same)
        out.append(_Found(image, own, int(same[like.argmax()]), faces.xy[k].astype(np.float64), axes))
    return out


def _inked(image: Image, profile: Profile, own: int) -> Image:
    return inked(image, profile.kinds[own], float(profile.looks.edge_px[own]))


def _with(kind: Kind, k: int, found: list[_Found], profile: Profile, shapes: Floats | None) -> Kind:
    own, most = [one for one in found if one.kind == k], len(kind.emblems)
    shift, turn = _middles(own, profile, k)
    own = [replace(one, xy=one.xy + one.axes @ shift[one.which]) for one in own]
    return replace(
        kind,
        emblems=tuple(
            _redrawn(
                kind.emblems[j],
                [one for one in own if one.which == j],
                profile.camera,
                kind.edge_mm,
                np.eye(2) if shapes is None else shapes[j],
                float(turn[j]),
            )
            for j in range(most)
        ),
    )


def _middles(found: list[_Found], profile: Profile, k: int) -> tuple[Floats, Floats]:
    """See `middles.of`; no picture is moved where nothing tells."""
    kind = profile.kinds[k]
    images = list({id(one.image): one.image for one in found}.values())
    if profile.empty is None or not images:
        return np.zeros((len(kind.emblems), 2)), np.zeros(len(kind.emblems))
    parts = [[one for one in found if one.image is image] for image in images]
    seen = [
        (
            np.stack([one.xy for one in part]),
            np.stack([one.axes for one in part]),
            np.array([one.which for one in part]),
        )
        for part in parts
    ]
    return middles.of(images, profile.empty, seen, profile.camera, kind.edge_mm, len(kind.emblems))


def _redrawn(emblem: Emblem, found: list[_Found], camera: Camera, edge_mm: float, shape: Floats, more: float) -> Emblem:
    """`more`: radians that the picture has to be turned."""
    if not found:
        return emblem
    seen = []
    for one in found:
        flat = camera.scale(one.xy, edge_mm) * edge_mm / 2
        turn = float(angle_of(np.linalg.solve(flat, one.axes) @ np.linalg.inv(shape)))
        seen.append(cut(one.image, one.xy, flat @ turned(np.array(turn + more))))
    # Noise and gleams are not the same on all.
    return replace(emblem, picture=np.median(seen, axis=0).astype(np.uint8))


def _true(dice: Sequence[Image], profile: Profile, answers: Sequence[Answer]) -> Profile:
    """Without pictures that are found where no such face lies, of values that have others: a gleam or a shadow that
    fell on a face looks like others of its sort."""
    looks = [known.look(image, profile).faces for image in dice]
    away = [
        _emblems(image, faces.pick(~_near(faces, k, answers)), profile)
        for k, (image, faces) in enumerate(zip(dice, looks, strict=True))
    ]
    wrong = {(one.kind, one.which) for found in away for one in found}
    kinds = (_without(kind, {j for own, j in wrong if own == k}) for k, kind in enumerate(profile.kinds))
    return replace(profile, kinds=tuple(kinds))


def _without(kind: Kind, wrong: set[int]) -> Kind:
    right = {one.value for j, one in enumerate(kind.emblems) if j not in wrong}
    keep = (one for j, one in enumerate(kind.emblems) if j not in wrong or one.value not in right)
    return replace(kind, emblems=tuple(keep))

"""How the camera looks at the table, from the sizes of faces across the picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import Camera
from vision.sampling import Floats
from vision.vague import vague

# Focal length of a camera of which nothing is known, in picture widths: 61 degrees across, between the Pi camera
# modules 2 (62 degrees) and 3 (66 degrees).
FOCAL = 0.85
# A camera over a tray is mounted about straight: a tilt of this size (0.07 is 4 degrees) is as likely as none ...
_TILT = 0.07
# ... its lens bends lines by so much: -0.1 to 0.03 is usual ...
_BEND = 0.06
# ... and a pip is found to this many pixels: 0.06 in sharp pictures, more where glare or blur moves it.
_NOISE = 0.12


def straight(width: int, height: int, focal: float | None = None) -> Camera:
    """A camera that looks straight down, its height not known yet (1000 mm)."""
    return Camera(focal or FOCAL * width, (width - 1) / 2, (height - 1) / 2, 0.0, 0.0, 1000.0)


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Pips of one face: `places` (m, 2) on its lattice, `xy` (m, 2) pixels. `group`: faces of one number are equal."""

    places: Floats
    xy: Floats
    group: int


def tilted(camera: Camera, seen: Sequence[Points]) -> tuple[Camera, Floats]:
    """The tilt and bend that make all faces squares, and equal ones equal; and each face's size (one pip offset, with
    the table at 1000 mm below the camera)."""
    groups = sorted({p.group for p in seen})
    a = _found(camera, seen, groups, np.zeros(_LENS))
    for _ in range(20):
        residue = _residue(camera, a, seen, groups)
        slope = np.empty((len(residue), len(a)))
        for j in range(len(a)):
            step = np.zeros(len(a))
            step[j] = 1e-4
            slope[:, j] = (_residue(camera, a + step, seen, groups) - residue) / 1e-4
        # Pips that stay off by more than the noise, in a gleam or beside another, count less and less.
        weight = 1 / (1 + (residue / 2) ** 2)
        move = np.linalg.lstsq(slope * weight[:, None], -residue * weight, rcond=None)[0]
        a = a + np.clip(move, -0.2, 0.2)
        a[:2], a[2] = np.clip(a[:2], -0.45, 0.45), np.clip(a[2], -0.3, 0.3)
        if np.abs(move).max() < 1e-6:
            break
    camera = _at(camera, a)
    return camera, _sizes(camera, seen)


_LENS = 3  # tilt x, tilt y, bend; then the size of each group


def _at(camera: Camera, a: Floats) -> Camera:
    return replace(camera, tilt_x=float(a[0]), tilt_y=float(a[1]), bend=float(a[2]), height_mm=1000.0)


def _sizes(camera: Camera, seen: Sequence[Points]) -> Floats:
    sizes = []
    for points in seen:
        mm = camera.table(points.xy)
        sizes.append(np.linalg.norm(mm - mm.mean(0)) / np.linalg.norm(points.places - points.places.mean(0)))
    return np.array(sizes)


def _residue(camera: Camera, a: Floats, seen: Sequence[Points], groups: list[int]) -> Floats:
    """How far each pip is from where a level face of its group's size has it, in units of the noise."""
    tilted_ = _at(camera, a)
    out = [a[:2] / _TILT, a[2:_LENS] / _BEND]
    for points in seen:
        mm = tilted_.table(points.xy)
        mm = mm - mm.mean(0)
        places = (points.places - points.places.mean(0)) * np.exp(a[_LENS + groups.index(points.group)])
        turn = places.T @ mm
        # The best rotation of a pattern onto its pips, in closed form.
        angle = np.arctan2(turn[0, 1] - turn[1, 0], turn[0, 0] + turn[1, 1])
        cos, sin = np.cos(angle), np.sin(angle)
        off = mm - places @ np.array([[cos, sin], [-sin, cos]])
        out.append((off * camera.focal / 1000 / _NOISE).ravel())
    return np.concatenate(out)


def covariance(camera: Camera, seen: Sequence[Points]) -> Floats:
    """(4, 4) of what `camera`, learned from `seen`, leaves unknown: see `vision.vague`."""
    groups = sorted({p.group for p in seen})
    a = _found(camera, seen, groups, np.array([camera.tilt_x, camera.tilt_y, camera.bend]))
    steps = 1e-4 * np.eye(len(a))
    usual = _residue(camera, a, seen, groups)
    slope = np.stack([(_residue(camera, a + step, seen, groups) - usual) / 1e-4 for step in steps], 1)
    commonest = groups[np.bincount([groups.index(p.group) for p in seen]).argmax()]
    kept = [*range(_LENS), _LENS + groups.index(commonest)]
    return np.asarray(np.linalg.inv(slope.T @ slope)[np.ix_(kept, kept)])


def doubt(camera: Camera, covariance: Floats | None) -> float:
    """How much (standard deviation, natural logarithm) dice may seem larger or smaller than what `camera` makes of
    them, over the whole picture: 0.006 after ten dice, 0.04 after two. `covariance`: None when nothing tells it."""
    if covariance is None:
        return _TILT
    places = np.stack(np.meshgrid(2 * camera.cx * _SIXTHS, 2 * camera.cy * _SIXTHS), -1).reshape(-1, 2)
    return float(np.sqrt((vague(camera, covariance.ravel().tolist(), places) ** 2).mean()))


_SIXTHS = np.array([1, 3, 5]) / 6  # of the picture's width and height


def _found(camera: Camera, seen: Sequence[Points], groups: list[int], lens: Floats) -> Floats:
    """Tilt and bend, and with these the middle size of each group (natural logarithm)."""
    sizes = np.log(_sizes(_at(camera, lens), seen))
    of = np.array([p.group for p in seen])
    return np.concatenate([lens, [np.median(sizes[of == group]) for group in groups]])


def height(camera: Camera, xy: Floats, edge_px: Floats, edge_mm: float) -> float:
    """Millimetres from table to camera, from the edges (n,) in pixels of faces of one known size."""
    # At 1000 mm above the top face a millimetre shows as `scale` pixels; everything else is proportion.
    scale = np.sqrt(np.abs(np.linalg.det(camera.scale(xy, camera.height_mm - 1000.0))))
    return float(np.median(1000.0 * scale * edge_mm / edge_px) + edge_mm)

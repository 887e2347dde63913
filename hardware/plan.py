"""How the printed box divides into parts that fit a printer and hold together: lengths in millimetres, from the tray.

Coordinates are those of `Tray`, except that `y` there points towards the players and z is 0 on top of the floor.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from hardware.facts import Area, HardwareError, Tray

# A beam of this section carries a camera of 50 g at arm's length without swaying visibly, and lies flat on the bed.
BEAM_DEEP_MM, BEAM_THICK_MM = 32.0, 24.0
LAP_MM = 45.0  # two beams overlap so far, each with half its thickness, held by two bolts
BOLT_MM = 4.4  # a hole that an M4 bolt slides through
BOLTS_APART_MM = 25.0
LUG_THICK_MM, LUG_LONG_MM = 12.0, 20.0  # at each end of a seam; two of them are as thick as a beam
BASE_MM = 5.0  # sole of the foot
# From the underside of the boom to the lens: plate 4, bosses 5, and the module's board and lens, whose front ends about
# 9 below the board's back; the pupil of so small a lens lies within a millimetre or two of its front.
PLATE_MM, BOSS_MM, MODULE_MM = 4.0, 5.0, 9.0
LAMP_MM = 23.0  # what holds a lamp reaches so far above it at most
KEY_LONG_MM, KEY_WIDE_MM, KEY_NECK_MM, KEY_DEEP_MM = 24.0, 12.0, 7.0, 2.5


@dataclass(frozen=True, slots=True)
class Plan:
    """`columns`, `rows`: where each tray part begins and ends, walls included. `posts`: x of the lugs on the far wall,
    at the seams and where the camera's arm stands. `sides`: y of the lugs on the side walls; `lamps`: that of those
    that hold the lamps' arms. `keys`: middles of the keys in the floor, and whether the seam there runs along y.
    `beams`: pieces of the mast, each from z to z, the last of them with the boom; `boom_mm`: z of its underside."""

    columns: tuple[tuple[float, float], ...]
    rows: tuple[tuple[float, float], ...]
    posts: tuple[float, ...]
    sides: tuple[float, ...]
    lamps: float
    keys: tuple[tuple[float, float, bool], ...]
    beams: tuple[tuple[float, float], ...]
    boom_mm: float

    @property
    def seams_x(self) -> tuple[float, ...]:
        return tuple(end for _, end in self.columns[:-1])

    @property
    def seams_y(self) -> tuple[float, ...]:
        return tuple(end for _, end in self.rows[:-1])

    @property
    def short_bolts(self) -> int:
        """M4 x 35: two through each pair of lugs that holds nothing else, and two through each lap."""
        pairs = len(self.seams_x) + len(self.posts) - 1 + 2 * (len(self.sides) - 1)
        return 2 * pairs + 2 * (len(self.beams) - 1)

    @property
    def long_bolts(self) -> int:
        """M4 x 45: two through foot and lugs, two through foot and mast, two through each lamp's arm."""
        return 8


def plan(tray: Tray) -> Plan:
    """How this tray divides. Raises `HardwareError` where no such parts would fit the printer or one another."""
    room = tray.bed_mm - 2 * tray.bed_margin_mm
    # A part may have lugs on two of its sides.
    across, along = (
        _spans(-tray.wall_thickness_mm, size + tray.wall_thickness_mm, room - LUG_LONG_MM)
        for size in (tray.inner.width_mm, tray.inner.depth_mm)
    )
    seams = [end for _, end in across[:-1]]
    posts = tuple(sorted({*seams, _beside(tray.camera_x_mm, seams)}))
    sides = tuple(end for _, end in along[:-1]) or (tray.inner.depth_mm / 2,)
    lamps = min(sides, key=lambda y: abs(y - tray.camera_y_mm))
    boom_mm = tray.camera_height_mm + MODULE_MM + BOSS_MM + PLATE_MM
    beams = _beams(BASE_MM - tray.floor_thickness_mm, boom_mm + BEAM_DEEP_MM, room)
    if reach(tray) > room:
        raise HardwareError(
            f"tray.toml: the boom to the camera is {reach(tray):.0f} mm long and the printer prints {room:.0f} mm;"
            " move the [camera] towards the far wall, or make the arm of something else."
        )
    if tray.lamp_height_mm + tray.floor_thickness_mm + LAMP_MM > room:
        raise HardwareError(
            f"tray.toml: the arms of the [lamps] are higher than the {room:.0f} mm that the printer prints; lower them."
        )
    return Plan(across, along, posts, sides, lamps, tuple(_keys(tray, across, along)), beams, boom_mm)


def reach(tray: Tray) -> float:
    """Length of the boom, from the back of the mast to its tip beyond the camera."""
    return tray.wall_thickness_mm + LUG_LONG_MM + 1 + BEAM_DEEP_MM + tray.camera_y_mm + 30


def divider(tray: Tray) -> Area:
    """The strip between play and rail, along the side that they face each other with."""
    play, rail, wide = tray.play, tray.rail, tray.divider_width_mm
    if rail.x_mm >= play.x_mm + play.width_mm:
        return Area(rail.x_mm - wide, rail.y_mm, wide, rail.depth_mm)
    if play.x_mm >= rail.x_mm + rail.width_mm:
        return Area(play.x_mm - wide, rail.y_mm, wide, rail.depth_mm)
    top = max(rail.y_mm, play.y_mm)
    return Area(rail.x_mm, top - wide, rail.width_mm, wide)


def _spans(start: float, end: float, most: float) -> tuple[tuple[float, float], ...]:
    if most <= 0:
        raise HardwareError("tray.toml: the printer's bed_mm leaves no room; give its true size.")
    count = ceil((end - start) / most)
    step = (end - start) / count
    return tuple((start + step * n, start + step * (n + 1)) for n in range(count))


def _beside(x: float, seams: list[float]) -> float:
    """x, or the seam that it nearly is. Lugs need their thickness on both sides."""
    for seam in seams:
        if abs(seam - x) < 0.5:
            return seam
        if abs(seam - x) < 2 * LUG_THICK_MM + 1:
            raise HardwareError(
                f"tray.toml: the [camera] is {abs(seam - x):.0f} mm beside a seam of the tray, where the arm finds no"
                f" room; put it above the seam at x_mm = {seam:g}, or further away."
            )
    return x


def _beams(foot: float, top: float, room: float) -> tuple[tuple[float, float], ...]:
    count = ceil((top - foot - LAP_MM) / (room - LAP_MM))
    long = (top - foot + LAP_MM * (count - 1)) / count
    return tuple((foot + n * (long - LAP_MM), foot + n * (long - LAP_MM) + long) for n in range(count))


def _keys(tray: Tray, across: tuple[tuple[float, float], ...], along: tuple[tuple[float, float], ...]) -> Iterator[
    tuple[float, float, bool]
]:  # fmt: skip
    """Two to each part's side, but none below the divider."""
    ridge = divider(tray)
    seams = [(span[1], True) for span in across[:-1]] + [(span[1], False) for span in along[:-1]]
    for at, upright in seams:
        for start, end in along if upright else across:
            for middle in (start + (end - start) / 4, end - (end - start) / 4):
                x, y = (at, middle) if upright else (middle, at)
                key = Area(x - KEY_LONG_MM / 2, y - KEY_LONG_MM / 2, KEY_LONG_MM, KEY_LONG_MM)
                if not key.overlaps(ridge):
                    yield x, y, upright

"""What holds the camera: a foot around the far lugs, a mast of lapped beams with a boom, a plate for the camera, and
a plate that carries the Pi on the mast."""

from build123d import Part, Pos, SlotCenterToCenter, extrude

from hardware.cad.frame import Span, block, rod, side
from hardware.cad.tray import BOLT_OUT_MM, bolt_heights
from hardware.facts import Tray
from hardware.plan import (
    BASE_MM,
    BEAM_DEEP_MM,
    BEAM_THICK_MM,
    BOLT_MM,
    BOLTS_APART_MM,
    BOSS_MM,
    LAP_MM,
    LUG_LONG_MM,
    PLATE_MM,
    Plan,
)

_CHEEK_MM = 7.0
_LOOSE_MM = 0.3  # between cheeks and what they hold, in all
_TIP_MM = 10.0  # thickness of the boom where the camera's plate hangs
_TIP_LONG_MM = 30.0  # from the camera to either end of that
_GUSSET_MM = 45.0
SCREWS_MM = 26.0  # the plate's two screws, before and behind the camera
M3_MM = 3.4
# Boards by their holes: (across, along, hole). Module 2 and 3; HQ and Global Shutter.
_MODULE = (21.0, 12.5, 2.3)
_LARGE = (30.0, 30.0, 2.7)
_HEAD_MM = 2.2  # of an M2 screw
_SHIFT_MM = 2.0  # the lens sits a little beside the middle of a module's holes; the slots let it be centred
_PI = (58.0, 49.0, 23.0)  # holes of a Pi, and the narrower pair of a Zero


def mast_span(tray: Tray) -> Span:
    """Where the mast stands, Y: behind the far lugs."""
    front = tray.inner.depth_mm + tray.wall_thickness_mm + LUG_LONG_MM + 1
    return front, front + BEAM_DEEP_MM


def foot(tray: Tray) -> Part:
    """Two cheeks on a sole: they hold the far lugs in front and the mast behind."""
    x, (front, back) = tray.camera_x_mm, mast_span(tray)
    low = -tray.floor_thickness_mm
    lugs = tray.inner.depth_mm + tray.wall_thickness_mm
    high = tray.wall_height_mm
    rim = [(lugs + 1, low), (back + 40, low), (back + 40, low + BASE_MM), (back, high + 20), (front, high + 20),
           (front - 4, high), (lugs + 4, high), (lugs + 1, high - 3)]  # fmt: skip
    inside = (BEAM_THICK_MM + _LOOSE_MM) / 2
    body = block((x - 32, x + 32), (front, back + 40), (low, low + BASE_MM))
    for start, end in ((-inside - _CHEEK_MM, -inside), (inside, inside + _CHEEK_MM)):
        body += side(rim, (x + start, x + end))
    for z in bolt_heights(tray):
        body -= rod((x, lugs + BOLT_OUT_MM, z), "x", BOLT_MM, 80)
    return body - _bolts(x, (front + back) / 2, low + BASE_MM + 15)


def beams(tray: Tray, plan: Plan) -> dict[str, Part]:
    """The mast from below, `mast-1` upwards; the last piece is `boom`."""
    last = len(plan.beams) - 1
    return {"boom" if n == last else f"mast-{n + 1}": _beam(tray, plan, n, span) for n, span in enumerate(plan.beams)}


def _beam(tray: Tray, plan: Plan, n: int, z: Span) -> Part:
    x, (front, back) = tray.camera_x_mm, mast_span(tray)
    middle, half = (front + back) / 2, BEAM_THICK_MM / 2
    last = n == len(plan.beams) - 1
    outline = _boom(tray, plan, z[0]) if last else [(front, z[0]), (back, z[0]), (back, z[1]), (front, z[1])]
    body = side(outline, (x - half, x + half))
    # Laps take turns: a beam has both of its own on the same side, so that it can lie on the other one in the printer.
    gone = (x, x + half + 1) if n % 2 == 0 else (x - half - 1, x)
    if n == 0:
        body -= _bolts(x, middle, z[0] + 15)
    else:
        body -= block(gone, (front - 1, back + 1), (z[0] - 1, z[0] + LAP_MM))
        body -= _bolts(x, middle, z[0] + (LAP_MM - BOLTS_APART_MM) / 2)
    if last:
        for way in (-1, 1):
            body -= rod((x, tray.inner.depth_mm - tray.camera_y_mm + way * SCREWS_MM, plan.boom_mm), "z", M3_MM, 60)
    else:
        body -= block(gone, (front - 1, back + 1), (z[1] - LAP_MM, z[1] + 1))
        body -= _bolts(x, middle, z[1] - LAP_MM + (LAP_MM - BOLTS_APART_MM) / 2)
    return body


def _boom(tray: Tray, plan: Plan, bottom: float) -> list[tuple[float, float]]:
    """Mast and boom in one, with a gusset below and a top that slopes down to the tip."""
    (front, back), under = mast_span(tray), plan.boom_mm
    camera = tray.inner.depth_mm - tray.camera_y_mm
    tip, root = camera - _TIP_LONG_MM, camera + _TIP_LONG_MM
    over = under + BEAM_DEEP_MM
    return [
        (front, bottom), (back, bottom), (back, over - 6), (back - 6, over), (front, over), (root, under + _TIP_MM),
        (tip, under + _TIP_MM), (tip, under), (front - _GUSSET_MM, under), (front, under - _GUSSET_MM),
    ]  # fmt: skip


def _bolts(x: float, y: float, low: float) -> Part:
    return rod((x, y, low), "x", BOLT_MM, 80) + rod((x, y, low + BOLTS_APART_MM), "x", BOLT_MM, 80)


def camera_plate(tray: Tray, plan: Plan) -> Part:
    """Hangs below the boom's tip; the camera below it, on bosses, looking down."""
    x, y, z = tray.camera_x_mm, tray.inner.depth_mm - tray.camera_y_mm, plan.boom_mm - PLATE_MM
    here = Pos(x, y, z)
    body = here * block((-22, 22), (-SCREWS_MM - 6, SCREWS_MM + 6), (0, PLATE_MM))
    body += here * Pos(0, 0, -BOSS_MM) * _slots(*_MODULE, BOSS_MM, rim=3.0)
    body -= here * Pos(0, 0, -BOSS_MM - 1) * _slots(*_MODULE, PLATE_MM + BOSS_MM + 2)
    body -= here * Pos(0, 0, PLATE_MM - _HEAD_MM) * _slots(*_MODULE, _HEAD_MM + 1, rim=2.2)  # heads under the boom
    body -= here * Pos(0, 0, -1) * _slots(*_LARGE, PLATE_MM + 2)
    for way in (-1, 1):
        body -= rod((x, y + way * SCREWS_MM, z), "z", M3_MM, 40)
    return body


def _slots(across: float, along: float, hole: float, long: float, rim: float = 0.0) -> Part:
    slot = extrude(SlotCenterToCenter(2 * _SHIFT_MM, hole + rim, rotation=90), long)
    body = Part()
    for way_x in (-1, 1):
        for way_y in (-1, 1):
            body += Pos(way_x * across / 2, way_y * along / 2, 0) * slot
    return body


def pi_plate(tray: Tray, plan: Plan) -> Part:
    """On the side of the mast, at its first lap; the Pi stands upright behind the mast, on bosses."""
    (front, back), z = mast_span(tray), plan.beams[0][1] - LAP_MM / 2
    x = tray.camera_x_mm + BEAM_THICK_MM / 2
    long, wide, narrow = _PI
    middle = back + 6 + wide / 2
    tall = long / 2 + 5
    body = block((x, x + PLATE_MM), (front, middle + wide / 2 + 5), (z - tall, z + tall))
    for up in (-1, 1):
        for out in (-wide / 2, wide / 2, wide / 2 - narrow):
            at = (middle + out, z + up * long / 2)
            body += rod((x + PLATE_MM + BOSS_MM / 2, *at), "x", 6.0, BOSS_MM)
            body -= rod((x, *at), "x", 2.2, 40)  # an M2.5 screw cuts its own thread
    return body - _bolts(x, (front + back) / 2, z - BOLTS_APART_MM / 2)

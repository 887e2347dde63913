"""The panel: a box without bottom and back on the outside of the near wall, whose face holds buttons and lamps."""

from build123d import Part

from hardware import face
from hardware.cad.frame import block, rod
from hardware.facts import Tray

_POST_MM = 9.0
_THREAD_MM = 2.6  # an M3 screw cuts its own thread
_GAP_MM = 0.4  # to the tray's wall


def panel(tray: Tray) -> Part:
    """As it stands in the box, the face towards the players."""
    middle, low = tray.camera_x_mm, -tray.floor_thickness_mm
    back = -tray.wall_thickness_mm - _GAP_MM
    front = back - face.DEEP_MM
    left, right, high = middle - face.WIDE_MM / 2, middle + face.WIDE_MM / 2, low + face.HIGH_MM
    body = block((left, right), (front, back), (low, high))
    body -= block(
        (left + face.SKIN_MM, right - face.SKIN_MM), (front + face.SKIN_MM, back + 1), (low - 1, high - face.SKIN_MM)
    )
    for at in (-face.SCREW_X_MM, face.SCREW_X_MM):
        x, z = middle + at, low + face.SCREW_Z_MM
        post = _POST_MM / 2
        body += block((x - post, x + post), (front, back), (z - post, z + post))
        body -= rod((x, back, z), "y", _THREAD_MM, 40)
    for spot in face.spots(tray):
        # The wall's far side of the picture is the players' near one: what is right for them is right here.
        body -= rod((middle + spot.x_mm, front, low + spot.z_mm), "y", spot.hole_mm, 4 * face.SKIN_MM)
    return body

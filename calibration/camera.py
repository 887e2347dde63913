"""How the camera looks at the table, from the sizes of faces across the picture."""

import numpy as np

from vision.geometry import Camera
from vision.sampling import Floats

# Focal length of a camera of which nothing is known, in picture widths: 61 degrees across, between the Pi camera
# modules 2 (62 degrees) and 3 (66 degrees).
FOCAL = 0.85
# A camera over a tray is mounted about straight: a tilt of this size (0.07 is 4 degrees) is as likely as none ...
_TILT = 0.07
# ... and the pip spacing of one face is right to this share.
_NOISE = 0.012


def straight(width: int, height: int, focal: float | None = None) -> Camera:
    """A camera that looks straight down, its height not known yet (1000 mm)."""
    return Camera(focal or FOCAL * width, (width - 1) / 2, (height - 1) / 2, 0.0, 0.0, 1000.0)


def tilted(camera: Camera, xy: Floats, size: Floats, kind: Floats) -> Camera:
    """The tilt that makes equal faces equal. `xy`: (n, 2) pixels. `size`: (n,) pixels, any length of the top face.
    `kind`: (n,) faces of one number are equal."""
    x, y = (xy[:, 0] - camera.cx) / camera.focal, (xy[:, 1] - camera.cy) / camera.focal
    names = np.unique(kind)
    a, b = 0.0, 0.0
    for _ in range(4):
        c = np.sqrt(1 - a * a - b * b)
        depth = a * x + b * y + c
        # log size = log of the kind's size + 1.5 log depth; taken linear in a and b around the last guess.
        gx, gy = 1.5 * x / depth, 1.5 * y / depth
        left = np.log(size) - 1.5 * np.log(depth) + gx * a + gy * b
        rows = np.column_stack([gx, gy, kind[:, None] == names[None]]).astype(float) / _NOISE
        prior = np.zeros((2, 2 + len(names)))
        prior[0, 0] = prior[1, 1] = 1 / _TILT
        solved = np.linalg.lstsq(np.vstack([rows, prior]), np.concatenate([left / _NOISE, [0, 0]]), rcond=None)[0]
        a, b = float(np.clip(solved[0], -0.4, 0.4)), float(np.clip(solved[1], -0.4, 0.4))
    return Camera(camera.focal, camera.cx, camera.cy, a, b, camera.height_mm)


def height(camera: Camera, xy: Floats, edge_px: Floats, edge_mm: float) -> float:
    """Millimetres from table to camera, from the edges (n,) in pixels of faces of one known size."""
    # At 1000 mm above the top face a millimetre shows as `scale` pixels; everything else is proportion.
    scale = np.sqrt(np.abs(np.linalg.det(camera.scale(xy, camera.height_mm - 1000.0))))
    return float(np.median(1000.0 * scale * edge_mm / edge_px) + edge_mm)

"""In the tray, on the rail, or outside."""

import cv2
import numpy as np

from vision.profile import Profile
from vision.seen import Zone


def of(foot: tuple[float, float], profile: Profile) -> Zone:
    """Where a die stands. `foot`: pixels, the floor under its middle. Without outlines all is tray."""
    rail, tray = _depth(foot, profile.rail), _depth(foot, profile.tray)
    if rail is not None and rail > 0 and (tray is None or rail > tray):
        return "rail"
    if tray is None or tray > -profile.slip_px:
        return "tray"
    return "outside"


def well_inside(foot: tuple[float, float], profile: Profile) -> bool:
    """Not on the tray's walls, where lamps and hands are mirrored, nor beyond them."""
    depths = [_depth(foot, profile.tray), _depth(foot, profile.rail)]
    return all(d is None for d in depths) or any(d is not None and d > 0.4 * profile.slip_px for d in depths)


def _depth(foot: tuple[float, float], polygon: object) -> float | None:
    """Pixels inside the outline, negative outside."""
    if polygon is None:
        return None
    return float(cv2.pointPolygonTest(np.array(polygon, np.float32), foot, True))

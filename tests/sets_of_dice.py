"""A small profile for tests of what is kept on the shelf: it reads nothing, but is whole."""

import numpy as np

from calibration import store
from calibration.kept import Kept
from vision.dice_set import Kind, Learned, Roll
from vision.geometry import Camera
from vision.profile import Profile


def profile(name: str = "", made: str = "2026-05-03", shade: int = 90) -> Profile:
    kind = Kind("ivory", (200.0, 220.0, 230.0), (20.0, 20.0, 20.0), 16.0, 0.25, 0.09, 0.1, 12, count=6)
    return Profile(
        64,
        48,
        Camera(54.4, 31.5, 23.5, 0.01, -0.04, 351.25, 0.0),
        (kind,),
        ((4.0, 4.0), (60.0, 4.0), (60.0, 44.0), (4.0, 44.0)),
        empty=np.full((48, 64, 3), shade, np.uint8),
        likeness=np.full((16, 16, 16), shade, np.uint8),
        learned=Learned(made, "0.1.0", 2, 12, 2, name),
        rolls=(Roll((1, 2, 3, 4, 5, 6), True, 0.97),),
    )


def kept(name: str = "", made: str = "2026-05-03", shade: int = 90) -> Kept:
    """The same as the shelf keeps it."""
    return store.packed(profile(name, made, shade))

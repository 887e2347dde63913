"""A camera that hangs another way: its pictures turned upright, and mirrored back.

Done here and not in the sensor: not every camera can, quarter turns none, and what is asked of one is not always
granted. Where the camera hangs as it should nothing is done.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from firmware.drivers import Camera, Hanging
from vision.control import Control
from vision.frame import Fetched, Frame, Image

_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


class Upright:
    """A `Camera` whose pictures are those of another, as people see the tray."""

    def __init__(self, camera: Camera, hanging: Hanging) -> None:
        self.name = camera.name
        self._camera, self._hanging = camera, hanging

    def read(self, timeout_s: float) -> Frame:
        frame, hanging = self._camera.read(timeout_s), self._hanging
        size = as_it_hangs(frame.size, hanging) or frame.size
        whole = Fetched(size, cache(lambda: upright(frame.image, hanging)))
        small = None if frame.small is None else upright(frame.small, hanging)
        return replace(frame, picture=whole, small=small)

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        return self._camera.lock(controls)

    def close(self) -> None:
        self._camera.close()


def upright(image: Image, hanging: Hanging) -> Image:
    """uint8 (h, w, 3), or (w, h, 3) after a quarter turn; nobody writes to it."""
    if hanging.turned in _TURNS:
        image = np.asarray(cv2.rotate(image, _TURNS[hanging.turned]), np.uint8)
    if hanging.mirrored:
        image = np.asarray(cv2.flip(image, 1), np.uint8)
    image.flags.writeable = False
    return image


def as_it_hangs(size: tuple[int, int] | None, hanging: Hanging) -> tuple[int, int] | None:
    """Width and height that the camera itself has to give for upright pictures of this size. The other way round it is
    the same."""
    return (size[1], size[0]) if size is not None and hanging.turned in (90, 270) else size

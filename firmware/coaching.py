"""The eye's part in a calibration: live looks a few times a second, and pictures that are kept."""

from pathlib import Path

import cv2

from calibration import coach
from calibration.deeds import Looked, StillKept
from firmware.drivers import Camera
from firmware.files import write_whole
from firmware.jpegs import small_jpeg
from firmware.lessons import EMPTY, still
from vision.frame import Frame
from vision.glance import Grey, glance

LOOK_S = 0.3
FRAME_S = 2.0


class Coaching:
    """`folder`: where pictures are kept. `step`: of the calibration under way; None while there is none to look for."""

    def __init__(self, folder: Path, step: str | None) -> None:
        self.step = step
        self._folder = folder
        self._looked_s = 0.0
        self._before: Grey | None = None
        self._empty: Grey | None = None

    def look(self, frame: Frame) -> tuple[Looked, ...]:
        """What the coach says to this frame, when it is time for a look."""
        if frame.at_s - self._looked_s < LOOK_S:
            return ()
        self._looked_s = frame.at_s
        empty = self._empty if self.step in ("tray", "dice") else None
        sight, self._before = coach.look(frame.image, self._before, empty)
        return (Looked(sight),)

    def keep(self, frame: Frame, name: str, camera: Camera) -> StillKept:
        """Write the picture, and a small one for phones. On the empty tray the camera settles and is locked: from
        then on colours mean the same. Raises `OSError`, `CameraLost`."""
        controls = camera.lock() if name == EMPTY else {}
        frame = camera.read(FRAME_S) if controls else frame
        packed = cv2.imencode(".png", frame.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
        write_whole(still(self._folder, name), packed.tobytes())
        write_whole(self._folder / f"{name}.jpg", small_jpeg(frame.image))
        if name == EMPTY:
            self._empty = glance(frame.image)
        return StillKept(name, controls)

"""The simulated tray's camera: pictures of the present scene, thirty a second, with a real camera's faults."""

import math
import threading
import time
from collections.abc import Callable

from firmware.drivers.simulated import box
from firmware.drivers.simulated.render import Renderer
from firmware.drivers.simulated.scene import Scene
from firmware.errors import CameraLost
from vision.frame import Frame

_DROPPED = 3  # while frames are dropped, only every third arrives
_FRAME_S = 1 / box.FRAMES_PER_S


class SimulatedCamera:
    """A `Camera`. `scene`: what lies in the tray at first; `show` changes it at any time, from any thread.

    `clock`: seconds, monotonic, the clock of the scene's times. Frame n is exposed at n / 30 s of that clock.
    `sleep`: waits on it; closing the camera ends the usual one.
    """

    def __init__(
        self,
        scene: Scene | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self.name = "simulated tray"
        self._scene = scene if scene is not None else Scene()
        self._clock = clock
        self._closed = threading.Event()
        self._sleep = sleep or self._closed.wait
        self._renderer = Renderer(self._scene.grain)
        self._first = self._last = math.floor(clock() / _FRAME_S)

    def show(self, scene: Scene) -> None:
        """From the next frame on, film `scene`."""
        self._scene = scene

    def read(self, timeout_s: float) -> Frame:
        until_s = self._clock() + timeout_s
        number = max(math.floor(self._clock() / _FRAME_S), self._last) + 1
        while number * _FRAME_S <= until_s:
            self._wait(number * _FRAME_S)
            scene, at_s = self._scene, number * _FRAME_S
            if not _lost(scene, number, at_s):
                self._last = number
                picture = self._renderer.render(scene, at_s, number)
                picture.flags.writeable = False
                return Frame(picture, number - self._first, at_s)
            number += 1
        self._wait(until_s)
        raise CameraLost(
            "The simulated camera gives no picture; wait until its fault is over, or enter throws by hand."
        )

    def close(self) -> None:
        self._closed.set()

    def _wait(self, until_s: float) -> None:
        while not self._closed.is_set() and (left := until_s - self._clock()) > 1e-6:
            self._sleep(left)
        if self._closed.is_set():
            raise CameraLost("The simulated camera is closed.")


def _lost(scene: Scene, number: int, at_s: float) -> bool:
    if scene.faulty("dead-camera", at_s):
        return True
    return scene.faulty("dropped-frames", at_s) and number % _DROPPED != 0

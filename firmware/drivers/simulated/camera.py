"""The simulated tray's camera: pictures of the present scene, thirty a second, with a real camera's faults."""

import math
import threading
import time
from collections.abc import Callable, Mapping

import numpy as np

from firmware.drivers.simulated import box
from firmware.drivers.simulated.render import Renderer
from firmware.drivers.simulated.scene import Scene
from firmware.errors import CameraLost
from speech.sentence import say
from vision.control import Control
from vision.frame import Frame, Image

# While something moves, no frame is further from the last one: whoever is too slow to see all of them sees the world
# slowly, and not in leaps.
_LEAP = 3
_REST_S = 0.3  # at rest a board has as long for other work as it took to draw, up to this: then it is a slow one
_DROPPED = 3  # while frames are dropped, only every third arrives
_FRAME_S = 1 / box.FRAMES_PER_S
_SETTLE_S = 1.0
_LEVEL = 101.0  # the middle brightness that automatic exposure aims at: that of the tray in its usual light
_LEAST, _MOST = 0.25, 8.0  # gain


class SimulatedCamera:
    """A `Camera`. `scene`: what lies in the tray at first; `show` changes it at any time, from any thread.

    `clock`: seconds, monotonic, the clock of the scene's times. Frame n is exposed at n / 30 s of that clock. A scene
    waits for whoever looks at it slowly: a frame may come later than it was exposed, as long as something moves.
    `sleep`: waits on it; closing the camera ends the usual one. `controls`: what it is locked to, its gain alone.
    """

    def __init__(
        self,
        scene: Scene | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
        controls: Mapping[str, Control] | None = None,
    ) -> None:
        self.name = "simulated tray"
        self._gain = _gain_of(controls)
        self._scene = scene if scene is not None else Scene()
        self._clock = clock
        self._closed = threading.Event()
        self._sleep = sleep or self._closed.wait
        self._renderer = Renderer(self._scene.grain)
        self._first = self._last = math.floor(clock() / _FRAME_S)
        self._rests_until_s = 0.0

    def show(self, scene: Scene) -> None:
        """From the next frame on, film `scene`."""
        self._scene = scene

    def read(self, timeout_s: float) -> Frame:
        until_s = self._clock() + timeout_s
        self._rest(until_s)
        number = self._next()
        while number * _FRAME_S <= until_s:
            self._wait(number * _FRAME_S)
            scene, at_s = self._scene, number * _FRAME_S
            if not _lost(scene, number, at_s):
                self._last = number
                return Frame(self._drawn(scene, number), number - self._first, at_s)
            number += 1
        self._wait(until_s)
        raise CameraLost(
            say("The simulated camera gives no picture; wait until its fault is over, or enter throws by hand.")
        )

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        if controls is None:
            self._gain = 1.0
            level = float(np.median(self.read(_SETTLE_S).image.max(2)))
            # As with a real one a trifle changes nothing.
            gain = _LEVEL / max(1.0, level)
            self._gain = 1.0 if 0.9 < gain < 1.1 else round(min(max(gain, _LEAST), _MOST), 2)
        else:
            self._gain = _gain_of(controls)
        return {"AnalogueGain": self._gain}

    def close(self) -> None:
        self._closed.set()

    def _drawn(self, scene: Scene, number: int) -> Image:
        began_s = self._clock()
        picture = self._renderer.render(scene, number * _FRAME_S, number, self._gain)
        picture.flags.writeable = False
        ended_s = self._clock()
        self._rests_until_s = ended_s + min(ended_s - began_s, _REST_S)
        return picture

    def _rest(self, until_s: float) -> None:
        if not self._scene.moves(self._last * _FRAME_S, self._clock()):
            self._wait(min(self._rests_until_s, until_s))

    def _next(self) -> int:
        newest, nearest = math.floor(self._clock() / _FRAME_S) + 1, self._last + _LEAP
        if newest > nearest and self._scene.moves(self._last * _FRAME_S, newest * _FRAME_S):
            return nearest
        return max(newest, self._last + 1)

    def _wait(self, until_s: float) -> None:
        while not self._closed.is_set() and (left := until_s - self._clock()) > 1e-6:
            self._sleep(left)
        if self._closed.is_set():
            raise CameraLost(say("The simulated camera is closed."))


def _gain_of(controls: Mapping[str, Control] | None) -> float:
    gain = (controls or {}).get("AnalogueGain", 1.0)
    return float(gain) if isinstance(gain, int | float) and _LEAST <= gain <= _MOST else 1.0


def _lost(scene: Scene, number: int, at_s: float) -> bool:
    if scene.faulty("dead-camera", at_s):
        return True
    return scene.faulty("dropped-frames", at_s) and number % _DROPPED != 0

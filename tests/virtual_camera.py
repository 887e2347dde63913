"""Let the real picamera2 open libcamera's virtual camera, which shows pictures from a folder. A plugin of pytest:
`-p virtual_camera`. Test-only; no file of picamera2 is changed.

What differs from a camera on a Pi, and is mended here:
1. picamera2 loads a library for previews on a screen that Raspberry Pi OS alone has. Nobody previews here.
2. It asks for raw modes; the virtual camera has none, as USB cameras have not.
3. It allocates buffers of one plane; the virtual camera writes two. libcamera's own allocator makes them as wanted.
4. The virtual camera completes a request the moment it is queued. Requests are handed over at a camera's pace instead.
"""

import queue
import sys
import threading
import time
from typing import Any
from unittest import mock

FRAME_S = 1 / 30


class _Paced:
    """A libcamera camera whose requests are queued one a frame time."""

    def __init__(self, camera: Any) -> None:
        self._camera = camera
        self._waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._filming = threading.Event()
        self._thread: threading.Thread | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._camera, name)

    def __eq__(self, other: object) -> bool:
        return bool(self._camera == getattr(other, "_camera", other))

    __hash__ = None  # type: ignore[assignment]  # as libcamera's own

    def start(self, *controls: Any) -> None:
        self._camera.start(*controls)
        self._filming.set()
        self._thread = threading.Thread(target=self._pace, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._filming.clear()
        self._waiting.put(None)
        if self._thread is not None:
            self._thread.join()
        while not self._waiting.empty():
            self._waiting.get()
        self._camera.stop()

    def queue_request(self, request: Any) -> None:
        self._waiting.put(request)

    def _pace(self) -> None:
        due_s = time.monotonic()
        while (request := self._waiting.get()) is not None:
            due_s = max(due_s + FRAME_S, time.monotonic())
            time.sleep(max(0.0, due_s - time.monotonic()))
            if self._filming.is_set():
                self._camera.queue_request(request)


class _Later:
    """Stands where an allocator is asked for before there is a camera to make one for."""

    def close(self) -> None:
        """Nothing was allocated."""


def _arrange() -> None:
    for name in ("pykms", "kms"):
        sys.modules.setdefault(name, mock.MagicMock(name=name))
    import libcamera
    from picamera2 import Picamera2, picamera2
    from picamera2.allocators import LibcameraAllocator

    opened, raw_modes = Picamera2.__init__, Picamera2._get_raw_modes

    def open_virtual(self: Any, camera_num: int = 0, *rest: Any, **named: Any) -> None:
        opened(self, camera_num, *rest, **{"allocator": _Later(), **named})
        self.allocator = LibcameraAllocator(self.camera)
        self.camera = _Paced(self.camera)

    def modes(self: Any) -> Any:
        if self.camera.generate_configuration([libcamera.StreamRole.Raw]) is not None:
            return raw_modes(self)
        only = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0)
        return [{"format": str(only.pixel_format), "size": (only.size.width, only.size.height)}]

    Picamera2.__init__, Picamera2._get_raw_modes = open_virtual, modes
    picamera2.DmaAllocator = _Later  # a closed camera makes itself a new one


_arrange()

"""The Pi camera's two pictures of one moment: the whole one, and a small one that its image processor makes beside it.

The small one is what is watched, a third of the whole one's size each way. The whole one, of some four megabytes, is
copied out of the camera's memory only when it is wanted: to be read, shown or kept. What was asked for and what the
camera grants may differ, so pictures are converted by what it says it sends.
"""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from firmware.drivers.pixels import Bytes, to_bgr, to_half_bgr
from vision.frame import Image

Size = tuple[int, int]

_BUFFERS = 4
# Pixels: pictures that are smaller are soon copied, and a third of them shows too little.
_LARGE = 1280
_FULL_RANGE = ("sYCC", "JPEG", "sRGB")  # colour spaces whose luma goes from 0 to 255
_SMALL = 0.75  # of the whole picture's width: a second picture that is larger spares nothing
# By how much the small picture may be wider or narrower than the whole one made small: the camera rounds its sizes.
_STRETCHED = 0.01


@dataclass(frozen=True, slots=True)
class Stream:
    """`name`: picamera2's. `layout`, `size`, `stride`, `full_range`: see `to_bgr`."""

    name: str
    layout: str
    size: Size
    stride: int
    full_range: bool

    def picture(self, request: Any) -> Image:
        """Of a completed request: uint8 (h, w, 3) BGR, read only."""
        return self._made(to_bgr, request)

    def half(self, request: Any) -> Image:
        """The same in half its size each way."""
        return self._made(to_half_bgr, request)

    def _made(self, convert: Callable[[Bytes, str, Size, int, bool], Image], request: Any) -> Image:
        image = convert(request.make_buffer(self.name), self.layout, self.size, self.stride, self.full_range)
        image.flags.writeable = False
        return image


def configured(device: Any, size: Size, sensor: Size | None) -> None:
    """Set the camera up for pictures of `size` and small ones beside them, or without these where it cannot make them.
    `sensor`: its mode; None leaves the choice to the camera. Raises what picamera2 does."""
    mode = {"sensor": {"output_size": sensor}} if sensor else {}
    whole = {"main": {"size": size, "format": "RGB888"}, "buffer_count": _BUFFERS, "queue": False, **mode}
    if max(size) >= _LARGE:
        # Older Pis make small pictures as YUV alone, whose colours come in half of its size. In a third of the whole
        # picture the usual tray, two thirds of what is in view, is the 320 pixels wide that `vision.glance` looks at.
        small = {"lores": {"size": (size[0] // 3 * 2, size[1] // 3 * 2), "format": "YUV420"}}
        # It may have but one stream, as USB cameras have, or no memory for two.
        with contextlib.suppress(RuntimeError, OSError):
            device.configure(device.create_video_configuration(**whole, **small))
            if streams_of(device)[1] is not None:
                return
    device.configure(device.create_video_configuration(**whole))


def streams_of(device: Any) -> tuple[Stream, Stream | None]:
    """What it sends: the whole picture and the small one, None where that is not the same in small."""
    told = device.camera_configuration()
    full_range = any(space in str(told.get("colour_space")) for space in _FULL_RANGE)
    whole = _stream("main", told["main"], full_range)
    small = _stream("lores", told["lores"], full_range) if told.get("lores") else None
    return whole, small if small is not None and _is_same(whole.size, small.size) else None


def _stream(name: str, told: Mapping[str, Any], full_range: bool) -> Stream:
    return Stream(name, told["format"], told["size"], told["stride"], full_range)


def _is_same(whole: Size, small: Size) -> bool:
    across, down = small[0] / whole[0], small[1] / whole[1]
    return across < _SMALL and abs(across / down - 1) < _STRETCHED

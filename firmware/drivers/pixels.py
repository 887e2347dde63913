"""Camera buffers to BGR pictures, for the formats that libcamera may hand over."""

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.errors import CameraLost
from speech.sentence import say
from vision.frame import Image

Bytes = NDArray[np.uint8]

# libcamera names the bytes from the highest down: its RGB888 is blue, green, red in memory.
_PACKED = {"RGB888": 3, "BGR888": 3, "XRGB8888": 4, "XBGR8888": 4}


def to_bgr(buffer: Bytes, layout: str, size: tuple[int, int], stride: int, full_range: bool) -> Image:
    """uint8 (h, w, 3) BGR from the bytes of one buffer.

    `layout`: libcamera's name. `size`: width and height. `stride`: bytes a row. `full_range`: luma goes from 0 to 255,
    as in JPEG, not from 16 to 235, as in video. Raises `CameraLost` for a layout that is not known.
    """
    width, height = size
    if layout in _PACKED:
        count = _PACKED[layout]
        rows = buffer[: stride * height].reshape(height, stride)[:, : width * count].reshape(height, width, count)
        return np.ascontiguousarray(rows[..., :3] if "RGB" in layout else rows[..., 2::-1])
    if layout == "MJPEG":
        picture = cv2.imdecode(buffer, cv2.IMREAD_COLOR)
        if picture is None:
            raise CameraLost(say("The camera sent a broken picture; check its cable."))
        return np.asarray(picture, np.uint8)
    if layout in ("NV12", "YUV420", "YUYV"):
        y, u, v = _planes(buffer, layout, size, stride)
        return _from_yuv(y, u, v, full_range)
    raise CameraLost(
        say("The camera sends pictures as {layout}, which is not known here; use another camera.", layout=layout)
    )


def to_half_bgr(buffer: Bytes, layout: str, size: tuple[int, int], stride: int, full_range: bool) -> Image:
    """As `to_bgr`, but uint8 (h / 2, w / 2, 3): one pixel of four, as fine as the colours of television are. Of these
    formats that takes a fifth of the time."""
    if layout in ("NV12", "YUV420"):
        y, u, v = _planes(buffer, layout, size, stride)
        y = np.asarray(cv2.resize(y, (u.shape[1], u.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
        return _from_yuv(y, u, v, full_range)
    half = (size[0] // 2, size[1] // 2)
    whole = to_bgr(buffer, layout, size, stride, full_range)
    return np.asarray(cv2.resize(whole, half, interpolation=cv2.INTER_AREA), np.uint8)


def _planes(buffer: Bytes, layout: str, size: tuple[int, int], stride: int) -> tuple[Bytes, Bytes, Bytes]:
    """Luma (h, w), and the two chroma planes as they come."""
    width, height = size
    if layout == "YUYV":
        rows = buffer[: stride * height].reshape(height, stride)[:, : width * 2].reshape(height, width // 2, 4)
        return rows[..., ::2].reshape(height, width), rows[..., 1], rows[..., 3]
    luma = buffer[: stride * height].reshape(height, stride)[:, :width]
    chroma = buffer[stride * height : stride * height * 3 // 2]
    if layout == "NV12":
        pairs = chroma.reshape(height // 2, stride)[:, :width].reshape(height // 2, width // 2, 2)
        return luma, pairs[..., 0], pairs[..., 1]
    u, v = chroma.reshape(2, height // 2, stride // 2)[:, :, : width // 2]
    return luma, u, v


def _from_yuv(y: Bytes, u: Bytes, v: Bytes, full_range: bool) -> Image:
    """By BT.601, which OpenCV's YCrCb means with full range."""
    size = (y.shape[1], y.shape[0])
    cr, cb = (cv2.resize(np.ascontiguousarray(c), size, interpolation=cv2.INTER_LINEAR) for c in (v, u))
    if full_range:
        whole = cv2.merge([np.ascontiguousarray(y), cr, cb])
    else:
        luma = cv2.convertScaleAbs(cv2.subtract(y, np.full(4, 16.0)), None, 255 / 219)
        cr, cb = (cv2.addWeighted(c, 255 / 224, c, 0, 128 - 128 * 255 / 224) for c in (cr, cb))
        whole = cv2.merge([luma, cr, cb])
    return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR), np.uint8)

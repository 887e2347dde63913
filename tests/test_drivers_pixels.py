"""What libcamera sends becomes the same picture, whatever the layout."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.drivers.pixels import to_bgr, to_half_bgr
from firmware.errors import CameraLost

WIDE, HIGH, STRIDE = 32, 16, 64  # bytes a row of luma are more than pixels, as on a Pi


def picture() -> NDArray[np.uint8]:
    y, x = np.mgrid[0:HIGH, 0:WIDE]
    return np.stack([60 + 4 * x, 50 + 8 * y, 200 - 3 * x], axis=2).astype(np.uint8)


def padded(rows: NDArray[np.uint8], stride: int) -> NDArray[np.uint8]:
    whole = np.full((len(rows), stride), 77, np.uint8)
    whole[:, : rows.shape[1]] = rows
    return whole.ravel()


def yuv(full_range: bool) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Luma, and chroma of half the size."""
    y, cr, cb = cv2.split(cv2.cvtColor(picture(), cv2.COLOR_BGR2YCrCb))
    half = [c.reshape(HIGH // 2, 2, WIDE // 2, 2).mean(axis=(1, 3)) for c in (cb, cr)]
    if not full_range:
        y = np.round(16 + y * (219 / 255)).astype(np.uint8)
        half = [128 + (c - 128) * (224 / 255) for c in half]
    return np.asarray(y, np.uint8), np.round(half[0]).astype(np.uint8), np.round(half[1]).astype(np.uint8)


@pytest.mark.parametrize("full_range", [True, False])
@pytest.mark.parametrize("layout", ["NV12", "YUV420", "YUYV"])
def test_yuv_pictures_keep_their_colours(layout: str, full_range: bool) -> None:
    y, u, v = yuv(full_range)
    stride = STRIDE
    if layout == "NV12":
        pairs = np.stack([u, v], axis=2).reshape(HIGH // 2, WIDE)
        buffer = np.concatenate([padded(y, stride), padded(pairs, stride)])
    elif layout == "YUV420":
        buffer = np.concatenate([padded(y, stride), padded(u, stride // 2), padded(v, stride // 2)])
    else:
        stride = 2 * STRIDE
        rows = np.empty((HIGH, WIDE // 2, 4), np.uint8)
        rows[..., 0], rows[..., 2] = y[:, ::2], y[:, 1::2]
        rows[..., 1], rows[..., 3] = np.repeat(u, 2, axis=0), np.repeat(v, 2, axis=0)
        buffer = padded(rows.reshape(HIGH, -1), stride)
    got = to_bgr(buffer, layout, (WIDE, HIGH), stride, full_range)
    assert got.shape == (HIGH, WIDE, 3)
    inside = np.s_[2:-2, 2:-2]
    assert np.abs(got[inside].astype(int) - picture()[inside]).max() <= 6
    half = to_half_bgr(buffer, layout, (WIDE, HIGH), stride, full_range)
    assert half.shape == (HIGH // 2, WIDE // 2, 3)
    assert (
        np.abs(half.astype(int) - cv2.resize(picture(), (WIDE // 2, HIGH // 2), interpolation=cv2.INTER_AREA)).max()
        <= 6
    )


@pytest.mark.parametrize(
    ("layout", "order"),
    [("RGB888", [0, 1, 2]), ("BGR888", [2, 1, 0]), ("XRGB8888", [0, 1, 2, 2]), ("XBGR8888", [2, 1, 0, 0])],
)
def test_packed_pictures_are_told_apart_by_their_order(layout: str, order: list[int]) -> None:
    rows = picture()[..., order].reshape(HIGH, -1)
    got = to_bgr(padded(rows, 4 * WIDE + 16), layout, (WIDE, HIGH), 4 * WIDE + 16, False)
    assert np.array_equal(got, picture())
    assert to_half_bgr(padded(rows, 4 * WIDE), layout, (WIDE, HIGH), 4 * WIDE, False).shape == (HIGH // 2, WIDE // 2, 3)


def test_jpeg_is_decoded_and_a_broken_one_is_a_lost_camera() -> None:
    data = cv2.imencode(".jpg", picture())[1].ravel()
    assert to_bgr(data, "MJPEG", (WIDE, HIGH), 0, True).shape == (HIGH, WIDE, 3)
    with pytest.raises(CameraLost, match="broken picture"):
        to_bgr(data[:20], "MJPEG", (WIDE, HIGH), 0, True)


def test_a_layout_that_nobody_knows_is_named() -> None:
    with pytest.raises(CameraLost, match="SRGGB10"):
        to_bgr(np.zeros(10, np.uint8), "SRGGB10", (WIDE, HIGH), 64, True)

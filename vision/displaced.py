"""How far the camera has moved since the empty tray was photographed: shift and turn of the whole picture."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import Warp, aligned
from vision.frame import Image
from vision.geometry import size_of
from vision.glance import STAYED, Grey
from vision.profile import SHRINK, Profile, shrunk

# Degrees that are tried; a camera that was turned further is mounted otherwise.
_TURNS = range(-10, 11)
_ROUGH = 2  # turn and shift are looked for in pictures this much smaller
_FAINT = 8.0  # grey levels a pixel: fainter edges count less


@dataclass(frozen=True, slots=True, eq=False)
class Displaced:
    """`way`: (2, 3), takes pixels of the empty picture to pixels of this one. `mm`: how far what was in the middle has
    gone, on the floor of the tray. `degrees`: clockwise. `grown`: times as large as it was."""

    way: Warp
    mm: float
    degrees: float
    grown: float


def displaced(image: Image, profile: Profile) -> Displaced | None:
    """How `image`, of the profile's size, lies against the empty tray; None without an empty picture."""
    if profile.empty_quarter is None:
        return None
    then, now = _grey(profile.empty_quarter), _grey(shrunk(image))
    about = _roughly(then, now)
    rest = aligned(np.asarray(cv2.warpAffine(then, about, now.shape[::-1]), np.uint8), now, STAYED)
    way = np.linalg.inv(_square(rest)) @ _square(about)
    # Pixel centres at whole numbers: x of the whole is SHRINK (x + 0.5) - 0.5.
    half = (SHRINK - 1) / 2
    way[:2, 2] = SHRINK * way[:2, 2] + half - half * way[:2, :2].sum(1)
    middle = np.array([profile.width / 2, profile.height / 2])
    far = way[:2, :2] @ middle + way[:2, 2] - middle
    mm = float(np.hypot(*far)) / float(size_of(profile.camera.scale(middle)))
    grown = math.hypot(way[0, 0], way[1, 0])
    return Displaced(way[:2], mm, math.degrees(math.atan2(way[1, 0], way[0, 0])), grown)


def _roughly(then: Grey, now: Grey) -> Warp:
    """Takes pixels of the earlier view to pixels of the present one: the turn and shift by which most edges of the two
    lie over each other, each counting alike, so that dice do not outweigh the tray's (orientation correlation, Fitch
    and others 2002)."""
    size = (now.shape[1] // _ROUGH, now.shape[0] // _ROUGH)
    small, other = (cv2.resize(view, size, interpolation=cv2.INTER_AREA) for view in (then, now))
    there = np.fft.fft2(_directions(other))
    found = []
    for degrees in _TURNS:
        turned = cv2.warpAffine(small, _turning(degrees, small), size, borderMode=cv2.BORDER_REPLICATE)
        fits = np.fft.ifft2(there * np.conj(np.fft.fft2(_directions(turned)))).real
        row, column = divmod(int(fits.argmax()), size[0])
        found.append((float(fits.max()), degrees, _signed(column, size[0]), _signed(row, size[1])))
    _, degrees, dx, dy = max(found)
    about = _turning(degrees, then)
    about[:, 2] += (_ROUGH * dx, _ROUGH * dy)
    return about


def _directions(view: cv2.typing.MatLike) -> NDArray[np.complex64]:
    """Which way it grows brighter at each place, as complex numbers of length 1 at edges and about 0 elsewhere."""
    view = cv2.GaussianBlur(view.astype(np.float32), (0, 0), 1.0)
    x, y = cv2.Sobel(view, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(view, cv2.CV_32F, 0, 1, scale=0.25)
    return np.asarray((x + 1j * y) / (np.hypot(x, y) + _FAINT), np.complex64)


def _signed(shift: int, size: int) -> int:
    return shift - size if shift > size // 2 else shift


def _turning(degrees: int, view: cv2.typing.MatLike) -> Warp:
    """Earlier to turned pixels, clockwise about the middle."""
    middle = ((view.shape[1] - 1) / 2, (view.shape[0] - 1) / 2)
    return np.asarray(cv2.getRotationMatrix2D(middle, -degrees, 1.0))


def _square(warp: Warp) -> Warp:
    return np.vstack([warp, (0.0, 0.0, 1.0)])


def _grey(picture: Image) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)

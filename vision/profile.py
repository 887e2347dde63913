"""What the reader knows of one tray, its camera and its dice."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import landmarks
from vision.control import Control
from vision.dice_set import Kind, Learned, Roll, Slack, called
from vision.errors import VisionError
from vision.frame import Image
from vision.geometry import Camera
from vision.landmarks import Landmarks
from vision.likeness import Likeness
from vision.pips import resized
from vision.polygon import Polygon
from vision.sampling import Floats, smaller

SHRINK = 4  # pictures are compared with the empty tray at this share of their size


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """The kinds' values, one a row in each array: (kinds,), colours (kinds, 3). `contrast`: of pips and body.
    `edge_px`: of dice in the middle of the picture."""

    body: Floats
    pip: Floats
    edge_mm: Floats
    edge_px: Floats
    offset: Floats
    contrast: Floats

    def gain(self, body: Floats, pip: Floats, least: float) -> Floats:
        """(kinds, n) how bright it is where these colours (n, 3) are seen, from `least` to 1.5: by the lighter of each
        kind's two colours, 1 in the light it was learned in."""
        light = self.body.sum(1) > self.pip.sum(1)
        lighter = np.where(light[:, None], self.body, self.pip)
        seen = np.where(light[:, None], lighter @ body.T, lighter @ pip.T)
        return np.asarray(np.clip(seen / np.maximum(1.0, (lighter**2).sum(1))[:, None], least, 1.5))


@dataclass(frozen=True, eq=False)
class Profile:
    """`width`, `height`: pixels of the pictures it was learned from. `tray`: where dice are thrown, `rail`: where they
    are set aside, both on the floor of the tray; None when there is none or it was not found. `empty`: the empty tray,
    uint8 (height, width, 3) BGR, or None. `likeness`: uint8 (16, 16, 16), how die-like each colour is, or None.
    `controls`: what the camera was locked to, by the names of its driver. `rolls`: the test rolls it passed."""

    width: int
    height: int
    camera: Camera
    kinds: tuple[Kind, ...]
    tray: Polygon | None = None
    rail: Polygon | None = None
    empty: Image | None = None
    likeness: Likeness | None = None
    slack: Slack = field(default_factory=Slack)
    learned: Learned = field(default_factory=Learned)
    controls: Mapping[str, Control] = field(default_factory=dict)
    rolls: tuple[Roll, ...] = ()

    @cached_property
    def empty_quarter(self) -> Image | None:
        """The empty tray at 1/`SHRINK` of the size; each reading compares with it."""
        return None if self.empty is None else shrunk(self.empty)

    @cached_property
    def tray_quarter(self) -> NDArray[np.bool_]:
        """Where tray and rail are, at 1/`SHRINK` of the size; everywhere where that is not known."""
        outlines = [np.array(polygon) for polygon in (self.tray, self.rail) if polygon is not None]
        mask = np.full((self.height // SHRINK, self.width // SHRINK), not outlines, np.uint8)
        for outline in outlines:
            cv2.fillPoly(mask, [np.rint((outline + 0.5) / SHRINK - 0.5).astype(np.int32)], (1,))
        return mask > 0

    @cached_property
    def landmarks(self) -> tuple[Landmarks, ...]:
        """The edges of the empty tray by which each reading tells that the camera has not moved."""
        if self.empty_quarter is None:
            return ()
        outlines = [np.array(polygon) for polygon in (self.tray, self.rail) if polygon is not None]
        return landmarks.find(self.empty_quarter, [(outline + 0.5) / SHRINK - 0.5 for outline in outlines])

    @cached_property
    def slip_px(self) -> float:
        """An edge on the floor in the middle of the picture: the tray's outline may be off by as much, pixels."""
        middle = np.array([self.width / 2, self.height / 2])
        return float(self.camera.scale(middle)[0, 0]) * self.kinds[0].edge_mm

    @cached_property
    def looks(self) -> Looks:
        """What `kinds` says, as arrays."""
        body, pip = np.array([kind.body for kind in self.kinds]), np.array([kind.pip for kind in self.kinds])
        edge_mm, middle = np.array([kind.edge_mm for kind in self.kinds]), np.array([[self.width / 2, self.height / 2]])
        return Looks(
            body,
            pip,
            edge_mm,
            self.camera.scale(middle, edge_mm)[:, 0, 0] * edge_mm,
            np.array([kind.offset for kind in self.kinds]),
            np.maximum(np.linalg.norm(pip - body, axis=1), 1e-6),
        )

    @property
    def called(self) -> tuple[str, ...]:
        """Names of the faces, see `vision.dice_set.called`."""
        return called({one.value: one.name for one in kind.emblems} for kind in self.kinds)

    def for_size(self, width: int, height: int) -> "Profile":
        """The same tray seen in pictures of another size. Raises `VisionError` when their shape differs."""
        if (width, height) == (self.width, self.height):
            return self
        factor = width / self.width
        if min(width, height) < 2 or abs(factor / (height / self.height) - 1) > 0.01:
            raise VisionError(
                f"The picture is {width}x{height} pixels, the profile was made for {self.width}x{self.height}: "
                "use the camera mode it was calibrated with, or calibrate again."
            )
        empty = self.empty if self.empty is None else resized(self.empty, factor)
        if empty is not None and empty.shape[:2] != (height, width):
            empty = empty[:height, :width]
        return replace(
            self,
            width=width,
            height=height,
            camera=self.camera.resized(factor),
            tray=_scaled(self.tray, factor),
            rail=_scaled(self.rail, factor),
            empty=empty,
        )


def shrunk(image: Image) -> Image:
    """The picture at 1/`SHRINK` of its size."""
    return smaller(image, image.shape[1] // SHRINK, image.shape[0] // SHRINK)


def _scaled(polygon: Polygon | None, factor: float) -> Polygon | None:
    if polygon is None:
        return None
    return tuple(((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for x, y in polygon)

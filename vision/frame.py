"""One picture from a camera."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Fetched:
    """A picture that the camera still has. `size`: rows and columns. `fetch`: gives it, the same one each time; first
    to be called before the camera is asked for its next frame."""

    size: tuple[int, int]
    fetch: Callable[[], Image]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and when it was taken.

    `picture`: what `image` gives, or will give. `seq`: counts up by one a frame the camera made, so gaps are dropped
    frames. `at_s`: seconds on the monotonic clock when the exposure began. `small`: the same in fewer pixels, where the
    camera itself makes such a one.
    """

    picture: Image | Fetched
    seq: int = 0
    at_s: float = 0.0
    small: Image | None = None

    @property
    def image(self) -> Image:
        """The whole picture: uint8 (h, w, 3), BGR, upright, nobody writes to it."""
        return self.picture.fetch() if isinstance(self.picture, Fetched) else self.picture

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the whole picture."""
        if isinstance(self.picture, Fetched):
            return self.picture.size
        rows, columns = self.picture.shape[:2]
        return rows, columns

    @property
    def view(self) -> Image:
        """All that is in view, in as few pixels as the camera gives: uint8 (h, w, 3), BGR, upright, read only."""
        return self.image if self.small is None else self.small

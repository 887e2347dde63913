"""One picture from a camera."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and when it was taken.

    `image`: uint8 (h, w, 3), BGR, upright, nobody writes to it. `seq`: counts up by one a frame the camera made,
    so gaps are dropped frames. `at_s`: seconds on the monotonic clock when the exposure began.
    """

    image: Image
    seq: int = 0
    at_s: float = 0.0

"""Views from the side: how what lies flat is foreshortened where neither camera nor table is known."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Camera, size_of
from vision.pips import Pips
from vision.sampling import Floats

# Focal length in picture widths: phones have 0.7 to 0.8, webcams and Pi cameras 0.8 to 1.
_FOCAL = 0.85
# Beyond this angle a die shows next to nothing of its top face.
_FLATTEST = np.cos(np.deg2rad(72))


@dataclass(frozen=True, slots=True)
class Slant:
    """A camera held upright that looks `degrees` away from straight down, towards the picture's upper edge.

    `width`, `height`: pixels of the picture.
    """

    degrees: float
    width: int
    height: int

    @property
    def _camera(self) -> Camera:
        focal, tilt = _FOCAL * max(self.width, self.height), np.deg2rad(self.degrees)
        middle = ((self.width - 1) / 2, (self.height - 1) / 2)
        return Camera(focal, *middle, 0.0, float(np.sin(tilt)), focal * float(np.cos(tilt)))

    def sees(self, xy: Floats) -> NDArray[np.bool_]:
        """(n,) which pixels (n, 2) look down on the table steeply enough for a top face to be read."""
        camera = self._camera
        ray = np.column_stack([(xy[:, 0] - camera.cx) / camera.focal, (xy[:, 1] - camera.cy) / camera.focal])
        down = ray[:, 1] * camera.tilt_y + np.cos(np.deg2rad(self.degrees))
        return np.asarray(down / np.sqrt((ray**2).sum(1) + 1) > _FLATTEST)

    def on_table(self, xy: Floats) -> Floats:
        """Units of the table (n, 2) from the middle of the picture to pixels (n, 2)."""
        return self._camera.table(xy.astype(np.float64))

    def scale(self, xy: Floats) -> Floats:
        """(n, 2, 2): pixels a unit of the table at each pixel (n, 2) that it sees; 1 across the picture's middle."""
        if not self.degrees or not len(xy):
            return np.broadcast_to(np.eye(2), (len(xy), 2, 2))
        return self._camera.scale(xy.astype(np.float64))

    def foot(self, xy: Floats, edge: float) -> Floats:
        """Pixels (n, 2) that lie `edge` units of the table straight below pixels (n, 2) of a top face."""
        camera = self._camera
        return camera.pixels(camera.table(xy.astype(np.float64), edge), 0.0)

    def away(self, xy: Floats, edge: float) -> Floats:
        """Pixels (n, 2) that lie on the same level as `xy`, `edge` units of the table farther from the camera."""
        return self._camera.pixels(self.on_table(xy) - (0.0, edge))

    def seen(self, pips: Pips) -> Pips:
        """The pips where it sees, each with the `ratio` that it has on the table: 1 if it lies on a level face."""
        pips = pips.pick(self.sees(pips.xy))
        if not self.degrees or not len(pips):
            return pips
        along = np.stack([np.cos(pips.lean), np.sin(pips.lean)], -1)
        across = np.stack([-along[:, 1], along[:, 0]], -1)
        axes = np.stack([along, across * pips.ratio[:, None]], -1)
        lengths = np.linalg.svd(np.linalg.solve(self.scale(pips.xy), axes), compute_uv=False)
        return replace(pips, ratio=lengths[:, 1] / lengths[:, 0])

    def size(self, xy: Floats) -> Floats:
        """(n,) pixels a unit of the table, whichever way."""
        return size_of(self.scale(xy))

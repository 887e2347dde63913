"""Whether the pips of a face are of one colour: through a clear die those of its other side show, in the body's."""

import numpy as np

from vision import faces
from vision.faces import Faces
from vision.frame import Image
from vision.lattice import PLACES, SETS
from vision.sampling import Floats


def of(image: Image, found: Faces) -> Floats:
    """(n,) how far a pip of each face lies off the way from its body's colour to its pips', as a share of their
    contrast: a gleam, a shade or blur only moves it along. 0 on ones, which have no other to differ from."""
    if not len(found):
        return np.zeros(0)
    apart = faces.looks(image, found.xy, found.frame, PLACES, 0.45 * found.radius) - found.body[:, None]
    way = (found.pip - found.body) / found.contrast[:, None]
    along = np.einsum("npc,nc->np", apart, way)
    aside = np.linalg.norm(apart - along[..., None] * way[:, None], axis=2) / found.contrast[:, None]
    lying = (found.value == 6) & (found.upright == 0)
    pips = SETS[np.maximum(found.value - 2, 0) + lying] > 0.5
    return np.where(found.value > 1, (aside * pips).max(1), 0.0)

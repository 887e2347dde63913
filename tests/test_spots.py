"""Spots are found where they lie."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision import pips


@given(st.floats(4.2, 5.0), st.lists(st.tuples(st.integers(20, 620), st.integers(20, 380)), min_size=1, max_size=6))
def test_a_spot_is_looked_for_where_it_lies_whatever_its_size(radius: float, places: list[tuple[int, int]]) -> None:
    """The picture is resized by just what the places found in it are taken back by."""
    y, x = np.mgrid[:400, :640]
    image = np.full((400, 640, 3), 30, np.uint8)
    for at in places:
        image[np.hypot(x - at[0], y - at[1]) < radius] = 220
    scale = pips.LOOK_AT / radius
    small = pips.resized(image, scale)
    found = (pips.spots(pips.smoothed(small, radius * scale), radius * scale) + 0.5) / scale - 0.5
    for at in places:
        assert np.hypot(*(found - at).T).min() < 2.5 or _crowded(at, places, radius)


def _crowded(at: tuple[int, int], places: list[tuple[int, int]], radius: float) -> bool:
    return any(0 < np.hypot(at[0] - x, at[1] - y) < 5 * radius for x, y in places)

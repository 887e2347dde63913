"""Spots are measured where they are, and what is no spot is told apart at a glance."""

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vision.frame import Image
from vision.gauge import gauge, glance
from vision.pips import measure, smoothed

_FLOOR, _PIP = (60.0, 110.0, 60.0), (235.0, 230.0, 225.0)


def _spot(x: float, y: float, radius: float, stretch: float = 1.0) -> Image:
    """A light spot on a floor, 60x60, drawn at eight times the size; `stretch`: of its height."""
    ys, xs = np.mgrid[0:480, 0:480] / 8 - 0.5 + 1 / 16
    inside = np.hypot(xs - x, (ys - y) / stretch) < radius
    large = np.where(inside[..., None], np.float32(_PIP), np.float32(_FLOOR))
    return np.asarray(cv2.resize(large, (60, 60), interpolation=cv2.INTER_AREA), np.uint8)


@settings(max_examples=25)
@example(28.0, 28.0, 5.5, 0.09375, 0.0)
@given(st.floats(28, 32), st.floats(28, 32), st.floats(4, 8), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2))
def test_a_round_spot_is_found_where_it_is(x: float, y: float, radius: float, dx: float, dy: float) -> None:
    image, at = _spot(x, y, radius), np.array([[x + dx * radius, y + dy * radius]], np.float32)
    found = measure(image, at, np.array([radius], np.float32))
    assert np.allclose(found.xy, [[x, y]], atol=0.15)
    assert found.radius[0] == pytest.approx(radius, rel=0.1)
    seen = gauge(image, found.xy, found.radius)
    assert np.allclose(seen.inner, _PIP, atol=2)
    assert np.allclose(seen.outer, _FLOOR, atol=2)
    assert seen.ratio[0] > 0.9
    assert seen.one_sided[0] < 0.1
    assert seen.rough[0] < 0.22
    assert seen.grain[0] < 0.1


def test_a_squeezed_spot_is_not_round() -> None:
    seen = gauge(_spot(30, 30, 6, 0.6), np.array([[30, 30]], np.float32), np.array([5], np.float32))
    assert seen.ratio[0] == pytest.approx(0.6, abs=0.1)


def test_the_corner_of_a_die_is_one_sided_and_a_pip_is_not() -> None:
    corner = np.full((60, 60, 3), _FLOOR, np.uint8)
    corner[28:, 28:] = _PIP
    at = np.array([[30, 30]], np.float32)
    assert glance(smoothed(corner, 4.5), at, 4.5)[2] > 0.8
    inner, outer, one_sided = glance(smoothed(_spot(30, 30, 4.5), 4.5), at, 4.5)
    assert one_sided < 0.2
    assert np.allclose(inner, _PIP, atol=3)
    assert np.allclose(outer, _FLOOR, atol=3)


def test_no_places_are_no_spots() -> None:
    nowhere = np.zeros((0, 2), np.float32)
    assert len(gauge(_spot(30, 30, 5), nowhere, np.zeros(0, np.float32)).square) == 0
    assert len(glance(_spot(30, 30, 5), nowhere, 4.5)[2]) == 0

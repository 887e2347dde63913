"""Outlines: the square a face ends with, whatever lies beside it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import outline
from vision.geometry import turned


@settings(max_examples=30)
@given(st.floats(18, 26), st.floats(0, 90), st.booleans())
def test_a_square_is_traced(half: float, degrees: float, beside: bool) -> None:
    ys, xs = np.mgrid[0:120, 0:120] - 60.0
    turn = turned(np.array([np.deg2rad(degrees)]))[0]
    local = np.stack([xs, ys], axis=-1) @ turn
    picture = np.full((120, 120, 3), (60, 110, 60), np.uint8)
    picture[(np.abs(local) < half).all(-1)] = (225, 230, 235)
    if beside:  # a speck on one side does not move it
        picture[np.hypot(local[..., 0] - half, local[..., 1]) < 4] = (0, 0, 0)
    frame = turn[None, None] * 10.0
    size, one = np.array([half / 10]), np.ones(1)
    lines = outline.trace(picture, np.array([[60.0, 60.0]]), frame, 0.93 * size, 1.07 * size, 30 * one, grid=6)
    assert lines.half[0] == pytest.approx(half / 10, rel=0.1)
    assert (lines.steps > 60).all()


def test_the_turn_of_a_square_is_read_from_its_sides() -> None:
    frames = turned(np.deg2rad(np.arange(0, 90, 4.5))) * 10.0
    picture = np.full((120, 120, 3), 40, np.uint8)
    ys, xs = np.mgrid[0:120, 0:120] - 60.0
    picture[(np.abs(np.stack([xs, ys], axis=-1) @ turned(np.array([np.deg2rad(27)]))[0]) < 21).all(-1)] = 200
    size, one = np.array([2.1]), np.ones(1)
    lines = outline.trace(
        picture, np.array([[60.0, 60.0]]), frames[None], 0.93 * size, 1.07 * size, 30 * one, grid=6, sharpest=True
    )
    assert lines.turn[0] * 4.5 == pytest.approx(27, abs=4.5)

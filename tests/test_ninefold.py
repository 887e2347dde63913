"""A face whose value another has told is put where its pips are."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import ninefold
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import turned
from vision.lattice import ONE, PATTERNS, PLACES

_BODY, _PIP = (60.0, 40.0, 30.0), (240.0, 240.0, 235.0)
_OFFSET, _RADIUS = 15.0, 5.5


def _picture(value: int, xy: np.ndarray, angle: float) -> Image:
    big = np.full((800, 800, 3), (40, 90, 40), np.uint8)
    axes = turned(np.array([angle]))[0] * _OFFSET
    square = 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes.T + xy
    cv2.fillConvexPoly(big, np.round(8 * square + 3.5).astype(np.int32), _BODY)
    pattern = ONE if value == 1 else next(p for v, p in PATTERNS if v == value)
    for place in PLACES[pattern > 0.5] @ axes.T + xy:
        cv2.circle(big, tuple(np.round(8 * place + 3.5).astype(int).tolist()), round(8 * _RADIUS), _PIP, -1)
    return np.asarray(
        cv2.GaussianBlur(cv2.resize(big, (100, 100), interpolation=cv2.INTER_AREA), (0, 0), 0.8), np.uint8
    )


def _face(value: int, xy: np.ndarray, angle: float) -> Faces:
    one, whole = np.ones(1), np.zeros(1, np.int64)
    return Faces(
        xy=xy[None],
        frame=turned(np.array([angle])) * _OFFSET,
        value=np.array([value]),
        radius=_RADIUS * one,
        body=np.array([_BODY]),
        pip=np.array([_PIP]),
        misfit=0 * one,
        margin=one,
        rival=whole,
        uneven=0 * one,
        strays=0 * one,
        score=one,
        half=30 * one,
        sides=np.zeros((1, 4)),
        backed=0 * one,
        upright=0 * one,
        kind=whole,
    )


@settings(max_examples=25)
@given(
    st.integers(1, 6), st.floats(-4, 4), st.floats(-4, 4), st.floats(-0.15, 0.15), st.floats(0, 1.5), st.integers(0, 3)
)
def test_a_face_is_put_where_its_pips_are(
    value: int, dx: float, dy: float, turn: float, angle: float, quarter: int
) -> None:
    xy = np.array([50.0, 48.0])
    image = _picture(value, xy, angle)
    about = _face(value, xy + np.array([dx, dy]), angle + turn + quarter * np.pi / 2)
    face, own = ninefold.settled(image, about)
    assert np.hypot(*(face.xy[0] - xy)) < 1
    assert len(own) == value


def test_where_there_are_no_pips_none_are_found() -> None:
    image = np.full((100, 100, 3), 90, np.uint8)
    for value in range(1, 7):
        assert len(ninefold.settled(image, _face(value, np.array([50.0, 50.0]), 0.2))[1]) == 0

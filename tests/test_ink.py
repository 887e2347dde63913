"""What is printed on a face is seen whatever light falls on it."""

import cv2
import numpy as np
import pytest
from test_emblems import _PROFILE, _small, tray_of

from vision import ink
from vision.emblem import SIDE
from vision.frame import Frame, Image
from vision.reader import read


def mirrored(image: Image, at: tuple[int, int], half: int) -> Image:
    """A lamp with straight borders is mirrored in the face there: what is dark becomes grey, what is light white."""
    out = image.copy()
    part = np.s_[at[1] - half : at[1] + half, at[0] - half : at[0] + half]
    out[part] = 255 - (255 - out[part].astype(np.float64)) * 0.55
    return np.asarray(out, np.uint8)


def test_ink_is_darker_or_lighter_or_both() -> None:
    face = _small("K")
    light = np.asarray(255 - face, np.uint8)
    assert ink.way([face]) == "darker"
    assert ink.way([light]) == "lighter"
    assert ink.way([face, light]) == "both"


def test_the_border_of_a_gleam_is_no_ink() -> None:
    plain = np.full((SIDE, SIDE, 3), 120, np.uint8)
    gleam = mirrored(plain, (SIDE // 2, SIDE // 2), 17)
    assert int(cv2.absdiff(gleam, plain).max()) > 50
    assert int(ink.of(gleam, SIDE, "darker").max()) == 0


@pytest.mark.parametrize("which", ["darker", "lighter", "both"])
def test_outside_of_the_boxes_is_no_ink(which: ink.Way) -> None:
    image = tray_of([("K", 0.0, 0.0, 0.3)])
    whole, part = ink.of(image, 48, which), ink.of(image, 48, which, [(280, 200, 360, 280)])
    assert np.array_equal(whole[215:265, 295:345], part[215:265, 295:345])
    assert np.unique(part[:200]).size == 1


@pytest.mark.parametrize("turn", [0.2, 1.1, 3.0])
def test_a_face_in_which_a_lamp_is_mirrored_is_read(turn: float) -> None:
    image = tray_of([("Q", 0.0, 0.0, turn), ("A", 60.0, 20.0, turn)])
    reading = read(Frame(mirrored(image, (320, 240), 17)), _PROFILE)
    assert reading.values == (4, 6)
    assert reading.sure

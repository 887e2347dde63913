"""Picture files: found in a folder, decoded upright, all of one size."""

import re
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from firmware.errors import BadInput
from vision.frame import Image

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm")
LEAST_SIDE = 16  # pixels; smaller than the smallest die that can be read


def picture_files(folder: Path) -> tuple[Path, ...]:
    """The folder's pictures in natural order: 2.jpg before 10.jpg. Raises `BadInput` when there are none."""
    if not folder.is_dir():
        raise BadInput(f"There is no folder {folder}; give a folder of pictures.")
    files = [f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES and f.is_file()]
    if not files:
        raise BadInput(f"The folder {folder} holds no picture; put JPEG or PNG files into it.")
    return tuple(sorted(files, key=lambda f: natural(f.name)))


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key that takes digits in a name as one number, and numbers before letters."""
    parts = [part for part in re.split(r"(\d+)", name.lower()) if part]
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def read_picture(file: Path) -> Image:
    """uint8 (h, w, 3) BGR, turned upright as the file's orientation says. Raises `BadInput`."""
    image = _decoded(file, cv2.IMREAD_COLOR)
    if min(image.shape[:2]) < LEAST_SIDE:
        raise BadInput(f"{file} is only {image.shape[1]}x{image.shape[0]} pixels; take a picture of the whole tray.")
    return image


def check_pictures(files: Sequence[Path]) -> None:
    """Raises `BadInput` unless all are pictures of one size. Decodes them at an eighth, which is quick for JPEG."""
    first = read_picture(files[0])
    small = _decoded(files[0], cv2.IMREAD_REDUCED_GRAYSCALE_8).shape
    for file in files[1:]:
        if _decoded(file, cv2.IMREAD_REDUCED_GRAYSCALE_8).shape != small:
            other = read_picture(file)
            sizes = f"{first.shape[1]}x{first.shape[0]}", f"{other.shape[1]}x{other.shape[0]}"
            raise BadInput(
                f"The pictures are not of one size: {files[0].name} is {sizes[0]}, {file.name} is {sizes[1]}; "
                "keep only those of one camera."
            )


def fitted(image: Image, size: tuple[int, int] | None, widest: int) -> Image:
    """Brought to `size` (width, height) when the shape agrees within one percent, else made at most `widest` wide."""
    height, width = image.shape[:2]
    if size is not None and abs(width * size[1] / (height * size[0]) - 1) < 0.01:
        target = size
    elif width > widest:
        target = (widest, round(height * widest / width))
    else:
        return image
    if target == (width, height):
        return image
    shrinks = target[0] < width
    return np.asarray(cv2.resize(image, target, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC), np.uint8)


def _decoded(file: Path, how: int) -> Image:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file} cannot be read ({error.strerror}); check its name and its permissions.") from error
    if not data:
        raise BadInput(f"{file} is empty; take it out of the folder, or copy it again.")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error as error:  # more pixels than OpenCV takes
        raise BadInput(f"{file} is too large or damaged; give a picture as the camera took it.") from error
    if image is None:
        raise BadInput(f"{file} is no picture that can be read; give JPEG or PNG files.")
    return np.asarray(image, np.uint8)

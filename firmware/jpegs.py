"""Pictures as phones get them."""

import cv2
import numpy as np

from vision.frame import Image

PICTURE_WIDTH = 640
LARGER = 6  # times


def small_jpeg(image: Image) -> bytes:
    """The picture at most `PICTURE_WIDTH` wide, as JPEG."""
    height, width = image.shape[:2]
    if width > PICTURE_WIDTH:
        size = (PICTURE_WIDTH, round(height * PICTURE_WIDTH / width))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def large_jpeg(face: Image) -> bytes:
    """The small picture of a face, large enough for people, as JPEG."""
    large = cv2.resize(face, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()

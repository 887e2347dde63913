"""The real picamera2, on libcamera's virtual camera, keeps what every camera promises. `make test-vcam`."""

import os
from collections.abc import Iterator

import debian
import pytest
from debian import Debian

if not os.environ.get("STICKMAN_DEBIAN"):
    pytest.skip("make test-vcam runs these", allow_module_level=True)
if reason := debian.why_not():
    pytest.skip(f"not on this machine: {reason}", allow_module_level=True)

CAMERA = """\
%YAML 1.1
---
"Virtual0":
  supported_formats:
  - width: 1280
    height: 960
    frame_rates: [30, 60]
  frames:
    path: "/pictures/"
  location: "CameraLocationExternal"
  model: "Virtual camera over a tray"
"""
# Large even areas: one in each corner, so that turned or mirrored pictures can be told.
PICTURE = """
import cv2, numpy
picture = numpy.zeros((960, 1280, 3), numpy.uint8)
picture[:480, :640], picture[:480, 640:] = (40, 40, 200), (40, 200, 40)
picture[480:, :640], picture[480:, 640:] = (200, 40, 40), (200, 200, 200)
cv2.imwrite("/pictures/0.jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 98])
"""
SHIM = "/usr/local/lib/dmabuf_shim.so"
PYTHON = "/suite/bin/python"


@pytest.fixture(scope="module")
def box() -> Iterator[Debian]:
    with debian.copy_of(debian.camera_base(), "camera-tests") as copy:
        copy.take_project()
        copy.put("/usr/share/libcamera/pipeline/virtual/virtual.yaml", CAMERA)
        copy.well("gcc", "-O2", "-Wall", "-Werror", "-fPIC", "-shared", "-o", SHIM, "/src/tests/dmabuf_shim.c")
        copy.well(PYTHON, "-m", "pip", "install", "-q", "/src[dev]")
        copy.well("mkdir", "/pictures")
        copy.well(PYTHON, "-c", PICTURE)
        yield copy


def suite(box: Debian, *arguments: str) -> str:
    words = ["env", f"LD_PRELOAD={SHIM}", "PYTHONPATH=/src/tests", PYTHON, "-m", "pytest", "-q"]
    # picamera2 itself uses what libcamera calls outdated.
    words += ["-W", "ignore::DeprecationWarning", "-p", "virtual_camera"]
    return box.well("sh", "-c", 'cd /src && exec "$0" "$@"', *words, *arguments)


def test_it_is_found(box: Debian) -> None:
    told = suite(box, "tests/test_drivers_cameras.py", "-k", "picamera and whole", "-rA")
    assert "1 passed" in told, told


def test_it_keeps_what_every_camera_promises(box: Debian) -> None:
    told = suite(box, "tests/test_drivers_cameras.py", "-k", "picamera")
    print(told)
    assert told.count("SKIPPED") == told.count("this one cannot be dead") == 1


def test_its_pictures_are_what_it_films(box: Debian) -> None:
    print(suite(box, "tests/test_picamera2.py"))

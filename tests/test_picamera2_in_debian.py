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

# picamera2 counts them from the last one on: one that makes pictures of two sizes, one that makes one, and one whose
# pictures change.
CAMERAS = """\
%YAML 1.1
---
"Virtual2":
  supported_formats:
  - {width: 1280, height: 960, frame_rates: [30, 60]}
  - {width: 852, height: 640, frame_rates: [30, 60]}
  frames:
    path: "/still/"
  location: "CameraLocationExternal"
  model: "Virtual camera over a tray"
"Virtual1":
  supported_formats:
  - {width: 1280, height: 960, frame_rates: [30, 60]}
  frames:
    path: "/still/"
  location: "CameraLocationExternal"
  model: "Virtual camera over a tray, of one size"
"Virtual0":
  supported_formats:
  - {width: 1280, height: 960, frame_rates: [30, 60]}
  - {width: 852, height: 640, frame_rates: [30, 60]}
  frames:
    path: "/changing/"
  location: "CameraLocationExternal"
  model: "Virtual camera over a lively tray"
"""
# Large even areas: one in each corner, so that turned or mirrored pictures can be told.
PICTURE = """
import cv2, numpy
picture = numpy.zeros((960, 1280, 3), numpy.uint8)
picture[:480, :640], picture[:480, 640:] = (40, 40, 200), (40, 200, 40)
picture[480:, :640], picture[480:, 640:] = (200, 40, 40), (200, 200, 200)
for path, shown in (("still/0", picture), ("changing/0", picture), ("changing/1", picture[::-1])):
    cv2.imwrite(f"/{path}.jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 98])
"""
SHIM = "/usr/local/lib/dmabuf_shim.so"
PYTHON = "/suite/bin/python"


@pytest.fixture(scope="module")
def box() -> Iterator[Debian]:
    with debian.copy_of(debian.camera_base(), "camera-tests") as copy:
        copy.take_project()
        copy.put("/usr/share/libcamera/pipeline/virtual/virtual.yaml", CAMERAS)
        copy.well("gcc", "-O2", "-Wall", "-Werror", "-fPIC", "-shared", "-o", SHIM, "/src/tests/dmabuf_shim.c")
        copy.well(PYTHON, "-m", "pip", "install", "-q", "/src[dev]")
        copy.well("mkdir", "/still", "/changing")
        copy.well(PYTHON, "-c", PICTURE)
        yield copy


def suite(box: Debian, *arguments: str) -> str:
    words = ["env", f"LD_PRELOAD={SHIM}", "PYTHONPATH=/src/tests", PYTHON, "-m", "pytest", "-q"]
    # picamera2 itself uses what libcamera calls outdated.
    words += ["-W", "ignore::DeprecationWarning", "-p", "virtual_camera"]
    return box.well("sh", "-c", 'cd /src && exec "$0" "$@"', *words, *arguments)


def test_it_is_found(box: Debian) -> None:
    told = suite(box, "tests/test_drivers_cameras.py", "-k", "picamera and nobody_writes", "-rA")
    assert "1 passed" in told, told


def test_it_keeps_what_every_camera_promises(box: Debian) -> None:
    told = suite(box, "tests/test_drivers_cameras.py", "-k", "picamera")
    print(told)
    assert told.count("SKIPPED") == told.count("this one cannot be dead") == 1


def test_its_pictures_are_what_it_films(box: Debian) -> None:
    print(suite(box, "tests/test_picamera2.py"))

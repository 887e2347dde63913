"""Dice without pips, from their pictures to a draft that reads them: real steps and real learning, over HTTP."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from patience import PATIENCE_S
from served import House, house_in
from test_emblems import tray_of

from calibration import store
from calibration.asked import Unnamed, meaning
from calibration.course import Lead
from calibration.deeds import Event, Looked, StillKept
from calibration.sight import Sight
from firmware.calibrating import Calibrating
from firmware.learning import DRAFT
from firmware.lessons import FOLDER
from firmware.sets import Shelf
from vision.drift import Drift
from vision.frame import Frame, Image
from vision.happening import Happening
from vision.reader import read
from vision.seen import SeenDie

LETTERS = ["J", "K", "K", "J"]


class Camera:
    """Fits `firmware.calibrating.EyeOf`: shows `image`, and keeps it when it is told to."""

    profile: str | None = None
    camera = "drawn"

    def __init__(self, folder: Path) -> None:
        self.folder, self.image = folder, tray_of([])
        self.told: Callable[[Event], None] = lambda _: None

    def picture(self) -> bytes | None:
        return None

    def coach(self, step: str | None) -> None: ...

    def use_profile(self, path: str | None) -> None: ...

    def keep_still(self, name: str) -> None:
        cv2.imwrite(str(self.folder / f"{name}.png"), self.image)
        # As the eye does: from another thread, a little later.
        threading.Timer(0.01, self.told, [StillKept(name)]).start()


class Nobody:
    """Fits `firmware.calibrating.TableOf`."""

    def saw(self, happening: Happening) -> None: ...

    def lies(self, dice: tuple[SeenDie, ...]) -> None: ...

    def eye_size(self, width: int, height: int) -> None: ...

    def drifted(self, drifts: tuple[Drift, ...]) -> None: ...

    def offered(self, slug: str, name: str) -> None: ...

    def faces_called(self, names: tuple[str, ...]) -> None: ...

    def eye_lost(self, text: str = "") -> None: ...

    def calibrating(self, step: Lead) -> None: ...


class Owner:
    """Before a camera whose tray is drawn, with a phone."""

    def __init__(self, calibrating: Calibrating, camera: Camera, house: House) -> None:
        self.calibrating, self.camera = calibrating, camera
        self.phone = house.phone("Ann")

    def do(self, deed: str, **body: Any) -> Any:
        answer = self.phone.post(f"calibration/{deed}", body)
        assert answer.status == 200, answer.text
        return answer.json

    def until(self, step: str, pictures: int = 0) -> Any:
        ends_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_s:
            now = self.phone.get("/api/v1/calibration").json
            if now["step"] == step and len(self.calibrating.now().stills) >= pictures:
                return now
            assert now["step"] != "failed", now["reason"]
            time.sleep(0.05)
        raise AssertionError(f"{step} never came, it stands at {now}")

    def shows(self, image: Image, step: str) -> None:
        """A picture of dice is taken with a tap."""
        self.camera.image, kept = image, len(self.calibrating.now().stills)
        self.calibrating.told(Looked(Sight(640, 480, still=False)))
        self.do("take")
        self.until(step, kept + 1)


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    camera, shelf = Camera(tmp_path / FOLDER), Shelf(tmp_path)
    calibrating = Calibrating(tmp_path, Nobody(), shelf, lambda: "2026-05-03", "0.1.0")
    camera.told = calibrating.told
    with ExitStack() as parts:
        calibrating.start(camera)
        parts.callback(calibrating.stop)
        yield Owner(calibrating, camera, house_in(tmp_path, parts, calibrator=calibrating))


def laid(row: list[str], seed: int) -> Image:
    """Letters apart from each other, turned by chance."""
    turns = np.random.default_rng(seed).uniform(0, 6, len(row))
    return tray_of([(text, 60.0 * (k % 2) - 30, 44.0 * (k // 2) - 22, float(turns[k])) for k, text in enumerate(row)])


def test_faces_without_pips_are_shown_named_and_read(owner: Owner, tmp_path: Path) -> None:
    owner.do("begin")
    owner.do("take")
    owner.do("take")
    owner.until("tray")
    owner.do("take")
    owner.shows(laid(LETTERS, 3), "dice")
    owner.shows(laid(LETTERS[::-1], 6), "faces")
    now = owner.until("faces")
    assert [face["shown"] for face in now["faces"]] == [4] * 2
    assert (owner.calibrating.picture("face1") or b"").startswith(b"\xff\xd8"), "a JPEG"
    assert owner.calibrating.picture("face9") is None
    faces = [{"value": meaning(text).value, "name": text} for text in map(letter, owner.calibrating.now().unnamed)]
    assert owner.do("faces", faces=faces)["step"] == "learning"
    now = owner.until("rolls")
    assert now["kinds"][0]["count"] == 4
    assert now["called"] == ["", "", "J", "", "K", ""]
    draft = store.load(tmp_path / FOLDER / DRAFT)
    assert sorted((emblem.name, emblem.value) for emblem in draft.kinds[0].emblems) == [("J", 3), ("K", 5)]
    assert read(Frame(laid(LETTERS, 3)), draft).values == (3, 3, 5, 5)


def letter(one: Unnamed) -> str:
    """Which letter lies there in that picture."""
    image, x, y = one.places[0]
    row = LETTERS if image == 0 else LETTERS[::-1]
    return row[column(x, 640) + 2 * column(y, 480)]


def column(at: float, length: int) -> int:
    return int(2 * at / length)

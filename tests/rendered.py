"""The rendered sessions of `tests/data/sessions`: labels, pictures, and profiles from their own pictures."""

import fcntl
import json
import pickle
from pathlib import Path
from typing import Any

from reliability import profile_of, reader

from firmware.drivers.pictures import read_picture
from vision.frame import Frame, Image
from vision.profile import Profile
from vision.seen import Reading

DATA = Path(__file__).parent / "data" / "sessions"
LABELS: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "labels.jsonl").read_text().splitlines()]


def throws(session: str) -> list[dict[str, Any]]:
    return [label for label in LABELS if label["session"] == session and label["kind"] == "throw"]


def picture(file: str) -> Image:
    return read_picture(DATA / file)


class Rendered:
    """Profiles and readings, each made once. `shared`: a folder that all processes of the run have."""

    def __init__(self, shared: Path) -> None:
        self._shared = shared
        self._profiles: dict[str, Profile] = {}
        self._readings: dict[str, Reading] = {}

    def profile(self, session: str) -> Profile:
        if session not in self._profiles:
            made = self._shared / f"{session}.profile"
            with open(self._shared / f"{session}.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not made.exists():
                    profile = profile_of(DATA, [label for label in LABELS if label["session"] == session])
                    made.write_bytes(pickle.dumps(profile))
            self._profiles[session] = pickle.loads(made.read_bytes())
        return self._profiles[session]

    def reading(self, file: str) -> Reading:
        if file not in self._readings:
            self._readings[file] = reader()(Frame(picture(file)), self.profile(file.split("_")[0]))
        return self._readings[file]

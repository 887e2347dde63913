"""The files that eye, table and learning process share for a calibration, and what learning is told first."""

from dataclasses import dataclass
from pathlib import Path

FOLDER = "calibration"  # in the state folder
DRAFT = "draft.toml"
RELOCKED = "relocked.toml"
EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Lessons:
    """`folder`: where the pictures are, and the draft goes. `made`: the date, `version`: of the program."""

    folder: str
    made: str
    version: str


def still(folder: Path, name: str) -> Path:
    return folder / f"{name}.png"


def face_name(number: int) -> str:
    """What the picture of the face is called that is asked about as this number, from 1."""
    return f"face{number}"

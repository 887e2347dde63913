"""What the learning process is told first, and the files that it shares with the calibration under way."""

from dataclasses import dataclass
from pathlib import Path

DRAFT = "draft.toml"
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

"""What the reader knows of one tray, camera and set of dice."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """What calibration learned."""

    width: int
    height: int

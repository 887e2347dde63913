"""What was seen, as the plain values that the command line prints as JSON."""

from typing import Any

from vision.evidence import Clue
from vision.happening import Happening
from vision.seen import Doubt, Reading, SeenDie


def die_json(die: SeenDie, explain: bool = False) -> dict[str, Any]:
    """One die; pixels to a tenth. Millimetres only where a profile knows them. `explain`: with what was looked at."""
    told: dict[str, Any] = {
        "value": die.value,
        "x": round(die.x, 1),
        "y": round(die.y, 1),
        "size": round(die.size, 1),
        "angle": round(die.angle, 1),
        "colour": die.colour,
        "zone": die.zone,
        "confidence": round(die.confidence, 4),
        "state": die.state,
    }
    if die.x_mm is not None and die.y_mm is not None:
        told |= {"x_mm": round(die.x_mm, 1), "y_mm": round(die.y_mm, 1)}
    if explain:
        told["clues"] = [clue_json(clue) for clue in die.clues]
    return told


def clue_json(clue: Clue) -> dict[str, Any]:
    """One thing that speaks for a die (`leaves` is 1) or against it."""
    return {
        "name": clue.name,
        "text": clue.text,
        "measured": round(clue.measured, 4),
        "limit": round(clue.limit, 4),
        "leaves": round(clue.leaves, 4),
    }


def doubt_json(doubt: Doubt) -> dict[str, Any]:
    return {"kind": doubt.kind, "x": round(doubt.x, 1), "y": round(doubt.y, 1), "text": doubt.text}


def reading_json(reading: Reading, file: str, ms: float, explain: bool = False) -> dict[str, Any]:
    """One picture, as `stickman read` tells it."""
    return {
        "file": file,
        "values": list(reading.values),
        "sure": reading.sure,
        "doubts": [doubt_json(doubt) for doubt in reading.doubts],
        "dice": [die_json(die, explain) for die in reading.dice],
        "ms": round(ms, 1),
    }


def happening_json(happening: Happening, start_s: float = 0.0) -> dict[str, Any]:
    """One event, as `stickman watch` tells it. `start_s`: the time of the first picture."""
    return {
        "frame": happening.frame,
        "t": round(happening.at_s - start_s, 3),
        "event": happening.kind,
        "roll": happening.roll,
        "values": list(happening.values),
        "dice": [die_json(die) for die in happening.dice],
        "doubts": [doubt_json(doubt) for doubt in happening.doubts],
    }

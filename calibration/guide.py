"""What the screens say at each step of a calibration: a title and one instruction."""

from calibration.course import ROLLS, Calibration, Step
from speech.sentence import say, say_many

# Steps that are left, the present one included.
LEFT: dict[Step, int] = {
    "light": 6, "empty": 5, "tray": 4, "dice": 3, "learning": 2, "faces": 2, "rolls": 2, "passed": 1,
}  # fmt: skip

_SAYS: dict[Step, tuple[str, str]] = {
    "off": (say("Calibrate"), say("Let the tray learn a set of dice. It takes about a minute.")),
    "light": (say("Light and focus"), say("Look whether the whole tray is in view, well lit and sharp.")),
    "empty": (say("Empty tray"), say("Take everything out of the tray, hands too.")),
    "tray": (say("Tray"), say("The line should run around the floor of the tray. Drag its corners if it does not.")),
    "dice": (say("Dice"), say("Put all your dice in, flat and apart. Any faces will do.")),
    "learning": (say("Learning"), say("The tray learns your dice. Leave them as they are for a moment.")),
    "faces": (say("Faces without pips"), say("Say once what each of these counts as.")),
    "passed": (say("It reads your dice"), say("Every die of three rolls was read right. Give the set a name.")),
    "failed": (say("Not yet"), say("Begin again.")),
    "named": (say("Ready to play"), say("The set is saved and in use.")),
}


def says(now: Calibration) -> tuple[str, str]:
    """Title and instruction."""
    title, text = _SAYS.get(now.step, ("", ""))
    match now.step:
        case "off" if now.reason is not None:
            return title, now.reason
        case "dice" if len(now.stills) > 1:
            taken = len(now.stills) - 1
            if now.more:
                return title, say("Lay the dice so that the faces show which are missing, flat and apart.")
            return title, say(
                "Good. Roll the same dice again: picture {number} of {pictures}.",
                number=taken + 1,
                pictures=now.pictures,
            )
        case "faces" if len(now.unnamed) == 1:
            return say("A face without pips"), say("Say once what it counts as.")
        case "learning" if now.rolls:
            return title, say("The tray learns from these rolls as well. A moment, please.")
        case "rolls":
            return _rolls(now)
        case "failed" if now.reason is not None:
            return title, now.reason
        case "named":
            return title, say("{name} is saved and in use.", name=now.name)
    return title, text


def _rolls(now: Calibration) -> tuple[str, str]:
    open_ = [number for number, roll in enumerate(now.rolls, 1) if roll.confirmed is None]
    if open_:
        title = say("Roll {number} of {rolls}", number=open_[0], rolls=ROLLS)
        return title, say("Does the picture say what the dice show?")
    title = say("Roll {number} of {rolls}", number=len(now.rolls) + 1, rolls=ROLLS)
    if now.unlike and not now.rolls:
        return title, say(
            "The roll that you corrected is still read otherwise: softer light may help. Roll all dice once more."
        )
    return title, say_many("Roll the die.", "Roll all {count} dice.", now.count)

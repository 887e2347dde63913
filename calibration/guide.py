"""What the screens say at each step of a calibration: a title and one instruction."""

from calibration.wizard import ROLLS, Calibration, Step

# Steps that are left, the present one included.
LEFT: dict[Step, int] = {
    "light": 6, "empty": 5, "tray": 4, "dice": 3, "learning": 2, "faces": 2, "rolls": 2, "passed": 1,
}  # fmt: skip

_SAYS: dict[Step, tuple[str, str]] = {
    "off": ("Calibrate", "Let the tray learn a set of dice. It takes about a minute."),
    "light": ("Light and focus", "Look whether the whole tray is in view, well lit and sharp."),
    "empty": ("Empty tray", "Take everything out of the tray, hands too."),
    "tray": ("Tray", "The line should run around the floor of the tray. Drag its corners if it does not."),
    "dice": ("Dice", "Put all your dice in, flat and apart. Any faces will do."),
    "learning": ("Learning", "The tray learns your dice. Leave them as they are for a moment."),
    "faces": ("Faces without pips", "Say once what each of these counts as."),
    "passed": ("It reads your dice", "Every die of three rolls was read right. Give the set a name."),
    "failed": ("Not yet", "Begin again."),
    "named": ("Ready to play", "The set is saved and in use."),
}


def says(now: Calibration) -> tuple[str, str]:
    """Title and instruction."""
    title, text = _SAYS.get(now.step, ("", ""))
    match now.step:
        case "off" if now.reason is not None:
            return title, now.reason
        case "dice" if len(now.stills) > 1:
            taken = len(now.stills) - 1
            return title, f"Good. Roll the same dice again: picture {taken + 1} of {now.pictures}."
        case "faces" if len(now.unnamed) == 1:
            return "A face without pips", "Say once what it counts as."
        case "rolls":
            return _rolls(now)
        case "failed" if now.reason is not None:
            return title, now.reason
        case "named":
            return title, f"{now.name} is saved and in use."
    return title, text


def _rolls(now: Calibration) -> tuple[str, str]:
    open_ = [number for number, roll in enumerate(now.rolls, 1) if roll.confirmed is None]
    if open_:
        return f"Roll {open_[0]} of {ROLLS}", "Does the picture say what the dice show?"
    what = "the die" if now.count == 1 else f"all {now.count} dice"
    return f"Roll {len(now.rolls) + 1} of {ROLLS}", f"Roll {what}."

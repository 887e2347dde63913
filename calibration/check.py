"""What is doubtful about a profile that can be read: a sentence each, with the cure."""

from datetime import date

from vision.profile import Profile

# Light, felt and camera move a little with the months.
OLD_DAYS = 365
_AGAIN = "calibrate again"


def findings(profile: Profile, today: date) -> tuple[str, ...]:
    """Nothing when all is well. What cannot be used at all is refused when it is loaded."""
    found, learned = [], profile.learned
    if profile.empty is None:
        found.append(f"It has no picture of the empty tray, so dice are not told from its floor by it: {_AGAIN}.")
    if profile.tray is None:
        found.append(
            "The outline of the tray was not found, so the whole picture is watched: "
            f"{_AGAIN} with the whole tray in view, or draw its outline on the page."
        )
    elif outside(profile):
        found.append(f"A part of the tray lies outside the picture: move the camera back, then {_AGAIN}.")
    if learned.pictures and learned.sure < learned.pictures:
        unsure = learned.pictures - learned.sure
        found.append(
            f"{unsure} of the {learned.pictures} pictures that it was made from cannot be read for sure: "
            f"give more even light, lay the dice apart, and {_AGAIN}."
        )
    if any(kind.seen < 3 and kind.seen < kind.count * 2 for kind in profile.kinds):
        rare = min(profile.kinds, key=lambda kind: kind.seen)
        found.append(f"The {rare.name} dice were hardly seen: {_AGAIN} with two or three pictures of all the dice.")
    wrong = sum(not roll.sure for roll in profile.rolls)
    if wrong:
        found.append(f"{wrong} of its test rolls were not read right: {_AGAIN}, and throw again.")
    if days := _age_days(learned.made, today):
        found.append(f"It is {days} days old: throw once, and {_AGAIN} if it asks about plain dice.")
    return tuple(found)


def outside(profile: Profile) -> bool:
    """Whether a corner of the tray is more than half a die's edge out of the picture."""
    slack = profile.slip_px / 2
    return any(
        not (-slack <= x <= profile.width + slack and -slack <= y <= profile.height + slack)
        for x, y in profile.tray or ()
    )


def _age_days(made: str, today: date) -> int:
    """Days, when it is old; 0 when it is not or has no date."""
    try:
        days = (today - date.fromisoformat(made[:10])).days
    except ValueError:
        return 0
    return days if days > OLD_DAYS else 0

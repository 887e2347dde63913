"""Is the tray ready: camera, journal and profile, each with a sentence and its cure."""

import time
from collections.abc import Callable, Sequence

from firmware.eye import Eye
from firmware.sets import Shelf
from firmware.table import Table
from speech.sentence import say
from web.site import Check

# The eye gives a sign of life twice a second.
SILENT_S = 3.0
CAMERA, JOURNAL, PROFILE = say("camera"), say("journal"), say("profile")


def checks_of(
    table: Table, eye: Eye, shelf: Shelf, others: Callable[[], Sequence[Check]] = tuple
) -> Callable[[], Sequence[Check]]:
    """`others`: what stands on the page besides."""

    def checks() -> Sequence[Check]:
        return (_camera(table, eye), _journal(table), _profile(shelf), *others())

    return checks


def _camera(table: Table, eye: Eye) -> Check:
    view = table.view()
    silent = time.monotonic() - eye.last_sign_s > SILENT_S
    if view.eye.state != "camera-lost" and silent:
        return Check(CAMERA, False, say("The eye gives no sign of life; it is being started again."))
    return Check(CAMERA, view.eye.state != "camera-lost", view.eye.text)


def _journal(table: Table) -> Check:
    trouble = table.journal_trouble
    if trouble is not None:
        return Check(JOURNAL, False, trouble)
    if not table.alive:
        return Check(JOURNAL, False, say("The table has stopped: start the tray again, nothing was lost."))
    return Check(JOURNAL, True, say("Moves are written."))


def _profile(shelf: Shelf) -> Check:
    active = shelf.active()
    if shelf.fixed is not None:
        return Check(PROFILE, True, say("Read with {name}.", name=shelf.fixed))
    if active is not None:
        return Check(PROFILE, True, say("Read with the dice set {name}.", name=shelf.name(active)))
    return Check(PROFILE, True, say("None: the picture alone is read. Calibrate for surer and quicker readings."))

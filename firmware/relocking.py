"""Setting the tray again, as the pages know it: the eye makes the profile, the shelf keeps it and the one before."""

from pathlib import Path

from calibration import kept
from firmware.errors import BadInput, BadState
from firmware.eye import Eye
from firmware.sets import Shelf
from speech.sentence import say
from vision.errors import VisionError
from web.refusals import SetRefused, TrayBusy


class Relocking:
    """Fits `web.ports.Keeping`."""

    def __init__(self, eye: Eye, shelf: Shelf) -> None:
        self._eye = eye
        self._shelf = shelf

    def relock(self) -> None:
        slug = self._active()
        done = self._eye.relock()
        if done.path is None:
            raise SetRefused(done.text)
        try:
            self._shelf.renew(slug, kept.load(Path(done.path)))
            self._eye.watches()
        except (BadInput, VisionError) as error:
            raise SetRefused(str(error)) from None
        except BadState as error:
            raise TrayBusy(str(error)) from None

    def can_undo(self) -> bool:
        slug = self._shelf.active()
        return slug is not None and self._shelf.before(slug) is not None

    def undo(self) -> None:
        try:
            self._shelf.undo(self._active())
        except BadInput as error:
            raise SetRefused(str(error)) from None
        except BadState as error:
            raise TrayBusy(str(error)) from None

    def picture(self) -> bytes | None:
        return self._eye.picture()

    def _active(self) -> str:
        slug = self._shelf.active()
        if slug is None and self._shelf.fixed is not None:
            raise SetRefused(
                say(
                    "The tray was started with {name}: start it without --profile to set it again.",
                    name=self._shelf.fixed,
                )
            )
        if slug is None:
            raise SetRefused(say("No dice set is in use: calibrate first."))
        return slug

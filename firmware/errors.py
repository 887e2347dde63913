"""What can go wrong on the device. Each message is a sentence that names the thing and the cure."""


class StickmanError(Exception):
    """Base of the device's own errors."""


class CameraLost(StickmanError, OSError):
    """The camera gave no picture. The game goes on; throws can be entered by hand."""


class BadInput(StickmanError, ValueError):
    """A file or a setting that cannot be used."""


class BadState(StickmanError, OSError):
    """The state folder or the journal cannot be read or written."""

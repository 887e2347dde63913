"""Why something that was asked for cannot be: a sentence with the cure."""

from speech.sentence import say
from web.view import View


class Stale(Exception):
    """The command was made against an older `rev`. `view` is the present one."""

    def __init__(self, view: View) -> None:
        super().__init__(say("The game has moved on since this page was drawn; look again."))
        self.view = view


class TrayBusy(Exception):
    """The command cannot be taken now; the message is a sentence with the cure (disk full, no game, shutting down)."""


class NameTaken(Exception):
    """There are house rules of that name; the message is a sentence."""


class SetRefused(Exception):
    """What was asked of the dice sets cannot be; the message is a sentence."""

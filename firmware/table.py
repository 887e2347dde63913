"""The one thread that changes the game: play, write (fsync), then tell.

What a screen has shown is on disk. Everything that wants something (eye, buttons, phones) puts it in the inbox; the
thread takes one at a time, plays it, writes it, and only then publishes the new view.
"""

import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from dataclasses import replace
from typing import Any

from calibration.course import Lead
from firmware.album import ThrowKey
from firmware.broadcast import Broadcast, Subscription
from firmware.drivers import Press
from firmware.inbox import (
    Ask,
    Banner,
    Calibrating,
    Knock,
    Lies,
    Message,
    NextRules,
    Note,
    PanelIs,
    Reached,
    Stop,
)
from firmware.journal import Journal
from firmware.link import Drifted, Lost, Offered, Opened, Using
from firmware.playing import House, Playing
from firmware.present import Present, resume
from firmware.referee import Aside
from firmware.shown import view_of
from rules.errors import RulesError
from rules.options import Options
from speech.sentence import say
from vision.drift import Drift
from vision.happening import Happening
from vision.seen import SeenDie
from web import commands, refusals
from web.commands import Command
from web.view import Closeups, View

# A phone's command waits this long for the table, which answers in milliseconds unless the disk hangs.
ANSWER_S = 10.0
# Idempotency keys remembered in memory; those of moves are in the journal as well.
KEYS = 512


class Table:
    """Fits `web.ports.LiveTable`. `url`: where phones reach the pages at first. `game_began`: called when one did. All
    else as in `firmware.playing.House`."""

    def __init__(
        self,
        journal: Journal,
        options_of: Callable[[str | Mapping[str, Any]], Options],
        *,
        epoch: str,
        now: Callable[[], str],
        new_id: Callable[[], str],
        aside: Aside = "rail",
        presets: Callable[[], Sequence[str]] = lambda: ("farkle",),
        offered: str = "farkle",
        url: str = "",
        banners: Sequence[str] = (),
        game_began: Callable[[], None] = lambda: None,
        mode_held: Callable[[], None] = lambda: None,
        dice_set: Callable[[], str | None] = lambda: None,
        counted: Callable[[int, ThrowKey], None] = lambda _, __: None,
        corrected: Callable[[str, int], None] = lambda _, __: None,
    ) -> None:
        self._journal, self._epoch, self._game_began = journal, epoch, game_began
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._keys: OrderedDict[str, None] = OrderedDict()
        self._broadcast = Broadcast()
        resumed = resume(journal)
        present = replace(resumed, banners=(*banners, *resumed.banners), offered=offered, url=url)
        house = House(
            options_of=options_of,
            now=now,
            new_id=new_id,
            aside=aside,
            presets=presets,
            mode_held=mode_held,
            dice_set=dice_set,
            counted=counted,
            corrected=corrected,
        )
        self._playing = Playing(journal, present, house, self._publish)
        self._view = view_of(present, None, epoch)
        self._broadcast.tell(self._view)
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish what is in the inbox, then close all listeners. May be called twice."""
        if self._thread.is_alive():
            self._inbox.put(Stop())
            self._thread.join(timeout=5)
        self._broadcast.close()

    @property
    def _present(self) -> Present:
        return self._playing.present

    @property
    def journal_trouble(self) -> str | None:
        """Why the last move could not be written; None when it was."""
        return self._present.journal_trouble

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def turns(self, timeout_s: float) -> bool:
        """Whether the table's thread takes what is put before it, within this time."""
        knock = Knock(threading.Event())
        self._inbox.put(knock)
        return knock.heard.wait(timeout_s)

    # What the pages ask (any thread).

    def view(self) -> View:
        return self._view

    def ask(self, command: Command, *, rev: int | None = None, key: str | None = None) -> View:
        if not self._thread.is_alive():
            raise refusals.TrayBusy(say("The tray is shutting down; wait until it is back."))
        answer: Future[View] = Future()
        self._inbox.put(Ask(command, rev, key, answer))
        try:
            return answer.result(timeout=ANSWER_S)
        except Late:
            raise refusals.TrayBusy(
                say("The tray did not answer in time: look at the scoreboard before you try again.")
            ) from None

    def offer(self, command: Command) -> None:
        """Play it when its turn comes, for those who do not wait; one that may not be is dropped."""
        self._inbox.put(Ask(command, None, None, Future()))

    def next_rules(self, name: str) -> None:
        """Offer these rules for the next game, if there are such."""
        self._inbox.put(NextRules(name))

    def listen(self) -> Subscription:
        return self._broadcast.listen()

    def since(self, seq: int) -> Sequence[View] | None:
        return self._broadcast.since(seq)

    # What the eye and the panel tell (any thread).

    def saw(self, happening: Happening) -> None:
        self._inbox.put(happening)

    def eye_size(self, width: int, height: int) -> None:
        self._inbox.put(Opened(width, height))

    def eye_lost(self, text: str = "") -> None:
        self._inbox.put(Lost(text))

    def lies(self, dice: tuple[SeenDie, ...]) -> None:
        """These dice lie there, and were not thrown for the game."""
        self._inbox.put(Lies(dice))

    def drifted(self, drifts: tuple[Drift, ...]) -> None:
        self._inbox.put(Drifted(drifts))

    def offered(self, slug: str, name: str) -> None:
        """The dice that lie there are those of this set, not of the one in use; nobody's when both are empty."""
        self._inbox.put(Offered(slug, name))

    def faces_called(self, names: tuple[str, ...]) -> None:
        """What people call the faces of the dice in use: see `vision.dice_set.called`."""
        self._inbox.put(Using(names))

    def closeups(self, closeups: Closeups) -> None:
        """The places that are doubted can be looked at."""
        self._inbox.put(closeups)

    def pressed(self, press: Press) -> None:
        self._inbox.put(press)

    def panel_is(self, factory: str, troubles: tuple[str, ...]) -> None:
        self._inbox.put(PanelIs(factory, troubles))

    def reached(self, url: str, hint: str = "") -> None:
        """Where phones reach the pages from now on; empty with a `hint` while they cannot."""
        self._inbox.put(Reached(url, hint))

    def calibrating(self, step: Lead) -> None:
        self._inbox.put(Calibrating(step))

    def banner(self, text: str) -> None:
        self._inbox.put(Banner(text))

    def note(self, text: str) -> None:
        """Say this until the next move."""
        self._inbox.put(Note(text))

    # The thread.

    def _run(self) -> None:
        while True:
            message = self._inbox.get()
            if isinstance(message, Stop):
                return
            if isinstance(message, Ask):
                self._answer(message)
                continue
            if isinstance(message, Knock):
                message.heard.set()
                continue
            self._playing.take(message)
            self._publish()

    def _answer(self, ask: Ask) -> None:
        try:
            view = self._command(ask)
        except (refusals.Stale, refusals.TrayBusy, RulesError) as refusal:
            ask.answer.set_exception(refusal)
        except BaseException as fault:
            ask.answer.set_exception(refusals.TrayBusy(say("The tray has failed and starts anew; nothing was lost.")))
            raise fault
        else:
            ask.answer.set_result(view)

    def _command(self, ask: Ask) -> View:
        if ask.key is not None and (ask.key in self._keys or self._journal.has_key(ask.key)):
            return self._view
        if ask.rev is not None and ask.rev != self._present.rev:
            raise refusals.Stale(self._view)
        self._playing.command(ask.command, ask.key)
        if ask.key is not None:
            self._keys[ask.key] = None
            while len(self._keys) > KEYS:
                self._keys.popitem(last=False)
        self._publish()
        if isinstance(ask.command, commands.NewGame):
            self._game_began()
        return self._view

    def _publish(self) -> None:
        view = view_of(self._present, self._view, self._epoch)
        if replace(view, seq=self._view.seq) == self._view:
            return
        self._view = view
        self._broadcast.tell(view)

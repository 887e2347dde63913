"""The one thread that changes the game: play, write (fsync), then tell.

What a screen has shown is on disk. Everything that wants something (eye, buttons, phones) puts it in the inbox; the
thread takes one at a time, plays it, writes it, and only then publishes the new view.
"""

import logging
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from dataclasses import replace
from typing import Any

from calibration.wizard import Lead
from firmware import dispute, lamps, lying, moves, past, referee, rests
from firmware.album import ThrowKey
from firmware.broadcast import Broadcast, Subscription
from firmware.drivers import Press
from firmware.errors import BadState
from firmware.inbox import (
    Ask,
    Banner,
    Calibrating,
    Drifts,
    Knock,
    Lies,
    Lost,
    Message,
    NextRules,
    Note,
    Others,
    PanelIs,
    Reached,
    Size,
    Stop,
    Told,
)
from firmware.journal import Journal, Rolled
from firmware.lying import Lying, no_throw
from firmware.present import WORDS, Present, rail_of, resume
from firmware.referee import Aside, Ruling
from rules import changes
from rules.errors import IllegalMove, RulesError
from rules.events import Event, Player, Resumed, Started
from rules.games import ENGINE_VERSION
from rules.options import Options
from rules.record import Record
from speech.sentence import say
from vision.drift import Drift
from vision.happening import Happening
from vision.seen import Doubt, SeenDie
from web import commands, refusals
from web.commands import Command
from web.view import Closeups, Disputed, GameView, OtherDice, View

log = logging.getLogger(__name__)

# A phone's command waits this long for the table, which answers in milliseconds unless the disk hangs.
ANSWER_S = 10.0
# Idempotency keys remembered in memory; those of moves are in the journal as well.
KEYS = 512
PAIRING = say("For a minute the next phone that asks is paired with the tray; to teach it dice, open Calibrate there.")


class Table:
    """Fits `web.ports.LiveTable`. `options_of`: rules by name or table -> options (may raise `RulesError`).
    `now`: wall time as ISO 8601. `new_id`: a fresh game id. `presets`: names to choose from with MODE, asked for when
    it is pressed; `mode_held`: called when it was held. `dice_set`: short name of the set of dice in use, None when it
    is not known; their throws are then in nobody's record. `counted`: told which throw of the game the picture is of
    that was taken at a moment; `corrected`: which throw of a game was corrected. `url`: where phones reach the
    pages at first."""

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
        self._journal = journal
        self._options_of = options_of
        self._epoch, self._now, self._new_id = epoch, now, new_id
        self._aside: Aside = aside
        self._presets = presets
        self._game_began, self._mode_held = game_began, mode_held
        self._dice_set = dice_set
        self._counted, self._corrected = counted, corrected
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._keys: OrderedDict[str, None] = OrderedDict()
        self._broadcast = Broadcast()
        resumed = resume(journal)
        self._present = replace(resumed, banners=(*banners, *resumed.banners), offered=offered, url=url)
        self._view = self._draw(None)
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
        self._inbox.put(Size(width, height))

    def eye_lost(self, text: str = "") -> None:
        self._inbox.put(Lost(text))

    def lies(self, dice: tuple[SeenDie, ...]) -> None:
        """These dice lie there, and were not thrown for the game."""
        self._inbox.put(Lies(dice))

    def drifted(self, drifts: tuple[Drift, ...]) -> None:
        self._inbox.put(Drifts(drifts))

    def offered(self, slug: str, name: str) -> None:
        """The dice that lie there are those of this set, not of the one in use; nobody's when both are empty."""
        self._inbox.put(Others(OtherDice(slug, name) if slug else None))

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
            self._present = self._take(message)
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
        match ask.command:
            case commands.NewGame():
                self._begin(ask.command, ask.key)
            case commands.Resume(game):
                self._resume(game, ask.key)
            case commands.Dispute() | commands.Stands():
                self._look_again(ask.command)
            case commands.EnterThrow(values):
                self._enter(ask.command, tuple(sorted(values)), ask.key)
            case _:
                self._do(ask.command, ask.key)
        if ask.key is not None:
            self._keys[ask.key] = None
            while len(self._keys) > KEYS:
                self._keys.popitem(last=False)
        self._publish()
        if isinstance(ask.command, commands.NewGame):
            self._game_began()
        return self._view

    def _begin(self, command: commands.NewGame, key: str | None) -> None:
        options = self._options_of(command.rules)
        players = tuple(Player(player.name, player.seat, player.mark) for player in command.players)
        begun = Started("farkle", options.to_json(), ENGINE_VERSION, players)
        record = Record.begin(begun)
        game = self._new_id()
        move = self._write(game, (begun,), lying.written(self._present.lay), key)
        present = self._present.moved(record, move, (begun,), lying=no_throw(self._present.lying))
        self._present = replace(
            present, game=game, rail_before=referee.rail_values(present.eye.dice), ahead=None, wild_colour=""
        )

    def _resume(self, game: str, key: str | None) -> None:
        before = self._present
        record = past.taken_up(self._journal, game).play(Resumed())
        lies = before.lying if game == before.game else no_throw(before.lying)
        move = self._write(game, (Resumed(),), self._lay(record, lies), key)
        note = past.OVER if record.board.turn is None else past.GOES_ON
        present = replace(self._present, rail_before=rail_of(record.board), ahead=None, wild_colour="")
        self._present = replace(present.moved(record, move, (Resumed(),), (note,), lies), game=game)
        self._again((Resumed(),))

    def _do(self, command: Command, key: str | None = None) -> None:
        self._play(*moves.move_of(command, self._record()), key=key)
        if isinstance(command, commands.Undo):
            self._present = replace(self._present, ahead=None)
        elif isinstance(command, commands.Correct) and self._present.game is not None:
            self._corrected(self._present.game, command.throw)

    def _enter(self, command: commands.EnterThrow, values: tuple[int, ...], key: str | None) -> None:
        """Answer for the throw that lies there, or else one that the eye has not read."""
        events, notes = moves.move_of(command, self._record())
        before = self._present
        counts = before.is_answered_by(values)
        self._play(events, notes, key, counts=counts, instead=not counts and before.unanswered is not None)
        self._present = self._present.entered(values, before)

    def _look_again(self, command: commands.Dispute | commands.Stands) -> None:
        record, now = self._record(), self._present.disputed
        if isinstance(command, commands.Stands):
            if now is not None and now.throw == command.throw:
                self._disputed(None, say("Throw {throw} stands.", throw=now.throw))
        elif now is None:
            self._disputed(dispute.begun(record, command.throw, command.by, command.pictures))
        elif now.throw != command.throw:
            raise IllegalMove(
                say("Throw {throw} is being looked at: let it stand or correct it first.", throw=now.throw)
            )

    def _disputed(self, disputed: Disputed | None, *notes: str) -> None:
        """On disk first, so that a restart finds it."""
        present = self._present
        try:
            self._journal.set_mark(dispute.MARK, dispute.written(disputed, present.game or "", present.rev))
        except BadState as error:
            raise refusals.TrayBusy(str(error)) from None
        self._present = replace(present, disputed=disputed, notes=(*present.notes, *notes))

    def _record(self) -> Record:
        if self._present.record is None:
            raise refusals.TrayBusy(say("No game is being played: start one first."))
        return self._present.record

    def _play(
        self,
        events: tuple[Event, ...],
        notes: tuple[str, ...] = (),
        key: str | None = None,
        rolled: Rolled | None = None,
        counts: bool = False,
        instead: bool = False,
    ) -> None:
        """`counts`: the move puts the throw that lies there into the game. `instead`: it gives that one up."""
        before, present = self._record(), self._present
        if present.game is None:
            raise refusals.TrayBusy(say("No game is being played: start one first."))
        record = before.play(*events)
        lies = present.lying
        if lies is not None and counts:
            lies = replace(lies, number=record.board.throws)
        elif instead:
            lies = no_throw(lies)
        rev = self._write(present.game, events, self._lay(record, lies), key, rolled)
        self._present = self._present.moved(record, rev, events, (*notes, *changes.sentences(before, record)), lies)
        log.info("move %d: %s", rev, events)
        if lies is not None and counts:
            self._counted(lies.seen.taken_ms, ThrowKey(present.game, rev))
        self._again(events)

    def _again(self, events: tuple[Event, ...]) -> None:
        """A throw that lies there and was not in the game may be a move now."""
        before = self._present
        ruling = rests.after(before, events)
        if ruling != referee.NOTHING:
            after = self._judge(ruling)
            move = after.move if after.rev == before.rev else (*before.move, *after.move)
            self._present = replace(after, move=move, notes=(*before.notes, *after.notes))

    def _lay(self, record: Record, lies: Lying | None) -> str:
        """How the dice lie that are accounted for; what else will lie there is asked about after a power cut."""
        return lying.written(() if lies is not None and not lies.counted(record.board) else self._present.lay)

    def _write(
        self, game: str, events: tuple[Event, ...], lay: str, key: str | None, rolled: Rolled | None = None
    ) -> int:
        try:
            seq = self._journal.append(game, events, at=self._now(), key=key, rolled=rolled, lay=lay).seq
        except BadState as error:
            log.error("%s", error)
            self._set_journal_trouble(str(error))
            raise refusals.TrayBusy(str(error)) from None
        self._set_journal_trouble(None)
        return seq

    def _set_journal_trouble(self, text: str | None) -> None:
        if text != self._present.journal_trouble:
            self._present = replace(self._present, journal_trouble=text)
            self._publish()

    def _take(self, message: Told) -> Present:
        match message:
            case Press():
                return self._press(message)
            case Lost(text):
                eye = replace(self._present.eye, state="camera-lost", text=text or WORDS["camera-lost"])
                return replace(self._present, eye=eye)
            case Closeups():
                return self._present.looked_at(message)
            case Lies(dice):
                return self._present.lay_so(dice)
            case Size(width, height):
                return replace(self._present, eye=replace(self._present.eye, width=width, height=height))
            case Banner(text):
                return self._present.with_banner(text)
            case Note(text):
                return replace(self._present, notes=(*self._present.notes, text))
            case Drifts(drifts):
                return replace(self._present, eye=replace(self._present.eye, drifts=drifts))
            case Others(dice):
                return replace(self._present, eye=replace(self._present.eye, other=dice))
            case PanelIs(factory, troubles):
                return replace(self._present, panel=factory, panel_troubles=troubles)
            case Calibrating(step):
                return self._present.calibrating(step)
            case NextRules(name):
                return replace(self._present, offered=name) if name in self._presets() else self._present
            case Reached(url, hint):
                return replace(self._present, url=url, unreached=hint)
        return self._see(message)

    def _see(self, happening: Happening) -> Present:
        self._present, ruling = rests.seen(self._present, happening, self._aside, self._dice_set())
        return self._present if ruling == referee.NOTHING else self._judge(ruling)

    def _judge(self, ruling: Ruling) -> Present:
        """Play what the referee says. A throw that cannot be written or played becomes a question: none is lost."""
        if not ruling.events:
            return self._present.asking(ruling)
        lies = self._present.lying if ruling.counts else None
        try:
            self._play(ruling.events, ruling.notes, rolled=lies.rolled if lies else None, counts=ruling.counts)
        except (refusals.TrayBusy, RulesError) as refusal:
            doubt = Doubt("refused", 0.0, 0.0, str(refusal))
            values = lies.seen.values if lies else ()
            return self._present.asking(Ruling(doubts=(doubt,), proposed=values, refused=True))
        return self._present

    def _press(self, press: Press) -> Present:
        if press.button == "mode":
            return self._mode(press)
        command: Command = commands.Bank() if press.button == "bank" else commands.Undo()
        try:
            self._do(command)
        except (refusals.TrayBusy, RulesError) as refusal:
            return self._present.asking(Ruling((), (str(refusal),), True, self._present.doubts, self._present.proposed))
        return self._present

    def _mode(self, press: Press) -> Present:
        """A short press before a game chooses the rules that the page offers first; a long one lets a phone pair."""
        present = self._present
        if press.long:
            self._mode_held()
            return replace(present, notes=(PAIRING,))
        if present.playing:
            return present
        names = self._presets()
        following = names[(names.index(present.offered) + 1) % len(names)] if present.offered in names else names[0]
        return replace(present, offered=following, notes=(say("Next game: {title}.", title=following),))

    def _publish(self) -> None:
        view = self._draw(self._view)
        if replace(view, seq=self._view.seq) == self._view:
            return
        self._view = view
        self._broadcast.tell(view)

    def _draw(self, before: View | None) -> View:
        present = self._present
        board = present.board
        game = None
        if board is not None and present.game is not None and present.record is not None:
            rules = present.record.started.rules
            may_redo = len(present.record.taken)
            thrown = present.record.thrown
            game = GameView(
                present.game,
                board,
                present.doubts,
                present.notes,
                present.proposed,
                rules,
                may_redo,
                thrown,
                present.open_closeups,
                present.disputed,
            )
        move = present.move if before is not None and before.rev != present.rev else ()
        panel = lamps.panel_view(before, move, present.eye.state, game, present.refused, present.step)
        panel = replace(panel, factory=present.panel)
        banners = (*present.banners, *present.troubles)
        seq = before.seq + 1 if before else 0
        return View(self._epoch, present.rev, seq, present.eye, panel, game, banners, present.offered, present.url)

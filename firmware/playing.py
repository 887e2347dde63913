"""What is on the table, and who alone changes it: a move is played, written, and only then there to be told.

Owned by the table's thread (`firmware.table`); nobody else calls it.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firmware import dispute, lying, moves, past, referee, rests
from firmware.album import ThrowKey
from firmware.drivers import Press
from firmware.errors import BadState
from firmware.inbox import NextRules, Told
from firmware.journal import Journal, Rolled
from firmware.lying import Lying, no_throw
from firmware.present import Present, rail_of
from firmware.referee import Aside, Ruling
from firmware.told import taken_in
from rules import changes
from rules.errors import IllegalMove, RulesError
from rules.events import Event, Player, Resumed, Started
from rules.games import ENGINE_VERSION
from rules.options import Options
from rules.record import Record
from speech.sentence import say
from vision.happening import Happening
from vision.seen import Doubt
from web import commands, refusals
from web.commands import Command
from web.view import Disputed

log = logging.getLogger(__name__)

PAIRING = say("For a minute the next phone that asks is paired with the tray; to teach it dice, open Calibrate there.")


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What a table asks of the house it stands in. `options_of`: rules by name or table -> options (may raise
    `RulesError`). `now`: wall time as ISO 8601. `new_id`: a fresh game id. `presets`: names to choose from with MODE,
    asked for when it is pressed; `mode_held`: called when it was held. `dice_set`: short name of the set of dice in
    use, None when it is not known; their throws are then in nobody's record. `counted`: told which throw of the game
    the picture is of that was taken at a moment; `corrected`: which throw of a game was corrected."""

    options_of: Callable[[str | Mapping[str, Any]], Options]
    now: Callable[[], str]
    new_id: Callable[[], str]
    aside: Aside
    presets: Callable[[], Sequence[str]]
    mode_held: Callable[[], None]
    dice_set: Callable[[], str | None]
    counted: Callable[[int, ThrowKey], None]
    corrected: Callable[[str, int], None]


class Playing:
    """`present`: what is now. `troubled`: called when the journal can be written no more, or again."""

    def __init__(self, journal: Journal, present: Present, house: House, troubled: Callable[[], None]) -> None:
        self.present = present
        self._journal, self._house, self._troubled = journal, house, troubled

    def command(self, command: Command, key: str | None) -> None:
        """Raises `TrayBusy`, `RulesError`."""
        match command:
            case commands.NewGame():
                self._begin(command, key)
            case commands.Resume(game):
                self._resume(game, key)
            case commands.Dispute() | commands.Stands():
                self._look_again(command)
            case commands.EnterThrow(values):
                self._enter(command, tuple(sorted(values)), key)
            case _:
                self._do(command, key)

    def take(self, message: Told) -> None:
        """What eye, panel and house tell."""
        match message:
            case Happening():
                self.present = self._see(message)
            case Press():
                self.present = self._press(message)
            case NextRules(name):
                if name in self._house.presets():
                    self.present = replace(self.present, offered=name)
            case _:
                self.present = taken_in(self.present, message)

    def _begin(self, command: commands.NewGame, key: str | None) -> None:
        options = self._house.options_of(command.rules)
        players = tuple(Player(player.name, player.seat, player.mark) for player in command.players)
        begun = Started("farkle", options.to_json(), ENGINE_VERSION, players)
        record = Record.begin(begun)
        game = self._house.new_id()
        move = self._write(game, (begun,), lying.written(self.present.lay), key)
        present = self.present.moved(record, move, (begun,), lying=no_throw(self.present.lying))
        self.present = replace(
            present, game=game, rail_before=referee.rail_values(present.eye.dice), ahead=None, wild_colour=""
        )

    def _resume(self, game: str, key: str | None) -> None:
        before = self.present
        record = past.taken_up(self._journal, game).play(Resumed())
        lies = before.lying if game == before.game else no_throw(before.lying)
        move = self._write(game, (Resumed(),), self._lay(record, lies), key)
        note = past.OVER if record.board.turn is None else past.GOES_ON
        present = replace(self.present, rail_before=rail_of(record.board), ahead=None, wild_colour="")
        self.present = replace(present.moved(record, move, (Resumed(),), (note,), lies), game=game)
        self._again((Resumed(),))

    def _do(self, command: Command, key: str | None = None) -> None:
        self._play(*moves.move_of(command, self._record()), key=key)
        if isinstance(command, commands.Undo):
            self.present = replace(self.present, ahead=None)
        elif isinstance(command, commands.Correct) and self.present.game is not None:
            self._house.corrected(self.present.game, command.throw)

    def _enter(self, command: commands.EnterThrow, values: tuple[int, ...], key: str | None) -> None:
        """Answer for the throw that lies there, or else one that the eye has not read."""
        events, notes = moves.move_of(command, self._record())
        before = self.present
        counts = before.is_answered_by(values)
        self._play(events, notes, key, counts=counts, instead=not counts and before.unanswered is not None)
        self.present = self.present.entered(values, before)

    def _look_again(self, command: commands.Dispute | commands.Stands) -> None:
        record, now = self._record(), self.present.disputed
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
        present = self.present
        try:
            self._journal.set_mark(dispute.MARK, dispute.written(disputed, present.game or "", present.rev))
        except BadState as error:
            raise refusals.TrayBusy(str(error)) from None
        self.present = replace(present, disputed=disputed, notes=(*present.notes, *notes))

    def _record(self) -> Record:
        if self.present.record is None:
            raise refusals.TrayBusy(say("No game is being played: start one first."))
        return self.present.record

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
        before, present = self._record(), self.present
        if present.game is None:
            raise refusals.TrayBusy(say("No game is being played: start one first."))
        record = before.play(*events)
        lies = present.lying
        if lies is not None and counts:
            lies = replace(lies, number=record.board.throws)
        elif instead:
            lies = no_throw(lies)
        rev = self._write(present.game, events, self._lay(record, lies), key, rolled)
        self.present = self.present.moved(record, rev, events, (*notes, *changes.sentences(before, record)), lies)
        log.info("move %d: %s", rev, events)
        if lies is not None and counts:
            self._house.counted(lies.seen.taken_ms, ThrowKey(present.game, rev))
        self._again(events)

    def _again(self, events: tuple[Event, ...]) -> None:
        """A throw that lies there and was not in the game may be a move now."""
        before = self.present
        ruling = rests.after(before, events)
        if ruling != referee.NOTHING:
            after = self._judge(ruling)
            move = after.move if after.rev == before.rev else (*before.move, *after.move)
            self.present = replace(after, move=move, notes=(*before.notes, *after.notes))

    def _lay(self, record: Record, lies: Lying | None) -> str:
        """How the dice lie that are accounted for; what else will lie there is asked about after a power cut."""
        return lying.written(() if lies is not None and not lies.counted(record.board) else self.present.lay)

    def _write(
        self, game: str, events: tuple[Event, ...], lay: str, key: str | None, rolled: Rolled | None = None
    ) -> int:
        try:
            seq = self._journal.append(game, events, at=self._house.now(), key=key, rolled=rolled, lay=lay).seq
        except BadState as error:
            log.error("%s", error)
            self._set_journal_trouble(str(error))
            raise refusals.TrayBusy(str(error)) from None
        self._set_journal_trouble(None)
        return seq

    def _set_journal_trouble(self, text: str | None) -> None:
        if text != self.present.journal_trouble:
            self.present = replace(self.present, journal_trouble=text)
            self._troubled()

    def _see(self, happening: Happening) -> Present:
        self.present, ruling = rests.seen(self.present, happening, self._house.aside, self._house.dice_set())
        return self.present if ruling == referee.NOTHING else self._judge(ruling)

    def _judge(self, ruling: Ruling) -> Present:
        """Play what the referee says. A throw that cannot be written or played becomes a question: none is lost."""
        if not ruling.events:
            return self.present.asking(ruling)
        lies = self.present.lying if ruling.counts else None
        try:
            self._play(ruling.events, ruling.notes, rolled=lies.rolled if lies else None, counts=ruling.counts)
        except (refusals.TrayBusy, RulesError) as refusal:
            doubt = Doubt("refused", 0.0, 0.0, str(refusal))
            values = lies.seen.values if lies else ()
            return self.present.asking(Ruling(doubts=(doubt,), proposed=values, refused=True))
        return self.present

    def _press(self, press: Press) -> Present:
        if press.button == "mode":
            return self._mode(press)
        command: Command = commands.Bank() if press.button == "bank" else commands.Undo()
        try:
            self._do(command)
        except (refusals.TrayBusy, RulesError) as refusal:
            return self.present.asking(Ruling((), (str(refusal),), True, self.present.doubts, self.present.proposed))
        return self.present

    def _mode(self, press: Press) -> Present:
        """A short press before a game chooses the rules that the page offers first; a long one lets a phone pair."""
        present = self.present
        if press.long:
            self._house.mode_held()
            return replace(present, notes=(PAIRING,))
        if present.playing:
            return present
        names = self._house.presets()
        following = names[(names.index(present.offered) + 1) % len(names)] if present.offered in names else names[0]
        return replace(present, offered=following, notes=(say("Next game: {title}.", title=following),))

"""Taking, adding, giving up and handing over seats. One phone may hold several; a seat has one phone at most."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import NoReturn

from speech.sentence import joined, say
from web.marks import MARKS, NAMES, free_mark
from web.phones import Phones
from web.ports import LiveTable, Room
from web.problems import Problem
from web.records import Seat

# As many as may play a game.
SEATS_A_PHONE = 8
# Somebody walks over with the phone, or reads the code aloud.
HANDING_S = 300.0
HANDING_LENGTH = 5
HANDED_AT_ONCE = 64
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Seating:
    """Every change of who sits where goes through here, one at a time. Each raises `Problem` with a sentence.
    `reseated`: told which phone's seats are others now."""

    def __init__(
        self, room: Room, phones: Phones, table: LiveTable, now: Callable[[], float], reseated: Callable[[str], None]
    ) -> None:
        self._room, self._phones, self._table, self._now = room, phones, table, now
        self._reseated = reseated
        self._lock = Lock()
        # Codes of seats that are being handed over: the seat as it was, and until when.
        self._handed: OrderedDict[str, tuple[Seat, float]] = OrderedDict()

    def sit(self, phone: str, name: str, mark: str | None = None, plays: bool = True) -> Seat:
        """A seat of this name on this phone: the one that it has, one that nobody has, or a new one. `mark`: None for
        any colour that is free."""
        with self._lock:
            mine = self._mine(phone, name)
            if not plays:
                return mine or self._room.sit(name, "", phone, plays=False)
            if mine is not None:
                return self._painted(mine, mark)
            self._check_full(phone)
            other = self._namesake(name)
            if other is None:
                return self._room.sit(name, self._colour(mark), phone)
            if other.phone is not None:
                self._refuse_name(other)
            self._colour(mark, other)
            return self._painted(self._handle(other, phone), mark)

    def take(self, phone: str, seat_id: object) -> Seat:
        """A seat that nobody holds now, as that of a phone which lost its cookie."""
        with self._lock:
            seat = self._seat(seat_id)
            if seat.phone == phone:
                return seat
            self._check_full(phone)
            if not self._phones.away(seat.phone):
                raise Problem(409, _held(seat))
            return self._handle(seat, phone)

    def hand(self, phone: str, seat_id: object) -> str:
        """A code with which another phone takes this seat, within five minutes. Asked again, the same code."""
        with self._lock:
            seat = self._seat(seat_id)
            if seat.phone != phone:
                raise Problem(
                    403, say("{name} does not sit on this phone, so the seat is not yours to give.", name=seat.name)
                )
            code = self.code_of(seat)
            if not code:
                code = "".join(secrets.choice(LETTERS) for _ in range(HANDING_LENGTH))
                self._handed[code] = seat, self._now() + HANDING_S
                while len(self._handed) > HANDED_AT_ONCE:
                    self._handed.popitem(last=False)
            return code

    def code_of(self, seat: Seat) -> str:
        """The code that hands over this seat; empty when none does."""
        held = ((code, handed, ends) for code, (handed, ends) in tuple(self._handed.items()) if ends > self._now())
        return next((code for code, handed, _ in held if (handed.id, handed.phone) == (seat.id, seat.phone)), "")

    def handed(self, code: object) -> Seat | None:
        """The seat that a code hands over, None when it does not, or not any more."""
        seat, ends = self._handed.get(code.strip().casefold() if isinstance(code, str) else "", (None, 0.0))
        if seat is None or ends < self._now():
            return None
        now = next((one for one in self._room.seats() if one.id == seat.id), None)
        return now if now is not None and now.phone == seat.phone else None

    def accept(self, phone: str, code: object) -> Seat:
        with self._lock:
            seat = self.handed(code)
            if seat is None:
                raise Problem(403, say("That code hands over no seat any more: have it shown anew on the other phone."))
            if seat.phone == phone:
                return seat
            self._check_full(phone)
            return self._handle(seat, phone)

    def leave(self, phone: str, seat_id: object = None) -> None:
        """Give up one seat, or all of this phone. Nobody's, it waits for whoever takes it."""
        with self._lock:
            mine = self._room.seats_of(phone)
            for seat in mine:
                if seat_id in (None, seat.id):
                    self._room.give(seat, None)
                    self._reseated(phone)

    def free(self) -> tuple[Seat, ...]:
        """Seats of tonight that nobody holds."""
        return tuple(seat for seat in self._tonight() if self._phones.away(seat.phone))

    def taken(self, but: Seat | None = None) -> dict[str, str]:
        """The colours that players have, those of `but` aside: name of the mark -> of the player."""
        mine = but.id if but else ""
        game = self._table.view().game
        players = game.board.players if game and game.board.status != "over" else ()
        found = {player.mark: player.name for player in players if player.mark and player.seat != mine}
        return found | {seat.mark: seat.name for seat in self._phones.present() if seat.mark and seat.id != mine}

    def _painted(self, seat: Seat, wish: str | None) -> Seat:
        colour = self._colour(wish, seat)
        return seat if seat.mark == colour else self._room.paint(seat, colour)

    def _colour(self, wish: str | None, seat: Seat | None = None) -> str:
        """The colour asked for, unless somebody has it; all may be shared once all are taken."""
        if wish is not None and wish not in NAMES:
            raise Problem(
                422, say("There is no colour {name}; there are {known}.", name=repr(wish), known=", ".join(NAMES))
            )
        taken = self.taken(seat)
        if wish is None:
            return seat.mark if seat and seat.mark else free_mark(taken)
        if wish in taken and len(taken) < len(NAMES):
            left = joined([mark.words for mark in MARKS if mark.name not in taken], ", ")
            raise Problem(409, say("{name} has that colour already; still free: {left}.", name=taken[wish], left=left))
        return wish

    def _namesake(self, name: str) -> Seat | None:
        """A seat of this name: first one that counts tonight, then one that nobody holds any more."""
        tonight = self._tonight()
        unheld = (seat for seat in self._room.seats() if seat.plays and seat.phone is None)
        return next((seat for seat in (*tonight, *unheld) if seat.name.casefold() == name.casefold()), None)

    def _refuse_name(self, seat: Seat) -> NoReturn:
        if not self._phones.away(seat.phone):
            raise Problem(409, _held(seat))
        sentence = say(
            "{name} sits here, but the phone is away. Is it you? Take the seat back; else take another name.",
            name=seat.name,
        )
        raise Problem(409, sentence, free={"seat": seat.id, "name": seat.name})

    def _handle(self, seat: Seat, phone: str) -> Seat:
        if not self._room.give(seat, phone):
            raise Problem(409, say("Another phone was faster: it has the seat of {name} now.", name=seat.name))
        if seat.phone is not None:
            self._reseated(seat.phone)
        return replace(seat, phone=phone)

    def _tonight(self) -> tuple[Seat, ...]:
        """The players' seats that count now: of phones heard of lately, and of the game on the table."""
        game = self._table.view().game
        playing = {player.seat for player in game.board.players} if game else set()
        present = {seat.id for seat in self._phones.present()}
        return tuple(seat for seat in self._room.seats() if seat.plays and seat.id in playing | present)

    def _mine(self, phone: str, name: str) -> Seat | None:
        mine = (seat for seat in self._room.seats_of(phone) if seat.name.casefold() == name.casefold())
        return next(mine, None)

    def _seat(self, seat_id: object) -> Seat:
        found = next((seat for seat in self._room.seats() if seat.id == seat_id), None)
        if found is None:
            raise Problem(404, say("There is no such seat at this table."))
        return found

    def _check_full(self, phone: str) -> None:
        if len(self._room.seats_of(phone)) >= SEATS_A_PHONE:
            raise Problem(409, say("This phone holds {count} seats already; give one up first.", count=SEATS_A_PHONE))


def _held(seat: Seat) -> str:
    return say(
        "{name} sits here already, on a phone that was here within the last minute. Take another name, or have the "
        "seat handed over on that phone. If it is yours and has lost the seat, ask again in a minute.",
        name=seat.name,
    )

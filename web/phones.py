"""Which phone is asking, which seats it holds, and whether it may make this move."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

from flask import Request
from werkzeug.wrappers import Response

from speech.sentence import either, say
from web.commands import Command, Correct, End, Redo, Undo
from web.ports import Room
from web.problems import Problem
from web.records import Seat
from web.view import View

COOKIE = "stickman_seat"
# A phone keeps its seats for as long as browsers allow a cookie to live.
COOKIE_S = 400 * 24 * 3600
# A seat whose phone has asked for something within this time is at the table tonight; an older one of the same name
# belongs to another evening.
PRESENT_S = 600.0
# A phone that was not heard of for so long is away. An open page is heard of every ten seconds.
AWAY_S = 60.0
ANSWERED = 512
PAIRING = say(
    "Only a phone paired with the tray does this: hold the MODE button on the tray, then ask again within a minute."
)


class Phones:
    """The phones as seen through requests. A phone is known by the hash of its cookie's token, which is kept nowhere
    else. `now`: seconds on a clock that never goes back."""

    def __init__(self, room: Room, now: Callable[[], float]) -> None:
        self._room = room
        self._now = now
        self._began = now()
        self._seen: dict[str, float] = {}
        self._answered: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def seats(self, request: Request) -> tuple[Seat, ...]:
        """Those that the phone which asks holds, the oldest first."""
        phone = phone_of(request)
        seats = self._room.seats_of(phone) if phone else ()
        if phone and seats:
            self.saw(phone)
        return seats

    def seat(self, request: Request) -> Seat | None:
        return next(iter(self.seats(request)), None)

    def seated(self, request: Request) -> tuple[Seat, ...]:
        """The seats of the phone that asks. Raises `Problem` when it has none."""
        seats = self.seats(request)
        if not seats:
            raise Problem(403, say("Join the table first: scan the code on the tray's screen."))
        return seats

    def owner(self, request: Request, view: View) -> None:
        """What the owner decides needs a phone that was paired at the tray; a tray without buttons cannot tell who
        stands beside it, so there any phone with a seat will do. Raises `Problem`."""
        phone = self.seated(request)[0].phone or ""
        if view.panel.factory != "none" and not self._room.pair(phone):
            raise Problem(403, PAIRING, pairing=True)

    def saw(self, phone: str) -> None:
        with self._lock:
            self._seen[phone] = self._now()

    def present(self) -> tuple[Seat, ...]:
        """The players' seats whose phone was heard of lately, the latest to sit down first."""
        oldest = self._now() - PRESENT_S
        with self._lock:
            here = {phone for phone, at in self._seen.items() if at >= oldest}
        return tuple(seat for seat in reversed(self._room.seats()) if seat.phone in here and seat.plays)

    def away(self, phone: str | None) -> bool:
        """Whether nobody holds a seat of this phone now. After a start every phone has a minute to come back."""
        if phone is None:
            return True
        with self._lock:
            return self._now() - self._seen.get(phone, self._began) > AWAY_S

    def was_answered(self, key: str | None) -> bool:
        """This command was accepted before: a repeat is answered again, whoever's turn it is by now."""
        with self._lock:
            return key is not None and key in self._answered

    def note_answered(self, key: str | None) -> None:
        with self._lock:
            if key is not None:
                self._answered[key] = None
                while len(self._answered) > ANSWERED:
                    self._answered.popitem(last=False)


def phone_of(request: Request) -> str | None:
    """The phone that asks, None when it has no cookie of ours."""
    token = request.cookies.get(COOKIE)
    return _hash(token) if token else None


def known(answer: Response, request: Request) -> str:
    """The phone that asks; a new one gets its cookie with `answer`."""
    phone = phone_of(request)
    if phone is not None:
        return phone
    token = secrets.token_urlsafe(24)
    answer.set_cookie(COOKIE, token, max_age=COOKIE_S, httponly=True, samesite="Strict")
    return _hash(token)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def may_move(view: View, seats: Sequence[Seat], command: Command) -> None:
    """The phone that holds the seat of the player whose turn it is; any phone at the table when that player has none.
    Taking back and doing again also belong to whoever moved last; ending the game, and correcting a throw, to everyone
    who plays it.

    Raises `Problem` with a sentence that names who may."""
    if view.game is None:
        raise Problem(409, say("No game is being played; start one first."))
    board = view.game.board
    movers = set() if board.turn is None else {board.turn.player}
    if isinstance(command, Undo | Redo) and board.last is not None:
        movers.add(board.last.player)
    if isinstance(command, Correct | End) or board.turn is None:
        movers.update(range(len(board.players)))
    owners = [board.players[index] for index in sorted(movers)]
    if any(player.seat in (None, *(seat.id for seat in seats)) for player in owners):
        return
    names = either([player.name for player in owners])
    raise Problem(
        403, say("This is for {names} to decide, on their own phone or with the buttons on the tray.", names=names)
    )

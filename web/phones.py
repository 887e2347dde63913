"""Which phone is asking, and whether it may make this move."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from flask import Request, Response

from rules.wording import either
from speech.sentence import say
from web.ports import Command, Correct, End, Redo, Room, Seat, Undo, View
from web.problems import Problem

COOKIE = "stickman_seat"
# A phone keeps its seat for as long as browsers allow a cookie to live.
COOKIE_S = 400 * 24 * 3600
# A seat whose phone has asked for something within this time is at the table tonight; an older one of the same name
# belongs to another evening.
PRESENT_S = 600.0
ANSWERED = 512
PAIRING = say(
    "Only a phone paired with the tray does this: hold the MODE button on the tray, then ask again within a minute."
)


class Phones:
    """The seats of the room as seen through requests. `now`: seconds on a clock that never goes back."""

    def __init__(self, room: Room, now: Callable[[], float]) -> None:
        self._room = room
        self._now = now
        self._seen: dict[str, float] = {}
        self._answered: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def seat(self, request: Request) -> Seat | None:
        token = request.cookies.get(COOKIE)
        seat = self._room.seat_of(token) if token else None
        if seat is not None:
            self.saw(seat)
        return seat

    def seated(self, request: Request) -> Seat:
        """The seat of the phone that asks. Raises `Problem` when it has none."""
        seat = self.seat(request)
        if seat is None:
            raise Problem(403, say("Join the table first: scan the code on the tray's screen."))
        return seat

    def owner(self, request: Request, view: View) -> None:
        """What the owner decides needs a phone that was paired at the tray; a tray without buttons cannot tell who
        stands beside it, so there any seat will do. Raises `Problem`."""
        seat = self.seated(request)
        if view.panel.factory != "none" and not self._room.pair(seat):
            raise Problem(403, PAIRING, pairing=True)

    def saw(self, seat: Seat) -> None:
        with self._lock:
            self._seen[seat.id] = self._now()

    def present(self) -> tuple[Seat, ...]:
        """The seats whose phone was heard of lately, the latest to sit down first."""
        oldest = self._now() - PRESENT_S
        with self._lock:
            here = {seat for seat, at in self._seen.items() if at >= oldest}
        return tuple(seat for seat in reversed(self._room.seats()) if seat.id in here)

    def remember(self, answer: Response, token: str, seat: Seat) -> None:
        answer.set_cookie(COOKIE, token, max_age=COOKIE_S, httponly=True, samesite="Strict")
        self.saw(seat)

    def forget(self, answer: Response) -> None:
        answer.delete_cookie(COOKIE, httponly=True, samesite="Strict")

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


def may_move(view: View, seat: Seat, command: Command) -> None:
    """The phone of the player whose turn it is; any phone at the table when that player has none. Taking back and
    doing again also belong to whoever moved last; ending the game, and correcting a throw, to everyone who plays it.

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
    if any(player.seat in (None, seat.id) for player in owners):
        return
    names = either([player.name for player in owners])
    raise Problem(
        403, say("This is for {names} to decide, on their own phone or with the buttons on the tray.", names=names)
    )

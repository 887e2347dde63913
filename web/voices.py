"""What streams tell: the state as JSON, or the scoreboard of one kind of screen, drawn."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

from speech.catalogue import Catalogue
from web import render
from web.boards import Board, Boards
from web.ports import LiveTable
from web.view import View


@dataclass(frozen=True, slots=True)
class Told:
    """`text`: events, empty for nothing new. `seq`: of the view that they bring the listener to. `shown`: the board
    that their page shows then."""

    text: str
    seq: int
    shown: Board | None = None


class Voice(Protocol):
    @property
    def name(self) -> Hashable:
        """Two voices of one name tell the same."""
        ...

    def first(self, table: LiveTable, last: str) -> Told:
        """What a newcomer gets who heard the event with the id `last` before, "" for none."""
        ...

    def next(self, view: View, shown: Board | None) -> Told: ...


@dataclass(frozen=True, slots=True)
class Plain:
    """The state as JSON, for programs."""

    texts: render.Texts
    language: Catalogue

    @property
    def name(self) -> Hashable:
        return self.language.code

    def first(self, table: LiveTable, last: str) -> Told:
        view = table.view()
        after = render.seq_after(last, view.epoch)
        missed = None if after is None or after > view.seq else table.since(after)
        if missed is None:
            return Told(self._event("snapshot", view), view.seq)
        return Told("".join(self._event("state", each) for each in missed), (missed[-1] if missed else view).seq)

    def next(self, view: View, shown: Board | None) -> Told:
        return Told(self._event("state", view), view.seq, shown)

    def _event(self, kind: str, view: View) -> str:
        return event(kind, render.view_id(view), self.texts.of(view, self.language))


@dataclass(frozen=True, slots=True)
class Drawn:
    """The scoreboard of one kind of screen: at first all of it, then the sections that have changed."""

    boards: Boards
    kind: str
    language: Catalogue

    @property
    def name(self) -> Hashable:
        return self.kind, self.language.code

    def first(self, table: LiveTable, last: str) -> Told:
        return self.next(table.view(), self.boards.drawn(last, self.kind, self.language))

    def next(self, view: View, shown: Board | None) -> Told:
        now = self.boards.of(view, self.kind, self.language)
        text = "" if now is shown else event("board", now.id, self.boards.told(now, shown))
        return Told(text, view.seq, now)


# The page that hears it has to be drawn anew.
RESEATED = "event: seats\ndata: true\n\n"


def event(kind: str, at: str, data: str) -> str:
    return f"id: {at}\nevent: {kind}\ndata: {data}\n\n"


def beat(seq: int) -> str:
    """A comment for proxies, and an event for the page, whose script never sees comments."""
    return f": beat\nevent: beat\ndata: {seq}\n\n"

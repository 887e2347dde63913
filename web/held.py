"""An answer of waitress that is held open without a thread: whoever holds its `Line` writes to it, from any thread.

By itself waitress gives each answer a thread until it ends. Here the thread goes back to the pool once the headers are
out, and the request stays the first in its channel's queue, so that waitress answers no other in between."""

import contextlib
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.task import WSGITask

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

# Where an app finds the line of the request it is asked. It is not there when the answer cannot be held.
LINE = "stickman.line"
# A client that reads too slowly holds no more memory than this; then it is dropped.
UNREAD_LIMIT = 256 * 1024


def chunk(text: str) -> bytes:
    """`text` as it goes over a line: framed once, however many lines it goes to."""
    data = text.encode()
    return b"%X\r\n%b\r\n" % (len(data), data)


class Line:
    """One answer that is held. Nothing here waits for the client."""

    def __init__(self, channel: HTTPChannel) -> None:
        self._channel = channel
        self._over = False
        self.begin: Callable[[], None] | None = None

    @property
    def alive(self) -> bool:
        """False once the connection has ended."""
        return self._channel.connected

    def hold(self, begin: Callable[[], None]) -> None:
        """Hold the answer that the app is about to give: `begin` is called when its headers are out."""
        self.begin = begin

    def write(self, data: bytes) -> None:
        """`data`: one or more chunks."""
        channel = self._channel
        if self._over or not self.alive:
            return
        if channel.total_outbufs_len + len(data) > UNREAD_LIMIT:
            self._drop()
            return
        try:
            with channel.outbuf_lock:
                # Straight to the socket while it takes all: waitress's buffers would keep a copy for each client.
                sent = 0 if channel.total_outbufs_len else channel.send(data, do_close=False)
                if sent < len(data):
                    channel.write_soon(data[sent:])
        except (ClientDisconnected, OSError):
            self._drop()

    def end(self) -> None:
        """Say that this was all, and close once it is out."""
        self.write(b"0\r\n\r\n")
        self._over = True
        self._channel.close_when_flushed = True
        self._channel.server.pull_trigger()

    def _drop(self) -> None:
        """Have waitress close it, with what was not read."""
        self._over = True
        self._channel.will_close = True
        if self._channel.socket is not None:
            # Else a connection that is full would never be ready to be closed.
            with contextlib.suppress(OSError):
                self._channel.socket.shutdown(socket.SHUT_RDWR)
        self._channel.server.pull_trigger()


class Held(BaseException):
    """The answer of this task is held. Not an error: it leaves waitress's `service` before that ends the answer."""


class Task(WSGITask):
    def get_environment(self) -> "WSGIEnvironment":
        self._line = Line(self.channel)
        environ = super().get_environment()
        if (environ["REQUEST_METHOD"], environ["SERVER_PROTOCOL"]) == ("GET", "HTTP/1.1"):
            environ[LINE] = self._line
        return environ

    def execute(self) -> None:
        super().execute()
        if self._line.begin is not None:
            # Nothing was said yet, so this sends the headers.
            self.write(b"")
            self._line.begin()
            raise Held


class Channel(HTTPChannel):
    task_class = Task

    def service(self) -> None:
        with contextlib.suppress(Held):
            super().service()

"""The listening socket and waitress around the app: one process, few threads, a stop that takes seconds."""

import logging
import socket
import threading
import time
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask
from waitress.utilities import RequestEntityTooLarge

from calibration.archive import LARGEST
from web import problems
from web.app import streams_of
from web.errors import PortTaken
from web.held import UNREAD_LIMIT, Channel

# A phone that left the Wi-Fi without a word holds its place no longer than this.
USER_TIMEOUT_MS = 20_000
# Bytes of a file that waitress takes in hand at once, and that wait in the kernel for a slow phone: else megabytes.
SENT_AHEAD = 128 * 1024
# For pages and moves, which take milliseconds; streams take none.
THREADS = 16
# Twice what a dice set may have, so that the app itself says that it is too large; all else it refuses far below.
BODY_LIMIT = 2 * LARGEST
STOP_WITHIN_S = 1.5


def listen(host: str, port: int, user_timeout_ms: int = USER_TIMEOUT_MS) -> socket.socket:
    """A listening socket; port 0 takes any free one, and "::" listens by IPv4 as well. Raises `PortTaken`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, user_timeout_ms)
        if host == "::":
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        sock.bind((host, port))
        sock.listen(128)
    except (OSError, OverflowError) as error:
        sock.close()
        raise PortTaken(_sentence(host, port, error)) from error
    return sock


def _sentence(host: str, port: int, error: Exception) -> str:
    match error:
        case PermissionError():
            return f"Port {port} on {host} is kept for the system; choose one above 1023 with --port."
        case OSError(errno=98):
            return f"Port {port} on {host} is in use by another program; choose another with --port."
        case OverflowError():
            return f"There is no port {port}; choose one from 1 to 65535 with --port."
    reason = getattr(error, "strerror", None) or str(error)
    return f"Cannot listen on {host} port {port} ({reason}); choose others with --host and --port."


class _Refusal(ErrorTask):
    """waitress's own word on a request that it does not take, as a sentence where it may be meant for people."""

    def execute(self) -> None:
        request: Any = self.request  # whose types say less than it has
        if not isinstance(request.error, RequestEntityTooLarge):
            super().execute()
            return
        body, kind = problems.too_large(page="text/html" in request.headers.get("ACCEPT", ""))
        self.status = "413 Request Entity Too Large"
        self.response_headers = [("Content-Type", kind)]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Polite(Channel):
    error_task_class = _Refusal


class Server:
    """waitress serving `app` on `sock`. `run` blocks until `stop`, which any thread or signal handler may call."""

    def __init__(self, app: Flask, sock: socket.socket, threads: int = THREADS) -> None:
        self._streams = streams_of(app)
        self._map: dict[int, Any] = {}
        self._stopping = threading.Event()
        self._ended = threading.Event()
        # The trigger that wakes the loop is closed by the loop's own thread: nobody may pull it afterwards.
        self._trigger = threading.RLock()
        # When a crowd comes at once, some wait for a moment: nobody needs to read of each.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        server = create_server(
            app,
            map=self._map,
            sockets=[sock],
            threads=threads,
            connection_limit=600,
            asyncore_use_poll=True,
            channel_timeout=60,
            ident=None,
            outbuf_high_watermark=UNREAD_LIMIT,
            # Phones leave without a word all the time.
            log_socket_errors=False,
            # Reading on while a stream is open is how waitress notices that its client has closed it.
            channel_request_lookahead=1,
            max_request_body_size=BODY_LIMIT,
            clear_untrusted_proxy_headers=True,
        )
        # One socket makes a plain server; several would make another kind.
        assert isinstance(server, BaseWSGIServer)
        server.channel_class = _Polite
        self._server = server

    def run(self) -> None:
        while not self._stopping.is_set():
            wasyncore.loop(timeout=1.0, use_poll=True, map=self._map, count=1)
        self._close()

    def stop(self) -> None:
        """Begin to stop. May be called twice."""
        if self._stopping.is_set():
            return
        self._streams.stop()
        self._stopping.set()
        with self._trigger:
            if not self._ended.is_set():
                self._server.pull_trigger()

    def wait(self, timeout_s: float = 2 * STOP_WITHIN_S) -> bool:
        """Wait for the end that `stop` asked for. False when it takes longer."""
        return self._ended.wait(timeout_s)

    def _close(self) -> None:
        ends = time.monotonic() + STOP_WITHIN_S
        self._server.accepting = False
        self._streams.end()
        while self._streams.count() and time.monotonic() < ends:
            wasyncore.loop(timeout=0.05, use_poll=True, map=self._map, count=1)
        self._server.task_dispatcher.shutdown(timeout=1)
        with self._trigger:
            wasyncore.close_all(self._map)
            self._ended.set()


def serve(app: Flask, sock: socket.socket, threads: int = THREADS) -> Server:
    """A server running in a thread of its own; `stop()` ends it."""
    server = Server(app, sock, threads)
    threading.Thread(target=server.run, name="pages", daemon=True).start()
    return server

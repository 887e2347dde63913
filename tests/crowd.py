"""A crowd of phones: open streams that note when each state came, pollers, and clients that never read. As a process of
its own, it waits for its input to end and then prints what it saw as JSON."""

import argparse
import http.client
import json
import re
import selectors
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing

from patience import PATIENCE_S

EVENT = re.compile(rb"id: \S+-(\d+)~?\nevent: \w+\ndata: [^\n]*?\"rev\":(\d+)[^\n]*\n")
POLL_S = 3.0
# A receive buffer that a few states fill.
SMALL = 4096


class Stream:
    """`ended`: the tray closed it."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.ended = line, False
        self._heard: deque[tuple[bytes, float]] = deque()
        self._came: dict[int, tuple[int, float]] = {}
        self._rest = b""

    def hear(self, known: dict[bytes, bytes]) -> None:
        """Only note what comes, and when: to read it would keep other phones waiting. `known`: what others heard, so
        that two hundred hold it once."""
        found, at = self.line.recv(1 << 18), time.time()
        self.ended = not found
        self._heard.append((known.setdefault(found, found), at))

    @property
    def came(self) -> dict[int, tuple[int, float]]:
        """seq -> (rev, wall time of the last byte of its first event)."""
        while self._heard:
            found, at = self._heard.popleft()
            self._rest += found
            end = 0
            for event in EVENT.finditer(self._rest):
                # The first counts: the same state comes once more when its odds are worked out.
                self._came.setdefault(int(event[1]), (int(event[2]), at))
                end = event.end()
            self._rest = self._rest[end:]
        return self._came

    def gaps(self) -> list[int]:
        """The states between the first and the last that never came."""
        came = self.came.keys()
        return sorted(set(range(min(came), max(came) + 1)) - came) if came else []


class Crowd:
    """`streams` phones follow the tray on `paths` by turns, `pollers` ask for the state every three seconds, `stalled`
    open a stream and never read it."""

    def __init__(
        self, port: int, streams: int, pollers: int = 0, stalled: int = 0, paths: Sequence[str] = ("/events",)
    ) -> None:
        self._port = port
        self._stop = threading.Event()
        self._polls: list[tuple[int, float]] = []
        self.stalled = [self._opened(paths[at % len(paths)], SMALL) for at in range(stalled)]
        self.streams = [Stream(self._opened(paths[at % len(paths)])) for at in range(streams)]
        self._follower = threading.Thread(target=self._follow, daemon=True)
        self._polled = threading.Event()
        self._pollers = [threading.Thread(target=self._poll, args=(at,), daemon=True) for at in range(pollers)]
        for thread in (self._follower, *self._pollers):
            thread.start()

    def heard(self, seq: int) -> int:
        """How many streams have this state or a later one."""
        return sum(max(stream.came, default=-1) >= seq for stream in self.streams)

    def polls(self) -> list[tuple[int, float]]:
        """Status and seconds of each answer; nobody polls any more."""
        self._polled.set()
        for thread in self._pollers:
            thread.join(15)
        return self._polls

    def close(self) -> None:
        self.polls()
        self._stop.set()
        self._follower.join(5)
        for line in [*self.stalled, *(stream.line for stream in self.streams)]:
            line.close()

    def _opened(self, path: str, buffer: int = 0) -> socket.socket:
        line = socket.socket()
        if buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.connect(("127.0.0.1", self._port))
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode())
        return line

    def _follow(self) -> None:
        known: dict[bytes, bytes] = {}
        with selectors.DefaultSelector() as ready:
            for stream in self.streams:
                ready.register(stream.line, selectors.EVENT_READ, stream)
            while not self._stop.is_set():
                for key, _ in ready.select(0.2):
                    key.data.hear(known)
                    if key.data.ended:
                        ready.unregister(key.fileobj)

    def _poll(self, number: int) -> None:
        """Not all at the same moment."""
        tag = ""
        wait_s = POLL_S * number / len(self._pollers)
        while not self._polled.wait(wait_s):
            wait_s, began = POLL_S, time.perf_counter()
            with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)) as line:
                line.request("GET", "/api/v1/state", headers={"If-None-Match": tag} if tag else {})
                answer = line.getresponse()
                answer.read()
                tag = answer.headers["ETag"]
            self._polls.append((answer.status, time.perf_counter() - began))


def waits(came: Sequence[dict[int, tuple[int, float]]], written: dict[int, float]) -> Iterator[float]:
    """Seconds from the journal's note of each move to each stream's first state that holds it. `written`: rev -> wall
    time."""
    for stream in came:
        first: dict[int, float] = {}
        for rev, at in stream.values():
            first[rev] = min(at, first.get(rev, at))
        for rev, at in written.items():
            if rev in first:
                yield first[rev] - at


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--pollers", type=int, default=20)
    parser.add_argument("--stalled", type=int, default=0)
    parser.add_argument("--paths", nargs="+", default=["/events"])
    asked = parser.parse_args()
    crowd = Crowd(asked.port, asked.streams, asked.pollers, asked.stalled, asked.paths)
    print("here", flush=True)
    sys.stdin.read()
    shown = {
        "came": [stream.came for stream in crowd.streams],
        "gaps": sum(len(stream.gaps()) for stream in crowd.streams),
        "ended": sum(stream.ended for stream in crowd.streams),
        "polls": crowd.polls(),
    }
    crowd.close()
    print(json.dumps(shown))


if __name__ == "__main__":
    main()

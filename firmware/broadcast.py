"""One value told to many listeners, each behind its own bounded queue. A slow or dead listener stops nobody."""

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Sequence
from types import TracebackType

from web.view import View

# A listener this far behind is not listening. It is closed, comes back by itself, and gets the present state.
QUEUE = 32
# Views kept for listeners that come back: about a minute of play.
RING = 256


class Subscription:
    """One listener's queue. Fits `web.ports.Listener`."""

    def __init__(self, broadcast: "Broadcast") -> None:
        self._broadcast = broadcast
        self._queue: queue.Queue[View | None] = queue.Queue(QUEUE)
        self._closed = False

    def get(self, timeout_s: float) -> View | None:
        if self._closed and self._queue.empty():
            raise EOFError("This listener was closed.")
        try:
            view = self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if view is None:
            raise EOFError("This listener was closed.")
        return view

    def offer(self, view: View) -> bool:
        """False when the listener is too far behind."""
        try:
            self._queue.put_nowait(view)
        except queue.Full:
            return False
        return True

    def close(self) -> None:
        self._closed = True
        # When the queue is full, `get` drains what is left and then sees `_closed`.
        with contextlib.suppress(queue.Full):
            self._queue.put_nowait(None)

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._broadcast.leave(self)


class Broadcast:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: set[Subscription] = set()
        self._ring: deque[View] = deque(maxlen=RING)
        self._closed = False

    def tell(self, view: View) -> None:
        with self._lock:
            self._ring.append(view)
            behind = [listener for listener in self._listeners if not listener.offer(view)]
            self._listeners.difference_update(behind)
        for listener in behind:
            listener.close()

    def listen(self) -> Subscription:
        listener = Subscription(self)
        with self._lock:
            if self._closed:
                listener.close()
            else:
                self._listeners.add(listener)
        return listener

    def leave(self, listener: Subscription) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def since(self, seq: int) -> Sequence[View] | None:
        with self._lock:
            held = tuple(self._ring)
        if not held or seq > held[-1].seq or seq < held[0].seq - 1:
            return None
        return tuple(view for view in held if view.seq > seq)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            listeners = tuple(self._listeners)
            self._listeners.clear()
        for listener in listeners:
            listener.close()

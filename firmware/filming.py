"""The eye's part in the pictures of throws: the still that was read and the two seconds before it, as JPEGs.

Watching never waits for them: the small views that are watched anyway are kept for two seconds, and all encoding is
done by a thread of its own, after the reading has been told.
"""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from queue import Full, Queue, SimpleQueue

import cv2
import numpy as np

from firmware import memory
from firmware.link import AT_REST, Pictured
from vision.closeup import around, closeup
from vision.frame import Frame, Image
from vision.happening import Happening
from vision.overlay import draw
from vision.seen import Reading
from vision.watcher import Watcher

# A film is two seconds in pictures of one size, so that a page can show any film by the same style.
FRAMES, EVERY_S = 20, 0.1
WIDTH, HEIGHT = 288, 216
_STILL, _DRAWN, _FILM = 88, 80, 70  # JPEG quality: 150, 120 and 100 kB of the simulated tray
_WAITING = 2  # throws whose pictures are still to be made; of more none are kept


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """What is to be made into pictures. `film`: see `Film.so_far`."""

    told: Happening
    image: Image
    film: Image | None


class Film:
    """The last `FRAMES` views in 1.9 MB, which are asked for in one piece: many that come and go would leave holes."""

    def __init__(self) -> None:
        self._views = np.zeros((FRAMES, HEIGHT * 3 // 2, WIDTH), np.uint8)  # as I420: brightness, then colours halved
        self._taken = 0

    def take(self, small: Image) -> None:
        self._views[self._taken % FRAMES] = cv2.cvtColor(fitted(small), cv2.COLOR_BGR2YUV_I420)
        self._taken += 1

    def so_far(self) -> Image | None:
        """A copy, uint8 (n, HEIGHT * 3 / 2, WIDTH), I420, oldest first; None before the first view."""
        if not self._taken:
            return None
        return np.roll(self._views[: self._taken], -self._taken, axis=0)


class Filming:
    """Owned by the eye's thread. `keeps`: stills and films are wanted; without, only close-ups of dice that are asked
    about."""

    def __init__(self, keeps: bool) -> None:
        self._keeps = keeps
        self._film = Film() if keeps else None
        self._last_s = 0.0
        self._waiting: Queue[Throw] = Queue(_WAITING)
        self._made: SimpleQueue[Pictured] = SimpleQueue()
        threading.Thread(target=self._work, name="pictures", daemon=True).start()

    def see(self, frame: Frame, happenings: Iterable[Happening], watcher: Watcher) -> None:
        """After each frame. `happenings`: in it; `watcher`: that has seen it. Takes a tenth of a millisecond."""
        if watcher.small is not None:
            self._take(watcher.small, frame.at_s, watcher.state == "settling")
        for told in happenings:
            # What lies there may be a throw that nobody saw fall, so each rest is taken.
            if told.kind in AT_REST and (told.doubts or (self._keeps and told.dice)):
                try:
                    film = self._film.so_far() if self._film else None
                    self._waiting.put_nowait(Throw(told, frame.image, film))
                except Full:
                    return

    def made(self) -> Iterator[Pictured]:
        """The pictures that are ready now, each once."""
        while not self._made.empty():
            yield self._made.get()

    def _take(self, small: Image, at_s: float, lies_still: bool) -> None:
        """While dice lie still to be read nothing is to be seen, and a slow reader would fill the film with that."""
        if self._film is not None and not lies_still and not 0 <= at_s - self._last_s < EVERY_S:
            self._last_s = at_s
            self._film.take(small)

    def _work(self) -> None:
        while True:
            throw = self._waiting.get()
            made, film = stills(throw, self._keeps), throw.film
            # One after another, and nothing held for longer: a small Pi has little memory.
            del throw
            self._made.put(made if film is None else replace(made, film=_jpeg(strip(film), _FILM)))
            del made, film
            memory.give_back()


def stills(throw: Throw, keeps: bool) -> Pictured:
    """All pictures of a throw but the film."""
    told, image = throw.told, throw.image
    views = (closeup(image, doubt, told.dice) for doubt in told.doubts)
    closeups = tuple(b"" if view is None else _jpeg(view, _DRAWN) for view in views)
    if not keeps:
        return Pictured(told.taken_ms, closeups)
    part, reading = around(image, Reading(told.dice, told.doubts), told.thrown or told.dice)
    drawn = _jpeg(draw(part, reading, captions=False), _DRAWN)
    return Pictured(told.taken_ms, closeups, _jpeg(image, _STILL), drawn)


def fitted(small: Image) -> Image:
    """uint8 (HEIGHT, WIDTH, 3) BGR: the whole view, with bars beside or above it."""
    rows, columns = small.shape[:2]
    scale = min(WIDTH / columns, HEIGHT / rows)
    size = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    left, top = (WIDTH - size[0]) // 2, (HEIGHT - size[1]) // 2
    out = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    out[top : top + size[1], left : left + size[0]] = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
    return out


def strip(film: Image) -> Image:
    """uint8 (FRAMES * HEIGHT, WIDTH, 3) BGR: one view under another, oldest on top. A film that began less than two
    seconds ago shows its first view for longer. `film`: see `Film.so_far`."""
    out = np.empty((FRAMES, HEIGHT, WIDTH, 3), np.uint8)
    for place in range(FRAMES):
        view = film[max(0, place - FRAMES + len(film))]
        out[place] = cv2.cvtColor(view, cv2.COLOR_YUV2BGR_I420)
    return out.reshape(FRAMES * HEIGHT, WIDTH, 3)


def _jpeg(image: Image, quality: int) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()

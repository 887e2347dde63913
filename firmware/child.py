"""A process of our own at the other end of a pipe."""

import subprocess
import sys
from multiprocessing import Pipe


class Child:
    """Runs `module` as a program that gets the number of its end of a pipe, and loads while we do something else; the
    other end is `link`. One of ours ends by itself when its pipe closes."""

    def __init__(self, module: str) -> None:
        self.link, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, str(theirs.fileno())], pass_fds=[theirs.fileno()]
        )
        theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def hurry(self) -> None:
        """Ask it to end; `kill` does not wait for that."""
        self._process.terminate()

    def kill(self) -> None:
        """May be called twice. The pipe stays open for whoever listens to it."""
        self._process.kill()
        self._process.wait()

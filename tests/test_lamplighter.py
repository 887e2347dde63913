"""The listener between table and panel: each view is shown once, in order, and nothing waits for it."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from a_table import begin, eventually, settle, table_in

from firmware.drivers import Lamps, Press
from firmware.lamplighter import Lamplighter


class Lamppost:
    """A panel that only notes what it is shown."""

    factory = "noted"
    troubles: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.shown: list[Lamps] = []
        self.press: Callable[[Press], None] = lambda _: None

    def show(self, lamps: Lamps) -> None:
        self.shown.append(lamps)

    def listen(
        self, pressed: Callable[[Press], None], troubled: Callable[[tuple[str, ...]], None] | None = None
    ) -> None:
        assert troubled is not None
        self.press = pressed

    def close(self) -> None:
        """Nothing is open."""


def test_a_farkle_is_played_once_and_presses_reach_the_table(tmp_path: Path) -> None:
    post = Lamppost()
    with ExitStack() as parts:
        table = table_in(tmp_path, parts)
        lamplighter = Lamplighter(post, table)
        parts.callback(lamplighter.stop)
        lamplighter.start()
        begin(table, "Ann", "Bo")
        settle(table, 2, 2, 3, 3, 4, 6)
        assert eventually(lambda: any(lamps.moment for lamps in post.shown))
        lamplighter._show(table.view())
        lamplighter._show(table.view())
        assert len([lamps for lamps in post.shown if lamps.moment]) == 1
        post.press(Press("undo"))
        assert eventually(lambda: table.view().game.board.turn.player == 0)  # type: ignore[union-attr]
        assert table.view().panel.factory == "noted"


def test_a_silent_panel_plays_the_same_lights(tmp_path: Path) -> None:
    heard: list[list[int | None]] = []
    for sound in (True, False):
        post = Lamppost()
        with ExitStack() as parts:
            table = table_in(tmp_path / str(sound), parts)
            lamplighter = Lamplighter(post, table, sound)
            parts.callback(lamplighter.stop)
            lamplighter.start()
            begin(table, "Ann", "Bo")
            settle(table, 2, 2, 3, 3, 4, 6)
            assert eventually(lambda post=post: any(lamps.moment for lamps in post.shown))
        heard.append([light.hz for lamps in post.shown for light in lamps.moment if light.hz])
    assert heard == [[784, 587, 392], []]

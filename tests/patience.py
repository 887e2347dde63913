"""How long tests wait for what has to come: machines that run them are shared, and an emulator takes its time."""

import os

import pytest

# How many times as long as usual everything takes here.
SLOWER = float(os.environ.get("STICKMAN_SLOWER") or 1)
# Nothing that waits this long is ever expected to.
PATIENCE_S = 60.0 * SLOWER
PATIENCE_MS = 1000 * PATIENCE_S


def keep_up() -> None:
    """Skips a test of dice that roll before the eye where that is too slow to see them roll."""
    if SLOWER > 1:
        pytest.skip("an eye that is so slow sees dice lie, and not how they came there")

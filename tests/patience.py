"""How long tests wait for what has to come: machines that run them are shared, and an emulator takes its time."""

import os

# How many times as long as usual everything takes here.
SLOWER = float(os.environ.get("STICKMAN_SLOWER") or 1)
# Nothing that waits this long is ever expected to.
PATIENCE_S = 60.0 * SLOWER
PATIENCE_MS = 1000 * PATIENCE_S

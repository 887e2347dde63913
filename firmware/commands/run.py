"""`stickman run`: the whole tray."""

import argparse
from pathlib import Path

from firmware import memory
from firmware.child import Child

HELP = "Run the tray: camera, panel, game and pages."


def arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--simulated", action="store_true", help="a simulated tray, its dice thrown on the page /sim")
    source.add_argument("--camera", metavar="SOURCE", help="picamera, usb:N, video:FILE or pictures:DIR")
    parser.add_argument("--profile", type=Path, metavar="F", help="a profile made by `stickman calibrate`")
    parser.add_argument("--host", help="the address to listen on (all of them by default)")
    parser.add_argument("--port", type=int, help="the port to listen on (8080)")
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where games and profiles are kept")
    parser.add_argument("--config", type=Path, metavar="F", help="a config.toml")
    parser.add_argument("--seed", type=int, help="of the simulated dice; the same seed throws the same")
    parser.add_argument("--verbose", action="store_true", help="log what happens, on stderr")


def run(args: argparse.Namespace) -> int:
    memory.keep_small(1 << 20)  # chances and films are larger
    # The eye loads while the rest of this program does: each takes half of the time until the tray can be used.
    eye = Child("firmware.looking")
    try:
        from firmware.serving import serve

        return serve(args, eye)
    finally:
        eye.kill()

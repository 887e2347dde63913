"""The solver as a program of its own: `python -m firmware.solving FOLDER`, rules as JSON on standard input.

It takes the idle time of one core and no more, and writes a table of chances (`rules.best_play.table`) into FOLDER.
`make tables` runs it with --presets for the tables that are shipped.
"""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

# Threads of the linear algebra would only get in each other's way: its matrices are small.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from firmware import rulebook, winning
from rules import house
from rules.best_play import table
from rules.best_play.duel import TooLong
from rules.options import Options


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presets", nargs="*", metavar="NAME", help="solve presets: these, or all of them")
    parser.add_argument("folder", type=Path)
    args = parser.parse_args(argv)
    with contextlib.suppress(OSError):
        os.nice(19)
    if args.presets is None:
        try:
            found = table.solve(house.parse(json.load(sys.stdin)))
        except TooLong as error:
            sys.stderr.write(f"stickman: {error}\n")
            return 2
        winning.keep(found, args.folder)
        return 0
    for options in shipped(args.presets):
        if not (args.folder / winning.file_name(options)).exists():
            found = table.solve(options)
            winning.keep(found, args.folder)
            sys.stdout.write(f"{options.name}: {found.first:.8f}\n")
    return 0


def shipped(names: Sequence[str]) -> list[Options]:
    """The rules whose tables come with the tray: every preset, and plain Farkle without its final round."""
    sudden = house.parse({"base": "farkle", "name": "farkle, no final round", "win.final_round": False}, _presets())
    every = [preset.options for preset in rulebook.presets().values()] + [sudden]
    return [options for options in every if not names or options.name in names]


def _presets() -> dict[str, Options]:
    return {name: preset.options for name, preset in rulebook.presets().items()}


if __name__ == "__main__":
    sys.exit(main())

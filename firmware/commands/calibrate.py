"""`stickman calibrate`: learn a tray, its camera and its dice from stills."""

import argparse
from datetime import date
from importlib.metadata import version
from pathlib import Path

from calibration import learn, store, weights
from firmware.drivers.pictures import read_picture
from firmware.errors import BadInput

HELP = "learn a tray, its camera and its dice from stills"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--empty", metavar="IMAGE", type=Path, help="the tray without dice")
    parser.add_argument(
        "--dice", metavar="IMAGE", type=Path, action="append", required=True, help="dice lying flat and apart; repeat"
    )
    parser.add_argument("--count", metavar="N", type=int, help="how many dice lie in each picture")
    parser.add_argument("--size-mm", metavar="S", type=float, default=16.0, help="edge of the dice (16)")
    parser.add_argument("--rail", action="store_true", help="the tray has a keep rail")
    parser.add_argument("--out", metavar="F", type=Path, required=True, help="the profile to write, a .toml file")


def run(args: argparse.Namespace) -> int:
    if not 5 <= args.size_mm <= 60:
        raise BadInput(f"Dice of {args.size_mm:g} mm are not for this tray: give the edge in millimetres, 5 to 60.")
    empty = read_picture(args.empty) if args.empty else None
    dice = [read_picture(path) for path in args.dice]
    made, of = date.today().isoformat(), version("stickman")
    lesson = learn.build(empty, dice, args.size_mm, args.count, args.rail, made, of, weights.reading())
    try:
        store.save(lesson.profile, args.out)
    except OSError as error:
        raise BadInput(f"The profile {args.out} cannot be written ({error.strerror}): name another place.") from None
    print(learn.in_words(lesson))
    for path, reading in zip(args.dice, lesson.readings, strict=True):
        values = "-".join(str(die.value) for die in reading.dice if die.value is not None) or "no dice"
        print(f"{path}: {values}{'' if reading.sure else '  (' + ' '.join(d.text for d in reading.doubts) + ')'}")
    return 0

"""`stickman calibrate`: learn a tray, its camera and its dice, from stills or live at the terminal."""

import argparse
import contextlib
import functools
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np

from calibration import learn, store, weights
from calibration.asked import Unnamed, answered, meaning
from firmware.at_terminal import AtTerminal, Talk
from firmware.drivers.choose import open_camera
from firmware.drivers.pictures import read_picture
from firmware.errors import BadInput
from vision.profile import Profile

HELP = "learn a tray, its camera and its dice, from stills or live"
_BAR = 24
_PATTERN = "none"  # what is shown is no face


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", metavar="SOURCE", help="live, led step by step: picamera, usb:N, video:FILE, ...")
    parser.add_argument("--empty", metavar="IMAGE", type=Path, help="the tray without dice")
    parser.add_argument(
        "--dice", metavar="IMAGE", type=Path, action="append", default=[], help="dice lying flat and apart; repeat"
    )
    parser.add_argument("--count", metavar="N", type=int, help="how many dice lie in each picture")
    parser.add_argument("--size-mm", metavar="S", type=float, default=16.0, help="edge of the dice (16)")
    parser.add_argument("--rail", action="store_true", help="the tray has a keep rail")
    parser.add_argument(
        "--faces",
        metavar="NAMES",
        default="",
        help=f"what the faces without pips stand for: 6 for a logo, or 9,10,J,Q,K,A; {_PATTERN} for none",
    )
    parser.add_argument("--out", metavar="F", type=Path, required=True, help="the profile to write, a .toml file")


def run(args: argparse.Namespace) -> int:
    if not 5 <= args.size_mm <= 60:
        raise BadInput(f"Dice of {args.size_mm:g} mm are not for this tray: give the edge in millimetres, 5 to 60.")
    if bool(args.dice) == bool(args.camera) or (args.camera and args.empty):
        raise BadInput("Give pictures with --dice (and --empty), or --camera SOURCE to be led through it live.")
    return _live(args) if args.camera else _from_stills(args)


def _live(args: argparse.Namespace) -> int:
    with contextlib.closing(open_camera(args.camera)) as camera:
        led = AtTerminal(
            camera,
            weights.reading(),
            Talk(print, input, _progress),
            date.today().isoformat(),
            version("stickman"),
            args.size_mm,
        )
        _save(led.calibrate(), args.out)
    print(f"The profile is {args.out}: put it on the tray's shelf with stickman profiles import {args.out}")
    return 0


def _from_stills(args: argparse.Namespace) -> int:
    empty = read_picture(args.empty) if args.empty else None
    dice = [read_picture(path) for path in args.dice]
    made, of = date.today().isoformat(), version("stickman")
    names = [name.strip() for name in args.faces.split(",") if name.strip()]
    meanings = [None if name == _PATTERN else meaning(name) for name in names]
    build = functools.partial(
        learn.build, empty, dice, args.size_mm, args.count, args.rail, made, of, weights.reading(), told=_progress
    )
    lesson = build()
    if names:
        lesson = build(answers=answered(lesson.unnamed, meanings))
    _save(lesson.profile, args.out)
    if lesson.unnamed:
        print(_asked(lesson.unnamed, args.out.with_name(args.out.stem + "-faces.png")))
    print(learn.in_words(lesson))
    for path, reading in zip(args.dice, lesson.readings, strict=True):
        values = "-".join(str(die.value) for die in reading.dice if die.value is not None) or "no dice"
        print(f"{path}: {values}{'' if reading.sure else '  (' + ' '.join(d.text for d in reading.doubts) + ')'}")
    return 0


def _save(profile: Profile, path: Path) -> None:
    try:
        store.save(profile, path)
    except OSError as error:
        raise BadInput(f"The profile {path} cannot be written ({error.strerror}): name another place.") from None


def _progress(share: float) -> None:
    """A bar for people; nothing where nobody looks."""
    if sys.stderr.isatty():
        done = round(_BAR * share)
        end = "\n" if share >= 1 else ""
        print(
            f"\rlearning {'#' * done}{'.' * (_BAR - done)} {100 * share:3.0f} %", end=end, file=sys.stderr, flush=True
        )


def _asked(unnamed: tuple[Unnamed, ...], path: Path) -> str:
    """Shows the faces without pips, side by side, and says what to do."""
    strip = np.concatenate([cv2.copyMakeBorder(one.picture, *_GAP, cv2.BORDER_CONSTANT) for one in unnamed], axis=1)
    cv2.imwrite(str(path), cv2.resize(strip, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC))
    several = f"{len(unnamed)} faces have" if len(unnamed) > 1 else "One face has"
    return f"{several} no pips, see {path}: say what they stand for, from left to right, with --faces 1,2,..."


_GAP, _LARGER = (4, 4, 4, 4), 3  # pixels around each, and how much larger they are shown

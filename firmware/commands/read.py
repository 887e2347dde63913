"""`stickman read`: the dice in pictures."""

import argparse
import json
import sys
import time
from pathlib import Path

from calibration import store
from firmware.drivers.pictures import read_picture
from firmware.errors import BadInput
from firmware.report import reading_json
from vision.errors import VisionError
from vision.frame import Frame, Image
from vision.profile import Profile
from vision.reader import read
from vision.seen import Reading

HELP = "read the dice in pictures"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", metavar="IMAGE", nargs="+", type=Path, help="JPEG or PNG pictures")
    parser.add_argument("--profile", metavar="F", type=Path, help="the profile of this tray; without it read by guess")
    parser.add_argument("--json", action="store_true", help="one JSON line a picture")
    parser.add_argument(
        "--annotate", metavar="DIR", type=Path, help="write the pictures with what was seen drawn on them"
    )


def run(args: argparse.Namespace) -> int:
    """Pictures that cannot be read are named on standard error; the others are still read. Then the answer is 2."""
    profile = store.load(args.profile) if args.profile else None
    failed = False
    for path in args.images:
        try:
            image = read_picture(path)
            reading, ms = _timed(image, profile)
            if args.annotate:
                _annotate(args.annotate / f"{path.stem}.png", image, reading, profile)
        except (BadInput, VisionError) as error:
            print(
                f"stickman: {path}: {error}" if str(path) not in str(error) else f"stickman: {error}", file=sys.stderr
            )
            failed = True
            continue
        print(json.dumps(reading_json(reading, str(path), ms)) if args.json else in_words(str(path), reading))
    return 2 if failed else 0


def in_words(file: str, reading: Reading) -> str:
    """One picture as a line for people."""
    values = "-".join(str(value) for value in reading.values) or "no dice"
    rail = f"  rail {'-'.join(str(value) for value in reading.rail_values)}" if reading.rail_values else ""
    why = "sure" if reading.sure else " ".join(doubt.text for doubt in reading.doubts)
    return f"{file}  {values}{rail}  {why}"


def _timed(image: Image, profile: Profile | None) -> tuple[Reading, float]:
    start_s = time.perf_counter()
    reading = read(Frame(image), profile)
    return reading, 1000 * (time.perf_counter() - start_s)


def _annotate(path: Path, image: Image, reading: Reading, profile: Profile | None) -> None:
    import cv2

    from vision.overlay import draw

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"The folder {path.parent} cannot be made ({error.strerror}): name another.") from None
    if not cv2.imwrite(str(path), draw(image, reading, profile)):
        raise BadInput(f"{path} could not be written: name a folder you may write to.")

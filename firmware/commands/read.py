"""`stickman read`: the dice in pictures."""

import argparse
import json
import sys
import time
from pathlib import Path

from calibration import store, weights
from firmware.drivers.pictures import read_picture
from firmware.errors import BadInput
from firmware.report import reading_json
from vision.errors import VisionError
from vision.evidence import explained
from vision.frame import Frame, Image
from vision.opinion import Network
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
    parser.add_argument(
        "--steps", action="store_true", help="with --annotate: a picture of each step of the reading too"
    )
    parser.add_argument("--explain", action="store_true", help="say of each die why it is sure or not")


def run(args: argparse.Namespace) -> int:
    """Pictures that cannot be read are named on standard error; the others are still read. Then the answer is 2."""
    if args.steps and not args.annotate:
        raise BadInput("--steps needs a folder for its pictures: add --annotate DIR.")
    profile = store.load(args.profile) if args.profile else None
    network, failed = weights.second_opinion(), False
    for path in args.images:
        try:
            image = read_picture(path)
            reading, ms = _timed(image, profile, network)
            if args.annotate:
                _annotate(args.annotate / f"{path.stem}.png", image, reading, profile)
            if args.steps:
                _steps(args.annotate, path.stem, image, profile, network)
        except (BadInput, VisionError) as error:
            print(
                f"stickman: {path}: {error}" if str(path) not in str(error) else f"stickman: {error}", file=sys.stderr
            )
            failed = True
            continue
        print(_told(reading, str(path), ms, args))
    return 2 if failed else 0


def _told(reading: Reading, file: str, ms: float, args: argparse.Namespace) -> str:
    if args.json:
        return json.dumps(reading_json(reading, file, ms, args.explain))
    return "\n".join([in_words(file, reading), *(in_detail(reading) if args.explain else [])])


def in_words(file: str, reading: Reading) -> str:
    """One picture as a line for people."""
    values = "-".join(str(value) for value in reading.values) or "no dice"
    rail = f"  rail {'-'.join(str(value) for value in reading.rail_values)}" if reading.rail_values else ""
    why = "sure" if reading.sure else " ".join(doubt.text for doubt in reading.doubts)
    return f"{file}  {values}{rail}  {why}"


def in_detail(reading: Reading) -> list[str]:
    """Per die a line, then what speaks against and for it; at the end the doubts and where they are."""
    lines = []
    for die in reading.dice:
        what = f"{die.colour} die, {die.state}" + ("" if die.zone == "tray" else f", {die.zone}")
        lines.append(f"  {die.value or '?'} at ({die.x:.0f}, {die.y:.0f}): {what}, confidence {die.confidence:.2f}")
        lines += [f"      {line}" for line in explained(die.clues)]
    return lines + [f"  ? {doubt.kind} at ({doubt.x:.0f}, {doubt.y:.0f}): {doubt.text}" for doubt in reading.doubts]


def _timed(image: Image, profile: Profile | None, network: Network) -> tuple[Reading, float]:
    start_s = time.perf_counter()
    reading = read(Frame(image), profile, network)
    return reading, 1000 * (time.perf_counter() - start_s)


def _annotate(path: Path, image: Image, reading: Reading, profile: Profile | None) -> None:
    from vision.overlay import draw

    _write(path, draw(image, reading, profile))


def _steps(folder: Path, stem: str, image: Image, profile: Profile | None, network: Network) -> None:
    from vision import steps

    for number, (name, picture) in enumerate(steps.draw(image, profile, network).items(), 1):
        _write(folder / f"{stem}-{number}-{name}.png", picture)


def _write(path: Path, picture: Image) -> None:
    import cv2

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"The folder {path.parent} cannot be made ({error.strerror}): name another.") from None
    if not cv2.imwrite(str(path), picture):
        raise BadInput(f"{path} could not be written: name a folder you may write to.")

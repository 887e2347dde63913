"""Does confidence mean something, and does a doubt name the right die? Tables for people, part of `make bench`.

    python tests/reliability.py synth DIR    sessions: a profile from each session's own pictures, then its throws
    python tests/reliability.py real DIR     photographs, no profile

`DIR/labels.jsonl` is as in the shared collection. A die is right when one lies there, flat and readable, with that
value. Photographs without boxes are judged by their values: the surest first.
"""

import argparse
import functools
import itertools
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from calibration import learn, weights
from firmware.drivers.pictures import read_picture
from vision.frame import Frame
from vision.profile import Profile
from vision.seen import Reading, SeenDie
from vision.watcher import Read

EDGES = (0.0, 0.5, 0.85, 0.9, 0.95, 0.99, 0.999, 1.0)
CALLED = 0.99  # of the dice called this sure or surer, a thousandth may be wrong
# Suites whose labels leave dice out, or count emblems.
UNCOUNTED = ("distractor", "symbol-face")


@functools.cache
def reader() -> Read:
    """As the program reads: with its second opinion."""
    return weights.reading()


@dataclass(frozen=True, slots=True)
class Called:
    """A die that was read, and whether that was right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A die that cannot be read, whether the throw was asked about, and whether a doubt named this die."""

    file: str
    what: str
    asked: bool
    named: bool


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("synth", "real"))
    parser.add_argument("dir", type=Path)
    parser.add_argument("--sessions", help="only these, b00,b01")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    labels = [json.loads(line) for line in (args.dir / "labels.jsonl").read_text().splitlines()]
    if args.kind == "real":
        photographs(args.dir, labels)
    else:
        only = args.sessions.split(",") if args.sessions else None
        sessions(args.dir, [label for label in labels if only is None or label["session"] in only])
    return 0


def sessions(folder: Path, labels: list[dict[str, Any]]) -> None:
    called: list[Called] = []
    unreadable: list[Unreadable] = []
    by_session = defaultdict(list)
    for label in labels:
        by_session[label["session"]].append(label)
    for own in by_session.values():
        profile = profile_of(folder, own)
        for label in own:
            if label["kind"] == "throw":
                reading = reader()(Frame(read_picture(folder / label["file"])), profile)
                called += placed(reading, label)
                unreadable += named(reading, label)
    table(called)
    doubts(unreadable)


def profile_of(folder: Path, labels: list[dict[str, Any]]) -> Profile:
    """From the session's empty tray, if it has one, and its calibration pictures."""
    empty = [read_picture(folder / label["file"]) for label in labels if label["kind"] == "empty"]
    calib = [label for label in labels if label["kind"] == "calib"]
    sizes = {die["size_mm"] for label in calib for die in label.get("dice", [])}
    return learn.build(
        empty[0] if empty else None,
        [read_picture(folder / label["file"]) for label in calib],
        sizes.pop() if len(sizes) == 1 else 16.0,
        rail=bool(labels[0].get("scene", {}).get("rail")),
    ).profile


def placed(reading: Reading, label: dict[str, Any]) -> Iterator[Called]:
    """Each flat die that was read, against the die that lies there; by its value where the labels have no places."""
    if not label.get("dice") and label["values"]:
        yield from counted(reading, label["values"])
        return
    for die in flat(reading):
        there = [truth for truth in label.get("dice", []) if within(truth["bbox_px"], die.x, die.y)]
        nearest = min(there, key=lambda t: math.dist(t["centre_px"], (die.x, die.y)), default=None)
        right = nearest is not None and nearest["readable"] and nearest["value"] == die.value
        yield Called(die.confidence, right)


def counted(reading: Reading, values: Sequence[int]) -> Iterator[Called]:
    left = list(values)
    for die in sorted(flat(reading), key=lambda die: -die.confidence):
        right = die.value in left
        if right:
            left.remove(die.value)
        yield Called(die.confidence, right)


def flat(reading: Reading) -> list[SeenDie]:
    return [die for die in reading.dice if die.value is not None and die.state == "flat"]


def within(box: Sequence[float], x: float, y: float) -> bool:
    """`box`: x0, y0, x1, y1."""
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def named(reading: Reading, label: dict[str, Any]) -> Iterator[Unreadable]:
    """Each die of a throw that cannot be read: a doubt must lie on it, or within half an edge of its middle."""
    for truth in label.get("dice", []):
        if truth["readable"] and truth["value"] is not None:
            continue
        half = math.dist(*truth["top_px"][:2]) / 2
        on_it = any(
            within(truth["bbox_px"], doubt.x, doubt.y) or math.dist(truth["body_centre_px"], (doubt.x, doubt.y)) < half
            for doubt in reading.doubts
        )
        what = next((w for w in ("stacked", "partly_out", "occluded") if truth[w]), "cocked")
        lean = f" {truth['tilt_deg']:.0f} degrees" if what == "cocked" else ""
        yield Unreadable(label["file"], f"{truth['body']} {truth['near_value']}, {what}{lean}", not reading.sure, on_it)


def photographs(folder: Path, labels: list[dict[str, Any]]) -> None:
    called = defaultdict(list)
    for label in labels:
        if label["suite"] in UNCOUNTED:
            continue
        reading = reader()(Frame(read_picture(folder / label["file"])), None)
        called[label["suite"]] += (
            boxed(reading, label["boxes"]) if label["boxes"] else counted(reading, label["values"])
        )
    print("suite tray:")
    table(called["tray"])
    print("all suites whose labels are complete:")
    table([one for suite in called.values() for one in suite])


def boxed(reading: Reading, boxes: list[list[float]]) -> Iterator[Called]:
    """`boxes`: x, y, width, height, value; drawn by hand, so a tenth wider does."""
    for die in flat(reading):
        near = [
            value
            for x, y, w, h, value in boxes
            if within((x - w / 10, y - h / 10, x + 1.1 * w, y + 1.1 * h), die.x, die.y)
        ]
        yield Called(die.confidence, die.value in near)


def table(called: list[Called]) -> None:
    print(f"{'confidence':>16}{'dice':>7}{'right':>7}{'right %':>9}")
    for low, high in itertools.pairwise(EDGES):
        rows = [one for one in called if low <= one.confidence < high or one.confidence == high == 1]
        if rows:
            right = sum(one.right for one in rows)
            print(f"{low:>8.3f} - {high:.3f}{len(rows):>7}{right:>7}{100 * right / len(rows):>9.2f}")
    sure = [one.right for one in called if one.confidence >= CALLED]
    share = f" ({100 * sum(sure) / len(sure):.2f} %, the bar is 99.9 %)" if sure else ""
    print(f"of {len(sure)} dice called {CALLED} or more, {sum(sure)} right{share}")


def doubts(unreadable: list[Unreadable]) -> None:
    throws = defaultdict(list)
    for one in unreadable:
        throws[one.file].append(one)
    asked = sum(dice[0].asked for dice in throws.values())
    right = sum(all(one.named for one in dice) for dice in throws.values())
    print(f"of {len(throws)} throws with dice that cannot be read, {asked} asked, {right} with each of them named")
    for one in unreadable:
        if not one.named:
            print(f"   {'not named' if one.asked else 'SILENT   '} {one.file}: {one.what}")


if __name__ == "__main__":
    sys.exit(main())

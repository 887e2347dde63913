"""`stickman watch`: the eye over a video or a folder of pictures."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from calibration import store, weights
from firmware.drivers.files import frames_of
from firmware.drivers.pictures import read_picture
from firmware.errors import BadInput
from firmware.report import happening_json
from vision.frame import Frame, Image
from vision.happening import Happening
from vision.profile import Profile
from vision.watcher import Watcher

HELP = "tell what happens in a video of a tray, or in a folder of its frames"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("video", metavar="VIDEO", type=Path, help="a video file, or a folder of pictures in order")
    parser.add_argument("--profile", metavar="F", type=Path, help="the profile of this tray")
    parser.add_argument("--empty", metavar="IMAGE", type=Path, help="the same tray, empty, in the same size")
    parser.add_argument("--json", action="store_true", help="one JSON line an event")


def run(args: argparse.Namespace) -> int:
    throws, start_s = 0, 0.0
    empty = read_picture(args.empty) if args.empty else None
    for count, (frame, happenings) in enumerate(watched(args.video, _profile(args.profile), empty)):
        start_s = start_s if count else frame.at_s
        for happening in happenings:
            throws += happening.kind == "settled"
            print(json.dumps(happening_json(happening, start_s)) if args.json else in_words(happening, start_s))
    print(json.dumps({"event": "end", "throws": throws}) if args.json else f"throws: {throws}")
    return 0


def watched(
    video: Path, profile: Profile | None = None, empty: Image | None = None
) -> Iterator[tuple[Frame, tuple[Happening, ...]]]:
    """Each frame with what happened in it; the last once more, with what its end leaves open. Raises `BadInput` when
    there is none, or `empty` is of another size."""
    watcher, frame = Watcher(profile, weights.reading(), empty), None
    for frame in frames_of(video):
        if empty is not None and empty.shape != frame.image.shape:
            raise BadInput(f"The empty picture and {video} differ in size: take both with the same camera.")
        yield frame, watcher.see(frame)
    if frame is None:
        raise BadInput(f"{video} holds no pictures: name a video file, or a folder of pictures.")
    yield frame, watcher.ended()


def in_words(happening: Happening, start_s: float) -> str:
    """One event as a line for people."""
    roll = f" {happening.roll}" if happening.roll is not None else ""
    values = "-".join(str(value) for value in happening.values)
    why = " ".join(dict.fromkeys(doubt.text for doubt in happening.doubts))
    return f"{happening.at_s - start_s:7.2f} s  {happening.kind}{roll}  {values}  {why}".rstrip()


def _profile(path: Path | None) -> Profile | None:
    return None if path is None else store.load(path)

"""`stickman profiles`: the dice sets of this tray: listed, shown, checked, given away and taken in."""

import argparse
import io
import os
import sys
from datetime import date
from math import degrees, hypot
from pathlib import Path
from typing import IO

from calibration import archive, kept, store
from calibration.check import findings
from firmware import config
from firmware.errors import BadInput
from firmware.files import write_whole
from firmware.sets import Shelf
from vision.errors import VisionError
from vision.profile import Profile

HELP = "List the dice sets of this tray, show or check one, give one away as a .zip, or take one in."
FORMS = {
    "show": "show NAME|FILE",
    "check": "check NAME|FILE",
    "export": "export NAME [--out FILE.zip]",
    "import": "import FILE.zip",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", default="list", choices=("list", *FORMS))
    parser.add_argument(
        "name", nargs="?", metavar="NAME|FILE", help="a dice set, a profile (.toml) or an exported .zip"
    )
    parser.add_argument("--out", type=Path, metavar="F", help="the .zip to write")
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where games and profiles are kept")


def run(args: argparse.Namespace) -> int:
    env = dict(os.environ)
    if args.what == "import":
        return _import(_named(args), Shelf(config.state_dir(args.state_dir, env)))
    shelf = Shelf(config.state_path(args.state_dir, env))
    match args.what:
        case "list":
            return _list(shelf)
        case "show":
            return _show(_named(args), shelf)
        case "check":
            return _check(_named(args), shelf)
    return _export(_named(args), shelf, args.out)


def _named(args: argparse.Namespace) -> str:
    if args.name is None:
        raise BadInput(f"Which one? Say: stickman profiles {FORMS[args.what]}.")
    return str(args.name)


def _list(shelf: Shelf) -> int:
    active = shelf.active()
    for slug in shelf.slugs():
        mark = "*" if slug == active else " "
        try:
            profile = shelf.told(slug)
        except VisionError as error:
            print(f"{mark} {slug:18} {error}", file=sys.stderr)
            continue
        count = sum(kind.count for kind in profile.kinds)
        sizes = " and ".join(sorted({f"{kind.edge_mm:.0f}" for kind in profile.kinds}))
        dice = f"{count or 'some'} dice of {sizes} mm"
        print(f"{mark} {slug:18} {shelf.name(slug)}: {dice}, made {profile.learned.made[:10] or 'some day'}")
    if not shelf.slugs():
        print("No dice set is known yet: make one with stickman calibrate, or on the tray's page.")
    return 0


def _show(name: str, shelf: Shelf) -> int:
    profile = _loaded(name, shelf)
    learned, camera = profile.learned, profile.camera
    tilt = degrees(hypot(camera.tilt_x, camera.tilt_y))
    print(learned.name or name)
    for kind in profile.kinds:
        print(f"  {kind.count or 'some'} {kind.name} dice of {kind.edge_mm:.1f} mm, learned from {kind.seen} faces")
    print(f"  camera {camera.height_mm:.0f} mm above the floor, tilted {tilt:.1f} degrees")
    print(f"  tray {'known' if profile.tray else 'not found'}, rail {'known' if profile.rail else 'not found'}")
    print(f"  pictures of {profile.width}x{profile.height} pixels{f' by {learned.camera}' if learned.camera else ''}")
    for control, value in profile.controls.items():
        print(f"  {control} locked to {value}")
    for roll in profile.rolls:
        read = f"read right, each die at least {100 * roll.least:.1f} % sure" if roll.sure else "not read right"
        print(f"  test roll {'-'.join(map(str, roll.values))}: {read}")
    print(f"  made {learned.made or 'some day'} by Stickman {learned.version or 'of an unknown version'}")
    return 0


def _check(name: str, shelf: Shelf) -> int:
    profile = _loaded(name, shelf)
    found = findings(profile, date.today())
    for sentence in found:
        print(sentence)
    if not found:
        print(f"{name}: good, {sum(kind.count for kind in profile.kinds) or 'some'} dice.")
    return 1 if found else 0


def _loaded(name: str, shelf: Shelf) -> Profile:
    path = Path(name)
    if path.suffix == ".zip":
        with _opened(path) as file:
            return store.unpacked(archive.unpacked(file, path.name)[0])
    return store.load(path if path.suffix == ".toml" else shelf.path(shelf.found(name)))


def _export(name: str, shelf: Shelf, out: Path | None) -> int:
    slug = shelf.found(name)
    target = out or Path(f"{slug}.zip")
    try:
        file = io.BytesIO()
        shelf.pack(slug, file)
        write_whole(target, file.getvalue())
    except OSError as error:
        raise BadInput(f"{target} cannot be written ({error.strerror}): name another place with --out.") from None
    print(f"{shelf.name(slug)} is in {target}.")
    return 0


def _import(name: str, shelf: Shelf) -> int:
    path = Path(name)
    if path.suffix == ".toml":
        slug = shelf.add(kept.load(path), path.stem)
    else:
        with _opened(path) as file:
            slug = shelf.take_in(file, path.name)
    print(f"{shelf.name(slug)} is on the shelf as {slug}: use it on the tray's page /sets.")
    return 0


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}): give the .zip of a dice set.") from None

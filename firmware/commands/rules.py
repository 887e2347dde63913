"""`stickman rules`: the rule sets that come with the tray, their sheets, and a check for house rules."""

import argparse
import sys
from pathlib import Path

from firmware import rulebook
from firmware.errors import BadInput
from rules.conflicts import warnings
from rules.sheet import sheet

HELP = "List the rules, show a rule sheet, or check a file of house rules."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", default="list", choices=("list", "show", "check"))
    parser.add_argument("name", nargs="?", metavar="NAME|FILE", help="which rules to show, which file to check")


def run(args: argparse.Namespace) -> int:
    if args.what == "list":
        return _list()
    if args.name is None:
        what = "NAME" if args.what == "show" else "FILE"
        raise BadInput(f"Which one? Say: stickman rules {args.what} {what}.")
    return _show(args.name) if args.what == "show" else _check(Path(args.name))


def _list() -> int:
    for preset in rulebook.presets().values():
        print(f"{preset.name:18} {preset.description}")
        if preset.aliases:
            print(f"{'':18} also: {', '.join(preset.aliases)}")
    return 0


def _show(name: str) -> int:
    options = rulebook.load(name)
    preset = rulebook.presets().get(options.name)
    known = preset is not None and preset.options == options
    print(f"{preset.title}\n{preset.description}" if preset is not None and known else options.name)
    for chapter in sheet(options):
        print(f"\n{chapter.heading}")
        for sentence in chapter.sentences:
            print(f"  {sentence}")
    return 0


def _check(path: Path) -> int:
    options, findings = rulebook.check(path)
    for finding in findings:
        place = f"{path}, line {finding.line}" if finding.line else str(path)
        print(f"{place}: {finding.mistake.text}", file=sys.stderr)
    if findings:
        return 2
    print(f"{path}: good rules, called {options.name}.")
    for warning in warnings(options):
        print(f"Note: {warning}")
    return 0

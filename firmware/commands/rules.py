"""`stickman rules`: the rule sets that come with the tray and house rules: a list, their sheets, and a check."""

import argparse
import os
import sys
from pathlib import Path

from firmware import config, house_rules, rulebook
from firmware.errors import BadInput
from rules.conflicts import warnings
from rules.sheet import sheet

HELP = "List the rules, show a rule sheet, or check a file of house rules."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", default="list", choices=("list", "show", "check"))
    parser.add_argument("name", nargs="?", metavar="NAME|FILE", help="which rules to show or check")
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where house rules were saved")


def run(args: argparse.Namespace) -> int:
    state_dir = config.state_path(args.state_dir, dict(os.environ))
    if args.what == "list":
        return _list(state_dir)
    if args.name is None:
        what = "NAME" if args.what == "show" else "FILE"
        raise BadInput(f"Which one? Say: stickman rules {args.what} {what}.")
    name = house_rules.found(args.name, state_dir)
    return _show(name) if args.what == "show" else _check(Path(name))


def _list(state_dir: Path) -> int:
    for preset in rulebook.presets().values():
        print(f"{preset.name:18} {preset.description}")
        if preset.aliases:
            print(f"{'':18} also: {', '.join(preset.aliases)}")
    saved = house_rules.saved(state_dir)
    for card in saved.cards:
        print(f"{card.name:18} {card.description}")
    for trouble in saved.troubles:
        print(trouble, file=sys.stderr)
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

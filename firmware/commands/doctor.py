"""`stickman doctor`: what is well, what is not, and the cure."""

import argparse
import json
import os
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from firmware import config, doctor, doctor_board, doctor_house

HELP = "Check camera, pins, libraries, disk and network; each finding with its cure."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the findings as one JSON value")
    parser.add_argument("--config", type=Path, metavar="F", help="a config.toml")
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where games and profiles are kept")
    parser.add_argument("--profile", type=Path, metavar="F", help="the profile that is used")
    parser.add_argument("--host", help="the address to listen on")
    parser.add_argument("--port", type=int, help="the port to listen on")


def run(args: argparse.Namespace) -> int:
    env = dict(os.environ)
    loaded = config.load(args.config, env)
    settings = loaded.config
    asked = doctor.Asked(
        loaded,
        args.state_dir,
        args.profile or settings.profile,
        args.host or settings.host,
        settings.port if args.port is None else args.port,
        env,
    )
    machine = doctor_board.this_machine()
    findings = (
        doctor.python(),
        *doctor_board.board_findings(machine),
        *doctor.own_findings(asked, datetime.now().astimezone()),
        *doctor_house.house_findings(settings),
    )
    well = doctor.all_well(findings)
    if args.json:
        print(json.dumps({"ok": well, "findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            print(doctor.line(finding))
    return 0 if well else 1

"""The whole tray for as long as it is wanted: what was asked for, ready, signs of life, the end."""

import argparse
import logging
import os
import signal
import sys
import threading
import time

from firmware import address, config, memory, systemd
from firmware.box import Box, Plan, running
from firmware.child import Child
from firmware.drivers.found import detect
from firmware.errors import BadInput
from firmware.heartbeat import Heartbeat, parts_of

# Ports below are the system's; where the tray may not have the one its owner likes, it takes this.
FIRST_OPEN_PORT, SPARE_PORT = 1024, 8080
SIMULATED = "No camera found: this is the simulated tray. Throw its dice at http://127.0.0.1:{port}/sim"
# A tenth of Python's own: the thread that tells two hundred streams gives up its turn with each of them.
SWITCH_S = 0.0005
# So often what requests have left behind goes back to the system: a millisecond's work.
TIDY_S = 5.0


def serve(args: argparse.Namespace, loading: Child) -> int:
    """Until it is told to end; the exit code. `loading`: an eye's process."""
    logging.basicConfig(
        level=logging.INFO if args.verbose else logging.WARNING, format="%(levelname).1s %(name)s: %(message)s"
    )
    env = dict(os.environ)
    # While odds are worked out, everybody else waits so long for a turn at Python.
    sys.setswitchinterval(SWITCH_S)
    plan = plan_of(args, env)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with running(plan, loading) as box:
        trouble = box.wait_open()
        if trouble is not None and not systemd.is_listening(env):
            raise BadInput(trouble)
        announce(box, plan, auto=args.camera is None and not args.simulated)
        systemd.note_port(env, box.door[1])
        systemd.tell(env, "READY=1", f"STATUS={box.url}")
        tidied_s = -TIDY_S
        heart = Heartbeat(parts_of(box), env)
        told = box.url
        while not stop.wait(0.5):
            if time.monotonic() - tidied_s > TIDY_S:
                memory.give_back()
                tidied_s = time.monotonic()
            if box.url != told:
                told = box.url
                systemd.tell(env, f"STATUS={told}")
                show_address(box)
            still = heart.beat(time.monotonic())
            if still is not None:
                print(f"stickman: {still}", file=sys.stderr)
            while not box.troubles.empty():
                print(f"stickman: {box.troubles.get()}", file=sys.stderr)
            if not box.table.alive:
                print("stickman: the table has stopped; start again, nothing was lost.", file=sys.stderr)
                return 1
        systemd.tell(env, "STOPPING=1")
    return 0


def plan_of(args: argparse.Namespace, env: dict[str, str]) -> Plan:
    loaded = config.load(args.config, env)
    settings = loaded.config
    camera = "simulated" if args.simulated else args.camera or settings.source
    state = config.state_dir(args.state_dir, env)
    seed = args.seed if args.seed is not None else int.from_bytes(os.urandom(4))
    return Plan(
        settings,
        detect() if camera == "auto" else camera,
        args.profile or settings.profile,
        args.host or settings.host,
        settings.port if args.port is None else args.port,
        state,
        seed,
        loaded.notes,
        config.recent_dir(state, env),
        SPARE_PORT if args.port is None and settings.port < FIRST_OPEN_PORT else None,
    )


def announce(box: Box, plan: Plan, auto: bool) -> None:
    for note in plan.banners:
        print(f"stickman: {note}", file=sys.stderr)
    if auto and plan.camera == "simulated":
        print(SIMULATED.format(port=box.door[1]))
    show_address(box)
    print(f"Lamps and buttons: {box.panel_factory}")
    print(f"ready {box.join_url}", flush=True)


def show_address(box: Box) -> None:
    """The code to scan and the addresses; told again when the tray has moved to another network. While no phone can
    reach it a banner says what to do."""
    view = box.table.view()
    print(address.qr_text(box.join_url) if view.url else "\n".join(view.banners))
    print(f"Scoreboard: {box.url}   Join: {box.join_url}", flush=True)

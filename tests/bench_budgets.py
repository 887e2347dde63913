"""What the tray asks of a board: memory of each process, at rest and at its highest, what it does at rest, how long it
takes to start. The real program on the simulated tray; figures are for people, nothing is judged."""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench_crowd import Tray

from firmware.drivers.simulated import box
from firmware.drivers.simulated.render import Renderer
from firmware.drivers.simulated.scene import Scene

REST_S = 20.0
STARTS = 5
DRAWN = 150
PATIENCE_S = 240.0
THROWS = ((1, 1, 1, 2, 3, 4), (5, 5, 5, 1, 3, 4), (1, 2, 2, 3, 4, 6), (6, 6, 6, 1, 2, 3))
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def main() -> None:
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with running(folder) as tray:
            memory("first start: the simulated dice are learned", tray)
        starts(folder)
        with running(folder) as tray:
            memory("started", tray)
            rest(tray)
            play(tray)
            look_back(tray)
            relock(tray)
            carry(tray)
            calibrate(tray)


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Tray]:
    tray = Tray(folder)
    try:
        yield tray
    finally:
        tray.stop()


def starts(folder: Path) -> None:
    """Seconds until the tray can be used, and how many of them a core is at work: another program's are not counted."""
    for _ in range(STARTS):
        began = time.monotonic()
        with running(folder) as tray:
            took = time.monotonic() - began
            spent = ", ".join(f"{part} {busy_s(pid):.2f} s" for part, pid in processes(tray).items())
            print(f"start to ready: {took:.2f} s; at work: {spent}")


def rest(tray: Tray) -> None:
    """Shares of a core while nothing happens. What the simulated camera takes to draw its pictures is measured by
    itself, for no real camera does."""
    time.sleep(3)
    before = {part: busy_s(pid) for part, pid in processes(tray).items()}
    pictures = frames(tray)
    time.sleep(REST_S)
    pictures = frames(tray) - pictures
    spent = {part: busy_s(pid) - before[part] for part, pid in processes(tray).items()}
    drawn = drawing_s() * pictures
    shares = {part: 100 * took / REST_S for part, took in spent.items()}
    shares["eye"] -= 100 * drawn / REST_S
    told = ", ".join(f"{part} {share:.1f} %" for part, share in shares.items())
    print(f"at rest, {pictures / REST_S:.0f} pictures a second: {told} of a core; drawing {100 * drawn / REST_S:.1f} %")


def frames(tray: Tray) -> int:
    text = tray.text("/metrics")
    found = re.search(r"^stickman_frames_total (\d+)", text, re.M)
    return int(found[1]) if found else round(box.FRAMES_PER_S * time.monotonic())


def drawing_s() -> float:
    """CPU seconds that a picture of the empty tray takes at the camera's pace: one after another, they take a third."""
    renderer, scene, took_s = Renderer(), Scene(), 0.0
    for number in range(DRAWN):
        time.sleep(1 / box.FRAMES_PER_S)
        began_s = time.thread_time()
        renderer.render(scene, number / box.FRAMES_PER_S, number)
        took_s += time.thread_time() - began_s
    return took_s / DRAWN


def play(tray: Tray) -> None:
    tray.post("join", {"code": tray.code, "name": "Ann"})
    tray.post("games", {"rules": "farkle", "players": ["Ann", "Bo"]})
    for values in THROWS:
        rev = tray.rev()
        tray.post("sim/throw", {"values": values})
        tray.until(lambda state, rev=rev: state["rev"] > rev)
        tray.ask("GET", "/api/v1/odds")
        tray.post("games/current/bank")
    memory("throws", tray)
    tray.post("sim/throw", {"values": THROWS[0], "cocked": 2})
    tray.until(lambda state: state["game"]["turn"]["doubts"])
    time.sleep(2)
    tray.post("games/current/throws", {"values": THROWS[0]})
    memory("a throw that is asked about", tray)


def look_back(tray: Tray) -> None:
    """Pages that ask much of the table: a disputed throw with its film, the game told again and drawn, the dice."""
    game = tray.ask("GET", "/api/v1/state")["game"]["id"]
    tray.post("games/current/dispute", {"throw": 1})
    for name in ("still", "drawn", "film"):
        tray.text(f"/history/{game}/throws/1/{name}.jpg")
    tray.post("games/current/stands", {"throw": 1})
    memory("a throw that is disputed", tray)
    (used,) = (each["slug"] for each in tray.ask("GET", "/api/v1/sets")["sets"] if each["active"])
    for path in (
        "/history",
        f"/history/{game}",
        f"/history/{game}/graph",
        f"/history/{game}.csv",
        f"/sets/{used}/dice",
    ):
        tray.text(path)
    memory("history, graph and fairness", tray)


def carry(tray: Tray) -> None:
    """A dice set given away and taken in again."""
    tray.post("sim/press", {"button": "mode", "long": True})
    time.sleep(1)
    (used,) = (each["slug"] for each in tray.ask("GET", "/api/v1/sets")["sets"] if each["active"])
    data = tray.sent("GET", f"/api/v1/sets/{used}.zip")
    memory(f"a dice set exported, {len(data) / 1e6:.1f} MB", tray)
    tray.sent("POST", "/api/v1/sets/import", data)
    memory("the same imported", tray)


def relock(tray: Tray) -> None:
    tray.post("sim/clear")
    tray.until(lambda state: state["eye"]["state"] == "empty")
    tray.post("sim/press", {"button": "mode", "long": True})
    time.sleep(1)
    tray.post("calibration/relock")
    memory("the tray set again", tray)


def calibrate(tray: Tray) -> None:
    """A whole calibration, whatever it ends in."""
    tray.post("sim/press", {"button": "mode", "long": True})
    time.sleep(1)
    tray.post("calibration/begin")
    ends, learner = time.monotonic() + PATIENCE_S, 0.0
    while time.monotonic() < ends:
        now = tray.ask("GET", "/api/v1/calibration")
        learner = max([learner, *(peak_mb(pid) for part, pid in processes(tray).items() if part == "learner")])
        tray.text("/api/v1/calibration/picture.jpg")
        if now["step"] in ("passed", "named", "failed"):
            break
        waiting = [number for number, roll in enumerate(now["rolls"], 1) if roll["confirmed"] is None]
        if waiting:
            tray.post("calibration/confirm", {"roll": waiting[0]})
        elif now["step"] == "rolls" or (now["step"] == "dice" and not now["studying"]):
            tray.post("sim/throw", {"all": True})
            time.sleep(3)
        time.sleep(1)
    if now["step"] == "passed":
        tray.post("calibration/name", {"name": "Ours"})
    print(f"calibration ended: {now['step']}; the learning process took at most {learner:.0f} MB")
    memory("calibration", tray)


def memory(what: str, tray: Tray) -> None:
    """Resident megabytes now, and the most since this was last asked."""
    parts = []
    for part, pid in processes(tray).items():
        parts.append(f"{part} {status_mb(pid, 'VmRSS'):.0f} MB, at most {peak_mb(pid):.0f}")
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    print(f"{what}: {'; '.join(parts)}", flush=True)


def peak_mb(pid: int) -> float:
    return status_mb(pid, "VmHWM")


def processes(tray: Tray) -> dict[str, int]:
    """Their ids, by what they are."""
    children = Path(f"/proc/{tray.pid}/task/{tray.pid}/children")
    found = {"table": tray.pid}
    for task in children.parent.parent.iterdir():
        for pid in map(int, (task / "children").read_text().split()):
            with contextlib.suppress(OSError):
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                for part, module in (("eye", b"firmware.looking"), ("learner", b"firmware.learning")):
                    if module in command:
                        found[part] = pid
    return found


def status_mb(pid: int, what: str) -> float:
    with contextlib.suppress(OSError):
        found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


def busy_s(pid: int) -> float:
    """CPU seconds so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return TICK_S * (int(fields[11]) + int(fields[12]))


if __name__ == "__main__":
    main()

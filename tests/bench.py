"""`make bench`: how well and how fast the eye reads, printed as tables. Judges nothing; figures are for people.

Reading is scored on fresh throws of the simulated tray everywhere, and by the shared tools on the shared pictures
where they lie beside the project. Times are given with a reference measured in the same run, since machines are
shared: the ratio is what can be compared.
"""

import argparse
import functools
import http.client
import json
import os
import queue
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration import learn, weights
from firmware.box import Box, Plan, running
from firmware.config import Config
from firmware.drivers.simulated import box as simulated_box
from firmware.drivers.simulated.render import Renderer
from firmware.drivers.simulated.scene import Scene
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tray import Hands
from firmware.drivers.simulated.tumble import tumble
from vision.frame import Frame, Image
from vision.profile import Profile
from vision.watcher import Read, Watcher
from web.commands import Newcomer, NewGame

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
COMMAND = f"{sys.executable} -m firmware"
REPETITIONS = 200
OWN_THROWS = 80
OWN_FILMS = 6


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=tuple(TABLES), help="one table")
    only = parser.parse_args(argv).only
    for name, table in TABLES.items():
        if only in (None, name):
            print(f"\n== {name} ==", flush=True)
            table()
    return 0


def reading() -> None:
    """Right, asked and silently wrong: our own throws everywhere, the shared pictures by their tool where they are."""
    own_reading()
    for title, *arguments in (
        ("rendered sessions, each with its profile", "synth", str(DATA / "synth" / "bench")),
        ("one fixed Pi camera, profile from three pictures", "synth", str(DATA / "real_sessions")),
        ("photographs, no profile", "real", str(DATA / "real")),
    ):
        by_tool(title, "score_readings.py", *arguments, "--worst", "6")


def trust() -> None:
    """How often the reader is right at each confidence, and whether its doubts name the right die."""
    for title, kind, folder in (
        ("our own rendered sessions", "synth", ROOT / "tests" / "data" / "sessions"),
        ("rendered sessions, each with its profile", "synth", DATA / "synth" / "bench"),
        ("one fixed Pi camera, profile from three pictures", "synth", DATA / "real_sessions"),
        ("photographs, no profile", "real", DATA / "real"),
    ):
        if folder.exists():
            print(f"-- {title}", flush=True)
            subprocess.run([sys.executable, ROOT / "tests" / "reliability.py", kind, folder], check=False)


def watching() -> None:
    """Throws settled once: our own films everywhere, the shared ones by their tool where they are."""
    own_watching()
    by_tool("rendered films", "score_watch.py", str(DATA / "synth" / "videos"))
    by_tool("films held by hand", "score_watch.py", str(DATA / "real" / "videos"))


def calibrating() -> None:
    """How long an owner needs to calibrate a set of six on the simulated tray, in a browser with the mouse."""
    test = ROOT / "tests" / "test_calibrate_with_the_mouse.py"
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", test]
    shown = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    print(
        "\n".join(line for line in shown.stdout.splitlines() if " s " in line or "skipped" in line or "FAILED" in line)
    )


def rules() -> None:
    """Scoring, odds and best play, in a process that has loaded nothing else."""
    subprocess.run([sys.executable, ROOT / "tests" / "bench_rules.py"], check=False)


def faces() -> None:
    """Dice beyond plain pips, each kind learned and read in sessions of its own."""
    subprocess.run([sys.executable, ROOT / "tests" / "bench_faces.py"], check=False)


def budgets() -> None:
    """Memory, work at rest and start of the real program."""
    subprocess.run([sys.executable, ROOT / "tests" / "bench_budgets.py"], check=False)


def crowd() -> None:
    """Two hundred phones at the real program, in processes of their own."""
    subprocess.run([sys.executable, ROOT / "tests" / "bench_crowd.py"], check=False)


def paint() -> None:
    """Pages of the real program in a browser that knows nothing of it yet."""
    subprocess.run([sys.executable, ROOT / "tests" / "bench_paint.py"], check=False)


def by_tool(title: str, tool: str, *arguments: str) -> None:
    path = SHARED / "tools" / tool
    if path.exists():
        print(f"-- {title}", flush=True)
        subprocess.run([sys.executable, path, *arguments, "--command", COMMAND], check=False)
    else:
        print(f"-- {title}: not here, it lies in the shared collection")


def own_reading() -> None:
    """Throws on the simulated tray by seeds of their own, every fourth with a cocked die."""
    count: Counter[str] = Counter()
    profile, renderer = own_profile(), Renderer()
    for seed in range(OWN_THROWS):
        rng = random.Random(f"bench {seed}")
        values, cocked = [rng.randint(1, 6) for _ in range(6)], int(seed % 4 == 0)
        dice = tumble(rng, values, cocked=cocked)
        picture = renderer.render(Scene(dice=dice), max(die.rests_s for die in dice) + 1, seed)
        reading = reader()(Frame(picture), profile)
        if cocked:
            count["cocked asked" if not reading.sure else "cocked SILENT"] += 1
        elif reading.sure:
            count["flat right" if list(reading.values) == sorted(values) else "flat SILENT"] += 1
        else:
            count["flat asked"] += 1
    print(f"-- {OWN_THROWS} throws on the simulated tray: {told(count)}")


def own_watching() -> None:
    """The same, filmed: a throw, dice set aside on the rail, the rest thrown."""
    count: Counter[str] = Counter()
    profile = own_profile()
    for seed in range(OWN_FILMS):
        rng = random.Random(f"film {seed}")
        first, second = [rng.randint(1, 6) for _ in range(6)], [rng.randint(1, 6) for _ in range(4)]
        now = [0.0]
        hands = Hands(lambda _: None, lambda now=now: now[0], seed)
        watcher, renderer, told_throws, asked = Watcher(profile, reader()), Renderer(), [], 0
        for number in range(30 * 16):
            now[0] = number / simulated_box.FRAMES_PER_S
            if number == 20:
                hands.throw(6, first)
                hands.aside(first[:2])
                hands.throw(4, second)
            frame = Frame(renderer.render(hands.scene, now[0], number), number, now[0])
            for happening in watcher.see(frame):
                asked += happening.kind == "unsure" and happening.roll is not None
                if happening.kind == "settled":
                    told_throws.append(list(happening.values))
            if number > 20 and now[0] > hands.quiet_s:
                break
        wanted = [sorted(first), sorted(second)]
        count["right"] += sum(values in wanted for values in told_throws[:2])
        count["WRONG"] += sum(values not in wanted for values in told_throws[:2])
        count["asked"] += asked
        count["EXTRA"] += max(0, len(told_throws) - 2)
    print(f"-- {2 * OWN_FILMS} filmed throws, two dice set aside between each pair: {told(count)}")


@functools.cache
def reader() -> Read:
    """As the program reads: with its second opinion."""
    return weights.reading()


@functools.cache
def own_profile() -> Profile:
    empty, dice = calibration_pictures()
    return learn.build(empty, dice, count=6, rail=True).profile


def told(count: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(count.items()) if number)


def speed() -> None:
    """Milliseconds of one thread, and as a ratio to OpenCV's own blob detector on the same picture."""
    cv2.setNumThreads(1)
    profile = own_profile()
    picture = calibration_pictures()[1][0]
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    detector = cv2.SimpleBlobDetector_create()
    reference = times(lambda: detector.detect(grey), REPETITIONS)
    with_profile = times(lambda: reader()(Frame(picture), profile), REPETITIONS)
    without = times(lambda: reader()(Frame(picture), None), 20)
    base = statistics.median(reference)
    print(f"{picture.shape[1]}x{picture.shape[0]}, {REPETITIONS} repetitions")
    row("SimpleBlobDetector (reference)", reference, base)
    row("read, with a profile", with_profile, base)
    row("read, without", without, base)
    for dice in (0, 1, 6, 12):
        row(f"read, with a profile, {dice} dice", times_of_dice(dice, profile), base)
    still, motion, settling = watch_times()
    row("watch 640x480, at rest, a frame", still, base)
    row("watch 640x480, in motion, a frame", motion, base)
    row("watch 640x480, around a reading", settling, base)


def times_of_dice(count: int, profile: Profile) -> list[float]:
    """Milliseconds of reading fresh throws of so many dice on the simulated tray."""
    spent: list[float] = []
    for seed in range(5):
        rng = random.Random(f"speed {count} {seed}")
        dice = tumble(rng, [rng.randint(1, 6) for _ in range(count)])
        rests_s = max((die.rests_s for die in dice), default=0.0)
        frame = Frame(Renderer().render(Scene(dice=dice), rests_s + 1, seed))
        spent += times(lambda frame=frame: reader()(frame, profile), REPETITIONS // 20)
    return spent


def watch_times() -> tuple[list[float], list[float], list[float]]:
    """Milliseconds a frame of a film of two seconds of rolling and two of rest: at rest, in motion, and those that were
    read, without the reading itself."""
    spent: list[float] = []
    film = list(small_film(random.Random(5)))

    def timed_read(frame: Frame, profile: object) -> object:  # noqa: ARG001
        began = time.perf_counter()
        answer = reader()(frame, None)
        spent.append(time.perf_counter() - began)
        return answer

    watcher = Watcher(None, read=timed_read)  # type: ignore[arg-type]  # the profile is None here
    still: list[float] = []
    motion: list[float] = []
    settling: list[float] = []
    for frame in film:
        spent.clear()
        began = time.perf_counter()
        watcher.see(frame)
        took = 1000 * (time.perf_counter() - began - sum(spent))
        moves = watcher.state in ("rolling", "hand")
        (settling if spent else motion if moves else still).append(took)
    return still, motion, settling


def small_film(rng: random.Random) -> Iterator[Frame]:
    dice = tumble(rng, [1, 2, 3, 4, 5, 6], start_s=0.5)
    scene, renderer = Scene(dice=dice), Renderer()
    for number in range(120):
        at_s = number / simulated_box.FRAMES_PER_S
        picture: Image = np.asarray(cv2.resize(renderer.render(scene, at_s, number), (640, 480)), np.uint8)
        yield Frame(picture, number, at_s)


def latency() -> None:
    """From the dice at rest on the simulated tray to a subscriber of the event stream, at 30 frames a second; and from
    the eye's death to a tray that is seen again."""
    waits: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(Config(), "simulated", None, "127.0.0.1", 0, Path(folder), seed=3)
        with running(plan) as box:
            box.wait_open(60)
            assert box.hands is not None
            for _ in range(8):
                box.table.ask(NewGame("farkle", (Newcomer("Ann"), Newcomer("Bo"))))
                arrived: queue.Queue[float] = queue.Queue()
                seen = threading.Thread(target=wait_for_throw, args=(box.url, arrived), daemon=True)
                seen.start()
                box.hands.throw(6, [1, 2, 3, 4, 6, 6])
                rests_s = max(die.rests_s for die in box.hands.scene.dice)
                waits.append(1000 * (arrived.get(timeout=30) - rests_s))
                seen.join()
            blind = [eye_killed(box) for _ in range(4)]
    print(f"throw at rest -> event stream: median {statistics.median(waits):.0f} ms, largest {max(waits):.0f} ms")
    print(f"eye killed -> tray seen again: median {statistics.median(blind):.1f} s, largest {max(blind):.1f} s")


def eye_killed(box: Box) -> float:
    """Kill the eye; seconds until another sees the tray at rest."""
    pid = box.eye.pid
    assert pid is not None
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    while box.table.view().eye.state != "camera-lost":
        time.sleep(0.01)
    while box.table.view().eye.state not in ("read", "empty"):
        time.sleep(0.01)
    return time.monotonic() - began


def wait_for_throw(url: str, arrived: "queue.Queue[float]") -> None:
    """Read the event stream as a browser does, until a game's first throw is in it."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=30)
    connection.request("GET", "/events", headers={"Accept": "text/event-stream"})
    stream = connection.getresponse()
    while True:
        line = stream.readline().decode()
        if line.startswith("data: "):
            game = json.loads(line[6:])["game"]
            if game and game["turn"] and game["turn"]["throw"]:
                arrived.put(time.monotonic())
                break
    connection.close()


def times(call: object, repetitions: int) -> list[float]:
    assert callable(call)
    call()
    spent = []
    for _ in range(repetitions):
        began = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - began))
    return spent


def row(name: str, spent: Sequence[float], base: float) -> None:
    ordered = sorted(spent)
    median = statistics.median(ordered)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{name:36} median {median:7.2f} ms   p95 {p95:7.2f} ms   ratio {median / base:6.2f}")


TABLES = {
    "reading": reading,
    "trust": trust,
    "watching": watching,
    "speed": speed,
    "latency": latency,
    "budgets": budgets,
    "crowd": crowd,
    "paint": paint,
    "rules": rules,
    "calibrating": calibrating,
    "faces": faces,
}


if __name__ == "__main__":
    sys.exit(main())

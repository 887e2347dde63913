"""The eye process: open the camera, watch, tell; when the camera is lost, open it again. See `firmware.eye`."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue

import cv2

from calibration import store, weights
from calibration.deeds import KeepStill
from firmware import memory
from firmware.coaching import Coaching
from firmware.drivers import Camera
from firmware.drivers.choose import open_camera
from firmware.drivers.files import FileCamera
from firmware.drivers.simulated.camera import SimulatedCamera
from firmware.drivers.simulated.scene import Scene
from firmware.errors import CameraLost, StickmanError
from firmware.filming import Filming
from firmware.jpegs import small_jpeg
from firmware.keeping import Keeper
from firmware.lessons import FOLDER, RELOCKED
from firmware.link import (
    SIMULATED_SET,
    Alive,
    Coach,
    Drifted,
    Job,
    Lost,
    Offered,
    Opened,
    Picture,
    Refused,
    Relock,
    Relocked,
    StartFootage,
    UseProfile,
    Using,
    WantPicture,
)
from firmware.other_dice import OtherDice
from vision.errors import VisionError
from vision.profile import Profile
from vision.watcher import Read, Watcher

FRAME_S = 2.0
SIGN_S = 0.5
REOPEN_S = 1.0

Wishes = SimpleQueue[WantPicture | UseProfile | Coach | KeepStill | Relock]


def look(job: Job, link: Connection) -> None:
    """Watch until the pipe closes."""
    cv2.setNumThreads(1)
    memory.keep_small()
    try:
        profile = load_profile(job, lambda: link.send(Alive(0, "")))
        camera = open_camera(
            job.camera,
            size=_size(profile),
            started_at_s=job.footage_s,
            scene=job.scene,
            controls=profile.controls if profile else None,
            mains_hz=job.mains_hz,
            hanging=job.hanging,
            noir=job.noir,
        )
    except CameraLost as lost:
        link.send(Lost(str(lost)))
        time.sleep(REOPEN_S)
        return
    except (StickmanError, VisionError) as error:
        link.send(Refused(str(error)))
        time.sleep(REOPEN_S)
        return
    memory.give_back()
    wishes: Wishes = SimpleQueue()
    threading.Thread(target=_obey, args=(link, camera, wishes), daemon=True).start()
    try:
        read = weights.reading()
        watcher = Watcher(profile, read)
        link.send(_using(profile))
        del profile  # the watcher's alone: once it uses another one, this one is gone
        _watch(job, camera, watcher, read, link, wishes)
    except VisionError as error:
        link.send(Refused(str(error)))
        time.sleep(REOPEN_S)


def load_profile(job: Job, waiting: Callable[[], None] = lambda: None) -> Profile | None:
    """The named profile; for the simulated tray one that is learned from its own pictures, as an owner would: on a slow
    board that takes a minute, and `waiting` is called now and then."""
    path = _file_of(job)
    if path is None or job.profile is not None:
        return None if path is None else store.load(path)
    return _simulated_profile(path, waiting)


def _file_of(job: Job) -> Path | None:
    """Where the profile is that is read with at first."""
    if job.profile is not None:
        return Path(job.profile)
    return _sets(job) / f"{SIMULATED_SET}.toml" if job.camera == "simulated" else None


def _sets(job: Job) -> Path:
    return Path(job.state_dir) / "profiles"


def _simulated_profile(path: Path, waiting: Callable[[], None]) -> Profile:
    if path.exists():
        with contextlib.suppress(VisionError):  # of an older version: learned anew
            return store.load(path)
    with subprocess.Popen([sys.executable, "-m", "firmware.simulated_set", str(path)]) as learning:
        while learning.poll() is None:
            waiting()
            with contextlib.suppress(subprocess.TimeoutExpired):
                learning.wait(SIGN_S)
    return store.load(path)


def _watch(job: Job, camera: Camera, watcher: Watcher, read: Read, link: Connection, wishes: Wishes) -> None:
    """Returns when the camera has to be opened anew."""
    folder = Path(job.state_dir) / FOLDER
    coaching = Coaching(folder, job.coach)
    frames, sign_s, opened, used = 0, 0.0, False, _file_of(job)
    keeper, strangers = Keeper(), OtherDice(_sets(job), read)
    filming = Filming(job.pictures)
    while True:
        try:
            frame = camera.read(FRAME_S)
        except CameraLost as lost:
            for happening in watcher.lost(time.monotonic()):
                link.send(happening)
            link.send(Lost(str(lost)))
            opened = False
            continue
        frames += 1
        if not opened:
            height, width = frame.size
            link.send(Opened(width, height))
            opened = True
        if coaching.step:
            for told in coaching.look(frame):
                link.send(told)
        else:
            happenings = watcher.see(frame)
            for happening in happenings:
                link.send(happening)
            filming.see(frame, happenings, watcher)
            _tell(keeper.see(frame, happenings, watcher.profile), link)
            _tell(strangers.see(frame, happenings, watcher.profile, used), link)
        for pictured in filming.made():
            link.send(pictured)
        # One a frame: some use the camera, and then this frame's whole picture can be had no more.
        if not wishes.empty():
            match wishes.get():
                case WantPicture():
                    link.send(Picture(small_jpeg(frame.image)))
                case Coach(step):
                    coaching.step = step
                case KeepStill(name):
                    with contextlib.suppress(CameraLost):  # it is asked for again when the camera is back
                        link.send(coaching.keep(frame, name, camera))
                case UseProfile(path):
                    profile = load_profile(replace(job, profile=path))
                    if profile is not None and _size(profile) != frame.size[::-1]:
                        return
                    watcher.use(profile)
                    link.send(_using(profile))
                    if profile is not None:
                        with contextlib.suppress(CameraLost):  # the next frame tells
                            camera.lock(profile.controls)
                    used = _file_of(replace(job, profile=path))
                    _tell(keeper.afresh(), link)
                    _tell(strangers.afresh(), link)
                    memory.give_back()
                case Relock():
                    link.send(_relocked(keeper, camera, watcher.profile, read, folder / RELOCKED))
                    memory.give_back()
        if time.monotonic() - sign_s > SIGN_S:
            sign_s = time.monotonic()
            link.send(Alive(frames, camera.name))


def _using(profile: Profile | None) -> Using:
    return Using(profile.called if profile else ())


def _tell(message: Drifted | Offered | None, link: Connection) -> None:
    if message is not None:
        link.send(message)


def _relocked(keeper: Keeper, camera: Camera, profile: Profile | None, read: Read, path: Path) -> Relocked:
    """The new profile is at `path`: it is too large to be told."""
    try:
        store.save(keeper.relock(camera, profile, read), path)
    except (CameraLost, VisionError) as error:
        return Relocked(None, str(error))
    return Relocked(str(path), "")


def _obey(link: Connection, camera: Camera, wishes: Wishes) -> None:
    """Take what comes down the pipe; when it closes the table is gone, and so is the eye."""
    try:
        while True:
            message = link.recv()
            if isinstance(message, WantPicture | UseProfile | Coach | KeepStill | Relock):
                wishes.put(message)
            elif isinstance(message, StartFootage) and isinstance(camera, FileCamera):
                camera.start(message.at_s)
            elif isinstance(message, Scene) and isinstance(camera, SimulatedCamera):
                camera.show(message)
    except (EOFError, OSError):
        os._exit(0)


def _size(profile: Profile | None) -> tuple[int, int] | None:
    return (profile.width, profile.height) if profile else None


def main(descriptor: int) -> None:
    link = Connection(os.dup(descriptor))
    os.close(descriptor)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        look(link.recv(), link)
    # A native camera thread may never end by itself.
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))

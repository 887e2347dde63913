"""The eye process: open the camera, watch, tell; when the camera is lost, open it again. See `firmware.eye`."""

import contextlib
import os
import sys
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue

import cv2
import numpy as np

from calibration import learn, store, weights
from firmware import memory
from firmware.drivers import Camera
from firmware.drivers.choose import open_camera
from firmware.drivers.files import FileCamera
from firmware.drivers.simulated.camera import SimulatedCamera
from firmware.drivers.simulated.scene import Scene
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tray import COLOURED
from firmware.errors import CameraLost, StickmanError
from firmware.link import Alive, Job, Lost, Opened, Picture, Refused, StartFootage, UseProfile, WantPicture
from vision.errors import VisionError
from vision.frame import Image
from vision.profile import Profile
from vision.watcher import Watcher

FRAME_S = 2.0
SIGN_S = 0.5
REOPEN_S = 1.0
PICTURE_WIDTH = 640
SIMULATED_SET = "simulated-set"  # what its profile is called, made when it is missing

Wishes = SimpleQueue[WantPicture | UseProfile]


def look(job: Job, link: Connection) -> None:
    """Watch until the pipe closes."""
    cv2.setNumThreads(1)
    memory.keep_small()
    try:
        profile = load_profile(job)
        camera = open_camera(job.camera, size=_size(profile), started_at_s=job.footage_s, scene=job.scene)
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
        _watch(camera, Watcher(profile, weights.reading()), link, wishes)
    except VisionError as error:
        link.send(Refused(str(error)))
        time.sleep(REOPEN_S)


def load_profile(job: Job) -> Profile | None:
    """The named profile; for the simulated tray one that is learned from its own pictures, as an owner would."""
    if job.profile is not None:
        return store.load(Path(job.profile))
    if job.camera != "simulated":
        return None
    return _simulated_profile(Path(job.state_dir) / "profiles" / f"{SIMULATED_SET}.toml")


def _simulated_profile(path: Path) -> Profile:
    if path.exists():
        with contextlib.suppress(VisionError):  # of an older version: learned anew
            return store.load(path)
    empty, dice = calibration_pictures(coloured=COLOURED)
    lesson = learn.build(empty, dice, count=6, rail=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    store.save(lesson.profile, path)
    return lesson.profile


def _watch(camera: Camera, watcher: Watcher, link: Connection, wishes: Wishes) -> None:
    """Returns when the camera has to be opened anew."""
    frames, sign_s, opened = 0, 0.0, False
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
            height, width = frame.image.shape[:2]
            link.send(Opened(width, height))
            opened = True
        for happening in watcher.see(frame):
            link.send(happening)
        while not wishes.empty():
            match wishes.get():
                case WantPicture():
                    link.send(Picture(small_jpeg(frame.image)))
                case UseProfile(path):
                    profile = store.load(Path(path))
                    height, width = frame.image.shape[:2]
                    if _size(profile) != (width, height):
                        return
                    watcher.use(profile)
        if time.monotonic() - sign_s > SIGN_S:
            sign_s = time.monotonic()
            link.send(Alive(frames, camera.name))


def small_jpeg(image: Image) -> bytes:
    """The picture at most `PICTURE_WIDTH` wide, as JPEG."""
    height, width = image.shape[:2]
    if width > PICTURE_WIDTH:
        size = (PICTURE_WIDTH, round(height * PICTURE_WIDTH / width))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def _obey(link: Connection, camera: Camera, wishes: Wishes) -> None:
    """Take what comes down the pipe; when it closes the table is gone, and so is the eye."""
    try:
        while True:
            message = link.recv()
            if isinstance(message, WantPicture | UseProfile):
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

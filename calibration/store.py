"""Profiles to read with, from those that are kept (`calibration.kept`): their pictures are unpacked and packed here."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration import kept
from calibration.kept import InMemory, Kept, Picture
from calibration.written import Face, Written
from vision.emblem import SIDE, Emblem
from vision.errors import VisionError
from vision.frame import Image
from vision.geometry import Camera
from vision.likeness import BINS
from vision.profile import Profile

# The empty tray lies there as it is: to unpack a PNG of it would take ten times as long as all else of loading.
_SUFFIX = {"empty": ".ppm", "colours": ".png", "faces": ".png"}


def save(profile: Profile, path: Path) -> None:
    """See `calibration.kept.save`."""
    kept.save(packed(profile), path)


def load(path: Path) -> Profile:
    """Raises `VisionError`, see `calibration.kept.load`."""
    return unpacked(kept.load(path))


def packed(profile: Profile) -> Kept:
    """The profile as it is kept."""
    names, pictures = {}, {}
    colours = None if profile.likeness is None else profile.likeness.reshape(BINS, -1)
    for what, picture in (("empty", profile.empty), ("colours", colours), ("faces", _strip(profile))):
        if picture is not None:
            done, file = cv2.imencode(_SUFFIX[what], picture)
            if not done:
                raise VisionError(f"The profile's picture {what} could not be packed: take the pictures again.")
            data = file.tobytes()
            names[what] = kept.named(what, data, _SUFFIX[what])
            pictures[names[what]] = InMemory(data)
    camera = profile.camera
    written = Written(
        width=profile.width,
        height=profile.height,
        camera=(
            camera.focal,
            camera.cx,
            camera.cy,
            camera.tilt_x,
            camera.tilt_y,
            camera.height_mm,
            camera.bend,
        ),
        kinds=tuple(replace(kind, emblems=()) for kind in profile.kinds),
        faces=tuple(tuple(Face(one.value, one.name) for one in kind.emblems) for kind in profile.kinds),
        tray=profile.tray,
        rail=profile.rail,
        slack=profile.slack,
        learned=profile.learned,
        controls=profile.controls,
        rolls=profile.rolls,
        pictures=names,
    )
    return Kept(written, pictures)


def unpacked(profile: Kept) -> Profile:
    """The profile to read with."""
    written = profile.written
    found = {
        what: _picture(profile.pictures[name], len(kept.shape(what, written)) == 3)
        for what, name in written.pictures.items()
    }
    faces = iter(np.split(found["faces"], found["faces"].shape[1] // SIDE, axis=1) if "faces" in found else ())
    likeness = found.get("colours")
    return Profile(
        written.width,
        written.height,
        Camera(*written.camera),
        tuple(
            replace(kind, emblems=tuple(Emblem(one.value, one.name, next(faces)) for one in own))
            for kind, own in zip(written.kinds, written.faces, strict=True)
        ),
        written.tray,
        written.rail,
        found.get("empty"),
        None if likeness is None else likeness.reshape(BINS, BINS, BINS),
        written.slack,
        written.learned,
        written.controls,
        written.rolls,
    )


def _strip(profile: Profile) -> Image | None:
    """The faces without pips, side by side."""
    pictures = [one.picture for kind in profile.kinds for one in kind.emblems]
    return np.concatenate(pictures, axis=1) if pictures else None


def _picture(picture: Picture, colour: bool) -> Image:
    with picture.open("rb") as file:
        data = np.frombuffer(file.read(), np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise VisionError("A picture of the profile cannot be unpacked: make the profile again.")
    image.setflags(write=False)
    return np.asarray(image, np.uint8)

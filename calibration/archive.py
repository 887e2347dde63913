"""A profile as one .zip, to be given away: packed, and taken in with the distrust that files from elsewhere deserve.

It holds what lies on disk, NAME.toml and the pictures in NAME.d, and nothing of it is unpacked to a file of its own
naming: it is read as a `Kept`, which is then saved as any other.
"""

import io
import re
import shutil
import zipfile
import zlib
from typing import IO

from calibration import kept
from calibration.kept import InMemory, Kept, Picture
from speech.sentence import say
from vision.errors import VisionError

# Far more than any camera of such a tray needs: its pictures are one to twelve megapixels.
LARGEST = 32 * 1024 * 1024
_UNPACKED = 128 * 1024 * 1024
_TEXT = 1024 * 1024
_FILES = 100
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
THIS, CURE = say("This file"), say("export it again where it comes from.")


def pack(profile: Kept, name: str, out: IO[bytes]) -> None:
    """Write the .zip of a profile. `name`: of the files in it, without an ending."""
    pictures = {f"{name}.d/{key}": picture for key, picture in profile.pictures.items()}
    files: dict[str, Picture] = {f"{name}.toml": InMemory(profile.text), **pictures}
    with zipfile.ZipFile(out, "w") as archive:
        for path, picture in files.items():
            # Always the same date, so that the same profile is the same file.
            info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            with picture.open("rb") as data, archive.open(info, "w") as file:
                shutil.copyfileobj(data, file)


def unpacked(file: IO[bytes], called: str = THIS) -> tuple[Kept, str]:
    """The profile in a .zip, which is read from as long as that is used, and the name of its files. Raises
    `VisionError`, one sentence, for whatever is not a whole profile and nothing else."""
    size = file.seek(0, io.SEEK_END)
    if size > LARGEST:
        raise VisionError(
            say(
                "{file} is too large for a dice set ({size} MB): export it again where it comes from.",
                file=called,
                size=size >> 20,
            )
        )
    try:
        return _profile(zipfile.ZipFile(file), called)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, VisionError):
            raise
        raise VisionError(
            say("{file} is no .zip, or a damaged one: export it again where it comes from.", file=called)
        ) from None


def _profile(archive: zipfile.ZipFile, called: str) -> tuple[Kept, str]:
    inside = [info for info in archive.infolist() if not info.is_dir()]
    texts = [info.filename for info in inside if re.fullmatch(r"[^/\\]+\.toml", info.filename)]
    if len(texts) != 1:
        raise VisionError(
            say("{file} holds no dice set: a .zip that was exported from a tray holds one .toml file.", file=called)
        )
    name = texts[0].removesuffix(".toml")
    for info in inside:
        if info.filename != texts[0] and not re.fullmatch(
            re.escape(name) + r"\.d/[a-z0-9-]+\.(ppm|png)", info.filename
        ):
            raise VisionError(
                say(
                    "{file} holds {name}, which belongs to no dice set: export it again where it comes from.",
                    file=called,
                    name=_shown(info.filename),
                )
            )
        if info.flag_bits & 1 or info.compress_type not in _PACKED:
            raise VisionError(
                say("{file} is locked or packed in an unusual way: export it again where it comes from.", file=called)
            )
    sizes = {info.filename: info.file_size for info in inside}
    if len(inside) > _FILES or sum(sizes.values()) > _UNPACKED or sizes[texts[0]] > _TEXT:
        raise VisionError(
            say(
                "{file} would unpack to more than a dice set ever holds: export it again where it comes from.",
                file=called,
            )
        )

    def picture(key: str) -> Picture:
        found = zipfile.Path(archive, f"{name}.d/{key}")
        if not found.exists():
            raise FileNotFoundError(2, "it is missing")
        return found

    return kept.read(
        archive.read(texts[0]), picture, say("{file} in {archive}", file=texts[0], archive=called), CURE
    ), name


def _shown(name: str) -> str:
    return repr(name if len(name) < 60 else name[:57] + "...")

"""A profile as one .zip, to be given away: packed, and taken in with the distrust that files from elsewhere deserve.

It holds what lies on disk, NAME.toml and the pictures in NAME.d, and nothing of it is ever unpacked to a file: it is
read into a `Kept`, which is then saved as any other.
"""

import io
import re
import zipfile
import zlib

from calibration import kept
from calibration.kept import Kept
from speech.sentence import say
from vision.errors import VisionError

# Far more than any camera of such a tray needs: its pictures are one to twelve megapixels.
LARGEST = 32 * 1024 * 1024
_UNPACKED = 128 * 1024 * 1024
_FILES = 100
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
THIS, CURE = say("This file"), say("export it again where it comes from.")


def packed(profile: Kept, name: str) -> bytes:
    """The .zip of a profile. `name`: of the files in it, without an ending."""
    files = {f"{name}.toml": profile.text, **{f"{name}.d/{key}": data for key, data in profile.pictures.items()}}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            # Always the same date, so that the same profile is the same file.
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unpacked(data: bytes, called: str = THIS) -> tuple[Kept, str]:
    """The profile in a .zip, and the name of its files. Raises `VisionError`, one sentence, for whatever is not a whole
    profile and nothing else."""
    if len(data) > LARGEST:
        raise VisionError(
            say(
                "{file} is too large for a dice set ({size} MB): export it again where it comes from.",
                file=called,
                size=len(data) >> 20,
            )
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _profile(archive, called)
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
    if len(inside) > _FILES or sum(info.file_size for info in inside) > _UNPACKED:
        raise VisionError(
            say(
                "{file} would unpack to more than a dice set ever holds: export it again where it comes from.",
                file=called,
            )
        )

    def picture(key: str) -> bytes:
        try:
            content = archive.read(f"{name}.d/{key}")
        except KeyError:
            raise FileNotFoundError(2, "it is missing") from None
        told = re.search(r"-([0-9a-f]{8})\.", key)
        if told is not None and int(told[1], 16) != zlib.crc32(content):
            raise ValueError("it is not the one that the profile was saved with")
        return content

    return kept.read(
        archive.read(texts[0]), picture, say("{file} in {archive}", file=texts[0], archive=called), CURE
    ), name


def _shown(name: str) -> str:
    return repr(name if len(name) < 60 else name[:57] + "...")

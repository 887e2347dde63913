"""A dice set as one .zip: it comes back as it was, and whatever is not one is refused in a sentence."""

import contextlib
import io
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sets_of_dice import kept, profile

from calibration import archive, store
from calibration.kept import Kept
from vision.errors import VisionError


def packed(profile: Kept, name: str) -> bytes:
    out = io.BytesIO()
    archive.pack(profile, name, out)
    return out.getvalue()


def unpacked(data: bytes, called: str = archive.THIS) -> tuple[Kept, str]:
    return archive.unpacked(io.BytesIO(data), called)


RED = kept("Red")
WHOLE, TEXT = packed(RED, "red"), RED.text
FILES = {"red.toml": TEXT, **{f"red.d/{name}": file.open("rb").read() for name, file in RED.pictures.items()}}
EMPTY = next(name for name in FILES if "empty" in name)


def zipped(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as pack:
        for name, data in files.items():
            pack.writestr(name, data)
    return out.getvalue()


def test_a_set_comes_back_as_it_was_given_away() -> None:
    before = profile("Red")
    taken, name = unpacked(WHOLE)
    after = store.unpacked(taken)
    assert name == "red"
    assert (after.learned, after.kinds, after.rolls, after.tray) == (
        before.learned,
        before.kinds,
        before.rolls,
        before.tray,
    )
    assert np.array_equal(np.asarray(after.empty), np.asarray(before.empty))
    assert packed(taken, name) == WHOLE


def test_a_set_that_was_packed_by_hand_is_taken_too() -> None:
    files = {"red.d/": b"", **FILES}
    assert unpacked(zipped(files, zipfile.ZIP_STORED))[1] == "red"


BAD: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "no .zip"),
    "text": (b"hello", "no .zip"),
    "cut": (WHOLE[: len(WHOLE) // 2], "no .zip"),
    "flipped": (WHOLE.replace(WHOLE[60:64], b"\0\0\0\0", 1), "damaged"),
    "foreign": (zipped({"readme.txt": b"hello"}), "no dice set"),
    "another's toml": (zipped({"pyproject.toml": b"[project]\nname = 'x'\n"}), "no profile of this program"),
    "two sets": (zipped({**FILES, "blue.toml": TEXT}), "one .toml"),
    "escaping text": (zipped({"../red.toml": TEXT}), "no dice set"),
    "escaping picture": (zipped({**FILES, "red.d/../../empty.ppm": b"x"}), "belongs to no dice set"),
    "absolute": (zipped({**FILES, "/etc/passwd": b"x"}), "belongs to no dice set"),
    "backslashes": (zipped({**FILES, "red.d\\..\\x.png": b"x"}), "belongs to no dice set"),
    "more than it says": (zipped({**FILES, "red.d/virus.exe": b"x"}), "belongs to no dice set"),
    "picture missing": (zipped({"red.toml": TEXT}), "is missing"),
    "picture changed": (zipped({**FILES, EMPTY: FILES[EMPTY][:-1] + b"x"}), "not the one"),
    "picture named elsewhere": (
        zipped({**FILES, "red.toml": TEXT.replace(b'empty = "empty', b'empty = "../empty')}),
        "no name of a picture",
    ),
    "another size": (zipped({**FILES, "red.toml": TEXT.replace(b"width = 64", b"width = 4000")}), "another size"),
    "no text": (zipped({**FILES, "red.toml": b"\xff\xfe"}), "is no text"),
    "a later version": (zipped({**FILES, "red.toml": TEXT.replace(b"format = 2", b"format = 99")}), "another version"),
    "unusual packing": (zipped(FILES, zipfile.ZIP_LZMA), "unusual"),
    "too large": (b"PK" + bytes(archive.LARGEST), "too large"),
    "a bomb": (zipped({**FILES, "red.d/big-one.png": bytes(130 << 20)}), "unpack to more"),
    "a long text": (zipped({**FILES, "red.toml": TEXT + bytes(2 << 20)}), "unpack to more"),
    "a crowd": (zipped({**FILES, **{f"red.d/p{k}.png": b"" for k in range(200)}}), "unpack to more"),
}


@pytest.mark.parametrize("what", BAD)
def test_whatever_is_no_whole_set_is_refused_in_one_sentence(what: str) -> None:
    data, says = BAD[what]
    with pytest.raises(VisionError, match=says) as caught:
        unpacked(data, "dice.zip")
    assert "dice.zip" in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_picture_that_only_pretends_to_be_small_is_never_unpacked() -> None:
    huge = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (60_000).to_bytes(4, "big") * 2 + bytes(30)
    name = f"empty-{zlib.crc32(huge):08x}.png"
    text = TEXT.replace(EMPTY.removeprefix("red.d/").encode(), name.encode())
    files = {key: data for key, data in FILES.items() if key != EMPTY}
    with pytest.raises(VisionError, match="another size"):
        unpacked(zipped({**files, "red.toml": text, f"red.d/{name}": huge}))


@given(st.data())
def test_no_change_of_bytes_is_ever_more_than_a_sentence(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(WHOLE) - 1))
    new = data.draw(st.binary(min_size=0, max_size=6))
    damaged = WHOLE[:at] + new + WHOLE[at + data.draw(st.integers(0, 6)) :]
    with contextlib.suppress(VisionError):
        unpacked(damaged)

"""Is a picture of a profile whole? Told by its bytes alone: who keeps profiles need not be able to look at them."""

import re
import struct
import zlib

_PNG = b"\x89PNG\r\n\x1a\n"
_LAST_FILTER = 4


def check(data: bytes, shape: tuple[int, ...]) -> None:
    """Raises `ValueError` unless `data` is a whole .ppm or .png of `shape`, (h, w, 3) or (h, w), 8 bits a channel. A
    picture that only pretends to be small is never unpacked."""
    if _size(data) != shape[1::-1]:
        raise ValueError("it is of another size than the profile says")
    if data.startswith(_PNG) and not _unpacks(data, shape):
        raise ValueError("it cannot be unpacked")


def _size(data: bytes) -> tuple[int, ...]:
    """Width and height by the picture's own head; empty when it has none."""
    if data[:8] == _PNG and len(data) > 24:
        return struct.unpack(">II", data[16:24])
    plain = re.match(rb"P6\s+(\d{1,6})\s+(\d{1,6})\s+255\s", data)
    if plain is None or len(data) != plain.end() + 3 * int(plain[1]) * int(plain[2]):
        return ()
    return int(plain[1]), int(plain[2])


def _unpacks(data: bytes, shape: tuple[int, ...]) -> bool:
    """A .png as this program writes them: grey or in colour, not interlaced, each chunk and row as it must be."""
    kind, row = (2, 1 + 3 * shape[1]) if len(shape) == 3 else (0, 1 + shape[1])
    packed, at, ended = b"", len(_PNG), False
    while not ended and at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if data[at + 8 + length : at + 12 + length] != struct.pack(">I", zlib.crc32(name + body)):
            return False
        if name == b"IHDR" and body[8:] != bytes((8, kind, 0, 0, 0)):
            return False
        packed += body if name == b"IDAT" else b""
        ended, at = name == b"IEND", at + 12 + length
    try:
        rows = zlib.decompressobj().decompress(packed, row * shape[0] + 1)
    except zlib.error:
        return False
    return ended and len(rows) == row * shape[0] and max(rows[::row], default=0) <= _LAST_FILTER

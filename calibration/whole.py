"""Is a picture of a profile whole? Told by its bytes alone: who keeps profiles need not be able to look at them."""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence

_PNG = b"\x89PNG\r\n\x1a\n"
_LAST_FILTER = 4
_PIECE = 1 << 16


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
    every, at, ended = memoryview(data), len(_PNG), False
    packed: list[memoryview] = []
    while not ended and at + 12 <= len(data):
        (length,) = struct.unpack(">I", every[at : at + 4])
        name, body = bytes(every[at + 4 : at + 8]), every[at + 8 : at + 8 + length]
        if every[at + 8 + length : at + 12 + length] != struct.pack(">I", zlib.crc32(body, zlib.crc32(name))):
            return False
        if name == b"IHDR" and body[8:] != bytes((8, kind, 0, 0, 0)):
            return False
        packed += [body] if name == b"IDAT" else []
        ended, at = name == b"IEND", at + 12 + length
    seen = 0
    try:
        for piece in _unpacked(packed):
            if max(piece[-seen % row :: row], default=0) > _LAST_FILTER:
                return False
            seen += len(piece)
            if seen > row * shape[0]:
                return False
    except zlib.error:
        return False
    return ended and seen == row * shape[0]


def _unpacked(packed: Sequence[memoryview]) -> Iterator[bytes]:
    """Piece by piece: a picture of the tray in one would take as much memory as the table has to spare."""
    stream = zlib.decompressobj()
    for part in packed:
        for at in range(0, len(part), _PIECE):
            left: bytes | memoryview = part[at : at + _PIECE]
            while left and not stream.eof:
                yield stream.decompress(left, _PIECE)
                left = stream.unconsumed_tail
    yield stream.flush()

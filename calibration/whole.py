"""Is a picture of a profile whole? Told by its bytes alone, piece by piece: who keeps profiles need not be able to look
at them, nor to hold one in memory."""

import re
import struct
import zlib
from collections.abc import Iterator
from typing import IO

_PNG = b"\x89PNG\r\n\x1a\n"
_LAST_FILTER = 4
_PIECE = 1 << 16
_HEAD = 64  # bytes, in which any picture tells its size
_BROKEN = "it cannot be unpacked"


def check(file: IO[bytes], shape: tuple[int, ...], checksum: int | None = None) -> None:
    """Raises `ValueError` unless this is a whole .ppm or .png of `shape`, (h, w, 3) or (h, w), 8 bits a channel, with
    this `checksum`, CRC 32. A picture that only pretends to be small is never unpacked."""
    head = file.read(_HEAD)
    length, found = len(head), zlib.crc32(head)
    while piece := file.read(_PIECE):
        length, found = length + len(piece), zlib.crc32(piece, found)
    if _size(head, length) != shape[1::-1]:
        raise ValueError("it is of another size than the profile says")
    if checksum not in (None, found):
        raise ValueError("it is not the one that the profile was saved with")
    if head.startswith(_PNG):
        file.seek(len(_PNG))
        _check_rows(file, shape)


def _size(head: bytes, length: int) -> tuple[int, ...]:
    """Width and height by the picture's own head; empty when it has none, or the file is not as long as it says."""
    if head[:8] == _PNG and length > 24:
        return struct.unpack(">II", head[16:24])
    plain = re.match(rb"P6\s+(\d{1,6})\s+(\d{1,6})\s+255\s", head)
    if plain is None or length != plain.end() + 3 * int(plain[1]) * int(plain[2]):
        return ()
    return int(plain[1]), int(plain[2])


def _check_rows(file: IO[bytes], shape: tuple[int, ...]) -> None:
    """Of a .png, from its first chunk on, as this program writes them: grey or in colour, not interlaced, each chunk
    and row as it must be."""
    kind, row = (2, 1 + 3 * shape[1]) if len(shape) == 3 else (0, 1 + shape[1])
    seen = 0
    try:
        for piece in _unpacked(file, bytes((8, kind, 0, 0, 0))):
            if max(piece[-seen % row :: row], default=0) > _LAST_FILTER:
                raise ValueError(_BROKEN)
            seen += len(piece)
            if seen > row * shape[0]:
                raise ValueError(_BROKEN)
    except zlib.error:
        raise ValueError(_BROKEN) from None
    if seen != row * shape[0]:
        raise ValueError(_BROKEN)


def _unpacked(file: IO[bytes], layout: bytes) -> Iterator[bytes]:
    """Its rows. `layout`: what its head has to say after the size."""
    stream = zlib.decompressobj()
    for name, piece in _chunks(file):
        if name == b"IHDR" and piece[8:] != layout:
            raise ValueError(_BROKEN)
        left = piece if name == b"IDAT" else b""
        while left and not stream.eof:
            yield stream.decompress(left, _PIECE)
            left = stream.unconsumed_tail
    yield stream.flush()


def _chunks(file: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Each chunk's name and what is in it, up to the end, in pieces."""
    name = b""
    while name != b"IEND":
        head = file.read(8)
        if len(head) < 8:
            raise ValueError(_BROKEN)
        length, name = struct.unpack(">I4s", head)
        found = zlib.crc32(name)
        while length:
            piece = file.read(min(length, _PIECE))
            if not piece:
                raise ValueError(_BROKEN)
            length, found = length - len(piece), zlib.crc32(piece, found)
            yield name, piece
        if file.read(4) != struct.pack(">I", found):
            raise ValueError(_BROKEN)

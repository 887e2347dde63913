"""Memory that a process no longer needs goes back to the system. For glibc; elsewhere nothing is done.

By itself glibc keeps freed pieces up to 32 MB each for later: with pictures coming and going that becomes a hundred
megabytes that nobody uses, and a small Pi has 512 in all.
"""

import contextlib
import ctypes

# From `malloc.h`.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
# Pieces from this size on are given back at once. A smaller limit makes reading a picture slower, by an eighth at
# 1 MB: its own pieces would be asked for again and again. At 4 MB it is as fast as without.
_LARGE = 4 << 20


def keep_small(large: int = _LARGE) -> None:
    """From now on, give pieces back as soon as they are free that have `large` bytes and more."""
    with contextlib.suppress(AttributeError, OSError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, large)
        libc.mallopt(_TRIM_THRESHOLD, large)
        # Threads that work now and then would each keep a heap of their own.
        libc.mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give back all that is free now, large and small: after work that is done once. Takes some milliseconds."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)

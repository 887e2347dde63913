"""Run a command whose programs are of another architecture: python tests/foreign.py EMULATOR COMMAND...

The emulator is made known to the kernel in a user namespace of its own (Linux 6.7 or later), so that this machine's own
table of formats stays as it is, and nothing is left behind.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
# The smallest board's own. A newer one signs return addresses, and an emulator takes 25 times as long for that.
PROCESSOR = "cortex-a53"
FORMATS = "/proc/sys/fs/binfmt_misc"
# The first bytes of a 64-bit ARM program (ELF, little endian, executable or shared, machine 183), and which count.
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"


def main(emulator: str, *command: str) -> int:
    """Our child enters the namespace; we, outside, say which users it knows: all of them, as they are."""
    os.environ.setdefault("QEMU_CPU", PROCESSOR)
    entered, mapped = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        _become(emulator, command, entered[1], mapped[0])
    os.close(entered[1])
    if os.read(entered[0], 1):
        for kind in ("uid_map", "gid_map"):
            with open(f"/proc/{child}/{kind}", "w") as table:
                table.write("0 0 4294967295")
        os.write(mapped[1], b"x")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _become(emulator: str, command: tuple[str, ...], entered: int, mapped: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # whoever gives us up gives up the command
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS):
        sys.exit(f"user namespaces are not to be had: {os.strerror(ctypes.get_errno())}")
    os.write(entered, b"x")
    os.read(mapped, 1)
    if libc.mount(b"none", FORMATS.encode(), b"binfmt_misc", 0, None):
        sys.exit(f"formats cannot be told in a namespace of their own: {os.strerror(ctypes.get_errno())}")
    with open(f"{FORMATS}/register", "w") as register:
        # O: the program is opened by the kernel; C: with its own rights; F: the emulator, so that a chroot needs none.
        register.write(f":foreign:M::{MAGIC}:{MASK}:{emulator}:OCF")
    os.execvp(command[0], command)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Debian root file systems to install into: made by debootstrap, kept between runs, entered without any container.

A base is made once per release and kept; each test works on a copy of its own, in namespaces that end with it, so that
nothing stays mounted or running. What a machine cannot do is said by `why_not`.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = Path(os.environ.get("STICKMAN_ROOTS") or Path.home() / ".cache/stickman/roots")
PACKAGES = ("ca-certificates", "make", "python3", "systemd", "udev")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What a command inside may know of the machine outside: how it reaches its packages.
PASSED = re.compile(r"(https?|no)_proxy|.*_(CERT|BUNDLE|CA_CERTS|CERT_FILE)|PIP_(?!FIND_LINKS).*", re.I)
APT = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends")
PICAMERA2 = "picamera2==0.3.38"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
# A mount or a process lives as long as the command that needed it. A folder /host shows this machine's files.
ENTER = """
cd "$0" && mount -t proc proc proc && mount -t tmpfs tmpfs dev/shm
[ ! -d host ] || { mount --bind tmp /tmp && mount --rbind / host && mount -o remount,bind,ro host; }
exec chroot . "$@"
"""
# A cgroup of its own comes first, else the systemd within would take itself for that without.
BOOT = """
group=$(mktemp -d) && mount -t cgroup2 cgroup2 "$group" && mkdir -p "$group/stickman-test-$$"
echo $$ > "$group/stickman-test-$$/cgroup.procs" && umount "$group" && rmdir "$group"
exec unshare --mount --pid --net --uts --ipc --cgroup --fork --kill-child sh -c '
  mount --bind "$0" "$0" && cd "$0"
  mount -t proc proc proc && mount -t sysfs -o ro sysfs sys && mount -t cgroup2 cgroup2 sys/fs/cgroup
  mount -t tmpfs tmpfs run && mount -t tmpfs tmpfs tmp && ip link set lo up
  exec env -i PATH="$PATH" container=chroot chroot . /lib/systemd/systemd --system' "$0"
"""
LEAVE = """
group=$(mktemp -d) && mount -t cgroup2 cgroup2 "$group" && find "$group/stickman-test-$0" -depth -type d -delete
umount "$group"; rmdir "$group"
"""


@dataclass(frozen=True)
class Done:
    code: int
    text: str


@dataclass(frozen=True)
class Debian:
    """A root file system. `emulator`: words before a command that make programs of its architecture run."""

    root: Path
    emulator: tuple[str, ...] = ()

    def run(self, *command: str, env: Mapping[str, str] | None = None, timeout_s: float = 36000) -> Done:
        words = [*self.emulator, "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER]
        return _done([*words, str(self.root), *command], env, timeout_s)

    def well(self, *command: str, env: Mapping[str, str] | None = None) -> str:
        """Output of a command that has to work."""
        done = self.run(*command, env=env)
        assert done.code == 0, f"{' '.join(command)}: {done.text}"
        return done.text

    def put(self, path: str, text: str) -> None:
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def lend(self, program: str) -> None:
        """Make a program of this machine a command there; this machine runs it, and both have one /tmp then."""
        command = self.root / "usr/bin" / Path(program).name
        command.write_text(f'#!/bin/sh\nexec chroot /host {program} "$@"\n', encoding="utf-8")
        command.chmod(0o755)
        (self.root / "host").mkdir(exist_ok=True)

    def take_project(self) -> None:
        """Lay this checkout's files down at /src, as git knows them."""
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
        ).stdout.decode().split("\0")  # fmt: skip
        shutil.rmtree(self.root / "src", ignore_errors=True)
        for name in filter(None, names):
            if (ROOT / name).is_file():
                target = self.root / "src" / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, target)


@dataclass(frozen=True)
class Booted:
    """A root file system whose own systemd runs, with a network that leads nowhere."""

    process: int

    def run(self, *command: str, env: Mapping[str, str] | None = None, timeout_s: float = 600) -> Done:
        spaces = ("--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--root")
        return _done(
            ["nsenter", "-t", str(self.process), *spaces, "--wd", "chroot", ".", *command], env, timeout_s
        )  # fmt: skip

    def well(self, *command: str, env: Mapping[str, str] | None = None) -> str:
        """Output of a command that has to work."""
        done = self.run(*command, env=env)
        assert done.code == 0, f"{' '.join(command)}: {done.text}"
        return done.text

    def shown(self, name: str, unit: str = "stickman.service") -> str:
        return self.run("systemctl", "show", f"--property={name}", "--value", unit).text.strip()

    def until(self, name: str, value: str, timeout_s: float = 90) -> str:
        """Wait until a property of the service matches; returns the whole of it."""
        ends_s = time.monotonic() + timeout_s
        while time.monotonic() < ends_s:
            if re.fullmatch(value, shown := self.shown(name)):
                return shown
            time.sleep(0.3)
        raise AssertionError(f"{name} stayed {shown!r}: {self.run('journalctl', '-n', '40', '--no-pager').text}")


def why_not() -> str:
    """What this machine lacks for root file systems; empty when it lacks nothing."""
    if os.geteuid() != 0:
        return "root file systems need root"
    if shutil.which("debootstrap") is None:
        return "the command debootstrap is missing: apt-get install debootstrap"
    if _mirror() is None:
        return "no Debian mirror is known here: name one with MIRROR="
    tried = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True)
    return f"namespaces are not to be had ({tried.stderr.strip()})" if tried.returncode else ""


def base(release: str, packages: Sequence[str] = PACKAGES) -> Path:
    """The kept root of a release, made when it is missing. One that was interrupted is made anew."""
    kept = KEPT / f"{release}-{len(packages)}"
    if not kept.is_dir():
        half = kept.with_name(f"{kept.name}.half")
        shutil.rmtree(half, ignore_errors=True)
        half.parent.mkdir(parents=True, exist_ok=True)
        command = ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", release, str(half)]
        subprocess.run([*command, str(_mirror())], check=True, stdout=subprocess.DEVNULL)
        half.rename(kept)
    return kept


def foreign_base(release: str, packages: Sequence[str]) -> tuple[Path, tuple[str, ...]]:
    """As `base`, for 64-bit ARM, and the words that make its programs run here. Packages are unpacked by this machine's
    own dpkg and their scripts are not run: under an emulator that would take hours."""
    kept = KEPT / f"{release}-arm64-{len(packages)}"
    if not kept.is_dir():
        half, fetched = kept.with_name(f"{kept.name}.half"), kept.with_name(f"{kept.name}.fetched")
        shutil.rmtree(half, ignore_errors=True)
        shutil.rmtree(fetched, ignore_errors=True)
        half.mkdir(parents=True)
        command = ["debootstrap", "--arch=arm64", "--foreign", "--variant=minbase", f"--include={','.join(packages)}"]
        subprocess.run([*command, release, str(fetched), str(_mirror())], check=True, stdout=subprocess.DEVNULL)
        _unpack(fetched / "var/cache/apt/archives", half)
        shutil.rmtree(fetched)
        half.rename(kept)
    return kept, (sys.executable, str(Path(__file__).with_name("foreign.py")), str(_emulator()))


def _unpack(archives: Path, root: Path) -> None:
    """What `dpkg --install` would leave, as far as the tests need it."""
    files = sorted(archives.glob("*.deb"), key=lambda file: not file.name.startswith("base-files_"))
    known = []
    for file in files:
        subprocess.run(["dpkg", "-x", str(file), str(root)], check=True)
        told = subprocess.run(["dpkg-deb", "-f", str(file)], check=True, capture_output=True, text=True).stdout
        known.append(f"{told.rstrip()}\nStatus: install ok installed\n")
    (root / "var/lib/dpkg/status").write_text("\n".join(known), encoding="utf-8")
    for name in ("passwd", "group"):
        shutil.copyfile(root / f"usr/share/base-passwd/{name}.master", root / f"etc/{name}")
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n", encoding="utf-8")
    (root / "dev/shm").mkdir()
    for name, number in (("null", 3), ("zero", 5), ("random", 8), ("urandom", 9)):
        os.mknod(root / "dev" / name, 0o020666, os.makedev(1, number))
        (root / "dev" / name).chmod(0o666)
    for name in ("blas", "lapack"):  # which numpy's packages choose among by a script
        library = next((root / "usr/lib/aarch64-linux-gnu").glob(f"{name}/lib{name}.so.3"), None)
        if library is not None:
            (library.parents[1] / library.name).symlink_to(f"{name}/{library.name}")


def _emulator() -> Path:
    """Debian's own, unpacked beside the roots and not installed."""
    emulator = KEPT / "qemu/usr/bin/qemu-aarch64-static"
    if not emulator.exists():
        emulator.parents[2].mkdir(parents=True, exist_ok=True)
        script = (
            "apt-get download -qq qemu-user-static && dpkg -x qemu-user-static_*.deb . && rm qemu-user-static_*.deb"
        )
        subprocess.run(["sh", "-ec", script], cwd=emulator.parents[2], check=True, stdout=subprocess.DEVNULL)
    return emulator


def camera_base() -> Path:
    """Debian with libcamera's virtual camera and the real picamera2: what a Pi has, but for its sensor."""
    kept = KEPT / "trixie-camera"
    if not kept.is_dir():
        with copy_of(base("trixie"), "camera") as made:
            made.put("etc/apt/sources.list.d/backports.list", f"deb {_mirror()} trixie-backports main\n")
            made.well("apt-get", "update", "-qq")
            # python-prctl and PiDNG, which picamera2 asks for, are compiled.
            made.well(*APT, "gcc", "libc6-dev", "libcap-dev", "python3-dev", "python3-venv", "python3-numpy")
            # The release's own libcamera has the virtual camera, but tells nonsense of its buffers.
            made.well(*APT, "-t", "trixie-backports", "python3-libcamera", "libcamera-ipa")
            made.well("/usr/bin/python3", "-m", "venv", "--system-site-packages", "/suite")
            made.well("/suite/bin/python", "-m", "pip", "install", "-q", "--no-cache-dir", PICAMERA2)
            made.root.rename(kept)
    return kept


@contextlib.contextmanager
def copy_of(kept: Path, name: str, emulator: tuple[str, ...] = ()) -> Iterator[Debian]:
    """A copy to work on, with the way to the network that this machine has. It is gone at the end."""
    root = KEPT / f"at-work-{name}"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", str(kept), str(root)], check=True)
    if Path("/", CERTIFICATES).exists():
        (root / CERTIFICATES).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path("/", CERTIFICATES), root / CERTIFICATES)
    shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
    try:
        yield Debian(root, emulator)
    finally:
        shutil.rmtree(root, ignore_errors=True)


@contextlib.contextmanager
def booted(debian: Debian) -> Iterator[Booted]:
    """Its systemd, from start to power cut. Raises `RuntimeError` where that cannot be."""
    outer = subprocess.Popen(
        ["unshare", "--mount", "--propagation", "private", "sh", "-ec", BOOT, str(debian.root)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        process = _first_process(outer)
        if process is None:
            outer.kill()
            raise RuntimeError(f"systemd does not start in a chroot of this machine: {outer.communicate()[1].strip()}")
        yield Booted(process)
    finally:
        outer.kill()
        outer.communicate()
        subprocess.run(["unshare", "--mount", "sh", "-c", LEAVE, str(outer.pid)], capture_output=True, check=False)


def _first_process(outer: subprocess.Popen[str]) -> int | None:
    """The systemd within: the only child of `unshare`, once it answers. None when it does not."""
    ends_s = time.monotonic() + 60
    while time.monotonic() < ends_s and outer.poll() is None:
        children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
        if children and Booted(int(children[0])).run("systemctl", "is-system-running").text.strip() in (
            "running", "degraded",
        ):  # fmt: skip
            return int(children[0])
        time.sleep(0.3)
    return None


def _mirror() -> str | None:
    """The mirror that this machine itself uses."""
    if named := os.environ.get("MIRROR"):
        return named
    told = subprocess.run(["apt-cache", "policy", "base-files"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"https?://\S+/debian/?(?= )", told)
    return found[0] if found else None


def _done(command: Sequence[str], env: Mapping[str, str] | None, timeout_s: float) -> Done:
    own = {name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}
    whole = {"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", **own, **(env or {})}
    done = subprocess.run(
        command, env=whole, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=timeout_s, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout)

"""The doctor: what is wrong is named, with its cure, and the doctor itself survives everything."""

import json
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sets_of_dice import kept

from firmware import doctor, doctor_board
from firmware.__main__ import main
from firmware.config import Config, Loaded
from firmware.doctor import Finding
from firmware.doctor_board import APT, EVERYWHERE, ON_A_PI, Machine, board_findings
from firmware.journal import Journal
from firmware.sets import Shelf

NOW = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
PI = "Raspberry Pi 4 Model B Rev 1.4"


def machine(root: Path, model: str | None, answers: Mapping[str, str | None]) -> Machine:
    """A machine whose commands answer by a word of theirs; a library is there unless it is said otherwise."""

    def run(command: Sequence[str], timeout_s: float) -> str | None:
        assert timeout_s > 0
        for word, answer in answers.items():
            if any(word in part for part in command):
                return answer
        return "".join(json.dumps([name, "1.0", None]) + "\n" for name in command[3:])

    return Machine(root, run, model)


def named(findings: Sequence[Finding], check: str) -> Finding:
    return next(finding for finding in findings if finding.check == check)


def healthy_pi(root: Path, answers: Mapping[str, str | None] | None = None) -> Machine:
    return machine(root, PI, {"global_camera_info": '["imx708"]', "vcgencmd": "throttled=0x0\n", **(answers or {})})


def test_this_machine_is_well_enough_to_run_the_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--state-dir", str(tmp_path), "--port", "0", "--host", "127.0.0.1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in lines if not line.startswith(("ok  ", "warn"))] == []
    assert all(any(f"  {name} " in line for line in lines) for name in EVERYWHERE)


def test_json_holds_the_same_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "file"
    broken.write_text("", encoding="utf-8")
    assert main(["doctor", "--json", "--state-dir", str(broken), "--port", "0", "--host", "127.0.0.1"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    (state,) = [finding for finding in report["findings"] if finding["check"] == "state"]
    assert state["verdict"] == "FAIL"
    assert "--state-dir" in state["cure"]


def test_a_config_that_does_not_exist_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--config", str(tmp_path / "no.toml")]) == 2
    assert capsys.readouterr().err.startswith("stickman: The config file")


def test_every_finding_that_is_not_well_has_a_cure(tmp_path: Path) -> None:
    ill = machine(tmp_path, PI, {"importlib": "", "global_camera_info": None, "vcgencmd": None})
    (tmp_path / "stickman.db").write_bytes(b"no journal" * 1000)
    asked = doctor.Asked(
        Loaded(Config(), None, ("config.toml:1: a mistake",)), tmp_path, tmp_path / "gone.toml", "no.such.host", 1, {}
    )
    findings = (*board_findings(ill), *doctor.own_findings(asked, datetime(1970, 1, 1, tzinfo=UTC)))
    for finding in findings:
        assert (finding.cure == "") == (finding.verdict == "ok"), finding
        assert "\n" not in doctor.line(finding)
    assert not doctor.all_well(findings)


def test_a_healthy_pi_is_well(tmp_path: Path) -> None:
    number = tmp_path / "proc/device-tree/serial-number"
    number.parent.mkdir(parents=True)
    number.write_text("100000001234abcd\0", encoding="utf-8")
    findings = board_findings(healthy_pi(tmp_path))
    assert named(findings, "board").text == f"{PI}, serial number 100000001234abcd"
    assert {finding.check for finding in findings} >= {*EVERYWHERE, *ON_A_PI}
    assert named(findings, "camera") == Finding("camera", "ok", "imx708")
    assert named(findings, "supply").verdict == "ok"
    assert doctor.all_well(findings)


def test_a_missing_library_names_its_package(tmp_path: Path) -> None:
    answers = [json.dumps([name, "1.0", None]) for name in (*EVERYWHERE, *ON_A_PI) if name != "picamera2"]
    error = json.dumps(["picamera2", None, "ModuleNotFoundError: No module named 'picamera2'"])
    found = named(board_findings(healthy_pi(tmp_path, {"importlib": "\n".join([*answers, error])})), "picamera2")
    assert (found.verdict, APT["picamera2"] in found.cure) == ("FAIL", True)
    assert "--system-site-packages" in found.cure


@pytest.mark.parametrize(
    ("name", "error", "cure"),
    [
        ("simplejpeg", "ValueError: numpy.dtype size changed, may indicate binary incompatibility", "numpy<2"),
        ("cv2", "ImportError: libGL.so.1: cannot open shared object file", "opencv-python-headless"),
        ("flask", "ModuleNotFoundError: No module named 'flask'", "make clean run"),
    ],
)
def test_the_cure_fits_the_way_a_library_fails(tmp_path: Path, name: str, error: str, cure: str) -> None:
    answers = [json.dumps([n, None if n == name else "1", error if n == name else None]) for n in EVERYWHERE + ON_A_PI]
    found = named(board_findings(healthy_pi(tmp_path, {"importlib": "\n".join(answers)})), name)
    assert found.verdict == "FAIL"
    assert cure in found.cure


def test_a_library_that_crashes_is_named_and_stops_the_list(tmp_path: Path) -> None:
    answers = json.dumps(["numpy", "2.0", None])
    checks = [f.check for f in board_findings(healthy_pi(tmp_path, {"importlib": answers}))]
    assert checks[1:3] == ["numpy", "cv2"]
    assert "flask" not in checks


def test_libraries_are_really_loaded() -> None:
    output = subprocess.run(
        [sys.executable, "-c", doctor_board.PROBE, "numpy", "no_such_module"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    good, bad = (json.loads(line) for line in output.splitlines())
    assert (good[0], good[2]) == ("numpy", None)
    assert bad == ["no_such_module", None, "ModuleNotFoundError: No module named 'no_such_module'"]


def test_a_command_that_is_missing_fails_or_hangs_is_no_answer() -> None:
    assert doctor_board.run(["no-such-command-anywhere"], 5.0) is None
    assert doctor_board.run([sys.executable, "-c", "import time; time.sleep(60)"], 0.05) is None
    assert doctor_board.run([sys.executable, "-c", "print(1); raise SystemExit(3)"], 20.0) == "1\n"


@pytest.mark.parametrize(
    ("answer", "verdict", "text"),
    [
        ("[]", "FAIL", "no camera found"),
        (None, "FAIL", "does not answer"),
        ('a warning\n["imx219", "imx708"]\n', "ok", "imx219, imx708"),
    ],
)
def test_the_pis_camera(tmp_path: Path, answer: str | None, verdict: str, text: str) -> None:
    found = named(board_findings(healthy_pi(tmp_path, {"global_camera_info": answer})), "camera")
    assert (found.verdict, text in found.text) == (verdict, True)


def test_a_usb_camera_is_known_by_its_lasting_name(tmp_path: Path) -> None:
    by_id = tmp_path / "dev/v4l/by-id"
    by_id.mkdir(parents=True)
    for index in (0, 1):
        (by_id / f"usb-Maker_Webcam-video-index{index}").touch()
    findings = board_findings(machine(tmp_path, None, {}))
    assert named(findings, "camera") == Finding("camera", "ok", "USB usb-Maker_Webcam-video-index0")


def test_a_machine_that_is_no_pi_has_simulated_pins_and_no_supply_to_check(tmp_path: Path) -> None:
    findings = board_findings(machine(tmp_path, None, {}))
    assert named(findings, "pins").text == "factory mock: simulated"
    assert not {"supply", *ON_A_PI} & {finding.check for finding in findings}


@pytest.mark.parametrize(
    ("bits", "verdict"), [("0x0", "ok"), ("0x50005", "FAIL"), ("0x50000", "warn"), ("0x20000", "ok")]
)
def test_under_voltage_is_read_from_the_firmware(tmp_path: Path, bits: str, verdict: str) -> None:
    findings = board_findings(healthy_pi(tmp_path, {"vcgencmd": f"throttled={bits}\n"}))
    assert named(findings, "supply").verdict == verdict


@pytest.mark.parametrize(("alarm", "verdict"), [("0", "ok"), ("1", "FAIL")])
def test_without_that_command_under_voltage_is_read_from_the_kernel(tmp_path: Path, alarm: str, verdict: str) -> None:
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        folder = tmp_path / f"sys/class/hwmon/hwmon{number}"
        folder.mkdir(parents=True)
        (folder / "name").write_text(f"{name}\n", encoding="utf-8")
    (tmp_path / "sys/class/hwmon/hwmon1/in0_lcrit_alarm").write_text(f"{alarm}\n", encoding="utf-8")
    findings = board_findings(healthy_pi(tmp_path, {"vcgencmd": None}))
    assert named(findings, "supply").verdict == verdict


def test_a_journal_in_use_is_checked_without_disturbing_it(tmp_path: Path) -> None:
    file = tmp_path / "stickman.db"
    journal = Journal(file)
    found = doctor.journal(file)
    assert (found.verdict, found.text) == ("ok", f"0 moves in {file}")
    journal.close()


def test_a_damaged_journal_is_found(tmp_path: Path) -> None:
    file = tmp_path / "stickman.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE moves (seq INTEGER PRIMARY KEY, text TEXT)")
        database.executemany("INSERT INTO moves (text) VALUES (?)", [("x" * 500,)] * 200)
    database.close()
    content = bytearray(file.read_bytes())
    content[8192:12288] = b"\xff" * 4096
    file.write_bytes(content)
    found = doctor.journal(file)
    assert found.verdict == "FAIL"
    assert "begins a new journal" in found.cure


def test_a_file_that_is_no_journal_is_found(tmp_path: Path) -> None:
    file = tmp_path / "stickman.db"
    file.write_bytes(b"not a database at all" * 100)
    assert doctor.journal(file).verdict == "FAIL"


def test_no_journal_yet_is_well(tmp_path: Path) -> None:
    assert doctor.journal(tmp_path / "stickman.db").verdict == "ok"


def test_a_port_in_use_is_a_warning_that_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        found = doctor.port("127.0.0.1", number)
    assert (found.verdict, found.text) == ("warn", f"{number} is in use")
    assert "--port" in found.cure
    assert doctor.port("127.0.0.1", 0).verdict == "ok"
    assert doctor.port("127.0.0.1", 70000).verdict == "FAIL"
    assert doctor.port("192.0.2.77", 0).verdict == "FAIL"


def test_a_clock_before_the_program_was_made_is_wrong() -> None:
    assert doctor.clock(datetime(1970, 1, 1, tzinfo=UTC)).verdict == "warn"
    assert doctor.clock(NOW).verdict == "ok"


def test_the_dice_set_in_use_is_the_profile_that_is_examined(tmp_path: Path) -> None:
    assert doctor.set_in_use(tmp_path, {}) is None
    shelf = Shelf(tmp_path)
    slug = shelf.keep(kept(made="2026-05-03"), "Red")
    assert doctor.set_in_use(tmp_path, {}) == shelf.path(slug)
    (found,) = doctor.profile(doctor.set_in_use(tmp_path, {}), date(2026, 5, 4))
    assert found.text.endswith("red.toml, made 2026-05-03")


def test_a_profile_that_is_missing_or_foreign_is_found(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.toml"
    foreign.write_text("[web]\nport = 1\n", encoding="utf-8")
    for file in (tmp_path / "gone.toml", foreign):
        (found,) = doctor.profile(file, date(2026, 11, 29))
        assert found.verdict == "FAIL"
        assert "stickman calibrate" in found.cure


def test_only_some_pythons_fit() -> None:
    assert doctor.python((3, 13, 1)).verdict == "ok"
    assert doctor.python((3, 10, 9)).verdict == "FAIL"
    assert doctor.python((3, 14, 0)).verdict == "FAIL"


def test_the_pis_cameras_are_asked_by_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = (
        "class Picamera2:\n    @staticmethod\n    def global_camera_info():\n        return [{'Model': 'imx708'}, {}]\n"
    )
    (tmp_path / "picamera2.py").write_text(library, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    output = doctor_board.run([sys.executable, "-c", doctor_board.CAMERAS], 20.0)
    assert output is not None
    assert json.loads(output) == ["imx708", "camera"]


@pytest.mark.parametrize(
    ("told", "verdict", "text"),
    [
        ("ActiveState=active\nUnitFileState=enabled\nNRestarts=0\n", "ok", "starts with this machine"),
        ("ActiveState=active\nUnitFileState=enabled\nNRestarts=4\n", "warn", "anew 4 times"),
        ("ActiveState=active\nUnitFileState=disabled\nNRestarts=0\n", "warn", "will not start"),
        ("ActiveState=activating\nUnitFileState=enabled\nNRestarts=9\n", "FAIL", "does not run"),
        (None, "warn", "does not tell"),
    ],
)
def test_the_installed_service_is_judged(tmp_path: Path, told: str | None, verdict: str, text: str) -> None:
    unit = tmp_path / "etc/systemd/system/stickman.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    found = named(board_findings(machine(tmp_path, None, {"systemctl": told})), "service")
    assert (found.verdict, text in found.text) == (verdict, True)


def test_what_is_not_installed_or_not_there_is_not_judged(tmp_path: Path) -> None:
    assert not {"service", "permissions"} & {found.check for found in board_findings(machine(tmp_path, None, {}))}


def test_devices_that_may_not_be_opened_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dev").mkdir()
    for name in ("video0", "video1", "media0", "gpiochip0"):
        (tmp_path / "dev" / name).touch()
    assert named(board_findings(machine(tmp_path, None, {})), "permissions").verdict == "ok"
    monkeypatch.setattr(doctor_board.os, "access", lambda path, _: path.name != "media0")
    found = named(board_findings(machine(tmp_path, None, {})), "permissions")
    assert found.text == "/dev/media0 may not be opened by this user"
    assert "video,gpio" in found.cure


def test_a_library_without_a_version_has_that_of_its_package(tmp_path: Path) -> None:
    answers = "\n".join(json.dumps([name, "" if name == "libcamera" else "1", None]) for name in EVERYWHERE + ON_A_PI)
    found = board_findings(healthy_pi(tmp_path, {"importlib": answers, "dpkg-query": "0.7.1-1"}))
    assert named(found, "libcamera") == Finding("libcamera", "ok", "0.7.1-1")


def test_a_clock_that_no_network_has_set_is_said(tmp_path: Path) -> None:
    assert doctor.clock(NOW, tmp_path / "none").verdict == "ok"
    assert doctor.clock(NOW, tmp_path).verdict == "warn"
    (tmp_path / "synchronized").touch()
    assert doctor.clock(NOW, tmp_path).verdict == "ok"

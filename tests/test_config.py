"""Settings: mistakes are named with their place and the nearest valid value, and never stop the tray."""

import os
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from firmware.config import Config, Loaded, config_from, load, state_dir
from firmware.config_keys import SETTINGS
from firmware.errors import BadInput, BadState

FILE = Path("/etc/stickman/config.toml")


def written(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_setting_can_be_set() -> None:
    config, notes = config_from(
        """
        [web]
        host = "127.0.0.1"
        port = 80
        max_streams = 40
        [camera]
        source = "usb:0"
        profile = "tray.toml"
        [table]
        rules = "ten-thousand"
        aside = "phone"
        [panel]
        enabled = false
        """,
        FILE,
    )
    profile = Path("/etc/stickman/tray.toml")
    assert config == Config("127.0.0.1", 80, 40, "usb:0", profile, "ten-thousand", "phone", False)
    assert notes == ()


def test_each_key_belongs_to_one_field_and_each_default_is_valid() -> None:
    settings = [found for keys in SETTINGS.values() for found in keys.values()]
    assert sorted(field for field, _ in settings) == sorted(f.name for f in fields(Config))
    for field, setting in settings:
        default = getattr(Config(), field)
        assert default is None or setting.fits(default), field


def test_a_profile_is_looked_for_beside_the_config_that_names_it() -> None:
    for name, place in (
        ("tray.toml", "/etc/stickman/tray.toml"),
        ("/srv/tray.toml", "/srv/tray.toml"),
        ("~nobody-of-this-name/tray.toml", "/etc/stickman/~nobody-of-this-name/tray.toml"),
    ):
        assert config_from(f"[camera]\nprofile = '{name}'", FILE)[0].profile == Path(place)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("[web]\nprot = 80", ["config.toml:2:", "'prot'", "did you mean 'port'?"]),
        ("\n[wep]\nport = 80", ["config.toml:2:", "[wep]", "did you mean 'web'?"]),
        ("[web]\n\nport = 99999", ["config.toml:3:", "0 to 65535", "nearest is 65535", "99999", "8080 is used"]),
        ("[web]\nport = '80'", ["config.toml:2:", "nearest is 80", "8080 is used"]),
        ("[web]\nport = true", ["config.toml:2:", "8080 is used"]),
        ("[web]\nport = nan", ["config.toml:2:", "8080 is used"]),
        ("[web]\nport = [1]", ["config.toml:2:", "8080 is used"]),
        ("[web]\nhost = 7", ["config.toml:2:", "0.0.0.0 is used"]),
        ("[web]\nmax_streams = 0", ["config.toml:2:", "nearest is 1)", "220 is used"]),
        ("[camera]\nsource = 'picamra'", ["config.toml:2:", "nearest is picamera"]),
        ("[camera]\nsource = 'vidio:a.mkv'", ["config.toml:2:", "nearest is video:a.mkv"]),
        ("[camera]\nsource = 'usb:left'", ["config.toml:2:", "usb:N", "auto is used"]),
        ("[camera]\nprofile = ''", ["config.toml:2:", "path of a profile", "none is used"]),
        ("[table]\naside = 'Rails'", ["config.toml:2:", "rail, outside or phone", "nearest is rail"]),
        ("[panel]\nenabled = 'off'", ["config.toml:2:", "nearest is false", "true is used"]),
        ("web = 3", ["config.toml:1:", "written [web]"]),
        ("[table]\n'aside' = 1", ["config.toml:2:", "rail is used"]),
        ("web.port = -1", ["config.toml:1:", "nearest is 0"]),
        ("# hello\nweb = {port = -1}", ["config.toml:2:", "nearest is 0"]),
        ("[[web]]\nport = 1", ["config.toml:1:", "written [web]"]),
    ],
)
def test_a_mistake_is_named_with_its_place_and_the_default_is_used(text: str, sentences: list[str]) -> None:
    config, notes = config_from(text, FILE)
    assert config == Config()
    assert len(notes) == 1
    for part in sentences:
        assert part in notes[0]


def test_a_mistake_leaves_the_other_settings_alone() -> None:
    config, notes = config_from("[web]\nport = 'x'\nhost = '::1'\ncolour = 1\n", FILE)
    assert (config.host, config.port) == ("::1", 8080)
    assert [note.split(": ")[0] for note in notes] == [f"{FILE}:2", f"{FILE}:4"]


@pytest.mark.parametrize(
    ("text", "place"), [("[web]\nport = = 80", "config.toml:2"), ("[web", "config.toml"), ("\n\na = '", "config.toml")]
)
def test_a_file_that_is_no_toml_is_named_with_its_line_and_all_defaults_are_used(text: str, place: str) -> None:
    config, notes = config_from(text, FILE)
    assert config == Config()
    assert len(notes) == 1
    assert place in notes[0]
    assert "not TOML" in notes[0]


def test_the_first_file_there_is_counts(tmp_path: Path) -> None:
    flag = written(tmp_path / "flag", "[web]\nport = 1")
    named = written(tmp_path / "named", "[web]\nport = 2")
    system = written(tmp_path / "system", "[web]\nport = 3")
    own = written(tmp_path / "own" / "stickman", "[web]\nport = 4")
    env = {"STICKMAN_CONFIG": str(named), "XDG_CONFIG_HOME": str(tmp_path / "own"), "HOME": str(tmp_path)}
    assert load(flag, env, system).config.port == 1
    assert load(None, env, system).config.port == 2
    del env["STICKMAN_CONFIG"]
    assert load(None, env, system).config.port == 3
    assert load(None, env, tmp_path / "no").config.port == 4
    own.unlink()
    assert load(None, env, tmp_path / "no") == Loaded(Config(), None)


def test_without_xdg_the_own_file_is_in_the_home_folder(tmp_path: Path) -> None:
    own = written(tmp_path / ".config" / "stickman", "[web]\nport = 5")
    for env in ({"HOME": str(tmp_path)}, {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "not/absolute"}):
        assert load(None, env, tmp_path / "no") == Loaded(Config(port=5), own)


def test_a_config_that_was_asked_for_must_exist(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.toml does not exist; check --config"):
        load(tmp_path / "nowhere.toml", {}, tmp_path / "no")


def test_a_config_named_by_the_environment_that_is_missing_is_said(tmp_path: Path) -> None:
    loaded = load(None, {"STICKMAN_CONFIG": "/gone.toml", "HOME": str(tmp_path)}, tmp_path / "no")
    assert loaded.config == Config()
    assert "/gone.toml" in loaded.notes[0]


@pytest.mark.parametrize("make", [lambda f: f.mkdir(), lambda f: f.write_bytes(b"\xff\xfe[web]")])
def test_a_config_that_cannot_be_read_is_said(tmp_path: Path, make: Callable[[Path], object]) -> None:
    file = tmp_path / "config.toml"
    make(file)
    loaded = load(file, {})
    assert loaded.config == Config()
    assert "cannot be read" in loaded.notes[0]


def test_the_state_folder_is_made_where_it_is_asked_for(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path / "home")}
    assert state_dir(None, env) == tmp_path / "home/.local/state/stickman"
    env["XDG_STATE_HOME"] = str(tmp_path / "xdg")
    assert state_dir(None, env) == tmp_path / "xdg/stickman"
    env["STATE_DIRECTORY"] = f"{tmp_path}/unit:/var/lib/other"
    assert state_dir(None, env) == tmp_path / "unit"
    assert state_dir(tmp_path / "flag", env) == tmp_path / "flag"
    assert sorted(os.listdir(tmp_path / "flag")) == []


def test_a_state_folder_that_cannot_be_used_is_named_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(BadState, match=r"file/below cannot be used .*--state-dir"):
        state_dir(tmp_path / "file" / "below", {})

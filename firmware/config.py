"""The owner's settings: config.toml to a frozen `Config`, and the folder that holds the tray's state."""

import difflib
import hashlib
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from firmware.config_keys import SETTINGS
from firmware.errors import BadInput, BadState

Aside = Literal["rail", "outside", "phone"]
Discovery = Literal["device", "single", "off"]
# Paths, relative to the file that they stand in.
PATHS = ("profile", "broker_password_file", "broker_ca_file", "webhook_secret_file")
SYSTEM_FILE = Path("/etc/stickman/config.toml")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. `source`: "auto" (the Pi's camera where there is one, else the simulated tray), "simulated",
    "picamera", "usb:N", "video:FILE" or "pictures:DIR". `profile`: None reads without one. `rules`: a preset or a
    file of house rules. `aside`: how dice are set aside. `panel`: lamps and buttons are wired, `sound`: the buzzer
    may be heard. `mains_hz`: of the mains that the lamps above the tray hang on. `turned`, `mirrored`: see
    `firmware.drivers.Hanging`. `noir`: a Pi's camera without infrared filter. `tray_name`: what other programs of
    the house call it. `broker`, `lights`, `webhook`: None is off; see `firmware.integrations`. `pictures`: those of
    throws are kept, the last as far as there is room in `recent_mb` (a million bytes each), the disputed and
    corrected ones in `disputed_mb`. `wifi_name`, `wifi_password`, `wifi_hidden`: of the Wi-Fi that guests may join,
    shown to them as a code; none unless it is named."""

    host: str = "0.0.0.0"
    port: int = 8080
    max_streams: int = 220
    source: str = "auto"
    profile: Path | None = None
    rules: str = "farkle"
    aside: Aside = "rail"
    panel: bool = True
    sound: bool = True
    mains_hz: int = 50
    turned: int = 0
    mirrored: bool = False
    noir: bool = False
    tray_name: str = "Stickman"
    broker: str | None = None
    broker_port: int = 1883
    broker_user: str | None = None
    broker_password_file: Path | None = None
    broker_tls: bool = False
    broker_ca_file: Path | None = None
    discovery: Discovery = "device"
    discovery_prefix: str = "homeassistant"
    commands: bool = False
    lights: str | None = None
    webhook: str | None = None
    webhook_secret_file: Path | None = None
    pictures: bool = True
    recent_mb: int = 32
    disputed_mb: int = 64
    wifi_name: str | None = None
    wifi_password: str | None = None
    wifi_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Loaded:
    """A config, the file it came from (None: defaults), and a sentence for each mistake in it."""

    config: Config
    file: Path | None
    notes: tuple[str, ...] = ()


def load(flag: Path | None, env: Mapping[str, str], system: Path = SYSTEM_FILE) -> Loaded:
    """The settings from the first file there is: `flag` (--config), $STICKMAN_CONFIG, `system`, and the user's own.

    Whatever cannot be used is left at its default and named in `notes`. Raises `BadInput` only when `flag` does not
    exist: who names a file means it."""
    if flag is not None and not _exists(flag):
        raise BadInput(f"The config file {flag} does not exist; check --config.")
    notes: list[str] = []
    named = env.get("STICKMAN_CONFIG", "")
    if flag is None and named and not _exists(Path(named)):
        notes.append(f"$STICKMAN_CONFIG names {named}, which does not exist; it is ignored.")
    own = _home(env, "XDG_CONFIG_HOME", ".config") / "stickman" / "config.toml"
    places = [flag] if flag is not None else [*([Path(named)] if named else []), system, own]
    file = next((place for place in places if _exists(place)), None)
    if file is None:
        return Loaded(Config(), None, tuple(notes))
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        return Loaded(
            Config(), file, (*notes, f"{file} cannot be read ({reason}); all settings are at their defaults.")
        )
    config, mistakes = config_from(text, file)
    return Loaded(config, file, (*notes, *mistakes))


def config_from(text: str, file: Path) -> tuple[Config, tuple[str, ...]]:
    """The config in `text`, and a sentence for each mistake. `file` names it; relative paths are relative to it."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Config(), (f"{_place(file, error)} is not TOML; all settings are at their defaults.",)
    values: dict[str, Any] = {}
    notes: list[str] = []
    for section, keys in table.items():
        where = f"{file}:{_line_of(text, section, None)}"
        if section not in SETTINGS:
            notes.append(f"{where}: there is no section [{section}]{_meant(section, SETTINGS)}; it is ignored.")
        elif not isinstance(keys, dict):
            notes.append(f"{where}: {section} must be a section, written [{section}]; it is ignored.")
        else:
            for key, value in keys.items():
                note = _take(values, section, key, value)
                if note:
                    notes.append(f"{file}:{_line_of(text, section, key)}: {note}")
    wifi = table.get("wifi")
    if isinstance(wifi, dict) and "password" in wifi and not {"wifi_name", "wifi_password"} <= values.keys():
        # Without its password it would be taken for an open one.
        values.pop("wifi_name", None)
        notes.append(f"{file}:{_line_of(text, 'wifi', None)}: [wifi] lacks a name or password: nobody is shown it.")
    for field in PATHS:
        if field in values:
            values[field] = file.parent / os.path.expanduser(values[field])
    return Config(**values), tuple(notes)


def state_path(flag: Path | None, env: Mapping[str, str]) -> Path:
    """Where the state folder is, or would be."""
    # systemd separates several folders by colons; the first is ours.
    named = env.get("STATE_DIRECTORY", "").split(":")[0]
    return flag or (Path(named) if named else _home(env, "XDG_STATE_HOME", ".local/state") / "stickman")


def state_dir(flag: Path | None, env: Mapping[str, str]) -> Path:
    """The folder for journal, profiles and photographs, made when missing: `flag` (--state-dir), $STATE_DIRECTORY,
    or the user's own. Raises `BadState` when nothing can be written there."""
    folder = state_path(flag, env)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".writable-"):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadState(
            f"The state folder {folder} cannot be used ({reason}); name another with --state-dir."
        ) from error
    return folder


def recent_dir(state: Path, env: Mapping[str, str]) -> Path:
    """Where the pictures of the last throws are: in memory where the system has a place for that, so that they wear no
    card; else in the `state` folder. Each state folder has its own."""
    service = env.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if service:
        return Path(service) / "throws"
    user = env.get("XDG_RUNTIME_DIR", "")
    if user and _exists(Path(user)):
        own = hashlib.sha256(os.fsencode(state.resolve())).hexdigest()[:12]
        return Path(user) / "stickman" / own
    return state / "throws"


def _take(values: dict[str, Any], section: str, key: str, value: Any) -> str | None:
    """Put one setting into `values`, or say why not."""
    known = SETTINGS[section]
    if key not in known:
        return f"[{section}] has no setting {key!r}{_meant(key, known)}; it is ignored."
    field, setting = known[key]
    if setting.fits(value):
        values[field] = value
        return None
    default = getattr(Config(), field)
    nearest = setting.nearest(value)
    hint = "" if nearest is None else f" (the nearest is {_written(nearest)})"
    shown = "" if setting.secret else f", not {value!r}"
    return f"{key} in [{section}] must be {setting.says}{hint}{shown}; {_written(default)} is used."


def _written(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _meant(word: str, known: Mapping[str, object]) -> str:
    found = difflib.get_close_matches(word, known, 1, 0.5)
    return f" (did you mean {found[0]!r}?)" if found else f" (there are {', '.join(known)})"


def _line_of(text: str, section: str, key: str | None) -> int:
    """The line on which a section begins or a key stands; that of the section, or 1, when it is written otherwise."""
    wanted = section if key is None else f"{section}.{key}"
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        name = ""
        if header := re.match(r"\s*\[+\s*[\"']?([^\]\"']*?)[\"']?\s*\]", line):
            inside = header[1]
        elif assigned := re.match(r"\s*[\"']?([\w.-]+)[\"']?\s*=", line):
            name = assigned[1]
        else:
            continue
        at = f"{inside}.{name}".strip(".")
        if at == wanted or (key is None and at.startswith(f"{section}.")):
            return number
    return 1 if key is None else _line_of(text, section, None)


def _place(file: Path, error: tomllib.TOMLDecodeError) -> str:
    line = re.search(r"at line (\d+)", str(error))
    return f"{file}:{line[1]}" if line else f"{file} (at its end)"


def _home(env: Mapping[str, str], variable: str, otherwise: str) -> Path:
    # The XDG rule: a relative path there is invalid and ignored.
    named = env.get(variable, "")
    if os.path.isabs(named):
        return Path(named)
    home = env.get("HOME", "")
    return (Path(home) if home else Path.home()) / otherwise


def _exists(place: Path) -> bool:
    try:
        return place.exists()
    except OSError:
        # A folder on the way may not be entered: for us there is no such file.
        return False

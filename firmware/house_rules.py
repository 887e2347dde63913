"""House rules that were saved at this tray: one TOML file each, under `rules/` in the state folder."""

from dataclasses import dataclass
from pathlib import Path
from tomllib import TOMLDecodeError, loads

from firmware import rulebook
from firmware.errors import BadInput, BadState
from firmware.files import remove, write_whole
from firmware.rulebook import Preset
from rules import house
from rules.choices import differences
from rules.errors import BadRules
from rules.options import Options
from speech.sentence import joined, say

FOLDER = "rules"
MOST = 100


@dataclass(frozen=True, slots=True)
class Saved:
    """The house rules that can be played, by name, and a sentence for each file that cannot."""

    cards: tuple[Preset, ...]
    troubles: tuple[str, ...] = ()


def saved(state_dir: Path) -> Saved:
    """All house rules of a state folder."""
    cards, troubles = [], []
    for path in sorted((state_dir / FOLDER).glob("*.toml")):
        try:
            cards.append(card(path))
        except (BadRules, BadInput) as error:
            troubles.append(str(error))
    return Saved(tuple(cards), tuple(troubles))


def card(path: Path) -> Preset:
    """House rules of any file, with a line on what they change. Raises `BadRules` or `BadInput`."""
    options = rulebook.load_file(path)
    base, described = _told(path)
    changed = differences(house.changes(options, rulebook.presets()[base].options))
    return Preset(path.stem, options.name, described or _line(base, changed), (), options, base)


def path_of(state_dir: Path, name: str) -> Path:
    """Where house rules of this name lie, saved or not. Raises `BadRules` for a name that makes no file's name."""
    stem = short(name)
    if not stem:
        raise BadRules(say("House rules need a name with at least one letter or digit."))
    return state_dir / FOLDER / f"{stem}.toml"


def found(name: str, state_dir: Path) -> str:
    """The file of the house rules saved under this name, if there are any; else the name as it is."""
    if Path(name).exists() or house.folded(name) in rulebook.by_any_name() or not short(name):
        return name
    path = path_of(state_dir, name)
    return str(path) if path.exists() else name


def load(name_or_path: str, state_dir: Path) -> Options:
    """Options of a preset or of saved house rules by name, or of a house-rules file. Raises as `rulebook.load`."""
    return rulebook.load(found(name_or_path, state_dir))


def save(state_dir: Path, name: str, base: str, options: Options) -> Preset:
    """Write house rules, over those of the same name. `base`: the preset that they are written as changes of.

    Raises `BadRules` when the name is a preset's own, `BadState` when the disk takes no more.
    """
    path = path_of(state_dir, name)
    if {path.stem, house.folded(name)} & rulebook.by_any_name().keys():
        raise BadRules(f'"{name}" is the name of rules that come with the tray; give yours another.')
    if not path.exists() and len(list(path.parent.glob("*.toml"))) >= MOST:
        raise BadRules(say("{most} house rules are kept already; save over one of them.", most=MOST))
    text = house.written(name, base, house.changes(options, rulebook.presets()[base].options))
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise BadState(
            say(
                "The house rules could not be written ({reason}): check the disk, then save again.",
                reason=error.strerror,
            )
        ) from None
    return card(path)


def forget(state_dir: Path, name: str) -> None:
    """Raises `BadRules` when there are none of this name, `BadState` when the disk refuses."""
    path = path_of(state_dir, name)
    if not path.exists():
        raise BadRules(say('There are no house rules called "{name}".', name=name))
    try:
        remove(path)
    except OSError as error:
        raise BadState(
            say("The house rules could not be thrown away ({reason}): check the disk.", reason=error.strerror)
        ) from None


def short(name: str) -> str:
    """Letters and digits with single hyphens: "Our table!" is "our-table"."""
    return "-".join("".join(c if c.isalnum() else " " for c in name.casefold()).split())


def _told(path: Path) -> tuple[str, str]:
    """The preset a readable file builds on, by its own name, and the file's description of itself."""
    try:
        table = loads(path.read_text(encoding="utf-8"))
    except (OSError, TOMLDecodeError) as error:
        raise BadInput(say("The rules file {path} cannot be read: {error}.", path=path, error=str(error))) from None
    base = rulebook.preset_of(str(table.get("base", "farkle")))
    return base.name, str(table.get("description", ""))


def _line(base: str, changed: tuple[str, ...]) -> str:
    title = rulebook.presets()[base].title
    if not changed:
        return say("{title} as it is.", title=title)
    some, more = joined(changed[:3], "; "), len(changed) - 3
    if more > 0:
        return say("{title} with changes. {changes}; and {count} more.", title=title, changes=some, count=more)
    return say("{title} with changes. {changes}.", title=title, changes=some)

"""The shelf of dice sets: kept whole, switched, renamed, had back, forgotten."""

import contextlib
import shutil
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from sets_of_dice import kept, profile

from calibration import kept as files
from calibration import store
from firmware.errors import BadInput, BadState
from firmware.sets import MOST, Shelf


@pytest.fixture
def used() -> list[Path]:
    return []


@pytest.fixture
def shelf(tmp_path: Path, used: list[Path]) -> Shelf:
    return Shelf(tmp_path, used.append)


def shade(shelf: Shelf, slug: str) -> int:
    """Of both pictures of a set, which were made of one."""
    found = store.load(shelf.path(slug))
    assert found.empty is not None
    assert found.likeness is not None
    assert {*found.empty.flat} == {*found.likeness.flat}
    return int(found.empty[0, 0, 0])


def test_a_calibration_that_is_kept_is_in_use_under_its_name(shelf: Shelf, used: list[Path]) -> None:
    assert (shelf.active(), shelf.chosen, shelf.slugs()) == (None, None, ())
    slug = shelf.keep(kept(), "  Grandma's   dice ")
    assert slug == "grandma-s-dice"
    assert shelf.name(slug) == "Grandma's dice"
    assert shelf.active() == slug
    assert used == [shelf.chosen] == [shelf.path(slug)]
    assert store.load(shelf.path(slug)).empty is not None


def test_sets_are_switched_and_stay_so_after_a_restart(shelf: Shelf, used: list[Path], tmp_path: Path) -> None:
    one, two = shelf.keep(kept(), "Red"), shelf.keep(kept(), "Blue")
    shelf.activate(one)
    assert used[-1] == shelf.path(one)
    again = Shelf(tmp_path)
    assert (again.active(), again.previous()) == (one, two)


def test_the_same_name_is_another_calibration_of_the_same_set(shelf: Shelf) -> None:
    slug = shelf.keep(kept(made="2026-05-03"), "Red")
    assert shelf.before(slug) is None
    assert shelf.keep(kept(made="2026-06-04"), "red") == slug
    assert shelf.slugs() == (slug,)
    before = shelf.before(slug)
    assert before is not None
    assert (before.learned.made, store.load(shelf.path(slug)).learned.made) == ("2026-05-03", "2026-06-04")


def test_undo_goes_back_to_the_calibration_before_and_forth_again(shelf: Shelf, used: list[Path]) -> None:
    slug = shelf.keep(kept(shade=10), "Red")
    shelf.renew(slug, kept(shade=20))
    told = len(used)
    for expected in (10, 20, 10):
        shelf.undo(slug)
        assert shade(shelf, slug) == expected
    assert len(used) == told + 3
    assert not list(shelf.folder.rglob("*.now*"))


def test_there_is_no_undo_without_a_calibration_before(shelf: Shelf) -> None:
    slug = shelf.keep(kept(), "Red")
    with pytest.raises(BadInput, match="no calibration before"):
        shelf.undo(slug)


@pytest.mark.parametrize("at", range(9))
@pytest.mark.parametrize("deed", ["undo", "renew"])
def test_a_power_cut_at_any_write_leaves_a_whole_set(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, deed: str, at: int
) -> None:
    slug = shelf.keep(kept(shade=10), "Red")
    shelf.renew(slug, kept(shade=20))
    left, write = [at], files._write

    def until_the_cut(path: Path, data: bytes) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        write(path, data)

    monkeypatch.setattr(files, "_write", until_the_cut)
    with contextlib.suppress(KeyboardInterrupt):
        if deed == "undo":
            shelf.undo(slug)
        else:
            shelf.renew(slug, kept(shade=30))
    assert shade(Shelf(tmp_path), slug) in (10, 20, 30)


def test_a_new_name_leaves_the_set_where_it_is(shelf: Shelf) -> None:
    slug, other = shelf.keep(kept(), "Red"), shelf.keep(kept(), "Blue")
    shelf.rename(slug, "Ruby")
    assert (shelf.name(slug), shelf.found("ruby"), shelf.found(slug)) == ("Ruby", slug, slug)
    with pytest.raises(BadInput, match='"blue" already'):
        shelf.rename(slug, "blue")
    for bad in ("", " \n ", "x" * 41):
        with pytest.raises(BadInput, match="1 to 40"):
            shelf.rename(other, bad)


def test_a_set_in_use_is_not_forgotten_and_another_is_with_all_its_files(shelf: Shelf) -> None:
    red = shelf.keep(kept(), "Red")
    shelf.renew(red, kept(shade=20))
    with pytest.raises(BadInput, match="in use"):
        shelf.forget(red)
    shelf.keep(kept(), "Blue")
    shelf.forget(red)
    assert shelf.slugs() == ("blue",)
    assert not [path for path in shelf.folder.rglob("*") if "red" in path.name]
    assert shelf.previous() is None


def test_names_that_are_no_names_of_files_are_still_names(shelf: Shelf) -> None:
    slugs = [shelf.keep(kept(), name) for name in ("../../etc", "🎲", "⚀⚁", "etc")]
    assert slugs == ["etc", "dice", "dice-2", "etc-2"]
    assert [shelf.name(slug) for slug in slugs] == ["../../etc", "🎲", "⚀⚁", "etc"]


@pytest.mark.parametrize("slug", ["../stickman", "before/red", "none", ""])
def test_only_what_stands_on_the_shelf_is_found(shelf: Shelf, slug: str) -> None:
    shelf.keep(kept(), "Red")
    for deed in (shelf.path, shelf.activate, shelf.forget, shelf.undo, shelf.told, shelf.found):
        with pytest.raises(BadInput, match="There is no dice set"):
            deed(slug)


def test_a_damaged_set_is_not_taken_up(shelf: Shelf, used: list[Path]) -> None:
    red, blue = shelf.keep(kept(), "Red"), shelf.keep(kept(), "Blue")
    shelf.path(red).write_text("format = 2\n")
    with pytest.raises(BadInput, match="damaged"):
        shelf.activate(red)
    assert shelf.active() == blue
    assert used[-1] == shelf.path(blue)


def test_a_profile_named_at_the_start_is_the_only_one_read_with(shelf: Shelf, tmp_path: Path) -> None:
    red = shelf.keep(kept(), "Red")
    fixed = Shelf(tmp_path, fixed=Path("mine.toml"))
    assert (fixed.active(), fixed.chosen) == (None, Path("mine.toml"))
    with pytest.raises(BadInput, match="without --profile"):
        fixed.activate(red)


def test_where_none_was_chosen_the_usual_one_is_in_use_if_it_is_there(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, usual="simulated-set")
    assert shelf.active() is None
    store.save(profile(), shelf.folder / "simulated-set.toml")
    assert (shelf.active(), shelf.chosen) == ("simulated-set", None)
    assert shelf.name("simulated-set") == "Simulated set"


def test_a_full_shelf_and_a_disk_that_refuses_are_sentences(shelf: Shelf) -> None:
    slug = shelf.keep(kept(), "Red")
    (shelf.folder / "before").write_text("in the way")
    with pytest.raises(BadState, match="could not be written"):
        shelf.renew(slug, kept())
    for k in range(1, MOST):
        shutil.copy(shelf.path(slug), shelf.folder / f"set-{k}.toml")
    with pytest.raises(BadInput, match=f"{MOST} dice sets"):
        shelf.keep(kept(), "One more")


def test_a_set_from_elsewhere_stands_beside_those_that_are_there(shelf: Shelf) -> None:
    red = shelf.keep(kept(shade=10), "Red")
    data = BytesIO()
    shelf.pack(red, data)
    shelf.keep(kept(), "Blue")
    again = shelf.take_in(data)
    assert (again, shelf.name(again), shelf.active()) == ("red-2", "Red 2", "blue")
    assert shade(shelf, again) == 10
    one, two = store.load(shelf.path(red)), store.load(shelf.path(again))
    assert one.kinds == two.kinds
    assert np.array_equal(np.asarray(one.likeness), np.asarray(two.likeness))

"""Each step of a reading by itself, on rendered throws whose truth is known."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from reliability import within
from rendered import Rendered, picture, throws

from vision import attitude, check, cube, known, places, pose
from vision.evidence import confidence
from vision.faces import Faces
from vision.frame import Image
from vision.known import Found
from vision.lump import Lump
from vision.polygon import Box
from vision.profile import Profile
from vision.trust import value_clues

_FLAT, _LEANING, _MANY = "b39_03_throw.jpg", "b39_06_throw.jpg", "b19_03_throw.jpg"


class Look:
    """One throw and what the first steps find in it."""

    def __init__(self, rendered: Rendered, file: str) -> None:
        self.image: Image = picture(file)
        self.profile: Profile = rendered.profile(file[:3])
        self.found: Found = known.look(self.image, self.profile)
        self.truth: list[dict[str, Any]] = next(t["dice"] for t in throws(file[:3]) if t["file"] == file)

    def face(self, die: dict[str, Any]) -> int:
        """Index of the face that was found on a die."""
        far = np.hypot(*(self.found.faces.xy - np.array(die["centre_px"])).T)
        assert far.min() < 5
        return int(far.argmin())


@pytest.fixture
def look(request: pytest.FixtureRequest, rendered: Rendered) -> Look:
    return Look(rendered, request.param)


each = pytest.mark.parametrize("look", [_FLAT, _LEANING, _MANY], indirect=True)
flat = pytest.mark.parametrize("look", [_FLAT], indirect=True)


@each
def test_every_die_lies_in_a_place_that_is_looked_at_and_places_keep_apart(look: Look) -> None:
    boxes = look.found.boxes
    for die in look.truth:
        assert any(within(box, *die["centre_px"]) for box in boxes)
    for one in boxes:
        for other in boxes:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart or one == other


@flat
def test_in_an_empty_tray_there_is_nowhere_to_look(look: Look) -> None:
    empty = look.profile.empty
    assert empty is not None
    assert look.profile.empty_quarter is not None
    changed = places.difference(empty, look.profile.empty_quarter)
    assert places.boxes(changed, empty, look.profile) == ()
    assert not places.strange(changed, look.profile.tray_quarter)
    assert places.strange(places.difference(255 - empty, look.profile.empty_quarter), look.profile.tray_quarter)


@each
def test_a_readable_die_has_its_pips_and_its_face(look: Look) -> None:
    for die in look.truth:
        if die["readable"]:
            k = look.face(die)
            assert look.found.faces.value[k] == die["value"]
            half = math.dist(*die["top_px"][:2]) / 2
            on_it = np.hypot(*(look.found.pips.xy - np.array(die["centre_px"])).T) < 1.3 * half
            # One may be lost in a gleam: the face is read all the same.
            assert on_it.sum() >= die["value"] - 1


@each
def test_pips_of_level_faces_are_spaced_as_the_profile_says(look: Look) -> None:
    measured = pose.measure(look.found.faces, look.found.pips, look.profile)
    for die in look.truth:
        if die["readable"]:
            k = look.face(die)
            assert measured.long[k] == pytest.approx(1, abs=0.04)
            assert measured.short[k] == pytest.approx(1, abs=0.06)


@flat
def test_a_pattern_seen_from_nearer_is_larger_and_one_that_leans_is_squeezed(look: Look) -> None:
    four = next(die for die in look.truth if die["value"] == 4)
    k = look.face(four)
    only, pips = look.found.faces.pick(np.array([k])), look.found.pips

    def seen(stretch: tuple[float, float]) -> pose.Pose:
        """With every spot moved from the die's middle along the face's own axes."""
        axes = only.frame[0] / np.linalg.norm(only.frame[0], axis=0)
        to = axes @ np.diag(stretch) @ np.linalg.inv(axes)
        moved = replace(pips, xy=((pips.xy - only.xy[0]) @ to.T + only.xy[0]).astype(np.float32))
        return pose.measure(only, moved, look.profile)

    plain, nearer, leaning = seen((1, 1)), seen((1.04, 1.04)), seen((1, 0.94))
    assert nearer.short[0] == pytest.approx(1.04 * plain.short[0], abs=0.01)
    assert leaning.short[0] / leaning.long[0] == pytest.approx(0.94, abs=0.03)


def _check(look: Look, found: Faces, boxes: tuple[Box, ...] | None = None) -> check.Check:
    boxes = look.found.boxes if boxes is None else boxes
    return check.check(look.image, found, cube.flat(found, look.profile), boxes, look.profile)


def _things(explained: check.Check) -> list[Lump]:
    """What is as large as a die that was not read, or belongs to one that was."""
    return [lump for lump in explained.lumps if lump.size > 0.35 or lump.die >= 0]


@flat
def test_flat_dice_explain_all_that_is_seen(look: Look) -> None:
    explained = _check(look, look.found.faces)
    assert _things(explained) == []
    assert (explained.gap <= attitude.limits(look.profile).gap).all()
    assert (explained.inside == 0).all()
    assert (explained.cut == 0).all()
    assert (explained.beyond < 0.3).all()


@flat
def test_a_die_that_was_not_read_is_left_over_where_it_lies(look: Look) -> None:
    for missing in range(len(look.found.faces)):
        kept = look.found.faces.pick(np.arange(len(look.found.faces)) != missing)
        explained = _check(look, kept)
        (lump,) = _things(explained)
        assert math.dist((lump.x, lump.y), look.found.faces.xy[missing]) < look.found.faces.half[missing]


@flat
def test_a_die_put_where_another_stands_has_no_room(look: Look) -> None:
    first = look.found.faces.pick(np.array([0, 0]))
    crowded = replace(first, xy=first.xy + np.array([[0.0, 0.0], [first.half[0], 0.0]]))
    explained = _check(look, crowded)
    assert (explained.inside > 0.3).all()


@flat
def test_a_top_face_half_outside_is_cut(look: Look) -> None:
    outside = look.found.faces.pick(np.array([0]))
    at_the_rim = replace(outside, xy=np.array([[0.0, 400.0]]))
    explained = _check(look, at_the_rim, ())
    assert explained.cut[0] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("look", [_LEANING], indirect=True)
def test_a_leaning_die_is_told_from_flat_ones(look: Look) -> None:
    found = look.found
    measured = pose.measure(found.faces, found.pips, look.profile)
    explained = _check(look, found.faces)
    verdicts = [attitude.verdict(clues) for clues in attitude.clues(found.faces, measured, explained, look.profile)]
    for die in look.truth:
        assert verdicts[look.face(die)] == ("cocked" if die["cocked"] else "flat")


@flat
def test_cubes_cover_the_silhouette_of_flat_dice(look: Look) -> None:
    cubes = cube.flat(look.found.faces, look.profile)
    for die in look.truth:
        k = look.face(die)
        hull = cubes.hulls[k]
        assert np.abs(np.concatenate([hull.min(0), hull.max(0)]) - np.array(die["bbox_px"])).max() < 6


def _worse(face: Faces, **measured: float) -> Faces:
    return replace(face, **{name: np.array([value]) for name, value in measured.items()})


@flat
@pytest.mark.parametrize(
    ("measured", "name"),
    [
        ({"misfit": 1.2}, "fit"),
        ({"uneven": 0.8}, "even"),
        ({"margin": 0.1}, "margin"),
        ({"backed": 0.5}, "pips"),
        ({"strays": 2.0}, "strays"),
    ],
)
def test_each_thing_against_a_value_takes_its_share(look: Look, measured: dict[str, float], name: str) -> None:
    five = look.found.faces.pick(np.array([look.face(next(die for die in look.truth if die["value"] == 5))]))
    assert confidence(value_clues(five, 0)) > 0.99
    clues = value_clues(_worse(five, **measured), 0)
    assert confidence(clues) < 0.9
    assert [clue.name for clue in clues if clue.against] == [name]

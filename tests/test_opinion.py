"""The second opinion: a small network that looks at each die, and what its word is worth."""

import json
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import learn, weights
from vision import check, cube, faces, heard, known, opinion, poise, proposed, reader, rim, unread
from vision.errors import VisionError
from vision.evidence import Clue, confidence
from vision.faces import Faces, no_faces
from vision.frame import Frame, Image
from vision.opinion import EDGES, LABELS, SIDE, Network
from vision.profile import Profile

ROOT = Path(__file__).parents[1]
_DATA = Path(__file__).parent / "data"
_PICTURES: list[dict[str, Any]] = json.loads((_DATA / "reader" / "pictures.json").read_text())
_THROWS = [p for p in _PICTURES if p["kind"] == "throw"]


def _image(picture: str) -> Image:
    return np.asarray(cv2.imread(str(_DATA / "reader" / picture)), np.uint8)


def _weights(name: str) -> bytes:
    return resources.files("vision").joinpath(name).read_bytes()


@pytest.fixture(scope="module")
def network() -> Network:
    return weights.second_opinion()


@pytest.fixture(scope="module")
def profiles() -> dict[str, Profile]:
    made = {}
    for name in ("white", "yellow"):
        empty, *dice = (_image(f"{name}_{kind}.jpg") for kind in ("00_empty", "01_calib", "02_calib"))
        made[name] = learn.build(empty, dice, 16.0, rail=True).profile
    return made


def _told(network: Network, picture: str, profile: Profile) -> tuple[Faces, opinion.Opinion]:
    image = _image(picture)
    found = known.look(image, profile).faces
    return found, network.opinion(opinion.patches(image, cube.flat(found, profile), found, profile))


def test_opencv_says_what_the_training_said(network: Network) -> None:
    said = np.load(_DATA / "opinion" / "said.npy")
    seen = np.random.default_rng(1).standard_normal((len(said), 5, SIDE, SIDE)).astype(np.float32)
    assert np.abs(network.opinion(seen).share - said).max() < 1e-4


def test_opencv_says_of_rims_what_the_training_said() -> None:
    said = np.load(_DATA / "opinion" / "rim.npy")
    seen = np.random.default_rng(1).standard_normal((len(said), 5, 4 * rim.BANDS, rim.LENGTH)).astype(np.float32)
    net = cv2.dnn.readNetFromONNX(np.frombuffer(_weights("rim.onnx"), np.uint8))
    net.setInput(seen)
    assert np.abs(np.asarray(net.forward()) - said).max() < 1e-4


def test_each_patch_is_judged_by_itself(network: Network) -> None:
    seen = np.random.default_rng(2).standard_normal((5, 5, SIDE, SIDE)).astype(np.float32)
    whole = network.opinion(seen).share
    assert np.allclose(whole, np.concatenate([network.opinion(seen[k : k + 1]).share for k in range(5)]), atol=1e-5)
    assert np.allclose(whole.sum(1), 1, atol=1e-5)
    assert network.opinion(seen[:0]).share.shape == (0, LABELS)


def test_weights_are_small_and_come_with_the_program() -> None:
    assert len(_weights("opinion.onnx")) < 200_000
    assert len(_weights("rim.onnx")) < 130_000
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["*"]
    assert "*.onnx" in packaged


def test_weights_that_are_none_are_named_with_the_cure() -> None:
    for none in ((b"no model", _weights("rim.onnx")), (_weights("opinion.onnx"), b"no model")):
        with pytest.raises(VisionError, match="install Stickman again"):
            Network(*none)


def test_missing_weights_are_never_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(weights.resources, "files", lambda _: tmp_path)
    with pytest.raises(VisionError, match=r"vision/opinion\.onnx is missing: install Stickman again"):
        weights.reading()


@pytest.mark.parametrize("known_", _THROWS, ids=lambda p: str(p["picture"]))
def test_a_second_look_reads_flat_dice_as_they_are(
    known_: dict[str, Any], network: Network, profiles: dict[str, Profile]
) -> None:
    found, told = _told(network, known_["picture"], profiles[known_["set"]])
    for die in known_["dice"]:
        far = np.hypot(*(found.xy - (die["x"], die["y"])).T)
        if die["value"] and len(far) and far.min() < 0.2 * 2 * found.half[far.argmin()]:
            k = int(far.argmin())
            assert told.value[k] == die["value"]
            assert told.flat[k] > 0.5


def test_a_second_look_sees_nothing_on_the_bare_floor(network: Network, profiles: dict[str, Profile]) -> None:
    profile = profiles["white"]
    found = known.look(_image("white_03_throw.jpg"), profile).faces
    assert profile.empty is not None
    told = network.opinion(opinion.patches(profile.empty, cube.flat(found, profile), found, profile))
    assert (told.share[:, 0] > 0.9).all()


def test_what_it_looks_at_does_not_depend_on_the_colours(profiles: dict[str, Profile]) -> None:
    profile, image = profiles["white"], _image("white_03_throw.jpg")
    found = known.look(image, profile).faces
    # Whole steps of another gain and a lift: exact in 8 bits, so only rounding is left.
    other = (image // 2 + 20).astype(np.uint8)
    dimmed = replace(found, body=found.body / 2 + 20, pip=found.pip / 2 + 20)
    one, two = opinion.patches_alone(image, found), opinion.patches_alone(other, dimmed)
    assert np.abs(one - two).mean() < 0.01


def test_a_picture_without_dice_gives_no_patches(profiles: dict[str, Profile]) -> None:
    profile = profiles["white"]
    nothing = cube.flat(no_faces(), profile)
    assert len(opinion.patches(_image("white_00_empty.jpg"), nothing, no_faces(), profile)) == 0
    assert len(opinion.patches_alone(_image("white_00_empty.jpg"), no_faces())) == 0


def test_a_patch_shows_the_face_upright_in_its_middle(profiles: dict[str, Profile]) -> None:
    found = known.look(_image("white_03_throw.jpg"), profiles["white"]).faces
    mask = opinion.expected(0, cube.flat(found, profiles["white"]))
    face = mask == 3
    ys, xs = np.nonzero(face)
    edge = SIDE / EDGES
    assert face.sum() == pytest.approx(edge**2, rel=0.08)
    assert (xs.mean(), ys.mean()) == pytest.approx(((SIDE - 1) / 2, (SIDE - 1) / 2), abs=0.5)
    assert set(np.unique(mask)) <= {0, 1, 2, 3}


def _share(value: int, agrees: float, askew: float = 0.0) -> np.ndarray[Any, Any]:
    share = np.full(LABELS, (1 - agrees - askew) / (LABELS - 2), np.float32)
    share[value], share[-1] = agrees, askew
    return share


@pytest.mark.parametrize("known_", _THROWS, ids=lambda p: str(p["picture"]))
def test_with_a_second_opinion_flat_dice_are_sure_and_leaning_ones_asked_about(
    known_: dict[str, Any], profiles: dict[str, Profile]
) -> None:
    reading = weights.reading()(Frame(_image(known_["picture"])), profiles[known_["set"]])
    if all(die["value"] for die in known_["dice"]):
        assert reading.sure, reading.doubts
        assert list(reading.values) == sorted(known_["values"])
    else:
        assert not reading.sure
    assert all(any(clue.name == "second" for clue in die.clues) for die in reading.dice)


LOOKS = [Clue(name, 1.0, 0.5, 0.0) for name in ("hidden", "top", "sides", "room")] + [Clue("outline", 0.3, 0.03, 0.0)]
PIPS = Clue("spacing", 0.03, 0.02, 0.0)
LUMP = Clue("outline", 0.38, 0.3, 0.0)


@pytest.mark.parametrize(("askew", "leans", "left"), [(0.001, -8.0, 1.0), (0.001, 8.0, 0.0), (0.5, -1.0, 0.0)])
def test_what_is_clearly_flat_excuses_what_looks_like_sides_but_not_a_thing_of_a_dies_size(
    askew: float, leans: float, left: float
) -> None:
    share = _share(2, 0.99 - askew, askew)
    for clue in LOOKS:
        assert heard.on_attitude((clue,), share, 2, leans)[0].leaves == left
    for clue in (PIPS, LUMP):
        assert heard.on_attitude((clue,), share, 2, leans)[0].leaves == 0
    # But for a shadow.
    assert heard.on_attitude((LUMP,), share, 2, leans, 0.1)[0].leaves == left


def test_a_large_pip_does_not_count_on_a_one_whose_rim_is_that_of_a_flat_die() -> None:
    large = Clue("floor", 0.06, 0.05, 0.0)
    for value, leans, left in ((1, -5.0, 1.0), (1, 2.0, 0.0), (1, np.nan, 0.0), (3, -5.0, 0.0)):
        assert heard.on_attitude((large,), _share(value, 0.99, 0.005), value, leans)[0].leaves == left


def test_the_spacing_of_few_pips_of_many_is_no_reason_either() -> None:
    squeeze = Clue("squeeze", 0.005, 0.03, 1.0)
    for value, more, left in ((5, (), 1.0), (5, (squeeze,), 0.0), (3, (), 0.0)):
        assert heard.on_attitude((PIPS, *more), _share(value, 0.99, 0.001), value, -8.0)[0].leaves == left


def test_the_pattern_of_a_face_that_is_clearly_flat_may_be_off_but_not_larger_both_ways() -> None:
    for spacing, squeezed, askew, left in (
        (0.04, 0.03, 0.001, 1.0), (0.04, 0.03, 0.01, 0.0), (0.06, 0.05, 0.001, 0.0), (0.04, 0.01, 0.001, 0.0),
    ):  # fmt: skip
        clues = Clue("spacing", spacing, 0.028, 0.0), Clue("squeeze", squeezed, 0.025, 0.0)
        assert heard.on_attitude(clues, _share(5, 0.99 - askew, askew), 5)[0].leaves == left


def test_pips_just_as_on_a_level_face_excuse_a_shade_whatever_the_second_look_says() -> None:
    exact = Clue("spacing", 0.003, 0.028, 1.0), Clue("squeeze", 0.004, 0.03, 1.0)
    off = exact[0], Clue("squeeze", 0.009, 0.03, 1.0)
    for clue, pattern, solid, left in (
        (LOOKS[0], exact, 0.0, 1.0), (LUMP, exact, 0.1, 1.0), (LUMP, exact, 0.4, 0.0), (LOOKS[0], off, 0.0, 0.0),
    ):  # fmt: skip
        assert heard.on_attitude((clue, *pattern), _share(5, 0.5, 0.49), 5, np.nan, solid)[0].leaves == left


def test_a_one_that_has_grown_and_whose_rim_is_not_quite_a_flat_dies_lies_on_another() -> None:
    for grown, leans, left in ((0.03, -1.0, 0.0), (0.03, -4.0, 1.0), (0.02, -1.0, 0.9)):
        clue = Clue("floor", grown, 0.05, 0.9)
        assert heard.on_attitude((clue,), _share(1, 0.99, 0.005), 1, leans)[0].leaves == left


def test_a_one_that_the_network_alone_reads_needs_less_where_its_rim_is_that_of_a_flat_die() -> None:
    for agrees, leans, sure in ((0.96, -6.0, True), (0.96, 0.0, False), (0.99, 0.0, True), (0.9, -6.0, False)):
        assert (confidence(heard.on_sight(_share(1, agrees), 1, leans)) == 1) == sure


def test_pips_that_lie_as_on_a_leaning_face_take_the_excuse_away() -> None:
    for squeezed, left in ((0.005, 1.0), (0.025, 0.0)):
        clues = (LOOKS[0], Clue("squeeze", squeezed, 0.03, 1.0))
        assert heard.on_attitude(clues, _share(5, 0.99, 0.005), 5)[0].leaves == left


def test_another_value_or_a_leaning_die_is_asked_about() -> None:
    assert confidence(heard.on_value((), _share(5, 0.1), 5)) < 0.3
    assert confidence(heard.on_value((), _share(5, 0.9), 5)) == 1
    # What it shows is one thing, how it lies another.
    assert confidence(heard.on_value((), _share(5, 0.3, askew=0.69), 5)) == 1
    assert confidence(heard.on_attitude((), _share(5, 0.03, askew=0.95), 5)) == 0


def _rim(leans: float) -> tuple[Clue, ...]:
    return (Clue("rim", leans, 0.0, 1.0),)


def test_the_pips_and_the_second_look_decide_together_whether_a_die_leans() -> None:
    level = (Clue("spacing", 0.001, 0.03, 1.0), Clue("squeeze", 0.005, 0.03, 1.0))
    squeezed = (Clue("spacing", 0.001, 0.03, 1.0), Clue("squeeze", 0.025, 0.03, 1.0))
    exact, off = (Clue("spacing", 0.001, 0.03, 1.0),), (Clue("spacing", 0.02, 0.03, 1.0),)
    round_, squashed = (Clue("squash", 0.01, 0.16, 1.0),), (Clue("squash", 0.1, 0.16, 1.0),)
    for value, clues, askew, flat in (
        (5, (), 0.8, True), (5, (), 0.9, False), (1, (), 0.8, False), (5, level, 0.95, True), (5, level, 0.995, False),
        (5, squeezed, 0.2, False), (3, exact, 0.95, True), (3, off, 0.3, False), (3, (*exact, *squashed), 0.9, False),
        (1, round_, 0.55, True), (1, squashed, 0.2, False), (1, squashed, 0.01, True), (1, _rim(8.0), 0.1, False),
        (1, _rim(1.0), 0.07, True), (1, _rim(-6.0), 0.85, True), (1, (Clue("floor", -0.06, 0.05, 1.0),), 0.2, False),
    ):  # fmt: skip
        assert (heard.on_attitude(clues, _share(value, 1 - askew, askew=askew), value)[-1].leaves > 0) == flat


@given(
    st.sampled_from(["squeeze", "spacing", "squash", "rim"]), st.integers(1, 6), st.floats(0, 0.2), st.floats(0, 0.2)
)
def test_what_looks_more_like_leaning_makes_it_no_less_likely(name: str, value: int, less: float, more: float) -> None:
    less, more = sorted((less, more))
    likelier = [poise.likelier((Clue(name, measured, 0.03, 1.0),), value) for measured in (less, more)]
    assert likelier == sorted(likelier)


def test_a_die_that_no_pips_were_found_on_is_read_where_it_lies(network: Network, profiles: dict[str, Profile]) -> None:
    profile, image = profiles["white"], _image("white_03_throw.jpg")
    found = known.look(image, profile).faces
    for k in range(len(found)):
        others = cube.flat(found.pick(np.arange(len(found)) != k), profile)
        # About as far off as the middle of a lump is.
        place = found.xy[k] + (0.2 * found.half[k], -0.15 * found.half[k])
        (die,) = proposed.proposed(image, [(float(place[0]), float(place[1]))], others, profile, network)
        assert list(die.face.value) == [found.value[k]]
        assert die.share[0, found.value[k]] > 0.9
        assert np.hypot(*(die.face.xy[0] - found.xy[k])) < 0.25 * found.half[k]


def test_nothing_is_read_where_no_die_lies(network: Network, profiles: dict[str, Profile]) -> None:
    profile, image = profiles["white"], _image("white_03_throw.jpg")
    found = known.look(image, profile).faces
    assert profile.empty is not None
    places = [(float(x), float(y)) for x, y in found.xy]
    assert proposed.proposed(profile.empty, places, cube.flat(no_faces(), profile), profile, network) == []
    assert proposed.proposed(image, [], cube.flat(found, profile), profile, network) == []


def test_what_no_die_explains_is_where_a_die_was_left_out(profiles: dict[str, Profile]) -> None:
    profile, image = profiles["white"], _image("white_03_throw.jpg")
    look = known.look(image, profile)
    cubes = cube.flat(look.faces, profile)
    whole = check.check(image, look.faces, cubes, look.boxes, profile)
    assert unread.tops(unread.pips(look.pips, cubes, profile), whole, profile) == []
    rest = np.arange(len(look.faces)) > 0
    less = cubes.pick(rest)
    seen = check.check(image, look.faces.pick(rest), less, look.boxes, profile)
    (place,) = unread.tops(unread.pips(look.pips, less, profile), seen, profile)
    assert np.hypot(*(np.array(place) - look.faces.xy[0])) < 0.5 * 2 * look.faces.half[0]


@given(st.integers(0, 3), st.booleans(), st.integers(0, 2**32 - 1))
def test_a_rim_is_the_same_wherever_in_the_picture_the_die_lies(quarter: int, mirrored: bool, seed: int) -> None:
    patch = np.random.default_rng(seed).standard_normal((5, SIDE, SIDE)).astype(np.float32)
    # Its own sides show to the right and, less, below.
    patch[4] = 0
    patch[4, SIDE // 3 : -SIDE // 3, -12:], patch[4, -6:, SIDE // 3 : -SIDE // 3] = opinion.CUBE[2], opinion.CUBE[2]
    other = np.rot90(patch[:, ::-1] if mirrored else patch, quarter, (1, 2))
    one, two = rim.strips(np.stack([patch, other]))
    assert np.allclose(one, two, atol=1e-5)


def test_a_face_where_the_network_clearly_sees_none_is_no_die(
    monkeypatch: pytest.MonkeyPatch, network: Network, profiles: dict[str, Profile]
) -> None:
    profile, image = profiles["white"], _image("white_03_throw.jpg")
    look = known.look(image, profile)
    # As if pips far off made a two between them, on the bare floor.
    places = np.stack(np.meshgrid(np.arange(200, 760, 40), np.arange(160, 560, 40)), -1).reshape(-1, 2)
    far = np.hypot(*(places[:, None] - look.faces.xy).transpose(2, 0, 1)).min(1)
    false = replace(look.faces.pick(np.array([0])), xy=places[[far.argmax()]].astype(np.float64), value=np.array([2]))
    whole = reader.read(Frame(image), profile, network)
    monkeypatch.setattr(known, "look", lambda *_: replace(look, faces=faces.join([look.faces, false])))
    seen = reader.read(Frame(image), profile, network)
    assert [die.value for die in seen.dice] == [die.value for die in whole.dice]
    assert [doubt.kind for doubt in seen.doubts] == [doubt.kind for doubt in whole.doubts]


def test_a_face_that_seems_to_have_more_pips_than_were_found_is_read_as_the_network_clearly_sees_it(
    monkeypatch: pytest.MonkeyPatch, network: Network, profiles: dict[str, Profile]
) -> None:
    profile, image = profiles["white"], _image("white_03_throw.jpg")
    look, whole = known.look(image, profile), reader.read(Frame(image), profile, network)
    few = look.faces.value < 4
    assert few.any()
    # As in a gleam that has the colour of pips.
    more = replace(
        look.faces, value=np.where(few, look.faces.value + 2, look.faces.value), backed=np.where(few, 0.5, 1.0)
    )
    monkeypatch.setattr(known, "look", lambda *_: replace(look, faces=more))
    seen = reader.read(Frame(image), profile, network)
    assert seen.sure
    assert seen.values == whole.values


def test_a_face_that_fits_no_pattern_well_is_read_as_the_network_clearly_sees_it(
    monkeypatch: pytest.MonkeyPatch, network: Network, profiles: dict[str, Profile]
) -> None:
    profile, image = profiles["white"], _image("white_03_throw.jpg")
    look, whole = known.look(image, profile), reader.read(Frame(image), profile, network)
    many = look.faces.value > 2
    assert many.any()
    # As in a gleam, where of a five the middle pip alone was taken for its pattern.
    one = replace(look.faces, value=np.where(many, 1, look.faces.value), misfit=np.where(many, 0.9, look.faces.misfit))
    monkeypatch.setattr(known, "look", lambda *_: replace(look, faces=one))
    seen = reader.read(Frame(image), profile, network)
    assert seen.sure
    assert seen.values == whole.values


def test_a_picture_whose_rim_is_a_leaning_dies_is_doubted_unless_it_lies_level_and_a_flat_rim_excuses_a_shade() -> None:
    for squeezed, leans, flat in ((0.025, 1.0, False), (0.025, -1.0, True), (0.01, 6.0, True)):
        lies = Clue("squeeze", squeezed, 0.038, 1.0)
        assert (confidence(heard.on_picture((lies,), leans, 0.0)) == 1) == flat
    for leans, solid, left in ((-6.0, 0.1, 1.0), (-6.0, 0.4, 0.0), (-1.0, 0.1, 0.0)):
        assert heard.on_picture((LUMP,), leans, solid)[0].leaves == left

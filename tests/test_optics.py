"""What a camera sees of the tray, and where lamps make no gleam: formulas checked by what they must mean."""

from math import atan, degrees, inf, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.drivers import pi
from hardware import facts, light, optics

TRAY = facts.tray()
CAMERAS = pytest.mark.parametrize("camera", optics.CAMERAS, ids=lambda camera: camera.name)
distances = st.floats(50, 2000)
focals = st.floats(2, 25)
numbers = st.floats(1, 11)
blurs = st.floats(0.001, 0.01)


@given(st.floats(5, 170), distances)
def test_twice_the_distance_shows_twice_the_field(angle: float, distance: float) -> None:
    assert isclose(optics.field(angle, 2 * distance), 2 * optics.field(angle, distance))


@CAMERAS
def test_from_the_lowest_height_the_tops_of_all_walls_are_just_in_view(camera: optics.Camera) -> None:
    height = optics.lowest(camera, TRAY)
    above = height - TRAY.wall_height_mm
    spare = (
        optics.field(camera.angles[0], above) - TRAY.inner.width_mm - 2 * TRAY.wall_thickness_mm,
        optics.field(camera.angles[1], above) - TRAY.inner.depth_mm - 2 * TRAY.wall_thickness_mm,
    )
    assert min(spare) == pytest.approx(0, abs=1e-6)


@CAMERAS
def test_a_view_is_never_from_below_the_lowest_height_and_shows_the_whole_floor(camera: optics.Camera) -> None:
    view = optics.view(camera, TRAY)
    assert view.height_mm >= optics.lowest(camera, TRAY)
    assert view.height_mm >= TRAY.camera_height_mm
    assert view.field_mm[0] > TRAY.inner.width_mm
    assert view.field_mm[1] > TRAY.inner.depth_mm


@CAMERAS
def test_all_tops_of_dice_are_sharp(camera: optics.Camera) -> None:
    low, high = optics.view(camera, TRAY).sharp_mm
    assert low < TRAY.smallest_die_mm
    assert high > TRAY.largest_die_mm


@given(distances, focals, numbers, blurs)
def test_what_is_sharp_lies_around_the_focus(distance: float, focal: float, number: float, blur: float) -> None:
    near, far = optics.sharp(distance, focal, number, blur)
    assert 0 < near < distance < far


@given(distances, focals, numbers, blurs)
def test_what_is_sharp_blurs_over_just_so_much_at_its_ends(
    distance: float, focal: float, number: float, blur: float
) -> None:
    """By the thin lens itself: a point at d is imaged at f d / (d - f), and its cone is f / N wide at the lens."""
    near, far = optics.sharp(distance, focal, number, blur)
    sensor = focal * distance / (distance - focal)
    for end in (near, far):
        if focal < end < 1e7:
            image = focal * end / (end - focal)
            assert abs(image - sensor) / image * focal / number == pytest.approx(blur, rel=1e-3)


@given(distances, focals, blurs)
def test_a_closed_aperture_makes_more_sharp(distance: float, focal: float, blur: float) -> None:
    wide, small = (optics.sharp(distance, focal, number, blur) for number in (1.8, 4.0))
    assert small[0] < wide[0]
    assert small[1] > wide[1] or small[1] == wide[1] == inf


@CAMERAS
def test_angles_agree_with_the_focal_length_and_the_sensor(camera: optics.Camera) -> None:
    """Within seven degrees: lenses bend straight lines, and makers round."""
    assert degrees(2 * atan(camera.sensor_mm / 2 / camera.focal_mm)) == pytest.approx(camera.angles[0], abs=7)


@pytest.mark.parametrize(
    ("name", "sensor"),
    [("Camera Module 3", "imx708"), ("Camera Module 2", "imx219"), ("HQ", "imx477"), ("Global", "imx296")],
)
def test_pictures_are_as_large_as_the_program_asks_for(name: str, sensor: str) -> None:
    sizes = {camera.picture for camera in optics.CAMERAS if camera.name.startswith(name)}
    assert sizes == {pi._MODES[sensor][0]}


@given(st.floats(1, 500), st.floats(1, 1000), st.floats(100, 1000))
def test_light_leaves_a_mirror_as_it_came(lamp: float, height: float, lens: float) -> None:
    at = light.gleam(lamp, height, lens)
    assert 0 < at < lamp
    assert isclose((lamp - at) / height, at / lens), "angles to the upright, on either side of it"
    assert isclose(light.clear(at, height, lens), lamp)


def test_a_ring_around_the_lens_is_always_mirrored_in_the_tray() -> None:
    assert light.gleam(60, TRAY.camera_height_mm, TRAY.camera_height_mm) == 30


def test_lamps_at_the_places_advised_are_mirrored_outside_of_the_floor() -> None:
    for height in (50, TRAY.lamp_height_mm, 400):
        place = light.place(TRAY, height)
        assert light.gleam(place.beside_mm, place.height_mm, TRAY.camera_height_mm) >= TRAY.inner.width_mm / 2 - 1e-9
        assert light.gleam(place.before_mm, place.height_mm, TRAY.camera_height_mm) >= TRAY.inner.depth_mm / 2 - 1e-9

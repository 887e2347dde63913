"""Calibration through the API: who may, what is said, and that it fits the steps."""

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from served import House, Phone, house_in
from test_wizard import DARK, GOOD, IVORY, LOGO, RAIL

from calibration.asked import Meaning
from calibration.course import Calibration, NotNow
from calibration.deeds import Deed, Event, KeepStill, Learnt, Looked, Rolled, StillKept, Studied, Study
from calibration.wizard import follow


class Hearth:
    """Fits `web.ports.Calibrator`: the real steps, a second a happening, with no camera behind them."""

    def __init__(self) -> None:
        self.state, self.clock = Calibration(), itertools.count()

    def now(self) -> Calibration:
        return self.state

    def do(self, deed: Deed) -> Calibration:
        self.happens(deed)
        return self.state

    def happens(self, *events: Event) -> None:
        for event in events:
            self.state, orders = follow(self.state, event, float(next(self.clock)))
            self.happens(*(StillKept(order.name) for order in orders if isinstance(order, KeepStill)))
            self.happens(*(Studied(order.name, GOOD) for order in orders if isinstance(order, Study)))

    def picture(self, still: str | None = None) -> bytes | None:
        return None if still == "roll9" else f"jpeg {still}".encode()

    def names(self) -> tuple[str, ...]:
        return ("Ivory dice",)

    def can_undo(self) -> bool:
        return False

    def undo(self) -> None:
        raise NotNow("There is no calibration before this one.")


@pytest.fixture
def hearth() -> Hearth:
    return Hearth()


@pytest.fixture
def tray(tmp_path: Path, hearth: Hearth) -> Iterator[House]:
    with ExitStack() as parts:
        yield house_in(tmp_path, parts, calibrator=hearth)


def state(phone: Phone) -> Any:
    return phone.get("/api/v1/calibration").json


def test_a_calibration_from_begin_to_name(tray: House, hearth: Hearth) -> None:
    ann = tray.phone("Ann")
    assert state(ann)["step"] == "off"
    assert ann.post("calibration/begin").json["step"] == "light"
    hearth.happens(Looked(DARK))
    found = state(ann)
    assert found["hints"] == [{"kind": "dark", "text": "It is dark.", "box": None}]
    assert (found["good"], found["left"], found["picture"]) == (False, 6, {"width": 1280, "height": 960})
    ann.post("calibration/take")
    ann.post("calibration/take")
    hearth.happens(Looked(GOOD))
    found = state(ann)
    assert (found["step"], found["tray"]) == ("tray", [[10, 10], [90, 10], [90, 70], [10, 70]])
    answer = ann.post("calibration/outline", {"tray": [[1, 2], [30, 2.5], [30, 40]], "rail": RAIL}).json
    assert (answer["tray"], answer["rail"][0]) == ([[1, 2], [30, 2.5], [30, 40]], [90, 10])
    for _ in range(3):
        ann.post("calibration/take")
    hearth.happens(Learnt((IVORY,), 6))
    found = state(ann)
    assert found["step"] == "rolls"
    assert found["kinds"] == [{"name": "ivory", "count": 6, "body": "#e6d4b2", "pip": "#1e1e22", "size_mm": 16}]
    for number in (1, 2, 3):
        hearth.happens(Rolled(GOOD, True))
        answer = ann.post("calibration/confirm", {"roll": number}).json
    roll = answer["rolls"][0]
    assert (roll["values"], roll["sure"], roll["least"], roll["confirmed"]) == ([1, 2, 3, 4, 5, 6], True, 0.991, True)
    assert roll["dice"][0].keys() == {"x", "y", "size", "angle", "value", "confidence", "kind"}
    assert (answer["step"], answer["name"], answer["needed"]) == ("passed", "Ivory dice 2", 3)
    answer = ann.post("calibration/name", {"name": "Grandpa's"}).json
    assert (answer["step"], answer["name"], answer["left"]) == ("named", "Grandpa's", 0)


def test_what_a_face_without_pips_stands_for_is_told_once(tray: House, hearth: Hearth) -> None:
    ann = tray.phone("Ann")
    ann.post("calibration/begin")
    while hearth.state.step != "learning":
        ann.post("calibration/take")
    hearth.happens(Learnt((IVORY,), 6, (LOGO, LOGO, LOGO)))
    found = state(ann)
    assert (found["step"], found["left"]) == ("faces", 2)
    assert found["faces"][1] == {"still": "face2", "shown": 1}
    for wrong in (
        None,
        [{"value": 7}],
        [{"value": True}],
        ["J"],
        [{}],
        [{"value": 1, "name": 5}],
        [{"value": 1, "name": "x" * 13}],
    ):
        answer = ann.post("calibration/faces", {"faces": wrong})
        assert (answer.status, answer.json["detail"][-1]) == (422, ".")
    assert ann.post("calibration/faces", {"faces": [None]}).status == 409
    faces = [{"value": 3, "name": "J"}, None, {"value": 6, "name": ""}]
    assert ann.post("calibration/faces", {"faces": faces}).json["step"] == "learning"
    assert [said for _, said in hearth.state.answers] == [Meaning(3, "J"), None, Meaning(6, "6")]


def test_watching_is_open_pictures_need_a_seat_and_deeds_the_owner(tray: House) -> None:
    tray.table.panel_is("mock", ())
    with tray.table.listen() as views:
        while tray.table.view().panel.factory != "mock":
            views.get(1)
    passer_by, ann = tray.phone(), tray.phone("Ann")
    assert passer_by.get("/api/v1/calibration").status == 200
    assert passer_by.get("/api/v1/calibration/picture.jpg").status == 403
    assert ann.get("/api/v1/calibration/picture.jpg?still=empty").text == "jpeg empty"
    assert ann.get("/api/v1/calibration/picture.jpg?still=roll9").status == 503
    assert passer_by.post("calibration/begin").status == 403
    refused = ann.post("calibration/begin")
    assert (refused.status, refused.json["pairing"]) == (403, True)
    tray.room.button_held()
    assert ann.post("calibration/begin").status == 200
    assert ann.post("calibration/take").status == 200, "once paired, always"


@pytest.mark.parametrize(
    ("deed", "body", "status"),
    [
        ("confirm", {"roll": 1}, 409), ("take", {}, 409), ("name", {"name": "x"}, 409), ("undo", {}, 409),
        ("confirm", {}, 422), ("confirm", {"roll": True}, 422), ("wrong", {"roll": 1, "values": [7]}, 422),
        ("outline", {}, 422), ("outline", {"tray": [[1, 2], [3, 4]]}, 422),
        ("outline", {"tray": [[1, 2], [3, 4], "x"]}, 422), ("outline", {"tray": [[1, 2], [3, 4], [5, None]]}, 422),
        ("name", {"name": ""}, 422), ("dance", {}, 404),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_a_sentence(tray: House, deed: str, body: Any, status: int) -> None:
    answer = tray.phone("Ann").post(f"calibration/{deed}", body)
    assert answer.status == status
    assert answer.json["detail"].endswith(".")


def test_a_tray_without_a_calibrator_says_so(house: House) -> None:
    assert house.phone("Ann").get("/api/v1/calibration").status == 404


@pytest.mark.parametrize("page", ["/calibrate", "/sim"])
def test_the_pages_choose_the_simulated_set_that_is_thrown(tray: House, page: str) -> None:
    phone = tray.phone("Ann")
    assert '<option value="ivory" selected>ivory</option><option value="green">green</option>' in phone.get(page).text
    phone.post("sim/dice", {"set": "green"})
    assert '<option value="ivory">ivory</option><option value="green" selected>green</option>' in phone.get(page).text


def test_the_markers_to_print_are_offered_where_one_calibrates(tray: House) -> None:
    ann = tray.phone("Ann")
    page = ann.get("/calibrate").text
    for paper in ("a4", "letter"):
        assert f'href="/markers-{paper}.pdf"' in page
        found = ann.picture(f"/markers-{paper}.pdf")
        assert found is not None
        assert found.startswith(b"%PDF")
    assert ann.get("/markers-a5.pdf").status == 404

"""Who may talk to the tray and how: hosts, origins, sizes, errors, health, and the socket."""

import re
import socket
from pathlib import Path

import pytest
from served import House, start
from test_table import flushed

from web import guard
from web.errors import PortTaken
from web.serve import BODY_LIMIT, listen
from web.site import Site

# Who may talk to the tray.


@pytest.mark.parametrize(
    "host", ["evil.example", "stickman.local.evil.example", "192.0.2.7.evil.example", "[", "a b", ""]
)
def test_a_foreign_name_is_turned_away(house: House, host: str) -> None:
    assert house.phone().get("/api/v1/state", Host=host).status == 400


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8080", "[::1]:80", "192.0.2.7", "10.1.2.3:99"])
def test_numbers_and_this_machine_are_always_ours(house: House, host: str) -> None:
    assert house.phone().get("/api/v1/state", Host=host).status == 200


def test_names_of_ours_are_allowed_with_the_number_that_a_network_adds() -> None:
    names = guard.allowed_names(Site(frozenset({"Stickman.local", "tray.lan"})))
    assert all(guard.host_is_ours(h, names) for h in ("stickman.local:80", "STICKMAN-2.local", "tray.lan", "tray.lan."))
    assert not any(guard.host_is_ours(h, names) for h in ("other.local", "tray-2.lan", "stickman.local.x", "x"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_other_sites_cannot_write(house: House, headers: dict[str, str]) -> None:
    ann = house.phone("Ann")
    assert ann.post("games", {"players": ["Ann", "Bo"]}, **headers).status == 403
    assert house.table.view().game is None


def test_our_own_pages_can_write(house: House) -> None:
    own = {"Origin": f"http://127.0.0.1:{house.port}", "Sec_Fetch_Site": "same-origin"}
    assert house.phone("Ann").post("games", {"players": ["Ann", "Bo"]}, **own).status == 200


def test_a_form_of_another_kind_is_refused(house: House) -> None:
    ann = house.phone("Ann")
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        answer = ann.post("games", '{"players": ["Ann"]}', Content_Type=kind)
        assert answer.status == 415
        assert "JSON" in answer.json["detail"]


def test_a_huge_body_is_refused(house: House) -> None:
    assert house.phone("Ann").post("games", {"players": ["x" * 100_000]}).status == 413


@pytest.mark.parametrize(
    ("accept", "kind"), [("text/html,*/*", "text/plain; charset=utf-8"), ("*/*", "application/problem+json")]
)
def test_a_body_too_large_to_be_looked_at_is_refused_with_the_same_sentence(
    house: House, accept: str, kind: str
) -> None:
    with socket.create_connection(("127.0.0.1", house.port)) as line:
        head = f"POST /sets/import HTTP/1.1\r\nHost: tray\r\nAccept: {accept}\r\nContent-Length: {BODY_LIMIT}\r\n\r\n"
        line.sendall(head.encode())
        answer = line.makefile("rb").read().decode()
    assert "413" in answer.splitlines()[0]
    assert kind in answer
    assert "a few megabytes" in answer


def test_getting_changes_nothing(house: House) -> None:
    ann = house.phone("Ann")
    start(ann, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    before, seats = house.table.view(), house.room.seats()
    for rule in house.app.url_map.iter_rules():
        path = rule.rule.replace("<kind>", "bank").replace("<name>", "farkle").replace("<path:filename>", "board.js")
        if path == "/events":
            continue
        answer = ann.get(path)
        assert (answer.status == 405) == ("GET" not in (rule.methods or set())), path
        assert answer.status < 500, path
    assert house.table.view() == before
    assert house.room.seats() == seats
    assert house.fingers.asked == []


def test_pages_load_nothing_inline_and_nothing_from_elsewhere(house: House) -> None:
    ann = house.phone("Ann")
    for path in (
        "/",
        "/play",
        "/join",
        "/tv",
        "/overlay",
        "/sim",
        "/health",
        "/rules",
        "/rules/farkle",
        "/rules/farkle/change",
        "/nothing",
    ):
        page = ann.get(path, Accept="text/html")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "same-origin"
        assert " style=" not in page.text
        assert " onclick" not in page.text
        assert page.text.count("<script") == page.text.count('src="/static/') + page.text.count("application/json")
        assert "//" not in page.text.replace(f"http://192.0.2.7:{house.port}", "")


def test_a_name_cannot_become_part_of_the_page(house: House) -> None:
    evil = "</script><b>x"
    ann = house.phone(evil)
    start(ann, evil, "Bo")
    assert evil not in ann.get("/").text


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/play",
        "/join",
        "/tv",
        "/overlay",
        "/sim",
        "/rules",
        "/rules/farkle",
        "/rules/farkle/change",
        "/sets",
        "/history",
    ],
)
def test_a_page_and_all_that_it_loads_is_small(house: House, path: str) -> None:
    ann = house.phone("Ann")
    texts, wanted = {}, [path]
    while wanted:
        address = wanted.pop()
        if address not in texts:
            texts[address] = ann.get(address).text
            found = re.findall(r'(?:src|href|from)(?:=| )"(/static/[^"]+|\./[^"]+|/join/qr.svg)"', texts[address])
            wanted += [each.replace("./", "/static/", 1) if each.startswith("./") else each for each in found]
    assert "/static/stickman.css" in texts
    assert sum(len(text.encode()) for text in texts.values()) < 100_000, {at: len(text) for at, text in texts.items()}


def test_all_scripts_and_styles_together_are_small() -> None:
    static = Path(guard.__file__).parent / "static"
    assert sum(f.stat().st_size for f in static.iterdir() if f.suffix in (".js", ".css")) < 100_000


# Errors, health, files.


def test_people_get_a_page_and_programs_a_problem(house: House) -> None:
    page = house.phone().get("/nothing", Accept="text/html,*/*;q=0.8")
    assert page.status == 404
    assert "<h1>" in page.text
    problem = house.phone().get("/api/v1/nothing", Accept="text/html")
    assert problem.headers["content-type"] == "application/problem+json"


def test_health_tells_the_camera(house: House) -> None:
    house.table.eye_lost("The ribbon is loose.")
    flushed(house.table)
    phone = house.phone()
    assert phone.get("/healthz").status == 200
    ready = phone.get("/readyz")
    assert ready.status == 503
    assert ready.json["checks"][0]["ok"] is False
    assert "ribbon" in phone.get("/health").text


def test_the_description_of_the_api_names_every_address(house: House) -> None:
    described = house.phone().get("/openapi.json").json["paths"].keys()
    rules = (rule.rule.replace("<kind>", "<move>") for rule in house.app.url_map.iter_rules())
    served = {rule.replace("<", "{").replace(">", "}") for rule in rules}
    assert {path for path in served if path.startswith("/api/")} <= described
    assert described <= served


def test_the_join_code_is_a_picture_that_is_never_kept(house: House) -> None:
    answer = house.phone().get("/join/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith("<svg")


# The socket.


def test_a_taken_port_is_a_sentence_with_the_cure() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} .* --port"):
            listen("127.0.0.1", port)
    with pytest.raises(PortTaken, match="--port"):
        listen("127.0.0.1", 70_000)


def test_a_silent_phone_is_dropped_by_the_kernel() -> None:
    with listen("127.0.0.1", 0) as sock:
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000

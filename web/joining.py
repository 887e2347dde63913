"""Joining: the page, the codes to scan, and the seats of a phone; plain forms, and the same as an API."""

from typing import Any

from flask import Blueprint, Request, Response, jsonify, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as Reply

from speech.sentence import say
from web import asked, qr
from web.marks import MARKS, free_mark
from web.phones import Phones, known, phone_of
from web.ports import LiveTable, Room
from web.problems import Problem
from web.records import Seat
from web.refusals import TrayBusy
from web.seating import Seating
from web.site import Site, Wifi

# In the code for a hand-over, so that the page knows it from the room's.
HANDED = "hand-"


def blueprint(table: LiveTable, room: Room, phones: Phones, seating: Seating, site: Site) -> Blueprint:
    web = Blueprint("joining", __name__)

    def scan() -> dict[str, Any]:
        view = table.view()
        return {"url": view.url, "code": room.code, "wifi": home_wifi(site, request), "banners": view.banners}

    def joined(phone: str, found: asked.Json) -> Seat:
        """What is asked for with a code: a seat that is handed over, one that nobody holds, or one by name."""
        code = found.get("code")
        handed = code.strip().casefold().removeprefix(HANDED) if isinstance(code, str) else ""
        if seating.handed(handed) is not None:
            return seating.accept(phone, handed)
        if not (same_code(code, room.code) or (code is None and room.seats_of(phone))):
            if isinstance(code, str) and code.startswith(HANDED):
                return seating.accept(phone, handed)
            raise Problem(403, say("That is not the code of this table; scan the one on its screen now."))
        if found.get("take"):
            return seating.take(phone, found["take"])
        mark, plays = found.get("mark") or None, found.get("plays", True)
        if not isinstance(mark, str | None) or not isinstance(plays, bool):
            raise Problem(422, say('"mark" is the name of a colour, and "plays" true or false.'))
        return seating.sit(phone, asked.name(found.get("name")), mark, plays)

    def page(status: int = 200, refusal: Problem | None = None) -> Response:
        reply = make_response()
        phone = known(reply, request)
        taken = seating.taken()
        seats = phones.seats(request)
        form = request.form
        reply.status_code = status
        reply.set_data(
            render_template(
                "join.html",
                kind="join",
                seats=seats,
                marks=MARKS,
                taken=taken,
                chosen=form.get("mark") or free_mark(taken),
                typed=form,
                wrong=refusal.sentence if refusal else "",
                back=refusal.extra.get("free") if refusal else None,
                free=[seat for seat in seating.free() if seat.phone != phone],
                handing={seat.id: seating.code_of(seat) for seat in seats},
                next=then(),
                **scan(),
            )
        )
        return reply

    @web.route("/join", methods=["GET", "POST"])
    def join() -> Reply:
        if request.method != "POST":
            return page()
        reply = redirect(then(), 303)
        try:
            joined(known(reply, request), {name: text for name, text in request.form.items() if text})
        except Problem as refusal:
            return page(refusal.status, refusal)
        except TrayBusy as busy:
            return page(503, Problem(503, str(busy)))
        return reply

    @web.post("/join/hand")
    def hand() -> Reply:
        try:
            seating.hand(phone_of(request) or "", request.form.get("seat"))
        except Problem as refusal:
            return page(refusal.status, refusal)
        return redirect("/join", 303)

    @web.post("/join/leave")
    def leave() -> Reply:
        seating.leave(phone_of(request) or "", request.form.get("seat", ""))
        return redirect("/join", 303)

    @web.get("/join/scan")
    def scanned() -> Response:
        reply = make_response(render_template("scan.html", seats=phones.seats(request), **scan()))
        reply.headers["Cache-Control"] = "no-store"
        return reply

    @web.get("/join/qr.svg")
    def join_code() -> Response:
        url = table.view().url
        if not url:
            raise Problem(404, say("No phone can reach this tray now, so there is no code to scan."))
        return _picture(f"{url}/join#{room.code}")

    @web.get("/join/wifi.svg")
    def wifi_code() -> Response:
        found = home_wifi(site, request)
        if found is None:
            raise Problem(404, say("The owner shows no Wi-Fi here."))
        return _picture(qr.wifi_text(found))

    @web.get("/join/hand/<wanted>.svg")
    def hand_code(wanted: str) -> Response:
        code = next((seating.code_of(seat) for seat in phones.seats(request) if seat.id == wanted), "")
        if not code:
            raise Problem(404, say("This seat is not being handed over from this phone."))
        return _picture(f"{table.view().url}/join#{HANDED}{code}")

    @web.post("/api/v1/join")
    def joins() -> Response:
        found, reply = asked.body(request), make_response()
        phone = known(reply, request)
        seat = joined(phone, found)
        phones.saw(phone)
        reply.mimetype = "application/json"
        reply.set_data(jsonify(seat=seat.id, name=seat.name, mark=seat.mark).get_data())
        return reply

    @web.post("/api/v1/leave")
    def leaves() -> Response:
        seating.leave(phone_of(request) or "", asked.body(request).get("seat"))
        return Response(status=204)

    @web.post("/api/v1/seats/<seat>/hand")
    def hands(seat: str) -> Response:
        phones.seated(request)
        code = HANDED + seating.hand(phone_of(request) or "", seat)
        return jsonify(code=code, url=f"{table.view().url}/join#{code}")

    @web.get("/api/v1/seats")
    def seats() -> Response:
        mine = phones.seats(request)
        return jsonify(
            mine=mine[0].id if mine else None,
            held=[seat.id for seat in mine],
            seats=[{"id": seat.id, "name": seat.name, "mark": seat.mark} for seat in phones.present()],
            free=[{"id": seat.id, "name": seat.name, "mark": seat.mark} for seat in seating.free()],
        )

    return web


def home_wifi(site: Site, asking: Request) -> Wifi | None:
    """The Wi-Fi to show. Who is in another network, or comes through a VPN or the internet, is not told how to get into
    this one."""
    return site.wifi if site.wifi is not None and site.at_home(asking.remote_addr) else None


def then() -> str:
    """Where a phone goes once it has a seat."""
    return "/calibrate" if request.values.get("next") == "calibrate" else "/play"


def same_code(given: object, code: str) -> bool:
    """People type codes in small letters and with spaces."""
    return isinstance(given, str) and given.strip().casefold() == code.casefold()


def _picture(text: str) -> Response:
    picture = Response(qr.svg(text), mimetype="image/svg+xml")
    picture.headers["Cache-Control"] = "no-store"
    return picture

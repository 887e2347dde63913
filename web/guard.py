"""Who may talk to the tray at all: the Host allow-list, writes only from our own pages, and what a page may load."""

import ipaddress
import re
from urllib.parse import urlsplit

from flask import Flask, Response, request

from speech.sentence import say
from web.ports import LiveTable
from web.problems import Problem
from web.site import Site

# Nothing inline, nothing from elsewhere: all scripts and styles are files of ours.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
READS = ("GET", "HEAD", "OPTIONS")


def install(app: Flask, site: Site, table: LiveTable) -> None:
    names = allowed_names(site)

    def check() -> None:
        if not host_is_ours(request.host, names):
            better = table.view().url or "localhost"
            sentence = say("This tray is not called {host}; open it as {url}.", host=repr(request.host), url=better)
            raise Problem(400, sentence)
        if request.method not in READS:
            _check_origin()

    app.before_request(check)
    app.after_request(_headers)


def allowed_names(site: Site) -> frozenset[str]:
    return frozenset({name.lower() for name in site.hosts} | {"localhost"})


def host_is_ours(host: str, names: frozenset[str]) -> bool:
    """Numeric addresses always are: another site's name can be pointed at the tray, but never be a bare number.
    A .local name may carry the "-2" that a network gives to a twin it believes to see."""
    name = _hostname(f"//{host}")
    if name in names or _is_address(name):
        return True
    plain = re.sub(r"-\d+\.local$", ".local", name)
    return plain != name and plain in names


def _hostname(address: str) -> str:
    """Without port and final dot; empty when `address` is no address at all."""
    try:
        return (urlsplit(address).hostname or "").lower().rstrip(".")
    except ValueError:
        return ""


def is_loopback(address: str | None) -> bool:
    if not address or not _is_address(address):
        return False
    parsed = ipaddress.ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _check_origin() -> None:
    """A browser says where a write comes from; a program that sends neither header is no other site's page."""
    origin = request.headers.get("Origin")
    fetch_site = request.headers.get("Sec-Fetch-Site")
    foreign = (origin is not None and origin.lower().partition("://")[2] != request.host.lower()) or (
        fetch_site is not None and fetch_site not in ("same-origin", "none")
    )
    if foreign:
        raise Problem(403, say("Only the tray's own pages may do this; open the tray's address and try there."))


def _headers(answer: Response) -> Response:
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    # A form that is sent from a page without any referrer says that it comes from nowhere, and would be refused.
    answer.headers.setdefault("Referrer-Policy", "same-origin")
    answer.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    answer.headers.setdefault("Cache-Control", "no-cache")
    return answer

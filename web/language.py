"""The language of whoever asks: chosen on the page, else what the browser prefers, else English."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, current_app, g, has_request_context, redirect, request
from flask.json.provider import DefaultJSONProvider
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as Reply

from speech.catalogue import ENGLISH, Catalogue
from speech.colours import colour, colours
from speech.sentence import figure, listed, say
from web.problems import Problem

Languages = Mapping[str, Catalogue]
_SPEAKING: ContextVar[Catalogue | None] = ContextVar("speaking", default=None)
COOKIE = "stickman_language"
COOKIE_S = 400 * 24 * 3600
SPOKEN = ("text/html", "application/json", "application/problem+json", "text/event-stream")


def install(app: Flask, languages: Languages) -> None:
    """Every template speaks the language of its request: `_()`, `ngettext()` and {% trans %} translate, and a sentence
    that is written with {{ }} or into JSON is told in it."""
    app.extensions["stickman.languages"] = languages
    app.json = _Json(app)
    app.jinja_options = {**app.jinja_options, "extensions": ["jinja2.ext.i18n"], "finalize": tell}
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    # Jinja calls these with the values of a message in its newer style only.
    setattr(app.jinja_env, "newstyle_gettext", True)  # noqa: B010
    app.jinja_env.filters.update(told=tell, english=str.__str__)
    app.jinja_env.globals.update(colour=colour, colours=colours, figure=figure, listed=listed)
    app.jinja_env.globals.update(gettext=_gettext, ngettext=_ngettext, pgettext=_pgettext, npgettext=_npgettext)
    app.context_processor(lambda: {"language": language(), "languages": languages.values()})
    app.after_request(_headers)
    app.register_blueprint(_blueprint(languages))


@contextmanager
def speaking(catalogue: Catalogue) -> Iterator[None]:
    """Within it everything is told in this language, whoever asks or nobody."""
    token = _SPEAKING.set(catalogue)
    try:
        yield
    finally:
        _SPEAKING.reset(token)


def language() -> Catalogue:
    """Of the request that is being answered; English outside of one."""
    spoken = _SPEAKING.get()
    if spoken is not None:
        return spoken
    if not has_request_context():
        return ENGLISH
    if "language" not in g:
        g.language = _chosen(current_app.extensions["stickman.languages"])
    return cast(Catalogue, g.language)


def tell(value: Any) -> Any:
    """A sentence in the language of the request; anything else as it is."""
    return language().tell(value) if isinstance(value, str) else value


def _chosen(languages: Languages) -> Catalogue:
    code = request.cookies.get(COOKIE)
    if code not in languages:
        code = request.accept_languages.best_match(languages, "en")
    return languages.get(code or "en", ENGLISH)


def _blueprint(languages: Languages) -> Blueprint:
    pages = Blueprint("language", __name__)

    @pages.post("/language")
    def choose() -> Reply:
        code, back = request.form.get("language", ""), request.form.get("next", "/")
        if code not in languages:
            raise Problem(422, say("This tray speaks {languages} only.", languages=", ".join(languages)))
        reply = redirect(back if _is_ours(back) else "/", 303)
        # Lax, so that a phone that comes by a link or a code is greeted in its own language.
        reply.set_cookie(COOKIE, code, max_age=COOKIE_S, httponly=True, samesite="Lax")
        return reply

    return pages


def _is_ours(address: str) -> bool:
    """A path on this tray. Browsers read \\ as /, and two of them begin another host's name."""
    return address.startswith("/") and not address.replace("\\", "/").startswith("//") and not urlsplit(address).netloc


def _headers(answer: Response) -> Response:
    if answer.mimetype in SPOKEN:
        answer.headers["Content-Language"] = language().code
        answer.vary.update(("Accept-Language", "Cookie"))
    return answer


class _Json(DefaultJSONProvider):
    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return super().dumps(language().tell_all(obj), **kwargs)


# Messages are written by us, so they may have tags; the values in them may not.
def _filled(message: str, values: Mapping[str, Any]) -> Markup:
    return Markup(message % {name: escape(tell(value)) for name, value in values.items()})


def _gettext(message: str, /, **values: Any) -> Markup:
    return _filled(language().find(message), values)


def _ngettext(one: str, many: str, count: int, /, **values: Any) -> Markup:
    return _filled(language().find(one, many, count), {"num": count, **values})


def _pgettext(context: str, message: str, /, **values: Any) -> Markup:
    return _filled(language().find(message, context=context), values)


def _npgettext(context: str, one: str, many: str, count: int, /, **values: Any) -> Markup:
    return _filled(language().find(one, many, count, context), {"num": count, **values})

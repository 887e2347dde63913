"""Refusals: a plain sentence as problem+json for programs, as a page for people."""

import json
import logging
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException

from rules.errors import BadRules, IllegalMove, InvalidMove, RulesError
from speech.sentence import say
from web import render
from web.refusals import SetRefused, Stale, TrayBusy

log = logging.getLogger(__name__)

SENTENCES = {
    400: say("The request could not be read."),
    403: say("This is not allowed from here."),
    404: say("There is no such page on this tray. Go back to the scoreboard."),
    405: say("This address does not take that kind of request."),
    413: say("The request is too large: a dice set is a .zip of a few megabytes, and all else is small."),
    415: say("Send JSON: Content-Type: application/json."),
    500: say("Something went wrong on the tray. The game is safe; try again."),
}


class Problem(Exception):
    """A refusal with its HTTP status and a sentence with the cure. `extra` is added to the JSON body."""

    def __init__(self, status: int, sentence: str, **extra: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.extra = extra


def install(app: Flask) -> None:
    app.register_error_handler(Problem, _refused)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Stale, _stale)
    app.register_error_handler(TrayBusy, _busy)
    app.register_error_handler(RulesError, _rules)
    app.register_error_handler(SetRefused, _refused_set)
    app.register_error_handler(Exception, _unexpected)


def _refused(problem: Problem) -> Response:
    return _answer(problem.status, problem.sentence, problem.extra)


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    answer = _answer(status, SENTENCES.get(status, error.description or HTTPStatus(status).phrase), {})
    for name, value in error.get_headers():
        if name.lower() in ("allow", "location", "retry-after"):
            answer.headers[name] = value
    return answer


def _stale(stale: Stale) -> Response:
    return _answer(409, str(stale), {"state": render.state(stale.view)})


def _busy(busy: TrayBusy) -> Response:
    return _answer(503, str(busy), {})


def _refused_set(refused: SetRefused) -> Response:
    return _answer(422, str(refused), {})


def _rules(error: RulesError) -> Response:
    match error:
        case IllegalMove():
            return _answer(409, str(error), {})
        case InvalidMove() | BadRules():
            return _answer(422, str(error), {})
    return _answer(422, str(error), {})


def _unexpected(error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return _answer(500, SENTENCES[500], {})


def _answer(status: int, sentence: str, extra: dict[str, Any]) -> Response:
    if _wants_page():
        return Response(render_template("error.html", status=status, sentence=sentence), status=status)
    body = current_app.json.dumps(_body(status, sentence) | extra)
    return Response(body, status=status, mimetype="application/problem+json")


def _body(status: int, sentence: str) -> dict[str, Any]:
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": sentence}


def too_large(page: bool) -> tuple[bytes, str]:
    """The answer to a request that is too large for the app to see, and its type: a sentence in English, for a `page`
    without all that the app puts around it."""
    sentence = str(SENTENCES[413])
    if page:
        return sentence.encode(), "text/plain; charset=utf-8"
    return json.dumps(_body(413, sentence)).encode(), "application/problem+json"


def _wants_page() -> bool:
    if request.path.startswith(("/api/", "/events", "/healthz", "/readyz", "/openapi")):
        return False
    return request.accept_mimetypes.best_match(["application/problem+json", "text/html"]) == "text/html"

"""House rules through the API: what a choice of options means, and saving them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, request

from rules.choices import differences, in_words
from rules.conflicts import warnings
from rules.errors import BadRules
from rules.house import changes
from rules.options import Options
from rules.sheet import sheet
from speech.sentence import joined, say
from web import asked
from web.offers import notes, offer
from web.phones import Phones
from web.ports import LiveTable, Rulebook
from web.problems import Problem
from web.refusals import NameTaken

Json = dict[str, Any]


def blueprint(table: LiveTable, rulebook: Rulebook, phones: Phones) -> Blueprint:
    api = Blueprint("house", __name__, url_prefix="/api/v1")

    @api.get("/rules")
    def offered() -> Response:
        return jsonify(rules=[asdict(offer(card)) for card in rulebook.cards()])

    @api.post("/rules/check")
    def check() -> Response:
        rules = table_of(asked.body(request))
        options, mistakes = rulebook.read(rules)
        if mistakes:
            return jsonify(mistakes=[{"key": each.key, "text": in_words(each)} for each in mistakes])
        return jsonify(mistakes=[], **meaning(options, rules, rulebook))

    @api.post("/rules/save")
    def save() -> tuple[Response, int]:
        found = asked.body(request)
        rules = table_of(found)
        phones.seated(request)
        _, mistakes = rulebook.read(rules)
        if mistakes:
            raise BadRules(in_words(mistakes[0]))
        phones.owner(request, table.view())
        try:
            card = rulebook.save(rules, replace=found.get("replace") is True)
        except NameTaken as taken:
            sentence = joined([str(taken), say("Save again to put these in their place.")])
            raise Problem(409, sentence, taken=True) from None
        return jsonify(asdict(offer(card))), 201

    @api.post("/rules/forget")
    def forget() -> Response:
        phones.seated(request)
        name = asked.body(request).get("name")
        if not isinstance(name, str):
            raise Problem(422, '"name" is the name of house rules.')
        phones.owner(request, table.view())
        rulebook.forget(name)
        return offered()

    return api


def table_of(found: asked.Json) -> Mapping[str, Any]:
    rules = found.get("rules")
    if not isinstance(rules, dict):
        raise Problem(422, '"rules" is a table of house rules, such as {"base": "farkle", "win": {"target": 5000}}.')
    return rules


def meaning(options: Options, rules: Mapping[str, Any], rulebook: Rulebook) -> Json:
    """Good rules: the least that says them, how they differ from their base, what has no effect, and their sheet."""
    base, _ = rulebook.read({"base": rules["base"]} if "base" in rules else {})
    changed = changes(options, base)
    return {
        "rules": {"name": options.name} | ({"base": rules["base"]} if "base" in rules else {}) | changed,
        "changes": differences(changed),
        "warnings": warnings(options),
        "notes": notes(options),
        "target": options.win.target,
        "teams": options.teams,
        "sheet": [asdict(chapter) for chapter in sheet(options)],
    }

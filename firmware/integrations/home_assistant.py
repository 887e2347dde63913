"""The tray as a device of Home Assistant: topics, and the announcement that makes its entities appear. Pure.

Device discovery as of Home Assistant 2024.11: one retained message for all entities. `single` gives older ones, which
know one message an entity, the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from firmware.integrations.news import KINDS
from web.cues import LASTING

Json = dict[str, Any]

# As many as a game here may have. Home Assistant forgets an entity that is announced with nothing but its platform.
PLAYERS = 8


@dataclass(frozen=True, slots=True)
class Card:
    """Who this tray is to the house. `id`: letters, digits and _ only."""

    id: str
    name: str
    version: str

    def topic(self, leaf: str) -> str:
        return f"stickman/{self.id}/{leaf}"


def announcement(card: Card, url: str, players: Sequence[str], rules: Sequence[str], commands: bool) -> Json:
    """The discovery message. `url`: of the pages now, "" when nobody reaches them. `players`: of the game on the table.
    `rules`: to choose from. `commands`: buttons too."""
    entities = _told() | _board(card) | _scores(players) | (_commands(card, rules) if commands else {})
    for key, entity in entities.items():
        if len(entity) > 1:
            entity["unique_id"] = f"stickman_{card.id}_{key}"
    entities["roll"]["state_topic"] = card.topic("roll")
    return {
        "dev": {
            "ids": [f"stickman_{card.id}"],
            "name": card.name,
            "mf": "Stickman",
            "mdl": "Dice tray",
            "sw": card.version,
            **({"configuration_url": url} if url else {}),
        },
        "o": {"name": "stickman", "sw": card.version},
        "availability_topic": card.topic("availability"),
        "state_topic": card.topic("state"),
        "cmps": entities,
    }


def topic(prefix: str, card: Card) -> str:
    return f"{prefix}/device/stickman_{card.id}/config"


def single(prefix: str, card: Card, whole: Json) -> dict[str, Json | None]:
    """The same announcement as one message an entity, by topic; None takes one away."""
    shared = {"device": whole["dev"], "origin": whole["o"], "availability_topic": whole["availability_topic"]}
    found: dict[str, Json | None] = {}
    for key, entity in whole["cmps"].items():
        own = {name: value for name, value in entity.items() if name != "p"}
        topic = f"{prefix}/{entity['p']}/stickman_{card.id}/{key}/config"
        found[topic] = {"state_topic": whole["state_topic"]} | own | shared if own else None
    return found


def _told() -> dict[str, Json]:
    return {
        "roll": {"p": "event", "name": "Dice", "event_types": list(KINDS), "icon": "mdi:dice-multiple"},
        "status": {
            "p": "sensor",
            "name": "Status",
            "device_class": "enum",
            "options": list(LASTING),
            "value_template": "{{ value_json.status }}",
            "icon": "mdi:eye",
        },
        "turn": {
            "p": "sensor",
            "name": "Turn",
            "value_template": "{{ value_json.game.turn.name if value_json.game and value_json.game.turn else none }}",
            "icon": "mdi:account-arrow-right",
        },
        "at_risk": {
            "p": "sensor",
            "name": "Points at risk",
            "value_template": "{{ value_json.game.turn.score if value_json.game and value_json.game.turn else none }}",
            "icon": "mdi:hand-coin",
        },
        "camera_ok": {
            "p": "binary_sensor",
            "name": "Camera",
            "device_class": "problem",
            "value_template": "{{ 'ON' if value_json.eye == 'camera-lost' else 'OFF' }}",
        },
    }


def _board(card: Card) -> dict[str, Json]:
    """How the box is. Whether there is a newer version only the internet knows, which the tray asks nothing."""
    ill = "{{{{ none if value_json.{0} is none else 'ON' if value_json.{0} else 'OFF' }}}}"
    shared: Json = {"state_topic": card.topic("board"), "entity_category": "diagnostic"}
    entities: dict[str, Json] = {
        "supply": {
            "p": "binary_sensor",
            "name": "Power supply",
            "device_class": "problem",
            "value_template": ill.format("under_voltage"),
        },
        "heat": {
            "p": "binary_sensor",
            "name": "Heat",
            "device_class": "problem",
            "value_template": ill.format("hot"),
        },
        "temperature": {
            "p": "sensor",
            "name": "Processor temperature",
            "device_class": "temperature",
            "unit_of_measurement": "°C",
            "state_class": "measurement",
            "value_template": "{{ value_json.celsius }}",
        },
        "free": {
            "p": "sensor",
            "name": "Room for games",
            "device_class": "data_size",
            "unit_of_measurement": "MB",
            "value_template": "{{ value_json.free_mb }}",
        },
        "version": {"p": "sensor", "name": "Version", "value_template": "{{ value_json.version }}", "icon": "mdi:tag"},
    }
    return {key: entity | shared for key, entity in entities.items()}


def _scores(players: Sequence[str]) -> dict[str, Json]:
    found: dict[str, Json] = {f"score_{number}": {"p": "sensor"} for number in range(1, PLAYERS + 1)}
    for index, name in enumerate(players):
        found[f"score_{index + 1}"] |= {
            "name": f"Score of {name}",
            "state_class": "measurement",
            "value_template": f"{{{{ value_json.game.players[{index}].score "
            f"if value_json.game and value_json.game.players|length > {index} else none }}}}",
            "icon": "mdi:counter",
        }
    return found


def _commands(card: Card, rules: Sequence[str]) -> dict[str, Json]:
    buttons = {"new_game": "New game, same players", "bank": "Bank", "undo": "Undo"}
    pressed = {
        key: {"p": "button", "name": name, "command_topic": card.topic(f"cmd/{key}")} for key, name in buttons.items()
    }
    chosen = {
        "p": "select",
        "name": "Rules of the next game",
        "command_topic": card.topic("cmd/rules"),
        "options": list(rules),
        "value_template": "{{ value_json.offered }}",
    }
    return pressed | {"rules": chosen}

"""All connections to the house that the config asks for: opened, closed and looked at together."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from firmware.board import board_serial
from firmware.config import Config
from firmware.errors import BadInput
from firmware.integrations import settings
from firmware.integrations.club import Club
from firmware.integrations.home_assistant import Card
from firmware.table import Table
from firmware.vitals import vitals
from speech.sentence import joined, say
from web.site import Check

# Home Assistant asks every device of a house to announce itself at once; each waits a moment of its own.
LATEST_S = 5.0


class Link(Protocol):
    def start(self) -> None: ...

    def stop(self) -> None: ...

    def check(self) -> Check: ...


@dataclass(frozen=True, slots=True)
class Links:
    """`club`: None without a broker. `troubles`: a sentence for each that cannot be used as it is set."""

    links: tuple[Link, ...] = ()
    club: Club | None = None
    troubles: tuple[str, ...] = ()

    def start(self) -> None:
        for link in self.links:
            link.start()

    def stop(self) -> None:
        for link in reversed(self.links):
            link.stop()

    def checks(self) -> Sequence[Check]:
        return tuple(link.check() for link in self.links)


def links_of(
    config: Config, state_dir: Path, table: Table, version: str, rules: Callable[[], tuple[str, ...]]
) -> Links:
    """What the config asks for, not yet started. `rules`: names to choose from."""
    links: list[Link] = []
    troubles: list[str] = []
    club = Club()
    try:
        broker = settings.broker(config)
        if broker is not None:
            # What each of them needs is paid for by those who have it: a megabyte for the broker.
            from firmware.integrations.mqtt import Mqtt

            card = Card(settings.tray_id(state_dir, board_serial()), config.tray_name, version)
            links.append(
                Mqtt(broker, card, table, club, rules, lambda: vitals(state_dir), lambda: random.uniform(0, LATEST_S))
            )
    except BadInput as error:
        troubles.append(joined((str(error), say("Until then MQTT is off."))))
    try:
        hook = settings.hook(config)
        if hook is not None:
            from firmware.integrations.webhook import Webhook

            links.append(Webhook(hook, table, time.time, config.tray_name))
    except BadInput as error:
        troubles.append(joined((str(error), say("Until then the webhook is off."))))
    if config.lights:
        from firmware.integrations.lights import Lights

        links.append(Lights(config.lights, table))
    return Links(tuple(links), club if config.broker else None, tuple(troubles))

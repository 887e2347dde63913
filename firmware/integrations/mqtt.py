"""The tray at an MQTT broker: what lies there is retained, what happens is not, and a will says when it is gone."""

import json
import logging
import threading
from collections.abc import Callable
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from firmware.drivers import Press
from firmware.follower import Follower
from firmware.integrations import home_assistant
from firmware.integrations.club import Club
from firmware.integrations.home_assistant import Card
from firmware.integrations.news import happened, in_short, of_board
from firmware.integrations.settings import Broker
from firmware.integrations.standing import Standing
from firmware.table import Table
from firmware.vitals import Vitals
from speech.sentence import say
from web.commands import Newcomer, NewGame
from web.view import View

log = logging.getLogger(__name__)

CONNECT_S, KEEPALIVE_S = 2.0, 30
SLOWEST_RETRY_S = 30
STOP_S = 1.0
LONGEST_WORD = 100
BOARD_S = 60.0  # between two looks at how the board is


class Mqtt:
    """Follows the table and tells the broker. `rules`: names to choose from. `vitals`: how the board is. `delay_s`: how
    long to wait before the tray is announced anew to a Home Assistant that has just started, drawn each time, as all
    devices hear it at once.

    All talk with the network is in paho's own thread, which tries again for ever. Nothing is kept for a broker that is
    away: when it is back it gets what is so now, and old news are not news.
    """

    def __init__(
        self, broker: Broker, card: Card, table: Table, club: Club, rules: Callable[[], tuple[str, ...]],
        vitals: Callable[[], Vitals], delay_s: Callable[[], float],
    ) -> None:  # fmt: skip
        self._broker, self._card, self._table, self._club = broker, card, table, club
        self._rules, self._vitals, self._delay_s = rules, vitals, delay_s
        self._where = f"{broker.host}:{broker.port}"
        self._before: View | None = None
        self._announced: dict[str, Any] | None = None
        self._state = self._board = b""
        self._stopping = threading.Event()
        self._telling = threading.RLock()
        self._timer: threading.Timer | None = None
        self._standing = Standing("mqtt", say("The broker at {where} is being called.", where=self._where))
        self._client: Client | None = self._made()
        self._follower = Follower("mqtt-news", table, self._told)
        self.check = self._standing.check

    def start(self) -> None:
        if self._client is not None:
            self._client.connect_async(self._broker.host, self._broker.port, KEEPALIVE_S)
            self._client.loop_start()
            self._follower.start()
            threading.Thread(target=self._look_after_board, name="mqtt-board", daemon=True).start()

    def stop(self) -> None:
        """For good: say goodbye if there is somebody to say it to, not waiting long for it. May be called twice."""
        self._stopping.set()
        self._follower.stop()
        if self._timer is not None:
            self._timer.cancel()
        self._publish(self._card.topic("availability"), b"offline")
        client, self._client = self._client, None
        if client is None:
            return
        client.on_connect = client.on_connect_fail = client.on_disconnect = client.on_message = None
        client.disconnect()
        # Joining paho's thread may last as long as looking up a name does.
        ending = threading.Thread(target=client.loop_stop, daemon=True)
        ending.start()
        ending.join(STOP_S)

    def _made(self) -> Client:
        client = client_of(self._broker, f"stickman_{self._card.id}")
        client.reconnect_delay_set(1, SLOWEST_RETRY_S)
        client.will_set(self._card.topic("availability"), b"offline", qos=1, retain=True)
        client.on_connect, client.on_connect_fail = self._connected, self._unreachable
        client.on_disconnect, client.on_message = self._disconnected, self._heard
        return client

    # In the follower's thread.

    def _told(self, view: View) -> None:
        state = json.dumps(in_short(view) | {"name": self._card.name}).encode()
        news = happened(self._before, view)
        with self._telling:
            self._before = view
            self._announce()
            if state != self._state:
                self._state = state
                self._publish(self._card.topic("state"), state)
        for one in news:
            self._publish(self._card.topic("roll"), json.dumps(one).encode(), retain=False)

    # In a thread of its own.

    def _look_after_board(self) -> None:
        while True:
            board = json.dumps(of_board(self._vitals(), self._card.version)).encode()
            with self._telling:
                if board != self._board:
                    self._board = board
                    self._publish(self._card.topic("board"), board)
            if self._stopping.wait(BOARD_S):
                return

    # In paho's thread.

    def _connected(self, client: Client, _: Any, __: ConnectFlags, reason: ReasonCode, ___: Properties | None) -> None:
        if reason.is_failure:
            self._standing.ill(_refused(self._where, reason))
            return
        self._standing.well(say("Connected to the broker at {where}.", where=self._where))
        for topic in (f"{self._broker.prefix}/status", "stickman/+/state", "stickman/+/availability"):
            client.subscribe(topic)
        if self._broker.commands:
            client.subscribe(self._card.topic("cmd/#"))
        self._publish(self._card.topic("availability"), b"online")
        self._tell_all()

    def _unreachable(self, _: Client, __: Any) -> None:
        # With TLS a certificate that is not believed looks the same from here.
        if self._broker.tls:
            text = say(
                "The broker at {where} cannot be reached by TLS: check [mqtt] broker, port and ca_file.",
                where=self._where,
            )
        else:
            text = say(
                "The broker at {where} cannot be reached: check [mqtt] broker and port, and that it runs.",
                where=self._where,
            )
        self._standing.ill(text)

    def _disconnected(
        self, _: Client, __: Any, ___: DisconnectFlags, reason: ReasonCode, ____: Properties | None
    ) -> None:
        # A refusal has said why already.
        if reason.is_failure and self._standing.check().ok:
            self._standing.ill(say("The broker at {where} has gone; it is called again and again.", where=self._where))

    def _heard(self, _: Client, __: Any, message: MQTTMessage) -> None:
        if message.topic == f"{self._broker.prefix}/status":
            if message.payload == b"online" and not message.retain:
                self._announce_soon()
            return
        whose, leaf = message.topic.removeprefix("stickman/").split("/", 1)
        if leaf in ("state", "availability"):
            self._club.told(whose, leaf, bytes(message.payload))
        elif whose == self._card.id and leaf.startswith("cmd/") and not message.retain:
            self._command(leaf.removeprefix("cmd/"), message.payload[:LONGEST_WORD].decode("utf-8", "replace"))

    def _announce_soon(self) -> None:
        """After Home Assistant's birth message."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._delay_s(), self._tell_all)
        self._timer.daemon = True
        self._timer.start()

    def _tell_all(self) -> None:
        with self._telling:
            self._announced = None
            self._announce()
            for leaf, told in (("state", self._state), ("board", self._board)):
                if told:
                    self._publish(self._card.topic(leaf), told)

    def _command(self, what: str, payload: str) -> None:
        match what:
            case "bank":
                self._table.pressed(Press("bank"))
            case "undo":
                self._table.pressed(Press("undo"))
            case "rules":
                self._table.next_rules(payload)
            case "new_game":
                self._again()
            case _:
                log.warning("no such command: %r", what[:LONGEST_WORD])

    def _again(self) -> None:
        """The rules that are offered, with the players of the game on the table."""
        view = self._table.view()
        if view.game is not None:
            players = tuple(Newcomer(player.name, player.seat) for player in view.game.board.players)
            self._table.offer(NewGame(view.offered, players))

    # In either.

    def _announce(self) -> None:
        if self._before is None:
            return
        device = home_assistant.topic(self._broker.prefix, self._card)
        if self._broker.discovery != "device" and self._announced is None:
            # Home Assistant forgets a device whose announcement is empty: what was said before a change of settings.
            self._publish(device, b"")
        if self._broker.discovery == "off":
            self._announced = {}
            return
        game, url = self._before.game, self._before.url
        players = () if game is None else tuple(player.name for player in game.board.players)
        whole = home_assistant.announcement(self._card, url, players, self._rules(), self._broker.commands)
        if whole == self._announced:
            return
        self._announced = whole
        if self._broker.discovery == "device":
            self._publish(device, json.dumps(whole).encode())
            return
        for topic, entity in home_assistant.single(self._broker.prefix, self._card, whole).items():
            self._publish(topic, b"" if entity is None else json.dumps(entity).encode())

    def _publish(self, topic: str, payload: bytes, retain: bool = True) -> None:
        client = self._client
        if client is not None and client.is_connected():
            client.publish(topic, payload, qos=0, retain=retain)


def client_of(broker: Broker, name: str) -> Client:
    """A client that knows how to get in, not yet connected."""
    client = Client(CallbackAPIVersion.VERSION2, client_id=name)
    client.connect_timeout = CONNECT_S
    if broker.user:
        client.username_pw_set(broker.user, broker.password or None)
    if broker.tls:
        client.tls_set(ca_certs=broker.ca_file or None)
    return client


def _refused(where: str, reason: ReasonCode) -> str:
    # MQTT 3.1.1 has no other words for a wrong password than these two.
    if reason.getName() in ("Bad user name or password", "Not authorized"):
        return say(
            "The broker at {where} refuses the user name or the password: check [mqtt] user and password_file.",
            where=where,
        )
    return say("The broker at {where} refuses the tray ({why}).", where=where, why=str(reason).lower())

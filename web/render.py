"""A frozen view as the JSON object that state, snapshot and every event carry."""

import json
from collections import OrderedDict
from threading import Lock
from typing import Any

from rules.game import Last, Offer, Option, Scoreboard, Standing, Trying, Turn
from speech.catalogue import Catalogue
from vision.drift import Drift
from vision.seen import Doubt, SeenDie
from web import said
from web.view import EyeView, GameView, PanelView, View

Json = dict[str, Any]


def state(view: View) -> Json:
    """Places in the picture are fractions: `x` and `size` of its width, `y` of its height."""
    return {
        "epoch": view.epoch,
        "rev": view.rev,
        "seq": view.seq,
        "eye": _eye(view.eye),
        "panel": _panel(view.panel),
        "banners": list(view.banners),
        "offered": view.offered,
        "url": view.url,
        "game": None if view.game is None else _game(view.game, view.eye),
    }


class Texts:
    """The JSON text of the latest views in each language, made once however many phones ask for it."""

    def __init__(self, kept: int = 32) -> None:
        self._kept = kept
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def of(self, view: View, spoken: Catalogue) -> str:
        name = text_id(view, spoken)
        with self._lock:
            text = self._texts.get(name)
            if text is None:
                text = json.dumps(spoken.tell_all(state(view)), separators=(",", ":"))
                self._texts[name] = text
                while len(self._texts) > self._kept:
                    self._texts.popitem(last=False)
        return text


def view_id(view: View) -> str:
    """`<epoch>-<seq>`: the stream's event id."""
    return f"{view.epoch}-{view.seq}"


def text_id(view: View, spoken: Catalogue) -> str:
    """The state's ETag: the id of the view, and the language."""
    return f"{view_id(view)}-{spoken.code}"


def seq_after(text: str | None, epoch: str) -> int | None:
    """The seq of an id of this run of the program; None for anything else."""
    if not text:
        return None
    head, _, tail = text.rpartition("-")
    # Longer numbers are no seq of ours, and Python refuses to read them at all.
    known = head == epoch and tail.isascii() and tail.isdigit() and len(tail) < 16
    return int(tail) if known else None


def _eye(eye: EyeView) -> Json:
    return {
        "state": eye.state,
        "text": eye.text,
        "width": eye.width,
        "height": eye.height,
        "dice": [_die(die, eye) for die in eye.dice],
        "drifts": [_drift(drift, eye) for drift in eye.drifts],
        "other": None if eye.other is None else {"slug": eye.other.slug, "name": eye.other.name},
    }


def _drift(drift: Drift, eye: EyeView) -> Json:
    """`box`: left and width of the picture's width, top and height of its height."""
    box = None
    if drift.box is not None:
        sizes = (eye.width, eye.height, eye.width, eye.height)
        box = [round(value / size, 4) for value, size in zip(drift.box, sizes, strict=True)]
    return {"kind": drift.kind, "amount": round(drift.amount, 2), "text": drift.text, "box": box}


def _die(die: SeenDie, eye: EyeView) -> Json:
    return {
        "value": die.value,
        "x": round(die.x / eye.width, 4),
        "y": round(die.y / eye.height, 4),
        "size": round(die.size / eye.width, 4),
        "angle": round(die.angle, 1),
        "colour": die.colour,
        "zone": die.zone,
        "state": die.state,
    }


def _panel(panel: PanelView) -> Json:
    return {
        "factory": panel.factory,
        "status": panel.status,
        "word": panel.word,
        "pulse": panel.pulse,
        "dice_left": panel.dice_left,
        "bank": panel.bank,
        "sound": panel.sound,
        "cue": panel.cue,
        "moment": panel.moment,
    }


def _game(game: GameView, eye: EyeView) -> Json:
    board: Scoreboard = game.board
    return {
        "id": game.id,
        "rules": board.rules,
        "target": board.target,
        "status": board.status,
        "players": [_player(player) for player in board.players],
        "turn": None if board.turn is None else _turn(board.turn, game, eye),
        "winner": board.winner,
        "last": None if board.last is None else _last(board.last),
        "notes": list(game.notes),
        "may_redo": bool(game.may_redo),
        "disputed": disputed(game),
        "said": said.said(board),
        "throws": board.throws,
        "dice": board.dice,
        "winners": list(board.winners),
        "teams": [{"players": list(team.players), "score": team.score} for team in board.teams],
        "leader": board.leader,
        "playoff": list(board.playoff),
        "stake": board.stake,
        "wild_colour": board.wild_colour,
    }


def _player(player: Standing) -> Json:
    found: Json = {
        "name": player.name,
        "seat": player.seat,
        "score": player.score,
        "on_board": player.on_board,
        "farkles": player.farkles,
    }
    if player.mark:
        found["mark"] = player.mark
    return found if player.team is None else found | {"team": player.team}


def _turn(turn: Turn, game: GameView, eye: EyeView) -> Json:
    return {
        "player": turn.player,
        "score": turn.score,
        "dice_left": turn.dice_left,
        "throw": None if turn.throw is None else list(turn.throw),
        "throw_id": turn.throw_id,
        "aside": list(turn.aside),
        "kept": list(turn.kept),
        "options": [_option(option) for option in turn.options],
        "may_bank": turn.may_bank,
        "may_throw": turn.may_throw,
        "hot_dice": turn.hot_dice,
        "goes_over": turn.goes_over,
        "coloured": turn.coloured,
        "with_coloured": turn.with_coloured,
        "coloured_due": turn.coloured_due,
        "may_take": _offer(turn.may_take),
        "carried": turn.carried,
        "roll_off": _offer(turn.roll_off),
        "may_attempt": [_trying(trying) for trying in turn.may_attempt],
        "attempt": None if turn.attempt is None else _trying(turn.attempt),
        "following": turn.following,
        "doubts": [_doubt(number, doubt, game, eye) for number, doubt in enumerate(game.doubts)],
        "proposed": list(game.proposed),
    }


def _option(option: Option) -> Json:
    found: Json = {"dice": list(option.dice), "score": option.score}
    return found if option.with_coloured is None else found | {"with_coloured": option.with_coloured}


def _offer(offer: Offer | None) -> Json | None:
    return None if offer is None else {"player": offer.player, "points": offer.points, "dice": offer.dice}


def _trying(trying: Trying) -> Json:
    return {"what": trying.what, "dice": list(trying.dice)}


def _doubt(number: int, doubt: Doubt, game: GameView, eye: EyeView) -> Json:
    """`likely`: values that the die may show, likeliest first. `closeup`: address of its picture, for phones with a
    seat; null before it is made, and where there is no one place to look at."""
    return {
        "kind": doubt.kind,
        "x": round(doubt.x / eye.width, 4),
        "y": round(doubt.y / eye.height, 4),
        "text": doubt.text,
        "likely": list(doubt.likely),
        "closeup": closeups(game)[number],
    }


def closeups(game: GameView) -> tuple[str | None, ...]:
    """Of each doubt the address of its picture; None before it is made, and where there is no one place to look at."""
    made = game.closeups
    if made is None:
        return (None,) * len(game.doubts)
    addresses = (f"/api/v1/games/current/doubts/{made.taken_ms}/{number}.jpg" for number in range(len(game.doubts)))
    there = (*made.there, *(False for _ in game.doubts))
    return tuple(address if is_there else None for address, is_there in zip(addresses, there, strict=False))


def disputed(game: GameView) -> Json | None:
    """The throw that everybody is asked to look at again: `page` for people; `drawn` and `film` are addresses of its
    pictures, null where there is none."""
    found = game.disputed
    if found is None:
        return None
    page = f"/history/{game.id}/throws/{found.throw}"
    return {
        "throw": found.throw,
        "by": found.by,
        "values": list(found.values),
        "text": said.asks_to_look(found),
        "page": page,
        "drawn": f"{page}/drawn.jpg" if "drawn" in found.pictures else None,
        "film": f"{page}/film.jpg" if "film" in found.pictures else None,
    }


def _last(last: Last) -> Json:
    found: Json = {"player": last.player, "what": last.what, "points": last.points, "throw": list(last.throw)}
    if last.penalty:
        found["penalty"] = last.penalty
    return found if last.to is None else found | {"to": last.to}

"""The scoreboard as the tray draws it: what lies there, who may do what, what is called out, and the start form."""

import json
import re
import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from served import House, house_in, start
from test_web_stream import Stream

from rules.best_play.findings import Outlook, Play, Worth
from rules.game import Option, Scoreboard, Standing, Turn
from rules.hands import Hand
from vision.seen import Doubt, SeenDie
from web.board import shown
from web.boards import KINDS, Boards
from web.calls import calls
from web.chances import best, chances, risk, worth
from web.dice import paint, turned
from web.doubts import answers as answers_to
from web.forecasts import Forecasts
from web.lying import Order
from web.view import EyeView, GameView, PanelView, View

COLOURS = ("red", "ivory", "blue", "green", "black", "#c0ffee")
OPTIONS = (Option((1, 1), 200), Option((1, 1, 5), 250), Option((5,), 50))


def dice(*values: int | None, zone: Any = "tray", x: float = 100.0) -> tuple[SeenDie, ...]:
    return tuple(SeenDie(value, x + 100 * at, 500, 60, 12 * at, COLOURS[at], zone) for at, value in enumerate(values))


def view(turn: Turn | None = None, eye: EyeView | None = None, seq: int = 1, **more: Any) -> View:
    players = more.pop("players", (Standing("Ann", "s1"), Standing("Bo", "s2")))
    board = Scoreboard("farkle", 10_000, "playing" if turn else "over", players, turn, **more.pop("board", {}))
    return View("e", seq, seq, eye or EyeView("read", "Read."), PanelView(), GameView("g", board, **more))


def open_throw(*values: int, **more: Any) -> Turn:
    return Turn(0, throw=tuple(sorted(values)), throw_id=1, options=OPTIONS, may_bank=True, **more)


# What lies in the tray.


def test_the_dice_of_a_throw_are_drawn_as_they_lie_in_their_own_colours() -> None:
    lying = Order().lying(view(open_throw(5, 1, 2, 1), EyeView("read", "", dice(5, 1, 2, 1))))
    assert [(spot.value, spot.colour, spot.dead) for spot in lying.spots] == [
        (5, "red", False),
        (1, "ivory", False),
        (2, "blue", True),
        (1, "green", False),
    ]


def test_a_die_set_aside_keeps_its_place_in_the_row() -> None:
    order = Order()
    order.lying(view(open_throw(5, 1, 2, 1), EyeView("read", "", dice(5, 1, 2, 1))))
    moved = (*dice(5, zone="rail", x=900), *dice(1, 2, 1))
    lying = order.lying(view(open_throw(5, 1, 2, 1, aside=(5,)), EyeView("read", "", moved), seq=2))
    assert [(spot.value, spot.chosen) for spot in lying.spots] == [(5, True), (1, False), (2, False), (1, False)]


def test_dice_that_the_eye_does_not_see_are_drawn_all_the_same() -> None:
    lying = Order().lying(view(open_throw(1, 1, 5, 2), EyeView("camera-lost", "Lost.")))
    assert [spot.value for spot in lying.spots] == [1, 1, 2, 5]


def test_while_dice_move_there_are_places_for_those_that_were_thrown() -> None:
    lying = Order().lying(view(Turn(0, dice_left=3), EyeView("rolling", "", dice(1, 2))))
    assert (lying.kind, [spot.value for spot in lying.spots]) == ("moving", [0, 0, 0])


def test_the_die_that_a_doubt_is_about_is_marked() -> None:
    eye = EyeView("unsure", "Leaning.", dice(2, None, 4))
    lying = Order().lying(view(Turn(0, dice_left=3), eye, doubts=(Doubt("cocked", 105, 500, "Leaning."),)))
    assert [spot.asked for spot in lying.spots] == [True, True, False]


def test_the_coloured_die_is_the_odd_one_out_and_goes_aside_only_when_it_is_chosen() -> None:
    eye = EyeView(
        "read", "", tuple(SeenDie(1, 100.0 * at, 500, 60, 0, "red" if at == 1 else "ivory") for at in range(3))
    )
    for with_coloured, chosen in ((True, [True, True, False]), (False, [True, False, True])):
        turn = open_throw(1, 1, 1, aside=(1, 1), coloured=1, with_coloured=with_coloured)
        lying = Order().lying(view(turn, eye))
        assert [spot.wild for spot in lying.spots] == [False, True, False]
        assert [spot.chosen for spot in lying.spots] == chosen


def test_dice_kept_before_are_drawn_in_the_colours_seen_on_the_rail() -> None:
    eye = EyeView("read", "", (*dice(2, 3), *dice(1, zone="rail", x=700)))
    lying = Order().lying(view(Turn(0, kept=(1, 5), dice_left=4), eye))
    assert [(spot.value, spot.colour) for spot in lying.kept] == [(1, "red"), (5, "")]


def test_a_learned_colour_has_pips_that_stand_out() -> None:
    assert paint("#FFFFFF") == ("#ffffff", "#1c241f")
    assert paint("#101010") == ("#101010", "#fbf7ec")
    assert paint("no such colour") == paint("ivory")
    assert [turned(angle) for angle in (0, 20, 45, 70)] == [0, 7, 16, -7]


# What is shown, and to whom.


def test_the_points_of_an_open_throw_are_the_best_it_can_bring() -> None:
    hoped = shown(view(open_throw(1, 1, 5, 2, score=300)), Order().lying(view()))
    assert (hoped.points, hoped.hoped) == (550, True)
    chosen = shown(view(open_throw(1, 1, 5, 2, score=350, aside=(5,))), Order().lying(view()))
    assert (chosen.points, chosen.hoped) == (350, False)
    assert [(one.score, one.kept) for one in chosen.choices] == [(250, False), (200, False), (50, True)]


def test_moves_belong_to_the_seat_of_the_player_or_to_all_when_they_have_none() -> None:
    own = shown(view(Turn(0)), Order().lying(view()))
    assert (own.mover, own.everyone) == ("s1", "s1 s2")
    shared = shown(view(Turn(1), players=(Standing("Ann", "s1"), Standing("Bo", None))), Order().lying(view()))
    assert (shared.mover, shared.everyone) == ("*", "*")
    assert shown(view(None), Order().lying(view())).mover == "-"


# What is called out.


def test_a_throw_a_farkle_and_the_next_turn_are_called_once() -> None:
    before, now = view(Turn(0)), view(open_throw(1, 1, 5, 2), seq=2)
    assert calls(before, now) == ("Thrown: 1 1 2 5.",)
    assert calls(now, now) == ()
    after = view(Turn(1), seq=3, notes=("Ann left the tray.",))
    assert calls(now, after) == ("Ann left the tray.", "Bo to throw.")


def test_a_win_and_a_doubt_are_called() -> None:
    won = view(None, seq=2, board={"winner": 0, "winners": (0,)})
    assert calls(view(Turn(0)), won) == ("Ann wins with 0.",)
    unsure = view(Turn(0), EyeView("unsure", "One die is leaning."), seq=2)
    assert calls(view(Turn(0)), unsure) == ("Unsure. One die is leaning.",)


# Over HTTP: the stream of a page, and the board for pages that poll.


def board_stream(house: House, query: str = "board=play") -> Stream:
    return Stream(house.port, f"/events?{query}")


def test_a_page_gets_the_whole_board_and_then_what_has_changed(house: House) -> None:
    stream = board_stream(house)
    first = stream.event("board")["data"]
    assert set(first["sections"]) == set(KINDS["play"])
    assert first["from"] is None
    start(house.phone("Ann"), "Ann", "Bo")
    second = stream.event("board")["data"]
    assert second["from"] == first["id"]
    assert re.search(r'id="player">.*Ann</h1>', second["sections"]["turn"])
    assert "banners" not in second["sections"]
    # Where the place to tell a throw by hand says it, it is not said a second time.
    assert "The camera is starting." in second["sections"]["doubt"]
    assert "The camera is starting." not in second["sections"]["eye"]
    assert second["call"] == "Ann to throw."
    stream.close()


def test_the_big_screen_has_nothing_to_tap(house: House) -> None:
    start(house.phone("Ann"), "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    stream = board_stream(house, "board=tv")
    sections = stream.event("board")["data"]["sections"]
    assert "<button" not in "".join(sections.values())
    assert "option-score" in sections["turn"]
    stream.close()


def test_a_page_that_missed_nothing_is_sent_nothing(house: House) -> None:
    stream = board_stream(house)
    at = stream.event("board")["id"]
    stream.close()
    again = board_stream(house, f"board=play&last={at}")
    assert again.event()["event"] == "beat"
    again.close()


def test_a_board_is_drawn_once_whoever_looks(house: House) -> None:
    boards = Boards(house.app, lambda name: name, "code", False, Forecasts(None))
    here = house.table.view()
    assert boards.of(here, "play") is boards.of(here, "play")
    first, second = boards.of(here, "play"), boards.of(here, "tv")
    assert boards.told(first, None) is boards.told(first, None)
    assert first is not second


def test_a_page_that_polls_gets_what_has_changed_and_nothing_twice(house: House) -> None:
    ann = house.phone("Ann")
    at = ann.get("/board/play").json["id"]
    assert ann.get(f"/board/play?last={at}").status == 204
    start(ann, "Ann", "Bo")
    changed = ann.get(f"/board/play?last={at}").json
    assert (changed["from"], changed["call"]) == (at, "Ann to throw.")
    assert ann.get("/board/play?last=nonsense").json["from"] is None
    assert ann.get("/board/garden").status == 404


def test_the_page_comes_with_the_board_drawn(house: House) -> None:
    ann = house.phone("Ann")
    start(ann, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    page = ann.get("/play").text
    assert re.search(r'id="player">.*Ann</h1>', page)
    assert len(re.findall(r'<button type="button" class="spot', page)) == 6
    assert f'data-at="{house.table.view().epoch}-{house.table.view().seq}~"' in page


# The form of a new game.


def form(phone: Any, act: str = "", **filled: Any) -> str:
    pairs = [
        (name, value) for name, values in filled.items() for value in (values if isinstance(values, list) else [values])
    ]
    body = "&".join(f"{name}={value}" for name, value in [*pairs, ("act", act)])
    answer = phone.ask("POST", "/start", body, Content_Type="application/x-www-form-urlencoded")
    assert answer.status == 200, answer.text
    return str(answer.text)


def asked(text: str) -> Any:
    found = re.search(r"data-game='([^']*)'", text)
    assert found
    return json.loads(found[1])


def test_the_form_begins_with_who_sits_here(house: House) -> None:
    ann = house.phone("Ann")
    assert [name for name in asked(form(ann))["players"]] == [house.room.seats()[0].id]


def test_players_are_added_moved_and_taken_off_the_list(house: House) -> None:
    ann = house.phone("Ann")
    filled: Any = {"offered": "farkle", "player": ["Ann", "Bo"], "seat": ["", ""]}
    assert asked(form(ann, "add:Cleo", **filled))["players"] == ["Ann", "Bo", "Cleo"]
    assert asked(form(ann, "up:1", **filled))["players"] == ["Bo", "Ann"]
    assert asked(form(ann, "away:0", **filled))["players"] == ["Bo"]
    assert asked(form(ann, "away:7", **filled))["players"] == ["Ann", "Bo"]
    assert "bo is on the list already." in form(ann, "add:bo", **filled)


def test_who_sits_at_the_table_is_offered_and_added_with_their_seat(house: House) -> None:
    ann = house.phone("Ann")
    house.phone("Bo")
    assert 'aria-label="Add Bo"' in form(ann)
    seat = next(seat.id for seat in house.room.seats() if seat.name == "Bo")
    assert seat in asked(form(ann, "add:bo"))["players"]


def test_a_team_game_says_who_plays_with_whom_and_who_is_missing(house: House) -> None:
    text = form(
        house.phone("Ann"), offered="farkle", rules="team-farkle", player=["Ann", "Bo", "Cleo"], seat=["", "", ""]
    )
    assert "Team 1: Ann and Cleo. Team 2: Bo. 2 equal teams: add 1 player more." in text


def test_another_game_offered_by_the_tray_is_chosen(house: House) -> None:
    ann = house.phone("Ann")
    assert asked(form(ann, offered="dice-10000", rules="dice-10000"))["rules"] == house.table.view().offered
    assert asked(form(ann, offered="farkle", rules="dice-10000"))["rules"] == "dice-10000"


def test_changed_rules_go_along_with_the_form(house: House) -> None:
    card = {"title": "Ours", "rules": {"base": "farkle", "name": "Ours"}, "teams": 0, "target": 500, "notes": []}
    text = form(house.phone("Ann"), offered="farkle", rules="changed", changed=json.dumps(card))
    assert asked(text)["rules"] == card["rules"]
    assert "Ours" in text
    named = form(house.phone("Bo"), offered="farkle", rules="changed", changed=json.dumps({"name": "dice-10000"}))
    assert asked(named)["rules"] == "dice-10000"


def test_each_page_is_told_its_board_in_its_own_language(house: House) -> None:
    ann, bo = house.phone("Ann"), house.phone("Bo")
    start(ann, "Ann", "Bo")
    german = {"Accept_Language": "de"}
    before = ann.get("/board/play").json["id"]
    assert bo.get("/board/play", **german).json["id"] == before
    house.settle(1, 1, 5, 2, 3, 4)
    told = bo.get(f"/board/play?last={before}", **german).json
    assert (told["call"], "bestenfalls" in told["sections"]["turn"]) == ("Geworfen: 1 1 2 3 4 5.", True)
    assert ann.get(f"/board/play?last={before}").json["call"] == "Thrown: 1 1 2 3 4 5."
    stream = Stream(house.port, "/events?board=play", **german)
    assert "bestenfalls" in stream.event("board")["data"]["sections"]["turn"]
    stream.close()


# Chances and advice.


def test_the_chances_of_two_are_told_as_they_are_and_those_of_more_make_up_one() -> None:
    two = chances(Outlook(wins=(0.3, 0.7)), view(Turn(0)).game.board)  # type: ignore[union-attr]  # it has one
    assert [(one.names, one.percent, one.begins) for one in two] == [(("Bo",), 70, 0.0), (("Ann",), 30, 70.0)]
    three = Scoreboard("farkle", 10_000, "playing", tuple(Standing(name, None) for name in "ABC"), Turn(0))
    assert [one.percent for one in chances(Outlook(wins=(0.5, 0.5, 0.5)), three)] == [33, 33, 33]
    assert chances(Outlook(wins=(None, None, None)), three) == ()
    assert chances(Outlook(wins=(1.0, 0.0, 0.0)), three)[0].percent == 100


def test_the_best_play_is_one_sentence() -> None:
    hand, turn = Hand(3), open_throw(1, 1, 5, 2)
    stay, go = Worth(250.0, 0.5), Worth(420.4, 0.525)
    play = Play(Option((1, 1), 200), hand, stay, go, "throw", go)
    assert best(Outlook(plays=(play,)), turn) == "Best: set aside 1 1, then throw."
    assert worth(play) == "Throwing wins 52.5 %, banking 50.0 %."
    blind = replace(play, bank=Worth(250.0), throw=Worth(420.4))
    assert worth(blind) == "Throwing is worth 420, banking 250."
    assert worth(replace(play, bank=None)) is None
    assert best(Outlook(plays=(replace(play, option=None, then="bank"),)), Turn(0)) == "Best: bank."
    assert risk(Outlook(farkle=0.157)) == "farkle next 15.7 %"


class Slow:
    """An oddsmaker that is told when to be done."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked: list[int] = []

    def outlook(self, view: View) -> Outlook:
        self.asked.append(view.rev)
        assert self.go.wait(10)
        return Outlook(farkle=view.rev / 100)


def test_no_board_waits_for_its_odds_and_only_the_last_asked_for_are_worked_out() -> None:
    slow = Slow()
    forecasts = Forecasts(slow)
    for seq in (1, 2, 3):
        assert forecasts.of(view(Turn(0), seq=seq)) == (False, Outlook())
    slow.go.set()
    for _ in range(500):
        ready, found = forecasts.of(view(Turn(0), seq=3))
        if ready:
            break
        threading.Event().wait(0.01)
    assert (ready, found.farkle) == (True, 0.03)
    assert 2 not in slow.asked


def test_a_page_gets_its_odds_when_they_are_there(tmp_path: Path) -> None:
    slow = Slow()
    with ExitStack() as parts:
        house = house_in(tmp_path, parts, oddsmaker=slow)
        stream = board_stream(house)
        stream.event("board")
        start(house.phone("Ann"), "Ann", "Bo")
        first = stream.event("board")["data"]
        assert "odds" not in first["sections"]
        slow.go.set()
        second = stream.event("board")["data"]
        assert (second["from"], set(second["sections"])) == (first["id"], {"odds"})
        assert "farkle next 1.0 %" in second["sections"]["odds"]
        stream.close()


# A doubt.


@pytest.mark.parametrize(
    ("proposed", "likely", "answers"),
    [
        ((2, None, 4), (5, 2), [(2, 4, 5), (2, 2, 4)]),
        ((2, 5, 4), (5, 2), [(2, 4, 5), (2, 2, 4)]),
        ((2, None, None), (5, 2), []),
        ((2, None, 4), (), []),
        ((2, 3, 4), (5, 2), []),
    ],
)
def test_a_doubt_about_one_die_is_settled_with_one_tap(
    proposed: tuple[int | None, ...], likely: tuple[int, ...], answers: list[tuple[int, ...]]
) -> None:
    game = view(Turn(0, dice_left=3), doubts=(Doubt("value", 1, 1, "Which?", likely),), proposed=proposed).game
    assert game is not None
    assert [answer.values for answer in answers_to(game)] == answers


def test_two_phones_that_answer_at_once_count_once(house: House) -> None:
    ann, bo = house.phone("Ann"), house.phone("Bo")
    start(ann, "Cleo", "Dora")
    house.table.eye_lost("The ribbon is loose.")
    rev = house.table.view().rev
    told = [
        phone.post("games/current/throws", {"values": [1, 1, 1, 2, 3, n], "rev": rev})
        for n, phone in ((4, ann), (6, bo))
    ]
    assert [answer.status for answer in told] == [200, 409]
    assert house.table.view().rev == rev + 1

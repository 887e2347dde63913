"""What a die that is asked about may show: the likeliest values, from the reader's own alternatives."""

from rendered import Rendered, throws

from vision.seen import SeenDie
from vision.together import either

# Most of their throws have a die that leans or cannot be read.
SESSIONS = ("b19", "b39")


def test_a_die_that_is_asked_about_nearly_always_shows_one_of_the_two_likeliest_values(rendered: Rendered) -> None:
    asked, right = 0, 0
    for label in (label for session in SESSIONS for label in throws(session) if label["n_cocked"]):
        reading = rendered.reading(label["file"])
        for die in reading.dice:
            assert 1 <= len(die.likely) == len(set(die.likely)) <= 2
            assert set(die.likely) <= set(range(1, 7))
        for doubt in reading.doubts:
            places = {
                abs(die["centre_px"][0] - doubt.x) + abs(die["centre_px"][1] - doubt.y): die for die in label["dice"]
            }
            die = places[min(places)]
            if min(places) < 40 and doubt.likely:
                asked += 1
                # Of a leaning die what it nearly shows.
                right += (die["value"] or die["near_value"]) in doubt.likely
    assert asked >= 4
    assert right >= asked - 1


def test_a_die_read_as_two_values_offers_both() -> None:
    die = SeenDie(5, 50.0, 50.0, 20.0)
    assert either(die, 6).likely == (5, 6)
    assert either(die, None).likely == (5,)

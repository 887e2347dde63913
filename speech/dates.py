"""Days and hours as people write them."""

from datetime import date, datetime

from speech.sentence import Sentence, say, say_as

MONTHS = (
    say_as("month", "January"),
    say_as("month", "February"),
    say_as("month", "March"),
    say_as("month", "April"),
    say_as("month", "May"),
    say_as("month", "June"),
    say_as("month", "July"),
    say_as("month", "August"),
    say_as("month", "September"),
    say_as("month", "October"),
    say_as("month", "November"),
    say_as("month", "December"),
)


def day(at: date) -> Sentence:
    """ "3 May 2026"."""
    return say("{day} {month} {year}", day=at.day, month=MONTHS[at.month - 1], year=at.year)


def minute(at: datetime) -> Sentence:
    """ "3 May 2026, 19:05"."""
    return say("{date}, {time}", date=day(at), time=f"{at:%H:%M}")

"""Tables as CSV. A name is whatever somebody typed, here or at another tray: no spreadsheet takes one for a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

# What spreadsheets take for the beginning of a formula, after spaces too.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A line for the columns' names and one a row, each ended as RFC 4180 has it."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(columns)
    lines.writerows([_harmless(value) for value in row] for row in rows)
    return text.getvalue()


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA) else value

"""Tables that a spreadsheet opens."""

import csv
import io

import pytest

from web.rows import as_csv


@pytest.mark.parametrize("evil", ["=1+1", " =1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", "  @A1"])
def test_what_somebody_typed_is_no_formula_in_a_spreadsheet(evil: str) -> None:
    _, row = csv.reader(io.StringIO(as_csv(("name",), [(evil,)]), newline=""))
    assert row == [f"'{evil}"]


def test_numbers_and_plain_names_stay_as_they_are() -> None:
    assert as_csv(("name", "points"), [("Ann = me", -5), ("Bo", None)]) == "name,points\r\nAnn = me,-5\r\nBo,\r\n"

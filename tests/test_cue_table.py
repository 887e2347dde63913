"""The tables of cues in firmware/README.md are those of the code."""

from pathlib import Path

import pytest

from firmware.cue_table import BEGIN, END, cue_table, renewed
from firmware.errors import BadInput
from web.cues import LASTING, MOMENTS

README = Path(__file__).parents[1] / "firmware" / "README.md"


def test_the_readme_holds_the_cues_of_the_code() -> None:
    readme = README.read_text(encoding="utf-8")
    assert renewed(readme) == readme, "run: make cues"


@pytest.mark.parametrize("name", [*LASTING, *MOMENTS])
def test_every_cue_has_its_line(name: str) -> None:
    assert f"| {name} |" in cue_table()


def test_a_readme_without_a_place_for_them_is_refused_with_the_cure() -> None:
    with pytest.raises(BadInput, match="put the lines"):
        renewed("# firmware")
    assert renewed(f"a{BEGIN}old{END}z") == f"a{BEGIN}\n{cue_table()}\n{END}z"

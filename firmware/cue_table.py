"""The cues as a table in README.md, made from `web/cues.py`. `make cues` renews it in a checkout."""

import sys
from pathlib import Path

from firmware.errors import BadInput
from web.cues import LASTING, MOMENTS, Cue

BEGIN = "<!-- cues: made from web/cues.py by `make cues`; change that, not this -->"
END = "<!-- end of cues -->"
BAR_WORDS = {"up": "fills", "down": "empties", "beat": "beats along"}


def cue_table() -> str:
    """Both kinds of cues in Markdown, in their order."""
    return "\n".join(
        [
            "| what lasts | word | colour | rhythm | sound, once | when |",
            "|---|---|---|---|---|---|",
            *(_row(cue) for cue in LASTING.values()),
            "",
            "| played once | word | colour | rhythm | sound | when |",
            "|---|---|---|---|---|---|",
            *(_row(cue) for cue in MOMENTS.values()),
        ]
    )


def renewed(readme: str) -> str:
    """The README with the tables between its two markers made anew. Raises `BadInput` without markers."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BadInput(f"The README has no place for the cues: put the lines {BEGIN} and {END} into it.")
    return f"{before}{BEGIN}\n{cue_table()}\n{END}{after}"


def _row(cue: Cue) -> str:
    tones = " ".join("-" if hz == 0 else str(hz) for hz in cue.notes)
    along = [*([f"the bar {BAR_WORDS[cue.bar]}"] if cue.bar else []), *(["BANK beats along"] if cue.bank else [])]
    when = "; ".join([cue.when, *along])
    return f"| {cue.name} | {cue.word} | `{cue.colour}` | {cue.rhythm} | {f'{tones} Hz' if tones else ''} | {when} |"


def main() -> int:
    readme = Path(__file__).with_name("README.md")
    if not readme.exists():
        sys.stderr.write("There is no README.md here: run this in a checkout of the project.\n")
        return 2
    readme.write_text(renewed(readme.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

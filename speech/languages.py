"""The languages that this tray speaks: English, and one for each catalogue that lies beside this file."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from speech.catalogue import ENGLISH, Catalogue, read

FOLDER = Path(__file__).with_name("catalogues")


@cache
def shipped() -> Mapping[str, Catalogue]:
    """By code, English first."""
    found = [read(path.stem, path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.po"))]
    return {each.code: each for each in (ENGLISH, *found)}

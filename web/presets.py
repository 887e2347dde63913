"""The rules that the start form offers."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    title: str


def offered(names: Sequence[str]) -> tuple[Preset, ...]:
    return tuple(Preset(name, name.replace("_", " ").capitalize()) for name in names)

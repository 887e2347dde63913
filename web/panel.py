"""The panel of the box as a page draws it: each lamp plays what the real one would, by SVG's own clock. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from web.cues import BAR, LASTING, MOMENTS, Cue, Step, played, repeated
from web.view import PanelView

DARK, LIT = "#120b05", "#ffe9a8"


@dataclass(frozen=True, slots=True)
class Blink:
    """Colours in turn, for SVG's `animate`: `colours` and `times` (shares of `s`, the first is 0) go together.
    `begin_s`: after the lamp was drawn. `again`: for ever, else once."""

    colours: tuple[str, ...]
    times: tuple[float, ...]
    s: float
    begin_s: float
    again: bool


@dataclass(frozen=True, slots=True)
class Lamp:
    """`rest`: the colour where nothing may move. `blinks`: what is played, one after another."""

    rest: str
    blinks: tuple[Blink, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """`cue`, `moment`: what it says. `bar`: the first lamp first."""

    cue: Cue | None
    moment: Cue | None
    status: Lamp
    bar: tuple[Lamp, ...]
    bank: Lamp


def drawing(panel: PanelView) -> Drawing:
    cue = LASTING.get(panel.cue)
    moment = MOMENTS.get(panel.moment or "") or LASTING.get(panel.moment or "")
    once = () if moment is None else played(moment)
    again = () if cue is None else repeated(cue)

    def lamp(rest: str, first: Callable[[Step], str], then: Callable[[Step], str]) -> Lamp:
        blinks = (_blink(once, first, 0.0, False), _blink(again, then, _length_s(once), True))
        return Lamp(rest, tuple(blink for blink in blinks if blink is not None))

    def of_bar(number: int) -> Lamp:
        rest = _lit(number < panel.dice_left)
        return lamp(
            rest, lambda step: rest if step.dice_left is None else _lit(number < step.dice_left), lambda _: rest
        )

    bank = _lit(panel.bank)
    return Drawing(
        cue,
        moment,
        lamp(panel.status, _shining(moment), _shining(cue)),
        tuple(of_bar(number) for number in range(BAR)),
        lamp(bank, lambda step: bank if step.bank is None else _lit(step.bank), lambda _: bank),
    )


def _shining(cue: Cue | None) -> Callable[[Step], str]:
    return lambda step: cue.colour if cue is not None and step.lit else DARK


def _lit(lit: bool) -> str:
    return LIT if lit else DARK


def _length_s(steps: Sequence[Step]) -> float:
    return sum(step.s for step in steps)


def _blink(steps: Sequence[Step], look: Callable[[Step], str], begin_s: float, again: bool) -> Blink | None:
    """None where nothing changes that would have to be played."""
    colours = tuple(look(step) for step in steps)
    if len(set(colours)) < 2:
        return None
    whole_s = _length_s(steps)
    times = tuple(round(_length_s(steps[:at]) / whole_s, 4) for at in range(len(steps)))
    return Blink(colours, times, round(whole_s, 2), round(begin_s, 2), again)

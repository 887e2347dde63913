"""What eye, panel and the rest of the box tell the table, taken into what is now. Pure: nothing here is a move."""

from dataclasses import replace
from typing import Any

from firmware.inbox import Banner, Calibrating, Lies, Note, PanelIs, Reached, State
from firmware.link import Drifted, Lost, Offered, Opened, Using
from firmware.present import WORDS, Present
from web.view import Closeups, OtherDice


def taken_in(present: Present, message: State) -> Present:
    match message:
        case Lost(text):
            return _eye(present, state="camera-lost", text=text or WORDS["camera-lost"])
        case Opened(width, height):
            return _eye(present, width=width, height=height)
        case Using(faces):
            return _eye(present, faces=faces)
        case Drifted(drifts):
            return _eye(present, drifts=drifts)
        case Offered(slug, name):
            return _eye(present, other=OtherDice(slug, name) if slug else None)
        case Lies(dice):
            return present.lay_so(dice)
        case Closeups():
            return present.looked_at(message)
        case Banner(text):
            return present.with_banner(text)
        case Note(text):
            return replace(present, notes=(*present.notes, text))
        case PanelIs(factory, troubles):
            return replace(present, panel=factory, panel_troubles=troubles)
        case Calibrating(step):
            return present.calibrating(step)
        case Reached(url, hint):
            return replace(present, url=url, unreached=hint)


def _eye(present: Present, **changes: Any) -> Present:
    return replace(present, eye=replace(present.eye, **changes))

"""A calibration at the terminal: the same steps as on the page, led by sentences and answered at the keyboard."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from calibration import coach, learn, study
from calibration.asked import Meaning, Unnamed, answered, check, meaning
from calibration.course import Calibration
from calibration.deeds import (
    Answered,
    Begun,
    Confirmed,
    Denied,
    Event,
    KeepStill,
    Learn,
    Learnt,
    Looked,
    Named,
    NotLearnt,
    Order,
    Rolled,
    Save,
    StillKept,
    Studied,
    Study,
    Taken,
    TryOut,
)
from calibration.guide import says
from calibration.rolled import rolled
from calibration.tray import Where
from calibration.wizard import follow
from firmware.coaching import LOOK_S
from firmware.drivers import Camera
from firmware.errors import BadInput
from firmware.lessons import EMPTY
from vision.dice_set import Roll
from vision.errors import VisionError
from vision.frame import Frame, Image
from vision.glance import Grey, glance
from vision.profile import Profile
from vision.watcher import Read, Watcher

FRAME_S = 2.0


@dataclass(frozen=True, slots=True)
class Talk:
    """`say`: a line for the owner. `ask`: a question, and what was typed. `progress`: of learning, 0-1."""

    say: Callable[[str], object]
    ask: Callable[[str], str]
    progress: Callable[[float], object]


class AtTerminal:
    """Owned by one thread, which also owns the camera. `made`: the date, `version`: of the program, `size_mm`: of the
    dice; all kept in the profile."""

    def __init__(self, camera: Camera, read: Read, talk: Talk, made: str, version: str, size_mm: float) -> None:
        self._camera, self._read, self._talk = camera, read, talk
        self._made, self._version, self._size_mm = made, version, size_mm
        self._now = Calibration()
        self._stills: dict[str, Image] = {}
        self._before: Grey | None = None
        self._looked_s, self._said = -LOOK_S, ""
        self._draft: Profile | None = None
        self._watcher = Watcher(None, read)

    def calibrate(self) -> Profile:
        """Lead through all steps. Raises `BadInput` when it comes to nothing, or `CameraLost`."""
        self._happens(Begun(), self._camera.read(FRAME_S))
        while self._now.under_way:
            frame = self._camera.read(FRAME_S)
            self._see(frame)
            self._tell(frame)
        if self._now.step != "named" or self._draft is None:
            raise BadInput(self._now.reason or "The calibration was not finished: begin again.")
        rolls = tuple(Roll(roll.values, roll.sure, roll.least) for roll in self._now.rolls)
        learned = replace(self._draft.learned, name=self._now.name, camera=self._camera.name)
        return replace(self._draft, rolls=rolls, learned=learned)

    def _see(self, frame: Frame) -> None:
        if self._now.step == "rolls":
            for happening in self._watcher.see(frame):
                if happening.roll is not None and happening.kind in ("settled", "unsure"):
                    height, width = frame.image.shape[:2]
                    sight = rolled(happening.dice, happening.doubts, self._now.count, width, height)
                    self._happens(Rolled(sight, happening.kind == "settled"), frame)
        elif frame.at_s - self._looked_s >= LOOK_S:
            self._looked_s = frame.at_s
            empty = self._stills.get(EMPTY) if self._now.step == "dice" else None
            sight, self._before = coach.look(frame.image, self._before, None if empty is None else glance(empty))
            self._happens(Looked(sight), frame)

    def _happens(self, event: Event, frame: Frame) -> None:
        self._now, orders = follow(self._now, event, frame.at_s)
        for order in orders:
            for following in self._done(order, frame):
                self._happens(following, frame)

    def _done(self, order: Order, frame: Frame) -> tuple[Event, ...]:
        match order:
            case KeepStill(name):
                self._stills[name] = frame.image.copy()
                return (StillKept(name),)
            case Study(name, count, tray, rail):
                if name == EMPTY:
                    return (Studied(name, study.empty(self._stills[name])),)
                where = Where(tray, rail)
                return (Studied(name, study.dice(self._stills[EMPTY], self._stills[name], where, count, self._read)),)
            case Learn():
                return (self._learnt(order),)
            case TryOut():
                self._watcher = Watcher(self._draft, self._read)
            case Save():
                self._talk.say("Every die of three rolls was read right.")
        return ()

    def _learnt(self, order: Learn) -> Learnt | NotLearnt:
        empty, *dice = (self._stills[name] for name in order.stills)
        try:
            lesson = learn.build(
                empty,
                dice,
                self._size_mm,
                made=self._made,
                version=self._version,
                read=self._read,
                where=Where(order.tray, order.rail),
                told=self._talk.progress,
                answers=order.answers,
            )
        except VisionError as error:
            return NotLearnt(str(error))
        self._draft = lesson.profile
        return Learnt(lesson.profile.kinds, sum(kind.count for kind in lesson.profile.kinds), lesson.unnamed)

    def _tell(self, frame: Frame) -> None:
        """Say what is to be done when that changes, and ask what only the owner knows."""
        now = self._now
        if now.step == "tray":
            found = now.tray is not None
            self._talk.say(
                "The floor of the tray was found." if found else "No floor was found: all that is seen counts."
            )
            return self._happens(Taken(), frame)
        if now.step == "faces":
            return self._happens(self._answers(), frame)
        if now.step == "passed":
            return self._happens(Named(self._talk.ask(f"Name of these dice [{now.name}]: ").strip() or now.name), frame)
        for number, roll in enumerate(now.rolls, 1):
            if now.step == "rolls" and roll.confirmed is None:
                return self._judge(number, roll.values, frame)
        line = now.hints[0].text if now.hints else says(now)[1]
        if line != self._said:
            self._said = line
            self._talk.say(line)

    def _answers(self) -> Answered | Taken:
        """What each face without pips stands for; one more picture when one is missing."""
        self._talk.say(says(self._now)[1])
        faces = tuple(self._face(number, one) for number, one in enumerate(self._now.unnamed, 1))
        try:
            check((*self._now.answers, *answered(self._now.unnamed, faces)))
        except VisionError as error:
            self._talk.say(str(error))
            return Taken()
        return Answered(faces)

    def _face(self, number: int, one: Unnamed) -> Meaning | None:
        image, x, y = one.places[0]
        where = f"Face {number}, in dice picture {image + 1} at {x:.0f}, {y:.0f}"
        while True:
            typed = self._talk.ask(f"{where}: 1 to 6, or 9, 10, J, Q, K, A; Enter when it is no face: ").strip()
            try:
                return meaning(typed) if typed else None
            except VisionError as error:
                self._talk.say(str(error))

    def _judge(self, number: int, values: tuple[int, ...], frame: Frame) -> None:
        shown = " ".join(map(str, values))
        typed = self._talk.ask(f"Roll {number} shows {shown}. Enter if that is right, else what it shows: ")
        told = tuple(sorted(int(digit) for digit in typed if digit in "123456"))
        right = not typed.strip() or typed.strip().lower() in ("y", "yes") or told == values
        self._happens(Confirmed(number) if right else Denied(number, told), frame)

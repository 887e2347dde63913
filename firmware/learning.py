"""The learning process, `python -m firmware.learning`: studies the pictures of a calibration, and learns from them.

It gives way to the eye and the pages. Over a pipe it gets `Lessons` first, then orders to `Study` and to `Learn`,
and it answers with what then happens (`calibration.deeds`). When the pipe closes, it ends.
"""

import contextlib
import os
import sys
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import cv2

from calibration import learn, store, study, weights
from calibration.deeds import Learn, Learnt, NotLearnt, Progressed, Studied, Study
from calibration.redrawn import Shown
from calibration.sight import Sight
from calibration.tray import Where
from firmware import memory
from firmware.drivers.pictures import read_picture
from firmware.errors import StickmanError
from firmware.files import write_whole
from firmware.jpegs import large_jpeg
from firmware.lessons import DRAFT, EMPTY, Lessons, face_name, still
from speech.sentence import say
from vision.errors import VisionError
from vision.frame import Frame
from vision.seen import Reading
from vision.watcher import Read


def teach(lessons: Lessons, link: Connection) -> None:
    """Answer until the pipe closes."""
    folder, read = Path(lessons.folder), weights.reading()
    while True:
        order = link.recv()
        try:
            if isinstance(order, Study):
                link.send(Studied(order.name, _studied(folder, order, read)))
            elif isinstance(order, Learn):
                link.send(_learnt(lessons, order, read, link))
        except (VisionError, StickmanError) as error:
            link.send(NotLearnt(str(error)))
        except (OSError, cv2.error, ValueError, ArithmeticError) as error:
            link.send(
                NotLearnt(say("The pictures could not be learned from ({error}): begin again.", error=str(error)))
            )


def _studied(folder: Path, order: Study, read: Read) -> Sight:
    image = read_picture(still(folder, order.name))
    if order.name == EMPTY:
        return study.empty(image)
    where = Where(order.tray, order.rail)
    return study.dice(read_picture(still(folder, EMPTY)), image, where, order.count, read)


def _learnt(lessons: Lessons, order: Learn, read: Read, link: Connection) -> Learnt:
    folder = Path(lessons.folder)
    rolls = [Shown(read_picture(still(folder, one.still)), one.values) for one in order.rolls]
    empty, *dice = [read_picture(still(folder, name)) for name in order.stills]
    lesson = learn.build(
        empty,
        dice,
        made=lessons.made,
        version=lessons.version,
        read=read,
        where=Where(order.tray, order.rail),
        told=lambda share: link.send(Progressed(share)),
        answers=order.answers,
        rolls=rolls,
    )
    unlike = sum(_told(read(Frame(roll.image), lesson.profile)) != tuple(sorted(roll.values)) for roll in rolls)
    if not (order.passed and unlike):
        store.save(lesson.profile, folder / DRAFT)
    for number, one in enumerate(lesson.unnamed, 1):
        write_whole(folder / f"{face_name(number)}.jpg", large_jpeg(one.picture))
    kinds = tuple(replace(kind, emblems=()) for kind in lesson.profile.kinds)  # the table has no use for pictures
    return Learnt(kinds, sum(kind.count for kind in kinds), lesson.unnamed, unlike)


def _told(reading: Reading) -> tuple[int, ...]:
    """As a test roll is told: with what lies on the rail."""
    return tuple(sorted(die.value for die in reading.dice if die.value is not None and die.zone != "outside"))


def main(descriptor: int) -> None:
    link = Connection(os.dup(descriptor))
    os.close(descriptor)
    cv2.setNumThreads(1)
    memory.keep_small()
    with contextlib.suppress(OSError):
        os.nice(5)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        teach(link.recv(), link)


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""A close look at a picture that was kept: the outline of the tray in an empty one, the dice in one of dice."""

from dataclasses import replace

import cv2
import numpy as np

from calibration import belong, learn, markers
from calibration import camera as cameras
from calibration import tray as trays
from calibration.learn import Lesson
from calibration.rolled import EDGE, around, number
from calibration.sight import Hint, Sight
from calibration.tray import Where
from speech.sentence import say
from vision import places
from vision.dice_set import Kind
from vision.errors import VisionError
from vision.frame import Image
from vision.glance import changes, coloured, glance, shrinks, tinted
from vision.polygon import Polygon
from vision.presence import Altered, reaching
from vision.profile import SHRINK, Profile, shrunk
from vision.seen import Reading, SeenDie
from vision.watcher import Read

# A die larger than this share of the picture's width is something else.
_LARGEST = 0.2
_BLOWN = 250
# A gleam hides pips when its edge is longer than this share of the picture's width.
_GLEAM = 0.02
# Edges between the middles of dice that lie apart; of two that touch side by side it is 1.
_APART = 1.12
# Of a place that is not read: with so much of it blown out a gleam is the reason.
_GLARING = 0.15

_WHY = {
    "cocked": say("This die leans, or touches something: lay it flat."),
    "stacked": say("This die lies on another one: lay it beside it."),
    "partly-out": say("This die is partly out of the picture: move it inwards."),
    "count": say("What lies here is not read as a die: lay it flat, away from the others, or take it out."),
    "strange": say("The tray does not look as it did when it was empty: put light and camera back, or begin again."),
}
_NO_DICE = say("There are no dice in the tray yet.")
_GLEAMS = say("A lamp is mirrored here: move the lamp, or shade it.")


def empty(image: Image) -> Sight:
    """The outlines, and what should not be in a picture of the empty tray."""
    height, width = image.shape[:2]
    marked = markers.outline(image)
    where = Where(marked, None) if marked else trays.find(image, [], [], _guessed(width, height), rail=True)
    hints = (*_dice_left(image, where), *_gleams(image, where))
    return Sight(width, height, True, hints, (), where.tray, where.rail, marked is not None)


def dice(bare: Image, image: Image, where: Where, count: int, read: Read) -> Sight:
    """The dice, read with what this picture alone teaches, and what keeps it from teaching well.

    `bare`: of the empty tray. `count`: dice that should lie there, 0 when that is not known."""
    height, width = image.shape[:2]
    try:
        belong.one_tray(bare, image, (belong.EMPTY, say("this picture")))
    except VisionError as error:
        return Sight(width, height, True, (Hint("moved", str(error)),))
    try:
        lesson = learn.build(bare, [image], read=read, where=where)
    except VisionError as error:
        lies = _lying(bare, image)
        hints = (Hint("strange", str(error)), *lies) if lies else (Hint("too-few", _NO_DICE),)
        return Sight(width, height, True, hints)
    reading, edge = _with_bare(lesson), lesson.profile.slip_px
    if not reading.dice or max(die.size for die in reading.dice) > _LARGEST * width:
        return Sight(width, height, True, _lying(bare, image) or (Hint("too-few", _NO_DICE),))
    doubts = _doubts(image, reading, edge)
    # Dice that touch teach as well as others, when they are read.
    hints = (*_reaching(bare, image, reading), *(touching(reading.dice) if doubts else ()), *doubts)
    return Sight(width, height, True, (*hints, *number(reading.dice, count, bool(hints))), reading.dice)


def _with_bare(lesson: Lesson) -> Reading:
    """What was read, and as dice without a value the faces without pips, that are asked about later."""
    reading, edge = lesson.readings[0], float(lesson.profile.looks.edge_px[0])
    at = [(x, y) for one in lesson.unnamed for _, x, y in one.places]
    if len(at) == 1 and not reading.dice:
        return reading  # a single thing without pips is rather no die

    def elsewhere(x: float, y: float) -> bool:
        return all(np.hypot(x - u, y - v) > _APART * edge / 2 for u, v in at)

    faces = (SeenDie(None, x, y, edge, confidence=0.0) for x, y in at)
    dice_ = (*(die for die in reading.dice if elsewhere(die.x, die.y)), *faces)
    return replace(reading, dice=dice_, doubts=tuple(doubt for doubt in reading.doubts if elsewhere(doubt.x, doubt.y)))


def _guessed(width: int, height: int) -> Profile:
    """Before any die was seen: a camera that looks straight down, and dice of the usual size."""
    camera = cameras.straight(width, height)
    edge_mm = EDGE * width * camera.height_mm / camera.focal
    return Profile(width, height, camera, (Kind("", (0.0,) * 3, (255.0,) * 3, edge_mm, 0.25, 0.09, 0.1),))


def _dice_left(image: Image, where: Where) -> tuple[Hint, ...]:
    found = learn.first_look(image, None).faces
    inside = [_within(x, y, where.tray) or _within(x, y, where.rail) for x, y in found.xy.tolist()]
    text = say("Here lies a die: take everything out of the tray.")
    return tuple(
        Hint("too-many", text, around(float(x), float(y), 2 * float(half)))
        for (x, y), half, score, value, here in zip(found.xy, found.half, found.score, found.value, inside, strict=True)
        if here and value > 1 and score > 0.6 * value
    )


def _within(x: float, y: float, polygon: Polygon | None) -> bool:
    return polygon is not None and cv2.pointPolygonTest(np.array(polygon, np.float32), (x, y), False) >= 0


def _gleams(image: Image, where: Where) -> tuple[Hint, ...]:
    """Where lamps are mirrored in the floor."""
    floor = np.zeros(image.shape[:2], np.uint8)
    for polygon in (where.tray, where.rail):
        if polygon is not None:
            cv2.fillPoly(floor, [np.round(polygon).astype(np.int32)], (255,))
    blown = cv2.bitwise_and(_blown(image), floor)
    count, _, stats, _ = cv2.connectedComponentsWithStats(blown)
    least = (_GLEAM * image.shape[1]) ** 2
    return tuple(
        Hint("glare", _GLEAMS, (x, y, x + wide, y + high))
        for x, y, wide, high, area in stats[1:count].tolist()
        if area > least
    )


def _blown(image: Image) -> Image:
    return np.where(image.min(axis=2) >= _BLOWN, np.uint8(255), np.uint8(0))


def _lying(bare: Image, image: Image) -> tuple[Hint, ...]:
    """What lies where no dice were read."""
    changed = places.difference(image, shrunk(bare)) > places.CHANGED
    count, _, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
    die = (0.5 * EDGE * changed.shape[1]) ** 2
    return tuple(
        Hint("cocked", _WHY["count"], (SHRINK * x, SHRINK * y, SHRINK * (x + wide), SHRINK * (y + high)))
        for x, y, wide, high, area in stats[1:count].tolist()
        if area > die
    )


def _reaching(bare: Image, image: Image, reading: Reading) -> tuple[Hint, ...]:
    now, floor, scale = glance(image), glance(bare), shrinks(image)
    change = Altered(changes(now, floor), tinted(coloured(image), coloured(bare)), now, floor, float(scale))
    hand = reaching(change, reading.dice, ())
    if hand is None:
        return ()
    x, y, wide, high = (scale * v for v in cv2.boundingRect(hand.mask))
    return (Hint("hand", hand.doubt.text, (x, y, x + wide, y + high)),)


def _doubts(image: Image, reading: Reading, edge: float) -> tuple[Hint, ...]:
    """Dice that cannot be learned from. One whose value alone is unsure can: the test rolls will tell."""
    hints = []
    for doubt in reading.doubts:
        if doubt.kind in _WHY:
            box = around(doubt.x, doubt.y, edge)
            x0, y0, x1, y1 = np.clip(box, 0, [*image.shape[1::-1]] * 2)
            glaring = doubt.kind in ("cocked", "count") and bool((_blown(image[y0:y1, x0:x1]) > 0).mean() > _GLARING)
            hints.append(Hint("glare", _GLEAMS, box) if glaring else Hint(doubt.kind, _WHY[doubt.kind], box))
    return tuple(hints)


def touching(seen: tuple[SeenDie, ...]) -> tuple[Hint, ...]:
    """Pairs of dice that lie side by side."""
    hints = []
    for k, one in enumerate(seen):
        for other in seen[k + 1 :]:
            if np.hypot(one.x - other.x, one.y - other.y) < _APART * 0.5 * (one.size + other.size):
                a, b = around(one.x, one.y, one.size), around(other.x, other.y, other.size)
                box = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
                hints.append(Hint("touching", say("These dice touch: move them apart."), box))
    return tuple(hints)

"""Dice beyond plain pips: each kind is learned from three pictures, its faces are named as its owner would, and then
throws of it are read, in sessions with a camera, a light and noise of their own. Nothing is judged."""

import functools
import math
import random
from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np

from calibration import learn, weights
from calibration.asked import Answer, Meaning, Unnamed
from firmware.drivers.simulated import lens
from firmware.drivers.simulated.dice_sets import DICE_SETS
from firmware.drivers.simulated.render import Renderer
from firmware.drivers.simulated.scene import Die, Look, Scene
from firmware.drivers.simulated.tumble import tumble
from vision.frame import Frame, Image
from vision.profile import Profile
from vision.seen import Reading
from vision.watcher import Read

SETS = ("red with a big one", "a star for the one", "a star for the six", "numerals", "poker dice")
SESSIONS, PICTURES, THROWS = 6, 3, 20
NEAR_PX = 20.0


@functools.cache
def reader() -> Read:
    """As the program reads: with its second opinion."""
    return weights.reading()


def main() -> None:
    for name in SETS:
        count: Counter[str] = Counter()
        for seed in range(SESSIONS):
            count += session(Session(random.Random(f"{name} {seed}"), DICE_SETS[name].plain[0]))
        flat = count["right"] + count["asked"] + count["missed"] + count["WRONG"]
        print(
            f"{name}: {100 * count['right'] / flat:.1f} % of {flat} flat dice right, {count['asked']} asked about, "
            f"{count['missed']} overlooked and asked about, {count['WRONG']} silently wrong; "
            f"{count['cocked asked']} of {count['cocked']} throws with a leaning die asked about",
            flush=True,
        )


@dataclass
class Session:
    """One camera and its light. `rng`: draws them, and all that is thrown."""

    rng: random.Random
    look: Look

    def __post_init__(self) -> None:
        self._gain, self._noise, self._blur = (self.rng.uniform(*each) for each in ((0.85, 1.15), (0, 5), (0.1, 1.0)))
        self._renderer, self._taken = Renderer(), 0

    def picture(self, dice: tuple[Die, ...] = ()) -> Image:
        """As the camera takes it, the dice at rest."""
        self._taken += 1
        at_s = max((die.rests_s for die in dice), default=0.0) + 1
        image = cv2.GaussianBlur(self._renderer.render(Scene(dice=dice), at_s, self._taken), (0, 0), self._blur)
        noise = np.random.default_rng(self.rng.getrandbits(32)).normal(0, self._noise, image.shape)
        image = np.clip(self._gain * image.astype(np.float32) + noise, 0, 255).astype(np.uint8)
        found = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])[1], cv2.IMREAD_COLOR)
        return np.asarray(found, np.uint8)

    def thrown(self, values: list[int], cocked: int = 0, touching: float | None = None) -> tuple[Die, ...]:
        more = {} if touching is None else {"touching": touching}
        return tumble(self.rng, values, cocked=cocked, looks=[self.look] * len(values), **more)


def session(camera: Session) -> Counter[str]:
    shown = [camera.thrown(camera.rng.sample(range(1, 7), 6), touching=0.0) for _ in range(PICTURES)]
    profile = learned(camera.picture(), [camera.picture(dice) for dice in shown], shown, camera.look)
    count: Counter[str] = Counter()
    for number in range(THROWS):
        cocked = int(number % 5 == 0)
        dice = camera.thrown([camera.rng.randint(1, 6) for _ in range(6)], cocked)
        reading = reader()(Frame(camera.picture(dice)), profile)
        count["cocked"] += cocked
        count["cocked asked"] += cocked and not reading.sure
        for x, y, value in flat(dice):
            count[judged(reading, x, y, value)] += 1
    return count


def learned(empty: Image, pictures: list[Image], shown: list[tuple[Die, ...]], look: Look) -> Profile:
    answers: tuple[Answer, ...] = ()
    lesson = learn.build(empty, pictures, count=6, rail=True, read=reader())
    while lesson.unnamed:
        answers += tuple((one, meaning(one, shown, look)) for one in lesson.unnamed)
        lesson = learn.build(empty, pictures, count=6, rail=True, read=reader(), answers=answers)
    return lesson.profile


def meaning(face: Unnamed, shown: list[tuple[Die, ...]], look: Look) -> Meaning | None:
    """What the owner says of a face: what most of its places show, or that it is no face."""
    values = Counter(
        value for k, u, v in face.places for x, y, value in flat(shown[k]) if math.hypot(x - u, y - v) < NEAR_PX
    )
    if not values:
        return None
    value = values.most_common(1)[0][0]
    return Meaning(value, (look.signs and look.signs[value - 1]) or str(value))


def flat(dice: tuple[Die, ...]) -> list[tuple[float, float, int]]:
    """Pixels of the top faces of the dice that lie flat, and what they show."""
    out = []
    for die in dice:
        pose = die.last
        if pose.leans < 0.05:
            ((x, y),) = lens.project(np.array([[pose.x, pose.y, die.edge_mm]]))
            out.append((float(x), float(y), pose.value))
    return out


def judged(reading: Reading, x: float, y: float, value: int) -> str:
    near = [die for die in reading.dice if math.hypot(die.x - x, die.y - y) < NEAR_PX]
    asked = any(math.hypot(doubt.x - x, doubt.y - y) < 2 * NEAR_PX for doubt in reading.doubts)
    if asked:
        return "asked" if near else "missed"
    if not near:
        return "missed" if not reading.sure else "WRONG"
    return "right" if near[0].value == value else "WRONG"


if __name__ == "__main__":
    main()

"""The eye without a camera: frames in, happenings out."""

from collections.abc import Callable

from vision import motion, settle
from vision.frame import Frame, Image
from vision.glance import glance
from vision.happening import EyeState, Happening
from vision.motion import Look, Seen
from vision.presence import reaching
from vision.profile import Profile
from vision.reader import read as read_dice
from vision.seen import Reading, SeenDie
from vision.settle import Memory

Read = Callable[[Frame, Profile | None], Reading]


class Watcher:
    """Follows one tray. Owned by one thread.

    `profile`: of this tray, when it is calibrated; its camera is fixed, so only dice and hands move. Without one the
    camera may be held by hand. `empty`: a picture of the empty tray, as large as the frames: what differs from it at
    the start is new. Cheap while nothing settles; each rest costs a reading or a few.
    """

    def __init__(self, profile: Profile | None, read: Read = read_dice, empty: Image | None = None) -> None:
        self._profile = profile
        self._read = read
        self._empty = empty
        self._memory = Memory()
        self._seen = _started(empty)

    @property
    def state(self) -> EyeState:
        """What was told last; "settling" before the first rest."""
        return self._memory.state or "settling"

    def see(self, frame: Frame) -> tuple[Happening, ...]:
        """Take in one frame; what happened. Raises `VisionError` when the profile is for other pictures."""
        now = glance(frame.image)
        scale = frame.image.shape[1] / now.shape[1]
        edge = _edge(self._memory.dice) / scale
        self._seen, look = motion.look(self._seen, now, edge, scale, steady=self._profile is not None)
        self._memory, happenings = settle.step(self._memory, frame.seq, frame.at_s, look)
        if not self._memory.due:
            return happenings
        return happenings + self._settle(frame, look)

    def lost(self, at_s: float, frame: int = -1) -> tuple[Happening, ...]:
        """The camera gives no pictures. When it does again, what lies there is no throw."""
        self._seen = _started(self._empty)
        self._memory, happenings = settle.lost(self._memory, frame, at_s)
        return happenings

    def _settle(self, frame: Frame, look: Look) -> tuple[Happening, ...]:
        reading = self._read(frame, self._profile)
        change = motion.altered(self._seen, look.scale)
        hand = reaching(change, _edge(reading.dice), [(die.x, die.y) for die in reading.dice])
        self._memory, happenings = settle.judge(self._memory, frame.seq, frame.at_s, look, reading, hand, change)
        if self._memory.resting:
            self._seen = motion.rest(self._seen)
        return happenings


def _edge(dice: tuple[SeenDie, ...]) -> float:
    """Edge of a die in pixels of the frame, 0 when none was seen."""
    sizes = sorted(die.size for die in dice)
    return sizes[len(sizes) // 2] if sizes else 0.0


def _started(empty: Image | None) -> Seen:
    if empty is None:
        return Seen()
    floor = glance(empty)
    return Seen(floor, floor, floor)

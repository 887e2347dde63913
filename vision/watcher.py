"""The eye without a camera: frames in, happenings out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from vision import motion, settle
from vision.frame import Frame, Image
from vision.fresh import believed
from vision.glance import coloured, glance, shrinks, small, smoothed, smoothed_colours
from vision.happening import EyeState, Happening
from vision.larger import read as read_dice
from vision.motion import Look, Seen
from vision.presence import Altered, reaching, unread
from vision.profile import Profile
from vision.seen import Reading, SeenDie
from vision.settle import Memory

Read = Callable[[Frame, Profile | None], Reading]

# Of the tray's width: how far beyond its floor the walls and the hands above them are watched as well.
BEYOND = 0.08


class Watcher:
    """Follows one tray. Owned by one thread.

    `profile`: of this tray, when it is calibrated; its camera is fixed, so only dice and hands move, and only over the
    tray. Without one the whole picture is watched, and the camera may be held by hand. `empty`: a picture of the empty
    tray, as large as the frames: what differs from it at the start is new. Cheap while nothing settles; each rest
    costs a reading or a few.
    """

    def __init__(self, profile: Profile | None, read: Read = read_dice, empty: Image | None = None) -> None:
        self._profile = profile
        self._read = read
        self._empty = empty
        self._memory = Memory()
        self._field: Field | None = None
        self._seen = Seen()
        self._reached = False
        self._small: Image | None = None
        self._last: tuple[int, Look] | None = None

    @property
    def small(self) -> Image | None:
        """The part of the last frame that is watched, BGR, long side about 320; None before the first."""
        return self._small

    @property
    def state(self) -> EyeState:
        """What was told last; "settling" before the first rest."""
        return self._memory.state or "settling"

    def see(self, frame: Frame) -> tuple[Happening, ...]:
        """Take in one frame; what happened. Raises `VisionError` when the profile is for other pictures."""
        if self._field is None or self._field.size != frame.size:
            # Other pictures than before: nothing in them can be compared with what was known.
            self._memory = settle.afresh(self._memory)
            self._field = _field(self._profile, frame.size)
            self._seen = self._started(self._field)
        self._small, scale = self._field.glimpse(frame.view)
        now = smoothed(self._small)
        edge = _edge(self._memory.dice) / scale
        self._seen, look = motion.look(self._seen, now, edge, scale, steady=self._profile is not None)
        self._last = frame.seq, look
        self._memory, happenings = settle.step(self._memory, frame.seq, frame.at_s, look)
        if not self._memory.due:
            return happenings
        return happenings + self._settle(frame, look, self._field, smoothed_colours(self._small))

    @property
    def profile(self) -> Profile | None:
        return self._profile

    def use(self, profile: Profile | None) -> None:
        """Read with another profile from now on: what lies there is read anew, told again, and is no throw."""
        self._profile = profile
        self._field = None
        self._memory = replace(self._memory, state=None)

    def lost(self, at_s: float, frame: int = -1) -> tuple[Happening, ...]:
        """The camera gives no pictures. When it does again, what lies there is no throw."""
        self._field = None
        self._memory, happenings = settle.lost(self._memory, frame, at_s)
        return happenings

    def ended(self) -> tuple[Happening, ...]:
        """No frame will follow. What came to rest and was still being read is told, and asked about."""
        if self._field is None or self._small is None or self._last is None or self._memory.at_s is None:
            return ()
        seq, look = self._last
        change = self._change(look, self._field, smoothed_colours(self._small))
        self._memory, happenings = settle.ended(self._memory, seq, self._memory.at_s, look, change.at)
        return happenings

    def _settle(self, frame: Frame, look: Look, field: "Field", ground: Image) -> tuple[Happening, ...]:
        """Read what has come to rest. `ground`: the glance in colour."""
        reading = self._read(frame, self._profile)
        change = self._change(look, field, ground)
        if self._profile is None:
            reading = believed(reading, change)
        hand, again = reaching(change, reading.dice, self._memory.dice), self._memory.resting
        if hand is None:
            reading = replace(reading, doubts=reading.doubts + unread(change, reading.dice, self._memory.dice))
        self._memory, happenings = settle.judge(
            self._memory,
            frame.seq,
            frame.at_s,
            look,
            reading,
            hand.doubt if hand else None,
            change.at,
            trusted=self._profile is not None,
        )
        if (self._memory.resting and not again) or not self._memory.known:
            # What still reaches in at the next rest is no hand: something was put down.
            new = hand is not None and not self._reached
            self._seen = motion.rest(self._seen, ground, hand.mask if hand and new else None)
            self._reached = hand is not None
        return happenings

    def _change(self, look: Look, field: "Field", ground: Image) -> Altered:
        """Where the view differs from the last rest."""
        return replace(motion.altered(self._seen, ground, look.scale), left=field.left, top=field.top)

    def _started(self, field: "Field") -> Seen:
        if self._empty is None or self._empty.shape[:2] != field.size:
            return Seen()
        picture = field.of(self._empty)
        floor = glance(picture)
        return Seen(floor, floor, floor, coloured(picture))


@dataclass(frozen=True, slots=True)
class Field:
    """The part of the picture that is watched. `size`: rows and columns of the whole picture."""

    size: tuple[int, int]
    left: int
    top: int
    width: int
    height: int

    def of(self, picture: Image) -> Image:
        """`picture`: of all that is in view, in whatever size."""
        by = picture.shape[1] / self.size[1]
        top, left = round(by * self.top), round(by * self.left)
        return picture[top : top + round(by * self.height), left : left + round(by * self.width)]

    def glimpse(self, picture: Image) -> tuple[Image, float]:
        """The same with its long side about 320, and how many pixels of the whole picture make one of it, along each
        side."""
        part = self.of(picture)
        return small(part), shrinks(part) * self.size[1] / picture.shape[1]


def _field(profile: Profile | None, size: tuple[int, int]) -> Field:
    rows, columns = size
    whole = Field((rows, columns), 0, 0, columns, rows)
    if profile is None:
        return whole
    profile = profile.for_size(columns, rows)
    corners = [*(profile.tray or ()), *(profile.rail or ())]
    if profile.tray is None:
        return whole
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    beyond = BEYOND * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(0, round(min(xs) - beyond)), max(0, round(min(ys) - beyond))
    right, bottom = min(columns, round(max(xs) + beyond)), min(rows, round(max(ys) + beyond))
    if right - left < 8 or bottom - top < 8:
        return whole
    return Field((rows, columns), left, top, right - left, bottom - top)


def _edge(dice: tuple[SeenDie, ...]) -> float:
    """Edge of a die in pixels of the frame, 0 when none was seen."""
    sizes = sorted(die.size for die in dice)
    return sizes[len(sizes) // 2] if sizes else 0.0

"""Was it a throw? What happened between two rests, and the rule that judges it.

The dice tell it first. Those that lie as they did (`vision.track`) were not thrown; the others are *fresh*. A die on
the rail is never part of a throw. Then:

1. No fresh die in the tray: no throw (set aside, taken, only looked at) - unless something rolled in, none is gone,
   and what lies there now cannot be read.
2. *More dice than at the last rest*: dice came in. A throw when anything rolled clear of a hand; else a hand put
   them down, or they were only not seen before.
3. *No more dice than before*, and a hand may have been among them all the time:
   - One die is fresh while others lie as before: a nudge, however far it flew. A player who throws one die of
     several takes it out of the tray first; that rest without it makes it rule 2.
   - The only die: a throw when it rolled three edges or more clear of the hand, else a nudge. (Lifted out of the tray
     and thrown again, it is rule 2 as well.)
   - Several are fresh: a throw when two or more rolled like that and do not lie close to where they were (one of them
     may, when no other die lies as before). Else the hand pushed or gathered them.
4. *A jump*: the change took three frames at most (a show of pictures: no hand comes and goes in so few, whatever
   looks like one), or frames are missing and no hand was seen (a camera that stuttered). A throw when more dice are
   fresh than lie as before and they lie elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.glance import LONG_SIDE
from vision.motion import Look
from vision.presence import DIE_SHARE, Blob
from vision.seen import SeenDie
from vision.track import Pairing

# Edges of a die. A finger pushes a die one or two; a thrown one rolls over more than that.
ROLLED = 3.0
# Put down by hand, a die does not move by itself; but the hand's shadow may, a little.
DROPPED = 1.5
# A die that a finger touched on the way to another lies no further than this from where it was.
PUSHED = 1.5
JUMP_FRAMES = 3
# A confidence below which a die read may not be one.
LIKELY = 0.9
# At 30 frames a second four in a row are missing.
MISSING_S = 0.15
# Dice can fall and come to rest, or nearly, in a gap of this length: thrown ones roll for half a second and more.
BLIND_S = 0.3
PATHS = 32


@dataclass(frozen=True, slots=True)
class Path:
    """Where a patch has been going. `x`, `y`, `travel`: pixels of the frame. `idle`: frames since it was last seen."""

    x: float
    y: float
    travel: float = 0.0
    idle: int = 0


@dataclass(frozen=True, slots=True)
class Between:
    """What was seen since the last rest. `moving`, `hand`, `lights`: in so many frames something moved, a hand was
    there, everything changed. `missing`: frames were lost meanwhile, `blind`: so many that a throw may be among them.
    `edge`: of a die, pixels of the frame, before any was seen."""

    moving: int = 0
    hand: int = 0
    lights: int = 0
    missing: bool = False
    blind: bool = False
    paths: tuple[Path, ...] = ()
    edge: float = 0.0

    @property
    def sudden(self) -> bool:
        """A jump: all was over in too few frames for a hand to come, do something and go, or frames are missing and
        no hand was seen."""
        return not self.hand if self.missing else self.moving <= JUMP_FRAMES

    def rolled(self, edge: float, at_least: float = ROLLED) -> int:
        """How many patches rolled clear of a hand. `edge`: of a die, pixels of the frame."""
        return sum(path.travel >= at_least * edge for path in self.paths)


def watched(between: Between, look: Look, waited_s: float) -> Between:
    """One more moving frame. `waited_s`: since the frame before."""
    return replace(
        between,
        moving=between.moving + 1,
        hand=between.hand + look.hand,
        lights=between.lights + look.everywhere,
        missing=between.missing or waited_s > MISSING_S,
        blind=between.blind or waited_s > BLIND_S,
        paths=_followed(between.paths, look.free, look.scale),
        edge=DIE_SHARE * LONG_SIDE * look.scale,
    )


def _followed(paths: tuple[Path, ...], blobs: tuple[Blob, ...], scale: float) -> tuple[Path, ...]:
    """Each patch goes on with the nearest path; a thrown die crosses at most a sixth of the view in a frame."""
    reach = scale * 320 / 6
    waiting = [path for path in paths if path.idle < 3]
    done = [replace(path, idle=9) for path in paths if path.idle >= 3 and path.travel > 0]
    going: list[Path] = []
    for blob in blobs:
        x, y = blob.x * scale, blob.y * scale
        near = min(waiting, key=lambda path: (path.x - x) ** 2 + (path.y - y) ** 2, default=None)
        step = ((near.x - x) ** 2 + (near.y - y) ** 2) ** 0.5 if near else 0.0
        if near is None or step > reach:
            going.append(Path(x, y))
        else:
            waiting.remove(near)
            going.append(Path(x, y, near.travel + step))
    kept = going + [replace(path, idle=path.idle + 1) for path in waiting] + done
    return tuple(sorted(kept, key=lambda path: -path.travel)[:PATHS])


def is_throw(
    before: Sequence[SeenDie], after: Sequence[SeenDie], pairing: Pairing, between: Between, unread: bool = False
) -> bool:
    """The rule above. `pairing`: of the two. `unread`: something has come that could not be read."""
    fresh = [after[a] for a in pairing.fresh if after[a].zone == "tray"]
    lying = [after[a] for _, a in pairing.lying if after[a].zone == "tray"]
    if not fresh:
        return unread and not pairing.gone and not pairing.fresh and _rolled_in(between, [*before, *after])
    gone = [before[b] for b in pairing.gone if before[b].zone != "outside" and _likely(before[b])]
    came = [after[a] for a in pairing.fresh if after[a].zone != "outside"]
    edge = sum(die.size for die in fresh) / len(fresh)
    sudden = between.sudden
    if len(came) > len(gone):
        return sudden or between.rolled(edge, DROPPED) > 0
    if sudden and len(fresh) > len(lying):
        return len(fresh) > 1 or _far(fresh, gone, ROLLED * edge) == 1
    if len(fresh) == 1:
        return not lying and between.rolled(edge) >= 1
    return between.rolled(edge) >= 2 and _far(fresh, gone, PUSHED * edge) >= (2 if lying else 1)


def _rolled_in(between: Between, dice: Sequence[SeenDie]) -> bool:
    """Whether something rolled over more than a few dice's width. `dice`: to know that width by."""
    edge = max((die.size for die in dice), default=between.edge)
    return between.rolled(edge) > 0


def _likely(die: SeenDie) -> bool:
    """A die rather than a spot that looked like one."""
    return die.confidence >= LIKELY or die.state != "flat"


def _far(dice: Sequence[SeenDie], places: Sequence[SeenDie], least: float) -> int:
    """How many of the dice lie at least so many pixels from all those places."""
    return sum(all((die.x - b.x) ** 2 + (die.y - b.y) ** 2 >= least**2 for b in places) for die in dice)

"""Pictures of each step of a reading, to see where one goes wrong."""

import cv2
import numpy as np

from vision import alone, check, cube, known, light, overlay, pips, reader
from vision.drawing import AMBER, GREEN, GREY, LINE, badge, caption, dimmed, polygon, ring, thickness, tinted
from vision.faces import Faces
from vision.frame import Frame, Image
from vision.lattice import PLACES
from vision.opinion import Network
from vision.pips import Pips
from vision.places import CHANGED
from vision.profile import Profile
from vision.sampling import Floats

_BLUE = (255, 190, 90)
_PLAIN = 0.7  # spots at least as clean as this are good pips
_WORTH_SAYING = 0.05  # share of the visible sides that shows floor
_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


def draw(image: Image, profile: Profile | None, network: Network | None = None) -> dict[str, Image]:
    """A picture a step, by the step's name, in their order. `image`: uint8 (h, w, 3) BGR, left as it is.

    `network`: as for `reader.read`.
    """
    told = overlay.draw(image, reader.read(Frame(image), profile, network), profile)
    if profile is None:
        return _alone(image) | {"verdict": told}
    return _known(image, profile.for_size(image.shape[1], image.shape[0])) | {"verdict": told}


def _known(image: Image, profile: Profile) -> dict[str, Image]:
    lit = light.as_learned(image, profile)
    found = known.look(lit, profile)
    explained = check.check(lit, found.faces, cube.flat(found.faces, profile), found.boxes, profile)
    return {
        "places": places(lit, found, profile),
        "pips": spots(lit, found.pips),
        "candidates": squares(lit, found.candidates),
        "faces": patterns(lit, found.faces),
        "cubes": cubes(lit, found.faces, explained, profile),
    }


def _alone(image: Image) -> dict[str, Image]:
    scale = min(1.0, alone.WORK_SIDE / max(image.shape[:2]))
    small = pips.resized(image, scale)
    found = alone.look(small)
    return {"pips": spots(small, found.pips), "faces": patterns(small, found.faces)}


def places(image: Image, found: known.Found, profile: Profile) -> Image:
    """What differs from the empty tray in its own colours, and the boxes that are looked at."""
    out = dimmed(image)
    if found.changed is not None:
        size = (image.shape[1], image.shape[0])
        changed = cv2.resize(found.changed, size, interpolation=cv2.INTER_LINEAR) > CHANGED
        out[changed] = image[changed]
    if profile.tray is not None:
        polygon(out, np.array(profile.tray), LINE, 1, edged=False)
    for x0, y0, x1, y1 in found.boxes:
        polygon(out, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64), _BLUE, thickness(image))
    return _titled(out, f"1  where to look: {_many(len(found.boxes), 'place')} not as in the empty tray")


def spots(image: Image, every: Pips) -> Image:
    """Green: a plain pip; amber: a spot that is ragged, squeezed or faint."""
    out = dimmed(image)
    good = every.clean > _PLAIN
    for (x, y), radius, plain in zip(every.xy, every.radius, good, strict=True):
        ring(out, float(x), float(y), 1.25 * float(radius), GREEN if plain else AMBER, thickness(image) - 1)
    return _titled(out, f"2  pips: {int(good.sum())} plain, {int((~good).sum())} doubtful")


def squares(image: Image, candidates: Faces) -> Image:
    """All faces that pips could make; the brighter the better its pips fit."""
    out = dimmed(image)
    worth = np.clip(candidates.score / candidates.value, 0, 1)
    for k in np.argsort(worth):
        polygon(out, _corners(candidates, k), _shaded(0.4 + 0.6 * float(worth[k])), 2, edged=False)
    return _titled(out, f"3  candidates: {_many(len(candidates), 'face')} that pips could make")


def patterns(image: Image, found: Faces) -> Image:
    """The chosen faces: their square, and the nine places of which some hold pips."""
    out = dimmed(image)
    for k in range(len(found)):
        inside = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.round(_corners(found, k)).astype(np.int32), (1,))
        out[inside > 0] = image[inside > 0]
        for x, y in PLACES @ found.frame[k].T + found.xy[k]:
            ring(out, float(x), float(y), 0.45 * float(found.radius[k]), _BLUE, -1)
        polygon(out, _corners(found, k), GREEN, thickness(image))
        x, y = found.xy[k] + (0, -1.9 * found.half[k])
        badge(out, str(found.value[k]), float(x), max(20.0, float(y)), max(10.0, 0.5 * float(found.half[k])), GREEN)
    return _titled(out, f"4  faces: the {_many(len(found), 'die', 'dice')} that explain the pips best")


def cubes(image: Image, found: Faces, explained: check.Check, profile: Profile) -> Image:
    """Each die as a cube that lies flat; amber where its sides are not as they should be, and what is left over."""
    out = dimmed(image)
    thick = thickness(image)
    flat = cube.flat(found, profile)
    for k, (top, hull) in enumerate(zip(flat.top, flat.hulls, strict=True)):
        tinted(out, cube.filled(*image.shape[:2], hull) > 0, GREY, 0.25)
        owned = sum(lump.size for lump in explained.lumps if lump.die == k)
        odd = explained.gap[k] > profile.slack.gap or explained.beyond[k] > 0.5 or owned > 0
        polygon(out, hull, AMBER if odd else GREEN, thick)
        polygon(out, top, AMBER if odd else GREEN, max(1, thick - 1), edged=False)
        if explained.gap[k] > _WORTH_SAYING:
            missing = f"{100 * explained.gap[k]:.0f}% floor"
            caption(out, missing, float(hull[:, 0].mean()), float(hull[:, 1].max()) + 22, LINE, 0.45)
    for lump in explained.lumps:
        ring(out, lump.x, lump.y, max(8.0, float(np.sqrt(lump.size) * _edge(flat.top))), AMBER, thick)
    return _titled(out, f"5  cubes: {_many(len(explained.lumps), 'thing')} left over; how much floor shows for a side")


def _edge(tops: Floats) -> float:
    """Half an edge of a die in pixels."""
    return float(np.linalg.norm(tops[:, 0] - tops[:, 1], axis=1).mean()) / 2 if len(tops) else 20.0


def _corners(found: Faces, k: int) -> Floats:
    half = float(found.half[k] / found.offset[k])
    return np.asarray(half * _SQUARE @ found.frame[k].T + found.xy[k])


def _shaded(glow: float) -> tuple[int, int, int]:
    return round(_BLUE[0] * glow), round(_BLUE[1] * glow), round(_BLUE[2] * glow)


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def _titled(out: Image, title: str) -> Image:
    scale = max(0.5, out.shape[1] / 1600)
    caption(out, title, 0, 30 * scale + 6, LINE, scale)
    return out

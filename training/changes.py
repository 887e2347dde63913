"""Windows as a camera might have seen them: turned, shifted, in other light, blurred, with gleams and noise."""

from dataclasses import dataclass
from math import pi

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from training.windows import EDGES, RAISED, READER, Windows
from vision import opinion

_SIDE = opinion.SIDE
_ALONE = 0.35  # share of examples without what only a profile knows
_COLOURED = 0.3  # share of examples under lamps of several colours
_ENDS = 0.08  # share of examples in which the picture ends: there its last pixels are repeated, see `opinion.windows`


@dataclass(frozen=True, slots=True)
class _Most:
    """`turn`: radians, `size`: share, `shift`: edges."""

    turn: float
    size: float
    shift: float


_OFF = _Most(0.09, 0.035, 0.045)
# How far a leaning face is foreshortened is no more than that, so it must not be blurred.
_HARDLY = _Most(0.06, 0.012, 0.022)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """`patches`: (n, 5, side, side), see `opinion.patches`. `label`: (n,) 0-7. `counts`: (n,) 0 where nothing is to
    be learned: that a die lies on another its pips tell, being larger, and no patch."""

    patches: Tensor
    label: Tensor
    counts: Tensor


class Source:
    """Windows of many sessions as tensors. `generator`: None gives them unchanged."""

    def __init__(self, sessions: list[Windows], generator: torch.Generator | None) -> None:
        def column(name: str) -> NDArray[np.generic]:
            return np.concatenate([getattr(s, name) for s in sessions])

        self.seen, self.before, self.cube = column("seen"), column("before"), column("cube")
        self.body, self.pip = (torch.from_numpy(column(name)).float() for name in ("body", "pip"))
        self.label, self.source = (torch.from_numpy(column(name)).long() for name in ("label", "source"))
        self._likeness = torch.stack([torch.from_numpy(s.likeness).float().reshape(-1) for s in sessions])
        self._session = torch.repeat_interleave(
            torch.arange(len(sessions)), torch.tensor([len(s.label) for s in sessions])
        )
        self._cube_code = torch.from_numpy(opinion.CUBE)
        self._dice = generator

    def __len__(self) -> int:
        return len(self.label)

    def examples(self, rows: NDArray[np.int64], alone: bool = False, exact: bool = False) -> Examples:
        """`alone`: without what a profile knows; with a generator some are so anyway. `exact`: with it always, and
        hardly off their place."""
        n, changed = len(rows), self._dice is not None
        bare = self._some(n, _ALONE) if changed and not exact else torch.full((n,), float(alone))
        body, pip = self.body[rows], self.pip[rows]
        seen, before, cube = self._turned(rows, bare, exact)
        like = self._like(seen, rows)
        change = ((seen - before).abs().amax(1) / opinion.CHANGE).clamp(0, 1)
        if changed:
            seen, body, pip = self._in_other_light(seen, body, pip, (2 * cube - 1).clamp(0, 1))
            like = like * (1 - self._some(n, 0.1))[:, None, None] + self._noise(like.shape, 0.1)
            change = change * (1 - self._some(n, 0.1))[:, None, None]
        known = torch.stack([like, change, cube], 1) * (1 - bare)[:, None, None, None]
        patches = torch.cat([_coloured(seen, body, pip), known], 1)
        label = self.label[rows]
        return Examples(patches, label.clamp(max=7), (label != RAISED).float())

    def _turned(self, rows: NDArray[np.int64], bare: Tensor, exact: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Pictures with dice and without, and the cubes. The cubes stay where the reader believes the face to be, the
        pictures are off by as much as its faces are: more without a profile."""
        n = len(rows)
        pictures = torch.from_numpy(np.concatenate([self.seen[rows], self.before[rows]], 3)).permute(0, 3, 1, 2).float()
        cube = self._cube_code[torch.from_numpy(self.cube[rows]).long()][:, None]
        quarter, mirror = torch.zeros(n), torch.ones(n)
        there = off = _map(quarter, mirror, torch.ones(n), torch.zeros(n, 2))
        if self._dice is not None:
            quarter = torch.floor(4 * self._rand(n)) * pi / 2
            mirror = 1 - 2 * self._some(n, 0.5)
            there = _map(quarter, mirror, torch.ones(n), torch.zeros(n, 2))
            # The reader's own faces are off already.
            much = (1 + 0.8 * bare) * torch.where(self.source[rows] == READER, 0.5, 1.0)
            most = _HARDLY if exact else _OFF
            turn, size = most.turn * much * self._spread(n), 1 + most.size * much * self._spread(n)
            off = _map(quarter + turn, mirror, size, most.shift * much[:, None] * self._spread(n, 2))
        seen = _warped(pictures, off, self._ends(n) if self._dice is not None else None)
        return seen[:, :3], seen[:, 3:], _warped(cube, there)[:, 0]

    def _ends(self, n: int) -> Tensor:
        """(n, 3): the unit vector, and how far from the middle in patches' halves, at which the picture ends."""
        angle, far = 2 * pi * self._rand(n), 0.5 + 0.4 * self._rand(n) + 9 * (1 - self._some(n, _ENDS))
        return torch.stack([torch.cos(angle), torch.sin(angle), far], 1)

    def _like(self, seen: Tensor, rows: NDArray[np.int64]) -> Tensor:
        step = seen.long().clamp(0, 255) >> 4
        index = (step[:, 0] * 16 + step[:, 1]) * 16 + step[:, 2]
        return self._likeness[self._session[rows][:, None, None], index] / 127.5 - 1

    def _in_other_light(self, seen: Tensor, body: Tensor, pip: Tensor, top: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`top`: (n, side, side) 1 on the top face, else 0."""
        n = len(seen)
        gain, gamma = torch.exp(0.25 * self._spread(n, 3)), torch.exp(0.35 * self._spread(n, 1))

        def lit(colour: Tensor) -> Tensor:
            more = [1] * (colour.ndim - 2)
            return (colour / 255).clamp(0, 1) ** gamma.reshape(n, 1, *more) * gain.reshape(n, 3, *more)

        seen, body, pip = lit(seen), lit(body), lit(pip)
        slope = 0.4 * self._some(n, 0.5)[:, None] * self._of_lamps(self._spread(n))
        seen = seen * (1 + slope[..., None, None] * self._across(n)[:, None])
        shadow, soft = self._some(n, 0.25) * (0.3 + 0.4 * self._rand(n)), 3 + 30 * self._rand(n)
        edge = torch.sigmoid((self._across(n) + self._spread(n)[:, None, None]) * soft[:, None, None])
        seen = seen * (1 - self._of_lamps(shadow)[..., None, None] * edge[:, None])
        for _ in range(2):
            gleam = self._some(n, 0.2) * (0.2 + 1.2 * self._rand(n))
            # A polished top face mirrors a lamp that nothing around it does.
            where = self._blob(n) * (1 - self._some(n, 0.4)[:, None, None] * (1 - top))
            seen = seen + self._of_lamps(gleam)[..., None, None] * where[:, None]
        for width, share in ((3, 0.5), (5, 0.15)):
            blurred = F.avg_pool2d(F.pad(seen, [width // 2] * 4, mode="replicate"), width, 1)
            mix = (self._some(n, share) * self._rand(n))[:, None, None, None]
            seen = seen * (1 - mix) + blurred * mix
        grain = 0.06 * self._some(n, 0.6) * self._rand(n) ** 2
        seen = seen + grain[:, None, None, None] * torch.randn(seen.shape, generator=self._dice)
        seen, body, pip = (255 * part.clamp(0, 1) for part in (seen, body, pip))
        contrast = (pip - body).norm(dim=1, keepdim=True)
        body = body + 0.05 * contrast * torch.randn(n, 3, generator=self._dice)
        return seen, body, pip + 0.07 * contrast * torch.randn(n, 3, generator=self._dice)

    def _of_lamps(self, much: Tensor) -> Tensor:
        """(n, 3): the same for all three colours, or, where lamps have colours of their own, up to twice as much."""
        own = self._some(len(much), _COLOURED)[:, None] * self._spread(len(much), 3)
        return (much[:, None] * (1 + own)).clamp(-1, 1.4)

    def _across(self, n: int) -> Tensor:
        """(n, side, side): -1 to 1 and a bit, rising in any direction."""
        angle = (2 * pi * self._rand(n))[:, None, None]
        x, y = _grid()
        return torch.cos(angle) * x + torch.sin(angle) * y

    def _blob(self, n: int) -> Tensor:
        """(n, side, side): a soft long spot anywhere, 1 in its middle."""
        angle = (2 * pi * self._rand(n))[:, None, None]
        x, y = _grid()
        x, y = x - self._spread(n)[:, None, None], y - self._spread(n)[:, None, None]
        u, v = torch.cos(angle) * x + torch.sin(angle) * y, torch.cos(angle) * y - torch.sin(angle) * x
        wide, high = (0.05 + 0.4 * self._rand(n) ** 2 for _ in range(2))
        return torch.exp(-0.5 * ((u / wide[:, None, None]) ** 2 + (v / high[:, None, None]) ** 2))

    def _rand(self, *size: int) -> Tensor:
        return torch.rand(*size, generator=self._dice)

    def _spread(self, *size: int) -> Tensor:
        """Evenly from -1 to 1."""
        return 2 * self._rand(*size) - 1

    def _some(self, n: int, share: float) -> Tensor:
        """1 for this share of them, else 0."""
        return (self._rand(n) < share).float()

    def _noise(self, shape: torch.Size, most: float) -> Tensor:
        return most * self._rand(shape[0])[:, None, None] * torch.randn(shape, generator=self._dice)


def _grid() -> tuple[Tensor, Tensor]:
    axis = torch.linspace(-1, 1, _SIDE)
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    return x, y


def _map(turn: Tensor, mirror: Tensor, size: Tensor, shift: Tensor) -> Tensor:
    """(n, 2, 3) from a patch to its window, both -1 to 1."""
    size = size * opinion.EDGES / EDGES
    cos, sin = torch.cos(turn) * size, torch.sin(turn) * size
    shift = shift * 2 / EDGES  # from edges
    return torch.stack(
        [torch.stack([cos * mirror, -sin, shift[:, 0]], 1), torch.stack([sin * mirror, cos, shift[:, 1]], 1)], 1
    )


def _warped(windows: Tensor, way: Tensor, ends: Tensor | None = None) -> Tensor:
    """`ends`: see `Source._ends`."""
    grid = F.affine_grid(way, [len(way), 1, _SIDE, _SIDE], align_corners=False)
    if ends is not None:
        across, far = ends[:, None, None, :2], ends[:, None, None, 2:] * opinion.EDGES / EDGES
        grid = grid - across * ((grid * across).sum(3, keepdim=True) - far).clamp(min=0)
    return F.grid_sample(windows, grid, padding_mode="border", align_corners=False)


def _coloured(seen: Tensor, body: Tensor, pip: Tensor) -> Tensor:
    """As `opinion.coloured`."""
    way = (pip - body)[:, :, None, None]
    square = (way**2).sum(1).clamp(min=1)
    apart = seen - body[:, :, None, None]
    along = (apart * way).sum(1) / square
    aside = ((apart**2).sum(1) / square - along**2).clamp(min=0).sqrt()
    return torch.stack([along.clamp(-1, 2), aside.clamp(0, 2)], 1)

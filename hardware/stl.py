"""A printable part as an STL file has it: its triangles, and whether they close and print without supports."""

import struct
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin, sqrt

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles in millimetres, each counterclockwise as seen from outside; z is up in the printer."""

    triangles: tuple[Triangle, ...]

    @property
    def size(self) -> Point:
        """Width, depth and height of all of it."""
        low, high = self.corners
        return high[0] - low[0], high[1] - low[1], high[2] - low[2]

    @property
    def corners(self) -> tuple[Point, Point]:
        axes = list(zip(*(point for triangle in self.triangles for point in triangle), strict=True))
        low, high = ([pick(axis) for axis in axes] for pick in (min, max))
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    @property
    def volume_mm3(self) -> float:
        """By the divergence theorem: the sum of the tetrahedra from the origin; negative when inside out."""
        return sum(_dot(a, _cross(b, c)) for a, b, c in self.triangles) / 6

    @property
    def open_edges(self) -> int:
        """Edges that do not have one neighbour running the other way: 0 when the mesh holds water."""
        edges = Counter((a, b) for t in self.triangles for a, b in zip(t, (t[1], t[2], t[0]), strict=True))
        return sum(count != 1 or edges.get((b, a), 0) != 1 for (a, b), count in edges.items())

    def bridges(self, steepest: float = 45.0) -> list[float]:
        """Widths that a printer has to lay over nothing: of each connected patch that looks down more than `steepest`
        degrees from upright and does not lie on the bed, the width across its narrowest direction."""
        bed = self.corners[0][2] + 1e-3
        # A face that looks `steepest` degrees down from upright has a normal whose z is minus the sine of that.
        limit = -sin(radians(steepest)) - 1e-3
        hanging = [t for t in self.triangles if _down(t) < limit and max(p[2] for p in t) > bed]
        return [min(_across(patch, radians(turn)) for turn in range(0, 180, 5)) for patch in _patches(hanging)]


def read(data: bytes) -> Mesh:
    """The mesh of a binary STL file. Raises `ValueError` for any other."""
    if len(data) < 84 or len(data) != 84 + 50 * (count := struct.unpack_from("<I", data, 80)[0]):
        raise ValueError("This is no binary STL file; make it anew with `make print`.")
    return Mesh(tuple(_triangle(data, 84 + 50 * n) for n in range(count)))


def written(mesh: Mesh) -> bytes:
    """A binary STL file of it, the same bytes for the same mesh. Corners are rounded to a ten-thousandth of a
    millimetre, so that those of neighbours are one; triangles that this leaves without area are left out."""
    rounded = (tuple(tuple(round(value, 4) + 0.0 for value in point) for point in t) for t in mesh.triangles)
    kept = [t for t in rounded if len(set(t)) == 3]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *(value for point in t for value in point), 0) for t in kept)
    return struct.pack("<80sI", b"Stickman, millimetres", len(kept)) + body


def _triangle(data: bytes, at: int) -> Triangle:
    v = struct.unpack_from("<9f", data, at + 12)
    return (v[0], v[1], v[2]), (v[3], v[4], v[5]), (v[6], v[7], v[8])


def _patches(triangles: list[Triangle]) -> Iterator[list[Triangle]]:
    """Groups of triangles that share corners."""
    at = defaultdict(list)
    for n, triangle in enumerate(triangles):
        for point in triangle:
            at[point].append(n)
    left = set(range(len(triangles)))
    while left:
        waiting, group = [left.pop()], []
        while waiting:
            n = waiting.pop()
            group.append(triangles[n])
            for point in triangles[n]:
                fresh = [m for m in at[point] if m in left]
                left.difference_update(fresh)
                waiting += fresh
        yield group


def _across(patch: list[Triangle], turn: float) -> float:
    """Its extent on the bed along a direction so many radians from x."""
    values = [point[0] * cos(turn) + point[1] * sin(turn) for triangle in patch for point in triangle]
    return max(values) - min(values)


def _down(triangle: Triangle) -> float:
    """The z of its outward normal of length 1; 0 for a triangle without area."""
    a, b, c = triangle
    normal = _cross(_minus(b, a), _minus(c, a))
    length = sqrt(_dot(normal, normal))
    return normal[2] / length if length else 0.0


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

"""Turning a cube: rotation matrices, quaternions (w, x, y, z), and which face is up.

Faces in the cube's own frame: 1 looks to +z, 2 to +x, 3 to +y; opposite faces add up to 7. Seen from the corner that
they share, 1, 2, 3 run counter-clockwise, as on western dice.
"""

import math

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]  # by rows

FACE_AXES: dict[int, tuple[int, int]] = {1: (2, 1), 6: (2, -1), 2: (0, 1), 5: (0, -1), 3: (1, 1), 4: (1, -1)}

_HALF = math.sqrt(0.5)
_BRINGS_UP: dict[int, Quaternion] = {
    1: (1.0, 0.0, 0.0, 0.0),
    6: (0.0, 1.0, 0.0, 0.0),
    2: (_HALF, 0.0, -_HALF, 0.0),
    5: (_HALF, 0.0, _HALF, 0.0),
    3: (_HALF, _HALF, 0.0, 0.0),
    4: (_HALF, -_HALF, 0.0, 0.0),
}


def about(axis: Vector, angle: float) -> Quaternion:
    """The turn by `angle` radians, right-handed, about the unit vector `axis`."""
    s = math.sin(angle / 2)
    return (math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s)


def by(spin: Vector) -> Quaternion:
    """The turn by a rotation vector: direction is the axis, length the angle in radians."""
    angle = math.hypot(*spin)
    if angle < 1e-9:
        return (1.0, 0.0, 0.0, 0.0)
    return about((spin[0] / angle, spin[1] / angle, spin[2] / angle), angle)


def after(second: Quaternion, first: Quaternion) -> Quaternion:
    """Turn by `first`, then by `second`, both about the world's axes."""
    w, x, y, z = second
    a, b, c, d = first
    return (
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c - x * d + y * a + z * b,
        w * d + x * c - y * b + z * a,
    )


def matrix(turn: Quaternion) -> Matrix:
    """Cube to world, 3x3."""
    w, x, y, z = turn
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def lying(value: int, yaw: float) -> Quaternion:
    """Flat on the floor with `value` up, turned by `yaw` radians about the vertical."""
    return after(about((0.0, 0.0, 1.0), yaw), _BRINGS_UP[value])


def top_face(turn: Quaternion) -> tuple[int, float]:
    """The face that looks up most, and by how many radians it leans."""
    up = matrix(turn)[2]
    value = max(FACE_AXES, key=lambda v: FACE_AXES[v][1] * up[FACE_AXES[v][0]])
    axis, sign = FACE_AXES[value]
    return value, math.acos(min(1.0, sign * up[axis]))


def yaw_of(turn: Quaternion) -> float:
    """Direction of one side face of a die that lies flat, radians."""
    w, x, y, z = turn
    for a, b in ((1 - 2 * (y * y + z * z), 2 * (x * y + w * z)), (2 * (x * y - w * z), 1 - 2 * (x * x + z * z))):
        if math.hypot(a, b) > 0.5:
            return math.atan2(b, a)
    raise AssertionError("a flat cube has two level axes, so one of the first two is level")


def levelling(turn: Quaternion) -> Vector:
    """The rotation vector that lays the top face level by the shortest way."""
    value, lean = top_face(turn)
    axis, sign = FACE_AXES[value]
    x, y, _ = (row[axis] * sign for row in matrix(turn))
    across = math.hypot(x, y)
    return (y / across * lean, -x / across * lean, 0.0) if across > 1e-9 else (0.0, 0.0, 0.0)


def support(turn: Quaternion, edge_mm: float) -> float:
    """Height of a cube's centre when its lowest corner touches the floor."""
    return sum(map(abs, matrix(turn)[2])) * edge_mm / 2

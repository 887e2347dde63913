"""Measures of the simulated tray, in millimetres, and of its camera.

World axes: x to the right, y away from the player, z up; the origin lies on the floor, below the camera's middle.
The tray resembles the one of `hardware/`: felt floor, wooden walls, a keep rail on the right behind a low ridge.
"""

WIDTH, HEIGHT = 1280, 960  # 4:3 as the Pi's cameras; a 16 mm die is then about 52 px wide
FRAMES_PER_S = 30.0
EXPOSURE_S = 0.006  # indoor light: a die at 1 m/s smears over 6 mm

FLOOR_LEFT, FLOOR_RIGHT = -160.0, 160.0
FLOOR_NEAR, FLOOR_FAR = -125.0, 125.0
RIDGE_LEFT, RIDGE_RIGHT, RIDGE_TOP = 92.0, 96.0, 8.0
WALL_TOP, WALL_THICK = 34.0, 10.0

EDGE = 16.0  # the commonest dice
ARM_FROM = (40.0, -620.0)  # the player's shoulder

RAIL_PLACES: tuple[tuple[float, float], ...] = tuple(
    (x, -104.0 + 26.0 * row) for row in range(9) for x in (113.0, 143.0)
)

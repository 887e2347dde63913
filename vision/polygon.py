"""An outline in a picture, and a box around a part of it."""

Polygon = tuple[tuple[float, float], ...]  # pixels, in the order they are joined
Box = tuple[int, int, int, int]  # x0, y0, x1, y1

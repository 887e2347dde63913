"""The printed parts as solids. Needs the extra `cad` (build123d), and nothing else of the project needs this.

Solids stand in the box as it is built: X to the right, Y away from the players, Z up, all in millimetres, 0 at the near
left corner on top of the floor. So Y is `Tray.inner.depth_mm` - y; `frame` turns areas.
"""

"""The dice set of the simulated tray, learned from its own pictures as an owner would.

`python -m firmware.simulated_set FILE` is a process of its own: what learning takes the eye must not hold.
"""

import sys
from pathlib import Path

from calibration import learn, store
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tray import COLOURED


def main(path: Path) -> None:
    empty, dice = calibration_pictures(coloured=COLOURED)
    path.parent.mkdir(parents=True, exist_ok=True)
    store.save(learn.build(empty, dice, count=6, rail=True).profile, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Learning to tell by the rim of a face whether its die leans, from the same windows."""

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from training.changes import Source
from training.network import VOICES, Rim
from training.windows import HIDDEN, RAISED, READER, Windows
from vision.rim import BANDS, LENGTH, strips

_BATCH, _STEPS = 128, 4000
_CHANGED = 4  # times each window is changed
_AT_ONCE = 256  # windows
# What is learned from: as many dice that lean as these shares say, and more ones, for their pips tell least.
_SHARES, _ONES = (0.6, 0.3, 0.1), 1.5
_FEW = 0.4  # flat twos to sixes look alike at their rims, so this share of them is enough


def learned(windows: list[Windows], seed: int) -> Rim:
    torch.manual_seed(seed)
    rng, source = np.random.default_rng(seed), Source(windows, torch.Generator().manual_seed(seed))
    rows = _told(source, rng)
    label = source.label.numpy()[rows]
    answer = torch.from_numpy(np.where(label == 7, 1, np.where(label == RAISED, 2, 0)))
    seen = [_strips(source, rows) for _ in range(_CHANGED)]
    weight = np.where(label == 1, _ONES, 1.0)
    for k, share in enumerate(_SHARES):
        of_it = answer.numpy() == k
        weight[of_it] *= share / max(weight[of_it].sum(), 1e-9)
    model = Rim()
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=2e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=_STEPS + 1, pct_start=0.2)
    for _ in range(_STEPS):
        batch = rng.choice(len(rows), _BATCH, p=weight / weight.sum())
        said = model(seen[int(rng.integers(_CHANGED))][batch].float())
        loss = F.cross_entropy(said.flatten(0, 1), answer[batch].repeat_interleave(VOICES))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model.eval()


def _told(source: Source, rng: np.random.Generator) -> NDArray[np.int64]:
    """The dice to learn from: all that lean, and those of the flat ones that the reader sees."""
    label, read = source.label.numpy(), source.source.numpy() == READER
    leans = (label == 7) | (label == RAISED)
    few = (label == 1) | (rng.random(len(label)) < _FEW)
    return np.nonzero(leans | ((label > 0) & (label < HIDDEN) & read & few))[0]


def _strips(source: Source, rows: NDArray[np.int64]) -> Tensor:
    """Half precision: there are many."""
    parts = [rows[k : k + _AT_ONCE] for k in range(0, len(rows), _AT_ONCE)]
    seen = [strips(source.examples(part, exact=True).patches.numpy()) for part in parts]
    return torch.from_numpy(np.concatenate(seen)).half()


@torch.no_grad()
def said_of_noise(model: Rim) -> NDArray[np.float32]:
    """(8, ANSWERS): the model's probabilities for eight patches of noise, always the same."""
    noise = np.random.default_rng(1).standard_normal((8, 5, 4 * BANDS, LENGTH)).astype(np.float32)
    return np.asarray(F.softmax(model(torch.from_numpy(noise)).mean(1), 1).numpy(), np.float32)


@torch.no_grad()
def judged(model: Rim, source: Source) -> str:
    """How many dice that it has not learned from it takes for leaning, a line each for those that do and do not."""
    label, read = source.label.numpy(), source.source.numpy() == READER
    out = []
    for name, which in (("flat dice", (label > 0) & (label < 7)), ("lean", label == 7), ("on a die", label == RAISED)):
        rows = np.nonzero(which & read)[0]
        if len(rows):
            askew = 1 - F.softmax(model(_strips(source, rows).float()).mean(1), 1)[:, 0].numpy()
            out.append(f"by the rim   {name:36}{len(rows):6} askew {100 * (askew > 0.5).mean():5.1f} %")
    return "\n".join(out)

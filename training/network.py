"""The networks, and their weights in the form that OpenCV loads."""

from collections.abc import Sequence

import numpy as np
import torch
from onnx import NodeProto, TensorProto, checker, helper, numpy_helper
from torch import Tensor, nn

from vision.opinion import LABELS, SIDE
from vision.rim import ANSWERS, BANDS, LENGTH

# Channels of each convolution, its width and its stride. The first one halves the patch, the others are halved after.
_LAYERS = ((16, 5, 2), (24, 3, 1), (32, 3, 1), (48, 3, 1))
_HIDDEN = 48
VOICES = 2  # small networks that judge a rim


class Model(nn.Module):
    """Patches (n, 5, SIDE, SIDE) to a number for each label; `softmax` makes them probabilities."""

    def __init__(self) -> None:
        super().__init__()
        widths = [5, *(width for width, _, _ in _LAYERS)]
        self.convolutions = nn.ModuleList(
            nn.Conv2d(before, width, size, stride, size // 2, bias=False)
            for before, (width, size, stride) in zip(widths, _LAYERS, strict=False)
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for width in widths[1:])
        self.hidden = nn.Linear(widths[-1] * (SIDE >> len(_LAYERS)) ** 2, _HIDDEN)
        self.drop = nn.Dropout(0.2)
        self.last = nn.Linear(_HIDDEN, LABELS)

    def forward(self, x: Tensor) -> Tensor:
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            x = nn.functional.relu(norm(convolution(x)))
            x = x if convolution.stride[0] > 1 else nn.functional.max_pool2d(x, 2)
        return self.last(nn.functional.relu(self.hidden(self.drop(x.flatten(1)))))


class Rim(nn.Module):
    """Strips (n, 5, 4 * BANDS, LENGTH), see `vision.rim`, to `VOICES` times a number for each answer: (n, VOICES,
    ANSWERS). So many small networks, side by side, each of which looks at every band in the same way and learns what
    they tell of the die together; where one is taken in by chance, the others are not."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Conv2d(5, 16 * VOICES, (1, 5), padding=(0, 2))
        self.far = nn.Conv2d(16 * VOICES, 24 * VOICES, (1, 3), padding=(0, 1), groups=VOICES)
        self.band = nn.Conv2d(24 * VOICES, 16 * VOICES, (1, LENGTH // 4), groups=VOICES)
        self.whole = nn.Conv2d(16 * VOICES, _HIDDEN * VOICES, (4 * BANDS, 1), groups=VOICES)
        self.drop = nn.Dropout(0.2)
        self.last = nn.Conv2d(_HIDDEN * VOICES, ANSWERS * VOICES, 1, groups=VOICES)

    def forward(self, x: Tensor) -> Tensor:
        for convolution in (self.near, self.far):
            x = nn.functional.max_pool2d(nn.functional.relu(convolution(x)), (1, 2))
        x = self.drop(nn.functional.relu(self.band(x)))
        x = self.last(nn.functional.relu(self.whole(x)))
        return x.reshape(len(x), VOICES, ANSWERS)


class _Writer:
    """An ONNX model, written node by node; each takes what the last one gave."""

    def __init__(self, first: str) -> None:
        self._nodes: list[NodeProto] = []
        self._weights: list[TensorProto] = []
        self._first = self._last = first

    def node(self, kind: str, weights: Sequence[Tensor] = (), **how: object) -> None:
        gives = f"{kind.lower()}{len(self._nodes)}"
        names = [f"{gives}_{part}" for part in ("weight", "bias")[: len(weights)]]
        for name, values in zip(names, weights, strict=True):
            self._weights.append(numpy_helper.from_array(values.detach().numpy().astype(np.float32), name))
        self._nodes.append(helper.make_node(kind, [self._last, *names], [gives], **how))
        self._last = gives

    def model(self, name: str, takes: Sequence[int], gives: int) -> bytes:
        ends = [
            helper.make_tensor_value_info(self._first, TensorProto.FLOAT, ["n", *takes]),
            helper.make_tensor_value_info(self._last, TensorProto.FLOAT, ["n", gives]),
        ]
        graph = helper.make_graph(self._nodes, name, ends[:1], ends[1:], self._weights)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        checker.check_model(made)
        return bytes(made.SerializeToString())


def exported(model: Model) -> bytes:
    """As ONNX: each norm is folded into its convolution, probabilities come out."""
    writer = _Writer("patches")
    for convolution, norm in zip(model.convolutions, model.norms, strict=True):
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weights = convolution.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain
        _convolved(writer, convolution, weights)
        if convolution.stride[0] == 1:
            writer.node("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
    writer.node("Flatten", axis=1)
    writer.node("Gemm", (model.hidden.weight, model.hidden.bias), transB=1)
    writer.node("Relu")
    writer.node("Gemm", (model.last.weight, model.last.bias), transB=1)
    writer.node("Softmax", axis=1)
    return writer.model("opinion", (5, SIDE, SIDE), LABELS)


def exported_rim(model: Rim) -> bytes:
    """As ONNX; probabilities come out, of all voices together."""
    writer = _Writer("strips")
    for convolution in (model.near, model.far, model.band, model.whole):
        _convolved(writer, convolution, (convolution.weight, convolution.bias))
        if convolution in (model.near, model.far):
            writer.node("MaxPool", kernel_shape=[1, 2], strides=[1, 2])
    weight = model.last.weight.reshape(VOICES, ANSWERS, _HIDDEN).permute(1, 0, 2).reshape(ANSWERS, -1)
    writer.node("Flatten", axis=1)
    writer.node("Gemm", (weight / VOICES, model.last.bias.reshape(VOICES, ANSWERS).mean(0)), transB=1)
    writer.node("Softmax", axis=1)
    return writer.model("rim", (5, 4 * BANDS, LENGTH), ANSWERS)


def _convolved(writer: _Writer, convolution: nn.Conv2d, weights: Sequence[Tensor]) -> None:
    how = {"kernel_shape": convolution.kernel_size, "strides": convolution.stride, "group": convolution.groups}
    writer.node("Conv", weights, **how, pads=[*convolution.padding] * 2)
    writer.node("Relu")

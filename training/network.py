"""The network, and its weights in the form that OpenCV loads."""

import numpy as np
import torch
from onnx import TensorProto, checker, helper, numpy_helper
from torch import Tensor, nn

from vision.opinion import LABELS, SIDE

# Channels of each convolution, its width and its stride. The first one halves the patch, the others are halved after.
_LAYERS = ((16, 5, 2), (24, 3, 1), (32, 3, 1), (48, 3, 1))
_HIDDEN = 48


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


def exported(model: Model) -> bytes:
    """As ONNX, written node by node: each norm is folded into its convolution, probabilities come out."""
    nodes, weights, last = [], [], "patches"

    def kept(name: str, values: Tensor) -> str:
        weights.append(numpy_helper.from_array(values.detach().numpy().astype(np.float32), name))
        return name

    for k, (convolution, norm) in enumerate(zip(model.convolutions, model.norms, strict=True)):
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weight = kept(f"weight{k}", convolution.weight * gain[:, None, None, None])
        bias = kept(f"bias{k}", norm.bias - norm.running_mean * gain)
        size, stride = convolution.kernel_size, convolution.stride
        how = {"kernel_shape": size, "strides": stride, "pads": [*convolution.padding] * 2}
        nodes.append(helper.make_node("Conv", [last, weight, bias], [f"conv{k}"], **how))
        nodes.append(helper.make_node("Relu", [f"conv{k}"], [f"relu{k}"]))
        last = f"relu{k}"
        if stride[0] == 1:
            nodes.append(helper.make_node("MaxPool", [last], [f"pool{k}"], kernel_shape=[2, 2], strides=[2, 2]))
            last = f"pool{k}"
    nodes.append(helper.make_node("Flatten", [last], ["flat"], axis=1))
    first = [kept("hidden_weight", model.hidden.weight), kept("hidden_bias", model.hidden.bias)]
    second = [kept("last_weight", model.last.weight), kept("last_bias", model.last.bias)]
    nodes += [
        helper.make_node("Gemm", ["flat", *first], ["hidden"], transB=1),
        helper.make_node("Relu", ["hidden"], ["active"]),
        helper.make_node("Gemm", ["active", *second], ["numbers"], transB=1),
        helper.make_node("Softmax", ["numbers"], ["share"], axis=1),
    ]
    takes = helper.make_tensor_value_info("patches", TensorProto.FLOAT, ["n", 5, SIDE, SIDE])
    gives = helper.make_tensor_value_info("share", TensorProto.FLOAT, ["n", LABELS])
    graph = helper.make_graph(nodes, "opinion", [takes], [gives], weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    checker.check_model(made)
    return bytes(made.SerializeToString())

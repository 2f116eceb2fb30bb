#!/usr/bin/env python3
"""Records tests/data/layers: small nets whose layers are known, exported and run with ExecuTorch.

    make_layers.py OUT [NAME...]

The same multilayer perceptron in fp32 and in three kinds of int8, and its exports with one thing changed: a wider
layer, another name, other weights, the same once more; a residual net; a module that is called twice; branches.
"""
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "parity"))
import live_models  # noqa: E402

RUNS = 12


class Mlp(nn.Module):
    def __init__(self, width=24, last="down"):
        super().__init__()
        self.up, self.mid, self.gate = nn.Linear(8, 16), nn.Linear(16, width), nn.Linear(width, 12)
        self.last = last
        self.add_module(last, nn.Linear(12, 4))

    def forward(self, x):
        x = F.relu(self.mid(F.relu(self.up(x))))
        return getattr(self, self.last)(self.gate(x))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.c1 = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 6, 3, padding=1)
        self.c2, self.norm, self.fc = nn.Conv2d(6, 4, 3, padding=1), nn.BatchNorm2d(6), nn.Linear(4, 5)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = F.relu(x + self.c2(F.relu(self.norm(self.c1(x)))))
        return self.fc(x.mean((2, 3)))


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.twice, self.out = nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.out(self.twice(F.relu(self.twice(x))))


class Gated(nn.Module):
    """A net with two layers that may run in any order, then one that needs both."""

    def __init__(self):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(8, 12), nn.Linear(8, 12), nn.Linear(12, 8)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        return self.down(gate * self.up(x))


class Forked(nn.Module):
    """As Gated, but the two layers have different sizes."""

    def __init__(self):
        super().__init__()
        self.left, self.right, self.down = nn.Linear(8, 12), nn.Linear(8, 20), nn.Linear(32, 4)

    def forward(self, x):
        return self.down(torch.cat([torch.sigmoid(self.left(x)), self.right(x)], -1))


class Normed(nn.Module):
    """Normalisations that cannot be folded into a convolution: XNNPACK computes them as depthwise convolutions."""

    def __init__(self):
        super().__init__()
        self.first, self.conv, self.last = nn.BatchNorm2d(3), nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)

    def forward(self, x):
        return self.last(F.relu(self.conv(self.first(x))))


class Folded(nn.Module):
    """Normalisations that XNNPACK's exporter folds into the convolutions before them."""

    def __init__(self):
        super().__init__()
        self.c = nn.ModuleList(nn.Conv2d(4, 4, 3, padding=1) for _ in range(3))
        self.n = nn.ModuleList(nn.BatchNorm2d(4) for _ in range(3))
        for norm in self.n:
            for values in (norm.weight.data, norm.running_var):
                values.uniform_(0.5, 2)

    def forward(self, x):
        for convolution, norm in zip(self.c, self.n):
            x = F.relu(norm(convolution(x)))
        return x


class Untrained(nn.Module):
    """A net with two normalisations that have the same weights."""

    def __init__(self):
        super().__init__()
        self.a, self.n, self.b, self.m = nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 8), nn.LayerNorm(8)

    def forward(self, x):
        return self.m(self.b(self.n(self.a(x))))


class Pair(nn.Module):
    """A net with one delegate in which an operator has two results."""

    def __init__(self, function):
        super().__init__()
        self.a, self.b, self.function = nn.Linear(8, 8), nn.Linear(8, 8), function

    def forward(self, x):
        return self.b(self.function(self.a(x), x))


class Activation(nn.Module):
    """A net with an activation. In int8, XNNPACK implements most activations as lookup tables: "Invalid Unary Op"."""

    def __init__(self, function):
        super().__init__()
        self.c, self.h, self.fc = nn.ModuleList(nn.Conv2d(4, 4, 3, padding=1) for _ in range(4)), function, nn.Linear(4, 3)

    def forward(self, x):
        for c in self.c:
            x = self.h(c(x))
        return self.fc(x.mean((2, 3)))


class Branch(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda y: torch.tanh(y) * y, lambda y: torch.sigmoid(y) + y, (x,))


class BranchLayers(nn.Module):
    """Two layers of equal shape in a branch, whose instructions a record does not list."""

    def __init__(self):
        super().__init__()
        self.first, self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        x = self.first(x)
        return torch.cond(x.sum() > 0, lambda y: self.b(torch.tanh(self.a(y))), lambda y: torch.sigmoid(y), (x,))


class Ends(nn.Module):
    """Two inputs and three outputs of one shape; kernels take both results of a delegate, and both of a kernel."""

    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x, y):
        p, q = self.one(x), self.two(y)
        a, b = torch.split(torch.asin(x), 4, 1)
        return torch.atan2(p, q), torch.erf(y), p, torch.atan2(a, b)


def mlp(**options):
    return Mlp(**options), (torch.randn(4, 8),)


def even():
    """Sizes that XNNPACK accepts for weights of 4 bits."""
    return nn.Sequential(nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 32)), (torch.randn(2, 32),)


def series():
    return nn.Sequential(nn.Linear(8, 8), nn.LeakyReLU(0.1), nn.Linear(8, 8), nn.LeakyReLU(0.3)), (torch.randn(2, 8),)


def image(net):
    return net, (torch.randn(1, 3, 8, 8),)


def activation(function):
    return Activation(function), (torch.randn(1, 4, 32, 32),)


def int8(pair, dynamic=False, per_channel=True):
    return live_models.quantized(*pair, dynamic, per_channel), pair[1]


def int_weights(pair, bits, dynamic):
    """Quantises only the weights, or the inputs of linear layers too, at run time."""
    from torchao.quantization import Int8DynamicActivationIntxWeightConfig, IntxWeightOnlyConfig, quantize_
    from torchao.quantization.granularity import PerAxis
    dtype = {4: torch.int4, 8: torch.int8}[bits]
    quantize_(pair[0], Int8DynamicActivationIntxWeightConfig(weight_dtype=dtype, weight_granularity=PerAxis(0)) if dynamic
              else IntxWeightOnlyConfig(weight_dtype=dtype, granularity=PerAxis(0)))
    return pair


NETS = {
    "mlp_f32": lambda: mlp(),
    "mlp_again": lambda: mlp(),
    "mlp_portable": lambda: mlp(),
    "mlp_int8": lambda: int8(mlp()),
    "mlp_int8_tensor": lambda: int8(mlp(), per_channel=False),
    "mlp_int8_dynamic": lambda: int8(mlp(), dynamic=True),
    "mlp_weights8": lambda: int_weights(mlp(), 8, False),
    "forked_weights8": lambda: int_weights((Forked(), (torch.randn(2, 8),)), 8, False),
    "even_weights8": lambda: int_weights(even(), 8, True),
    "even_weights4": lambda: int_weights(even(), 4, True),
    "series_weights8": lambda: int_weights(series(), 8, False),
    "mlp_wide": lambda: mlp(width=28),
    "mlp_renamed": lambda: mlp(last="head"),
    "residual_f32": lambda: image(Residual()),
    "residual_portable": lambda: image(Residual()),
    "residual_int8": lambda: int8(image(Residual())),
    "shared_f32": lambda: (Shared(), (torch.randn(2, 8),)),
    "shared_int8": lambda: int8((Shared(), (torch.randn(2, 8),))),
    "normed_f32": lambda: image(Normed()),
    "folded_f32": lambda: (Folded(), (torch.randn(1, 4, 8, 8),)),
    "untrained_portable": lambda: (Untrained(), (torch.randn(2, 8),)),
    "gated_f32": lambda: (Gated(), (torch.randn(2, 8),)),
    "gated_int8": lambda: int8((Gated(), (torch.randn(2, 8),))),
    "hardswish_f32": lambda: activation(nn.Hardswish()),
    "hardswish_i8": lambda: int8(activation(nn.Hardswish())),
    "sigmoid_f32": lambda: activation(nn.Sigmoid()),
    "sigmoid_i8": lambda: int8(activation(nn.Sigmoid())),
    "silu_f32": lambda: activation(nn.SiLU()),
    "maximum_f32": lambda: (Pair(torch.maximum), (torch.randn(4, 8),)),
    "minimum_f32": lambda: (Pair(torch.minimum), (torch.randn(4, 8),)),
    "ends_f32": lambda: (Ends(), (torch.randn(2, 8), torch.randn(2, 8))),
    "ends_portable": lambda: (Ends(), (torch.randn(2, 8), torch.randn(2, 8))),
    "branch": lambda: (Branch(), (torch.randn(3, 3),)),
    "branch_layers": lambda: (BranchLayers(), (torch.randn(2, 4),)),
}


def main():
    torch.set_num_threads(1)
    out, names = sys.argv[1], sys.argv[2:] or NETS
    for name in names:
        folder = os.path.join(out, name)
        os.makedirs(folder, exist_ok=True)
        torch.manual_seed(7)
        net, inputs = NETS[name]()
        portable = name.endswith("_portable") or name.startswith("branch")
        program = live_models.lower((net, inputs), None if portable else live_models.xnnpack())
        live_models.save(folder, program)
        live_models.run(folder, live_models.forward(inputs, RUNS))


if __name__ == "__main__":
    main()

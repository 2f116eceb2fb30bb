#!/usr/bin/env python3
"""Makes tests/data/sample: a small net with many kinds of operators, and a recording of it.

    make_sample.py FOLDER [RUNS]

Needs ExecuTorch (tests/parity/live.sh installs it). Weights are random, because only times matter. Images are large and
channels few, so that the files stay small while operators take longer than XNNPACK's resolution of a microsecond.
"""

import os
import sys
import zipfile

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "parity"))
from live_models import forward, lower, run, save, xnnpack  # noqa: E402


class Separable(nn.Module):
    def __init__(self, a, b, stride):
        super().__init__()
        self.depthwise = nn.Conv2d(a, a, 3, stride, 1, groups=a, bias=False)
        self.norm = nn.BatchNorm2d(a)
        self.pointwise = nn.Conv2d(a, b, 1)

    def forward(self, x):
        return F.hardswish(self.pointwise(F.relu6(self.norm(self.depthwise(x)))))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def split(self, x):
        return x.reshape(1, -1, self.heads, x.shape[-1] // self.heads).transpose(1, 2)

    def forward(self, x):
        y = self.norm(x)
        q, k, v = self.split(self.query(y)), self.split(self.key(y)), self.split(self.value(y))
        scores = torch.softmax(torch.matmul(q, k.transpose(2, 3)) * 0.25, -1)
        return x + self.out(torch.matmul(scores, v).transpose(1, 2).reshape(x.shape))


class Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.places = nn.Embedding(64, width)
        self.classes = nn.Linear(width, classes)

    def forward(self, x, places):
        y = x + self.places(places)
        scores = torch.sigmoid(self.classes(y))
        best, where = torch.topk(scores.amax(-1), 8)
        return best, where, scores.cumsum(1)


class Sample(nn.Module):
    """A net with convolutions for features of an image, a transformer block over them, and a head."""

    def __init__(self):
        super().__init__()
        width = 32
        self.stem = nn.Conv2d(3, 16, 3, 2, 1)
        self.stages = nn.Sequential(Separable(16, 24, 1), Separable(24, 32, 2), Separable(32, width, 2))
        self.pool = nn.MaxPool2d(2)
        self.attention = Attention(width, 4)
        self.mlp = Mlp(width)
        self.head = Head(width, 20)

    def forward(self, picture, places):
        x = self.stages(F.relu(self.stem(picture.float() / 255)))
        x = self.pool(x)
        x = x.flatten(2).transpose(1, 2)
        return self.head(self.mlp(self.attention(x)), places)


def deflate(path):
    """Compresses the example inputs, which are zeros, and shortens this file's path in source lines to its name."""
    here = os.path.abspath(__file__).encode()
    with zipfile.ZipFile(path) as z:
        members = [(i.filename, z.read(i)) for i in z.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members:
            z.writestr(name, data.replace(here, os.path.basename(here)) if data.startswith(b"{") else data)


def main():
    folder, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 30
    torch.set_num_threads(1)
    torch.manual_seed(0)
    size = 384
    tokens = (size // 16) ** 2
    inputs = (torch.zeros(1, 3, size, size, dtype=torch.uint8), torch.arange(tokens) % 64)
    os.makedirs(folder, exist_ok=True)
    save(folder, lower((Sample(), inputs), xnnpack()))
    deflate(os.path.join(folder, "model.etrecord"))
    run(folder, forward((torch.randint(0, 256, inputs[0].shape, dtype=torch.uint8), inputs[1]), runs))


main()

#!/usr/bin/env python3
"""live.py --etcore build/etcore [--only NAME] -- exports new models and compares their numbers of operations with
torch.utils.flop_counter and twice fvcore's multiply-adds, and their bytes with the sizes of the tensors.

Each model is exported for the portable kernels or for XNNPACK and run with ExecuTorch. live.sh makes the environment; the
folder with fvcore is in ETCORE_FVCORE. Only operators that both count are compared: matrix products, convolutions
and attention. The table of docs/work.md lists the differences of the others.
"""
import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "parity")]
if os.environ.get("ETCORE_FVCORE"):
    sys.path.append(os.environ["ETCORE_FVCORE"])
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
import torch.utils._pytree as pytree  # noqa: E402
from live_models import run, save, xnnpack  # noqa: E402
from torch import nn  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

PRODUCTS = ("mm.", "addmm.", "bmm.", "baddbmm.", "linear.", "matmul.", "convolution.")
NODES = ("Fully Connected", "Convolution", "Deconvolution", "Batch Matrix Multiply", "Scaled Dot-Product")
PLAIN = ("add", "mul", "sub", "relu", "sigmoid", "addmm", "bmm", "mm", "convolution", "permute", "softmax", "mean", "tanh",
         "scatter", "scatter_add", "slice_scatter")


class Of(nn.Module):
    """A module that calls a function over other modules."""

    def __init__(self, function, *modules):
        super().__init__()
        self.function, self.of = function, nn.ModuleList(modules)

    def forward(self, *x):
        return self.function(self.of, *x)


class Heads(nn.Module):
    def __init__(self, width, heads, groups=1):
        super().__init__()
        self.heads, self.groups = heads, groups
        self.q, self.k, self.v = nn.Linear(width, width), nn.Linear(width, width // groups), nn.Linear(width, width // groups)

    def forward(self, x):
        b, t, w = x.shape

        def split(y, heads):
            return y.reshape(b, t, heads, w // self.heads).transpose(1, 2)
        q, k, v = split(self.q(x), self.heads), split(self.k(x), self.heads // self.groups), split(self.v(x), self.heads // self.groups)
        k, v = (y.repeat_interleave(self.groups, 1) if self.groups > 1 else y for y in (k, v))
        return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, w)


class Recurrent(nn.Module):
    """A GRU with unrolled steps."""

    def __init__(self, size, width):
        super().__init__()
        self.x, self.h, self.width = nn.Linear(size, 3 * width), nn.Linear(width, 3 * width), width

    def forward(self, x, h):
        for t in range(x.shape[1]):
            a, b, w = self.x(x[:, t]), self.h(h), self.width
            z, r = torch.sigmoid(a[:, :w] + b[:, :w]), torch.sigmoid(a[:, w:2 * w] + b[:, w:2 * w])
            h = (1 - z) * torch.tanh(a[:, 2 * w:] + r * b[:, 2 * w:]) + z * h
        return h


class Appended(nn.Module):
    """Attention that appends to its cache."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.of = heads, nn.ModuleList(nn.Linear(width, width) for _ in range(3))

    def forward(self, x, keys, values):
        q, k, v = (m(x).reshape(*x.shape[:2], self.heads, -1).transpose(1, 2) for m in self.of)
        k, v = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        return (torch.softmax(q @ k.transpose(-1, -2), -1) @ v).transpose(1, 2).reshape(x.shape), k, v


def models():
    """Yields (name, model, inputs)."""
    r = torch.randn
    for m, k, n in ((1, 8, 3), (5, 32, 17), (3, 100, 1), (16, 64, 64), (2, 7, 129)):
        yield f"linear {m}x{k}x{n}", nn.Linear(k, n), (r(m, k),)
    yield "linear without bias", nn.Linear(24, 9, bias=False), (r(4, 24),)
    yield "linear of rank 3", nn.Linear(12, 20), (r(2, 5, 12),)
    yield "linear of rank 4", nn.Linear(6, 10), (r(2, 3, 4, 6),)
    yield "chain of linear", nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 20), nn.Tanh(), nn.Linear(20, 5)), (r(7, 10),)
    yield "mm", Of(lambda _, a, b: a @ b), (r(6, 11), r(11, 13))
    yield "bmm", Of(lambda _, a, b: torch.bmm(a, b)), (r(4, 6, 7), r(4, 7, 5))
    yield "matmul of rank 4", Of(lambda _, a, b: a @ b), (r(2, 3, 5, 8), r(2, 3, 8, 4))
    yield "matmul, transposed", Of(lambda _, a, b: a @ b.transpose(-1, -2)), (r(3, 5, 8), r(3, 6, 8))
    yield "addmm", Of(lambda _, a, b, c: torch.addmm(a, b, c)), (r(4, 6), r(4, 9), r(9, 6))
    for name, conv, x in (("conv 3x3", nn.Conv2d(3, 8, 3), (1, 3, 12, 10)), ("conv with padding", nn.Conv2d(4, 6, 3, padding=1), (1, 4, 9, 9)),
                          ("conv with stride", nn.Conv2d(4, 6, 3, stride=2, padding=1), (1, 4, 11, 9)),
                          ("conv with dilation", nn.Conv2d(4, 6, 3, dilation=2), (1, 4, 13, 13)),
                          ("conv 5x3", nn.Conv2d(2, 4, (5, 3)), (1, 2, 12, 12)), ("conv 1x1", nn.Conv2d(8, 16, 1), (1, 8, 6, 6)),
                          ("conv in groups", nn.Conv2d(8, 12, 3, groups=4), (1, 8, 8, 8)),
                          ("depthwise", nn.Conv2d(8, 8, 3, padding=1, groups=8), (1, 8, 9, 9)),
                          ("depthwise, multiplied", nn.Conv2d(4, 8, 3, groups=4), (1, 4, 9, 9)),
                          ("conv of a batch", nn.Conv2d(3, 5, 3), (2, 3, 8, 8)),
                          ("conv without bias", nn.Conv2d(3, 5, 3, bias=False), (1, 3, 8, 8)),
                          ("transposed", nn.ConvTranspose2d(4, 6, 3), (1, 4, 5, 5)),
                          ("transposed with stride", nn.ConvTranspose2d(4, 6, 2, stride=2), (1, 4, 5, 6))):
        yield name, conv, (r(*x),)
    yield "conv 1d", nn.Conv1d(4, 6, 3), (r(1, 4, 20),)
    yield "conv and norm", nn.Sequential(nn.Conv2d(3, 6, 3), nn.BatchNorm2d(6), nn.ReLU6(), nn.Conv2d(6, 4, 1)), (r(1, 3, 9, 9),)
    yield "conv and head", Of(lambda m, x: m[1](m[0](x).mean((2, 3))), nn.Conv2d(3, 8, 3), nn.Linear(8, 5)), (r(1, 3, 8, 8),)
    yield "pooling", nn.Sequential(nn.Conv2d(3, 6, 3), nn.MaxPool2d(2), nn.Conv2d(6, 4, 3), nn.AvgPool2d(2)), (r(1, 3, 18, 18),)
    yield "attention", Heads(16, 4), (r(1, 6, 16),)
    yield "attention of one head", Heads(8, 1), (r(2, 5, 8),)
    yield "attention in groups", Heads(16, 4, 2), (r(1, 6, 16),)
    yield "encoder", nn.TransformerEncoderLayer(16, 2, 24, batch_first=True, dropout=0), (r(1, 5, 16),)
    yield "gated", Of(lambda m, x: m[2](F.silu(m[0](x)) * m[1](x)), nn.Linear(8, 20), nn.Linear(8, 20), nn.Linear(20, 8)), (r(3, 8),)
    yield "residual", Of(lambda m, x: x + m[0](torch.sigmoid(m[1](x))), nn.Linear(9, 9), nn.Linear(9, 9)), (r(4, 9),)
    yield "norm and linear", nn.Sequential(nn.LayerNorm(12), nn.Linear(12, 7)), (r(3, 12),)
    yield "two heads", Of(lambda m, x: m[0](x) + m[1](x), nn.Linear(11, 4), nn.Linear(11, 4)), (r(3, 11),)
    yield "conv of a wide kernel", nn.Conv2d(2, 3, 7, padding=3), (r(1, 2, 10, 10),)
    yield "inverted bottleneck", nn.Sequential(nn.Conv2d(4, 16, 1), nn.ReLU6(), nn.Conv2d(16, 16, 3, padding=1, groups=16), nn.ReLU6(),
                                               nn.Conv2d(16, 4, 1)), (r(1, 4, 7, 7),)
    yield "transposed in groups", nn.ConvTranspose2d(8, 12, 3, stride=2, padding=1, output_padding=1, groups=4), (r(1, 8, 5, 6),)
    yield "transposed depthwise", nn.ConvTranspose2d(6, 6, 4, stride=2, padding=1, groups=6), (r(2, 6, 5, 5),)
    yield "conv 1d in groups", nn.Sequential(nn.Conv1d(6, 6, 3, groups=6, dilation=2, padding=2), nn.Conv1d(6, 9, 1)), (r(2, 6, 17),)
    yield "conv of uneven steps", nn.Conv2d(3, 7, (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2)), (r(1, 3, 11, 9),)
    yield "matmul, broadcast", Of(lambda _, a, b: a @ b), (r(5, 1, 4, 6), r(3, 6, 2))
    yield "recurrent", Recurrent(12, 16), (r(2, 4, 12), r(2, 16))
    yield "attention that appends", Appended(16, 4), (r(1, 1, 16), r(1, 4, 9, 4), r(1, 4, 9, 4))
    index = torch.randint(0, 7, (5, 4))
    yield "scatter", Of(lambda m, x, i, y: torch.scatter(m[0](x), 0, i, 2.0) + torch.scatter(x, 0, i, y), nn.Linear(4, 4)), (r(7, 4), index, r(5, 4))
    yield "scatter_add", Of(lambda m, x, i, y: torch.scatter_add(m[0](x), 0, i, y), nn.Linear(4, 4)), (r(7, 4), index, r(5, 4))
    yield "slice_scatter", Of(lambda m, x, y: torch.slice_scatter(m[0](x), y, 0, 1, 6), nn.Linear(4, 4)), (r(7, 4), r(5, 4))
    yield "softmax head", nn.Sequential(nn.Linear(10, 6), nn.Softmax(-1)), (r(5, 10),)


def by_torch(model, inputs):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH), torch.no_grad():
        model(*inputs)
    return counter.get_total_flops()


def by_fvcore(name, model, inputs):
    """Returns twice fvcore's multiply-adds; None if fvcore does not count an operator of the model, or counts it
    differently (docs/work.md)."""
    from fvcore.nn import FlopCountAnalysis

    count = FlopCountAnalysis(model, inputs)
    count.unsupported_ops_warnings(False)
    count.uncalled_modules_warnings(False)
    total = sum(n for k, n in count.by_operator().items() if k in ("addmm", "bmm", "matmul", "linear", "conv", "mm"))
    lacks = any("scaled_dot" in k or "baddbmm" in k or "encoder" in k for k in count.unsupported_ops())
    return None if lacks or name.startswith("matmul, broadcast") else 2 * total


def sizes(values):
    return sum(v.numel() * v.element_size() for v in values if isinstance(v, torch.Tensor))


def plain_bytes(edge):
    """Returns {name: (calls, bytes)} for operators of the edge program that read all of their arguments."""
    found = {}
    for node in edge.exported_program().graph_module.graph.nodes:
        if node.op != "call_function":
            continue
        name = str(getattr(node.target, "_op", node.target))  # aten.addmm.default, which an operator of the edge dialect wraps
        stem = name.split(".")[1 if name.startswith("aten.") else 0].strip("_").removesuffix("_copy")
        if stem not in PLAIN:
            continue
        arguments = [n.meta["val"] for n in dict.fromkeys(node.all_input_nodes)]
        result = node.meta["val"]
        calls, total = found.get(stem, (0, 0))
        found[stem] = (calls + 1, total + sizes(arguments) + sizes(result if isinstance(result, (tuple, list)) else [result]))
    return found


def module_bytes(model, inputs):
    """Returns the bytes of the linear layers and convolutions: input, weights, bias, result."""
    total, hooks = [0], []

    def hook(module, x, y):
        total[0] += sizes([x[0], module.weight, module.bias, y])
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Conv2d, nn.ConvTranspose2d)):
            hooks.append(module.register_forward_hook(hook))
    with torch.no_grad():
        model(*inputs)
    for h in hooks:
        h.remove()
    return total[0]


def rows_of(etcore, folder, *more):
    p = subprocess.run([etcore, "analyze", os.path.join(folder, "run.etdump"), "--roofline", "-o", "json", *more],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(p.stdout)["rows"]


def check(etcore, name, model, inputs, delegate, folder):
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower

    model, wrong = model.eval(), []
    want, other = by_torch(model, inputs), by_fvcore(name, model, inputs) if "ETCORE_FVCORE" in os.environ else None
    edge = to_edge_transform_and_lower(torch.export.export(model, inputs, strict=False), partitioner=xnnpack() if delegate else None,
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    tensors = {} if delegate else plain_bytes(edge)  # to_executorch() changes the graph
    with open(os.path.join(folder, "model.pte"), "wb") as f:
        f.write(edge.to_executorch().buffer)
    run(folder, [("forward", inputs)] * 2)
    rows = rows_of(etcore, folder)
    mine = [r for r in rows if r["key"].startswith(PRODUCTS + NODES)]
    if any("flops" not in r["columns"] for r in mine):
        wrong.append(f"unknown: {[(r['key'], r['columns'].get('work_why')) for r in mine if 'flops' not in r['columns']]}")
    got = sum(r["columns"].get("flops", 0) for r in mine)
    if got != want:
        wrong.append(f"{got} FLOPs, flop_counter counts {want}")
    if other is not None and got != other:
        wrong.append(f"{got} FLOPs, twice fvcore's are {other}")
    known = [r for r in rows if "bytes_read" in r["columns"]]
    compared = 0
    if delegate and all(isinstance(m, (nn.Linear, nn.Conv2d, nn.ConvTranspose2d, nn.Sequential, nn.ReLU, nn.Tanh, nn.Softmax, nn.ReLU6))
                        for m in model.modules()):
        got = sum(r["columns"]["bytes_read"] + r["columns"]["bytes_written"] for r in mine)
        compared += 1
        if got != module_bytes(model, inputs):
            wrong.append(f"{got} bytes, the layers' tensors have {module_bytes(model, inputs)}")
    for stem, (calls, total) in tensors.items():
        of = [r for r in known if r["key"].split(".")[0].strip("_").removesuffix("_copy") == stem]
        if sum(r["calls"] for r in of) != calls:
            continue
        compared += 1
        got = sum(r["columns"]["bytes_read"] + r["columns"]["bytes_written"] for r in of)
        if got != total:
            wrong.append(f"{stem}: {got} bytes, its tensors have {total}")
    return wrong, other is not None, compared


def quantized_models():
    """Yields (name, model, inputs, options of the quantizer, bytes read, bytes written). Weights have a byte per element
    and 4 per channel; a bias has 4 bytes, and with static activations 4 per channel for its scale. Dynamic activations are
    read as bytes."""
    r, mlp = torch.randn, nn.Sequential(nn.Linear(24, 40), nn.ReLU(), nn.Linear(40, 12))
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, groups=8, padding=1), nn.ReLU6(), nn.Conv2d(8, 4, 1))
    weights, channels = 24 * 40 + 40 * 12, 40 + 12
    yield "linear, dynamic", mlp, (r(5, 24),), {"is_per_channel": True, "is_dynamic": True}, \
        5 * 24 + 5 * 40 + weights + 8 * channels, 4 * 5 * channels
    yield "linear, static", mlp, (r(5, 24),), {"is_per_channel": True}, 5 * 24 + 5 * 40 + weights + 12 * channels, 5 * channels
    yield "linear, per tensor", mlp, (r(5, 24),), {"is_per_channel": False}, 5 * 24 + 5 * 40 + weights + 4 * channels, 5 * channels
    yield "conv, static", net, (r(1, 3, 9, 11),), {"is_per_channel": True}, \
        99 * (3 + 8 + 8) + 8 * 3 * 9 + 8 * 9 + 4 * 8 + 12 * (8 + 8 + 4), 99 * (8 + 8 + 4)
    yield "transposed, static", nn.ConvTranspose2d(4, 6, 3, stride=2), (r(1, 4, 6, 5),), {"is_per_channel": False}, \
        4 * 30 + 4 * 6 * 9 + 4 * 6, 6 * 13 * 11


def check_quantized(etcore, model, inputs, options, reads, writes, folder):
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    want = by_torch(model.eval(), inputs)
    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config(**options))
    prepared = prepare_pt2e(torch.export.export(model, inputs, strict=True).module(), quantizer)
    prepared(*inputs)
    edge = to_edge_transform_and_lower(torch.export.export(convert_pt2e(prepared), inputs, strict=True), partitioner=xnnpack(),
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    with open(os.path.join(folder, "model.pte"), "wb") as f:
        f.write(edge.to_executorch().buffer)
    run(folder, [("forward", inputs)] * 2)
    mine = [r["columns"] for r in rows_of(etcore, folder) if r["key"].startswith(NODES)]
    return [f"{key}: {sum(c.get(key, 0) for c in mine)}, not {value}" for key, value in
            (("flops", want), ("bytes_read", reads), ("bytes_written", writes)) if sum(c.get(key, 0) for c in mine) != value]


def stem_of(name):
    return name.split(".")[0].strip("_").removesuffix("_copy")


class Bytes(TorchDispatchMode):
    """Counts the bytes of executed operators that read all of their arguments: {name: [calls, bytes]}."""

    def __init__(self):
        super().__init__()
        self.found = {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        stem = stem_of(str(function).split(".", 1)[1])
        if stem in PLAIN:
            read = {id(t): t for t in pytree.tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)}
            of = self.found.setdefault(stem, [0, 0])
            of[0] += 1
            of[1] += sizes(read.values()) + sizes(pytree.tree_leaves(result))
        return result


class Loop(nn.Module):
    """A net with several results, sizes that are expressions of a dynamic size, and an input whose size only the record
    has."""

    def __init__(self):
        super().__init__()
        self.norm, self.wide, self.narrow = nn.LayerNorm(12), nn.Linear(12, 20), nn.Linear(20, 12)

    def forward(self, x, y):
        z = torch.cat([x, y + 1]).flip(0)
        z = self.narrow(torch.tanh(self.wide(self.norm(z))))
        return z @ z.T, z.reshape(-1, 2, 6).transpose(1, 2).sum(0)


def dynamic_models():
    """Yields (name, model, dynamic shapes, inputs of each run)."""
    r, n = torch.randn, torch.export.Dim("n", min=2, max=64)
    yield "linear", nn.Linear(16, 9), ({0: n},), [(r(k, 16),) for k in (3, 11)]
    yield "chain of linear", nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 5)), ({0: n},), [(r(k, 10),) for k in (64, 2)]
    yield "conv of a batch", nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 3)), ({0: n},), [(r(k, 3, 9, 9),) for k in (2, 5)]
    yield "conv of a length", nn.Conv1d(3, 6, 3, padding=1), ({2: n},), [(r(1, 3, k),) for k in (7, 33)]
    yield "attention", Heads(16, 4), ({1: n},), [(r(1, k, 16),) for k in (4, 17)]
    yield "several", Loop(), ({0: n}, {0: n}), [(r(k, 12), r(k, 12)) for k in (5, 8)]


def check_dynamic(etcore, model, shapes, runs, folder):
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower

    wrong, known, tensors = [], 0, Bytes()
    want = sum(by_torch(model.eval(), inputs) for inputs in runs) / len(runs)

    def lower():
        return to_edge_transform_and_lower(torch.export.export(model, runs[0], dynamic_shapes=shapes, strict=False), generate_etrecord=True,
                                           compile_config=EdgeCompileConfig(_check_ir_validity=False))
    module, program = lower().exported_program().module(), lower().to_executorch()
    for inputs in runs:
        with tensors, torch.no_grad():
            module(*inputs)
    save(folder, program)
    run(folder, [("forward", inputs) for inputs in runs], debug=1 << 22)
    for without in ("", "model.pte"):
        if without:
            os.unlink(os.path.join(folder, without))
        rows = rows_of(etcore, folder, "--warmup", "0")
        got = sum(r["columns"].get("flops", 0) for r in rows if r["key"].startswith(PRODUCTS))
        if got != want:
            wrong.append(f"{got} FLOPs per run, flop_counter counts {want}{', without a program' if without else ''}")
        for stem, (calls, total) in tensors.found.items():
            of = [r for r in rows if stem_of(r["key"]) == stem and "bytes_read" in r["columns"]]
            if not of and not without:
                wrong.append(f"{stem}: unknown")
            if sum(r["calls"] for r in of) * len(runs) != calls:
                continue
            known += 1
            got = sum(r["columns"]["bytes_read"] + r["columns"]["bytes_written"] for r in of) * len(runs)
            if got != total:
                wrong.append(f"{stem}: {got} bytes, its tensors have {total}{', without a program' if without else ''}")
    os.unlink(os.path.join(folder, "model.etrecord"))
    save(folder, program, record=False)
    alone = [r for r in rows_of(etcore, folder, "--warmup", "0") if r["columns"].get("work_why") == "depends on values of the run"]
    if not alone:
        wrong.append("without a record the inputs of the program are known")
    return wrong, known


class Small(nn.Module):
    """A net for images of any height, with all rules for sizes that a vision model needs."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.Conv2d(8, 8, 3, padding=2, dilation=2, groups=8)
        self.c, self.up, self.head = nn.Conv2d(16, 6, 1), nn.ConvTranspose2d(6, 4, 2, stride=2), nn.Linear(4, 5)

    def forward(self, x):
        y = F.hardswish(self.a(x))
        y = F.max_pool2d(torch.cat([y, F.pad(self.b(y), (0, 0, 0, 0)) + y], 1), 2)
        y = self.up(torch.sigmoid(self.c(y)))
        return self.head(y.mean((2, 3), keepdim=True).flatten(1)), y


def dynamic_delegates():
    """Yields (name, model, dynamic shapes, inputs of each run)."""
    r, n = torch.randn, torch.export.Dim("n", min=2, max=64)
    yield "linear", nn.Linear(16, 9), ({0: n},), [(r(k, 16),) for k in (3, 11)]
    yield "chain of linear", nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 10), nn.Softmax(-1)), ({0: n},), [(r(k, 10),) for k in (64, 2)]
    yield "conv of a batch", nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 3)), ({0: n},), [(r(k, 3, 9, 9),) for k in (2, 5)]
    yield "conv of a height", nn.Sequential(nn.Conv2d(3, 8, (3, 1), stride=(2, 1), padding=(1, 0)), nn.ReLU(),
                                            nn.Conv2d(8, 8, 3, padding=1, groups=8)), ({2: torch.export.Dim("h", min=4, max=64)},), [(r(1, 3, k, 9),) for k in (7, 20)]
    yield "bmm", Of(lambda _, a, b: torch.bmm(a, torch.tanh(b))), (({1: n}, {}),), [(r(2, k, 6), r(2, 6, 5)) for k in (4, 9)]
    yield "gated", Of(lambda m, x: m[2](F.sigmoid(m[0](x)) * m[1](x)), nn.Linear(8, 20), nn.Linear(8, 20), nn.Linear(20, 8)), (({0: n},),), \
        [(r(k, 8),) for k in (5, 6)]
    yield "attention", Heads(16, 4), ({1: n},), [(r(1, k, 16),) for k in (4, 17)]
    yield "scalar", Of(lambda m, x, y: m[0](torch.softmax(x / y, -1)), nn.Linear(8, 3)), (({0: n}, {}),), [(r(k, 8), torch.tensor(4.)) for k in (5, 6)]
    yield "vision", Small(), ({0: n},), [(r(k, 3, 32, 24),) for k in (2, 7)]


def check_dynamic_delegate(etcore, model, shapes, runs, folder):
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower

    want = sum(by_torch(model.eval(), inputs) for inputs in runs) / len(runs)
    program = to_edge_transform_and_lower(torch.export.export(model, runs[0], dynamic_shapes=shapes, strict=False), partitioner=xnnpack(),
                                          compile_config=EdgeCompileConfig(_check_ir_validity=False), generate_etrecord=True).to_executorch()
    save(folder, program)
    run(folder, [("forward", inputs) for inputs in runs], debug=1 << 22)
    rows = rows_of(etcore, folder, "--warmup", "0")
    wrong = [f"{r['key']}: unknown, {r['columns']['work_why']}" for r in rows if "flops" not in r["columns"] and r["key"].startswith(NODES + PRODUCTS)]
    if not any(r["key"].startswith(NODES) for r in rows):
        wrong.append("nothing runs in a delegate")
    mine = [r for r in rows if r["key"].startswith(NODES + PRODUCTS)]
    got = sum(r["columns"].get("flops", 0) for r in mine)
    if got != want:
        wrong.append(f"{got} FLOPs per run, flop_counter counts {want}")
    sums = 0
    if all(isinstance(m, (nn.Linear, nn.Conv2d, nn.Sequential, nn.ReLU, nn.Softmax)) for m in model.modules()):
        sums, total = 1, sum(module_bytes(model, inputs) for inputs in runs) / len(runs)
        got = sum(r["columns"].get("bytes_read", 0) + r["columns"].get("bytes_written", 0) for r in mine)
        if got != total:
            wrong.append(f"{got} bytes per run, the layers' tensors have {total}")
    run(folder, [("forward", inputs) for inputs in runs])
    if not any(r["columns"].get("work_why") == "depends on values of the run" for r in rows_of(etcore, folder, "--warmup", "0")):
        wrong.append("sizes that no run logged are known")
    return wrong, sums


class Cached(nn.Module):
    """Calls llama.custom_sdpa at a fixed position, or at a computed one if `start` is None."""

    def __init__(self, start):
        super().__init__()
        self.start = start

    def forward(self, q, k, v, more=None):
        start = self.start
        if start is None:
            start = more.item()
            torch._check(start >= 0)
            torch._check(start < 20)
            more = None
        return torch.ops.llama.custom_sdpa(q, k, v, start, more, 0.0, more is None)


def check_cached(etcore, start, more, keys, folder):
    """Checks three queries of four heads over caches of 32 keys and two heads; `keys` None: the number of keys is unknown."""
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
    from executorch.extension.llm.custom_ops import custom_ops  # noqa: F401

    q, k, v = torch.randn(1, 3, 4, 8), torch.randn(1, 32, 2, 8), torch.randn(1, 32, 2, 8)
    inputs = (q, k, v) if more is None else (q, k, v, more)
    edge = to_edge_transform_and_lower(torch.export.export(Cached(start).eval(), inputs, strict=False),
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    save(folder, edge.to_executorch(), record=False)
    run(folder, [("forward", inputs)] * 2)
    row, = (r for r in rows_of(etcore, folder) if "custom_sdpa" in r["key"])
    got, want = row["columns"].get("flops"), None
    if keys is not None:
        k, v = (t[:, :keys].transpose(1, 2).repeat_interleave(2, 1) for t in (k, v))
        want = by_torch(Of(lambda _, *x: F.scaled_dot_product_attention(*x)), (q.transpose(1, 2), k, v))
    return [] if got == want else [f"{got} FLOPs, flop_counter counts {want}"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    p.add_argument("--only")
    a = p.parse_args()
    torch.manual_seed(28)
    torch.backends.mha.set_fastpath_enabled(False)  # keeps attention from becoming one operator that flop_counter does not know
    bad = tried = twice = compared = 0
    for i, (name, model, inputs) in enumerate(models()):
        if a.only and a.only != name:
            continue
        for delegate in ([False, True] if a.only else [i % 2 == 1]):
            with tempfile.TemporaryDirectory() as folder:
                wrong, fvcore, sums = check(os.path.abspath(a.etcore), name, model, inputs, delegate, folder)
            for text in wrong:
                print(f"FAIL {name}, {'XNNPACK' if delegate else 'portable'}: {text}", flush=True)
            bad, tried, twice, compared = bad + bool(wrong), tried + 1, twice + fvcore, compared + sums
    for kind, nets, judge in ((", dynamic", dynamic_models, check_dynamic), (", dynamic, XNNPACK", dynamic_delegates, check_dynamic_delegate)):
        for name, model, shapes, runs in nets():
            if a.only and a.only != name + kind:
                continue
            with tempfile.TemporaryDirectory() as folder:
                wrong, sums = judge(os.path.abspath(a.etcore), model, shapes, runs, folder)
            for text in wrong:
                print(f"FAIL {name}{kind}: {text}", flush=True)
            bad, tried, compared = bad + bool(wrong), tried + 1, compared + sums
    for name, model, inputs, options, reads, writes in quantized_models():
        if a.only and a.only != name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            wrong = check_quantized(os.path.abspath(a.etcore), model, inputs, options, reads, writes, folder)
        for text in wrong:
            print(f"FAIL {name}: {text}", flush=True)
        bad, tried, compared = bad + bool(wrong), tried + 1, compared + 2
    for name, start, more, keys in (("at 0", 0, None, 3), ("at 5", 5, None, 8), ("with a mask", 5, torch.zeros(3, 32), 32),
                                    ("at a computed position", None, torch.tensor([6]), None)):
        if a.only and a.only != "attention with a cache " + name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            wrong = check_cached(os.path.abspath(a.etcore), start, more, keys, folder)
        for text in wrong:
            print(f"FAIL attention with a cache {name}: {text}", flush=True)
        bad, tried = bad + bool(wrong), tried + 1
    print(f"{tried} models, {bad} wrong; {twice} also by fvcore, {compared} sums of bytes")
    return 1 if bad or (not a.only and (tried < 40 or compared < 40)) else 0


if __name__ == "__main__":
    sys.exit(main())

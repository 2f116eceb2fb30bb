"""Models for live.py. Each recipe exports a model with random shapes, runs it with ExecuTorch and leaves
model.pte, model.etrecord, run.etdump and, for some recipes, debug.bin in its folder.

A recipe is a function of (rng, folder), registered by @recipe(the purpose of the recipe). All randomness comes from rng and
from torch's generator; live.py seeds both from the seed that it prints.
"""

import os

import torch
import torch.nn.functional as F
from torch import nn

RECIPES = {}


def recipe(shows):
    def register(function):
        RECIPES[function.__name__] = (function, shows)
        return function

    return register


# ------------------------------------------------------------------------- tools


def lower(programs, partitioner=None):
    """Exports `programs` (a (module, inputs) pair, an ExportedProgram, or a dict of them), lowers them with the partitioner
    and returns the ExecuTorch program."""
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower

    def exported(p):
        if not isinstance(p, tuple):
            return p
        model, inputs = p
        if not isinstance(model, torch.fx.GraphModule):
            model = model.eval()
        return torch.export.export(model, inputs, strict=False)

    programs = {k: exported(p) for k, p in programs.items()} if isinstance(programs, dict) else exported(programs)
    edge = to_edge_transform_and_lower(programs, partitioner=partitioner, generate_etrecord=True,
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    return edge.to_executorch()


def xnnpack(**options):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    return [XnnpackPartitioner(**options)]


def save(folder, program, record=True, inputs=None, outputs=None):
    with open(os.path.join(folder, "model.pte"), "wb") as f:
        f.write(program.buffer)
    if record:
        r = program.get_etrecord()
        if inputs is not None:
            r.update_representative_inputs(inputs)
        if outputs is not None:
            r.update_reference_outputs(outputs)
        r.save(os.path.join(folder, "model.etrecord"))


def run(folder, calls, debug=0):
    """Executes each (method, inputs) of `calls` in order and writes an ETDump. debug: size of the debug buffer in bytes; 0:
    none."""
    from executorch.runtime import Runtime, Verification

    program = Runtime.get().load_program(os.path.join(folder, "model.pte"), verification=Verification.Minimal,
                                         enable_etdump=True, debug_buffer_size=debug)
    methods = {}
    if not calls:
        for name in program.method_names:
            methods[name] = program.load_method(name)
    for name, inputs in calls:
        if name not in methods:
            methods[name] = program.load_method(name)
        methods[name].execute(list(inputs))
    program.write_etdump_result_to_file(os.path.join(folder, "run.etdump"), os.path.join(folder, "debug.bin"))
    if not debug and os.path.exists(os.path.join(folder, "debug.bin")):
        os.unlink(os.path.join(folder, "debug.bin"))


def forward(inputs, times):
    return [("forward", inputs)] * times


def quantized(model, x, dynamic, per_channel):
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
        XNNPACKQuantizer,
        get_symmetric_quantization_config,
    )
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    quantizer = XNNPACKQuantizer()
    quantizer.set_global(get_symmetric_quantization_config(is_per_channel=per_channel, is_dynamic=dynamic))
    prepared = prepare_pt2e(torch.export.export(model.eval(), x, strict=True).module(), quantizer)
    for _ in range(2):
        prepared(*(torch.randn_like(t) for t in x))
    return convert_pt2e(prepared)


# ------------------------------------------------------------------------ models


class Mlp(nn.Module):
    def __init__(self, rng, first, last):
        super().__init__()
        sizes = [first, *(rng.randrange(4, 48) for _ in range(rng.randrange(1, 5))), last]
        self.layers = nn.ModuleList(nn.Linear(a, b, bias=rng.random() < 0.8) for a, b in zip(sizes, sizes[1:]))
        self.act = rng.choice([F.relu, torch.tanh, F.gelu, torch.sigmoid, F.hardswish])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = self.act(layer(x))
        return torch.softmax(self.layers[-1](x), -1)


class Block(nn.Module):
    def __init__(self, rng, a, b):
        super().__init__()
        groups = a if rng.random() < 0.3 else 1
        self.conv = nn.Conv2d(a, b if groups == 1 else a, 3, rng.choice([1, 2]), 1, groups=groups, bias=rng.random() < 0.5)
        self.norm = nn.BatchNorm2d(b if groups == 1 else a)
        self.point = nn.Conv2d(b if groups == 1 else a, b, 1)
        self.act = rng.choice([nn.ReLU, nn.Hardswish, nn.Sigmoid, nn.ReLU6, nn.LeakyReLU])()

    def forward(self, x):
        return self.point(self.act(self.norm(self.conv(x))))


class Conv(nn.Module):
    def __init__(self, rng, channels):
        super().__init__()
        sizes = [channels, *(rng.choice([4, 6, 8, 12]) for _ in range(rng.randrange(1, 4)))]
        self.blocks = nn.Sequential(*(Block(rng, a, b) for a, b in zip(sizes, sizes[1:])))
        self.head = nn.Linear(sizes[-1], rng.randrange(2, 12))

    def forward(self, x):
        return self.head(self.blocks(x).mean((2, 3)))


class Attention(nn.Module):
    def __init__(self, heads, width):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = (p.reshape(b, t, self.heads, w // self.heads).transpose(1, 2) for p in self.qkv(self.norm(x)).chunk(3, -1))
        scores = torch.softmax(q @ k.transpose(-1, -2) / (w // self.heads) ** 0.5, -1)
        return x + self.out((scores @ v).transpose(1, 2).reshape(b, t, w))


class Stages(nn.Module):
    """Linear layers separated by operators that XNNPACK does not support."""

    def __init__(self, rng, stages, width):
        super().__init__()
        self.stages = nn.ModuleList(nn.Linear(width, width) for _ in range(stages))
        self.between = [rng.choice([torch.erf, torch.atan, torch.asinh]) for _ in range(stages)]

    def forward(self, x):
        for stage, op in zip(self.stages, self.between):
            x = op(stage(x))
        return x


class Zoo(nn.Module):
    """A random chain of portable operators, some with several outputs."""

    def __init__(self, rng, steps):
        super().__init__()
        self.embed = nn.Embedding(17, 8)
        self.ops = [rng.choice(list(self.CHOICES)) for _ in range(steps)]

    CHOICES = {
        "split": lambda x: torch.cat(torch.split(x, 4, -1)[::-1], -1),
        "topk": lambda x: x + torch.topk(x, 2, -1)[0].sum(-1, keepdim=True),
        "max": lambda x: x - torch.max(x, -1, keepdim=True)[0],
        "where": lambda x: torch.where(x > 0, x, x * 0.1),
        "clamp": lambda x: torch.clamp(x, -1, 1),
        "cumsum": lambda x: torch.cumsum(x, -1),
        "norm": lambda x: x / (x.norm(dim=-1, keepdim=True) + 1),
        "flip": lambda x: torch.flip(x, [0]),
        "stack": lambda x: torch.stack([x, -x]).mean(0),
        "index": lambda x: x[:, torch.tensor([1, 0, 3, 2, 5, 4, 7, 6])],
        "half": lambda x: x.to(torch.float16).to(torch.float32),
    }

    def forward(self, n):
        x = self.embed(n)
        for op in self.ops:
            x = self.CHOICES[op](x)
        return x, x.argmax(-1)


# ----------------------------------------------------------------------- recipes


@recipe("an MLP without delegates, several runs")
def mlp_portable(rng, folder):
    n = rng.randrange(4, 40)
    x = (torch.randn(rng.randrange(1, 6), n),)
    save(folder, lower((Mlp(rng, n, rng.randrange(2, 12)), x)))
    run(folder, forward(x, rng.randrange(1, 6)))


@recipe("an MLP in XNNPACK, dozens of runs")
def mlp_xnnpack(rng, folder):
    n = rng.randrange(4, 40)
    x = (torch.randn(rng.randrange(1, 6), n),)
    save(folder, lower((Mlp(rng, n, rng.randrange(2, 12)), x), xnnpack()))
    run(folder, forward(x, rng.randrange(2, 60)))


@recipe("convolutions, depthwise and pointwise, in XNNPACK or portable")
def conv(rng, folder):
    c = rng.choice([1, 3, 4])
    x = (torch.randn(1, c, rng.randrange(8, 20), rng.randrange(8, 20)),)
    save(folder, lower((Conv(rng, c), x), xnnpack() if rng.random() < 0.7 else None))
    run(folder, forward(x, rng.randrange(1, 20)))


@recipe("self attention")
def attention(rng, folder):
    heads = rng.choice([1, 2, 4])
    width = heads * rng.choice([4, 8])
    x = (torch.randn(1, rng.randrange(2, 9), width),)
    save(folder, lower((Attention(heads, width), x), xnnpack() if rng.random() < 0.7 else None))
    run(folder, forward(x, rng.randrange(1, 12)))


@recipe("many XNNPACK delegates with operators between them")
def partitions(rng, folder):
    width = rng.randrange(4, 20)
    x = (torch.randn(2, width),)
    save(folder, lower((Stages(rng, rng.randrange(2, 13), width), x), xnnpack()))
    run(folder, forward(x, rng.randrange(1, 10)))


@recipe("one delegate per operator")
def per_op(rng, folder):
    n = rng.randrange(4, 20)
    x = (torch.randn(2, n),)
    save(folder, lower((Mlp(rng, n, 5), x), xnnpack(per_op_mode=True)))
    run(folder, forward(x, rng.randrange(1, 10)))


@recipe("PT2E int8, static or dynamic, per tensor or per channel")
def int8(rng, folder):
    x = (torch.randn(4, 16),)
    model = nn.Sequential(nn.Linear(16, rng.randrange(8, 40)), nn.ReLU())
    model.append(nn.Linear(model[0].out_features, rng.randrange(4, 20)))
    dynamic = rng.random() < 0.5
    save(folder, lower((quantized(model, x, dynamic, dynamic or rng.random() < 0.5), x), xnnpack()))
    run(folder, forward(x, rng.randrange(1, 20)))


@recipe("int4 weights in groups, dynamic int8 activations")
def int4(rng, folder):
    from torchao.quantization import Int8DynamicActivationIntxWeightConfig, PerGroup, quantize_

    model = nn.Sequential(nn.Linear(64, 32 * rng.randrange(1, 4)), nn.ReLU()).eval()
    model.append(nn.Linear(model[0].out_features, 32))
    x = (torch.randn(rng.randrange(1, 9), 64),)
    quantize_(model, Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(32)))
    save(folder, lower((model, x), xnnpack()))
    run(folder, forward(x, rng.randrange(1, 20)))


@recipe("float16")
def half(rng, folder):
    n = rng.randrange(8, 40)
    model = nn.Sequential(nn.Linear(n, 24), nn.ReLU(), nn.Linear(24, 6)).half()
    x = (torch.randn(2, n).half(),)
    save(folder, lower((model, x), xnnpack()))
    run(folder, forward(x, rng.randrange(1, 10)))


@recipe("random portable operators over an embedding")
def zoo(rng, folder):
    x = (torch.randint(0, 17, (rng.randrange(2, 7),)),)
    save(folder, lower((Zoo(rng, rng.randrange(2, 9)), x)))
    run(folder, forward(x, rng.randrange(1, 5)))


@recipe("torch.cond, both branches taken: two kinds of blocks")
def cond(rng, folder):
    class Cond(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 8, bias=False)

        def forward(self, x):
            y = self.fc(x)
            return torch.cond(y.sum() > 0, lambda t: torch.sin(t) + t, lambda t: torch.neg(t), (y,))

    x = torch.randn(2, 8)
    save(folder, lower((Cond(), (x,))))
    run(folder, [("forward", (rng.choice([x, -x]),)) for _ in range(rng.randrange(2, 9))])


@recipe("map: repeated instructions, of which the Inspector keeps the last")
def mapped(rng, folder):
    from torch._higher_order_ops.map import map as map_

    class Mapped(nn.Module):
        def forward(self, xs, y):
            return map_(lambda x, y: torch.sin(x) * y + x, xs, y)

    x = (torch.randn(rng.randrange(2, 9), 5), torch.randn(5))
    save(folder, lower((Mapped(), x)))
    run(folder, forward(x, rng.randrange(1, 5)))


@recipe("scan: a loop that carries a state")
def scanned(rng, folder):
    from torch._higher_order_ops.scan import scan

    class Scanned(nn.Module):
        def forward(self, init, xs):
            return scan(lambda carry, x: (torch.sin(carry) + x, (carry * x).clone()), init, xs)

    x = (torch.randn(4), torch.randn(rng.randrange(2, 7), 4))
    save(folder, lower((Scanned(), x)))
    run(folder, forward(x, rng.randrange(1, 5)))


@recipe("hundreds of runs: percentiles and pairwise sums")
def long_run(rng, folder):
    n = rng.randrange(2, 9)
    x = (torch.randn(1, n),)
    save(folder, lower((nn.Linear(n, 3), x), xnnpack() if rng.random() < 0.5 else None))
    run(folder, forward(x, rng.randrange(120, 700)))


@recipe("several methods, alternating; one may be called forward")
def methods(rng, folder):
    names = rng.sample(["forward", "encode", "decode", "prefill"], rng.randrange(2, 4))
    parts, calls = {}, []
    for name in names:
        n = rng.randrange(4, 20)
        x = (torch.randn(2, n),)
        parts[name] = (Mlp(rng, n, 6), x)
        calls += [(name, x)] * rng.randrange(1, 5)
    rng.shuffle(calls)
    save(folder, lower(parts, {n: xnnpack() for n in names} if rng.random() < 0.7 else None))
    run(folder, calls)


@recipe("loaded, never run")
def no_runs(rng, folder):
    x = (torch.randn(2, 7),)
    save(folder, lower((Mlp(rng, 7, 3), x), xnnpack() if rng.random() < 0.5 else None))
    run(folder, [])


@recipe("a dynamic dimension: the record has a range without an end")
def dynamic_shape(rng, folder):
    n = rng.randrange(4, 12)
    rows = torch.export.Dim("rows", min=2, max=rng.choice([8, 64]))
    x = (torch.randn(3, n),)
    program = torch.export.export(Mlp(rng, n, 4).eval(), x, dynamic_shapes={"x": {0: rows}}, strict=False)
    save(folder, lower(program, xnnpack() if rng.random() < 0.5 else None))
    run(folder, [("forward", (torch.randn(rng.randrange(2, 8), n),)) for _ in range(rng.randrange(1, 6))])


class Mixed(nn.Module):
    """A model with outputs of many dtypes, an operator with several outputs, one that returns a list of tensors, and
    scalars."""

    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 6)

    def forward(self, x, k):
        y = self.fc(x)
        values, places = torch.max(y, 1)
        a, b, c = torch.split(y, 2, 1)
        return (a * b + c, values, places, y > 0, (y > 0).to(torch.int32) + k, y.to(torch.float64) * 1.5,
                (y * 10).to(torch.int8), (y * 10).to(torch.int16), (y * y).to(torch.uint8), x.shape[0])


@recipe("debug buffer: all intermediate values in many dtypes")
def debug_portable(rng, folder):
    n = rng.randrange(2, 9)
    x = (torch.randn(rng.randrange(1, 5), n), torch.tensor([[rng.randrange(9)]], dtype=torch.int32))
    model = Mixed(n).eval()
    save(folder, lower((model, x)), inputs=list(x), outputs=[list(model(*x))] if rng.random() < 0.5 else None)
    run(folder, forward(x, rng.randrange(1, 4)), debug=1 << 18)


@recipe("debug buffer with XNNPACK delegates between portable operators")
def debug_xnnpack(rng, folder):
    width = rng.randrange(4, 20)
    x = (torch.randn(2, width),)
    save(folder, lower((Stages(rng, rng.randrange(1, 5), width), x), xnnpack()), inputs=list(x))
    run(folder, forward(x, rng.randrange(1, 4)), debug=1 << 18)


@recipe("debug buffer with scalars; no record, because none can be saved for item()")
def debug_scalars(rng, folder):
    scale = rng.uniform(0.01, 10)

    class Scalars(nn.Module):
        def forward(self, x, n):
            v, k = x.sum().item(), n.item()
            return x * 2, v, k, v * scale, v / 3e9, k * 3 + 1

    x = (torch.randn(2, 2) * 10 ** rng.randrange(-3, 6), torch.tensor(rng.randrange(-9, 9)))
    save(folder, lower(torch.export.export(Scalars().eval(), x, strict=False)), record=False)
    run(folder, forward(x, 2), debug=1 << 18)


@recipe("runs with different inputs and a debug buffer: the outputs differ, the Inspector raises")
def debug_differs(rng, folder):
    x = (torch.randn(2, 6),)
    save(folder, lower((Mlp(rng, 6, 4), x), xnnpack() if rng.random() < 0.5 else None))
    run(folder, [("forward", (torch.randn(2, 6),)) for _ in range(rng.randrange(2, 4))], debug=1 << 18)


@recipe("NaN and infinities in the debug buffer")
def debug_nan(rng, folder):
    class Log(nn.Module):
        def forward(self, x):
            y = torch.log(x)
            return torch.exp(y) / (x - x.round()), y

    x = (torch.tensor([[-1.0, 0.0, 1.0, 2.5, rng.uniform(-1, 1)]]),)
    save(folder, lower((Log(), x)), inputs=list(x))
    run(folder, forward(x, rng.randrange(1, 3)), debug=1 << 18)


@recipe("bundled program: inputs and reference outputs of several test cases in the record")
def bundled(rng, folder):
    from executorch.devtools import BundledProgram
    from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite

    n = rng.randrange(4, 12)
    model = Mlp(rng, n, 5).eval()
    xs = [torch.randn(2, n) for _ in range(rng.randrange(1, 4))]
    program = lower((model, (xs[0],)), xnnpack())
    cases = BundledProgram(program, [MethodTestSuite("forward", [MethodTestCase([x], [model(x)]) for x in xs])])
    save(folder, program, inputs=cases, outputs=cases)
    run(folder, forward((xs[0],), rng.randrange(1, 3)), debug=1 << 18)


@recipe("record made from its parts, with further export modules")
def made_by_hand(rng, folder):
    import copy

    from executorch.devtools import generate_etrecord
    from executorch.exir import to_edge

    n = rng.randrange(4, 12)
    x = (torch.randn(2, n),)
    exported = torch.export.export(Mlp(rng, n, 4).eval(), x, strict=False)
    edge = to_edge(exported)
    kept = copy.deepcopy(edge)
    program = edge.to_executorch()
    save(folder, program, record=False)
    generate_etrecord(os.path.join(folder, "model.etrecord"), kept, program, exported_program=exported,
                      extra_recorded_export_modules={"aten_output": exported, "edge_output": kept})
    run(folder, forward(x, rng.randrange(1, 5)))

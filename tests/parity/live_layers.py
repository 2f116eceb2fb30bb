#!/usr/bin/env python3
"""Tests where `etcore numeric gap` says that errors start: exports and runs nets with portable kernels and with XNNPACK,
unmodified and with one weight changed.

In nets that cancel (make_cancelling), only the last bits of the weights are changed: the large differences after such a
layer are then not an error.

    live_layers.py --etcore build/etcore [--seed N] [--seeds N] [--only NET]
    live_layers.py --record FOLDER      writes one archive per net, which tests/claims/claim_numeric.py reads

For an unmodified net, `etcore numeric gap` must never print `starts`. If the output of a layer moved by 1 % or more, it may
only name that layer, an operator that takes its output, or the delegate that contains it; with portable kernels on both
sides it must name it in 95 % of the cases. live.sh makes the environment: ETCORE_LIVE=tests/parity/live_layers.py.
"""
import argparse
import collections
import copy
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import warnings
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "claims"), os.path.join(ROOT, "sdk", "python")]

# ---- nets --------------------------------------------------------------------------------------------------------------


def make_nets():
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Mish(nn.Module):
        def __init__(self, c):
            super().__init__()
            self.conv, self.bn, self.act = nn.Conv2d(c, c, 3, padding=1), nn.BatchNorm2d(c), nn.Mish()
            self.bn.running_mean.normal_(0, .1), self.bn.running_var.uniform_(.5, 1.5)

        def forward(self, x):
            return self.act(self.bn(self.conv(x)))

    class MishNet(nn.Module):
        def __init__(self, c=4):
            super().__init__()
            self.stem, self.a, self.b, self.head = nn.Conv2d(3, c, 1), Mish(c), Mish(c), nn.Linear(c, 4)
            self.x = (torch.randn(1, 3, 5, 5),)

        def forward(self, x):
            return self.head(self.b(self.a(self.stem(x))).mean((2, 3)))

    class RMS(nn.Module):
        def __init__(self, d):
            super().__init__()
            self.g = nn.Parameter(torch.rand(d) + .5)

        def forward(self, x):
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.g

    class SwiGLU(nn.Module):
        def __init__(self, norm=RMS, d=8, h=12):
            super().__init__()
            self.norm, self.gate, self.up, self.down = norm(d), nn.Linear(d, h), nn.Linear(d, h), nn.Linear(h, d)
            self.x = (torch.randn(2, d),)

        def forward(self, x):
            y = self.norm(x)
            return x + self.down(F.silu(self.gate(y)) * self.up(y))

    class Gelu(nn.Module):
        def __init__(self, how="none", d=8):
            super().__init__()
            self.l1, self.l2, self.l3, self.act = nn.Linear(d, 12), nn.Linear(12, 12), nn.Linear(12, 4), nn.GELU(approximate=how)
            self.x = (torch.randn(2, d),)

        def forward(self, x):
            return self.l3(self.act(self.l2(self.act(self.l1(x)))))

    class GeluFirst(nn.Module):
        def __init__(self, d=8):
            super().__init__()
            self.act, self.fc, self.x = nn.GELU(approximate="tanh"), nn.Linear(d, 4), (torch.randn(2, d),)

        def forward(self, x):
            return self.fc(self.act(x))

    class Moe(nn.Module):
        def __init__(self, d=8, n=3):
            super().__init__()
            self.router = nn.Linear(d, n)
            self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 12), nn.GELU(), nn.Linear(12, d)) for _ in range(n))
            self.norm = nn.LayerNorm(d)
            self.x = (torch.randn(3, d),)

        def forward(self, x):
            p = torch.softmax(self.router(x), -1)
            top, where = torch.topk(p, 2, -1)
            mask = torch.zeros_like(p).scatter(-1, where, top)
            return self.norm(x + sum(mask[:, i:i + 1] * e(x) for i, e in enumerate(self.experts)))

    class Attention(nn.Module):
        def __init__(self, fused, d=8, heads=2):
            super().__init__()
            self.n1, self.n2, self.heads, self.fused = nn.LayerNorm(d), nn.LayerNorm(d), heads, fused
            self.q, self.k, self.v, self.o, self.up, self.down = (
                nn.Linear(a, b) for a, b in ((d, d), (d, d), (d, d), (d, d), (d, 12), (12, d)))
            self.x = (torch.randn(1, 3, d),)

        def forward(self, x):
            b, t, w = x.shape
            h = self.n1(x)
            q, k, v = (p(h).reshape(b, t, self.heads, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
            if self.fused:
                a = F.scaled_dot_product_attention(q, k, v)
            else:
                a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(w / self.heads), -1) @ v
            x = x + self.o(a.transpose(1, 2).reshape(b, t, w))
            return x + self.down(F.gelu(self.up(self.n2(x))))

    class Norms(nn.Module):
        def __init__(self, c=4):
            super().__init__()
            self.c1, self.g, self.c2, self.b = nn.Conv2d(3, c, 3, padding=1), nn.GroupNorm(2, c), nn.Conv2d(c, c, 3, padding=1), nn.BatchNorm2d(c)
            self.l, self.i, self.fc = nn.LayerNorm([c, 5, 5]), nn.InstanceNorm2d(c, affine=True), nn.Linear(c, 4)
            self.x = (torch.randn(1, 3, 5, 5),)

        def forward(self, x):
            return self.fc(self.i(self.l(self.b(self.c2(F.relu(self.g(self.c1(x))))))).amax((2, 3)))

    class Softmaxes(nn.Module):
        def __init__(self, d=8):
            super().__init__()
            self.a, self.b, self.c, self.d = (nn.Linear(d, d) for _ in range(4))
            self.x = (torch.randn(2, d),)

        def forward(self, x):
            return (F.softmax(self.a(x), -1) * F.log_softmax(self.b(x), -1) + F.softmin(self.c(x), 0) -
                    torch.logsumexp(self.d(x), -1, keepdim=True))

    class Residual(nn.Module):
        def __init__(self, c=4):
            super().__init__()
            self.c1, self.c2, self.c3, self.c4 = (nn.Conv2d(a, c, 3, padding=1) for a in (3, c, c, c))
            self.fc = nn.Linear(c, 6)
            self.x = (torch.randn(1, 3, 5, 5),)

        def forward(self, x):
            x = F.relu(self.c1(x))
            x = F.relu(x + self.c2(x))
            x = F.relu6(x + self.c4(F.hardswish(self.c3(x))))
            return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1)).log_softmax(-1)

    class Bottleneck(nn.Module):
        def __init__(self, c=4):
            super().__init__()
            self.pw, self.dw, self.se1 = nn.Conv2d(3, c, 1), nn.Conv2d(c, c, 3, padding=1, groups=c), nn.Conv2d(c, 4, 1)
            self.se2, self.out = nn.Conv2d(4, c, 1), nn.Conv2d(c, 4, 1)
            self.x = (torch.randn(1, 3, 6, 6),)

        def forward(self, x):
            x = F.elu(self.dw(F.leaky_relu(self.pw(x))))
            return self.out(x * torch.sigmoid(self.se2(F.silu(self.se1(x.mean((2, 3), keepdim=True))))))

    class Softplus(nn.Module):
        def __init__(self, d=8):
            super().__init__()
            self.a, self.b, self.c, self.d = nn.Linear(d, 12), nn.Linear(12, 12), nn.Linear(12, 3), nn.Linear(12, 12)
            self.x = (torch.randn(2, d),)

        def forward(self, x):
            return self.c(F.selu(self.b(F.softplus(self.a(x)))) + torch.erf(self.d(F.softsign(self.a(x)))))

    class Recurrent(nn.Module):
        def __init__(self, kind, batch=1):
            super().__init__()
            self.rnn, self.fc = kind(4, 6, batch_first=True), nn.Linear(6, 3)
            self.x = (torch.randn(batch, 3, 4),)

        def forward(self, x):
            return self.fc(self.rnn(x)[0][:, -1])

    class Encoder(nn.Module):
        def __init__(self, d=8):
            super().__init__()
            self.norm, self.mha, self.fc = nn.LayerNorm(d), nn.MultiheadAttention(d, 2, batch_first=True), nn.Linear(d, 3)
            self.x = (torch.randn(2, 3, d),)

        def forward(self, x):
            y = self.norm(x)
            return self.fc((x + self.mha(y, y, y)[0]).mean(1))

    class Points(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = nn.Conv1d(3, 6, 1), nn.Conv1d(6, 8, 1), nn.Linear(8, 3)
            self.x = (torch.randn(2, 3, 5),)

        def forward(self, x):
            return self.c(torch.max(F.relu(self.b(F.relu(self.a(x)))), 2)[0])

    return {"encoder": Encoder, "points": Points, "gru_batch": lambda: Recurrent(nn.GRU, 2), "mish": MishNet, "swiglu": SwiGLU, "swiglu_layernorm": lambda: SwiGLU(nn.LayerNorm),
            "swiglu_rmsnorm": lambda: SwiGLU(nn.RMSNorm), "gelu": Gelu, "gelu_tanh": lambda: Gelu("tanh"), "gelu_first": GeluFirst, "moe": Moe,
            "attention": lambda: Attention(False), "sdpa": lambda: Attention(True), "norms": Norms, "softmaxes": Softmaxes,
            "residual": Residual, "bottleneck": Bottleneck, "softplus": Softplus, "lstm": lambda: Recurrent(nn.LSTM),
            "gru": lambda: Recurrent(nn.GRU)}


def make_cancelling():
    """Returns nets with an operator that amplifies differences in the last bits of its inputs."""
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Cancelling(nn.Module):
        def __init__(self, between, d=8, bias=0):
            super().__init__()
            self.a, self.c, self.b, self.between = nn.Linear(d, d), nn.Linear(d, d, bias=False), nn.Linear(d, 4), between
            with torch.no_grad():
                self.a.bias += bias
                self.c.weight -= self.c.weight.mean(1, keepdim=True)
            self.x, self.jittered = (torch.randn(3, d),), ["a"]

        def forward(self, x):
            return self.b(self.between(self, self.a(x)))

    class Images(nn.Module):
        def __init__(self, between):
            super().__init__()
            self.a, self.g, self.c = nn.Conv2d(3, 4, 3, padding=1), nn.GroupNorm(2, 4), nn.Conv2d(4, 4, 3, bias=False)
            with torch.no_grad():
                self.c.weight -= self.c.weight.mean((1, 2, 3), keepdim=True)
            self.x, self.between, self.jittered = (torch.randn(1, 3, 6, 6),), between, ["a"]

        def forward(self, x):
            return self.between(self, self.a(x))

    class First(nn.Module):
        """A net whose first operator sums the net's inputs, which no kernel logs, with weights that add up to 0."""

        def __init__(self, sums, weights, x):
            super().__init__()
            self.c, self.b, self.x, self.jittered = sums, nn.Linear(4, 4), (x,), ["b"]
            if weights:
                with torch.no_grad():
                    self.c.weight -= self.c.weight.mean(weights, keepdim=True)

        def forward(self, x):
            return self.b(self.c(x).flatten(1)[:, :4])

    class Named(First):
        """The input has a name like those that torch.export gives to constants."""

        def forward(self, c_0):
            return super().forward(c_0)

    class Lambda(nn.Module):
        def __init__(self, f):
            super().__init__()
            self.f = f

        def forward(self, x):
            return self.f(x)

    class Viewed(nn.Linear):
        def forward(self, x):
            return super().forward(x.reshape(3, 8))

    def centred(x):
        return x - x.mean(-1, keepdim=True)

    rows = {"layer_norm": lambda s, x: F.layer_norm(x * 1e-3 + 100, (8,)), "zero_sum": lambda s, x: s.c(x + 3000),
            "sine": lambda s, x: torch.sin(x * 1e5), "tangent": lambda s, x: torch.tan(x * 1e3),
            "quotient": lambda s, x: x / ((x + 1e3 - (x + 1e3).mean()) ** 2 + 1e-9), "one_minus": lambda s, x: torch.log(1 - torch.sigmoid(x + 12)),
            "arc": lambda s, x: torch.acos(torch.tanh(x * 6)), "standard": lambda s, x: centred(x * .01 + 50) / ((x * .01 + 50).std(-1, keepdim=True) + 1e-6),
            "cosine": lambda s, x: 1 - torch.cos(x * 1e-3), "growth": lambda s, x: torch.exp(x * 40),
            "sometimes_nan": lambda s, x: torch.log(centred(x * 1e-6 + 3)), "root": lambda s, x: torch.sqrt(centred(x * 1e-5 + 7))}
    nets = {"cancel_" + name: lambda between=between: Cancelling(between) for name, between in rows.items()}
    nets["cancel_bias"] = lambda: Cancelling(lambda s, x: s.c(x), bias=30000)
    nets["cancel_named_input"] = lambda: Named(nn.Linear(8, 4, bias=False), 1, torch.randn(3, 8) * .01 + 3000)
    nets["cancel_group_norm"] = lambda: Images(lambda s, x: s.c(s.g(x * .01 + 50)))
    nets["cancel_convolution"] = lambda: Images(lambda s, x: s.c(x + 2000))
    nets["cancel_first_product"] = lambda: First(nn.Linear(8, 4, bias=False), 1, torch.randn(3, 8) * .01 + 3000)
    nets["cancel_first_convolution"] = lambda: First(nn.Conv2d(4, 4, 3, bias=False), (1, 2, 3), torch.randn(1, 4, 6, 6) * .01 + 2000)
    nets["cancel_first_view"] = lambda: First(Viewed(8, 4, bias=False), 1, torch.randn(3, 2, 4) * .01 + 3000)
    nets["cancel_first_deviation"] = lambda: First(Lambda(lambda x: x.std(-1)), None, torch.randn(3, 4, 8) * .01 + 3000)
    return nets


# ---- layers ------------------------------------------------------------------------------------------------------------


def layers(model):
    return [n for n, m in model.named_modules() if n and any(True for _ in m.parameters(recurse=False))]


def first(value):
    return value[0] if isinstance(value, tuple) else value


def hit(model, layer, rng):
    """Changes one parameter of a layer until the layer's output is off by at least 1 %. Returns (the changed copy, a
    description of the change), or None if 12 steps do not suffice."""
    import torch

    other, seen = copy.deepcopy(model), []
    module = other.get_submodule(layer)
    handle = module.register_forward_hook(lambda _, taken, given: seen.append((taken, first(given))))
    other(*other.x)
    handle.remove()
    if not seen:  # the layer is never called: the module that contains it uses its parameters directly
        return None
    taken, before = seen[0]
    name, weight = rng.choice(list(module.named_parameters(recurse=False)))
    spread = weight.std() if weight.numel() > 1 and weight.std() > 0 else 1
    for _ in range(12):
        with torch.no_grad():
            weight += torch.randn_like(weight) * rng.choice([.02, .05, .2]) * spread
            off = (first(module(*taken)) - before).pow(2).mean().sqrt() / before.pow(2).mean().sqrt()
        if off >= .01:
            return other, {"layer": layer, "parameter": name, "off": off.item()}
    return None


def jitter(model, layer, rng):
    """Returns (a copy of the model whose layer has weights changed by a relative error of about 1e-7, a description of the
    change)."""
    import torch

    other, size = copy.deepcopy(model), rng.choice([1e-7, 3e-7])
    with torch.no_grad():
        for weight in other.get_submodule(layer).parameters():
            weight.mul_(1 + torch.randn_like(weight) * size)
    return other, {"layer": layer, "jitter": size}


def dump(model, folder, kind):
    """Exports a model, runs it once and leaves its files in `folder`. kind "p": portable kernels; "x": XNNPACK."""
    from live_models import forward, lower, run, save, xnnpack

    os.makedirs(folder)
    save(folder, lower((model, model.x), xnnpack() if kind == "x" else None), inputs=list(model.x))
    run(folder, forward(model.x, 1), debug=1 << 20)
    return folder


def all_nets():
    return {**make_nets(), **make_cancelling()}


def make(folder, net, seed):
    """Writes clean.p, clean.x and, for each changed layer, LAYER.p and LAYER.x below `folder`. Returns {layer: description
    of the change}."""
    import torch

    torch.manual_seed(seed * 1000 + sum(map(ord, net)))
    rng, done = random.Random(f"{net}/{seed}"), {}
    model = all_nets()[net]().eval()
    jittered = getattr(model, "jittered", None)
    for kind in "px":
        dump(model, os.path.join(folder, f"clean.{kind}"), kind)
    for layer in jittered or layers(model):
        found = (jitter if jittered else hit)(model, layer, rng)
        if found:
            done[layer] = found[1]
            for kind in "px":
                dump(found[0], os.path.join(folder, f"{layer}.{kind}"), kind)
    return done


def what_the_graph_gave(folder, kind):
    """Computes the values of the unmodified net's graph with the SDK's record_references.py; returns the path of the file."""
    import contextlib

    import record_references

    path = os.path.join(folder, f"references.{kind}.safetensors")
    with contextlib.redirect_stdout(io.StringIO()):
        record_references.main([os.path.join(folder, f"clean.{kind}", "model.etrecord"), "-o", path])
    return path


def without_paths(safetensors):
    """Returns the safetensors file with this machine's paths removed from its header."""
    size = int.from_bytes(safetensors[:8], "little")
    header = safetensors[8:8 + size].replace(HERE.encode() + b"/", b"")
    return len(header).to_bytes(8, "little") + header + safetensors[8 + size:]


# ---- recordings ----------------------------------------------------------------------------------------------------------

KEPT = ("ETRECORD_V0", "debug_handle_map", "delegate_map", "instruction_id_to_num_outs_map", "representative_inputs")


def small(state_dict):
    """Selects from a state dict the numbers that the exporter copied from the model's source into buffers, and all
    other weights of at most 16 elements."""
    import torch

    out = io.BytesIO()
    values = torch.load(io.BytesIO(state_dict), weights_only=True)
    torch.save({k: v for k, v in values.items() if v.numel() <= 16}, out)
    return out.getvalue()


def slim_record(path):
    """Returns {name: contents} of the record's entries without weights (constants stay) and without this machine's paths."""
    graph = "edge_dialect_exported_program/forward"
    out = {}
    with zipfile.ZipFile(path) as z:
        for name in z.namelist():
            if name in KEPT:
                out[name] = z.read(name)
        out[graph + "_state_dict"] = small(z.read(graph + "_state_dict"))
        program = json.loads(z.read(graph))
    for node in program["graph_module"]["graph"]["nodes"]:
        node["metadata"].pop("from_node", None)
        trace = node["metadata"].get("stack_trace")
        if trace:
            node["metadata"]["stack_trace"] = trace.replace(ROOT + "/tests/parity/", "")
    out[graph] = json.dumps(program).encode()
    return out


def logged(etcore, folder):
    """Returns the debug buffer, and the (offset, bytes) of each value in it. Offsets differ between runs because values are
    aligned."""
    p = subprocess.run([etcore, "numeric", "values", os.path.join(folder, "run.etdump"), "-o", "json"], capture_output=True,
                       check=True)
    with open(os.path.join(folder, "debug.bin"), "rb") as f:
        return f.read(), [(r["offset"], r["bytes"]) for r in json.loads(p.stdout)["rows"] if r["offset"] is not None]


def moved(there, where, size):
    """Copies the values of a buffer, `there` = (bytes, positions), to the positions `where` of another run of the same
    program."""
    data, from_ = there
    out = bytearray(size)
    for (a, n), (b, m) in zip(from_, where, strict=True):
        assert n == m
        out[b:b + n] = data[a:a + n]
    return bytes(out)


def record(etcore, out, net, folder, done):
    """Writes the archive of one net. For a changed layer it stores only the XOR of its debug buffer with that of the
    unmodified net, because the dumps are equal."""
    with zipfile.ZipFile(os.path.join(out, net + ".zip"), "w") as z:
        def add(name, data):
            z.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)

        add("hits.json", json.dumps(done, indent=1))
        for kind in "px":
            with open(what_the_graph_gave(folder, kind), "rb") as f:
                add(f"{kind}/references.safetensors", without_paths(f.read()))
            clean = os.path.join(folder, f"clean.{kind}")
            data, where = logged(etcore, clean)
            data = moved((data, where), where, max(o + n for o, n in where))
            add(f"{kind}/debug.bin", data)
            with open(os.path.join(clean, "run.etdump"), "rb") as f:
                add(f"{kind}/run.etdump", f.read())
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w", zipfile.ZIP_STORED) as r:
                for name, part in slim_record(os.path.join(clean, "model.etrecord")).items():
                    r.writestr(zipfile.ZipInfo(name), part)
            add(f"{kind}/model.etrecord", inner.getvalue())
            for layer in done:
                other = moved(logged(etcore, os.path.join(folder, f"{layer}.{kind}")), where, len(data))
                add(f"{kind}/{layer}.xor", bytes(a ^ b for a, b in zip(other, data)))


# ---- campaign ------------------------------------------------------------------------------------------------------------


def campaign(etcore, names, seed, seeds):
    import layer_verdicts

    count, wrong = collections.Counter(), []
    for s in range(seed, seed + seeds):
        for net in names:
            with tempfile.TemporaryDirectory() as folder:
                done = make(folder, net, s)
                references = {kind: os.path.join(folder, f"clean.{kind}") for kind in "px"}
                for kind in "px":
                    references["the graph"] = what_the_graph_gave(folder, kind)
                    for layer in (None, *done):
                        for other, reference in references.items():
                            at = os.path.join(folder, f"{layer or 'clean'}.{kind}")
                            word, text = layer_verdicts.judge(etcore, at, reference, layer)
                            word = "clean" if (layer is None or "jitter" in done[layer]) and word != "wrong" else word
                            count[f"{kind} against {other}", word] += 1
                            if word == "wrong":
                                wrong.append(f"{net}, seed {s}, {layer}, {kind} against {other}: {text}")
            print(f"seed {s}: {net}, {len(done)} layers", file=sys.stderr, flush=True)
    return 0 if layer_verdicts.report(count, wrong, {"p against p": .95, "p against the graph": .95}) else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--record", metavar="FOLDER")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    import torch

    torch.set_num_threads(1)
    names = options.only or list(all_nets())
    if not options.record:
        return campaign(options.etcore, names, options.seed, options.seeds)
    os.makedirs(options.record, exist_ok=True)
    for net in names:
        with tempfile.TemporaryDirectory() as folder:
            record(options.etcore, options.record, net, folder, make(folder, net, options.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""models -- small Llama-shaped models with a KV cache: exported, and run token by token.

    models.py KIND BACKEND OUT [--tokens N] [--generations N] [--prompt N] [--debug BYTES] [--layers N] [--width N]
              [--vocabulary N]

Writes OUT.pte, OUT.etrecord, OUT.etdump and OUT.log, the lines that a runner of LLMs prints about each generation.

    static   one method of one token: the prompt goes through it token by token
    dynamic  one method of any number of tokens
    two      prefill_forward and kv_forward, each of a fixed number of tokens

Needs torch and executorch (PyPI).
"""
import argparse
import json
import math
import time

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from executorch.runtime import Runtime, Verification
from torch import nn
from torch.export import Dim, export


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight


class Attention(nn.Module):
    def __init__(self, width, heads, context):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width, bias=False) for _ in range(4))
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(1, heads, context, width // heads))
        self.register_buffer("mask", torch.tril(torch.ones(context, context, dtype=torch.bool)))

    def forward(self, x, position):
        n, width = x.shape[1], x.shape[2]
        q, k, v = (f(x).view(1, n, self.heads, width // self.heads).transpose(1, 2) for f in (self.q, self.k, self.v))
        self.keys.index_copy_(2, position, k)
        self.values.index_copy_(2, position, v)
        scores = q @ self.keys.transpose(2, 3) / math.sqrt(width // self.heads)
        scores = torch.where(self.mask[position], scores, torch.full((), -1e9))
        return self.o((torch.softmax(scores, -1) @ self.values).transpose(1, 2).reshape(1, n, width))


class Block(nn.Module):
    def __init__(self, width, heads, context):
        super().__init__()
        self.first, self.second, self.attention = Norm(width), Norm(width), Attention(width, heads, context)
        self.gate, self.up = (nn.Linear(width, 2 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * width, width, bias=False)

    def forward(self, x, position):
        x = x + self.attention(self.first(x), position)
        h = self.second(x)
        return x + self.down(nn.functional.silu(self.gate(h)) * self.up(h))


class Llama(nn.Module):
    def __init__(self, layers, width, heads, context, vocabulary):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width, heads, context) for _ in range(layers))
        self.norm, self.out = Norm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens, position):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, position)
        return self.out(self.norm(x)[:, -1, :])


def methods(model, kind, prompt, context):
    def of(n, **more):
        return export(model, (torch.zeros(1, n, dtype=torch.long), torch.arange(n)), strict=False, **more)

    if kind == "static":
        return {"forward": of(1)}
    if kind == "two":
        return {"prefill_forward": of(prompt), "kv_forward": of(1)}
    n = Dim("n", min=1, max=context // 2)
    return {"forward": of(8, dynamic_shapes=({1: n}, {0: n}))}


def make(kind, backend, out, tokens=256, generations=3, prompt=16, debug=0, layers=2, width=64, heads=4, vocabulary=256):
    """Exports one model, runs `generations` times `tokens` tokens, and writes the files."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    context = tokens + 64
    model = Llama(layers, width, heads, context, vocabulary).eval().requires_grad_(False)
    program = to_edge_transform_and_lower(
        methods(model, kind, prompt, context), partitioner=[XnnpackPartitioner()] if backend == "xnnpack" else None,
        generate_etrecord=True).to_executorch()
    with open(out + ".pte", "wb") as f:
        f.write(program.buffer)
    program.get_etrecord().save(out + ".etrecord")
    run(kind, out, tokens, generations, prompt, debug, vocabulary)


def stamp():
    return time.time_ns() // 1_000_000


def run(kind, out, tokens, generations, prompt, debug, vocabulary):
    load_start = stamp()
    loaded = Runtime.get().load_program(out + ".pte", verification=Verification.Minimal, enable_etdump=True, debug_buffer_size=debug)
    by_name = {name: loaded.load_method(name) for name in loaded.method_names}
    load_end = stamp()
    one = by_name.get("kv_forward") or by_name["forward"]
    many = by_name.get("prefill_forward") or by_name["forward"]
    lines = []
    for _ in range(generations):
        words = torch.randint(0, vocabulary, (1, prompt))
        start = stamp()
        if kind == "static":
            for i in range(prompt):
                logits = one.execute([words[:, i:i + 1], torch.tensor([i])])[0]
        else:
            logits = many.execute([words, torch.arange(prompt)])[0]
        prompt_end = stamp()
        for i in range(prompt, tokens):
            logits = one.execute([logits.argmax().reshape(1, 1), torch.tensor([i])])[0]
        lines.append({
            "prompt_tokens": prompt, "generated_tokens": tokens - prompt, "model_load_start_ms": load_start, "model_load_end_ms": load_end,
            "inference_start_ms": start, "inference_end_ms": stamp(), "prompt_eval_end_ms": prompt_end, "first_token_ms": prompt_end,
            "aggregate_sampling_time_ms": 0, "SCALING_FACTOR_UNITS_PER_SECOND": 1000})
    loaded.write_etdump_result_to_file(out + ".etdump", out + ".debug" if debug else "")
    with open(out + ".log", "w") as f:
        f.writelines("PyTorchObserver " + json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("static", "dynamic", "two"))
    parser.add_argument("backend", choices=("xnnpack", "portable"))
    parser.add_argument("out")
    for name, value in (("tokens", 256), ("generations", 3), ("prompt", 16), ("debug", 0), ("layers", 2), ("width", 64), ("vocabulary", 256)):
        parser.add_argument("--" + name, type=int, default=value)
    make(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()

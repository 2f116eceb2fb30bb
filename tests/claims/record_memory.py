#!/usr/bin/env python3
"""record_memory.py [--models N] [--seed N] OUT.json.gz -- records programs of random nets with the plans of ExecuTorch's
planner.

Needs torch and executorch. It writes for each net: the program (base64), the planner's storages with the nodes between
which each is live, and the nodes that execute an instruction. claim_memory.py compares `etcore memory` with them.
"""
import argparse
import base64
import gzip
import json
import logging
import os
import random
import sys
import warnings

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, memory, to_edge_transform_and_lower
from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, get_node_tensor_specs, greedy, naive
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.tensor import num_bytes_from_shape_and_dtype
from torch import nn

UNARY = [torch.sin, torch.atan, torch.erf, torch.relu, torch.neg, torch.exp, lambda t: t * 2, lambda t: t.clone(),
         lambda t: torch.softmax(t, -1), lambda t: t.transpose(0, 1).contiguous().transpose(0, 1).contiguous()]
BINARY = [torch.add, torch.mul, torch.sub, torch.maximum, torch.minimum, torch.matmul]


class Drawn(nn.Module):
    """A random graph over square matrices: residuals, views, lists, reductions, buffers that change."""

    def __init__(self, seed):
        super().__init__()
        rng = random.Random(seed)
        self.seed, self.side, self.steps = seed, rng.choice((2, 3, 4, 6, 8)), rng.randint(2, 18)
        self.linear = nn.ModuleList(nn.Linear(self.side, self.side) for _ in range(rng.randint(0, 2)))
        self.buffers_kept = rng.random() < 0.3
        if self.buffers_kept:
            self.register_buffer("seen", torch.zeros(self.side, self.side))

    def one(self, rng, values, n):
        kind = rng.random()
        x = rng.choice(values[-4:])
        if kind < 0.35:
            return rng.choice(UNARY)(x)
        if kind < 0.6:
            return rng.choice(BINARY)(x, rng.choice(values))
        if kind < 0.7 and len(self.linear):
            return rng.choice(list(self.linear))(x)
        if kind < 0.78:
            return x.reshape(1, n * n).reshape(n, n)
        if kind < 0.86:
            a, b = torch.split(x, [1, n - 1])
            return torch.cat([b, a])
        if kind < 0.93:
            return x - torch.max(x, 1, keepdim=True)[0]
        return torch.cat([x, rng.choice(values)], 1)[:, rng.randint(0, 1):][:, :n]

    def forward(self, x, y):
        rng, n = random.Random(self.seed + 1), self.side
        values = [x, y]
        for _ in range(self.steps):
            values.append(self.one(rng, values, n))
        if self.buffers_kept:
            self.seen.add_(values[-1])
            values.append(self.seen + x)
        return tuple(rng.sample(values[2:], min(len(values) - 2, rng.randint(1, 3))))


def planned(program, name):
    """Returns the planner's storages, and the nodes that execute an instruction."""
    nodes = list(program.exported_program(name).graph.nodes)
    specs, seen = [], set()
    for node in nodes:
        if node.op == "output":
            continue
        for s in get_node_tensor_specs(node) or []:
            if s is None or id(s) in seen or getattr(s, "mem_id", None) is None or s.const or type(s).__name__ == "_ViewSpec":
                continue
            seen.add(id(s))
            specs.append([s.mem_id, s.mem_offset, num_bytes_from_shape_and_dtype(s.shape, s.dtype), *s.lifetime,
                          node.op == "placeholder"])
    calls = [i for i, n in enumerate(nodes) if n.op == "call_function" and n.target not in (memory.alloc, memory.view)
             and "getitem" not in n.name]
    # The planner counts getitem as a use of the tensor. The program has no instruction for it, so a getitem after
    # another operator would give a longer lifetime than the program shows.
    for i, node in enumerate(nodes):
        if "getitem" in node.name and any(nodes.index(node.args[0]) < k < i for k in calls):
            raise ValueError("an item is taken late")
    return {"specs": specs, "calls": calls, "nodes": len(nodes)}


def net(seed):
    rng = random.Random(seed)
    torch.manual_seed(seed)
    model = Drawn(seed).eval().requires_grad_(False)
    inputs = torch.randn(model.side, model.side), torch.randn(model.side, model.side)
    delegated = rng.random() < 0.5
    edge = to_edge_transform_and_lower(torch.export.export(model, inputs, strict=False),
                                       partitioner=[XnnpackPartitioner()] if delegated else None,
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    algorithm = MemoryPlanningAlgorithmSuite(algo_list=[rng.choice((greedy, greedy, naive))])
    program = edge.to_executorch(ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(
        memory_planning_algo=algorithm, alignment=rng.choice((16, 16, 64)),
        alloc_graph_input=rng.random() < 0.8, alloc_graph_output=rng.random() < 0.8)))
    return {"seed": seed, "delegated": delegated, "pte": base64.b64encode(program.buffer).decode(),
            **planned(program, "forward")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("out")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    found, seed = [], options.seed
    while len(found) < options.models:
        try:
            found.append(net(seed))
        except Exception as e:  # some drawn graphs cannot be exported
            print(f"seed {seed}: {type(e).__name__} {str(e)[:100]}", file=sys.stderr)
        seed += 1
    with open(options.out, "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
        z.write(json.dumps(found).encode())
    print(f"{len(found)} models, {os.path.getsize(options.out)} bytes")


if __name__ == "__main__":
    main()

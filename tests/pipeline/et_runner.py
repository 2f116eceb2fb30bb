#!/usr/bin/env python3
"""A runner with executor_runner's flags and log lines, made of executorch.runtime of PyPI; used where no C++ runner is
built.

It has XNNPACK and portable kernels, and the event tracer on. Flags have the forms of gflags, "-flag=v" and "--flag v";
inputs are ones unless --inputs names raw files. Log lines go to standard error in the format of ExecuTorch's POSIX
platform. An iteration's time includes the copy of outputs by the Python binding; the event Method::execute in the ETDump
does not.
"""

import argparse
import os
import sys
import time

BEGAN = time.perf_counter_ns()


def log(line, message, level="I"):
    us = (time.perf_counter_ns() - BEGAN) // 1000
    s = us // 1000000
    print(f"{level} {s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}.{us % 1000000:06} "
          f"executorch:executor_runner.cpp:{line}] {message}", file=sys.stderr, flush=True)


def flags():
    p = argparse.ArgumentParser(allow_abbrev=False)
    for name, kind, default in (("model_path", str, "model.pte"), ("data_path", str, ""), ("inputs", str, ""),
                                ("output_file", str, ""), ("print_output", str, "summary"), ("num_executions", int, 1),
                                ("method_name", str, ""), ("etdump_path", str, "model.etdump"), ("cpu_threads", int, -1)):
        p.add_argument("-" + name, "--" + name, dest=name, type=kind, default=default)
    args, rest = p.parse_known_args()
    if rest:
        word = rest[0].lstrip("-").split("=")[0]
        sys.exit(f"ERROR: unknown command line flag '{word}'" if rest[0].startswith("-") else f"Extra arguments: {rest}")
    return args


def make_inputs(meta, files, torch):
    kinds = {0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16,
             6: torch.float32, 7: torch.float64, 11: torch.bool, 15: torch.bfloat16}
    out = []
    for i in range(meta.num_inputs()):
        t = meta.input_tensor_meta(i)
        sizes = tuple(t.sizes())
        if files:
            with open(files[i], "rb") as f:
                out.append(torch.frombuffer(bytearray(f.read()), dtype=kinds[t.dtype()]).reshape(sizes))
        else:
            out.append(torch.ones(sizes, dtype=kinds[t.dtype()]))
    return out


def main():
    a = flags()
    if not os.path.isfile(a.model_path):
        log(445, "In function main(), assert failed (file_loader.ok()): FileDataLoader::from() failed: 0x22", "F")
        os.abort()
    import torch
    from executorch.extension.pybindings import portable_lib
    from executorch.runtime import Runtime

    if a.cpu_threads > 0:
        portable_lib._unsafe_reset_threadpool(a.cpu_threads)
        log(340, f"Resetting threadpool with num threads = {a.cpu_threads}")
    began = time.perf_counter_ns()
    program = Runtime.get().load_program(a.model_path, enable_etdump=True, data_path=a.data_path or None)
    name = a.method_name or program._program.get_method_name(0)
    log(486, f"Using method {name}")
    method = program.load_method(name)
    log(624, f"Model loaded in {(time.perf_counter_ns() - began) / 1e6:f} ms.")
    inputs = make_inputs(method.metadata, [f for f in a.inputs.split(",") if f], torch)
    total, outputs = 0, []
    for i in range(a.num_executions):
        began = time.perf_counter_ns()
        outputs = method.execute(inputs)
        took = time.perf_counter_ns() - began
        total += took
        log(781, f"Iteration {i + 1} of {a.num_executions}: {took / 1e6:f} ms")
    log(791, f"Model executed successfully {a.num_executions} time(s) in {total / 1e6:f} ms.")
    log(799, f"{len(outputs)} outputs: ")
    for i, o in enumerate(outputs):
        if a.print_output != "none":
            print(f"OutputX {i}: tensor(sizes={list(o.shape)}, {o.reshape(-1)[:200].tolist()})", flush=True)
        if a.output_file:
            with open(f"{a.output_file}-{i}.bin", "wb") as f:
                f.write(o.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    program.write_etdump_result_to_file(a.etdump_path, os.devnull)
    log(261, f"ETDump written to file '{a.etdump_path}'.")
    sys.stdout.flush()
    os._exit(0)


main()

"""The functions of the command table for type checkers and editors; tests/python/stub.py writes this file."""
from os import PathLike
from typing import Literal, Optional, Protocol, Sequence, Union

from ._questions import Result

class _Open(Protocol):
    def read(self) -> bytes: ...

_File = Union[str, PathLike[str], bytes, bytearray, memoryview, _Open]
_Word = Union[str, int, float, PathLike[str]]
_Words = Union[_Word, Sequence[_Word]]
_Files = Union[_File, Sequence[_File]]


def analyze(
    *operands: _Files,
    bars: Optional[bool] = ...,
    by: Optional[Literal["op", "kernel", "module", "source", "category", "backend", "delegate", "fallback", "method", "file", "run"]] = ...,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    columns: Optional[_Words] = ...,
    config: Optional[_Words] = ...,
    debug_buffer: Optional[_Files] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    events: Optional[bool] = ...,
    isolate: Optional[bool] = ...,
    jobs: Optional[_Words] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    peak: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    roofline: Optional[bool] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    sort: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    stat: Optional[Literal["typical", "mean", "median", "min", "total"]] = ...,
    strict: Optional[bool] = ...,
    subtract_overhead: Optional[_Files] = ...,
    target_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s"]] = ...,
    ticks_per_second: Optional[_Words] = ...,
    top: Optional[_Words] = ...,
    tree: Optional[bool] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
    where: Optional[_Words] = ...,
) -> Result:
    """Where the time went: one ranked screen. See help(etcore.analyze)."""


def diff(
    *operands: _Files,
    by: Optional[Literal["op", "kernel", "module", "source", "category", "backend", "delegate", "method", "event"]] = ...,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    columns: Optional[_Words] = ...,
    confidence: Optional[_Words] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    isolate: Optional[bool] = ...,
    jobs: Optional[_Words] = ...,
    method: Optional[_Words] = ...,
    names: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    order: Optional[_Words] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    process_spread: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    report: Optional[_Words] = ...,
    rounds: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    sort: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    stat: Optional[Literal["typical", "mean", "median", "min", "p90", "p95", "p99"]] = ...,
    strict: Optional[bool] = ...,
    target_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s"]] = ...,
    ticks_per_second: Optional[_Words] = ...,
    top: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
    where: Optional[_Words] = ...,
) -> Result:
    """What changed from one group of dumps to another. See help(etcore.diff)."""


def check(
    *operands: _Files,
    baseline: Optional[_Files] = ...,
    by: Optional[Literal["op", "kernel", "module", "source", "category", "backend", "delegate", "method", "event"]] = ...,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    confidence: Optional[_Words] = ...,
    config: Optional[_Words] = ...,
    dependency: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    isolate: Optional[bool] = ...,
    jobs: Optional[_Words] = ...,
    max_regression: Optional[_Words] = ...,
    method: Optional[_Words] = ...,
    metric: Optional[Literal["typical", "mean", "median", "p90", "p95", "p99"]] = ...,
    names: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    no_verdict: Optional[Literal["pass", "fail"]] = ...,
    order: Optional[_Words] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    process_spread: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    report: Optional[_Words] = ...,
    rounds: Optional[_Words] = ...,
    rules: Optional[_Words] = ...,
    runner: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
    where: Optional[_Words] = ...,
) -> Result:
    """Did it get slower than the baseline? A gate for CI. See help(etcore.check)."""


def baseline(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    isolate: Optional[bool] = ...,
    jobs: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
) -> Result:
    """Keep dumps for later comparisons in one small file. See help(etcore.baseline)."""


def batch(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    files_from: Optional[_Words] = ...,
    jobs: Optional[_Words] = ...,
    meta: Optional[_Words] = ...,
    meta_pattern: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    out: Optional[_Words] = ...,
    output: Optional[Literal["ndjson", "parquet", "arrow", "sqlite"]] = ...,
    partition_by: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    resume: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    shard: Optional[_Words] = ...,
    tables: Optional[_Words] = ...,
    timeout: Optional[_Words] = ...,
) -> Result:
    """Analyse many dumps into tables for DuckDB, Spark and others. See help(etcore.batch)."""


def farm(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    last: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    since: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    top: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    where: Optional[_Words] = ...,
) -> Result:
    """What the tables of many dumps say, through DuckDB. See help(etcore.farm)."""


def what_if(
    *operands: _Files,
    by: Optional[Literal["op", "kernel", "module", "source", "category", "backend", "delegate", "fallback", "file"]] = ...,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    isolate: Optional[bool] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    ratios: Optional[_Files] = ...,
    row: Optional[_Words] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    stat: Optional[Literal["typical", "mean", "min", "total"]] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    times: Optional[_Words] = ...,
    to: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
) -> Result:
    """The total if some rows took another time. See help(etcore.what_if)."""


def summary(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    isolate: Optional[bool] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
) -> Result:
    """One paragraph in words: what takes the time, and how sure that is. See help(etcore.summary)."""


def overhead(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    confidence: Optional[_Words] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    isolate: Optional[bool] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    off: Optional[_Files] = ...,
    on: Optional[_Files] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    process_spread: Optional[_Words] = ...,
    rounds: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
) -> Result:
    """What the event tracer costs, per run and per event. See help(etcore.overhead)."""


def report(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    confidence: Optional[_Words] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    isolate: Optional[bool] = ...,
    method: Optional[_Words] = ...,
    names: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    order: Optional[_Words] = ...,
    output: Optional[_Words] = ...,
    peak: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    process_spread: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    rounds: Optional[_Words] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    stat: Optional[Literal["typical", "mean", "median", "min"]] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
) -> Result:
    """One page to look at: table, flame graph, timeline, runs, memory. See help(etcore.report)."""


def inspector(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    compare_results: Optional[bool] = ...,
    config: Optional[_Words] = ...,
    debug_buffer_path: Optional[_Files] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    enable_module_hierarchy: Optional[bool] = ...,
    etdump_path: Optional[_Files] = ...,
    etrecord_path: Optional[_Files] = ...,
    include_delegate_debug_data: Union[bool, Literal["yes", "no"], None] = ...,
    include_units: Union[bool, Literal["yes", "no"], None] = ...,
    isolate: Optional[bool] = ...,
    jobs: Optional[_Words] = ...,
    module: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    numeric_gap: Optional[_Words] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    reference_graph: Optional[_Words] = ...,
    reference_values: Optional[_Files] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "ms", "s", "cycles"]] = ...,
    strict: Optional[bool] = ...,
    target_time_scale: Optional[Literal["ns", "us", "ms", "s", "cycles"]] = ...,
    tsv_path: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """The answer of ExecuTorch's Inspector, bit for bit. See help(etcore.inspector)."""


def dump(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    diff: Optional[_Files] = ...,
    graph: Union[bool, str, None] = ...,
    jobs: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    times: Optional[_Files] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """Every field of an ETDump, an ETRecord, a .pte, .bpte or .ptd. See help(etcore.dump)."""


def trace(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    isolate: Optional[bool] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    runs: Optional[_Words] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    warmup: Optional[_Words] = ...,
) -> Result:
    """Runs as a timeline or flame graph, for Perfetto and other viewers. See help(etcore.trace)."""


def memory(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    jobs: Optional[_Words] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    top: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """How a program's memory is planned, what holds the peak, what runs allocate. See help(etcore.memory)."""


def peaks(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    no_color: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    seconds: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    threads: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """What this machine's processor and memory could do at most, for analyze --roofline. See help(etcore.peaks)."""


def tokens(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    generation: Optional[_Words] = ...,
    isolate: Optional[bool] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    prefill: Optional[_Words] = ...,
    pte: Optional[_Files] = ...,
    salvage: Optional[bool] = ...,
    set: Optional[_Words] = ...,
    source_time_scale: Optional[Literal["ns", "us", "µs", "ms", "s", "cycles", "ticks"]] = ...,
    stats: Optional[_Files] = ...,
    strict: Optional[bool] = ...,
    ticks_per_second: Optional[_Words] = ...,
    top: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    where: Optional[_Words] = ...,
) -> Result:
    """Time per token of a program that runs in a loop: prefill, decode, growth. See help(etcore.tokens)."""


def numeric(
    *operands: _Files,
    atol: Optional[_Words] = ...,
    bundled: Optional[_Files] = ...,
    case: Optional[_Words] = ...,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    columns: Optional[_Words] = ...,
    config: Optional[_Words] = ...,
    contents: Optional[_Words] = ...,
    debug_buffer: Optional[_Files] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    etrecord: Optional[_Files] = ...,
    jobs: Optional[_Words] = ...,
    method: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    reference: Optional[_Files] = ...,
    reference_buffer: Optional[_Files] = ...,
    reference_etrecord: Optional[_Files] = ...,
    rtol: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    sha256: Optional[bool] = ...,
    sort: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    top: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
    where: Optional[_Words] = ...,
) -> Result:
    """Are the numbers right: the values that runs logged. See help(etcore.numeric)."""


def doctor(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    no_color: Optional[bool] = ...,
    no_siblings: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """What is wrong with these files, and what to do about it. See help(etcore.doctor)."""


def pipeline(
    *operands: _Files,
    categories: Optional[Literal["etcore", "kit-v1", "kit-v2"]] = ...,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    dry_run: Optional[bool] = ...,
    etrecord: Optional[_Files] = ...,
    force: Optional[bool] = ...,
    into: Optional[_Words] = ...,
    isolate: Optional[bool] = ...,
    kernel_trace: Optional[bool] = ...,
    known_good: Optional[_Words] = ...,
    level: Optional[Literal["auto", "schema", "content", "quality"]] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    only: Optional[_Words] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    process_spread: Optional[_Words] = ...,
    resume: Optional[bool] = ...,
    serial: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    target: Optional[_Words] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """Measure a model with several runners, judge and compare the runs. See help(etcore.pipeline)."""


def plugins(
    *operands: _Files,
    backend: Optional[_Words] = ...,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    expected: Optional[_Words] = ...,
    isolate: Optional[bool] = ...,
    language: Optional[Literal["c", "cpp", "rust", "zig"]] = ...,
    level: Optional[Literal["basic", "strict", "parity", "stress"]] = ...,
    limit: Optional[_Words] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    sample: Optional[_Words] = ...,
    seed: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """Which plugins were found where, and whether one keeps its contract. See help(etcore.plugins)."""


def config(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    config: Optional[_Words] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    isolate: Optional[bool] = ...,
    no_color: Optional[bool] = ...,
    no_isolate: Optional[bool] = ...,
    no_plugins: Optional[bool] = ...,
    output: Optional[_Words] = ...,
    plugin: Optional[_Words] = ...,
    set: Optional[_Words] = ...,
    strict: Optional[bool] = ...,
    verbose: Optional[int] = ...,
) -> Result:
    """The effective configuration, with the origin of every key. See help(etcore.config)."""


def explain(
    *operands: _Files,
    color: Optional[Literal["auto", "always", "never"]] = ...,
    diagnostics: Optional[Literal["text", "json"]] = ...,
    no_color: Optional[bool] = ...,
    output: Optional[_Words] = ...,
) -> Result:
    """What a diagnostic code means: cause, example, remedy. See help(etcore.explain)."""

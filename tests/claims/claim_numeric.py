"""Claims of `numeric gap`, `numeric outputs` and `numeric values` about nets recorded by tests/parity/live_layers.py.
Each net was run with portable kernels (p) and XNNPACK (x), unmodified and with one layer's output changed by 1 % or more."""
import glob
import math
import os
import re
import shutil
import struct
import zipfile

import layer_verdicts
from lab import DATA, SILENT, TRUE, Skip, claim, lie

NETS = sorted(glob.glob(os.path.join(layer_verdicts.LAYERS, "*.zip")))
CANCELLING = sorted(glob.glob(os.path.join(layer_verdicts.CANCEL, "*.zip")))
FILES = ("run.etdump", "model.etrecord", "debug.bin")


class Net:
    def __init__(self, lab, rng, nets=NETS):
        self.lab, self.path = lab, rng.choice(nets)
        self.layers = sorted(layer_verdicts.hits(self.path))

    def folder(self, name, kind, layer=None, net=None):
        """Unpacks the run of one kind, with the debug buffer of the changed layer if `layer` is given."""
        return layer_verdicts.unpack(net or self.path, self.lab.path(name), kind, layer)

    def reference(self, name, kind):
        """Unpacks the unmodified run of kind p or x; for g or h the graph's values of the portable or the XNNPACK export."""
        return self.folder(name, kind) if kind in "px" else layer_verdicts.graph_values(self.path, self.lab.path(name), "px"[kind == "h"])


def rows_of(lab, run, reference, *more):
    """Returns the rows of `numeric gap`, [] if it fails. `reference`: a run's folder, or a file with the graph's values."""
    if os.path.isdir(reference):
        reference = os.path.join(reference, "run.etdump")
    answer = lab.etcore("numeric", "gap", os.path.join(run, "run.etdump"), "--reference", reference, "-o", "json", *more)
    return answer.json()["rows"] if answer.status == 0 else []


def values_of(lab, run):
    return lab.etcore("numeric", "values", os.path.join(run, "run.etdump"), "-o", "json").json()["rows"]


def floats(folder, row):
    with open(os.path.join(folder, "debug.bin"), "rb") as f:
        f.seek(row["offset"])
        return list(struct.unpack(f"<{row['elements']}f", f.read(row["bytes"])))


def write_floats(folder, row, numbers):
    with open(os.path.join(folder, "debug.bin"), "r+b") as f:
        f.seek(row["offset"])
        f.write(struct.pack(f"<{len(numbers)}f", *numbers))


def as_float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def no_starts(rows, what):
    for r in rows:
        if r["verdict"] == "starts":
            lie(f"{what}, and it starts at {r}")
    return SILENT


# ---- gap -------------------------------------------------------------------------------------------------------------


@claim("gap-starts", trials=1000, power=0.2)
def starts(lab, rng):
    """Each trial is one of: a changed layer, no change, an operator that amplifies rounding, NaN that depends on the last
    bits, one changed value whose consumers are right, records of other nets, the graph's values of this or the other
    export. `starts` must be right."""
    what = rng.random()
    if what < 0.12:
        return amplified(lab, rng)
    if what < 0.2:
        return nan_elsewhere(lab, rng)
    if what < 0.25:
        return other_formula(lab, rng)
    if what < 0.27:
        return two_modules(lab, rng)
    net, what = Net(lab, rng), rng.random()
    if what < 0.5:
        run, reference = rng.choice(["pp", "xp", "xx", "px", "pg", "xh", "xg", "ph"])
        layer = rng.choice(net.layers)
        a, b = net.folder("a", run, layer), net.reference("b", reference)
        word, text = layer_verdicts.judge_rows(rows_of(lab, a, b), os.path.join(a, "model.etrecord"), layer)
        if word == "wrong":
            lie(f"{os.path.basename(net.path)}: {layer} is off, and {text}")
        return TRUE if word == "named" else SILENT
    if what < 0.6:
        run, reference = rng.choice(["xp", "px", "xh", "xg", "ph"])
        return no_starts(rows_of(lab, net.folder("a", run), net.reference("b", reference)), "nothing is off")
    run, reference = rng.choice(["pp", "xx", "xp", "px", "xh", "pg"])
    a, b = net.folder("a", run), net.reference("b", reference)
    if what < 0.75:
        return forged(lab, rng, a, b)
    if what < 0.85:
        swapped(lab, rng, a)
        rows = rows_of(lab, a, b)
        return no_starts([r for r in rows if has_clean_consumers(a, rows, r)], "values are swapped, what takes them is right")
    return other_record(lab, rng, net, a, b)


def two_modules(lab, rng):
    """A delegate of modules `a` and `b` has an output of `b` that is off. `a` must not be named."""
    a, b = found(lab, "a", "gru", "b"), found(lab, "b", "gru", "right")
    wrong, right = values_of(lab, a), values_of(lab, b)
    for v, w in zip(wrong, right):  # another error of the same value
        if v["xxh64"] != w["xxh64"] and v["what"] == "argument":
            size = 10 ** rng.uniform(-2, 0)
            write_floats(a, v, [as_float32(x * (1 + rng.gauss(0, size))) for x in floats(b, w)])
            break
    rows = rows_of(lab, a, b)
    for r in rows:
        if r["verdict"] in layer_verdicts.STARTS and r["module"] not in (None, "b"):
            lie(f"b.weight_ih is off, and it starts at {r}")
    return TRUE if any(r["verdict"] in layer_verdicts.STARTS for r in rows) else SILENT


def amplified(lab, rng):
    """Values of the net cancel, and one layer's weights differ in their last bits; the record may lack the inputs.
    `starts` must be right."""
    net = Net(lab, rng, CANCELLING)
    run, reference = rng.choice(["pp", "pg", "xp", "px", "xg", "xx"])
    layer = rng.choice([None, *net.layers])
    a = net.folder("a", run, layer)
    if rng.random() < 0.5:
        layer_verdicts.without_inputs(a)
    if reference == "g":
        b = layer_verdicts.graph_values(net.path, lab.path("graph"), run)
    else:
        b = net.folder("b", reference)
    rows, said = layer_verdicts.gap(lab.program, a, b)
    word, text = layer_verdicts.judge_rows(rows, os.path.join(a, "model.etrecord"), layer) if rows is not None else ("wrong", said)
    if word == "wrong":
        lie(f"{os.path.basename(net.path)}, {run}{reference}, {layer} is changed in its last places: {text}")
    return SILENT


def other_formula(lab, rng):
    """Changes a delegate's output by about as much as another formula for GELU (tanh) would. `starts` must not be printed."""
    net = Net(lab, rng, [os.path.join(layer_verdicts.LAYERS, "gelu_first.zip")])
    a, b = net.folder("a", "x"), net.reference("b", rng.choice("pgh"))
    v = [v for v in values_of(lab, a) if v["what"] == "argument"][-1]
    size = rng.choice([3e-4, 5e-4, 8e-4])
    write_floats(a, v, [as_float32(x * (1 + rng.choice([-1, 1]) * size)) for x in floats(a, v)])
    # the net's own GELU formula may add to the error, so rows with a larger error may get `starts`
    return no_starts([r for r in rows_of(lab, a, b) if (r["relative"] or 0) <= 1e-3], f"another formula makes {size}")


def nan_elsewhere(lab, rng):
    """Inputs of a value differ in their last bits, and both sides have NaN or infinities at different places. `starts` must
    not be printed."""
    net = Net(lab, rng)
    a, b = net.folder("a", "p"), net.folder("b", "p")
    values = [v for v in values_of(lab, a) if v["what"] == "operator" and v["dtype"] == "float32" and v["elements"] > 2]
    graph = layer_verdicts.Graph(os.path.join(a, "model.etrecord"))
    taken = {graph.names[t] for i, (_, _, takes) in enumerate(graph.nodes) for t in takes}
    if len(values) < 2:
        raise Skip
    chosen = rng.choice([v for v in values[1:] if v["nodes"] in taken] or values[1:])
    size = 2.0 ** -22
    for v in values:
        if v is chosen:
            size = .01
        else:
            write_floats(a, v, [as_float32(x * (1 + rng.choice([-1, 1]) * size)) for x in floats(a, v)])
    places = rng.sample(range(chosen["elements"]), 2)
    for folder, place in zip((a, b), places):
        x = floats(folder, chosen)
        x[place] = rng.choice([math.nan, math.inf, -math.inf])
        write_floats(folder, chosen, x)
    for r in rows_of(lab, a, b):
        if r["verdict"] == "starts" and r["instruction"] == int(chosen["instruction"].split(":")[1]) and r["input_relative"]:
            lie(f"both sides hold NaN or infinities and their inputs differ, and it starts at {r}")
    return SILENT


def other_record(lab, rng, net, a, b):
    """One side has the record of another net or kind, or none. The values are right, so `starts` must not be printed."""
    which = rng.choice([a, b]) if os.path.isdir(b) else a
    os.unlink(os.path.join(which, "model.etrecord"))
    if rng.random() < 0.7:
        other = rng.choice(NETS) if rng.random() < 0.5 else net.path
        c = net.folder("c", rng.choice("px"), net=other)
        shutil.copy(os.path.join(c, "model.etrecord"), os.path.join(which, "model.etrecord"))
    return no_starts(rows_of(lab, a, b), "nothing is off, but a record is of another program")


def has_clean_consumers(run, rows, row):
    """Returns whether other values are computed from this one and all of them are right."""
    takers = layer_verdicts.Graph(os.path.join(run, "model.etrecord")).takers(row["nodes"])
    return {r["verdict"] for r in rows if r["nodes"] in takers and r["relative"] is not None} == {"clean"}


def forged(lab, rng, a, b):
    """Adds noise to one logged value; the values computed from it are unchanged. A value with right consumers must not be
    `starts`."""
    values = [v for v in values_of(lab, a) if v["what"] in ("operator", "argument") and v["dtype"] == "float32" and v["elements"]]
    v = rng.choice(values)
    size = rng.choice([.002, .02, .5, 5])
    write_floats(a, v, [as_float32(x * (1 + rng.gauss(0, size)) + rng.gauss(0, size * .1)) for x in floats(a, v)])
    rows = rows_of(lab, a, b)
    return no_starts([r for r in rows if has_clean_consumers(a, rows, r)], "one value is forged, what takes it is right")


def swapped(lab, rng, a):
    """Swaps two logged values of one shape."""
    values = [v for v in values_of(lab, a) if v["what"] == "operator" and v["dtype"] == "float32" and v["elements"]]
    if not values:
        raise Skip
    v = rng.choice(values)
    alike = [w for w in values if w["shape"] == v["shape"] and w["offset"] != v["offset"]]
    if not alike:
        raise Skip
    w = rng.choice(alike)
    x, y = floats(a, v), floats(a, w)
    write_floats(a, v, y)
    write_floats(a, w, x)


def relative(run, reference):
    power = sum(x * x for x in reference)
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(run, reference)) / power) if power else math.inf


def found(lab, name, net, side):
    """Unpacks one run of tests/data/numeric/found."""
    out = lab.path(name)
    with zipfile.ZipFile(os.path.join(DATA, "numeric", "found", net + ".zip")) as z:
        z.extractall(out, [n for n in z.namelist() if n.startswith(side + "/")])
    return os.path.join(out, side)


def make_noise(lab, rng, a, size):
    """Changes the values that are made of the model's inputs, as other inputs would."""
    rows = values_of(lab, a)
    graph = layer_verdicts.Graph(os.path.join(a, "model.etrecord"))
    made = graph.of_inputs({v["nodes"] for v in rows if v["dtype"] != "float32"})
    for v in rows:
        nodes = set(layer_verdicts.WORD.findall(v["nodes"] or ""))
        if v["what"] == "operator" and nodes & made and nodes - made:
            raise Skip  # the value may be that of a node that is computed from constants only
        if v["dtype"] == "float32" and v["elements"] and (v["what"] in ("argument", "output") or nodes & made):
            before = floats(a, v)
            most = math.sqrt(sum(x * x for x in before) / len(before))
            write_floats(a, v, [as_float32(x + rng.gauss(0, size) * most) for x in before])


@claim("gap-starts-if", power=0.2)
def starts_if(lab, rng):
    """The run was given inputs that differ by 0.1 to 50 %, or in some elements only, and no layer is changed. `starts` must
    not be printed without its condition."""
    if rng.random() < 0.1:
        # in the last four nets, a right value depends on only a part of the input (through a step, a crop or a norm)
        net = rng.choice(["squeeze", "gru_last", "ids_last", "crop", "norm"])
        a, b = found(lab, "a", net, "sample"), found(lab, "b", net, "right")
    else:
        net = Net(lab, rng)
        run, reference = rng.choice(["pp", "xx", "xp", "px", "pg", "xg"])
        a, b = net.folder("a", run), net.reference("b", reference)
        make_noise(lab, rng, a, 10 ** rng.uniform(-3, -0.3))
    rows = rows_of(lab, a, b)
    no_starts(rows, "the inputs differ, no layer is off")
    if not any(r["verdict"] == "starts_if" for r in rows):
        return SILENT
    b = os.path.join(b, "run.etdump") if os.path.isdir(b) else b
    r = lab.etcore("numeric", "gap", os.path.join(a, "run.etdump"), "--reference", b)
    if "if both sides had the same inputs, the error starts" not in r.out:
        lie(f"the condition is missing: {r.out[:300]}")
    return TRUE


@claim("gap-no-error", power=0.2)
def no_error(lab, rng):
    """An output of the model is off, or the debug buffer ends before it. "No error starts" must not be printed then, and the
    number of compared values must be right."""
    net, what = Net(lab, rng), rng.choice(["off", "cut", "right"])
    a, b = (net.folder(name, kind) for name, kind in zip("ab", rng.choice(["pp", "xx", "xp", "px"])))
    if rng.random() < 0.05:
        a, b, what = found(lab, "c", "kv", "wo"), found(lab, "d", "kv", "right"), "found"
    outputs = [v for v in values_of(lab, a) if v["what"] == "output" and v["dtype"] == "float32" and v["elements"] and v["max"] != v["min"]]
    if not outputs:
        raise Skip
    v = rng.choice(outputs)
    if what == "off":
        write_floats(a, v, [as_float32(x * (1 + rng.choice([-1, 1]) * 10 ** rng.uniform(-2, -0.3))) for x in floats(a, v)])
    elif what == "cut":
        os.truncate(os.path.join(a, "debug.bin"), v["offset"] + v["bytes"] // 2)
    rows = rows_of(lab, a, b)
    r = lab.etcore("numeric", "gap", os.path.join(a, "run.etdump"), "--reference", os.path.join(b, "run.etdump"))
    said = "no error starts" in r.out
    if said and what != "right":
        lie(f"{net.path}: output {v['item']}: {what}, and {r.out[:300]}")
    compared = sum(x["relative"] is not None for x in rows)
    if said and not re.search(rf"all {compared} values|{compared} of {len(rows)} values", r.out):
        lie(f"{compared} of {len(rows)} values were compared, and {r.out[:300]}")
    return TRUE if said else SILENT


@claim("gap-clean")
def clean(lab, rng):
    """Changes one value by about a rounding error. The verdict "clean" claims a root mean square error of at most 8 units
    in the last place."""
    net = Net(lab, rng)
    a, b = net.folder("a", "p"), net.folder("b", "p")
    values = [v for v in values_of(lab, a) if v["what"] == "operator" and v["dtype"] == "float32" and v["elements"]]
    v = rng.choice(values)
    size, before = 2.0 ** rng.uniform(-23, -17), floats(a, v)
    after = [as_float32(x * (1 + rng.gauss(0, size))) for x in before]
    if rng.random() < .1:
        after[rng.randrange(len(after))] = rng.choice([math.nan, math.inf])
    write_floats(a, v, after)
    same = [r for r in rows_of(lab, a, b) if r["instruction"] == int(v["instruction"].split(":")[1]) and r["item"] in (None, v["item"])
            and r["shape"] == v["shape"]]
    finite = all(map(math.isfinite, after))
    off = relative(after, before) if finite and any(before) else math.inf if not finite else 0
    said = {r["verdict"] for r in same}
    if "clean" in said and len(said) == 1 and off > 8 * 2.0 ** -23 * (1 + 1e-9):
        lie(f"{v['key']} differs by {off} of its root mean square, and is called clean")
    if not said & {"clean"} and same and off < 8 * 2.0 ** -23 * (1 - 1e-9):
        lie(f"{v['key']} differs by {off}, and is called {said}")
    return TRUE if said == {"clean"} else SILENT


@claim("gap-unknown")
def unknown(lab, rng):
    """With truncated debug buffers and other records, "unknown" must come with a reason that is true."""
    net = Net(lab, rng)
    run, reference = rng.choice(["pp", "xp", "px"])
    a, b = net.folder("a", run), net.folder("b", reference)
    cut = os.path.join(rng.choice([a, b]), "debug.bin")
    size = os.path.getsize(cut)
    os.truncate(cut, rng.randrange(size // 4, size))
    rows = rows_of(lab, a, b)
    for r in rows:
        if r["verdict"] == "unknown" and not r["problem"]:
            lie(f"unknown without a reason: {r}")
        if r["verdict"] in layer_verdicts.STARTS:
            lie(f"the buffer is cut, nothing is off, and it starts at {r}")
        if r["verdict"] != "unknown" and r["relative"] is None:
            lie(f"{r['verdict']} without having been compared: {r}")
    return TRUE if any(r["verdict"] == "unknown" for r in rows) else SILENT


FED = os.path.join(DATA, "numeric", "fed")
CONSTANT = os.path.join(DATA, "numeric", "constant")


def fed(lab, name, kind):
    return shutil.copytree(os.path.join(FED, kind), lab.path(name), copy_function=shutil.copyfile)


@claim("other-inputs", power=0.2)
def other_inputs(lab, rng):
    """The net ran with its record's sample input, another one, or a slightly changed one; in some trials a layer is changed
    instead, or a constant that is an argument of the first delegate. W0460 must be printed only for other inputs."""
    what = rng.random()
    if what < 0.1:
        a, b = (shutil.copytree(os.path.join(CONSTANT, side), lab.path(side)) for side in ("changed", "run"))
        v = values_of(lab, a)[0]
        write_floats(a, v, [as_float32(x * (1 + rng.gauss(0, 0.3))) for x in floats(a, v)])
        r = lab.etcore("numeric", "gap", os.path.join(a, "run.etdump"), "--reference", os.path.join(b, "run.etdump"))
        if "W0460" in r or "the error starts in the delegate of instruction 0" not in r:
            lie(f"a constant of the first delegate differs: {r.out[:300]}")
        return TRUE
    if what < 0.4:
        net = Net(lab, rng)
        r = lab.etcore("numeric", "gap", os.path.join(net.folder("a", "x", rng.choice(net.layers)), "run.etdump"), "--reference",
                       os.path.join(net.folder("b", "x"), "run.etdump"))
        if "W0460" in r:
            lie(f"{net.path}: a layer is off, and the inputs are said to be others")
        return SILENT
    kind, other = rng.choice([("x_as_recorded", 0), ("x_another", 1)])
    a = fed(lab, "a", kind)
    if rng.random() < 0.5:  # change the sample, which is the first logged value
        v, size = values_of(lab, a)[0], 10 ** rng.uniform(-8, 0.5)
        before = floats(a, v)
        write_floats(a, v, [as_float32(x * (1 + rng.gauss(0, size))) for x in before])
        other = other or (relative(floats(a, v), before) > 1e-3)
    ask = rng.choice(["outputs", "dump", "file", "portable"])
    if ask == "outputs":
        r = lab.etcore("numeric", "outputs", os.path.join(a, "run.etdump"))
    else:
        b = os.path.join(FED, {"dump": "x_as_recorded/run.etdump", "file": "references.safetensors", "portable": "p_as_recorded/run.etdump"}[ask])
        r = lab.etcore("numeric", "gap", os.path.join(a, "run.etdump"), "--reference", b)
    if "W0460" in r and not other:
        lie(f"{ask}: the inputs are the same, and said to be others")
    if kind == "x_another" and "the error starts in" in r:
        lie(f"{ask}: another sample was given, and the error starts in a layer: {r.out[:300]}")
    return TRUE if "W0460" in r and other else SILENT


# ---- outputs -----------------------------------------------------------------------------------------------------------

OUTPUTS = os.path.join(DATA, "cases", "debug_portable")
ATOL, RTOL = 1e-5, 1.3e-6  # float32


def outputs_trial(lab, rng):
    """Changes one output that was equal to its reference. Returns (etcore's verdict, the right verdict)."""
    a = lab.path("a")
    os.mkdir(a)
    for name in FILES:
        shutil.copy(os.path.join(OUTPUTS, name), os.path.join(a, name))
    os.chmod(os.path.join(a, "debug.bin"), 0o644)
    ask = lambda: lab.etcore("numeric", "outputs", os.path.join(a, "run.etdump"), "-o", "json").json()["rows"]  # noqa: E731
    equal = {(r["run"], r["output"]) for r in ask() if r["verdict"] == "equal"}
    logged = {(v["run"], v["item"]): v for v in values_of(lab, a) if v["what"] == "output" and v["elements"]}
    where = rng.choice(sorted(equal & set(logged)))
    v = logged[where]
    forms = {"float32": "f", "float64": "d", "int64": "q", "int32": "i", "int16": "h", "int8": "b", "uint8": "B", "bool": "B"}
    form = forms.get(v["dtype"])
    if form is None:
        raise Skip
    with open(os.path.join(a, "debug.bin"), "r+b") as f:
        f.seek(v["offset"])
        raw = f.read(v["bytes"])
        before = list(struct.unpack(f"<{v['elements']}{form}", raw))
        after = list(before)
        for _ in range(rng.choice([0, 1, 1, 2])):
            i = rng.randrange(len(after))
            if form in "fd":
                step = rng.choice([1e-7, 1e-6, 9e-6, 1.1e-5, 1e-4, 1e-2, 1]) * rng.choice([-1, 1])
                after[i] = rng.choice([after[i] + step, after[i] * (1 + step), math.nan])
            else:
                after[i] = 1 - after[i] if v["dtype"] == "bool" else max(0, min(100, after[i] + rng.choice([-1, 1])))
        raw = struct.pack(f"<{v['elements']}{form}", *after)
        after = list(struct.unpack(f"<{v['elements']}{form}", raw))
        f.seek(v["offset"])
        f.write(raw)
    said = next(r["verdict"] for r in ask() if (r["run"], r["output"]) == where)
    atol, rtol = (ATOL, RTOL) if form == "f" else (1e-7, 1e-7) if form == "d" else (0, 0)
    edge = any(abs(abs(x - y) - (atol + rtol * abs(y))) < 1e-12 * max(1, abs(y)) for x, y in zip(after, before) if atol and x == x)
    if edge:
        raise Skip
    right = "equal"
    for x, y in zip(after, before):
        if x != y:
            right = "differs" if not abs(x - y) <= atol + rtol * abs(y) or right == "differs" else "close"
    return said, right, f"{v['dtype']} output {where}: {before} became {after}"


def outputs_claim(word):
    def generator(lab, rng):
        said, right, text = outputs_trial(lab, rng)
        if said != right and word in (said, right):
            lie(f"{text}; {said} is said, {right} is right")
        return TRUE if said == word else SILENT
    return generator


for name in ("equal", "close", "differs"):
    claim(f"outputs-{name}")(outputs_claim(name))


# ---- values --------------------------------------------------------------------------------------------------------------


@claim("values-counts", power=0.5)
def values(lab, rng):
    """NaN and infinities are written into values. The counts, extremes and the headline must report them."""
    net = Net(lab, rng)
    a = net.folder("a", rng.choice("px"))
    some = [v for v in values_of(lab, a) if v["dtype"] == "float32" and v["elements"]]
    v = rng.choice(some)
    numbers = floats(a, v)
    for _ in range(rng.choice([0, 1, 3])):
        numbers[rng.randrange(len(numbers))] = rng.choice([math.nan, math.inf, -math.inf, 0.0, 3e38])
    write_floats(a, v, numbers)
    now = next(w for w in values_of(lab, a) if w["key"] == v["key"])
    known = [as_float32(x) for x in numbers if x == x]
    text = {math.inf: "inf", -math.inf: "-inf"}
    want = {"nan": len(numbers) - len(known), "inf": sum(map(math.isinf, known)), "min": min(known, default=None),
            "max": max(known, default=None)}
    for key, right in want.items():
        if now[key] != text.get(right, right):
            lie(f"{v['key']}: {key} is said to be {now[key]}, and is {right}")
    head = lab.etcore("numeric", "values", os.path.join(a, "run.etdump")).out.split("\n")[0]
    rows = values_of(lab, a)
    counts = [sum(bool(r[k]) for r in rows) for k in ("nan", "inf")]
    if f"{counts[0]} with NaN, {counts[1]} with infinities" not in head:
        lie(f"'{head}', but there are {counts}")
    return TRUE



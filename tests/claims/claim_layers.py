"""Claims of analyze, doctor and diff about records, programs and modules: the layer that a time belongs to, and the files
that belong together.

The nets come from tests/tools/make_layers.py. Their source determines which event belongs to which layer, in the order of
execution, and the generator sets the times, so the truth does not depend on a clock.
"""
import csv
import io
import json
import math
import os
import re
import shutil
import zipfile

from etdump import Dump
from lab import DATA, SILENT, TRUE, Skip, claim, lie

LAYERS = os.path.join(DATA, "layers")
MATRIX = ("Fully Connected", "Convolution", "Dynamic Fully Connected")
# {net: its layers in the order in which they run}; each layer logs one matrix event.
NETS = {
    **{n: ["up", "mid", "gate", "down"] for n in ("mlp_f32", "mlp_again", "mlp_int8", "mlp_int8_tensor", "mlp_int8_dynamic", "mlp_wide",
                                                  "mlp_weights8")},
    "mlp_renamed": ["up", "mid", "gate", "head"],
    "forked_weights8": ["left", "right", "down"],
    **{n: ["0", "2"] for n in ("even_weights8", "even_weights4")},
    "residual_f32": ["stem", "c1", "c2", "fc"],
    "residual_int8": ["stem", "c1", "c2", "fc"],
    "shared_f32": ["twice", "twice", "out"],
    "shared_int8": ["twice", "twice", "out"],
    "gated_f32": ["gate", "up", "down"],
    "gated_int8": ["gate", "up", "down"],
    "int8_res": ["stem", "c1", "c2", "fc"],
}
FOLDED = {"mlp_weights8", "forked_weights8"}  # the program's nodes have no debug handles
# Exports whose programs are equal: equal nets, lowered in the same way.
ALIKE = [{"mlp_f32", "mlp_again", "mlp_renamed"}]
# Nets whose dumps have the same kinds of events. A record and program of one of them do not contradict a dump of another.
SAME_EVENTS = {"mlp_f32", "mlp_again", "mlp_renamed", "mlp_wide"}
PORTABLE = {"mlp_portable", "residual_portable", "branch", "map_nested"}
# Nets that differ only in one kind of operator.
OPERATORS = {"sigmoid_f32", "silu_f32", "maximum_f32", "minimum_f32"}
NORMED = {"normed_f32", "folded_f32"}  # normalisations that are convolutions in the program, or parts of these
ALL = sorted([*NETS, *PORTABLE, *OPERATORS, *NORMED])


def path(net, name):
    return os.path.join(LAYERS, net, name)


def alike(a, b):
    return a == b or any({a, b} <= s for s in ALIKE)


def timed(lab, rng, net):
    """Copies the net's dump and gives each matrix event its own time. Returns (path, [(layer, ns)])."""
    dump = Dump(path(net, "run.etdump"))
    times = [1000 * rng.randrange(5, 900) for _ in NETS[net]]
    for run in dump.runs:
        if not run.executes:
            continue
        matrix = [e for e in run.events if e.delegate_text and e.delegate_text.startswith(MATRIX)]
        if len(matrix) != len(times):
            raise Skip
        for e in run.events:
            if e.name == "DELEGATE_CALL":
                run.preempt(e, 10_000_000)
        for e in run.events:
            if e.delegate_text:
                try:
                    e.end = e.start
                except ValueError:
                    raise Skip from None
        for e, ns in zip(matrix, times):
            e.end = e.start + ns
    out = lab.path("run.etdump")
    dump.save(out)
    return out, list(zip(NETS[net], times))


def modules(lab, dump, *more):
    """Returns the rows of --by module, {name: (how, modules, ns)}, and the result of the command."""
    r = lab.etcore("analyze", dump, "--no-siblings", "--by", "module", "-o", "csv", "--columns", "name,how,modules,self_ns,calls", *more)
    rows = list(csv.DictReader(io.StringIO(r.out)))
    names = [row["name"] for row in rows]
    if len(set(names)) != len(names):
        lie(f"two rows of one name: {names}")
    return {row["name"]: (row["how"], row["modules"], float(row["self_ns"] or 0)) for row in rows}, r


def renamed_record(lab, net, old, new):
    """Copies the record and renames a module to a name of the same length."""
    out = lab.path("renamed.etrecord")
    with zipfile.ZipFile(path(net, "model.etrecord")) as a, zipfile.ZipFile(out, "w") as b:
        for info in a.infolist():
            data = a.read(info)
            if "edge_dialect" in info.filename:
                data = re.sub(rb"(,|L__self___)" + old.encode() + rb"([,\"])", rb"\1" + new.encode() + rb"\2", data)
            b.writestr(info, data)
    return out


@claim("exact", power=0.3)
def exact(lab, rng):
    """The time of a layer must be in its own row, whatever record and program are given. Files of another net must not name
    a row."""
    net = rng.choice(sorted(NETS))
    dump, truth = timed(lab, rng, net)
    record, program = net, net
    case = rng.choice(["own", "own", "own", "no program", "foreign record", "foreign both", "renamed"])
    names = {}
    if case == "foreign record":
        record = rng.choice(ALL)
    elif case == "foreign both":
        record = program = rng.choice(ALL)
    own = path(record, "model.etrecord")
    if case == "renamed" and net != "int8_res":
        old = rng.choice(sorted(set(NETS[net])))
        # ',' and ';' also separate the parts of the module list, so a layer whose name contains one gets no name.
        names = {old: "".join(rng.choice(rng.choice(("abcdefgh", "abcdefgh", ",;"))) for _ in old)}
        own = renamed_record(lab, net, old, names[old])
    rows, _ = modules(lab, dump, "-r", own, *([] if case == "no program" else ["-m", path(program, "model.pte")]))
    want = {}
    # If two exports have the same program, the given record decides the modules' names.
    same = alike(net, record) or (case == "foreign both" and {net, record} <= SAME_EVENTS)
    layers = NETS[record] if same else NETS[net]
    for layer, (_, ns) in zip(layers, truth):
        name = names.get(layer, layer)
        want[name] = want.get(name, 0) + ns
    said = False
    for name, (how, members, ns) in rows.items():
        if how == "exact" and (", " in members or members != name):
            lie(f"exact of {members!r}")
        if how != "exact":
            continue
        if name == "(root)":  # events outside of all layers
            if any(t <= ns for _, t in truth):
                lie(f"{net} with record {record} and program {program}: {ns} outside of all layers")
            continue
        if want.get(name) != ns and (name in want or ns):
            lie(f"{net} with record {record} and program {program}: {name} takes {ns}, not {want.get(name)}")
        said = True
    if case in ("own", "no program", "renamed") and not said and not set("".join(names.values())) & set(",;"):
        lie(f"{net}: no row is exact: {rows}")
    return TRUE if said else SILENT


@claim("fused-or-partition", power=0.3)
def fused(lab, rng):
    """Each layer must be in a row. An exact row must name one module; a row of a partition or of fused operators at least
    two, and it must not take longer than these layers."""
    net = rng.choice(sorted(NETS))
    dump, truth = timed(lab, rng, net)
    rows, _ = modules(lab, dump, "-r", path(net, "model.etrecord"))
    said = False
    for layer, ns in truth:
        home = [(n, row) for n, row in rows.items() if layer in row[1].split(", ")]
        if not home:
            lie(f"{net}: {layer} is in no row")
    for name, (how, members, ns) in rows.items():
        if how == "exact" and len(members.split(", ")) != 1:
            lie(f"exact of {members}")
        if how in ("partition", "fused"):
            if len(members.split(", ")) < 2:
                lie(f"{how} of {members}")
            most = sum(t for layer, t in truth if layer in members.split(", "))
            if ns > most and "(root)" not in members:
                lie(f"{name} takes {ns}, all of its layers {most}")
            said = True
    return TRUE if said else SILENT


def node_data(lab, dump, *more):
    """Runs `analyze -o model-explorer`. Returns {"etrecord" or "pte": {graph: {node: ns}}} without nodes that have no time."""
    folder = lab.path("nodes")
    lab.etcore("analyze", dump, "--no-siblings", "-o", f"model-explorer={folder}", *more)
    out = {}
    for name in ("etrecord", "pte"):
        file = os.path.join(folder, f"run.{name}.json")
        if os.path.exists(file):
            with open(file, encoding="utf-8") as f:
                out[name] = {g: {n: v["value"] * 1000 for n, v in d["results"].items() if v["value"]} for g, d in json.load(f).items()}
    return out


@claim("on-node", power=0.3)
def on_node(lab, rng):
    """A node of the exported node data must have the time of its own layer's event, in the record's graph and in the
    program's partition."""
    net = rng.choice(sorted(set(NETS) - FOLDED))
    dump, truth = timed(lab, rng, net)
    record = program = net
    case = rng.choice(["own", "own", "foreign record", "foreign both", "no program"])
    if case.startswith("foreign"):
        record = rng.choice(ALL)
    if case == "foreign both":
        program = record
    files = ["-r", path(record, "model.etrecord")] + ([] if case == "no program" else ["-m", path(program, "model.pte")])
    data = node_data(lab, dump, *files)
    graph = json.loads(lab.etcore("dump", path(record, "model.etrecord"), "--graph", "-o", "json").out)["graph"]["nodes"]
    module = {n["name"] + "_": ([m["path"] for m in n.get("modules") or []] or [""])[-1] for n in graph}
    # `same` is computed as in exact()
    same = alike(net, record) or (case == "foreign both" and {net, record} <= SAME_EVENTS)
    layers = NETS[record] if same else NETS[net]
    told = [(module.get(n), ns) for n, ns in data.get("etrecord", {}).get("forward", {}).items()]
    if any(t <= ns for layer, ns in told if not layer for _, t in truth):  # events outside of all layers
        lie(f"{net} with record {record} and program {program} ({case}): a layer's time is outside of all layers: {told}")
    told = [(layer, ns) for layer, ns in told if layer]
    for layer in {layer for layer, _ in told}:
        got, want = ([round(ns) for at, ns in pairs if at == layer] for pairs in (told, [(x, ns) for x, (_, ns) in zip(layers, truth)]))
        if got != want:
            lie(f"{net} with record {record} and program {program} ({case}): {layer} has {got}, not {want}")
    inside = [v for g, v in data.get("pte", {}).items() if "::" in g and v]
    for values in inside:
        got = [round(ns) for _, ns in sorted(values.items(), key=lambda v: int(v[0]))]
        rest = iter(ns for _, ns in truth)  # with the record of another export, some operators may still be known, in order
        if len(inside) == 1 and (got != list(rest) if case == "own" else not all(ns in rest for ns in got)):
            lie(f"{net} with record {record} and program {program} ({case}): the partition has {got}, not {truth}")
    if case == "own" and (len(told) != len(truth) or not inside):
        lie(f"{net}: {len(told)} nodes of {len(truth)} layers have times: {data}")
    return TRUE if told else SILENT


@claim("modules-found", power=0.5)
def found(lab, rng):
    """--where 'modules ~ X' must keep exactly the rows whose modules contain X."""
    net = rng.choice([*sorted(NETS), "conv_net"])
    folder = os.path.join(DATA, "cases", "conv_net_xnnpack") if net == "conv_net" else os.path.join(LAYERS, net)
    more = ["-r", os.path.join(folder, "model.etrecord")]
    if rng.random() < 0.5:
        pte = os.path.join(folder, "model.pte")
        more += ["-m", pte] if os.path.exists(pte) else []
    rows, _ = modules(lab, os.path.join(folder, "run.etdump"), *more)
    everyone = sorted({m for _, members, _ in rows.values() for m in members.split(", ") if m and not m.startswith("(")})
    if not everyone:
        raise Skip
    one = rng.choice(everyone)
    pattern = "(^|, )" + one.replace(".", "[.]") + "(,|$)"
    kept, _ = modules(lab, os.path.join(folder, "run.etdump"), *more, "--where", f"modules ~ {pattern}")
    want = {n for n, (_, members, _) in rows.items() if one in members.split(", ")}
    if set(kept) != want:
        lie(f"{net}: modules ~ {one} finds {sorted(kept)}, not {sorted(want)}")
    return TRUE


FLOATS = ("mlp_f32", "mlp_wide", "residual_f32")


GRAPH = "edge_dialect_exported_program/forward"


def edited_record(lab, net, entry, edit):
    """Copies the record; `edit` changes the JSON of one entry."""
    out = lab.path("model.etrecord")
    with zipfile.ZipFile(path(net, "model.etrecord")) as a, zipfile.ZipFile(out, "w") as b:
        for info in a.infolist():
            data = a.read(info)
            if info.filename == entry:
                document = json.loads(data)
                edit(document)
                data = json.dumps(document).encode()
            b.writestr(info, data)
    return out


def elements(value):
    return math.prod(s["as_int"] for s in value["sizes"])


def exchange(graph, rng):
    """Swaps the shapes of two weights: every size still occurs, but at another node."""
    values = graph["tensor_values"]
    x, y = rng.sample(sorted(k for k, v in values.items() if k.endswith("_weight") and len(v["sizes"]) > 1), 2)
    if elements(values[x]) == elements(values[y]):
        raise Skip
    values[x], values[y] = values[y], values[x]
    return f"the weights of {x} and {y} exchanged"


def shrink(graph, rng):
    """Makes a kernel 1 x 1 instead of 3 x 3, or a linear layer take one input."""
    values = graph["tensor_values"]
    x = rng.choice(sorted(k for k, v in values.items() if k.endswith("_weight") and v["sizes"][-1]["as_int"] > 1))
    values[x]["sizes"][-1] = {"as_int": 1}
    return f"{x} smaller"


def retype(graph, rng):
    """Changes all float tensors, or one of them, to half precision."""
    values = graph["tensor_values"]
    floats = sorted(k for k, v in values.items() if v["dtype"] == 7 and "_unused_" not in k)
    some = floats if rng.random() < 0.5 else [rng.choice(floats)]
    for k in some:
        values[k]["dtype"] = 6
    return f"{len(some)} tensors of half precision"


def omit(graph, rng):
    """Removes the bias of a convolution, except before batch normalisation, which XNNPACK folds into a convolution
    with a bias."""
    normalised = {i["arg"]["as_tensor"]["name"] for n in graph["nodes"] if "batch_norm" in n["target"] for i in n["inputs"][:1]}
    biases = [i for n in graph["nodes"] for i in n["inputs"] if n["target"].endswith("convolution.default") and i["name"] == "bias"
              and n["outputs"][0]["as_tensor"]["name"] not in normalised]
    if not biases:
        raise Skip
    rng.choice(biases)["arg"] = {"as_none": True}
    return "a convolution without bias"


def reconvolve(graph, rng):
    """Changes a convolution's stride, padding, dilation or number of groups, or transposes it. Its weights, and usually
    its results, keep their sizes."""
    nodes = [n for n in graph["nodes"] if n["target"].endswith("convolution.default")]
    if not nodes:
        raise Skip
    which = rng.choice(["stride", "padding", "dilation", "transposed", "groups"])
    arg = next(i["arg"] for i in rng.choice(nodes)["inputs"] if i["name"] == which)
    if which == "transposed":
        arg["as_bool"] = not arg["as_bool"]
    elif which == "groups":
        arg["as_int"] += rng.randrange(1, 4)
    else:
        arg["as_ints"][rng.randrange(2)] += rng.randrange(1, 4)
    return f"another {which}"


def grow(graph, rng):
    """Adds rows to a layer's output."""
    names = [n["outputs"][0]["as_tensor"]["name"] for n in graph["nodes"]
             if n["target"].endswith(("linear.default", "convolution.default", "addmm.default", "add.Tensor"))]
    sizes = graph["tensor_values"][rng.choice(names)]["sizes"]
    sizes[0]["as_int"] += rng.randrange(1, 9)
    return "more rows"


def reargue(graph, rng):
    """Changes a number among the arguments of a portable operator, such as a dimension or an epsilon, or adds a factor."""
    found = [(a, k) for n in graph["nodes"] if "convolution" not in n["target"] for a in n["inputs"]
             for k in ("as_int", "as_float", "as_ints") if a["arg"].get(k)]
    added = [n["inputs"] for n in graph["nodes"] if n["target"].endswith("aten.add.Tensor")]
    if added and rng.random() < 0.3:
        rng.choice(added).append({"name": "alpha", "arg": {"as_int": rng.randrange(2, 9)}})
        return "another factor"
    argument, kind = rng.choice(found)
    if kind == "as_ints":
        argument["arg"][kind][rng.randrange(len(argument["arg"][kind]))] += rng.randrange(1, 4)
    else:
        argument["arg"][kind] *= rng.choice([-1, 3, 1.25])
    return f"another {argument['name']}"


def relimit(graph, rng):
    """Replaces a ReLU of the graph by a ReLU6 or a clamp; the program still has the ReLU."""
    relus = [n for n in graph["nodes"] if n["target"].endswith("aten.relu.default")]
    high = rng.choice([1, 6, 255])
    for n in relus if rng.random() < 0.5 else [rng.choice(relus)]:
        which, low_name, high_name = rng.choice([("hardtanh", "min_val", "max_val"), ("clamp", "min", "max")])
        n["target"] = n["target"].replace("relu", which)
        n["inputs"] += [{"name": low_name, "arg": {"as_float": 0.0}, "kind": 1}, {"name": high_name, "arg": {"as_int": high}, "kind": 1}]
    return f"a limit of {high}"


def refused(lab, net, record, what, *more):
    """analyze must reject the record, and say `exact` of no row."""
    r = lab.etcore("analyze", path(net, "run.etdump"), "--no-siblings", "-r", record, *more, "--by", "module", "-o", "csv", "--columns", "name,how")
    if "W0424" not in r.err or "exact" in r.out:
        lie(f"{net} {what}: {r.out} {r.err}")


def other_tensors(lab, rng):
    """The record belongs to a net that differs only in tensors, limits or numbers; kinds, names and instructions are equal.
    doctor must not say that the files belong together."""
    net = rng.choice([*FLOATS, "mlp_portable", "residual_portable"])
    said = []
    edit = rng.choice([exchange, omit, reconvolve, grow, relimit] if net in FLOATS else [exchange, shrink, retype, omit, reconvolve, grow, reargue])
    record = edited_record(lab, net, GRAPH, lambda p: said.append(edit(p["graph_module"]["graph"], rng)))
    report = lab.etcore("doctor", "--no-siblings", path(net, "run.etdump"), record, path(net, "model.pte"), "-o", "json").json()
    for p in report["pairs"]:
        if p["together"] is True and record in (p["a"], p["b"]):
            lie(f"{net} with {said[0]}: {p}")
    refused(lab, net, record, f"with {said[0]}", "-m", path(net, "model.pte"))
    return TRUE


def exchanged(lab, net, pairs):
    """The net's record with the weights of each pair exchanged."""
    def edit(program):
        specs = [s[k] for s in program["graph_module"]["signature"]["input_specs"] for k in s]
        for names in pairs:
            a, b = ([s for s in specs if s["arg"].get("name") == n][0] for n in names)
            a["arg"], b["arg"] = b["arg"], a["arg"]

    return edited_record(lab, net, GRAPH, edit)


def twins(lab, rng):
    """The record belongs to a net with two layers exchanged that have the same weights: the programs are equal."""
    net = "untrained_portable"
    record = exchanged(lab, net, [("p_n_weight", "p_m_weight"), ("p_n_bias", "p_m_bias")] if rng.random() < 0.8 else [])
    for p in lab.etcore("doctor", "--no-siblings", path(net, "run.etdump"), record, path(net, "model.pte"), "-o", "json").json()["pairs"]:
        if p["together"] is not None:
            lie(f"{net}: {p}")
    return SILENT


def other_order(lab, rng):
    """The record belongs to a net with the same weights, two of which, of equal shape, are exchanged."""
    net, *names = rng.choice([("gated_f32", "p_gate_weight", "p_up_weight"), ("gated_f32", "p_gate_bias", "p_up_bias"),
                              ("gated_int8", "b__frozen_param0", "b__frozen_param1"), ("minimum_f32", "p_a_weight", "p_b_weight"),
                              ("residual_portable", "p_stem_bias", "p_c2_bias"), ("residual_f32", "p_stem_bias", "p_c2_bias"),
                              ("folded_f32", *rng.sample([f"p_c_{i}_weight" for i in range(3)], 2)),
                              ("folded_f32", "p_n_0_weight", "p_n_2_weight"),
                              *((n, *(f"p_{k}_parametrizations_weight_original0" for k in (0, 2)))
                                for n in ("even_weights8", "even_weights4", "series_weights8")),
                              ("sigmoid_f32", *rng.sample([f"p_c_{i}_weight" for i in range(4)], 2))])
    norms = [("b_n_0_running_var", "b_n_2_running_var")] if "p_n_0_weight" in names else []
    record = exchanged(lab, net, [names, *norms])
    for p in lab.etcore("doctor", "--no-siblings", path(net, "run.etdump"), record, path(net, "model.pte"), "-o", "json").json()["pairs"]:
        if p["together"] is not False and record in (p["a"], p["b"]):
            lie(f"{net} with {names} exchanged: {p}")
    refused(lab, net, record, f"with {names} exchanged", "-m", path(net, "model.pte"))
    return TRUE


def other_scales(lab, rng):
    """The record belongs to a net of which two quantisations are exchanged, two activations, or two layers in a branch."""
    def scales(graph):
        quantised = [n for n in graph["nodes"] if n["target"].endswith("quantize_per_tensor.default")]
        texts = sorted({json.dumps(n["inputs"][1:3]) for n in quantised})
        a, b = rng.sample(texts, 2)
        for n in quantised:
            now = json.dumps(n["inputs"][1:3])
            if now in (a, b):
                n["inputs"][1:3] = json.loads(b if now == a else a)

    def slopes(graph):
        a, b = (n["inputs"] for n in graph["nodes"] if n["target"].endswith("leaky_relu.default"))
        a[1], b[1] = b[1], a[1]

    net = rng.choice(["gated_int8", "residual_int8", "int8_res", "mlp_int8", "shared_int8", "series_weights8", "branch_layers"])
    if net == "branch_layers":  # the record does not list the instructions of the branch, so nothing contradicts
        record = exchanged(lab, net, [("p_a_weight", "p_b_weight"), ("p_a_bias", "p_b_bias")])
    else:
        edit = slopes if net == "series_weights8" else scales
        record = edited_record(lab, net, GRAPH, lambda p: edit(p["graph_module"]["graph"]))
    for p in lab.etcore("doctor", "--no-siblings", record, path(net, "model.pte"), "-o", "json").json()["pairs"]:
        if p["together"] is not (None if net == "branch_layers" else False):
            lie(f"{net}, two parts exchanged: {p}")
    if net == "branch_layers":
        return SILENT
    refused(lab, net, record, "with two parts exchanged", "-m", path(net, "model.pte"))
    return TRUE


def rewired(lab, rng):
    """The record belongs to a net with the same layers, one of whose sums takes another value."""
    net = rng.choice(["residual_portable", "residual_f32"])

    def rewire(program):
        graph = program["graph_module"]["graph"]
        [add] = [n for n in graph["nodes"] if n["target"].endswith("aten.add.Tensor")]
        taken = {i["arg"]["as_tensor"]["name"] for i in add["inputs"][:2]}
        made = [n["outputs"][0]["as_tensor"]["name"] for n in graph["nodes"][:graph["nodes"].index(add)] if "as_tensor" in n["outputs"][0]]
        like = [m for m in made if m not in taken and graph["tensor_values"][m]["sizes"] == graph["tensor_values"][min(taken)]["sizes"]]
        rng.choice(add["inputs"][:2])["arg"]["as_tensor"]["name"] = rng.choice(like)

    record = edited_record(lab, net, GRAPH, rewire)
    for p in lab.etcore("doctor", "--no-siblings", record, path(net, "model.pte"), "-o", "json").json()["pairs"]:
        if p["together"]:
            lie(f"{net}, rewired: {p}")
    return SILENT


def exchanged_ends(lab, rng):
    """The record belongs to a net that computes the same, but takes its inputs, returns its outputs, or takes the two results
    of a delegate or of a split in another order."""
    net, what = rng.choice(["ends_f32", "ends_portable"]), rng.choice(["input", "output", "operand"])

    def edit(program):
        module = program["graph_module"]
        if what == "operand":
            a, b = rng.choice([n["inputs"] for n in module["graph"]["nodes"] if n["target"].endswith("aten.atan2.default")])
        else:
            specs = [s[f"user_{what}"] for s in module["signature"][f"{what}_specs"] if s.get(f"user_{what}")]
            a, b = rng.sample(specs, 2)
        a["arg"], b["arg"] = b["arg"], a["arg"]

    record = edited_record(lab, net, GRAPH, edit)
    [pair] = lab.etcore("doctor", "--no-siblings", record, path(net, "model.pte"), "-o", "json").json()["pairs"]
    if pair["together"]:
        lie(f"{net}, two {what}s exchanged: {pair}")
    [own] = lab.etcore("doctor", "--no-siblings", path(net, "model.etrecord"), path(net, "model.pte"), "-o", "json").json()["pairs"]
    if not own["together"]:
        lie(f"{net}: {own}")
    return TRUE


def shorter_net(lab, rng):
    """The record belongs to a net that ends earlier, so it lacks instructions of the run and the program."""
    portable = rng.random() < 0.5
    net = rng.choice(["mlp_portable", "residual_portable"] if portable else ["sigmoid_f32", "silu_f32", "residual_f32", "residual_int8"])

    def shorten(maps):
        for k in sorted(maps["forward"], key=int)[-rng.randrange(1, 6):] if portable else ["2"]:
            del maps["forward"][k]

    record = edited_record(lab, net, "debug_handle_map", shorten)
    files = [record, path(net, "model.pte")] + ([path(net, "run.etdump")] if rng.random() < 0.5 else [])
    for p in lab.etcore("doctor", "--no-siblings", *files, "-o", "json").json()["pairs"]:
        if p["together"] is True and record in (p["a"], p["b"]):
            lie(f"{net} and the record of its beginning: {p}")
    refused(lab, net, record, "without program, and the record of its beginning")
    return TRUE


def other_values(lab, rng):
    """The record belongs to another training: shapes, names and operators are equal, but some weights have other values or
    are missing."""
    net = rng.choice([n for n in ALL if n not in ("branch", "map_nested")])
    record, changed = lab.path("trained.etrecord"), 0
    # Change only one weight. Not for quantised weights: the first large storage may hold scales or zero points, which are not compared.
    alone = rng.random() < 0.5 and "int8" not in net and "_weights" not in net
    missing = rng.random() < 0.2  # the record has no weights
    with zipfile.ZipFile(path(net, "model.etrecord")) as a, zipfile.ZipFile(record, "w") as b:
        for info in a.infolist():
            data = a.read(info)
            if info.filename.startswith("edge_dialect") and info.filename.endswith("_state_dict"):
                if missing:
                    changed += 1
                    continue
                inner = io.BytesIO()
                with zipfile.ZipFile(io.BytesIO(data)) as x, zipfile.ZipFile(inner, "w") as y:
                    for storage in x.infolist():
                        values = bytearray(x.read(storage))
                        # Only matrices and kernels are changed; biases and scales are not compared.
                        if "/data/" in storage.filename and len(values) >= 128 and not (alone and changed):
                            values[rng.randrange(len(values))] ^= 1 << rng.randrange(6)
                            changed += 1
                        y.writestr(storage, values)
                data = inner.getvalue()
            b.writestr(info, data)
    if not changed:
        raise Skip
    files = [path(net, "run.etdump"), record, path(net, "model.pte")]
    for p in lab.etcore("doctor", "--no-siblings", *files, "-o", "json").json()["pairs"]:
        if p["together"] is not None:
            lie(f"{net} with {changed} weights of other values: {p}")
    return SILENT


@claim("belong-together", power=0.15)
def together(lab, rng):
    """doctor's verdicts and W0424: "no" is a lie for files of one export, "yes" for files of different exports,
    "consistent" for files that contradict each other. Without a program, "yes" is always a lie."""
    part = rng.random()
    if part < 0.15:
        return other_tensors(lab, rng)
    if part < 0.2:
        return shorter_net(lab, rng)
    if part < 0.29:
        return other_order(lab, rng)
    if part < 0.3:
        return twins(lab, rng)
    if part < 0.4:
        return other_values(lab, rng)
    if part < 0.47:
        return other_scales(lab, rng)
    if part < 0.49:
        return rewired(lab, rng)
    if part < 0.52:
        return exchanged_ends(lab, rng)
    a, b = rng.choice(ALL), rng.choice(ALL)
    if rng.random() < 0.3:
        b = a
    which = rng.choice(["dump record", "dump program", "record program", "all", "foreign both"])
    if which == "foreign both" and rng.random() < 0.3:  # only the program contradicts the dump
        a, b = "mlp_int8", "mlp_weights8"
    names = {"dump record": [(a, "run.etdump"), (b, "model.etrecord")],
             "dump program": [(a, "run.etdump"), (b, "model.pte")],
             "record program": [(a, "model.etrecord"), (b, "model.pte")],
             "all": [(a, "run.etdump"), (b, "model.etrecord"), (a, "model.pte")],
             "foreign both": [(a, "run.etdump"), (b, "model.etrecord"), (b, "model.pte")]}[which]
    files = []
    for k, (net, name) in enumerate(names):
        to = lab.path(f"{k}-{name}")
        shutil.copy(path(net, name), to)
        files.append(to)
    report = lab.etcore("doctor", "--no-siblings", *files, "-o", "json").json()
    said = {(os.path.basename(p["a"]), os.path.basename(p["b"])): p["together"] for p in report["pairs"]}
    contradictory(report["pairs"])
    yes = no = False
    for (x, y), answer in said.items():
        of = [names[int(n.split("-")[0])][0] for n in (x, y)]
        if alike(*of):
            if answer is False:
                lie(f"{of}: {x} and {y} do not belong together: {report['pairs']}")
        elif answer is True and not (which == "foreign both" and same_structure(*of)):
            lie(f"{of}: {x} and {y} belong together: {report['pairs']}")
        if answer is True and len(files) < 3 and "run.etdump" in x:
            lie(f"{of}: {x} and {y} belong together, and nothing proves it: {report['pairs']}")
        yes, no = yes or answer is True, no or answer is False
    if names[0][1] == "run.etdump" and names[1][1] == "model.etrecord":
        extra = ["-m", files[2]] if len(files) > 2 else []
        r = lab.etcore("analyze", files[0], "--no-siblings", "-r", files[1], *extra, "--by", "module", "-o", "csv", "--columns", "name,how")
        [answer] = [v for (x, y), v in said.items() if x.startswith("0") and y.startswith("1")]
        if ("W0424" in r.err) != (answer is False):
            lie(f"{a} with the record of {b}: doctor says {answer}, analyze {'warns' if 'W0424' in r.err else 'does not'}")
        if answer is False and "exact" in r.out:
            lie(f"{a} with the record of {b}: W0424, and yet exact")
        if answer is None and not extra and "exact" in r.out and "N0438" not in lab.etcore(
                "analyze", files[0], "--no-siblings", "-r", files[1], "--by", "module", "-o", "json"):
            lie(f"{a} with the record of {b}: exact, and nobody says that nothing proves the record")
    return TRUE if yes or no else SILENT


def contradictory(pairs):
    """A dump that contradicts a program must not be consistent with the program's record, and must contradict it if the
    record certainly belongs to the program."""
    said = {tuple(os.path.basename(p[k]).split("-")[1] for k in "ab"): p for p in pairs}
    ran, of_program, own = (said.get(p) for p in (("run.etdump", "model.pte"), ("model.etrecord", "model.pte"),
                                                  ("run.etdump", "model.etrecord")))
    if not (ran and of_program and own) or ran["together"] is not False:
        return
    if of_program["together"] and own["together"] is not False or of_program["consistent"] and own["consistent"]:
        lie(f"the program that did not run has the record of the dump: {pairs}")


def same_structure(a, b):
    """Returns whether the two exports cannot be distinguished by a dump, even with a consistent record and program: they
    have equal numbers of operators of each kind, quantised alike (docs/claims.md). A run may show fewer of the operators
    that have no name when quantised: a run of sigmoid could be one of SiLU."""
    families = [{"mlp_f32", "mlp_again", "mlp_renamed", "mlp_wide"}, {"residual_int8", "int8_res"}, {"sigmoid_f32", "silu_f32"}]
    return any({a, b} <= f for f in families)


@claim("same-program", power=0.3)
def same_program(lab, rng):
    """Dumps of byte-equal programs must be merged, whatever their records are; other dumps must not."""
    a, b = rng.choice(ALL), rng.choice(ALL)
    if rng.random() < 0.5:
        a, b = rng.choice(["mlp_f32", "mlp_again", "mlp_renamed"]), rng.choice(["mlp_f32", "mlp_again", "mlp_renamed"])
    dumps = []
    for k, net in enumerate((a, b)):
        folder = lab.path(str(k))
        os.mkdir(folder)
        for name in ("run.etdump", "model.pte", "model.etrecord"):
            shutil.copy(path(net, name), folder)
        dump = Dump(os.path.join(folder, "run.etdump"))
        for run in dump.runs:
            run.stretch(1 + rng.random())
        dump.save(os.path.join(folder, "run.etdump"))
        dumps.append(os.path.join(folder, "run.etdump"))
    with open(path(a, "model.pte"), "rb") as x, open(path(b, "model.pte"), "rb") as y:
        equal = x.read() == y.read()
    notes = {n["code"] for n in lab.etcore("analyze", *dumps, "-o", "json").json()["notes"]}
    if equal and "N0131" not in notes:
        lie(f"{a} and {b} have one program and are not pooled: {notes}")
    if not equal and "N0131" in notes:
        lie(f"{a} and {b} have two programs and are pooled")
    out = lab.etcore("diff", dumps[0], "--", dumps[1], "--by", "method").out
    if ("N0156" in out) == equal:
        lie(f"{a} and {b}: programs {'equal' if equal else 'differ'}, diff says {'N0156' in out}")
    return TRUE if equal else SILENT


@claim("renamed-matched", power=0.1)
def renamed(lab, rng):
    """An event whose name identifies no operator must be matched with the only candidate, or with none."""
    old = path("hardswish_f32", "run.etdump")
    new = path(rng.choice(["hardswish_f32", "hardswish_f32", "mlp_f32", "residual_f32"]), "run.etdump")
    with open(new, "rb") as f:
        data = f.read()
    chosen = {}
    for name, other in (("HardSwish (NC)", "Invalid A (NC)"), ("Transpose (ND, X32)", "Invalid B (ND, X32)"),
                        ("Transpose (ND, X32) #1", "Invalid C (ND, X32) #1")):
        if rng.random() < 0.4:  # the new name has the same length, so that no offset changes
            data = data.replace(name.encode(), other.encode())
            chosen.setdefault(other.split(" #")[0], name.split(" #")[0])
    copy = lab.path("new.etdump")
    with open(copy, "wb") as f:
        f.write(data)
    r = lab.etcore("diff", old, "--", copy, "--no-siblings", "-o", "csv", "--columns", "key,base_name,name,match")
    said = False
    for row in csv.DictReader(io.StringIO(r.out)):
        for name in row["name"].split("; "):
            if not name.startswith("Invalid") or not row["base_name"]:
                continue
            if chosen.get(name) != row["base_name"]:
                lie(f"{name} was {chosen.get(name)}, and is matched with {row['base_name']}")
            said = True
    return TRUE if said else SILENT

"""Claims of `etcore pipeline` about a run: valid, resumed, failed, faster and slower."""
import glob
import json
import os
import random
import re
import shutil
import stat

from lab import SILENT, TRUE, Skip, claim, lie
from pipe import SOURCES, Pipe

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def noise(rng, ms, n, share=0.02, slow=0):
    """Returns n durations in ms. About the fraction `slow` of them are lengthened, as if the run had been preempted."""
    return [round(ms * (1 + abs(rng.gauss(0, share))) * (rng.uniform(1.5, 8) if slow and rng.random() < slow else 1), 6)
            for _ in range(n)]


# ------------------------------------------------------------------------------ valid


def some_run(lab, rng):
    """Makes an unedited run of one or two experiments, each with some thread counts and blocks."""
    level, warmup, blocks = rng.uniform(1, 50), rng.choice((0, 1, 2)), rng.choice((1, 2, 3))
    each = rng.randrange(4, 8 - warmup)
    experiments = {}
    for name in ("off", "on")[:rng.choice((1, 2, 2))]:
        experiments[name] = {t: [noise(rng, level / t, each + warmup) for _ in range(blocks)]
                             for t in ((1,), (1, 2), (4,))[rng.randrange(3)]}
    pipe = Pipe(lab, experiments, warmup=warmup, form=rng.choice(("iterations", "iterations", "quiet", "total")),
                source=rng.choice(SOURCES), dumps=True)
    r = pipe.run()
    if r.status:
        raise RuntimeError(r.err)
    return pipe


def files(pipe, end):
    return sorted(p for p in glob.glob(os.path.join(pipe.root, "*", "*")) if p.endswith(end))


def other_number(rng, text):
    value = float(text)
    while True:
        new = rng.choice((str(-value - 1), str(value + 1), repr(value * rng.uniform(1.0001, 3)), repr(value / 2 + 1),
                          str(int(value) + 7)))
        if float(new) != value:
            return new


def change_number(rng, path, among=NUMBER):
    """Replaces a random number in the file by another one; raises Skip if the file has none."""
    text = read(path).decode()
    found = list(among.finditer(text))
    if not found:
        raise Skip
    m = rng.choice(found)
    # A number inside a text (a date, a hash) must stay a number there.
    new = other_number(rng, m[0]) if text[m.start() - 1] in " [" else str(int(m[0][0] != "7") * 7) + m[0][1:]
    if new == m[0] or (text[m.start() - 1] not in " [" and m[0][:1] == "-"):
        raise Skip
    write(path, (text[:m.start()] + new + text[m.end():]).encode())
    return f"{os.path.basename(path)}: {m[0]} became {new}"


def edit_json(path, change):
    document = json.loads(read(path))
    change(document)
    write(path, json.dumps(document, indent=1).encode())


def numbers_of(value, path=()):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from numbers_of(v, path + (k,))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from numbers_of(v, path + (i,))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


def put(document, path, value):
    for k in path[:-1]:
        document = document[k]
    document[path[-1]] = value


def in_both(pipe, rng):
    """Changes the same number in manifest.json and metrics.json, to another number, a text or null."""
    metrics = json.loads(read(os.path.join(pipe.root, "metrics.json")))
    path = rng.choice(list(numbers_of(metrics)))
    value = metrics
    for k in path:
        value = value[k]
    new = rng.choice((-value - 1, value * 1.25 + 1, str(value), None))
    for name in ("manifest.json", "metrics.json"):
        edit_json(os.path.join(pipe.root, name), lambda d: put(d, path, new))
    return f"{path} became {new!r} in both"


def of_manifest(pipe, rng):
    return change_number(rng, os.path.join(pipe.root, "manifest.json"))


def of_metrics(pipe, rng):
    return change_number(rng, os.path.join(pipe.root, "metrics.json"))


def of_log(pipe, rng):
    return change_number(rng, rng.choice(files(pipe, ".log")))


def swapped(pipe, rng):
    found = files(pipe, rng.choice((".log", ".etdump")))
    if len(found) < 2:
        raise Skip
    a, b = rng.sample(found, 2)
    if read(a) == read(b):
        raise Skip
    os.rename(a, a + ".x")
    os.rename(b, a)
    os.rename(a + ".x", b)
    return f"{a} and {b} swapped"


def damaged(pipe, rng):
    path = rng.choice(files(pipe, (".log", ".etdump")) + glob.glob(pipe.root + "/*.json"))
    data = read(path)
    how = rng.choice(("cut", "empty", "gone", "link to nowhere", "folder", "doubled", "bit"))
    os.remove(path)
    if how == "cut":
        write(path, data[:rng.randrange(len(data) - 1)])
    elif how == "empty":
        write(path, b"")
    elif how == "link to nowhere":
        os.symlink("nowhere", path)
    elif how == "folder":
        os.mkdir(path)
    elif how == "doubled":
        write(path, data + data)
    elif how == "bit":
        at = rng.randrange(len(data))
        write(path, data[:at] + bytes([data[at] ^ 1 << rng.randrange(7)]) + data[at + 1:])
    return f"{path}: {how}"


def foreign(pipe, rng):
    """Replaces a dump by another file, directly or through a link."""
    path = rng.choice(files(pipe, ".etdump"))
    other = rng.choice(SOURCES + files(pipe, ".etdump"))
    if read(other) == read(path):
        raise Skip
    os.remove(path)
    if rng.random() < 0.5:
        os.symlink(other, path)
    else:
        shutil.copy(other, path)
    return f"{path} is {other}"


def restructured(pipe, rng):
    """Removes, repeats or renames entries of lists."""
    def change(d):
        key = rng.choice([k for k in ("results", "jobs", "experiments") if k in d])
        how = rng.choice(("empty", "less", "twice", "threads", "status", "name"))
        done.append(f"{key}: {how}")
        entry = rng.choice(d[key])
        inner = entry.get("metrics", entry)
        if how == "empty":
            d[key] = []
        elif how == "less":
            d[key].remove(entry)
        elif how == "twice":
            d[key].append(entry)
        elif how == "threads":
            t = inner["threads"]
            inner["threads"] = [x + 1 for x in t] if isinstance(t, list) else t + 1
        elif how == "status" and "status" in inner:
            inner["status"] = rng.choice(("failed", "pending", "fine", 3))
        else:
            for k in ("experiment", "name"):
                if k in entry:
                    entry[k] += "x"
    done = []
    names = ["manifest.json", "metrics.json"]
    edit_json(os.path.join(pipe.root, rng.choice(names)), change)
    return done[0]


def stranger(pipe, rng):
    """Adds a dump that the run did not write, which a report would count."""
    name = rng.choice(("off/off_t1_b9.etdump", "off/x.etdump", "y.etdump", "z/z_t1.etdump", "off/off_t1.etdump.gz", "x.etdp"))
    path = os.path.join(pipe.root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copy(rng.choice(SOURCES), path)
    return f"{name} came from elsewhere"


def repeated(pipe, rng):
    """Gives an object a key twice; Python takes the last, the true one."""
    path = rng.choice(glob.glob(pipe.root + "/*.json"))
    text = read(path).decode()
    m = rng.choice(list(re.finditer(r'"\w+": ', text)))
    write(path, (text[:m.start()] + m[0] + "7, " + text[m.start():]).encode())
    return f"{path}: {m[0]} occurs twice"


def unsealed(pipe, rng):
    """Changes a value that no other file contains, and removes the seal that would reveal the
    change."""
    def change(d):
        job = rng.choice(d["jobs"])
        job["wall_ms"] *= 2
        for key in rng.choice((["seal"], ["seal", "etcore"])):
            del d[key]
        if rng.random() < 0.5:
            for e in d["experiments"]:
                del e["etdump"]
    edit_json(os.path.join(pipe.root, "manifest.json"), change)
    return "changed without its seal"


EDITS = [of_manifest, of_manifest, of_metrics, of_metrics, in_both, in_both, of_log, of_log, swapped, damaged, damaged,
         foreign, restructured, restructured, stranger, repeated, unsealed]


def untouched(pipe, rng):
    """Changes the folder in a way that leaves all numbers as they are, or not at all."""
    how = rng.choice(("as it is", "moved", "linked", "reported", "beside"))
    if how == "moved":
        os.rename(pipe.root, pipe.root + "2")
        shutil.copytree(pipe.root + "2", pipe.root)
        shutil.rmtree(pipe.root + "2")
    elif how == "linked":
        path = rng.choice(files(pipe, (".log", ".etdump")))
        os.rename(path, pipe.lab.path("elsewhere"))
        os.symlink(pipe.lab.path("elsewhere"), path)
    elif how == "reported":
        pipe.ask("report")
    elif how == "beside":
        write(os.path.join(pipe.root, "notes.txt"), b"12 ms")
    return how


@claim("pipeline-valid")
def valid(lab, rng):
    """validate must report an edited run folder as not valid, and an unedited one as valid; report must not use an edited
    one without a word."""
    pipe = some_run(lab, rng)
    edited = rng.random() < 0.8
    what = rng.choice(EDITS)(pipe, rng) if edited else untouched(pipe, rng)
    r = pipe.ask("validate")
    says_valid = ": valid" in r.out
    if says_valid == edited or says_valid != (r.status == 0):
        lie(f"{what}: status {r.status}: {r.out[-300:]}{r.err[-300:]}")
    report = pipe.ask("report")
    if "occurs twice" not in what and ("[W" in report.err or report.status != 0) != edited:
        lie(f"{what}: report ends with {report.status}: {report.err[-300:]}")
    return SILENT if edited else TRUE


# ------------------------------------------------------------------------------ valid at level quality


@claim("pipeline-quality")
def quality(lab, rng):
    """Blocks that disagree, or latencies that vary by more than the limit, must not be valid at level "quality"."""
    gate = rng.choice((None, None, 5, 10, 20, 40))
    kind = rng.choice(("steady", "blocks", "noisy"))
    limit = gate or 10
    level = rng.uniform(1, 50)
    blocks = []
    n = rng.choice((4, 7))  # with the warm-up; 3 latencies of one process count with those of the others
    for i in range(rng.choice((2, 2, 4))):
        # two speeds inside each block: they differ by far more than the limit, but no run is an outlier
        if kind == "noisy":
            factor = 1 + limit / 100 * 4
            blocks.append([level * (factor if k % 2 else 1) * rng.uniform(0.999, 1.001) for k in range(n)])
        else:
            factor = (1 + limit / 100 * rng.uniform(3, 20)) if kind == "blocks" and i == 1 else 1
            blocks.append([level * factor * rng.uniform(0.995, 1.005) for _ in range(n)])
    blocks = [[round(ms, 6) for ms in b] for b in blocks]
    config = {"gates": {"cv_max_pct": gate}} if gate else {}
    pipe = Pipe(lab, {"a": {1: blocks}, "b": {1: [[level] * n] * len(blocks)}}, **config)
    if pipe.run().status:
        raise RuntimeError("run")
    r = pipe.ask("validate", "--level", "quality")
    if (": valid" in r.out) != (kind == "steady"):
        lie(f"{kind} blocks with cv_max_pct {limit}: {r.out[-400:]}")
    return TRUE if kind == "steady" else SILENT


# ------------------------------------------------------------------------------ failed


FAILURES = {"kill -SEGV $$": "W1012", "exit 3": "W1013", "echo 'no tracer' >&2; exit 1": "W1013",
            "printf dummy-etdump >\"$e\"; cat \"$0.$t.$n.log\"; exit 0": "W1016",
            "cat \"$0.$t.$n.log\"; exit 0": "W1015"}


@claim("pipeline-failed")
def failed(lab, rng):
    """run, validate and report must name each failed experiment with its reason, and no other experiment."""
    experiments, expected = {}, {}
    for name in ("a", "b", "c"):
        blocks = [noise(rng, 3, 5) for _ in range(rng.choice((1, 2)))]
        for i in range(len(blocks)):
            if rng.random() < 0.25:
                blocks[i] = rng.choice(list(FAILURES))
                expected[name, i + 1] = FAILURES[blocks[i]]
        experiments[name] = {1: blocks}
    count = max(len(u[1]) for u in experiments.values())
    for units in experiments.values():  # gives each experiment the same number of blocks
        while len(units[1]) < count:
            units[1].append(noise(rng, 3, 5))
    pair = rng.random() < 0.5
    more = {"analysis": {"compare_pairs": [{"baseline": {"experiment": "a", "threads": 1},
                                            "candidate": {"experiment": "b", "threads": 1}}]}} if pair else {}
    pipe = Pipe(lab, experiments, **more)
    r = pipe.run()
    if r.status != bool(expected):
        lie(f"status {r.status} with failures {expected}")
    report = pipe.ask("report", "-o", "json")
    whole = all(len([k for k in expected if k[0] == n]) == count for n in "abc")
    if whole and report.status != 1:
        lie("a report of nothing is a success")
    told = {(f["experiment"], f.get("block")): f["code"] for f in report.json()["failed"]}
    if told != expected:
        lie(f"failed: {expected}, the report says {told}")
    with open(os.path.join(pipe.root, "report.md"), encoding="utf-8") as f:
        text = f.read()
    if ("## Failed" in text) != bool(expected) or any(code not in text for code in expected.values()):
        lie(f"report.md does not name {expected}")
    lacking = pair and any(len([k for k in expected if k[0] == n]) == count for n in "ab")
    if report.status != bool(lacking or whole):
        lie(f"report ends with {report.status}; a side of the pair is lacking: {lacking}")
    verdict = pipe.ask("validate", "-o", "json").json()
    if verdict["valid"] == bool(expected):
        lie(f"validate: {verdict['valid']} with failures {expected}")
    named = " ".join(f["text"] for f in verdict["findings"])
    if any(code not in named for code in expected.values()):
        lie(f"validate names {named}, not {expected}")
    return TRUE


# ------------------------------------------------------------------------------ resumed


@claim("pipeline-resumed")
def resumed(lab, rng):
    """A run is interrupted or killed at a random process. run, validate and --resume must count the same processes; after
    --resume the results must equal those of an uninterrupted run."""
    blocks = rng.choice((1, 2, 3))
    times = {n: {1: [noise(rng, 3, 5) for _ in range(blocks)]} for n in "ab"}
    stop = rng.choice("INT TERM KILL".split())
    at = rng.choice("ab"), rng.randrange(blocks)
    whole = Pipe(lab, times)
    if whole.run().status:
        raise RuntimeError("run")
    want = json.loads(read(os.path.join(whole.root, "metrics.json")))
    shutil.rmtree(whole.root)
    for path in glob.glob(lab.path("runner_*.n")):
        os.remove(path)
    flag = lab.path("flag")
    write(lab.path(f"runner_{at[0]}.1.{at[1]}.sh"),
          f"if [ ! -f {flag} ]; then touch {flag}; echo $n >\"$0.$t.n\"; kill -{stop} $PPID; sleep 60; fi\n".encode())
    r = whole.lab.stopped("pipeline", "run", "--config", "c.json")
    first = json.loads(read(os.path.join(whole.root, "manifest.json")))
    done = sum(j["status"] == "ok" for j in first["jobs"])
    words = f"{done} of {2 * blocks} process"
    if stop != "KILL" and words not in r.err:
        lie(f"{done} of {2 * blocks} are measured, run says {r.err}")
    v = whole.ask("validate")
    if ": valid" in v.out or words not in v.out:
        lie(f"{stop}: {done} of {2 * blocks} are measured, validate says {v.out}")
    if any(code in v.out for code in ("E1058", "E1059", "E1060", "E1051")):
        lie(f"validate calls broken what is only not complete: {v.out}")
    r = whole.run("--resume")
    if r.status:
        lie(f"--resume: {r.err}")
    kept = [j for j in json.loads(read(os.path.join(whole.root, "manifest.json")))["jobs"]]
    before = {(j["experiment"], j["block"]): j for j in first["jobs"] if j["status"] == "ok"}
    for j in kept:
        if before.get((j["experiment"], j["block"]), j) != j:
            lie(f"a process that was kept is told otherwise: {j}")
    if json.loads(read(os.path.join(whole.root, "metrics.json"))) != strip(want, kept):
        lie("what was resumed is not what was never interrupted")
    v = whole.ask("validate")
    if ": valid" not in v.out:
        lie(f"resumed, and validate says {v.out}")
    return TRUE


def strip(metrics, jobs):
    """Replaces the start times of blocks, which differ between runs, by those in `jobs`."""
    started = {(j["experiment"], j["block"]): j["started_at"] for j in jobs}
    for r in metrics["results"]:
        for b in r["metrics"]["blocks"]:
            b["started_at"] = started[r["experiment"], b["block"]]
    return metrics


# ------------------------------------------------------------------------------ faster, slower, no difference


@claim("pipeline-verdict", at_most=0.05)
def verdict(lab, rng):
    """The two experiments run the same program, or one takes twice as long. Processes differ by a few per cent; they
    have many runs, or few runs of which some are preempted. The machine may drift. Processes of the experiments
    alternate, or one experiment follows the other. The same program must not be called faster or slower; the one
    that takes twice as long must not get "no difference"."""
    same = rng.random() < 0.7
    blocks, spread = rng.choice((1, 1, 2, 3, 4)), rng.choice((0.01, 0.03, 0.05))
    in_turns = rng.random() < 0.7 or blocks < 3  # with fewer blocks a drift cannot be distinguished from a change
    drift = rng.choice((0, 0, 0.1, 0.2)) if blocks > 2 else 0
    places = {"off": [], "on": []}
    for at in range(2 * blocks):
        second = at // 2 % 2 != at % 2 if in_turns else at >= blocks
        places["on" if second else "off"].append(at)
    each, slow = rng.choice(((6, 0), (6, 0), (rng.randint(2, 5), 0.1)))
    units = {}
    for name, factor in (("off", 1), ("on", 1 if same else 2)):
        units[name] = {1: [noise(rng, 10 * factor * (1 + rng.gauss(0, spread)) * (1 + drift * at / (2 * blocks)), 1 + each,
                                 slow=slow) for at in places[name]]}
    pipe = Pipe(lab, units, source=rng.choice(SOURCES))
    for words in [[]] if in_turns else [["--only", "off"], ["--only", "on", "--resume"]]:
        if pipe.run(*words).status:
            raise RuntimeError("run")
    said = pipe.ask("report", "-o", "json").json()["comparisons"][0]
    word = said["verdict"]
    if word in ("faster", "slower") if same else word in ("faster", "no difference", "negligible"):
        lie(f"{'the same' if same else 'twice as long'}, {blocks} processes: {word}, {said.get('speedup_interval')}")
    low, high = said.get("speedup_interval", (0, 99))
    if word == "no difference" and not 1 / 1.06 < low <= high < 1.06:
        lie(f"no difference, and the interval goes from {low} to {high}")
    return SILENT if word == "cannot tell" else TRUE


# ------------------------------------------------------------------------------ recordings of a comparison


def prepared(lab, rng, pipe, how, blocks):
    """Changes which dumps the runners will write; returns the number of recordings that off and on then
    have."""
    dumps = {n: [lab.path(f"runner_{n}.1.{i}.etdump") for i in range(blocks)] for n in ("off", "on")}
    name = rng.choice(("off", "on"))
    if how == "replayed":  # some processes write the dump of an earlier one
        for i in range(1, blocks):
            if i == 1 or rng.random() < 0.5:
                shutil.copy(rng.choice(dumps[name][:i]), dumps[name][i])
    elif how == "same":  # one runner writes the dumps of the other
        for a, b in zip(dumps["off"], dumps["on"]):
            shutil.copy(a, b)
    elif how == "threads":
        path = dumps[name][rng.randrange(blocks)].replace(".etdump", ".log")
        write(path, read(path).replace(b"num threads = 1", b"num threads = %d" % rng.choice((2, 7, 64))))
    return [len({read(p) for p in dumps[n]}) for n in ("off", "on")]


def changed(rng, pipe, how):
    """Changes dumps of the measured folder; returns how many dumps of each experiment are no longer those of the run."""
    lost = {"off": 0, "on": 0}
    found = {n: sorted(glob.glob(os.path.join(pipe.root, n, "*.etdump"))) for n in lost}
    if how == "foreign":
        name = rng.choice(("off", "on"))
        shutil.copy(rng.choice(found["on" if name == "off" else "off"]), rng.choice(found[name]))
        lost[name] = 1
    elif how == "crossed":
        a, b = rng.choice(found["off"]), rng.choice(found["on"])
        was = read(a)
        shutil.copy(b, a)
        write(b, was)
        lost = {"off": 1, "on": 1}
    named = how not in ("copied", "replayed", "none") or rng.random() < 0.5
    if how == "copied":
        for _ in range(rng.choice((1, 3))):
            name = rng.choice(("off", "on"))
            ends = [f"{name}/copy.etdump", f"{name}/{name}_t1_b9.etdump"]
            path = os.path.join(pipe.root, rng.choice(ends + ["x/off_t1.etdump", "x.etdump"] if named else ends))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.lexists(path):
                rng.choice((shutil.copy, os.link, os.symlink))(rng.choice(found[name]), path)
    if not named:  # the dumps of such a folder are found by their paths
        for name in ("manifest.json", "metrics.json"):
            os.remove(os.path.join(pipe.root, name))
    return [lost["off"], lost["on"]]


@claim("pipeline-recordings")
def recordings(lab, rng):
    """on takes twice as long as off. Dumps are copied, replayed, replaced or exchanged, or a runner uses another number of
    threads. A dump must count once, and only for the process that wrote it; a comparison of a dump with itself, or of
    another number of threads, must get no verdict."""
    how = rng.choice(("none", "replayed", "same", "threads", "foreign", "crossed", "copied", "copied"))
    blocks = rng.choice((3, 4))
    pipe = Pipe(lab, {name: {1: [noise(rng, 10 * factor, 7) for _ in range(blocks)]} for name, factor in (("off", 1), ("on", 2))},
                source=rng.choice(SOURCES))
    want = prepared(lab, rng, pipe, how, blocks)
    if pipe.run().status:
        raise RuntimeError("run")
    lost = changed(rng, pipe, how)
    r = pipe.ask("report", "-o", "json")
    found = [c for c in r.json()["comparisons"] if {c["baseline"], c["candidate"]} == {"off", "on"}]
    if len(found) != 1 or len(r.json()["comparisons"]) != 1:
        lie(f"{how}: the comparisons are {[(c['baseline'], c['candidate']) for c in r.json()['comparisons']]}")
    said = found[0]
    if said["recordings"] != [a - b for a, b in zip(want, lost)]:
        lie(f"{how}: {want} recordings, {lost} were replaced, the report counts {said['recordings']}")
    if how in ("same", "threads") and said["verdict"] != "cannot tell":
        lie(f"{how}: {said['verdict']}")
    named = {"threads": "W1024", "foreign": "E1060", "crossed": "E1060"}.get(how, "")
    if named not in r.err:
        lie(f"{how}: {named} is not named")
    if how == "same" and said.get("shared") is None:
        lie("that both have the same dumps is not named")
    if said["verdict"] == "cannot tell" and how in ("none", "copied"):
        lie(f"{how}: {said}")
    return SILENT if said["verdict"] == "cannot tell" else TRUE

"""Claims about a device's events: their share of a call, by how much they exceed it, when they start, the combined values
of their columns; and the grade of a plugin."""
import json
import math
import os
import re
import statistics
import subprocess
import sys
from fractions import Fraction

from etdump import Dump
from lab import ROOT, SILENT, TRUE, Skip, claim, lie

sys.path[:0] = [os.path.join(ROOT, "tests", "tools"), os.path.join(ROOT, "tests", "analyze")]
import columns as rolls  # noqa: E402
import make_calls  # noqa: E402
import parallel  # noqa: E402


def plugin(lab, *names):
    """Returns the path of a plugin in the build tree of `etcore`."""
    return os.path.join(os.path.dirname(lab.program), "tests", "plugins", *names)


def write(lab, runs):
    path = lab.path("run.etdump")
    with open(path, "wb") as f:
        f.write(make_calls.make(runs))
    return path


def timed(lab, runs, *arguments):
    r = lab.etcore("analyze", write(lab, runs), "--no-siblings", "--plugin", plugin(lab, "host", "timed", "timed.so"),
                   "--warmup", "0", "-o", "json", *arguments)
    if r.status:
        lie(f"status {r.status}: {r.err}")
    return r.json()


@claim("in-parallel", power=0.5)
def in_parallel(lab, rng):
    """A row of parallel engines has a share: its time divided by the time of the calls that contain its events. No other
    row has one."""
    runs, want = parallel.made(rng)
    honest = rng.random() < 0.2
    if honest:  # the engines do not run in parallel, so no row may have a share
        runs = [[(n, i and i.replace(" dur=parallel", ""), *more) for n, i, *more in run] for run in runs]
        want = {}
    doc = timed(lab, runs, "--stat", "mean", *(["--isolate"] if rng.random() < 0.1 else []))
    got = {r["name"]: r["share"] for r in doc["rows"] if r["columns"].get("why") == "in parallel"}
    if got != want:
        lie(f"{got} in parallel, and {want} is the case")
    added = {r["name"] for r in doc["rows"] if not r["detached"]} & set(want)
    if added:
        lie(f"{added} of {want} are added up")
    return SILENT if honest else TRUE


# ---- excess of children over the event that contains them ----

RATES = ("1", "5/6", "10", "625/12", "0.5", "5/7")


def exceeding(rng):
    """Returns runs of calls whose device events may be longer than the call, and the largest excess of a run in ns. The
    excess of a call is the sum of its events, the host's included, minus its own time."""
    rate = rng.choice(RATES)
    ns = Fraction(*map(Fraction, rate.split("/"))) if "/" in rate else Fraction(rate)
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    tight = rng.random() < 0.7
    copies = rng.random() < 0.5
    runs, most, device = [], Fraction(0), 10**6
    for _ in range(rng.choice((1, 2, 5))):
        events, now, over = [], 0, Fraction(0)
        for c, count in enumerate(shape):
            now += rng.randint(100, 900)
            begin, inside = now, Fraction(0)
            if copies:
                length = rng.randint(0, 2000)
                events.append(("", "copy unit=ns clock=host", b"", c, now, now + length))
                inside += length
                now += length
            for k in range(count):
                ticks = rng.randint(1, 50000)
                events.append(("", f"e{c}{k} unit=ticks ns={rate}", b"", c, device, device + ticks))
                device += ticks
                inside += ticks * ns
            slack = rng.choice((-3000, -1, 0, 1, 4000)) if tight else rng.randint(-20000, 20000)
            end = max(begin + 1, now, begin + math.ceil(inside) + slack)
            events.append(("DELEGATE_CALL", None, b"", c, begin, end))
            now = end
            over += max(0, inside - (end - begin))
        events.append(("Method::execute", None, b"", -1, 0, now + rng.randint(1, 500)))
        runs.append(events)
        most = max(most, over)
    return runs, most


@claim("exceeds-by", power=0.25)
def exceeds_by(lab, rng):
    """N0303 must state how much longer the events are than the event that contains them."""
    runs, most = exceeding(rng)
    doc = timed(lab, runs, "--stat", "mean")
    text = next((n["text"] for n in doc["notes"] if n["code"] == "N0303"), "")
    said = re.search(r"children exceed parent by up to ([0-9.]+) (ns|µs|ms|s) per run", text)
    detached = any(r["columns"].get("why") == "children exceed parent" for r in doc["rows"])
    if detached and most <= 0:
        lie(f"detached, and the most by which a call is exceeded is {float(most)} ns")
    if not detached and most > 0:
        lie(f"nothing is detached, and a call is exceeded by {float(most)} ns")
    if not said:
        if detached:
            lie(f"detached without a word by how much: {text}")
        return SILENT
    digits = len(said[1].partition(".")[2])
    scale = {"ns": 1, "µs": 1000, "ms": 10**6, "s": 10**9}[said[2]]
    if abs(Fraction(said[1]) * scale - most) > Fraction(scale, 10**digits) / 2:
        lie(f"{said[0]}, and it is {float(most)} ns")
    return TRUE


# ---- start of events ----

@claim("start-by", power=0.5)
def start_by(lab, rng):
    """Checks an event's start for each method that etcore may name. `readings`: a valid pair of clock readings gives it.
    `parent`: there is no valid pair, so the call's first event starts with the call and the others keep their distance from
    it. `clock`: as logged."""
    length = rng.choice((1, 2, 10, 25))
    zero, device_zero = 10**6 + rng.randint(0, 10**6), rng.randint(10**6, 10**7)
    calls = rng.randint(1, 3)
    fault = [rng.choice(("", "", "", "late", "early", "backwards", "none")) for _ in range(calls)]
    counts = [rng.randint(1, 4) for _ in range(calls)]
    runs, truth, first = [], {}, {}
    count, seed = rng.choice((1, 2, 3, 5)), rng.random()
    for run in range(count):
        if count > 2:  # equal runs are all typical
            rng.seed(seed)
        now = begin = zero + run * 10**7
        events = []
        for c in range(calls):
            now += rng.randint(100, 5000)
            start, at = now, now + rng.randint(0, 3000)
            for k in range(counts[c]):
                at += -(at - zero) % length + rng.randint(0, 9) * length
                ticks = rng.randint(1, 500)
                tick = device_zero + (at - zero) // length
                host, device = zero, device_zero
                if fault[c] == "late":
                    host += 10**9
                if fault[c] == "early":
                    host = 1
                if fault[c] == "backwards" and k:
                    host, device = zero - 10**5, device_zero + 10**5
                sync = "" if fault[c] == "none" else f" sync={device}/{host}"
                events.append(("", f"e{c}{k} unit=ticks ns={length}{sync}", b"", c, tick, tick + ticks))
                truth.setdefault((c, k), []).append((at - begin, at - start))
                at += ticks * length
            now = at + rng.randint(0, 3000)
            events.append(("DELEGATE_CALL", None, b"", c, start, now))
            first.setdefault(c, []).append(start - begin)
        now += rng.randint(1, 900)
        events.append(("Method::execute", None, b"", -1, begin, now))
        runs.append(events)
    spoke = False
    for e in timed(lab, runs, "--events", "--stat", "mean")["events"]:
        m = re.match(r"e(\d)(\d) ", e["delegate"] or "")
        if not m:
            continue
        c, k = int(m[1]), int(m[2])
        good = fault[c] == "" or (fault[c] == "backwards" and counts[c] == 1)
        by, what = e.get("start_by"), f"event {e['delegate']} of faults {fault}"
        if by == "readings":
            if not good:
                lie(f"{what} is placed by readings")
            want = statistics.median(t for t, _ in truth[c, k])
        elif by == "parent":
            if good:
                lie(f"{what} is not placed by its readings, which can be")
            after = [x[1] - y[1] for x, y in zip(truth[c, k], truth[c, 0])]
            want = statistics.median(f + a for f, a in zip(first[c], after))
        elif by is None and set(fault) == {"none"}:
            continue  # nothing asked for a start time
        else:
            lie(f"{what} has no start, but {by}")
        if abs(e["start_ns"] - want) > 1:
            lie(f"{what} starts at {e['start_ns']} by {by}, and {want} is the case")
        spoke = True
    return TRUE if spoke else SILENT


# ---- values of a row's columns ----

def durations(dump):
    """Returns {id of each delegate event, in file order: its duration summed over all runs but the first}."""
    out = {}
    for run in dump.executes[1:]:
        for e in run.events:
            if e.delegate_text:
                out[e.delegate_text] = out.get(e.delegate_text, 0) + e.duration
    return out


@claim("rolled-up", power=0.5)
def rolled_up(lab, rng):
    """Each roll-up of generated values must equal its definition, computed with exact fractions over the kept runs."""
    dump = Dump(rolls.DUMP)
    for run in dump.executes[1:]:
        for e in run.events:
            if e.delegate_text:
                e.end = e.start + (0 if rng.random() < 0.1 else rng.randint(1, e.duration + 2))
    path = dump.save(lab.path("run.etdump"))
    ids = durations(dump)
    values = rolls.make_values(rng, ids)
    said = "".join(f"values{k + 1} = {';'.join([f'{i} {v}' for i, v in values.items()][3 * k:3 * k + 3])}\n" for k in range(4))
    with open(lab.path("t.ini"), "w", encoding="utf-8") as f:
        f.write(f"[plugin.coreml]\nenabled = no\n[plugin.rolls]\n{said}")
    by = rng.choice(("backend", "delegate", "method"))
    r = lab.etcore("analyze", path, "-c", lab.path("t.ini"), "--plugin", plugin(lab, "host", "rolls", "rolls.so"), "--stat", "mean",
                   "--warmup", "1", "-r", os.path.join(os.path.dirname(rolls.DUMP), "model.etrecord"), "--by", by, "-o", "json", *(["--isolate"] if rng.random() < 0.1 else []))
    if r.status:
        raise Skip
    rows = [row["columns"] for row in r.json()["rows"] if any(n in row["columns"] for n in rolls.NAMES)]
    if not rows and all(v == "null" for v in values.values()):
        return SILENT
    if len(rows) != 1:
        lie(f"--by {by}: {len(rows)} rows have columns")
    wrong = rolls.judge(rows[0], None, values, ids, f"--by {by}, {values}")
    if wrong:
        lie("; ".join(wrong))
    return TRUE


# ---- the grade of a plugin -------------------------------------------------------------------

# {place in the plugin's source below: [(faulty line, highest grade that a plugin with it may get)]}
NONE, BASIC = "none", "basic"
FAULTS = {
    "parse": [("if ({when}) return ETCORE_FAILED;", NONE),
              ("if ({when}) *(volatile int *)0 = 1;", NONE), ("if ({when}) exit(0);", NONE), ("if ({when}) abort();", NONE),
              ("if ({when}) for (volatile int i = 0;;) (void)i;", NONE), ("if ({when}) return 7;", NONE),
              ("if ({when}) return -9;", NONE), ("if ({when}) return out->str(out->handle, T(\"size\"), T(\"x\"));", NONE),
              ("if ({when}) return out->i64(out->handle, T(\"other\"), 1);", NONE),
              ("if ({when}) return out->f64(out->handle, T(\"number\"), 0.0 / zero);", NONE),
              ("if ({when}) {{ puts(\"hello\"); fflush(stdout); }}", NONE), ("if ({when}) fputs(\"hello\", stderr);", NONE),
              ("if ({when}) {{ out->i64(out->handle, T(\"size\"), 1); return 0; }}", BASIC),
              ("if ({when}) setenv(\"ACME\", \"1\", 1);", BASIC), ("static int count; out->i64(out->handle, T(\"size\"), ++count);", BASIC),
              ("if ({when}) setlocale(LC_ALL, \"C.UTF-8\");", BASIC), ("if ({when}) open(\"/dev/null\", 0);", BASIC)],
    "name": [("if ({when}) *(volatile int *)0 = 1;", NONE), ("if ({when}) return 3;", NONE), ("if ({when}) exit(3);", NONE),
             ("if ({when}) {{ out->put(out->handle, ETCORE_NAME_DISPLAY, T(\"x\")); return 0; }}", BASIC),
             ("if ({when}) return out->put(out->handle, ETCORE_CLASS_CATEGORY, T(\"gemm\"));", BASIC),
             ("if ({when}) return out->put(out->handle, ETCORE_NAME_DISPLAY, T(\"\\xff\\xfe\"));", BASIC),
             ("if ({when}) return out->put_number(out->handle, ETCORE_NAME_ORDINAL, 0);", BASIC),
             ("static volatile uintptr_t last; char b[32]; snprintf(b, sizeof b, \"%d\", (int)(last++ % 100)); "
              "return out->put(out->handle, ETCORE_NAME_DISPLAY, (struct etcore_text){{ b, strlen(b) }});", BASIC)],
    "time": [("times[0]->unit = 99;", BASIC), ("times[0]->parent = (int32_t)call->count;", BASIC), ("times[0]->ns_per_unit = -1;", BASIC),
             ("times[0]->size++;", BASIC), ("((char *)times[0])[times[0]->size - 1] = 1;", BASIC), ("return 99;", NONE),
             ("times[0]->duration = ETCORE_DURATION_CONCURRENT;", BASIC), ("times[0]->sync_device = 1;", BASIC),
             ("((struct etcore_time **)(uintptr_t)times)[call->count] = times[0];", NONE)],
    "probe": [("return 101;", NONE), ("return -5;", NONE), ("return 100;", BASIC)],
    "open": [("lost = malloc(4000);", BASIC), ("return ETCORE_FAILED;", NONE), ("raise(SIGSEGV);", NONE)],
    "extension": [("return \"something\";", NONE)],
}
# Changes that do no harm: the plugin must get the grade of a correct one.
HARMLESS = {"parse": ["if ({when}) return ETCORE_DECLINE;", "if ({when}) return ETCORE_CORRUPT;",
                      "if ({when}) return out->null(out->handle, T(\"size\"));"],
            "name": ["if ({when}) return ETCORE_DECLINE;", "if ({when}) return out->put(out->handle, 4711, T(\"later\"));"],
            "time": ["times[0]->unit = ETCORE_UNIT_NS;", "return ETCORE_DECLINE;"], "probe": ["return 0;"],
            "open": ["if (host->abi_minor > 90) return ETCORE_FAILED;"], "extension": ["if (!id) return 0;"]}
# C conditions that are true for some of the events that backends log.
WHEN = ["1", "index == 0", "call->events[index]->delegate_name.len > 5", "call->count > 1", "call->events[index]->metadata",
        "call->events[index]->samples == 1"]
SOURCE = """
#define _GNU_SOURCE
#include <etcore/plugin.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define T(s) ((struct etcore_text){ (s), sizeof(s) - 1 })
static volatile double zero;
static void *volatile lost;
static etcore_result open_instance(const struct etcore_host *host, const struct etcore_setting *const *s, uint32_t n, void **self)
{
	@open@
	*self = malloc(1);
	return *self ? ETCORE_OK : ETCORE_NOMEM;
}
static void close_instance(void *self)
{
	free(self);
}
static int32_t probe(void *self, const struct etcore_call *call)
{
	@probe@
	return call->count && call->events[0]->delegate_name.len > 3 ? 10 : 0;
}
static etcore_result parse(void *self, const struct etcore_call *call, uint32_t index, const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];
	uint64_t n = 0;
	etcore_result r;
	@parse@
	for (uint64_t i = 0; e->metadata && i < e->samples; i++)
		n += e->metadata[i].len;
	r = out->i64(out->handle, T("size"), (int64_t)n);
	return r ? r : out->f64(out->handle, T("number"), (double)n / 2);
}
static etcore_result describe(void *self, const struct etcore_call *call, struct etcore_time *const *times)
{
	if (call->count == 0)
		return ETCORE_DECLINE;
	@time@
	for (uint32_t i = 0; i < call->count; i++)
		times[i]->kind = ETCORE_KIND_OP;
	return ETCORE_OK;
}
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index, const struct etcore_text_sink *out)
{
	@name@
	return out->put(out->handle, ETCORE_NAME_DISPLAY, T("an operator"));
}
static const void *extension(const char *id)
{
	@extension@
	return NULL;
}
static const struct etcore_column
	size = ETCORE_COLUMN(ETCORE_TYPE_I64, "size", "bytes", "of its metadata", ETCORE_ROLLUP_SUM),
	number = ETCORE_COLUMN(ETCORE_TYPE_F64, "number", "count", "half of it", ETCORE_ROLLUP_SUM);
static const struct etcore_column *const columns[] = { &size, &number, NULL };
static const char *const backends[] = { "GradedBackend", NULL };
ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin), .abi_major = ETCORE_PLUGIN_ABI_MAJOR, .abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER, .sees = ETCORE_SEES_DELEGATE, .name = "graded", .version = "1.0", .vendor = "tests",
	.description = "is graded", .backends = backends, .columns = columns, .open = open_instance, .close = close_instance,
	.probe = probe, .parse_metadata = parse, .describe_time = describe, .name_event = name_event, .get_extension = extension,
};
"""
ORDER = [NONE, BASIC, "strict"]


@claim("plugin-grade", power=0.2)
def plugin_grade(lab, rng):
    """A plugin with a fault must not get the grade of a correct plugin; a plugin that only declines must get it."""
    where = rng.choice(["parse", "parse", "name", "name", "time", "time", "probe", "open", "extension"])
    level = "strict" if rng.random() < 0.5 else BASIC
    if rng.random() < 0.35:
        fault, most = rng.choice(HARMLESS[where]), "strict"
    else:
        fault, most = rng.choice(FAULTS[where])
    line = fault.format(when=rng.choice(WHEN)) if "{when}" in fault or "{{" in fault else fault
    source = re.sub(r"@(\w+)@", lambda m: line if m[1] == where else "", SOURCE)
    with open(lab.path("graded.c"), "w", encoding="utf-8") as f:
        f.write(source)
    built = subprocess.run(["cc", "-std=gnu11", "-O1", "-w", "-shared", "-fPIC", "-fvisibility=hidden", "-I",
                            os.path.join(ROOT, "sdk", "include"), "graded.c", "-o", "graded.so"], cwd=lab.tmp,
                           capture_output=True, text=True, check=False)
    if built.returncode:
        lie(f"it does not build: {built.stderr}")
    limit = "2" if "for (volatile" in line else "20"
    r = lab.etcore("plugins", "check", lab.path("graded.so"), "--level", level, "--limit", limit, "-o", "json")
    grade = json.loads(r.out)["grade"]
    wanted = min(most, level, key=ORDER.index)
    if ORDER.index(grade) > ORDER.index(wanted):
        lie(f"grade {grade} with the fault {line} in {where}, which leaves {wanted}")
    if grade != wanted and most == "strict":
        lie(f"grade {grade} for nothing but {line} in {where}: {r.out}")
    return TRUE if grade != NONE else SILENT

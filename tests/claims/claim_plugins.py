"""Claims about a plugin that was loaded but not asked about events (N0625): nothing in the answer comes from it, and the
stated reason is true."""
import os
import re
import shutil

from etdump import Dump
from lab import DATA, SILENT, TRUE, Skip, claim, lie

# {recording: (backend that made it, plugin that knows the backend)}; None: there is none.
CASES = {
    "backends/cases/coreml_basic": ("CoreMLBackend", "coreml"), "backends/cases/coreml_partial": ("CoreMLBackend", "coreml"),
    "backends/cases/demo_int_ids": ("DemoIntBackend", None), "backends/cases/ethosu_cycles": ("EthosUBackend", "ethosu"),
    "backends/cases/metadata_columns": (None, None), "backends/cases/neutron_int": ("NeutronBackend", "nxp"),
    "backends/cases/qnn_htp_detailed": ("QnnBackend", "qnn"), "backends/cases/vgf_statistics": ("VgfBackend", "vgf"),
    "backends/cases/vulkan_two_parts": ("VulkanBackend", "vulkan"), "cases/mlp_xnnpack": ("XnnpackBackend", "xnnpack"),
    "cases/conv_net_xnnpack": ("XnnpackBackend", "xnnpack"), "cases/linear_int8_dynamic": ("XnnpackBackend", "xnnpack"),
}
LISTS = {plugin: backend for backend, plugin in CASES.values() if plugin}  # the backend that each plugin lists
ANNOTATORS = {"kleidiai": "XnnpackBackend"}
FIT = [f"backends/cases/{name}" for name in ("coreml_basic", "neutron_int", "qnn_htp_detailed")]
SAID = re.compile(r"plugin '(\w+)': (.*)")


def situate(lab, rng):
    """Puts files into the trial's folder. Returns (recording, model whose record is next to the dump or None, rules of the
    configuration)."""
    case = rng.choice(sorted(CASES))
    try:
        dump = Dump(os.path.join(DATA, case, "run.etdump"))
        for run in dump.executes if rng.random() < 0.3 else ():
            run.stretch(rng.choice((0.5, 3)))
    except ValueError:
        raise Skip from None
    dump.save(lab.path("run.etdump"))
    of = case if rng.random() < 0.7 else rng.choice(sorted(CASES))
    record = os.path.join(DATA, of, "model.etrecord")
    if rng.random() < 0.5 and os.path.exists(record):
        shutil.copy(record, lab.path("model.etrecord"))
    else:
        of = None
    rules = {}
    if rng.random() < 0.4:
        backend = CASES[case][0] if rng.random() < 0.7 else rng.choice(sorted(LISTS.values()))
        key = rng.choice(("owner", "owner", "probe"))
        rules[backend or "OwnBackend"] = (key, "." if key == "probe" else rng.choice(["none", *sorted(LISTS)]))
    return case, of, rules


def configure(lab, rules, on):
    """Writes an INI file with `rules` that enables only the plugins in `on`; returns the option for it."""
    with open(lab.path("t.ini"), "w", encoding="utf-8") as f:
        f.writelines(f"[plugin.{p}]\nenabled = no\n" for p in [*LISTS, *ANNOTATORS] if p not in on)
        for backend, (key, value) in rules.items():
            f.write(f"[backend.{backend}]\n{key} = {value}\n")
    return "-c", lab.path("t.ini")


def answer(lab, *arguments):
    """Returns ({plugin that was not asked: stated reason}, rows). Raises Skip if the command fails."""
    r = lab.etcore("analyze", lab.path("run.etdump"), "-o", "json", *arguments)
    if r.status:
        raise Skip
    doc = r.json()
    said = (SAID.search(n["text"]) for n in doc["notes"] if n["code"] == "N0625")
    return {m[1]: m[2] for m in said if m}, doc["rows"]


def is_false(reason, plugin, situation, loaded):
    """Returns why the stated reason is false; None if it is true."""
    case, of, rules = situation
    truth, knows = CASES[case]
    listed = LISTS.get(plugin)
    unnamed = reason.startswith("nothing names the backend")
    named = CASES[of][0] if of else None  # if the record is another model's, the reason reports the backend that this record names
    if m := re.fullmatch(r"the events are said to be of (\w+), which it does not list", reason):
        return None if m[1] in (truth, named) and m[1] != listed else f"nobody names {m[1]}"
    if m := re.fullmatch(r"\[backend\.(\w+)\] owner = (\w+)(, which is not loaded)?", reason):
        if m[2] != "none" and bool(m[3]) == (m[2] in loaded):
            return f"{m[2]} is {'loaded' if m[3] else 'not loaded'}"
        return None if rules.get(m[1]) == ("owner", m[2]) and m[2] != plugin else "no such rule"
    if m := re.fullmatch(r"\[backend\.(\w+)\] probe = names the backend, which it does not list", reason):
        return None if rules.get(m[1], ("",))[0] == "probe" and m[1] != listed else "no such rule"
    # Rules apply only to delegates' events; Ethos-U's events are none.
    if unnamed and "probe" in [key for key, _ in rules.values()] and knows != "ethosu":
        return "a rule names it"
    if unnamed and of == case:
        return "the record names it"
    if m := re.fullmatch(r"nothing names the backend, and '(\w+)' is surer that it owns the events", reason):
        return None if m[1] in loaded and m[1] != plugin and knows != plugin else f"{knows} knows them"
    if reason == "nothing names the backend, and its probe does not know the events":
        return f"it knows {truth}" if plugin == knows else None
    if reason == "nothing names the backend, and it has no probe hook":
        return "each of them has one"
    if reason == "no plugin explains events of a backend that it lists":
        listed = ANNOTATORS.get(plugin)
        asked = truth == listed and knows in loaded and not rules
        return "that is for owners" if not listed else f"{knows} explains them" if asked else None
    if reason == "there are no events of a kind that it sees":
        return "there are delegate events" if plugin != "ethosu" else None
    return "no reason that this test knows"


@claim("not-asked", power=0.3)
def not_asked(lab, rng):
    """A plugin that was not asked must not contribute anything: the answer without it is the same, and the stated reason is
    true."""
    situation = situate(lab, rng)
    case, of, rules = situation
    plugin = CASES[case][1] if rng.random() < 0.3 else None
    plugin = plugin or rng.choice([*sorted(LISTS), *ANNOTATORS])
    others = sorted(rng.sample(sorted(LISTS), rng.choice((0, 3, len(LISTS)))))
    said, rows = answer(lab, *configure(lab, rules, {*others, plugin}), "--plugin", plugin)
    if plugin not in said:
        return SILENT
    what = f"{case}, record of {of}, {rules}, plugins {others}: {plugin}: {said[plugin]}"
    wrong = is_false(said[plugin], plugin, situation, {*others, plugin})
    if wrong:
        lie(f"{what}, but {wrong}")
    _, without = answer(lab, *configure(lab, rules, {*others} - {plugin}))
    if rows != without:
        lie(f"{what}, but the rows are others without it")
    return TRUE


@claim("events-of-another")
def events_of_another(lab, rng):
    """W0636 must be printed only if the record is another model's. It must name the plugin that knows the events, and the
    rows must be right."""
    case, of, rules = situate(lab, rng)
    if rng.random() < 0.8:  # the record of any model, or of one whose only delegate also fits other dumps
        of = rng.choice([c for c in sorted(CASES) if os.path.exists(os.path.join(DATA, c, "model.etrecord"))])
        if rng.random() < 0.7:
            case, of = rng.choice([*FIT, "backends/cases/vgf_statistics", "backends/cases/vulkan_two_parts"]), rng.choice(FIT)
            shutil.copy(os.path.join(DATA, case, "run.etdump"), lab.path("run.etdump"))
        shutil.copy(os.path.join(DATA, of, "model.etrecord"), lab.path("model.etrecord"))
        rules = rules if rng.random() < 0.3 else {}
    truth, knows = CASES[case]
    named = CASES[of][0] if of else None
    on = {p for p in LISTS if rng.random() < 0.8} | ({knows} if knows and rng.random() < 0.9 else set())
    r = lab.etcore("analyze", lab.path("run.etdump"), "-o", "json", *configure(lab, rules, on))
    if r.status:
        raise Skip
    doc = r.json()
    backends = {row["backend"] for row in doc["rows"] if row["backend"]}
    what = f"{case}, record of {of}, {rules}, plugins {sorted(on)}: rows of {sorted(backends)}"
    for n in [n for n in doc["notes"] if n["code"] == "W0636"]:
        m = re.search(r"said to be of (\w+), but plugin '(\w+)' knows its events", n["text"])
        if m[1] == truth or m[1] != named or m[2] != knows:
            lie(f"{what}: {n['text']}")
        if named in backends:
            lie(f"{what}: all the same, after {n['text']}")
        return TRUE
    # The record is misleading here: the plugins of both backends are enabled, so W0636 was required.
    both = knows in on and LISTS.get(CASES[of][1] if of else None) == named and CASES[of][1] in on if of else False
    if both and not rules and truth != named and named in backends and knows != "ethosu" and CASES[of][1] != "ethosu":
        lie(f"{what}, and nothing is said of the record")
    return SILENT

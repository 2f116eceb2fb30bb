"""verdicts.py --etcore PROGRAM --folder BUILD [--sanitized]

Each defective plugin must fail the check for its defect, and pass a few unrelated
checks; the correct plugins must pass all."""
import argparse
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, "tests")
from share import SHARE, share  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

# (plugin, check that must fail, part of the check's report)
BAD = [
    ("check/crash", "ordinary", "SIGSEGV in name_event given"),
    ("check/unasked", "ordinary", "SIGSEGV in name_event given"),
    ("check/exit", "ordinary", "it ended the program with status 0 in name_event given"),
    ("check/overread", "ordinary", "SIGSEGV in name_event given"),
    ("check/writes_input", "ordinary", "SIGSEGV in name_event given"),
    ("check/result", "ordinary", "probe given"),
    ("check/result_of_hook", "ordinary", "it returned 42"),
    ("check/hang", "metadata", "did not come to an end within 1 s: parse_metadata given"),
    ("check/own_name", "ordinary", "SIGABRT in parse_metadata given made-up event 'bad"),
    ("check/own_text", "ordinary", "SIGABRT in parse_metadata given made-up event 'hexagon/"),
    ("check/fails", "ordinary", "it returned ETCORE_FAILED"),
    ("check/undeclared", "columns", "undeclared column 'surprise'"),
    ("check/own_column", "columns", "the column 'samples' has the name of a column of etcore"),
    ("check/alike_column", "declarations", "column 'Self NS' is spelled like etcore's own 'self_ns'"),
    ("check/comma_column", "declarations", "--columns cannot name column 'read,written'"),
    ("check/type", "columns", "another type than declared in column 'size'"),
    ("check/nan", "columns", "nan in column 'number'"),
    ("check/infinite", "columns", "inf in column 'number'"),
    ("check/rate", "answers", "ns_per_unit that is neither 0 nor from 1e-6 to 1e12"),
    ("check/parallel", "older", "an unknown code in etcore_time"),
    ("check/readings", "older", "SIGSEGV in describe_time given"),
    ("check/unique_own", "symbols", "it exports 1 more: _ZN6sharedIiE5valueE"),
    ("check/stress", "stress", "SIGABRT in parse_metadata given call "),
    ("check/options", "options", "SIGABRT in open"),
    ("check/extension", "extension", "is not NULL"),
    ("check/prints", "quiet", "to descriptor 1: 'naming an event'"),
    ("check/prints_errors", "quiet", "to descriptor 2: 'oops'"),
    ("check/symbols", "symbols", "helper_of_bad"),
    ("check/linkage", "linkage", "libz.so"),
    ("check/declarations", "declarations", "option 'label' has no help"),
    ("check/endless", "load", "does NULL end the list of backends?"),
    ("check/lucky_end", "declarations", "no NULL ends its list of backends"),
    ("check/no_backends", "declarations", "is not asked where a record or program names the backend"),
    ("check/answers", "answers", "not UTF-8"),
    ("check/sinks", "sinks", "after a refusal"),
    ("check/sizes", "sizes", "behind the struct"),
    ("check/repeat", "repeat", "the second time it said"),
    ("check/order", "order", "in reverse order it said"),
    ("check/instances", "instances", "one of two instances said"),
    ("check/threads", "threads", "on a thread it said"),
    ("check/globals", "globals", "changed in a hook"),
    ("check/convert_wraps", "convert_time", "4294967296 became 0"),
    ("check/convert_nan", "convert_time", "became inf"),
    ("check/environment", "environment", "variables changed"),
    ("check/descriptor", "environment", "more descriptors are open"),
    ("check/signal", "environment", "handler of"),
    ("check/loading", "environment", "variables changed"),
    ("check/blocked", "environment", "is blocked changed"),
    ("check/arithmetic", "environment", "arithmetic of floating-point numbers"),
    ("check/timer", "environment", "a timer of the process was set"),
    ("check/limit", "environment", "limits of the process changed"),
    ("check/thread_locale", "environment", "locale of the thread"),
    ("check/isolation", "isolation", "it asked for a file, which an isolated plugin may not have: name_event given"),
    ("check/addresses", "repeat", "in another process it said 'parse_metadata 4 i64 size"),
    ("check/home", "repeat", "in another process it said 'parse_metadata 4 i64 size  0', before 'parse_metadata 4 i64 size  1'"),
    ("check/scratch", "globals", "changed in a hook"),
    ("check/probe", "probe", "50 or more for every call"),
    ("check/long_option", "options", "SIGABRT in open"),
    ("check/refused_growth", "hook_growth", "rounds of every hook given an ordinary call left"),
    ("check/growth", "growth", "open and close left"),
    ("check/hook_growth", "hook_growth", "left"),
    ("check/speed", "speed", "name_event"),
    ("check/speed_waits", "speed", "name_event took 1"),
    ("check/locale", "locale", "differ in locale de_DE"),
    ("check/parity_order", "parity", "its column 1 is 'number', Python's 'size'"),
    ("check/parity_kind", "parity", "column 'number' is 2, Python said 2.0 (2 of 5 events differ)"),
    ("check/parity_missing", "parity", "it answered 1 values, Python 2 (1 of 5 events differ)"),
    ("check/parity_raises", "parity", "it did not return ETCORE_CORRUPT, but Python raised (1 of 5 events differ)"),
    ("check/parity_times", "parity", "convert_time: end 5 of run 2 is 4.9999999999999996e-06, Python said 5e-06"),
    ("host/throws", "exceptions", "cannot say"),
    ("host/crashes", "ordinary", "SIGSEGV in"),
    # It misbehaves for events with certain names, which are texts of its library.
    ("host/good", "answers", "unknown code in etcore_time"),
    ("host/wrong_abi", "load", "E0604"),
    ("host/later_abi", "load", "E0604"),
    ("host/too_small", "load", "too small"),
    ("host/smaller", "load", "too small"),
    ("host/no_symbol", "load", "E0603"),
    ("host/undefined", "load", "E0606"),
    ("host/bad_column", "load", "unknown roll-up"),
    ("host/early/early", "load", "E0609"),
]
GOOD = ["tests/plugins/check/nothing"] if SHARE > 1 else ["tests/plugins/check/unique", "tests/plugins/check/nothing"]
# Quick unrelated checks, which each defective plugin must pass.
BESIDE = ["symbols", "linkage", "columns", "quiet"]
# {plugin: these checks that its defect breaks as well}
SEVERAL = {
    "check/crash": {"ordinary", "columns", "quiet"},
    "check/exit": {"ordinary", "columns", "quiet"},
    "check/unasked": {"ordinary", "columns", "quiet"},
    "check/overread": {"ordinary", "columns", "quiet"},
    "check/own_name": {"ordinary", "columns", "quiet"},
    "check/own_text": {"ordinary", "columns", "quiet"},
    "check/hang": {"metadata", "columns", "quiet"},
    "check/locale": {"locale", "columns"},  # strtod() returns inf for 1e999
    "host/crashes": {"ordinary", "columns", "quiet"},
    "host/later_abi": {"load", "symbols"},
    "host/no_symbol": {"load", "symbols"},
}


def run(args, **more):
    env = dict(os.environ, **more)
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, timeout=300)


def verdicts(tap):
    """Returns {check: (verdict, message)} of a TAP report."""
    out, last = {}, None
    lines = tap.splitlines()
    assert lines[0] == "TAP version 13", lines[:1]
    for line in lines[2:]:
        if line.startswith(("ok ", "not ok ")):
            head, _, rest = line.partition(" - ")
            last, _, skip = rest.partition(" # SKIP ")
            out[last] = ("failed" if head.startswith("not") else "skipped" if skip else "ok", skip)
        elif line.strip().startswith("message: "):
            out[last] = (out[last][0], line.strip()[9:])
    assert lines[1] == "1..%d" % len(out), lines[1]
    return out


def record(folder):
    """Records the answers of callables.py in a file of `folder`; returns its path."""
    here = os.path.dirname(os.path.abspath(__file__))
    inputs, out = os.path.join(folder, "inputs.json"), os.path.join(folder, "parity.json")
    blobs = [["{}ab"], ["abc"], ["raise"], ["", {"hex": "ff00"}]]
    events = [{"id": "event", "metadata": m} for m in blobs]
    events.append({"id": 7, "start": [0, 3], "end": [1000, 5]})
    with open(inputs, "w", encoding="utf-8") as f:
        json.dump({"format": "etcore-parity/1", "events": events}, f)
    subprocess.run([sys.executable, "sdk/python/record_parity.py", "--parser", here + "/callables.py:parse",
                    "--converter", here + "/callables.py:convert", "-o", out, inputs], check=True)
    return out


def grades(args, folder, recording, expect):
    """The grade must match the passed checks and name the plugin file's hash; the JSON must follow its schema."""
    with open("docs/plugins-check.schema.json", encoding="utf-8") as f:
        schema = json.load(f)
    strict, both = ["--level", "strict"], ["--level", "stress", "--expected", recording]
    cases = [("check/nothing", [], "basic", ""), ("check/nothing", strict, "strict", ""),
             ("check/nothing", ["--level", "stress"], "stress", " without parity"), ("check/nothing", ["symbols"], None, ""),
             ("check/declarations", strict, "basic", ""), ("check/undeclared", [], "none", ""),
             ("check/stress", ["--level", "stress"], "strict", ""), ("check/parity_kind", both, "strict", ""),
             ("host/wrong_abi", [], "none", "")]
    if os.path.exists(os.path.join(folder, "check/asan_heap.so")):
        cases += [("check/asan_nothing", ["--level", "stress"], "stress", " without parity"), ("check/asan_heap", [], "none", "")]
        said = run([args.etcore, "plugins", "check", os.path.join(folder, "check/asan_heap.so"), "ordinary"]).stdout
        expect(b"heap-buffer-overflow" in said, "asan_heap: %s" % said)
    if os.path.exists(os.path.join(folder, "check/cov_nothing.so")):
        cases += [("check/cov_nothing", strict, "strict", "")]
        checks = {c["name"]: c for c in json.loads(run([args.etcore, "plugins", "check", os.path.join(folder, "check/cov_symbols.so"), "symbols", "globals",
                                                        "isolation", "-o", "json"]).stdout)["checks"]}
        expect("it exports 1 more: helper_of_bad" in (checks["symbols"]["text"] or ""), "cov_symbols: %s" % checks)
        expect(all(checks[n]["verdict"] == "skipped" and "coverage" in checks[n]["text"] for n in ("globals", "isolation")), "cov_symbols: %s" % checks)
    for plugin, words, grade, more in share(cases):
        path = os.path.join(folder, plugin + ".so")
        command = [args.etcore, "plugins", "check", path, "--limit", "60", *words]
        answer = json.loads(run([*command, "-o", "json"]).stdout)
        expect(answer["grade"] == grade, "%s %s: grade %s" % (plugin, words, answer["grade"]))
        with open(path, "rb") as f:
            sum_of_file = hashlib.sha256(f.read()).hexdigest()
        expect(answer["sha256"] == sum_of_file, "%s: another SHA-256" % plugin)
        failed = sum(one["verdict"] == "failed" for one in answer["checks"])
        expect(answer["failed"] == failed and answer["ok"] + failed + answer["skipped"] == len(answer["checks"]),
               "%s: other counts" % plugin)
        if jsonschema:
            jsonschema.validate(answer, schema)
        if grade == "strict":
            continue  # this grade is reported in the same way as `basic`
        last = run(command).stdout.decode().splitlines()[-1]
        expect(last.startswith("grade: %s%s of " % (grade, more)) and last.endswith(sum_of_file) if grade else "(level " in last,
               "%s %s: %s" % (plugin, words, last))


def samples(args, folder, scratch, expect):
    """The grade and the line of `ordinary` must say which events were tried: those of a sample count only if the plugin
    knows them. A plugin that fails for them does not pass."""
    calls = "0 11000 12000 [qq:conv]=6162\n0 12000 13000 [qq:relu]=616263\n0 10000 70000 DELEGATE_CALL\n- 0 80000 Method::execute\n"
    sample = os.path.join(scratch, "own.etdump")
    subprocess.run([sys.executable, "tests/tools/make_calls.py", sample], input=calls.encode(), check=True)
    for plugin, words, grade, tried, line in share([
            ("nothing", [], "basic", ", on made-up events only", "made-up events; none that BadBackend logged (no --sample)"),
            ("nothing", ["--sample", sample], "basic", ", on 2 events of a sample", "it answered for 2 of the 2 events of the sample"),
            ("gives_up", [], "basic", ", on made-up events only", "none that BadBackend logged"),
            ("gives_up", ["--sample", sample], "none", "", "it returned ETCORE_FAILED"),
            ("corrupts", ["--sample", sample], "none", "", "it returned ETCORE_CORRUPT")], 1):
        said = run([args.etcore, "plugins", "check", os.path.join(folder, "check", plugin + ".so"), *words]).stdout.decode()
        ordinary = [one for one in said.splitlines() if one.split()[1:2] == ["ordinary"]][0]
        expect(said.splitlines()[-1].startswith("grade: %s of bad 1.0 (ABI 1.1)%s, by etcore" % (grade, tried)) or grade == "none" and
               said.splitlines()[-1].startswith("grade: none of bad 1.0 (ABI 1.1)"), "%s %s: %s" % (plugin, words, said))
        expect(line in ordinary, "%s %s: %s" % (plugin, words, ordinary))


def proposals(args, folder, expect):
    """etcore must propose every agreed name for a plugin's columns that have another name; a column without agreed name
    must get no proposal."""
    with open("core/model/agreed_columns.def", encoding="utf-8") as f:
        names = re.findall(r'^X\("(\w+)"', f.read(), re.M)
    wanted = ", ".join([f"'{name}' for 'bad_{name}'" for name in names] +
                       ["unit 'uJ' for 'energy'", "type 'i64' for 'tile'", "roll-up 'time_mean' for 'utilization'"])
    ours = sorted(glob.glob(os.path.join(args.folder, "plugins/*.so")))
    expect(len(ours) > 5, "no plugins of our own: %s" % ours)
    ours = share(ours)
    tests = [os.path.join(folder, name + ".so") for name in ("check/names", "check/nothing")]
    for plugin, said in [(tests[0], "docs/columns.md has " + wanted), (tests[1], ""), *((path, "") for path in ours)]:
        command = [args.etcore, "plugins", "check", plugin, "declarations", "-o", "json"]
        text = json.loads(run(command).stdout)["checks"][-1]["text"] or ""
        expect(text == said, "%s: says %s" % (plugin, text))
    # Remarks on event names are proposals, not failures.
    wanted = {"a control character in the name 'an event\\nof two lines'", "docs/columns.md has category 'convolution' for 'Convolutoin'",
              "docs/columns.md has category 'data movement' for 'Data_Movement'", "docs/columns.md has no category 'magic'"}
    for plugin, said in [(os.path.join(folder, "check/words.so"), wanted), (tests[1], set()), *((path, set()) for path in ours)]:
        command = [args.etcore, "plugins", "check", plugin, "answers", "-o", "json"]
        check = json.loads(run(command).stdout)["checks"][-1]
        expect(check["verdict"] == "ok" and set((check["text"] or "").split(", ")) - {""} == said, "%s: says %s" % (plugin, check))
    # Proposals that do not fit on the line are counted.
    command = [args.etcore, "plugins", "check", os.path.join(folder, "check/many_names.so"), "declarations", "-o", "json"]
    text = json.loads(run(command).stdout)["checks"][-1]["text"]
    left = re.search(r"' and (\d+) more$", text)
    expect(left and text.count("' for '") + int(left[1]) == 3 * len(names) + 3, "many names: says %s" % text)


def stripped(args, folder, scratch, expect):
    """In a stripped plugin the sizes of lists are unknown, so the check of their ends is skipped, and the report
    must say so."""
    plugin = os.path.join(scratch, "stripped.so")
    run(["strip", "-o", plugin, os.path.join(folder, "check/lucky_end.so")])
    checks = json.loads(run([args.etcore, "plugins", "check", plugin, "declarations", "-o", "json"]).stdout)["checks"]
    expect((checks[-1]["verdict"], checks[-1]["text"]) == ("ok", "it is stripped: whether NULL ends its lists is not checked"),
           "a stripped plugin: says %s" % checks[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--sanitized", action="store_true")
    args = parser.parse_args()
    folder, locales = (os.path.join(args.folder, "tests", name) for name in ("plugins", "locales"))
    bad = []

    def expect(condition, what):
        if not condition:
            bad.append(what)

    with tempfile.TemporaryDirectory() as scratch:
        run(["sh", "tests/locales.sh", locales])
        more = {"LOCPATH": locales}
        recording = record(scratch)
        for plugin, check, says in share(BAD):
            if check == "locale" and not os.path.exists(os.path.join(locales, "de_DE.UTF-8")):
                print("not tried: %s (localedef cannot make de_DE.UTF-8)" % plugin)
                continue
            # Sanitizers change leaks, crashes and timing.
            if args.sanitized and check in ("growth", "hook_growth", "isolation", "linkage", "speed", "globals"):
                continue
            path = os.path.join(folder, plugin + ".so")
            checks = sorted(set(BESIDE + [check]) - {"load"})
            limit = "20" if args.sanitized else "1" if plugin in ("check/hang", "check/speed") else "10"
            words = ["--expected", recording] if check == "parity" else []
            done = run([args.etcore, "plugins", "check", path, *checks, "-o", "tap", "--limit", limit, *words], **more)
            expect(done.returncode == 1 and b"E0630" in done.stderr,
                   "%s: status %d: %s" % (plugin, done.returncode, done.stderr))
            seen = verdicts(done.stdout.decode())
            failed = {name for name, (verdict, _) in seen.items() if verdict == "failed"}
            wanted = SEVERAL.get(plugin, {check})
            expect(failed == wanted, "%s: failed %s, not %s: %s" % (plugin, failed, wanted, seen))
            if not args.sanitized:
                expect(says in seen[check][1], "%s: says %s" % (plugin, seen[check][1]))
        for plugin in GOOD:
            path = os.path.join(args.folder, plugin + ".so")
            level = ["stress", "--expected", recording] if plugin == GOOD[-1] else ["strict"]
            done = run([args.etcore, "plugins", "check", path, "-o", "junit", "--limit", "60", "--level", *level])
            suite = xml.etree.ElementTree.fromstring(done.stdout).find("testsuite")
            expect(done.returncode == 0, "%s: %s" % (plugin, done.stdout.decode()))
            expect(int(suite.get("tests")) == len(suite.findall("testcase")) > 25, "%s: JUnit counts" % plugin)
            expect(suite.get("failures") == "0", "%s: JUnit failures" % plugin)
            grade = suite.find("properties/property[@name='grade']").get("value")
            expect(grade == level[0], "%s: grade %s" % (plugin, grade))
        grades(args, folder, recording, expect)
        samples(args, folder, scratch, expect)
        stripped(args, folder, scratch, expect)
    proposals(args, folder, expect)
    with open("docs/plugins/checking.md", encoding="utf-8") as page:
        rows = {line.split("`")[1] for line in page if line.startswith("| `") and
                any(" | %s | " % level in line for level in ("basic", "strict", "parity", "stress"))}
    expect(rows == {one.get("name") for one in suite.findall("testcase")}, "docs/plugins/checking.md lists other checks: %s" % rows)
    for words, status in [(["/nowhere.so"], 2), ([], 2), (["x", "--limit", "0"], 2), ([path, "nosuch"], 2),
                          ([path, "-o", "csv"], 2), ([path, "--seed", "1"], 2), ([path, "stress", "--seed", "x"], 2), ([path, "parity"], 2), ([path, "--level", "parity"], 2),
                          ([path, "--expected", "x"], 2), ([path, "parity", "--expected", "/nowhere.json"], 3), ([folder], 2),
                          ([path, "--sample", "tests/data/cases/mlp_xnnpack/model.etrecord"], 4)]:
        done = run([args.etcore, "plugins", "check", *words])
        expect(done.returncode == status and not done.stdout, "%s: status %d" % (words, done.returncode))
    for line in bad:
        print(line)
    print("%d plugins judged, %d wrong" % (len(share(BAD)) + len(GOOD), len(bad)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

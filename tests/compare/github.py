#!/usr/bin/env python3
"""github.py ETCORE -- tests what `diff` and `check` write for GitHub.

    pages         shorter than 65,536 characters with 1,500 rows of long names; verdict and regressions are there,
                  omitted rows are counted, every <details> is closed, the link leads to the report
    length        counted in characters, not bytes
    annotations   at most ten of a kind, each one line that decodes to the text of the page; no name is a command
    summary       is the page, after a heading and the previous contents of the file, together below GitHub's limit;
                  not written without the variable
    the action    the steps of .github/actions/check/action.yml, run like GitHub's runner; hostile file names; two uses
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import make_dump

LIMIT = 65536
ROWS, RUNS = 1500, 12
HOSTILE = "%0A::error::x\n::stop-commands::t\r##[add-mask]a,b:c <b>|`$(id)`"
URL = "https://example.org/report.html"
ACTION = ".github/actions/check/action.yml"


class Names:
    """A format argument that returns another kernel name each time it is formatted."""

    def __init__(self, count, name):
        self.count, self.name, self.at = count, name, 0

    def __format__(self, spec):
        self.at += 1
        return f"k{(self.at - 1) % self.count}.{self.name}"


def dump(path, rows, slower, name, shift=0):
    times = [1000000 * slower + 37 * ((i + shift) * 7 % RUNS) for i in range(RUNS)]
    with open(path, "wb") as f:
        f.write(make_dump.make(times, rows, Names(rows, name)))
    return path


def run(etcore, *words, status=(0,), env=None):
    done = subprocess.run([etcore, *words], capture_output=True, check=False, stdin=subprocess.DEVNULL,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", **(env or {})})
    assert done.returncode in status, (words, done.returncode, done.stderr.decode()[-2000:])
    return done.stdout.decode()


def test_pages(etcore, tmp):
    for long in (10, 400, 70000):
        rows = ROWS if long < 1000 else 3
        old, new = (dump(f"{tmp}/{n}.etdump", rows, s, "x" * long) for n, s in (("old", 1), ("new", 2)))
        pages = [run(etcore, "diff", old, "--", new, "--top", "0", "-o", "markdown", "--report", URL),
                 run(etcore, "check", new, "--by", "op", "-o", "markdown", "--report", URL, "--baseline", old, status=(1, 11)),
                 run(etcore, "check", old, "--by", "op", "-o", "markdown", "--report", URL, "--baseline", new, status=(0, 1, 11))]
        for page in pages:
            assert len(page) < LIMIT, len(page)
            assert f"[report](<{URL}>)" in page
            assert page.count("<details>") == page.count("</details>") > 0
            assert long < 100 and len(page) < 60000 or re.search(r"^\d+ more rows?: -o json has all$", page, re.M) or long == 70000
        assert pages[1].startswith("### etcore check: ") and "| end to end |" in pages[1]
        first = re.findall(r"^\| (\*\*)?(\w[^|*]*?)(?:\*\*)? \|", pages[1].split("<details>")[0], re.M)[1:]
        shown = [bool(bold) for bold, _ in first]
        assert any(shown) and shown == sorted(shown, reverse=True) or rows == 3, "regressions come first"
        left = sum(int(n) for n in re.findall(r"^(\d+) more rows?:", pages[1], re.M))
        told = sum(int(n) for n in re.findall(r"(\d+) (?:regression|improved|pass|too|no|cannot|not)", pages[1].split("\n")[0].split(": ", 2)[2]))
        rows_shown = len(re.findall(r"^\| (?!verdict|---)", pages[1], re.M))
        assert rows_shown + left == told > rows, (rows_shown, left, told)


def test_length(etcore, tmp):
    """A page with the maximum number of characters must be printed completely, however many bytes they take; with one
    character more it must be shortened."""
    def page(name, length, url):
        old, new = (dump(f"{tmp}/{n}.etdump", 3, s, name * length) for n, s in (("old", 1), ("new", 2)))
        text = run(etcore, "diff", old, "--", new, "--top", "0", "-o", "markdown", "--names", "a,b", "--report", "http://" + "u" * url)
        return text, len(text.encode("utf-16-le")) // 2

    for name in "x", "\u00e9", "\U0001f600":
        one, two = page(name, 1000, 1)[1], page(name, 2000, 1)[1]
        length = 1000 + (LIMIT - 500 - one) * 1000 // (two - one)
        url = LIMIT - page(name, length, 1)[1]
        text, count = page(name, length, url)
        assert count == LIMIT - 1 and name * length in text, (count, url)
        text, count = page(name, length, url + 1)
        assert count < LIMIT - 1 and name * length not in text and name * 70 in text, (count, url)


def decode(text):
    return re.sub("%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), text)


def test_annotations(etcore, tmp):
    old, new = (dump(f"{tmp}/{n}.etdump", 30, s, HOSTILE) for n, s in (("old", 1), ("new", 2)))
    summary = f"{tmp}/summary"
    with open(summary, "w") as f:
        f.write("before\n")
    words = ["check", new, "--by", "op", "--max-regression", "3%", "--report", URL, "--baseline", old]
    text = run(etcore, *words[:-2], "-o", "github", *words[-2:], status=(1, 11), env={"GITHUB_STEP_SUMMARY": summary})
    page = run(etcore, *words[:-2], "-o", "markdown", *words[-2:], status=(1, 11))
    with open(summary) as f:
        assert f.read() == "before\n\n" + page + "\n"
    lines = text.split("\n")
    assert lines.pop() == "" and lines.pop() == page.split("\n")[0].removeprefix("### etcore check: ")
    without = [w for w in words if w not in ("--report", URL)]
    numbers = json.loads(run(etcore, *without, "-o", "json", status=(1, 11)))
    kinds = {}
    for line in lines:
        m = re.fullmatch(r"::(error|warning|notice) title=([^:,]*)::(.*)", line)
        assert m, line
        kinds.setdefault(m[1], []).append((decode(m[2]), decode(m[3])))
    assert all(len(v) <= 10 for v in kinds.values()) and kinds, kinds
    assert any(len(v) == 10 and re.fullmatch(r"\d+ more; -o json has all", v[9][1]) for v in kinds.values()), "more than ten are counted"
    assert len(numbers["lines"] if "lines" in numbers else numbers["rows"]) > 30
    assert any(r"\n::stop-commands::t" in title for v in kinds.values() for title, _ in v), "a name is shown escaped"
    run(etcore, *words[:-2], "-o", "github", *words[-2:], status=(8, 10, 7, 6, 5, 4, 3, 2), env={"GITHUB_STEP_SUMMARY": f"{tmp}/no/such"})
    run(etcore, *words[:-2], "-o", "github", *words[-2:], status=(2,), env={"GITHUB_STEP_SUMMARY": old})
    for before in ("", "\n", "before", "before\n", "before\n\n", "x\n" * 300000, "x" * ((1 << 20) - 300), "x" * ((1 << 20) - 50), "x" * (1 << 20)):
        with open(summary, "w") as f:
            f.write(before)
        run(etcore, *words[:-2], "-o", "github", *words[-2:], status=(1, 11), env={"GITHUB_STEP_SUMMARY": summary})
        with open(summary) as f:
            after = f.read()
        gap = "\n" * (2 - (len(before) - len(before.rstrip("\n")))) if before.strip() else ""
        assert after.startswith(before) and len(after.encode()) <= 1 << 20
        added = after[len(before):]
        if len(before) + len(page.encode()) + 10 < 1 << 20:
            assert added == gap + page + "\n", (before[-10:], added[:100])
        elif added:
            assert len(before) + 300 == 1 << 20 and added == gap + page.split("\n")[0] + added[-66:] and "left out" in added[-66:], added
        else:
            assert len(before) + 50 >= 1 << 20
    for url in ("http://" + "x" * 2042, "https://", "HTTP:/x", "javascript:alert(1)", "file:///etc", "ftp://x/y", "//x/y", "x", " http://x/",
                "", "http://a b", "https://x>y", "http://x\ny"):
        run(etcore, "check", new, "--report", url, "--baseline", old, status=(2,))


def scalar(text):
    return text[1:-1].replace("''", "'") if text[:1] == "'" else text


def parse(lines, indent=0):
    """Parses the subset of YAML in which an action is written: mappings, lists of mappings, plain scalars, blocks after
    '|'."""
    out = {}
    while lines:
        line = lines[0]
        depth = len(line) - len(line.lstrip())
        if not line.strip() or line.lstrip().startswith("#"):
            lines.pop(0)
            continue
        if depth < indent:
            break
        if line.lstrip().startswith("- "):
            if depth > indent or not isinstance(out, list) and out:
                raise ValueError(line)
            lines[0] = " " * (depth + 2) + line.lstrip()[2:]
            out = (out or []) + [parse(lines, depth + 2)]
            continue
        if depth > indent or isinstance(out, list):
            raise ValueError(line)
        key, colon, value = lines.pop(0).strip().partition(":")
        if not colon or value[:1] not in ("", " ") or key in out or value.strip()[:1] in tuple("[{&*!>\"%@`#"):
            raise ValueError(line)
        if value.strip() == "|":
            block = []
            while lines and (not lines[0].strip() or lines[0].startswith(" " * (indent + 2))):
                block.append(lines.pop(0)[indent + 2:])
            out[key] = "\n".join(block).rstrip("\n") + "\n"
        else:
            below = next((x for x in lines if x.strip() and not x.lstrip().startswith("#")), "")
            out[key] = scalar(value.strip()) if value.strip() else parse(lines, len(below) - len(below.lstrip()))
    return out


def read_action():
    with open(os.path.join(ROOT, ACTION), encoding="utf-8") as f:
        text = f.read()
    action = parse(text.split("\n"))
    try:
        import yaml
    except ImportError:
        return action
    same = lambda v: {k: same(x) for k, x in v.items()} if isinstance(v, dict) else [same(x) for x in v] if isinstance(v, list) else \
        str(v).lower() if isinstance(v, bool) else v
    assert action == same(yaml.safe_load(text)), "it is other YAML than this test reads"
    return action


def runner(etcore, tmp, inputs):
    """Runs the steps as GitHub's runner does. Returns (status, log, outputs, summary)."""
    action = read_action()
    values = {k: str(v["default"]) for k, v in action["inputs"].items() if "default" in v}
    values.update(inputs, etcore=etcore)
    assert all(k in values for k, v in action["inputs"].items() if v.get("required") == "true")
    assert set(values) <= set(action["inputs"]) and action["runs"]["using"] == "composite"
    steps, log, status = {}, "", 0

    def expand(text):
        def value(m):
            word = m[1].strip()
            if word.startswith("inputs."):
                return values[word[7:]]
            step, name = re.fullmatch(r"steps\.(\w+)\.outputs\.(\w+)", word).groups()
            return steps[step].get(name, "")
        return re.sub(r"\$\{\{(.*?)\}\}", value, str(text))

    files = {n: f"{tmp}/{n}" for n in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        open(path, "w").close()
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"], "an input in the text of a script is a hole"
        script = f"{tmp}/step.sh"
        with open(script, "w") as f:
            f.write(step["run"])
        env = {k: expand(v) for k, v in step.get("env", {}).items()}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=tmp, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": tmp, "RUNNER_TEMP": tmp,
                                                             "GITHUB_RUN_ID": "77", "GITHUB_SERVER_URL": "https://github.com",
                                                             "GITHUB_REPOSITORY": "o/r", **files, **env})
        log += done.stdout.decode()
        with open(files["GITHUB_OUTPUT"]) as f:
            steps[step["id"]] = dict(line.rstrip("\n").split("=", 1) for line in f)
        status = done.returncode
        if status:
            break
    with open(files["GITHUB_STEP_SUMMARY"]) as f:
        return status, log, {k: expand(v["value"]) for k, v in action["outputs"].items()}, f.read()


def test_action(etcore, tmp):
    os.mkdir(f"{tmp}/with blank")
    os.mkdir(f"{tmp}/old")
    dump(f"{tmp}/with blank/a.etdump", 2, 2, "add.out")
    dump(f"{tmp}/with blank/b.etdump", 2, 2, "add.out", 1)
    for n in "ab":
        dump(f"{tmp}/old/{n}.etdump", 2, 1, "add.out", ord(n) % 7)
    status, log, out, summary = runner(etcore, tmp, {"dump": "with blank/*.etdump", "baseline": "old/\n"})
    assert (status, out["status"], out["result"]) == (1, "1", "regression"), (status, log, out)
    assert "::error title=etcore check%3A regression" in log and "REGRESSION" in summary
    assert "(2 dumps)" in summary and "[report](<https://github.com/o/r/actions/runs/77>)" in summary, summary
    with open(out["markdown"]) as f:
        assert f.read() + "\n" == summary
    with open(out["json"]) as f:
        assert json.load(f)["schema"].startswith("etcore.check/")
    status, log, out, summary = runner(etcore, tmp, {"dump": "old/a.etdump\nold/b.etdump", "baseline": "with blank", "report": URL,
                                                     "options": "--where\nname ~ add\n--names\nold one,new * one"})
    assert (status, out["result"]) == (0, "pass") and URL in summary and "new \\* one (2 dumps)" in summary, (status, log, summary)
    status, log, out, summary = runner(etcore, tmp, {"dump": "$(touch x)`touch y`", "baseline": "old", "no-verdict": "pass"})
    assert out["result"] == "error" and status == int(out["status"]) and "::error" in log and not summary
    assert not os.path.exists(f"{tmp}/x") and not os.path.exists(f"{tmp}/y")
    one = f"{tmp}/one.etdump"
    with open(one, "wb") as f:
        f.write(make_dump.make([1000, 1000], 0, "x"))
    status, _, out, _ = runner(etcore, tmp, {"dump": one, "baseline": one})
    assert (status, out["result"]) == (11, "no-verdict"), (status, out)
    status, _, out, _ = runner(etcore, tmp, {"dump": one, "baseline": one, "no-verdict": "pass"})
    assert (status, out["result"]) == (0, "pass"), (status, out)
    status, _, out, _ = runner(etcore, tmp, {"dump": one, "baseline": one, "no-verdict": "fail"})
    assert (status, out["result"]) == (1, "no-verdict"), "too few runs are no regression"


def test_action_names(etcore, tmp):
    """An action must never take a file name for an option, nor for a pattern if the file exists."""
    for folder in "base", "options", "brackets":
        os.mkdir(f"{tmp}/{folder}")
    dump(f"{tmp}/base/a.etdump", 2, 2, "add.out")
    for name in "--method=x.etdump", "--no-verdict=pass", "-h":
        dump(f"{tmp}/{name}", 2, 4, "add.out")
    for patterns in ({"dump": "*.etdump", "baseline": "base"}, {"dump": "--*\n-h", "baseline": "base"}):
        status, log, out, summary = runner(etcore, tmp, patterns)
        assert (status, out["result"]) == (1, "regression") and log and summary, (patterns, status, log)
    status, _, out, _ = runner(etcore, tmp, {"dump": "base/a.etdump", "baseline": "--m*\n--no*"})
    assert (status, out["result"]) == (0, "pass"), (status, out)
    dump(f"{tmp}/brackets/run[1].etdump", 2, 4, "add.out")
    dump(f"{tmp}/brackets/run1.etdump", 2, 1, "add.out", 1)
    for line, want in (("brackets/run[1].etdump", "regression"), ("brackets/run[1]*.etdump", "pass"), ("brackets/run[2].etdump", "error")):
        _, log, out, _ = runner(etcore, tmp, {"dump": line, "baseline": "base"})
        assert out["result"] == want, (line, out, log)


def test_action_twice(etcore, tmp):
    """Each use of the action in a job must write separate files, and a failed one none."""
    for name, slower in (("old", 1), ("new", 2)):
        dump(f"{tmp}/{name}.etdump", 2, slower, "add.out")
    first, second, third = (runner(etcore, tmp, {"dump": new, "baseline": old})[2]
                            for new, old in (("new.etdump", "old.etdump"), ("old.etdump", "new.etdump"), ("no.etdump", "old.etdump")))
    assert (first["result"], second["result"], third["result"]) == ("regression", "pass", "error")
    assert third["markdown"] == third["json"] == "", third
    for out, verdict in ((first, "REGRESSION"), (second, "no regression")):
        with open(out["markdown"]) as f:
            assert f.readline().startswith(f"### etcore check: {verdict}: "), out
        with open(out["json"]) as f:
            assert json.load(f)["schema"].startswith("etcore.check/")


def main():
    etcore = os.path.abspath(sys.argv[1])
    tests = [test_pages, test_length, test_annotations, test_action, test_action_names, test_action_twice]
    for test in tests:
        with tempfile.TemporaryDirectory() as tmp:
            test(etcore, tmp)
    print(f"{len(tests)} passed")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Tests `etcore farm` without DuckDB: a program named duckdb records the query that it gets and prints a prepared answer.

    tests/farm/questions.py --etcore build/etcore

tests/farm/questions_live.py uses the real engines.
"""
import argparse
import csv
import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
QUESTIONS = ["trend", "changes", "regressions", "top", "slowest", "kleidiai", "fallbacks", "noise", "load", "memory", "errors", "baseline"]
SQL = os.path.join(ROOT, "share", "sql")
ETCORE = None


def statement(name):
    with open(os.path.join(SQL, name + ".sql"), encoding="utf-8") as f:
        return f.read()


def columns(name):
    """Returns the column names of the query's last SELECT."""
    text = re.sub(r"--[^\n]*", "", statement(name))
    last = re.split(r"^SELECT", text, flags=re.M)[-1]
    depth, item, items = 0, "", []
    for c in last:
        depth += (c == "(") - (c == ")")
        if depth == 0 and re.search(r"\sFROM$", item):
            break
        if c == "," and depth == 0:
            items.append(item)
            item = ""
        else:
            item += c
    items.append(re.sub(r"\sFROM$", "", item))
    return [re.split(r"[\s.]+", i.strip())[-1] for i in items]


class Questions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = self.folder.name
        self.tables = os.path.join(self.at, "tables")
        os.makedirs(os.path.join(self.tables, "runs"))
        os.mkdir(os.path.join(self.at, "bin"))

    def engine(self, body):
        path = os.path.join(self.at, "bin", "duckdb")
        with open(path, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nfor last; do :; done\nprintf '%s' \"$last\" >\"${0%/bin/*}/asked\"\n" + body)
        os.chmod(path, stat.S_IRWXU)

    def answers(self, rows):
        with open(os.path.join(self.at, "rows.json"), "w", encoding="utf-8") as f:
            json.dump(rows, f)
        self.engine("cat \"${0%/bin/*}/rows.json\"\n")

    def farm(self, *args, path=None):
        return subprocess.run([ETCORE, "farm", *args], capture_output=True, timeout=60,
                              env={**os.environ, "PATH": path or os.path.join(self.at, "bin") + ":/bin:/usr/bin"})

    def asked(self):
        with open(os.path.join(self.at, "asked"), "rb") as f:
            return f.read()

    def test_each_question_is_its_file(self):
        self.answers([])
        for question in QUESTIONS:
            if question == "baseline":
                continue
            done = self.farm(question, self.tables, "-o", "csv")
            self.assertEqual((done.returncode, done.stderr), (0, b""), question)
            self.assertIn(statement({"changes": "trend"}.get(question, question)).encode(), self.asked())
            self.assertIn(statement("prelude-duckdb").encode(), self.asked())
            if question != "changes":
                head = next(csv.reader(io.StringIO(done.stdout.decode())))
                self.assertEqual(head, columns(question), question)

    def test_answers_in_all_formats(self):
        rows = [{"name": "a,\"b\"\u202e\x1b[1m", "backend": None, "category": "gemm", "dumps": 3, "self_ns": 9007199254740993,
                 "share": 0.1}, {"name": "c", "backend": "X", "category": None, "dumps": 1, "self_ns": 0, "share": 0}]
        self.answers(rows)
        done = self.farm("top", self.tables, "-o", "json")
        self.assertEqual(json.loads(done.stdout)["rows"], rows)
        self.assertEqual(json.loads(done.stdout)["schema"], "etcore.farm/1")
        lines = [json.loads(line) for line in self.farm("top", self.tables, "-o", "ndjson").stdout.splitlines()]
        self.assertEqual([line for line in lines if line.get("type") == "row"], [{"type": "row", **row} for row in rows])
        for form in ("text", "markdown"):
            shown = self.farm("top", self.tables, "-o", form).stdout
            self.assertIn(b"\\u202e\\u001b", shown.replace(b"\\\\", b"\\"))
            self.assertNotIn(b"\x1b", shown)
        self.assertEqual(list(csv.DictReader(io.StringIO(self.farm("top", self.tables, "-o", "csv").stdout.decode())))[0]["self_ns"],
                         "9007199254740993")
        self.assertEqual(self.farm("top", self.tables, "-o", "parquet").stdout[:4], b"PAR1")

    def test_rows_on_screen(self):
        self.answers([{"name": f"n{i}", "self_ns": 1} for i in range(50)])
        self.assertIn("(10 more; --top 0 shows all)", self.farm("top", self.tables).stdout.decode())
        self.assertNotIn("more", self.farm("top", self.tables, "--top", "0").stdout.decode())
        self.answers([])
        self.assertIn("no rows", self.farm("top", self.tables).stdout.decode())

    def test_each_row_has_its_unit(self):
        """The unit is chosen per row: a time of microseconds keeps its digits next to one of a second."""
        self.answers([{"model": m, "day": "2026-11-01", "typical_ns": ns, "least_ns": ns // 20, "most_ns": ns + 7}
                      for m, ns in (("large", 1234567891), ("small", 50130), ("tiny", 9))] + [{"model": "none"}])
        lines = self.farm("trend", self.tables, "-o", "markdown").stdout.decode().splitlines()
        cells = [[c.strip() for c in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
        times = [cells[0].index(c) for c in ("typical", "least", "most")]
        self.assertEqual([[row[i] for i in times] for row in cells[2:]],
                         [["1.235 s", "0.062 s", "1.235 s"], ["50.13 \u00b5s", "2.51 \u00b5s", "50.14 \u00b5s"], ["9 ns", "0 ns", "16 ns"], ["", "", ""]])

    def test_values_are_quoted(self):
        self.answers([{"name": "x"}])
        for where, sql in ((["model = 'x'"], "(\"model\"= 'x')"), (["model=it's; DROP TABLE x; --"],
                                                                  "(\"model\"= 'it''s; DROP TABLE x; --')"),
                           (["a\"b != \""], "(\"a\"\"b\" IS DISTINCT FROM '\"')"), (["device ~ ^a.c$"], "regexp_matches(CAST(\"device\" AS VARCHAR), '^a.c$')"),
                           (["device ="], "(\"device\" IS NULL)"), (["typical_ns >= 1000"], "(\"typical_ns\">= '1000')"),
                           (["typical > 5ms"], "(\"typical_ns\" > 5000000)"), (["load_ns<0.5 us"], "(\"load_ns\" < 500)"),
                           (["spread <= 5 %"], "(\"spread\" <= 0.05)"), (["min = 1.5 s"], "((abs(\"min_ns\" - 1500000000) <= 50000000) IS TRUE)"),
                           (["min != 1.5 s"], "((abs(\"min_ns\" - 1500000000) <= 50000000) IS NOT TRUE)"),
                           (["device = 7s"], "(\"device\"= '7s')"), (["'typical' = 7s"], "(\"typical\"= '7s')"), (["spread = 5ms"], "(\"spread\"= '5ms')")):
            self.assertEqual(self.farm("top", self.tables, *sum((["--where", w] for w in where), [])).returncode, 0)
            self.assertIn(sql.encode(), self.asked())
        self.assertEqual(self.farm("trend", self.tables, "--since", "2024-02-29", "--last", "3").returncode, 0)
        self.assertIn(b"day >= '2024-02-29'", self.asked())
        self.assertIn(b"<= 3;", self.asked())
        for bad in (["--where", "model"], ["--where", "= x"], ["--where", "a => 3"], ["--last", "0"], ["--last", "x"], ["--top", "-1"]):
            self.assertEqual(self.farm("top", self.tables, *bad).returncode, 2, bad)
        self.assertEqual(self.farm("errors", self.tables, "--last", "3").returncode, 2)

    def test_values_that_no_dump_has(self):
        """An answer without rows tells which values there are, if that is why."""
        for values, note in ((["mobilenet", "bert"], "N0530  no row has this value: 'model = mobilnet'; there are mobilenet, bert\n"), ([], "")):
            rows = json.dumps([{"name": v} for v in values])
            self.engine(f"case $last in *jaro_winkler_similarity*) echo '{rows}';; *) echo '[]';; esac\n")
            done = self.farm("top", self.tables, "--where", "model = mobilnet", "--where", "runs > 3", "--where", "typical_ns = 3 ms")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(done.stdout.decode().partition("notes\n  ")[2], note)
            self.assertIn(b"(no rows)", done.stdout)
        self.assertIn(b"NOT EXISTS (FROM farm_runs WHERE \"model\" = 'mobilnet')", self.asked())

    def test_since_is_a_day(self):
        self.answers([])
        for day in ("2026-11-05", "2000-02-29", "2026-12-31", "2026-07-31", "2026-08-31"):
            self.assertEqual(self.farm("trend", self.tables, "--since", day).returncode, 0, day)
        for wrong in ("2026-11-5", "yesterday", "2026-13-01", "11/05/2026", "2026", "", "2026-11-05 ", "2026-02-29", "1900-02-29", "2026-04-31",
                      "2026-09-31", "2026-11-00", "2026-00-01", "+026-11-05"):
            done = self.farm("trend", self.tables, "--since", wrong)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
            self.assertIn(b"error[E0505]", done.stderr, wrong)
            self.assertIn(b"YYYY-MM-DD" if wrong else b"--since ''; expected DAY", done.stderr, wrong)

    def test_folder_is_quoted(self):
        self.answers([])
        for name in ("it's", "a[b]*?", "-x", "\n", "\udcff", "$(touch y)"):
            folder = os.path.join(self.at, name)
            os.makedirs(os.path.join(folder, "runs"))
            done = self.farm("top", os.fsencode(folder))
            self.assertEqual(done.returncode, 0, done.stderr)
            want = re.sub(r"[*?[]", lambda m: f"[{m[0]}]", folder).replace("'", "''")
            self.assertIn(b"SET VARIABLE farm = '" + os.fsencode(want) + b"';\n", self.asked())

    def test_refusals(self):
        for args in ((), ("tip", self.tables), ("top",), ("top", self.tables, self.tables)):
            self.assertEqual(self.farm(*args).returncode, 2)
        self.assertIn(b"E1223", self.farm("top", self.at).stderr)
        self.assertIn(b"E1223", self.farm("top", self.at + "/none").stderr)
        self.assertIn(b"error[E1220]", self.farm("top", self.tables, path=os.path.join(self.at, "bin")).stderr)
        for body, code in (("echo 'Binder Error: no \"modle\"' >&2; exit 1", b"E1221"), ("kill -9 $$", b"E1221"),
                           ("echo '[{\"name\": '", b"E1221"), ("echo nonsense", b"E1221"), ("true", b"E1221"),
                           ("head -c 270000000 /dev/zero", b"E1222")):
            self.engine(body + "\n")
            done = self.farm("top", self.tables)
            self.assertIn(code, done.stderr, body)
            self.assertEqual(done.stdout, b"")
            self.assertNotEqual(done.returncode, 0)
        for body, where, says in (
                ("Binder Error: Referenced column \"modle\" not found", "modle = x", "no column 'modle'"),
                ("Binder Error: Referenced column \"median\" not found", "median > 5", "'median > 5': 5 of which unit? ns, us, ms or s"),
                ("Binder Error: Referenced column \"median\" not found", "median > x", "no column 'median'; did you mean 'median_ns'?"),
                ("Conversion Error: Could not convert string 'abc' to INT64", "runs > abc", "'abc' is no value of 'runs', a column of whole numbers"),
                ("Conversion Error: Could not convert string 'abc' to DOUBLE", "spread > abc", "'abc' is no value of 'spread', a column of numbers"),
                ("Invalid Input Error: missing ): (abc", "device ~ (abc", "'(abc' is no regular expression")):
            self.engine(f"cat >&2 <<'E'\n{body}\nE\nexit 1\n")
            for args, code, status in ((["--where", where], b"error[E1228]", 2), ([], b"error[E1221]", 4), (["--where", "model = x"], b"error[E1221]", 4)):
                done = self.farm("top", self.tables, *args)
                self.assertEqual((done.returncode, done.stdout), (status, b""))
                self.assertIn(code, done.stderr)
                if code == b"error[E1228]":
                    self.assertIn(f": --where does not fit the tables: {says}\n", done.stderr.decode())
        self.engine("cat >&2 <<'E'\nBinder Error: Referenced column \"modle\" not found in FROM clause!\n"
                    "Candidate bindings: \"device\", \"model\"\n\nLINE 1: x\nE\nexit 1\n")
        self.assertIn(b"E1228]: --where does not fit the tables: no column 'modle'; did you mean 'model'?\n",
                      self.farm("top", self.tables, "--where", "modle = x").stderr)
        self.answers([{"name": ["x"], "self_ns": {"a": 1}, "more": 1}, {}])
        self.assertEqual([set(r.values()) for r in json.loads(self.farm("top", self.tables, "-o", "json").stdout)["rows"]],
                         [{None}] * 2)
        self.answers([{"name": "x"}, 3])
        self.assertIn(b"E1221", self.farm("top", self.tables).stderr)

    def test_chance_is_said(self):
        row = {"model": "m", "path": 1, "before_ns": 10, "typical_ns": 20, "change_ns": 10}
        self.answers([{**row, "low_ns": 1, "high_ns": 3}, {**row, "low_ns": -1, "high_ns": 3}, {**row, "low_ns": None, "high_ns": None}])
        shown = self.farm("regressions", self.tables).stdout.decode()
        self.assertIn("N1224", shown)
        self.assertIn("1 of 2; without any change 0.1 are to be expected", shown)

    def test_incomplete_tables(self):
        """Tables that lack dumps must have a warning; tables of a complete batch, of merge.py and of other programs none."""
        def touch(*names, text=""):
            for name in names:
                path = os.path.join(self.tables, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="ascii") as f:
                    f.write(text)

        def warned(folder=self.tables):
            notes = json.loads(self.farm("trend", folder, "-o", "json").stdout)["notes"]
            return [n["text"].partition(": ")[2].replace(folder, "T") for n in notes if n["code"] == "W1229"]

        self.answers([])
        stem = "0-of-1-582e0a4c98fa7a68-0-0"
        self.assertEqual(warned(), [])
        touch("rows/part-0.ndjson", f"runs/date=1/part-{stem}.ndjson", text="{}\n")
        self.assertEqual(warned(), [])
        touch("_done/x", "_SUCCESS")
        self.assertEqual(warned(), [f"a part without a list in _done: 'T/runs/date=1/part-{stem}.ndjson'"])
        touch(f"_done/{stem}")
        self.assertEqual(warned(), [])
        self.assertEqual(self.farm("trend", self.tables, "--strict").returncode, 0)
        touch("rows/part-0.ndjson")
        self.assertEqual(warned(), ["a part of 0 bytes: 'T/rows/part-0.ndjson'"])
        self.assertEqual(self.farm("trend", self.tables, "--strict").returncode, 1)
        touch(f"errors/part-{stem}.ndjson")
        self.assertEqual(warned(), ["2 parts of 0 bytes, the first is 'T/rows/part-0.ndjson'"])
        touch("rows/part-0.ndjson", f"errors/part-{stem}.ndjson", text="{}\n")
        os.remove(os.path.join(self.tables, "_SUCCESS"))
        self.assertEqual(warned(), ["no file _SUCCESS in 'T'"])
        touch(*(f"_SUCCESS-{i}-of-3" for i in (0, 2)))
        self.assertEqual(warned(), ["2 files _SUCCESS-…-of-3 instead of 3"])
        touch("_SUCCESS-1-of-3")
        self.assertEqual(warned(), [])
        self.tables = os.path.join(self.at, "several")  # one folder for each shard, or for each day
        for folder, names in (("a", ("_SUCCESS-0-of-2",)), ("b", ("_SUCCESS-1-of-2",)), ("c", ("_SUCCESS",))):
            os.makedirs(os.path.join(self.tables, folder, "rows"))
            touch(f"{folder}/_done/x", *(f"{folder}/{n}" for n in names))
        self.assertEqual(warned(self.tables), [])
        touch("d/_done/x", "d/_SUCCESS-0-of-2")
        self.assertEqual(warned(self.tables), ["3 files _SUCCESS-…-of-2 instead of 4"])
        touch("d/_SUCCESS-1-of-2")
        os.remove(os.path.join(self.tables, "c/_SUCCESS"))
        self.assertEqual(warned(self.tables), ["no file _SUCCESS in 'T/c'"])

    def test_it_ends_with_the_command(self):
        """DuckDB must end together with etcore, even if etcore is killed."""
        for how in (signal.SIGINT, signal.SIGKILL):
            self.engine("echo $$ >\"${0%/bin/*}/pid\"\nexec sleep 60\n")
            p = subprocess.Popen([ETCORE, "farm", "top", self.tables], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env={**os.environ, "PATH": os.path.join(self.at, "bin") + ":/bin:/usr/bin"})
            path = os.path.join(self.at, "pid")
            self.until(lambda p=path: os.path.exists(p) and os.path.getsize(p))
            with open(path, encoding="ascii") as f:
                engine = int(f.read())
            os.unlink(path)
            p.send_signal(how)
            self.assertEqual(p.wait(timeout=60), -how)
            self.until(lambda e=engine: not self.runs(e))

    def until(self, what):
        limit = time.monotonic() + 60
        while not what() and time.monotonic() < limit:
            time.sleep(0.01)
        self.assertTrue(what())

    @staticmethod
    def runs(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
                return f.read().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def test_package(self):
        """Without a program `duckdb` in PATH, the Python package duckdb must answer. A duckdb.py in the current folder must
        not be run."""
        here = os.path.join(self.at, "here")
        package = os.path.join(self.at, "package")
        for folder, text in ((here, "raise SystemExit('hijacked')"),
                             (package, "class connect:\n    def execute(self, sql):\n        print('[{\"name\": \"it\"}]')\n")):
            os.mkdir(folder)
            with open(os.path.join(folder, "duckdb.py"), "w", encoding="utf-8") as f:
                f.write(text)
        python = os.path.join(self.at, "python")
        os.mkdir(python)
        os.symlink(sys.executable, os.path.join(python, "python3"))
        env = {**os.environ, "PATH": python, "PYTHONPATH": package}
        done = subprocess.run([ETCORE, "farm", "top", self.tables, "-o", "csv"], capture_output=True, env=env, cwd=here, timeout=60)
        self.assertIn(b"it,", done.stdout, done.stderr)
        env["PYTHONPATH"] = ""
        done = subprocess.run([ETCORE, "farm", "top", self.tables], capture_output=True, env=env, cwd=here, timeout=60)
        self.assertNotIn(b"hijacked", done.stderr)

    def test_baseline(self):
        """Joining the baselines of dumps must give the same baseline as saving these dumps together. Other baselines must
        not be joined."""
        dumps = [os.path.join(ROOT, "tests", "data", "arm", "attn_i8d", d, "run.etdump") for d in ("n1", "sme", "nosme")]
        rows = [{"model": "m", "device": "d", "run_id": name, "baseline": subprocess.run(
            [ETCORE, "baseline", "save", dump, "--no-siblings", "-o", "-"], capture_output=True, check=True).stdout.decode()}
            for name, dump in zip("abc", dumps)]
        saved, joined = os.path.join(self.at, "saved"), os.path.join(self.at, "joined")
        subprocess.run([ETCORE, "baseline", "save", *dumps, "--no-siblings", "-o", saved], check=True, capture_output=True)
        self.answers(rows)
        done = self.farm("baseline", self.tables, "-o", joined)
        self.assertIn(b"3 dumps", done.stdout, done.stderr)
        with open(joined, "rb") as a, open(saved, "rb") as b:
            self.assertEqual(a.read(), b.read())
        for change, code in ((rows[:0], b"E1225"), (rows + [{**rows[0], "device": None}], b"E1226"), (rows + [{**rows[0], "model": "n"}], b"E1226"),
                             (rows + [{**rows[0], "baseline": None}], b"E1227"), (rows + [{**rows[0], "baseline": "{}", "run_id": "x"}], b"E0176")):
            self.answers(change)
            if os.path.exists(joined):
                os.remove(joined)
            done = self.farm("baseline", self.tables, "-o", joined)
            self.assertIn(code, done.stderr)
            self.assertFalse(os.path.exists(joined))
        self.assertEqual(self.farm("baseline", self.tables).returncode, 2)

    def test_changes(self):
        """A step must be found on its day and only in its series; noise alone must give no row."""
        def day(i, ns, device):
            return {"model": "m", "device": device, "method": None, "path": 1, "day": f"2026-{i // 28 + 1:02d}-{i % 28 + 1:02d}",
                    "dumps": 1, "typical_ns": ns}
        noise = [(i * 7919) % 101 * 100 for i in range(60)]
        self.answers([day(i, 1000000 + noise[i], "a") for i in range(60)] +
                     [day(i, 1000000 + noise[i] + (50000 if i >= 40 else 0), "b") for i in range(60)] + [day(0, 5, "c")])
        rows = json.loads(self.farm("changes", self.tables, "-o", "json").stdout)["rows"]
        self.assertEqual([(r["device"], r["day"], r["before_days"], r["days"]) for r in rows], [("b", "2026-02-13", 40, 20)])
        self.assertAlmostEqual(rows[0]["change"], 0.05, delta=0.005)

    def test_changes_near_an_end(self):
        """A level of fewer days than a segment has must get its own first day, not one of the level beside it."""
        for at in (3, 4, 5, 12, 25, 26, 27):
            self.answers([{"model": "m", "device": "d", "method": None, "path": 1, "day": f"2026-10-{i + 1:02d}", "dumps": 1,
                           "typical_ns": (1300000 if i >= at else 1000000) + (i * 7919) % 101 * 200} for i in range(30)])
            rows = json.loads(self.farm("changes", self.tables, "-o", "json").stdout)["rows"]
            self.assertEqual([(r["day"], r["before_days"], r["days"]) for r in rows], [(f"2026-10-{at + 1:02d}", at, 30 - at)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", default="build/etcore")
    args, rest = parser.parse_known_args()
    ETCORE = os.path.abspath(args.etcore)
    unittest.main(argv=[sys.argv[0], *rest])

#!/usr/bin/env python3
"""Runs the queries of share/sql in DuckDB and in ClickHouse (chDB). Answers must equal each other, a brute-force
computation in Python, and etcore's other commands.
"""
import glob
import hashlib
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import duckdb
from chdb import session

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SQL = os.path.join(ROOT, "share", "sql")
QUESTIONS = ["trend", "regressions", "top", "slowest", "kleidiai", "fallbacks", "noise", "load", "memory", "errors"]
ETCORE = os.path.join(os.path.dirname(os.path.abspath(sys.argv[1])), "etcore")
ENV = {**os.environ, "PATH": os.path.dirname(sys.executable) + ":" + os.environ["PATH"]}
DAYS = ["2026-11-01", "2026-11-02", "2026-11-03"]


def etcore(*args, status=(0,)):
    done = subprocess.run([ETCORE, *args], capture_output=True, env=ENV, timeout=120)
    if done.returncode not in status:
        raise AssertionError((args, done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def sql(name):
    with open(os.path.join(SQL, name + ".sql"), encoding="utf-8") as f:
        return f.read()


def statements(text):
    text = "\n".join(line for line in text.split("\n") if not line.startswith("--"))
    return [s for s in text.split(";\n") if s.strip()]


def plain(v):
    return v if v is None or isinstance(v, (str, float)) else int(v)


def in_duckdb(folder, question):
    c = duckdb.connect()
    c.execute("SET VARIABLE farm = " + "'" + folder.replace("'", "''") + "'")
    for s in statements(sql("prelude-duckdb")):
        c.execute(s)
    got = c.execute(sql(question))
    names = [d[0] for d in got.description]
    return [dict(zip(names, map(plain, row))) for row in got.fetchall()]


class ClickHouse:
    """Answers all questions in one chDB session, because each session keeps threads."""

    def __init__(self):
        self.s = session.Session()
        self.s.query("CREATE DATABASE farm")
        self.s.query("USE farm")

    def ask(self, folder, question):
        self.s.query("SET param_farm = '" + folder.replace("\\", "\\\\").replace("'", "\\'") + "'")
        for s in statements(sql("prelude-clickhouse")):
            self.s.query(s)
        return [json.loads(line) for line in str(self.s.query(sql(question), "JSONEachRow")).splitlines() if line]


def record(path, centre, seed, runs=12):
    """Writes a dump whose runs take about `centre` ns."""
    r = random.Random(seed)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run([sys.executable, os.path.join(ROOT, "tests", "tools", "make_dump.py"), "--events", "3", path,
                    *(str(round(centre * r.gauss(1, 0.01))) for _ in range(runs))], check=True)


def lower(values, part=0.5):
    values = sorted(values)
    return values[max(1, math.ceil(len(values) * part)) - 1]


class Farm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.at = cls.folder.name
        cls.dumps = {}  # (model, device, day) -> paths
        for m, (model, centre) in enumerate((("small", 1e5), ("large", 5e6))):
            for d, device in enumerate(("fast", "slow")):
                for k, day in enumerate(DAYS):
                    for i in range((3, 6, 5)[k] - d):
                        path = os.path.join(cls.at, "dumps", model, device, day, f"{i}.etdump")
                        record(path, centre * (1 + d) * (1.05 if (model, day) == ("large", DAYS[2]) else 1), 100 * m + 31 * d + 7 * k + 1000 * i)
                        cls.dumps.setdefault((model, device, day), []).append(path)
        for case in ("linear_fp32", "conv_net_xnnpack", "multi_method", "no_runs", "mlp_xnnpack"):
            at = os.path.join(cls.at, "dumps", case, "it's a \"phone\" 中", DAYS[1])
            os.makedirs(at)
            shutil.copy(os.path.join(ROOT, "tests", "data", "cases", case, "run.etdump"), at)
        for path in glob.glob(os.path.join(ROOT, "tests", "data", "arm", "*_i8d", "*", "run.etdump")):
            model, device = path.split(os.sep)[-3:-1]
            at = os.path.join(cls.at, "dumps", model, device, DAYS[0])
            os.makedirs(at)
            shutil.copy(path, at)
        with open(os.path.join(cls.at, "dumps", "bad.etdump"), "wb") as f:
            f.write(b"nonsense")
        cls.click = ClickHouse()
        cls.tables = {form: cls.batch(form) for form in ("ndjson", "parquet")}
        cls.answers = {q: in_duckdb(cls.tables["parquet"], q) for q in QUESTIONS}

    @classmethod
    def batch(cls, form, *args, out=None):
        out = os.path.join(cls.at, out or "tables's " + form)
        etcore("batch", os.path.join(cls.at, "dumps"), "--out", out, "-o", form, "--jobs", "2", "--meta-pattern", "{model}/{device}/{date}/*.etdump",
               *args, status=(1,))
        return out

    def test_engines_and_forms_agree(self):
        rows = 0
        for question in QUESTIONS:
            want = self.answers[question]
            self.assertTrue(want or question in ("memory",), question)
            rows += len(want)
            for form, tables in self.tables.items():
                self.assertEqual(self.click.ask(tables, question), want, (question, form, "ClickHouse"))
                self.assertEqual(in_duckdb(tables, question), want, (question, form, "DuckDB"))
            got = json.loads(etcore("farm", question, self.tables["parquet"], "-o", "json", "--top", "0"))["rows"]
            self.assertEqual(got, want, question)
        print(f"{len(QUESTIONS)} questions, {rows} rows: equal in DuckDB, ClickHouse and etcore farm, of Parquet and NDJSON")

    def analysis(self, path):
        return json.loads(etcore("analyze", path, "--no-siblings", "-o", "json"))

    def typical(self, path):
        return math.floor(self.analysis(path)["methods"][0]["paths"][0]["typical_ns"] + 0.5)

    def test_trend_and_slowest_are_medians_of_analyze(self):
        for (model, device, day), paths in self.dumps.items():
            times = [self.typical(p) for p in paths]
            row = next(r for r in self.answers["trend"] if (r["model"], r["device"], r["day"]) == (model, device, day))
            self.assertEqual((row["dumps"], row["typical_ns"], row["least_ns"], row["most_ns"]),
                             (len(times), lower(times), min(times), max(times)))
        for model in ("small", "large"):
            by = {d: [self.typical(p) for day in DAYS for p in self.dumps[model, d, day]] for d in ("fast", "slow")}
            row = next(r for r in self.answers["slowest"] if (r["model"], r["device"]) == (model, "slow"))
            self.assertEqual(row["ratio"], lower(by["slow"]) / lower(by["fast"]))
            self.assertEqual(row["p90_ns"], lower(by["slow"], 0.9))
            shown = etcore("farm", "slowest", self.tables["parquet"], "--where", f"model = {model}")
            self.assertRegex(shown, r"of fastest\n(.*%\n)+")

    def test_regressions_are_all_differences(self):
        seen = 0
        for row in self.answers["regressions"]:
            if row["model"] not in ("small", "large"):
                continue
            a, b = ([self.typical(p) for p in self.dumps[row["model"], row["device"], day]] for day in DAYS[1:])
            all_ = sorted(y - x for x in a for y in b)
            mn = len(all_)
            k = math.floor(mn / 2 - 1.959963984540054 * math.sqrt(mn * (len(a) + len(b) + 1) / 12))
            self.assertGreater(k, 0)
            median = sorted((all_[(mn + 1) // 2 - 1], lower(b) - lower(a), all_[mn // 2]))[1]
            self.assertEqual((row["change_ns"], row["low_ns"], row["high_ns"]), (median, all_[k - 1], all_[mn - k]))
            self.assertEqual(row["low_ns"] > 0, row["model"] == "large", row)
            seen += 1
        self.assertEqual(seen, 4)

    def test_regressions_of_a_day_with_one_dump(self):
        """If a day has one dump, the change must be the difference of the two times in the row."""
        for count in ((1, 6), (6, 1), (2, 1), (1, 2), (5, 1)):
            tables = os.path.join(self.at, f"one of {count}")
            os.makedirs(os.path.join(tables, "runs"))
            with open(os.path.join(tables, "runs", "part-0.ndjson"), "w", encoding="ascii") as f:
                for day in (0, 1):
                    for i in range(count[day]):
                        f.write(json.dumps({"run_id": f"{day} {i}", "analysis_id": f"{day} {i}", "etcore": "1.0.0", "method": "forward", "path": 1,
                                            "typical_ns": 3000.0 + 100 * i + 130 * day, "modified_ns": 0, "model": "m", "device": "d",
                                            "date": DAYS[day]}) + "\n")
            row, = self.both(tables, "regressions")
            self.assertEqual(row["change_ns"], row["typical_ns"] - row["before_ns"], count)

    def test_regressions_of_more_than_a_hundred_dumps(self):
        """Numbers and medians of dumps must be those of trend; only the differences are those of the last 100 dumps of a day."""
        tables = os.path.join(self.at, "many a day")
        os.makedirs(os.path.join(tables, "runs"))
        times = [[3000 + (i * 37 + 11 * day) % 500 + (400 if i < 30 else 0) for i in range(n)] for day, n in ((0, 150), (1, 121))]
        with open(os.path.join(tables, "runs", "part-0.ndjson"), "w", encoding="ascii") as f:
            for day, values in enumerate(times):
                for i, t in enumerate(values):
                    f.write(json.dumps({"run_id": f"{day} {i}", "analysis_id": f"{day} {i}", "etcore": "1.0.0", "method": "forward", "path": 1,
                                        "typical_ns": float(t), "modified_ns": i, "model": "m", "device": "d", "date": DAYS[day]}) + "\n")
        row, = self.both(tables, "regressions")
        self.assertEqual([(r["dumps"], r["typical_ns"]) for r in self.both(tables, "trend")],
                         [(row["before_dumps"], row["before_ns"]), (row["dumps"], row["typical_ns"])])
        all_ = sorted(y - x for x in times[0][-100:] for y in times[1][-100:])
        k = math.floor(5000 - 1.959963984540054 * math.sqrt(10000 * 201 / 12))
        median = sorted((all_[4999], row["typical_ns"] - row["before_ns"], all_[5000]))[1]
        self.assertEqual((row["change_ns"], row["low_ns"], row["high_ns"]), (median, all_[k - 1], all_[10000 - k]))

    def test_one_dump_is_analyze_and_diff(self):
        """If --where and --since leave one dump per day, the answers must equal those of analyze and diff for these dumps."""
        a, b = (self.dumps["large", "fast", day][0] for day in DAYS[1:])
        tables = os.path.join(self.at, "two")
        etcore("batch", a, b, "--out", tables, "--meta-pattern", "{model}/{device}/{date}/*.etdump")
        row, = json.loads(etcore("farm", "regressions", tables, "-o", "json"))["rows"]
        line = json.loads(etcore("diff", a, "--", b, "--no-siblings", "-o", "json"))["rows"][0]
        self.assertEqual((row["before_ns"], row["typical_ns"]), (math.floor(line["base_ns"] + 0.5), math.floor(line["self_ns"] + 0.5)))
        self.assertEqual(row["change_ns"], row["typical_ns"] - row["before_ns"])
        self.assertIsNone(row["low_ns"])
        for path, day in ((a, DAYS[1]), (b, DAYS[2])):
            rows = json.loads(etcore("farm", "top", tables, "-o", "json", "--where", f"date = {day}"))["rows"]
            want = {r["name"]: math.floor(r["self_ns"] + 0.5) for r in self.analysis(path)["rows"]}
            self.assertEqual({r["name"]: r["self_ns"] for r in rows}, want)
            fallbacks = json.loads(etcore("analyze", path, "--by", "fallback", "--no-siblings", "-o", "json"))["rows"]
            rows = json.loads(etcore("farm", "fallbacks", tables, "-o", "json", "--where", f"date = {day}"))["rows"]
            self.assertAlmostEqual(sum(r["self_ns"] for r in rows), sum(r["self_ns"] for r in fallbacks), delta=len(fallbacks))

    def test_kleidiai_is_analyze(self):
        for row in self.answers["kleidiai"]:
            if not row["model"].endswith("_i8d"):
                continue
            path = os.path.join(self.at, "dumps", row["model"], row["device"], DAYS[0], "run.etdump")
            for word in ("yes", "no", "cannot tell"):
                want = sum(math.floor(r["self_ns"] + 0.5) for r in self.analysis(path)["rows"]
                           if not r["detached"] and r["columns"].get("kernel_library_ran") == word)
                self.assertEqual(row[word.replace(" ", "_") + "_ns"], want, (path, word))

    def test_a_dump_counts_once(self):
        """A dump that was analysed twice, has two names in two shards, or is in two output formats must count once."""
        out = os.path.join(self.at, "again")
        copies = os.path.join(self.at, "copies")
        shutil.copytree(os.path.join(self.at, "dumps"), copies)
        for i, paths in enumerate(self.dumps.values()):
            shutil.copy(paths[0], os.path.join(copies, os.path.relpath(os.path.dirname(paths[0]), os.path.join(self.at, "dumps")), f"copy{i}.etdump"))
        for i in range(3):
            etcore("batch", copies, "--out", out, "-o", ("parquet", "ndjson", "parquet")[i], "--shard", f"{i}/3", "--meta-pattern", "{model}/{device}/{date}/*.etdump",
                   status=(0, 1))
        etcore("batch", copies, "--out", out, "-o", "ndjson", "--resume", "--no-plugins", "--meta-pattern", "{model}/{device}/{date}/*.etdump", status=(0, 1))
        etcore("batch", copies, "--out", out, "-o", "parquet", "--resume", "--meta-pattern", "{model}/{device}/{date}/*.etdump", status=(0, 1))
        for question in ("trend", "slowest", "noise", "load", "memory", "regressions", "errors"):
            want = self.answers[question]
            if question == "errors":
                want = [{**r, "example": r["example"].replace("/dumps/", "/copies/")} for r in want]
            self.assertEqual(in_duckdb(out, question), want, question)
            self.assertEqual(self.click.ask(out, question), want, question)
        total = sum(r["dumps"] for r in in_duckdb(out, "top"))
        self.assertEqual(total, sum(r["dumps"] for r in self.click.ask(out, "top")))
        runs = len(duckdb.sql(f"SELECT DISTINCT run_id FROM '{out}/runs/*.parquet'").fetchall())
        self.assertLess(total, 20 * runs)

    def both(self, folder, question):
        got = in_duckdb(folder, question)
        self.assertEqual(self.click.ask(folder, question), got, question)
        return got

    def test_dumps_are_no_rows(self):
        """A dump in which two methods have a row of the same name must count as one dump."""
        out = os.path.join(self.at, "methods")
        etcore("batch", os.path.join(ROOT, "tests", "data", "cases", "multi_method", "run.etdump"), "--out", out)
        runs, rows = (duckdb.sql(f"SELECT count(*), count(DISTINCT {key}) FROM '{out}/{table}/*.ndjson'{where}").fetchall()[0]
                      for table, key, where in (("runs", "run_id", ""), ("rows", "name", " WHERE NOT detached AND self_ns IS NOT NULL")))
        self.assertGreater(runs[0], runs[1])
        self.assertGreater(*rows)
        for question in ("top", "fallbacks", "noise", "slowest", "load"):
            for row in self.both(out, question):
                self.assertEqual(row["dumps"], 1, (question, row))

    def test_dumps_without_the_column(self):
        """`dumps` must count distinct run_ids: in parts with the column `alone`, in older parts without it, and in a
        mixture of both."""
        out = os.path.join(self.at, "alone")
        etcore("batch", os.path.join(self.at, "dumps"), os.path.join(ROOT, "tests", "data", "cases"), "--out", out, "--jobs", "2", status=(0, 1))
        rows = glob.glob(os.path.join(out, "rows", "*.ndjson"))
        answers = []
        for old in (0, 1, len(rows)):
            for path in rows[:old]:
                with open(path, encoding="utf-8") as f:
                    lines = [json.loads(line) for line in f]
                with open(path, "w", encoding="utf-8") as f:
                    f.writelines(json.dumps({k: v for k, v in line.items() if k != "alone"}) + "\n" for line in lines)
            answers.append([self.both(out, q) for q in ("top", "fallbacks")])
        self.assertGreater(len(rows), 1)
        self.assertEqual(answers[1:], answers[:1] * 2)
        for question, keys in (("top", ("name", "backend", "category")), ("fallbacks", ("name", "category"))):
            want = duckdb.sql(f"""SELECT {', '.join(keys)}, count(DISTINCT run_id) FROM read_json('{out}/rows/*.ndjson', sample_size = -1)
                WHERE NOT detached AND self_ns IS NOT NULL {"AND place = 'CPU'" if question == "fallbacks" else ""} GROUP BY ALL""").fetchall()
            self.assertEqual({tuple(r[k] for k in keys): r["dumps"] for r in self.both(out, question)}, {r[:-1]: r[-1] for r in want})

    def test_of_two_analyses_the_same_counts(self):
        """One etcore analysed a dump with and without plugins. The analysis with the larger analysis_id must count,
        whatever the names of the parts."""
        dumps = os.path.join(ROOT, "tests", "data", "arm")
        for words in (["--no-plugins"], []), ([], ["--no-plugins"]):
            out = os.path.join(self.at, "analyses " + str(len(words[0])))
            for more, last in zip(words, ([], ["--resume"])):
                etcore("batch", dumps, "--out", out, "-o", "parquet", *more, *last, status=(0, 1))
            want = dict(duckdb.sql(f"SELECT run_id, max(analysis_id) FROM '{out}/runs/*.parquet' GROUP BY 1").fetchall())
            self.assertGreater(len(set(want.values())), 5)
            c = duckdb.connect()
            c.execute("SET VARIABLE farm = '" + out + "'")
            for s in statements(sql("prelude-duckdb")):
                c.execute(s)
            self.assertEqual(set(c.execute("SELECT run_id, analysis_id FROM runs").fetchall()), set(want.items()))
            answers = [self.both(out, q) for q in ("kleidiai", "top", "trend")]
            if words[0]:
                first = answers
        self.assertEqual(answers, first)

    def test_mended_files_are_no_errors(self):
        """An error must count until its bytes, or later bytes at the same path, have been analysed."""
        folder, out = os.path.join(self.at, "mended"), os.path.join(self.at, "mended tables")
        os.makedirs(folder)
        good = self.dumps["small", "fast", DAYS[0]]
        with open(good[0], "rb") as f:
            dump = f.read()

        def write(name, text, at):
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(text)
            os.utime(path, (at, at))

        def errors(*args, status=(0, 1)):
            etcore("batch", folder, "--out", out, *args, status=status)
            return {r["code"]: r["files"] for r in self.both(out, "errors")}

        write("stays.etdump", b"nonsense", 1000)
        write("mended.etdump", dump[:700], 1000)
        write("broken.etdump", dump, 1000)
        os.symlink("late", os.path.join(folder, "dangling.etdump"))
        first = errors()
        self.assertEqual((first["E0901"], sum(first.values())), (1, 3))
        write("mended.etdump", dump + b"1", 2000)
        write("broken.etdump", b"nonsense too", 2000)
        shutil.copy(good[1], os.path.join(folder, "late"))
        self.assertEqual(errors("--resume"), {"E0201": 2})
        write("broken.etdump", dump + b"2", 3000)
        self.assertEqual(errors("--resume"), {"E0201": 1})

    def test_merged_parts(self):
        """One merged file per table must give the same answers, in a separate folder and in place of the parts; --resume
        must then recognise the dumps as done."""
        words = ["batch", os.path.join(self.at, "dumps"), "-o", "parquet", "--jobs", "2", "--meta-pattern", "{model}/{device}/{date}/*.etdump"]
        tables, merged = os.path.join(self.at, "parts"), os.path.join(self.at, "merged")
        etcore(*words, "--out", tables, "--partition-by", "date", status=(0, 1))
        subprocess.run([sys.executable, os.path.join(ROOT, "share", "farm", "merge.py"), tables, merged], check=True, capture_output=True)
        for question in QUESTIONS:
            self.assertEqual(self.both(merged, question), self.both(tables, question), question)
        for table in os.listdir(merged):
            shutil.rmtree(os.path.join(tables, table))
            shutil.move(os.path.join(merged, table), tables)
        self.assertIn("0 dumps in", etcore(*words, "--out", tables, "--resume", "--partition-by", "date", status=(0, 1)))
        for question in QUESTIONS:
            self.assertEqual(self.both(tables, question), self.answers[question], question)

    def test_days(self):
        """Without a column `date`, the day is that of the file's modification time; the last possible time is 2^63 - 1 ns."""
        tables = os.path.join(self.at, "days")
        os.makedirs(os.path.join(tables, "runs"))
        with open(os.path.join(tables, "runs", "part-0.ndjson"), "w", encoding="ascii") as f:
            for i, ns in enumerate((0, 86399999999999, 4294967295000000000, 7766279630000000000, 2 ** 63 - 1, None)):
                f.write(json.dumps({"run_id": str(i), "analysis_id": str(i), "etcore": "1.0.0", "method": "forward", "path": 1, "typical_ns": 5.0,
                                    "modified_ns": ns}) + "\n")
        self.assertEqual([(r["day"], r["dumps"]) for r in self.both(tables, "trend")],
                         [("1970-01-01", 2), ("2106-02-07", 1), ("2216-02-08", 1), ("2262-04-11", 1), (None, 1)])

    def test_no_time(self):
        """A typical time that rounds to 0 must give no relative change."""
        tables = os.path.join(self.at, "zero")
        os.makedirs(os.path.join(tables, "runs"))
        with open(os.path.join(tables, "runs", "part-0.ndjson"), "w", encoding="ascii") as f:
            for i, ns in enumerate((0.2, 1000.0, 500.0)):
                f.write(json.dumps({"run_id": str(i), "analysis_id": str(i), "etcore": "1.0.0", "method": "forward", "path": 1, "typical_ns": ns,
                                    "modified_ns": 0, "model": "m", "device": "d", "date": DAYS[i]}) + "\n")
        self.assertEqual([r["change"] for r in self.both(tables, "trend")], [None, None, -0.5])

    def test_options(self):
        tables = self.tables["parquet"]
        for args, keep in ((["--where", "model = 'large'", "--where", "device != slow"], lambda r: (r["model"], r["device"]) == ("large", "fast")),
                           (["--where", "device ~ ^.low$"], lambda r: r["device"] == "slow"),
                           (["--since", DAYS[1], "--where", "model=large"], lambda r: r["model"] == "large" and r["day"] >= DAYS[1])):
            got = json.loads(etcore("farm", "trend", tables, "-o", "json", *args))["rows"]
            drop = {"change"} if "--since" in args else set()
            self.assertEqual([{k: v for k, v in r.items() if k not in drop} for r in got],
                             [{k: v for k, v in r.items() if k not in drop} for r in self.answers["trend"] if keep(r)])
        last = json.loads(etcore("farm", "trend", tables, "-o", "json", "--last", "2", "--where", "model = large"))["rows"]
        self.assertEqual([r["dumps"] for r in last], [2, 2])
        self.assertEqual({r["day"] for r in last}, {DAYS[2]})
        for where in ("model = x'; DROP VIEW runs; --", "model = \\", "mo\"del = 1"):
            done = subprocess.run([ETCORE, "farm", "trend", tables, "--where", where], capture_output=True, env=ENV, timeout=60)
            self.assertEqual(done.returncode, 2 if "mo\"" in where else 0, done.stderr)
        for where in ("modle = x", "runs > abc", "device ~ (abc", "typical > 5"):
            done = subprocess.run([ETCORE, "farm", "trend", tables, "--where", where], capture_output=True, env=ENV, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
            self.assertIn(b"error[E1228]", done.stderr)
        runs = [r for r in json.loads(etcore("farm", "trend", tables, "-o", "json"))["rows"] if r["dumps"] == 1]
        for where, keep in (("typical > 1 ms", lambda r: r["typical_ns"] > 1000000), ("typical < 90.5us", lambda r: r["typical_ns"] < 90500),
                            ("typical = 1 ms", lambda r: 500000 <= r["typical_ns"] <= 1500000)):
            got = json.loads(etcore("farm", "trend", tables, "-o", "json", "--where", where))["rows"]
            self.assertEqual([r for r in got if any(r["model"] == a["model"] and r["device"] == a["device"] and r["day"] == a["day"] and r["path"] == a["path"] for a in runs)],
                             [r for r in runs if keep(r)], where)

    def test_folders(self):
        """Tests folder names that are patterns or contain spaces, line breaks and non-ASCII letters; tables without parts;
        and a part in another format, which must be an error."""
        for name in ("a[b]*?", "sp ace\n", "ü"):
            copy = os.path.join(self.at, name)
            shutil.copytree(self.tables["ndjson"], copy)
            os.makedirs(os.path.join(self.at, "ab"), exist_ok=True)
            self.assertEqual(json.loads(etcore("farm", "trend", copy, "-o", "json"))["rows"], self.answers["trend"], name)
        for table in ("rows", "errors", "notes", "paths"):
            shutil.rmtree(os.path.join(copy, table))
        self.assertEqual(json.loads(etcore("farm", "top", copy, "-o", "json"))["rows"], [])
        self.assertEqual(json.loads(etcore("farm", "errors", copy, "-o", "json"))["rows"], [])
        self.assertEqual(json.loads(etcore("farm", "trend", copy, "-o", "json"))["rows"], self.answers["trend"])
        with open(os.path.join(copy, "runs", "part-x.arrow"), "wb"):
            pass
        self.assertIn("E1221", subprocess.run([ETCORE, "farm", "trend", copy], capture_output=True, env=ENV, timeout=60).stderr.decode())

    def test_folders_of_days(self):
        """Tables partitioned by day must be queried as one farm; a dump of two days must count once."""
        days = os.path.join(self.at, "of [days]")
        for form, tables in self.tables.items():
            shutil.copytree(tables, os.path.join(days, "date=" + form))
        for question in QUESTIONS:
            got = json.loads(etcore("farm", question, days, "-o", "json", "--top", "0"))["rows"]
            if question != "errors":
                self.assertEqual(got, self.answers[question], question)
        empty = os.path.join(self.at, "no tables")
        os.makedirs(os.path.join(empty, "runs of today"))
        self.assertIn("E1223", subprocess.run([ETCORE, "farm", "trend", empty], capture_output=True, env=ENV, timeout=60).stderr.decode())

    def test_baseline_is_that_of_the_dumps(self):
        """`farm baseline` must write the same file as `baseline save` of the last dumps, except for names, and give the
        same verdicts of faster and slower dumps."""
        for form in ("ndjson", "parquet"):
            out = self.batch(form, "--tables", "baselines", out="baselines " + form)
            for model, device, last in (("large", "fast", 8), ("large", "slow", 3), ("attn_i8d", "n1", 1), ("it's", None, 0)):
                chosen = self.dumps.get((model, device, DAYS[2]), []) + self.dumps.get((model, device, DAYS[1]), [])
                if model == "attn_i8d":
                    chosen = [os.path.join(self.at, "dumps", model, device, DAYS[0], "run.etdump")]
                joined, saved = os.path.join(self.at, "joined"), os.path.join(self.at, "saved")
                if not last:
                    done = subprocess.run([ETCORE, "farm", "baseline", out, "--where", f"model = {model}", "-o", joined], capture_output=True, env=ENV)
                    self.assertIn(b"E1225", done.stderr)
                    continue
                etcore("farm", "baseline", out, "--where", f"model = '{model}'", "--where", f"device = {device}", "--last", str(last), "-o", joined)
                with open(joined, encoding="utf-8") as f:
                    ids = [d["dump"]["sha256"] for d in json.load(f)["dumps"]]
                by_id = {sha256(p): p for p in chosen}
                self.assertEqual(len(ids), last)
                dumps = [by_id[i] for i in ids]
                etcore("baseline", "save", *dumps, "--no-siblings", "-o", saved)
                for checked in (chosen[-1], self.dumps["large", "slow", DAYS[2]][0]):
                    verdicts = [verdict(etcore("check", checked, "--baseline", b, "--no-siblings", "--by", "op", "-o", "json", status=(0, 1, 11)))
                                for b in (joined, saved)]
                    self.assertEqual(*verdicts)
        done = subprocess.run([ETCORE, "farm", "baseline", self.tables["parquet"], "--where", "model = large", "--where", "device = fast", "-o", joined],
                              capture_output=True, env=ENV)
        self.assertIn(b"E1227", done.stderr)
        done = subprocess.run([ETCORE, "farm", "baseline", out, "--where", "model = large", "-o", joined], capture_output=True, env=ENV)
        self.assertIn(b"E1226", done.stderr)


def sha256(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def verdict(text):
    """Returns the JSON of `check` without names of files, notes and the baseline."""
    def bare(value):
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k not in ("files", "file", "path_of_dump", "notes", "baseline")}
        return [bare(v) for v in value] if isinstance(value, list) else value
    return bare(json.loads(text))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])

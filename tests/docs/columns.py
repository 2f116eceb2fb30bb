#!/usr/bin/env python3
"""columns.py [--update] -- docs/columns.md must have the table of core/model/agreed_columns.def, and no agreed name
may be one of etcore's own columns. Its table of categories must have the words of core/model/categories.def."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "columns.md")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def main():
    rows = re.findall(r'^X\("([^"]*)",\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)"\)',
                      read("core/model/agreed_columns.def"), re.M)
    table = "".join(f"| `{n}` | `{t}` | {u or '-'} | `{r}` | {h} |\n" for n, t, u, r, h in rows)
    head = "| column | type | unit | roll-up | meaning |\n|---|---|---|---|---|\n"
    page = read("docs/columns.md")
    now = re.sub(re.escape(head) + r"(\|.*\n)*", lambda _: head + table, page)
    if "--update" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(now)
    own = set(re.findall(r'X\("([a-z0-9_]+)"\)', read("core/model/own_columns.def")))
    wrong = [f"{n} is a column of etcore's own" for n, *_ in rows if n in own]
    if now != page and "--update" not in sys.argv:
        wrong.append("docs/columns.md differs from agreed_columns.def: tests/docs/columns.py --update")
    if len(rows) < 10 or head not in page or len({r[0] for r in rows}) != len(rows):
        wrong.append("the table is not there, or has a name twice")
    words = set(re.findall(r'X\("([^"]*)"\)', read("core/model/categories.def")))
    listed = set(re.findall(r"^\| `([^`]*)` \|", page.split("\n## Categories\n")[1].split("\n## ")[0], re.M))
    wrong += [f"docs/columns.md lacks the category {w}" for w in sorted(words - listed)]
    wrong += [f"docs/columns.md has the category {w}, categories.def has not" for w in sorted(listed - words)]
    print("\n".join(wrong + [f"{len(rows)} agreed columns"]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

"""write - replaces the table between the two marks in a Markdown document."""
from goals import GOALS
from measure import PATIENCE

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


def line(cells):
    return "| " + " | ".join(cells) + " |"


def write(path, report, machine, repetitions):
    out = [BEGIN, "", *machine, f"CPU time, user and system, fastest of {repetitions} or more (of 2 where a row takes longer than {PATIENCE:g} s, of 1 and 3 "
           "for the Inspector).", ""]
    for number, what in GOALS.items():
        rows = [r for r in report.rows if r[0] == str(number)]
        out += [f"**{number}. {what}**", "", line(report.HEAD[1:]), line(["---"] + ["---:"] * 4 + ["---"])]
        out += [line(r[1:]) for r in rows] + [""]
    rows = [r for r in report.rows if not r[0]]
    if rows:
        out += ["**Beside the goals**", "", line(report.HEAD[1:]), line(["---"] + ["---:"] * 4 + ["---"])]
        out += [line((r[1].strip(), *r[2:])) for r in rows] + [""]
    with open(path) as f:
        text = f.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(path, "w") as f:
        f.write(before + "\n".join([*out, END]) + after)

"""Shows an answer in a notebook: converts its markdown to HTML that looks like the tables of `etcore report`.

The colours are inherited from the notebook page, or legible on white and black, because a notebook does not say which theme
it uses.
"""
from __future__ import annotations

import html
import re
from typing import List

_STYLE = """<style>
.etcore { font-variant-numeric: tabular-nums; overflow-x: auto; }
.etcore table { border-collapse: collapse; color: inherit; }
.etcore th, .etcore td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid rgba(128, 128, 128, .35); vertical-align: top; }
.etcore td.number, .etcore th.number { text-align: right; white-space: nowrap; }
.etcore .bar { min-width: 6rem; }
.etcore .share { display: block; height: .35rem; background: rgba(66, 140, 214, .6); margin-top: .15rem; }
.etcore .soft { opacity: .75; }
</style>"""
_PIECE = re.compile(r"\\(.)|<!-- -->|(&(?:lt|amp|nbsp);)|`([^`]*)`|(\*\*)|\[([^\]\\]*)\]\(<([^>]*)>\)|(.)", re.S)
_COLOR = re.compile(r"\x1b\[[0-9;]*m")


def _inline(text: str) -> str:
    """Converts the markdown marks that etcore writes within a line; everything else is escaped."""
    out: List[str] = []
    bold = False
    for plain, entity, code, mark, label, address, other in _PIECE.findall(text):
        if entity:
            out.append(entity)
        elif code:
            out.append(f"<code>{html.escape(code)}</code>")
        elif mark:
            bold = not bold
            out.append("<b>" if bold else "</b>")
        elif address:
            safe = re.match("https?://", address)
            out.append(f'<a href="{html.escape(address)}">{html.escape(label)}</a>' if safe else html.escape(label))
        else:
            out.append(html.escape(plain or other))
    return "".join(out) + ("</b>" if bold else "")


def _cells(row: str) -> List[str]:
    """Splits a table row into cells; a | after a backslash is text."""
    return [cell.strip() for cell in re.findall(r"((?:\\.|[^\\|])*)\|", row.strip()[1:])]


def _with_units(rows: List[List[str]]) -> List[List[str]]:
    """Moves the unit, which is the head of the column after "per run", into the cells. That column has the time that
    truncation may hide, and is titled "cut off, up to" as in the report; it is dropped if it is empty."""
    for c, unit in enumerate(rows[0]):
        if unit in ("ns", "µs", "ms", "s") and c and rows[0][c - 1] == "per run":
            for row in rows[2:]:
                row[c - 1:c + 1] = [f"{cell} {unit}" if cell else "" for cell in row[c - 1:c + 1]]
            rows[0][c] = "cut off, up to"
            if not any(row[c] for row in rows[2:]):
                return [row[:c] + row[c + 1:] for row in rows]
    return rows


def _table(lines: List[str]) -> str:
    titles, rules, *rows = _with_units([_cells(line) for line in lines])
    marks = [" ".join(["number"] * rule.endswith(":") + ["bar"] * (title == "share")) for title, rule in zip(titles, rules)]

    def row(kind: str, cells: List[str]) -> str:
        out = []
        for mark, text in zip(marks, cells):
            named = f' class="{mark}"' if mark else ""
            out.append(f"<{kind}{named}>{_inline(text)}{_bar(text) if 'bar' in mark else ''}</{kind}>")
        return "<tr>" + "".join(out) + "</tr>"

    head = row("th", titles)
    return f"<table><thead>{head}</thead><tbody>\n" + "\n".join(row("td", cells) for cells in rows) + "\n</tbody></table>"


def _bar(text: str) -> str:
    share = re.fullmatch(r"([\d.]+) %", text)
    return f'<span class="share" style="width: {min(float(share[1]), 100):g}%"></span>' if share else ""


def _block(lines: List[str]) -> str:
    if lines[0].startswith("|"):
        return _table(lines)
    if lines[0].startswith("- "):
        return '<ul class="soft">' + "".join(f"<li>{_inline(line[2:])}</li>" for line in lines) + "</ul>"
    if lines[0].startswith("#"):
        return f"<p><b>{_inline(lines[0].lstrip('# '))}</b></p>"
    return "<p>" + "<br>\n".join(_inline(line.strip()) for line in lines) + "</p>"


def page(markdown: str) -> str:
    """Converts an answer in the format "markdown" to HTML."""
    out: List[str] = []
    block: List[str] = []

    def end() -> None:
        if block:
            out.append(_block(block))
            block.clear()

    for line in markdown.split("\n"):
        unfolding = re.fullmatch("<details><summary>(.*)</summary>", line)
        if unfolding or line in ("", "</details>"):
            end()
            out += [f"<details><summary>{_inline(unfolding[1])}</summary>"] if unfolding else [line] if line else []
            continue
        if block and (line[:1] == "#" or block[0][:1] == "#" or (line[:1] == "|") != (block[0][:1] == "|")
                      or (line[:2] == "- ") != (block[0][:2] == "- ")):
            end()
        block.append(line)
    end()
    return f'{_STYLE}<div class="etcore">' + "\n".join(out) + "</div>"


def screen(text: str) -> str:
    """Returns HTML that shows a text as preformatted, without colour codes."""
    return f"<pre>{html.escape(_COLOR.sub('', text))}</pre>"


def frame(document: str) -> str:
    """Returns an iframe with an HTML document; its sandbox keeps scripts of the document away from the notebook."""
    return (f'<iframe sandbox="allow-scripts" style="width: 100%; height: 40rem; border: 1px solid rgba(128, 128, 128, .35)" '
            f'srcdoc="{html.escape(document)}"></iframe>')

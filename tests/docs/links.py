#!/usr/bin/env python3
"""links.py -- every link of a document to a file of the project, or to a heading of a page, must lead there."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = ("build", ".git")


def pages():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if not f.startswith(SKIPPED) and os.path.join(folder, f) != os.path.join(ROOT, "tests", "data")]
        yield from (os.path.join(folder, n) for n in names if n.endswith(".md"))


def prose(path):
    with open(path, encoding="utf-8") as f:
        return re.sub(r"^```.*?^```", "", f.read(), flags=re.M | re.S)


def anchors(path):
    """Returns the anchors that GitHub makes from the headings of a page."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", prose(path), re.M)}


def main():
    seen, wrong = 0, []
    for page in pages():
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if re.match(r"[a-z]+:", link):
                continue
            seen += 1
            if not os.path.exists(target) or (anchor and target.endswith(".md") and anchor not in anchors(target)):
                wrong.append(f"{os.path.relpath(page, ROOT)}: {link}")
    print("\n".join(wrong + [f"{seen} links, {len(wrong)} wrong"]))
    return bool(wrong) or seen < 100


if __name__ == "__main__":
    sys.exit(main())

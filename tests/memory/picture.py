#!/usr/bin/env python3
"""picture.py ETCORE [CHROMIUM] -- checks `etcore memory -o svg` in a browser.

For programs of the data: as many boxes as storages, each at the position of its offset, bytes and steps, none outside of
the axes; the text of a box appears on hover with name and bytes, and texts are unique; the peak is marked at its step; and
the boxes have their colours on the screenshot. Without chromium the status is 77 (skipped). Standard library only.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

PROGRAMS = ["mutable_buffers", "control_flow", "device_memory", "multi_method_shared_buffers"]
COLOURS = {"intermediate": (0x5b, 0x8f, 0xf9), "input": (0x61, 0xd9, 0xa5), "output": (0xf6, 0xbd, 0x16),
           "input+output": (0xa0, 0xc8, 0x3c), "state": (0xb6, 0xa2, 0xde)}
PAGE = """<!doctype html><meta charset=utf-8><body style="margin:0">%s<script>
const r = e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; };
const hover = e => { const b = e.getBoundingClientRect();
  const at = document.elementFromPoint(b.left + b.width / 2, b.top + Math.min(b.height / 2, b.height - 0.1));
  return at && at.querySelector ? (at.querySelector(":scope > title") || {}).textContent || "" : ""; };
const all = (q, f) => [...document.querySelectorAll(q)].map(f);
const pre = document.createElement("pre");
pre.id = "found";
pre.textContent = JSON.stringify({boxes: all("rect.box", e => ({at: r(e), title: e.querySelector("title").textContent, hover: hover(e)})),
  axes: all("path.axis", r), peaks: all("line.peak", r), texts: all("text", e => [e.textContent, ...r(e)])});
document.body.appendChild(pre);
</script></body>"""


def browser():
    for name in sys.argv[2:] or ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    print("chromium is not installed")
    sys.exit(77)


def show(chromium, folder, svg):
    """Opens the picture in a page. Returns the findings of the page's script, and the pixels of the window."""
    page, shot = os.path.join(folder, "page.html"), os.path.join(folder, "shot.png")
    with open(page, "w", encoding="utf-8") as f:
        f.write(PAGE % svg)
    height = int(svg.split('height="', 1)[1].split('"')[0])
    common = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
              f"--user-data-dir={folder}/profile", f"--window-size=1300,{height + 100}"]
    dom = subprocess.run([*common, "--dump-dom", f"file://{page}"], capture_output=True, check=True, timeout=120).stdout.decode()
    found = dom.split('<pre id="found">', 1)[1].split("</pre>")[0]
    for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        found = found.replace(entity, sign)
    subprocess.run([*common, f"--screenshot={shot}", f"file://{page}"], capture_output=True, check=True, timeout=120)
    return json.loads(found), png(shot)


def png(path):
    """Returns (width, rows of RGB triples) of an 8-bit PNG."""
    with open(path, "rb") as f:
        data = f.read()
    at, packed, width, channels = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR":
            width, _, depth, colour = struct.unpack_from(">IIBB", data, at + 8)
            channels = {2: 3, 6: 4}[colour]
            assert depth == 8
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    raw, stride, rows = zlib.decompress(packed), width * channels, []
    before = bytearray(stride)
    for y in range(len(raw) // (stride + 1)):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            a = line[x - channels] if x >= channels else 0
            b, c = before[x], before[x - channels] if x >= channels else 0
            line[x] = line[x] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind] & 255
        rows.append(line)
        before = line
    return lambda x, y: tuple(rows[y][x * channels:x * channels + 3])


def paeth(a, b, c):
    p = a + b - c
    return min((a, b, c), key=lambda v: abs(p - v))


def near(a, b, slack=1.0):
    return abs(a - b) <= slack


def check_box(box, group, memory, steps, axis):
    left, top, width, height = axis
    span = max(memory["planned_size"] or 0, memory["max_extent"], 1)
    column = width / (steps + 1)
    want = (left + column * (group["first"] + 1), top + height * (1 - (group["offset"] + group["bytes"]) / span),
            column * (group["last"] - group["first"] + 1), height * group["bytes"] / span)
    if not all(near(a, b) for a, b in zip(box["at"], want)):
        return f"{group['name']} is at {box['at']}, expected {want}"
    for text in (group["name"], f"{group['bytes']} bytes at {group['offset']} of memory", f"steps {group['first']} to {group['last']}"):
        if text not in box["title"]:
            return f"'{text}' is not in '{box['title']}'"
    if box["at"][2] > 2 and box["at"][3] > 2 and box["hover"] != box["title"]:
        return f"over {group['name']} shows '{box['hover']}'"
    return None


def check(chromium, name, folder, etcore):
    path = f"tests/data/pte/models/{name}/model.pte"
    plan, svg = (subprocess.run([etcore, "memory", path, "-o", form], capture_output=True, check=True).stdout.decode()
                 for form in ("json", "svg"))
    found, pixel = show(chromium, folder, svg)
    boxes, axes, peaks, painted = iter(found["boxes"]), iter(found["axes"]), iter(found["peaks"]), 0
    methods = json.loads(plan)["methods"]
    if len(found["boxes"]) != sum(len(m["groups"]) for m in methods):
        return f"{len(found['boxes'])} boxes"
    if len({b["title"] for b in found["boxes"]}) != len(found["boxes"]):
        return "two boxes say the same"
    for method in methods:
        for memory in method["memories"]:
            axis = next(axes)
            for group in (g for g in method["groups"] if g["memory_id"] == memory["memory_id"]):
                box = next(boxes)
                problem = check_box(box, group, memory, method["steps"], axis)
                if problem:
                    return problem
                x, y = box["at"][0] + box["at"][2] - 3, box["at"][1] + box["at"][3] - 3
                if box["at"][2] > 8 and box["at"][3] > 8:
                    painted += pixel(int(x), int(y)) == COLOURS[group["kind"]]
                    if pixel(int(x), int(y)) == (255, 255, 255):
                        return f"{group['name']} is not painted"
            if memory["peak_step"] is None:
                continue
            at = axis[0] + axis[2] / (method["steps"] + 1) * (memory["peak_step"] + 1)
            if not near(next(peaks)[0], at, 2):
                return f"the peak of memory {memory['memory_id']} is not marked at {at}"
            if not any(f"live at most {memory['peak_live_bytes']}" in t[0] for t in found["texts"]):
                return "the peak is not told"
    if next(peaks, None) or next(boxes, None) or not painted:
        return f"{painted} boxes painted, or something is left over"
    return None


def main():
    chromium, bad = browser(), 0
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            problem = check(chromium, name, folder, sys.argv[1])
        if problem:
            bad += 1
            print(f"{name}: {problem}"[:600])
    print(f"{len(PROGRAMS) - bad} of {len(PROGRAMS)} plans drawn as planned, in {os.path.basename(chromium)}")
    return 1 if bad else 0


sys.exit(main())

#!/usr/bin/env python3
"""model_explorer_live.py --etcore build/etcore [CASE...] -- Model Explorer and Arm's adapters must show the files of
`analyze -o model-explorer`.

For every case of tests/data/model_explorer, in Model Explorer's server and in Chromium:

    adapters   open model.etrecord and model.pte; their ids must be those of ids.json, on which
               tests/analyze/model_explorer.py relies, and that test's checks of ids and sums must pass for them
    screen     each graph with node data is selected: the panel must have its data under its name, one value per node
               (of many nodes only a part), and their sum

Run it with a Python that has ai-edge-model-explorer, the two adapters and executorch (model_explorer.sh). Status 77: no
chromium.
"""
import argparse
import importlib.util
import json
import math
import os
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULES = ["etrecord_adapter_model_explorer", "pte_adapter_model_explorer"]
ADAPTERS = {"etrecord": "etrecord_adapter", "pte": "pte_adapter_model_explorer"}  # the ids of the adapters
PANEL = 25  # the panel shows only a part of more nodes
LONGEST = 120  # time limit in seconds until a page shows a graph


def load_test():
    """Loads tests/analyze/model_explorer.py by its path, because `import model_explorer` would import the viewer."""
    spec = importlib.util.spec_from_file_location("recorded_test", os.path.join(ROOT, "tests/analyze/model_explorer.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def serve():
    """Starts the server; returns its address."""
    from model_explorer import server
    from model_explorer.config import ModelExplorerConfig
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    threading.Thread(daemon=True, target=lambda: server.start(host="127.0.0.1", port=port, config=ModelExplorerConfig(),
                                                              no_open_in_browser=True, extensions=MODULES)).start()
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            with urllib.request.urlopen(address + "/check_health") as r:
                if r.status == 200:
                    return address
        except OSError:
            time.sleep(0.2)
    raise AssertionError("Model Explorer's server does not start")


def graphs(address, path, adapter):
    """Returns {graph: [node]} of a file, the adapter's error, or None if there is no such file."""
    if not os.path.exists(path):
        return None
    command = {"cmdId": "convert", "extensionId": adapter, "modelPath": path, "settings": {}, "deleteAfterConversion": False}
    request = urllib.request.Request(address + "/apipost/v1/send_command", json.dumps(command).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as r:
        answer = json.load(r)
    if "error" in answer:
        return answer["error"]
    return {g["id"]: [n["id"] for n in g["nodes"]] for c in answer["graphCollections"] for g in c["graphs"]}


def panel(text):
    """Returns (sum, values of nodes) of the node data panel; the sum is None if it is not shown yet."""
    total = re.search(r"^Sum\t([0-9.e+-]+)$", text, re.M)
    values = re.findall(r"^\d+\t[^\t\n]*\t([0-9.e+-]*\d)$", text.rpartition("Node data\n")[2], re.M)
    return float(total[1]) if total else None, [float(v) for v in values]


def near(a, b):
    return a is not None and math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6)


def show(tab, wrong, address, path, adapter, node_data):
    """Checks each graph of a node data file; returns the number of graphs."""
    with open(node_data, encoding="utf-8") as f:
        data = json.load(f)
    page = {"models": [{"url": path, "adapterId": adapter}], "nodeData": [node_data], "nodeDataTargets": [""]}
    tab.goto("about:blank")
    tab.goto(f"{address}/?data={urllib.parse.quote(json.dumps(page))}")
    wait(tab, lambda t: "GRAPH INFO" in t, f"{path} is not shown")
    for graph, entry in data.items():
        values = sorted(v["value"] for v in entry["results"].values())
        if tab.locator(".option-label").first.inner_text().strip() != graph:
            tab.locator(".graph-selector-label").click()
            tab.locator(f'[data-id="{graph}"]').click()

        def is_shown(text):
            total, listed = panel(text)
            return entry["name"] in text and near(total, sum(values)) and all(any(near(a, b) for b in values) for a in listed) and \
                min(len(values), PANEL) <= len(listed) <= len(values)

        wait(tab, is_shown, f"{node_data}: {graph}: want {values}")
    assert not wrong, wrong
    return len(data)


def wait(tab, holds, what):
    end = time.monotonic() + LONGEST
    while True:
        text = tab.evaluate("document.body ? document.body.innerText : ''")
        if holds(text):
            return
        assert time.monotonic() < end, f"{what}; the panel says {panel(text)}"
        time.sleep(0.3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    etcore = os.path.abspath(options.etcore)
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        print("chromium is not installed")
        return 77
    from playwright.sync_api import Error, sync_playwright
    os.chdir(ROOT)
    test = load_test()
    with open(f"{test.HERE}/ids.json", encoding="utf-8") as f:
        recorded = json.load(f)
    address, play = serve(), sync_playwright().start()
    browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--enable-unsafe-swiftshader"])
    tab = browser.new_page(viewport={"width": 1440, "height": 2000})
    tab.set_default_timeout(1000 * LONGEST)
    wrong, thrown, count, shown = [], [], 0, 0
    tab.on("pageerror", lambda e: thrown.append(str(e)))
    with tempfile.TemporaryDirectory() as tmp:
        for case in options.cases or recorded:
            paths = {"etrecord": f"{ROOT}/tests/data/cases/{case}/model.etrecord", "pte": test.program_of(case, tmp)}
            try:
                live = {name: graphs(address, paths[name], adapter) for name, adapter in ADAPTERS.items()}
                assert all(live[n] == recorded[case][n] for n in live), f"ids.json is old: {live}"
                count += test.check(etcore, case, live, tmp)
                for name, adapter in ADAPTERS.items():
                    node_data = os.path.join(tmp, case, f"run.{name}.json")
                    if live[name] and os.path.exists(node_data):
                        shown += show(tab, thrown, address, paths[name], adapter, node_data)
            except (AssertionError, Error) as e:
                wrong.append(f"{case}: {e}")
                print(wrong[-1])
            print(f"{case}: {shown} graphs so far")
    browser.close()
    play.stop()
    print(f"Model Explorer showed {shown} graphs of {len(options.cases or recorded)} cases with etcore's times; {count} were compared with what "
          f"Arm's adapters make, {len(wrong)} cases wrong")
    return bool(wrong) or not shown


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    os._exit(main())  # exits at once, because the server's threads do not end

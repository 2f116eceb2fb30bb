"""trace_file.py -- parses the files of `etcore trace` with the standard library alone, and rejects what a viewer would
drop.

Perfetto(bytes) decodes TrackEvents by the fields of their schema (an unknown field is an error); folded(), pprof(),
speedscope() and chrome() parse the other formats. tests/trace/viewers.py parses the same files with the viewers' own code.
"""
import gzip
import json


class Wrong(Exception):
    pass


def need(holds, *what):
    if not holds:
        raise Wrong(" ".join(map(str, what)))


def varint(b, at):
    value = shift = 0
    while True:
        byte = b[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(b):
    """Yields (number, value) of a protobuf message's fields: an int for a varint or 64 bits, else bytes."""
    at = 0
    while at < len(b):
        key, at = varint(b, at)
        wire = key & 7
        if wire == 0:
            value, at = varint(b, at)
        elif wire == 1:
            value, at = int.from_bytes(b[at:at + 8], "little"), at + 8
        else:
            need(wire == 2, "wire type", wire)
            size, at = varint(b, at)
            value, at = b[at:at + size], at + size
            need(len(value) == size, "a message that is cut off")
        yield key >> 3, value


def message(b, known):
    """Decodes a message to {name: value}; a name that ends in [] has a list. `known`: {field number: name}."""
    out = {}
    for number, value in fields(b):
        need(number in known, "unknown field", number, "beside", sorted(known.values()))
        name = known[number]
        if name.endswith("[]"):
            out.setdefault(name[:-2], []).append(value)
        else:
            out[name] = value
    return out


PACKET = {8: "timestamp", 10: "sequence", 11: "event", 12: "interned", 13: "flags", 59: "defaults", 60: "track"}
TRACK = {1: "uuid", 2: "name", 5: "parent", 8: "counter", 11: "ordering", 12: "rank", 14: "description", 15: "merge"}
EVENT = {3: "categories[]", 4: "annotations[]", 9: "type", 10: "name", 11: "track", 30: "value", 34: "source", 47: "flows[]",
         48: "ends[]"}
ANNOTATION = {1: "name", 3: "uint", 4: "int", 6: "string", 17: "text"}
INTERNED = {1: "categories[]", 2: "names[]", 3: "annotations[]", 4: "sources[]", 29: "texts[]"}
NAME = {1: "iid", 2: "name", 4: "line"}


class Perfetto:
    """A parsed trace. slices: dicts with at, length, name, category, track, args, source; tracks: by uuid; counts: (track,
    at, value)."""

    def __init__(self, data):
        self.tracks, self.slices, self.counts, self.flows, self.ends = {}, [], [], set(), []
        self.names = {k: {} for k in ("categories", "names", "annotations", "sources", "texts")}
        self.open, self.usual = {}, None
        for number, value in fields(data):
            need(number == 1, "field of Trace", number)
            self.packet(message(value, PACKET))
        need(not any(self.open.values()), "slices without an end")
        need(set(self.ends) <= self.flows, "a flow ends that did not begin")
        first = [u for u, t in self.tracks.items() if not t.get("parent")]
        need(len(first) < 2 and all(t.get("parent") in (None, *first) for t in self.tracks.values()),
             "tracks that the interface does not open at first")

    def packet(self, p):
        first = not any(self.names.values())
        need(p.get("sequence") == 1, "packet without a sequence")
        e = message(p.get("event", b""), EVENT)
        refers = "interned" in p or "defaults" in p or "name" in e or ("event" in p and "track" not in e)
        need(p.get("flags", 0) == (1 if first else 2 if refers else 0), "flags", p.get("flags"))
        for kind, all_ in message(p.get("interned", b""), INTERNED).items():
            for one in all_:
                n = message(one, NAME)
                need(n["iid"] not in self.names[kind], "interned twice")
                text = n["name"].decode()
                need(all(c >= " " for c in text), "control characters", repr(text))
                self.names[kind][n["iid"]] = (text, n["line"]) if kind == "sources" else text
        if "track" in p:
            t = message(p["track"], TRACK)
            need(t["uuid"] not in self.tracks and t.get("parent", 0) in self.tracks.keys() | {0}, "track", t)
            t["name"] = t["name"].decode()
            self.tracks[t["uuid"]] = t
            self.open[t["uuid"]] = []
        if "defaults" in p:
            self.usual = message(message(p["defaults"], {11: "event"})["event"], {11: "track"})["track"]
        if "event" in p:
            self.event(p.get("timestamp", 0), {"track": self.usual} | e)

    def argument(self, b):
        a = message(b, ANNOTATION)
        if "int" in a:
            value = a["int"] - (1 << 64) if a["int"] >> 63 else a["int"]
        else:
            value = a["uint"] if "uint" in a else a["string"].decode() if "string" in a else self.names["texts"][a["text"]]
        need(not isinstance(value, int) or value < 1 << 63, "a viewer shows it as negative")
        return self.names["annotations"][a["name"]], value

    def event(self, at, e):
        need(at < 1 << 63 and e["track"] in self.tracks, "event", e)
        if e["type"] == 4:
            self.counts.append((e["track"], at, e.get("value", 0)))
        elif e["type"] == 2:
            s = self.open[e["track"]].pop()
            s["length"] = at - s["at"]
            need(s["length"] >= 0, "ends before it begins", s)
        else:
            need(e["type"] == 1 and len(e["categories"]) == 1, "event", e)
            s = {"at": at, "length": 0, "name": self.names["names"][e["name"]], "track": e["track"],
                 "category": self.names["categories"][e["categories"][0]], "args": dict(map(self.argument, e.get("annotations", []))),
                 "source": self.names["sources"][e["source"]] if "source" in e else None, "ends": e.get("ends", []),
                 "above": above(self.open[e["track"]])}
            self.flows.update(e.get("flows", []))
            self.ends += s["ends"]
            self.slices.append(s)
            self.open[e["track"]].append(s)

    def check_nesting(self):
        """Checks that slices on each track nest or follow each other, whatever their order in the file."""
        for track in self.tracks:
            check_nesting([(s["at"], s["at"] + s["length"], s["name"]) for s in self.slices
                           if s["track"] == track])


def above(stack):
    """Returns (number of open slices, name and start of the innermost one), which will enclose the next slice of the track."""
    return (len(stack), stack[-1]["name"], stack[-1]["at"]) if stack else (0, None, None)


def check_nesting(slices):
    ends = []
    for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
        while ends and ends[-1] <= begin:
            ends.pop()
        need(not ends or end <= ends[-1], "overlaps without nesting:", name, begin, end)
        ends.append(end)


def folded(data):
    """Parses folded stacks: returns {stack: ns}; a stack is a tuple of names."""
    out = {}
    for line in data.decode().splitlines():
        stack, value = line.rsplit(" ", 1)
        names = tuple(stack.split(";"))
        need(names not in out and int(value) > 0, "line", line)
        out[names] = int(value)
    return out


def pprof(data):
    """Parses a pprof file: returns {stack: (calls, ns)}, root first."""
    known = {1: "types[]", 2: "samples[]", 4: "locations[]", 5: "functions[]", 6: "strings[]", 14: "default"}
    p = message(gzip.decompress(data), known)
    strings = [s.decode() for s in p["strings"]]
    need(strings[0] == "", "the first string is not empty")
    types = [message(t, {1: "type", 2: "unit"}) for t in p["types"]]
    need([(strings[t["type"]], strings[t["unit"]]) for t in types] == [("calls", "count"), ("time", "nanoseconds")], "types")
    functions = {f["id"]: f for f in (message(f, {1: "id", 2: "name", 4: "file"}) for f in p["functions"])}
    where = {}
    for one in p["locations"]:
        at = message(one, {1: "id", 4: "line"})
        where[at["id"]] = strings[functions[message(at["line"], {1: "function", 2: "line"})["function"]]["name"]]
    out = {}
    for one in p["samples"]:
        s = message(one, {1: "at[]", 2: "values[]"})
        stack = tuple(where[i] for i in reversed(s["at"]))
        calls, time = out.get(stack, (0, 0))  # frames with one name on several lines are separate frames
        out[stack] = calls + s["values"][0], time + s["values"][1]
    return out


def speedscope(data):
    """Parses a speedscope file: returns [(name of the profile, {name: ns})]. Rejects files that the app rejects although
    its schema allows them."""
    j = json.loads(data)
    frames = [f["name"] for f in j["shared"]["frames"]]
    out = []
    for p in j["profiles"]:
        stack, last, sums = [], p["startValue"], {}
        for e in p["events"]:
            need(e["at"] >= last, "times go backwards")
            last = e["at"]
            if e["type"] == "O":
                stack.append((e["frame"], last))
            else:
                frame, begin = stack.pop()
                need(frame == e["frame"], "closes another frame")
                sums[frames[frame]] = sums.get(frames[frame], 0) + last - begin
        need(not stack and last <= p["endValue"], "frames that stay open")
        out.append((p["name"], sums))
    return out


class Time(int):
    """A time of Chrome's events in whole ns; `ps` has further digits, which determine the order of events with the same ns."""

    def __new__(cls, number):
        whole, digits = number.split(".")
        need(len(digits) in (3, 6), "digits", number)
        t = super().__new__(cls, int(whole) * 1000 + int(digits[:3]))
        t.ps = t * 1000 + int(digits[3:] or 0)
        need(t.ps - t * 1000 <= 400, "a viewer rounds it up", number)
        return t


def nest(events):
    """Returns the slices of one track, nested according to its begin and end events in this order."""
    out, stack = [], []
    for e in events:
        if e["ph"] == "E":
            need(stack and stack[-1]["name"] == e["name"], "ends another slice:", e)
            s = stack.pop()
            s["length"] = e["ts"] - s["at"]
            need(s["length"] >= 0, "ends before it begins:", s)
            need(e["ts"].ps > s["at"].ps or e["ts"].ps % 1000 == 400, "speedscope may take its end for that of another:", e)
            continue
        s = {"at": e["ts"], "length": 0, "name": e["name"], "track": e["tid"], "above": above(stack)}
        out.append(s)
        if e["ph"] == "B":
            stack.append(s)
    need(not stack, "slices without an end")
    return out


def chrome(data):
    """Parses Chrome's JSON: returns (events, slices), with times in whole ns. Events are ordered as by trace_processor, by
    ns and then by position in the file; speedscope's order, which uses further digits, gives the same slices."""
    need(b'\\\\"' not in data.replace(b'\\\\\\"', b""), "Perfetto takes the quote for an escaped one")
    events = json.loads(data, parse_float=Time)["traceEvents"]
    tracks, slices = {}, []
    for e in events:
        need(e["ph"] in "MBEsfC", "a phase that viewers nest by its times alone:", e["ph"])
        if e["ph"] in "BE":
            tracks.setdefault((e["pid"], e["tid"]), []).append(e)
    for track in tracks.values():
        found = nest(sorted(track, key=lambda e: e["ts"]))
        check_nesting([(s["at"], s["at"] + s["length"], s["name"]) for s in found])
        finer = nest(sorted(track, key=lambda e: e["ts"].ps))
        need([s["above"] for s in found] == [s["above"] for s in finer], "further digits give other parents")
        slices += found
    return events, slices

"""etdump - edits a real ETDump in place: times, and the order and number of its runs.

It implements only what the generators of false claims need. Tables stay where they are; times are overwritten, and the
vector of runs is rewritten in another order, with repeated or fewer entries. Layout: etdump_schema_flatcc.fbs (ETDump,
RunData, Event, ProfileEvent).
"""
import struct

HEADER_PREFIXED = 4  # size of the header of a size-prefixed file: the prefix itself


class Event:
    """One profiling event. start and end are in ticks. If the file has no such field, its value is 0 and it cannot be set."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.name = data.text(at, 0)
        self.chain = data.scalar(at, 1, "<i", 0)
        self.instruction = data.scalar(at, 2, "<i", -1)
        self.delegate_int = data.scalar(at, 3, "<i", -1)
        self.delegate_text = data.text(at, 4)
        self._places = [data.field(at, slot) for slot in (6, 7)]

    @property
    def label(self):
        return self.name or self.delegate_text or str(self.delegate_int)

    def _get(self, k):
        place = self._places[k]
        return struct.unpack_from("<Q", self.data.bytes, place)[0] if place else 0

    def _set(self, k, value):
        if not self._places[k]:
            raise ValueError(f"{self.label}: the file has no room for this time")
        struct.pack_into("<Q", self.data.bytes, self._places[k], value)

    start = property(lambda self: self._get(0), lambda self, v: self._set(0, v))
    end = property(lambda self: self._get(1), lambda self, v: self._set(1, v))

    @property
    def duration(self):
        return self.end - self.start


class Run:
    def __init__(self, data, at):
        self.at = at
        self.name = data.text(at, 0)
        self.events = [Event(data, p) for e in data.vector(at, 3) if (p := data.table(e, 0))]

    def find(self, name):
        return next((e for e in self.events if e.name == name), None)

    @property
    def executes(self):
        return self.find("Method::execute") is not None

    def stretch(self, factor, origin=None):
        """Multiplies the distance of every time from the first start (or from `origin`) by `factor`."""
        if not self.events:
            return
        if origin is None:
            origin = min(e.start for e in self.events)
        for e in self.events:
            e.start, e.end = (origin + round((t - origin) * factor) for t in (e.start, e.end))

    def preempt(self, event, ticks):
        """Makes `event` take `ticks` longer: events that contain it grow by the same time, later events start later."""
        start, at = event.start, event.end
        for e in self.events:
            # If `event` takes 0 ticks, a delegate's event may end at the same time and yet be before it.
            ended = not e.name and e is not event and e.end <= start
            if e.end >= at and not ended:
                e.end += ticks
            if e.start >= at and e is not event:
                e.start += ticks


class Flat:
    """Reads the tables of a FlatBuffer in `bytes`, which a subclass provides."""

    def field(self, table, slot):
        """Returns the position of a table's field; 0 if it is absent."""
        vtable = table - struct.unpack_from("<i", self.bytes, table)[0]
        size = struct.unpack_from("<H", self.bytes, vtable)[0]
        if 4 + 2 * slot >= size:
            return 0
        offset = struct.unpack_from("<H", self.bytes, vtable + 4 + 2 * slot)[0]
        return table + offset if offset else 0

    def scalar(self, table, slot, form, default):
        place = self.field(table, slot)
        return struct.unpack_from(form, self.bytes, place)[0] if place else default

    def table(self, table, slot):
        place = self.field(table, slot)
        return place + struct.unpack_from("<I", self.bytes, place)[0] if place else 0

    def text(self, table, slot):
        at = self.table(table, slot)
        if not at:
            return None
        length = struct.unpack_from("<I", self.bytes, at)[0]
        return self.bytes[at + 4:at + 4 + length].decode("utf-8", "replace")

    def vector(self, table, slot):
        """Returns the positions of the tables in a vector of tables."""
        at = self.table(table, slot)
        if not at:
            return []
        count = struct.unpack_from("<I", self.bytes, at)[0]
        return [p + struct.unpack_from("<I", self.bytes, p)[0] for p in range(at + 4, at + 4 + 4 * count, 4)]


class Dump(Flat):
    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = bytearray(f.read())
        prefixed = self.bytes[8:12] == b"ED00" and self.bytes[4:8] != b"ED00"
        self.base = HEADER_PREFIXED if prefixed else 0
        self.root = self.base + struct.unpack_from("<I", self.bytes, self.base)[0]
        self.runs = [Run(self, at) for at in self.vector(self.root, 1)]

    @property
    def executes(self):
        """The runs that execute a method, in the file's order."""
        return [r for r in self.runs if r.executes]

    def save(self, path, runs=None):
        """Writes the dump. `runs`: the runs to write, in this order; a run may be repeated."""
        out = bytearray(self.bytes)
        if runs is not None:
            # FlatBuffers offsets only point forward. A new vector would have to be placed before all tables, which
            # would move them. So it is written over the old vector, and can hold at most as many runs.
            at = self.table(self.root, 1)
            if len(runs) > len(self.runs):
                raise ValueError("more runs than the dump has")
            struct.pack_into("<I", out, at, len(runs))
            for i, run in enumerate(runs):
                place = at + 4 + 4 * i
                struct.pack_into("<I", out, place, run.at - place)
        with open(path, "wb") as f:
            f.write(out)
        return path

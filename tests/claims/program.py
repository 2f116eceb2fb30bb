"""program - reads the memory plan of a program's first method from its bytes, and overwrites numbers in place.

It implements only what the generators of false claims about memory need. Layout: program.fbs (Program, ExecutionPlan,
Tensor, Chain).
"""
import math
import struct

from etdump import Flat

TENSOR, TENSOR_LIST, OPTIONAL_LIST = 5, 10, 11
KERNEL, DELEGATE, MOVE = 1, 2, 3
BYTES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 8, 5: 2, 6: 4, 7: 8, 11: 1, 15: 2}  # {scalar type: bytes per element}


class Tensor:
    def __init__(self, data, at):
        self.data, self.at = data, at
        self.allocation = data.table(at, 6)
        self.shape = data.numbers(at, 2, "i")
        self.bytes = BYTES[data.scalar(at, 0, "<b", 0)] * math.prod(self.shape)
        self.initial = data.scalar(at, 5, "<I", 0) > 0

    @property
    def memory(self):
        return self.data.scalar(self.allocation, 0, "<I", 0)

    @property
    def offset(self):
        return self.data.scalar(self.allocation, 1, "<I", 0)

    def place(self, memory, offset):
        """Moves the tensor to another memory and offset; raises ValueError if the file has no field for the number."""
        for slot, value in ((0, memory), (1, offset)):
            if self.data.scalar(self.allocation, slot, "<I", 0) != value:
                self.data.put(self.allocation, slot, "<I", value)


class Program(Flat):
    def __init__(self, data):
        self.bytes = bytearray(data)
        root = struct.unpack_from("<I", self.bytes, 0)[0]
        self.plan = self.vector(root, 1)[0]
        self.values = [(self.scalar(v, 0, "<B", 0), self.table(v, 1)) for v in self.vector(self.plan, 2)]
        self.tensors = {i: Tensor(self, at) for i, (kind, at) in enumerate(self.values) if kind == TENSOR}
        self.planned = {i: t for i, t in self.tensors.items() if t.allocation}
        self.inputs, self.outputs = self.numbers(self.plan, 3, "i"), self.numbers(self.plan, 4, "i")
        self.instructions = [(self.scalar(n, 0, "<B", 0), self.table(n, 1))
                             for n in self.vector(self.vector(self.plan, 5)[0], 2)]

    def put(self, table, slot, form, value):
        place = self.field(table, slot)
        if not place:
            raise ValueError("the file has no room for this number")
        struct.pack_into(form, self.bytes, place, value)

    def numbers(self, table, slot, form):
        at = self.table(table, slot)
        return list(struct.unpack_from(f"<{struct.unpack_from('<I', self.bytes, at)[0]}{form}", self.bytes, at + 4)) if at else []

    def put_number(self, table, slot, form, index, value):
        struct.pack_into("<" + form, self.bytes, self.table(table, slot) + 4 + index * struct.calcsize(form), value)

    def sizes(self):
        """Returns the size in bytes of each memory, indexed by its id; memory 0 is not used."""
        return self.numbers(self.plan, 8, "q")

    def put_size(self, memory, value):
        self.put_number(self.plan, 8, "q", memory, value)

    def args(self, step):
        """Returns the indices of the values that an instruction takes; lists are not expanded."""
        kind, call = self.instructions[step]
        if kind in (KERNEL, DELEGATE):
            return self.numbers(call, 1, "i")
        return [self.scalar(call, 0, "<i", 0), self.scalar(call, 1, "<i", 0)] if kind == MOVE else []

    def put_arg(self, step, index, value):
        self.put_number(self.instructions[step][1], 1, "i", index, value)

    def mentioned(self, step):
        """Returns the planned tensors that an instruction takes, including those inside lists."""
        found = []
        for a in self.args(step):
            kind, at = self.values[a]
            found += self.numbers(at, 0, "i") if kind in (TENSOR_LIST, OPTIONAL_LIST) else [a]
        return {v for v in found if v in self.planned}

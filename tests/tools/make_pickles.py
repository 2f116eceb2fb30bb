#!/usr/bin/env python3
"""make_pickles.py OUT [MUTATIONS] -- records as JSON how torch loads valid, unusual and hostile pickles.

Needs torch (the answers in tests/data/values are from 2.13.0). tests/pickle_truth.py compares etcore with them. A case
is the bytes of a data.pkl with its storages, a whole archive, or another case with some bytes changed.
"""

import base64
import collections
import glob
import hashlib
import io
import json
import pickle as raw_pickle
import random
import struct
import sys
import warnings
import zipfile

import torch

P = b"\x80\x02"
STORAGES = {"0": bytes(range(24))}


def archive(pickle, storages, extra=None):
    """Builds the same archive as tests/pickle_truth.py."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("archive/data.pkl", pickle)
        z.writestr("archive/version", "3\n")
        for name, data in {**{f"data/{k}": v for k, v in storages.items()}, **(extra or {})}.items():
            z.writestr(f"archive/{name}", data)
    return out.getvalue()


def text(s):
    return b"X" + struct.pack("<I", len(s)) + s


def storage(cls, key=b"0", count=6, where=b"cpu"):
    return b"(" + text(b"storage") + b"c" + cls + b"\n" + text(key) + text(where) + b"K" + bytes([count]) + b"tQ"


def ints(values):
    return b"(" + b"".join(b"J" + struct.pack("<i", v) for v in values) + b"t"


HOOKS = b"ccollections\nOrderedDict\n)R"


def tensor(size, stride, offset=0, cls=b"torch\nFloatStorage", gradient=b"\x89", hooks=HOOKS, more=b"", f=b"_rebuild_tensor_v2", count=6):
    return (b"ctorch._utils\n" + f + b"\n(" + storage(cls, count=count) + b"J" + struct.pack("<i", offset) + ints(size)
            + ints(stride) + gradient + hooks + more + b"tR")


T = tensor((3,), (1,))
MADE = {
    "tensor": tensor((2, 3), (3, 1)), "transposed": tensor((3, 2), (1, 3)), "scalar": tensor((), ()), "empty": tensor((0,), (1,)),
    "negative stride of one": tensor((1,), (-1,)), "negative stride of none": tensor((0,), (-1,)), "negative size beside none": tensor((0, -1), (1, 1)),
    "no element outside": tensor((0,), (1,), 100), "negative size": tensor((-1,), (1,)), "last element": tensor((3,), (2,), 1),
    "one too far": tensor((3,), (2,), 2), "broadcast": tensor((1000000, 6), (0, 1)), "integers with gradient": tensor((3,), (1,), cls=b"torch\nLongStorage", count=3, gradient=b"\x88"),
    "gradient": tensor((3,), (1,), gradient=b"\x88"), "gradient 1": tensor((3,), (1,), gradient=b"K\x01"), "gradient None": tensor((3,), (1,), gradient=b"N"),
    "hooks None": tensor((3,), (1,), hooks=b"N"), "flags list": tensor((3,), (1,), more=b"]K\x01a"), "flags empty": tensor((3,), (1,), more=b"}"),
    "conj of real": tensor((3,), (1,), more=b"}" + text(b"conj") + b"\x88s"), "neg": tensor((3,), (1,), more=b"}" + text(b"neg") + b"\x88s"),
    "flag unknown": tensor((3,), (1,), more=b"}" + text(b"q") + b"\x88s"), "v3": tensor((3,), (1,), cls=b"torch.storage\nUntypedStorage", count=24, f=b"_rebuild_tensor_v3", more=b"ctorch\nuint16\n"),
    "v3 typed": tensor((3,), (1,), f=b"_rebuild_tensor_v3", more=b"ctorch\nuint16\n"), "v2 untyped": tensor((3,), (1,), cls=b"torch.storage\nUntypedStorage", count=24),
    "sizes of bool": b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage(b"torch\nFloatStorage") + b"K\0\x88\x85K\x01\x85\x89NtR",
    "sizes of list": b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage(b"torch\nFloatStorage") + b"K\0]K\x02a]K\x01a\x89NtR",
    "storage": storage(b"torch\nFloatStorage"), "storage of short": storage(b"torch\nShortStorage"), "storage of wrong size": storage(b"torch\nFloatStorage", count=5),
    "storage missing": storage(b"torch\nFloatStorage", key=b"1"), "storage without type": storage(b"torch.storage\nTypedStorage"), "storage of dtype": storage(b"torch\nfloat32"),
    "storage twice": b"](" + storage(b"torch\nFloatStorage") + tensor((3,), (1,), cls=b"torch\nLongStorage", count=3) + b"e",
    "storage called": b"ctorch\nFloatStorage\n)R", "id of int": b"K\x01Q", "id empty": b")Q", "id short": b"(" + text(b"storage") + b"tQ",
    "new dict": b"ccollections\nOrderedDict\n)\x81K\x01K\x02s", "new set": b"cbuiltins\nset\n)\x81", "new function": b"c_codecs\nencode\n)\x81",
    "new size": b"ctorch\nSize\nK\x01\x85\x85\x81", "size of text": b"ctorch\nSize\n" + text(b"a") + b"\x85R", "size": b"ctorch\nSize\nK\x02K\x03\x86\x85R",
    "build set": b"cbuiltins\nset\n)\x81}b", "build dict": b"}}b", "build ordered": HOOKS + b"}" + text(b"_metadata") + b"}sb", "build ordered None": HOOKS + b"Nb",
    "build function": b"c_codecs\nencode\n}b", "ordered of pairs": b"ccollections\nOrderedDict\n](K\x01K\x02\x86e\x85R", "ordered of dict": b"ccollections\nOrderedDict\n}K\x01K\x02s\x85R",
    "key list": b"}]K\x01s", "key tuple of list": b"}]\x85K\x01s", "key tensor": b"}" + T + b"K\x01s", "key size": b"}ctorch\nSize\n)RK\x01s",
    "keys equal": b"}(K\x01K\x0a\x88K\x0bG?\xf0\0\0\0\0\0\0K\x0cu", "key again": b"}(" + text(b"a") + b"K\x01" + text(b"b") + b"K\x02" + text(b"a") + b"K\x03u",
    "key alone": b"}(K\x01u", "pop mark": b"K\x01(\x30", "stop behind mark": b"K\x01(K\x02", "pair behind mark": b"K\x01K\x02(\x86", "pair of one": b"K\x01\x86",
    "left over": b"K\x01K\x02", "bytes": b"c_codecs\nencode\n" + text(b"a\xc3\xa9") + text(b"latin1") + b"\x86R", "bytes utf-8": b"c_codecs\nencode\n" + text(b"\xc3\xa9") + b"\x85R",
    "bytes impossible": b"c_codecs\nencode\n" + text(b"\xe6\x97\xa5") + text(b"latin1") + b"\x86R", "bytearray": b"c__builtin__\nbytearray\n" + text(b"\xc3\xa9") + text(b"latin-1") + b"\x86R",
    "arguments list": b"ccollections\nOrderedDict\n]R", "arguments int": b"ccollections\nOrderedDict\nK\x01R", "surrogate": text(b"\xed\xa0\x80"), "no text": text(b"\xff"),
    "short text": b"U\x02ab", "short no text": b"U\x01\xff", "text cut": b"X\x05\0\0\0a", "item of set": b"\x8fK\x01K\x01s", "item of tuple": b")K\x01a",
    "set": b"cbuiltins\nset\n](K\x01K\x02K\x01e\x85R", "set of lists": b"cbuiltins\nset\n]]a\x85R", "device": b"ctorch\ndevice\n" + text(b"cpu") + b"\x85R",
    "layout": b"ctorch.serialization\n_get_layout\n" + text(b"torch.strided") + b"\x85R", "layout unknown": b"ctorch.serialization\n_get_layout\n" + text(b"x") + b"\x85R",
    "parameter": b"ctorch.nn.parameter\nParameter\n" + T + b"\x85\x81", "parameter of integers": b"ctorch._utils\n_rebuild_parameter\n(" + tensor((3,), (1,), cls=b"torch\nLongStorage", count=3) + b"\x88NtR",
    "old module": b"cUserDict\nOrderedDict\n)R", "renamed module": b"ctorch.tensor\nTensor\n)R", "function": b"c_codecs\nencode\n", "dtype": b"ctorch\nfloat8_e5m2\n",
    "far memo": b"K\x01r\xff\xff\xff\xffNr\xff\xff\xff\xffK\x02j\xff\xff\xff\xff", "memo overwritten": b"K\x01q\0K\x02q\0h\0", "counter": b"ccollections\nCounter\n}K\x01K\x02s\x85R",
    "meta": b"ctorch._utils\n_rebuild_meta_tensor_no_storage\n(ctorch\nfloat32\nK\x02K\x03\x86K\x03K\x01\x86\x89tR", "long 0": b"\x8a\0", "long -1": b"\x8a\xc8" + b"\xff" * 200,
    "long 2^63": b"\x8a\x09\0\0\0\0\0\0\0\x80\0", "long -2^63": b"\x8a\x08\0\0\0\0\0\0\0\x80", "none": b"N", "numbers": b"(J\xff\xff\xff\xffM\xff\xffK\xffG\xbf\xf0\0\0\0\0\0\0\x88\x89t",
    "other module": b"cos\nsystem\n" + text(b"true") + b"\x85R", "eval": b"c__builtin__\neval\n" + text(b"1") + b"\x85R", "itself": b"]q\0h\0a", "in itself": b"}q\0" + text(b"a") + b"h\0s",
    "type": b"ctorch._tensor\n_rebuild_from_type_v2\n(ctorch._utils\n_rebuild_tensor_v2\nctorch\nTensor\n(" + storage(b"torch\nFloatStorage") + b"K\0K\x02\x85K\x01\x85\x89" + HOOKS + b"t}tR",
}


def saved():
    """Yields values in the form in which an exporter saves them."""
    def save(value):
        out = io.BytesIO()
        torch.save(value, out)
        return out.getvalue()

    base = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)
    dtypes = [torch.float64, torch.float16, torch.bfloat16, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
              torch.bool, torch.complex64, torch.uint16, torch.uint32, torch.uint64, torch.float8_e4m3fn, torch.float8_e5m2]
    yield "saved case", save({"forward": [[base, torch.ones(3, dtype=torch.int64)], [base * 2, torch.zeros(3, dtype=torch.int64)]]})
    yield "saved methods", save({"encode": [[base]], "decode": [[base[0]], [base[1]]]})
    yield "saved views", save([base.transpose(0, 2), base[:, 1:, ::2], base.unsqueeze(0).expand(5, 2, 3, 4), torch.ones(1, 2, 3, 4).to(memory_format=torch.channels_last)])
    yield "saved types", save([torch.arange(3).to(d) for d in dtypes])
    yield "saved scalars", save([1, -1, 2**40, 2**80, 1.5, True, None, "é", 3 + 4j, (1, [2, {"a": 3}]), {1, 2}, collections.OrderedDict(a=1), b"x\xff"])
    yield "saved quantised", save([torch.quantize_per_tensor(base, 0.5, 3, torch.quint8)])
    yield "saved neg and conj", save([torch.ones(2, dtype=torch.complex64).conj(), torch.nn.Parameter(base)])


def tree(v, seen=()):
    """Converts a value to the form that tests/pickle_truth.py makes of record_dump's output; None if it cannot be compared."""
    kinds = {list: "list", tuple: "tuple", torch.Size: "torch.Size", set: "set"}
    if id(v) in seen:
        return ["itself"]
    inner = seen + (id(v),)
    if v is None or isinstance(v, bool) or isinstance(v, int):
        return [type(v).__name__, str(v)]
    if isinstance(v, float):
        return ["float", v.hex()]
    if isinstance(v, complex):
        return ["complex", v.real.hex(), v.imag.hex()]
    if isinstance(v, str):
        return ["string", v.encode("utf-8", "surrogatepass").hex()]
    if isinstance(v, (bytes, bytearray)):
        return [type(v).__name__, v.hex()]
    if isinstance(v, torch.dtype):
        return ["dtype", str(v)[6:]]
    if type(v) in kinds:
        items = [tree(x, inner) for x in v]
        return [kinds[type(v)], sorted(items) if isinstance(v, set) else items]
    if isinstance(v, dict):
        return [type(v).__name__, [[tree(k, inner), tree(x, inner)] for k, x in v.items()]]
    if isinstance(v, torch.Tensor) and v.layout == torch.strided:
        parameter, v = isinstance(v, torch.nn.Parameter), v.detach()
        meta = v.device.type == "meta"
        out = ["tensor", str(v.dtype)[6:], list(v.shape), list(v.stride()), v.storage_offset(), v.is_conj(), v.is_neg(), parameter, v.is_quantized, None]
        if not meta and not v.is_quantized and not v.is_neg() and not v.is_conj() and 0 < v.numel() <= 4096:
            raw = torch.empty(v.shape, dtype=v.dtype)
            raw.copy_(v)
            out[-1] = hashlib.sha256(bytes(raw.contiguous().flatten().view(torch.uint8).tolist())).hexdigest()[:16]
        return out
    return ["other"]


def answer(data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return tree(torch.load(io.BytesIO(data), weights_only=True))
        except Exception:  # any exception of torch is an answer
            return False


def own(data):
    """Loads a raw pickle as releases before 1.3.1 wrote it. Use it only for our own records, because loading a pickle
    executes it."""
    try:
        return tree(raw_pickle.loads(data))
    except raw_pickle.UnpicklingError:
        return False


def records():
    """Yields the recorded values of the records of tests/data."""
    for path in sorted(glob.glob("tests/data/[co][al]*/**/*.etrecord", recursive=True)):
        with zipfile.ZipFile(path) as z:
            for entry in ("reference_outputs", "representative_inputs"):
                if entry in z.namelist():
                    data = z.read(entry)
                    yield {"record": path, "entry": entry, "answer": answer(data) if data[:2] == b"PK" else own(data)}


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    rows = []
    for name, pickle in MADE.items():
        pickle = P + pickle + b"."
        rows.append({"name": name, "pickle": base64.b64encode(pickle).decode(), "answer": answer(archive(pickle, STORAGES))})
    for name, data in saved():
        rows.append({"name": name, "archive": base64.b64encode(data).decode(), "answer": answer(data)})
    rng = random.Random(1)
    good = [r for r in rows if r["answer"] is not False and "pickle" in r]
    while count:
        base = rng.choice(good)
        pickle = bytearray(base64.b64decode(base["pickle"]))
        where = rng.randrange(2, len(pickle))
        value = rng.choice([rng.randrange(256), pickle[where] ^ 1 << rng.randrange(8), rng.choice(b"(.]})eutasRQb\x81\x85\x86\x87hqN\x88K")])
        pickle[where] = value
        count -= 1
        rows.append({"of": base["name"], "at": where, "byte": value, "answer": answer(archive(bytes(pickle), STORAGES))})
    rows += records()
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write(f'{{"torch": "{torch.__version__}", "cases": [\n')
        f.write(",\n".join(json.dumps(r) for r in rows) + "\n]}\n")
    print(len(rows), "cases,", sum(r["answer"] is not False for r in rows), "load")


main()

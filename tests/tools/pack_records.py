#!/usr/bin/env python3
"""pack_records.py [--blank] RECORD... -- rewrites ETRecords with their entries deflated if that is shorter, and without the
folders of the machine that made them.

Of the paths of Python files only the part from /site-packages/ or tests/ on is kept, else the name. This is also done in zip
archives that contain records, and in the headers of safetensors files. --blank replaces the tensors of each `*_state_dict` by zeros of the same types and shapes, for records whose weights no test
reads. Graphs, maps, constants and example inputs stay, and so do the names, order and dates of the entries.
"""
import argparse
import io
import os
import re
import struct
import zipfile
import zlib

DESCRIPTOR = b"PK\x07\x08"
PATH = re.compile(rb"(?<![\w.])/(?!site-packages/)(?:(?:[\w.+-]+/)*[\w.+-]+(?=/site-packages/)|(?:[\w.+-]+/)+(?=tests/[\w.+/-]+\.py\b)|(?:[\w.+-]+/)+(?=[\w.+-]+\.py\b))")


def bare(content):
    """Returns an entry without the folders of its maker's machine."""
    if content[:2] == b"PK":
        return smaller(content, False) if bare_entries(content) else content
    if content[:1] == b"{":
        return PATH.sub(b"", content)
    if content[8:9] == b"{":  # safetensors: the header keeps its length, because offsets of data are relative to its end
        [length] = struct.unpack_from("<Q", content)
        if length <= len(content) - 8:
            return content[:8] + PATH.sub(b"", content[8:8 + length]).ljust(length) + content[8 + length:]
    return content


def bare_entries(archive):
    """Does an entry change if folders are left out?"""
    with zipfile.ZipFile(io.BytesIO(archive)) as z:
        return any(bare(content) != content for content in map(z.read, z.infolist()))


def blank(archive):
    """Returns a torch.save archive with zeros in its storages: each at its old offset, with the new CRC wherever the CRC is
    stored."""
    data = bytearray(archive)
    with zipfile.ZipFile(io.BytesIO(archive)) as z:
        central = z.start_dir
        for entry in z.infolist():
            assert archive[central:central + 4] == b"PK\x01\x02", entry.filename
            name, extra, comment = struct.unpack_from("<3H", archive, central + 28)
            if "/data/" in entry.filename:
                assert entry.compress_type == zipfile.ZIP_STORED, entry.filename
                local = entry.header_offset
                start = local + 30 + sum(struct.unpack_from("<2H", archive, local + 26))
                data[start:start + entry.file_size] = bytes(entry.file_size)
                crc = struct.pack("<I", zlib.crc32(bytes(entry.file_size)))
                data[central + 16:central + 20] = crc
                after = start + entry.file_size
                if archive[after:after + 4] == DESCRIPTOR:
                    data[after + 4:after + 8] = crc
                if not entry.flag_bits & 8:
                    data[local + 14:local + 18] = crc
            central += 46 + name + extra + comment
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as z:
        assert z.testzip() is None
    return bytes(data)


def smaller(record, blanked):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(record)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            content = bare(content)
            if blanked and entry.filename.endswith("_state_dict"):
                content = blank(content)
            info = zipfile.ZipInfo(entry.filename, entry.date_time)
            info.external_attr = entry.external_attr
            shorter = len(zlib.compress(content, 9)) < len(content)
            new.writestr(info, content, zipfile.ZIP_DEFLATED if shorter else zipfile.ZIP_STORED, 9)
    return out.getvalue()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--blank", action="store_true")
    parser.add_argument("records", nargs="+")
    options = parser.parse_args()
    for path in options.records:
        with open(path, "rb") as f:
            before = f.read()
        zipped = before[:2] == b"PK"
        after = smaller(before, options.blank) if zipped else bare(before)
        if len(after) < len(before) or (bare_entries(before) if zipped else after != before):
            with open(path + ".new", "wb") as f:
                f.write(after)
            os.replace(path + ".new", path)
        print(f"{path}: {len(before)} -> {os.path.getsize(path)}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""release_sbom.py DIST SOURCES PREFIX... -- checks that the software bill of materials in DIST describes the release.

Its checksums must be those of the files, each line of SOURCES must be a package with that checksum, each linked library
must have its licence in each PREFIX, and each reference in it must lead to an element.
"""

import glob
import hashlib
import json
import os
import re
import sys

REQUIRED = {
    "document": ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"),
    "package": ("SPDXID", "name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"),
    "file": ("SPDXID", "fileName", "checksums", "licenseConcluded", "copyrightText"),
}


def main(dist, sources, *prefixes):
    wrong = []

    def expect(true, what):
        if not true:
            wrong.append(what)

    (path,) = glob.glob(os.path.join(dist, "*.spdx.json"))
    bill = json.load(open(path, encoding="utf-8"))
    packages = {p["name"]: p for p in bill["packages"]}
    things = [bill, *bill["packages"], *bill["files"]]
    for kind, all_of_it in ("document", [bill]), ("package", bill["packages"]), ("file", bill["files"]):
        for thing in all_of_it:
            expect(not [k for k in REQUIRED[kind] if not thing.get(k)], f"{kind} {thing.get('name')} lacks a field")
            expect(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", thing["SPDXID"]), f"no identifier: {thing['SPDXID']}")
    expect(bill["spdxVersion"] == "SPDX-2.3", "not SPDX 2.3")
    ids = [t["SPDXID"] for t in things]
    expect(len(ids) == len(set(ids)), "an identifier twice")
    for r in bill["relationships"]:
        expect(r["spdxElementId"] in ids and r["relatedSpdxElement"] in ids, f"leads nowhere: {r}")

    # Every file of the release has an entry with its checksum.
    there = {n for n in os.listdir(dist) if n.endswith((".deb", ".tar.gz", ".whl"))}
    expect({f["fileName"] for f in bill["files"]} == {"./" + n for n in there}, "other files than there are")
    for f in bill["files"]:
        data = open(os.path.join(dist, f["fileName"]), "rb").read()
        for c in f["checksums"]:
            expect(hashlib.new(c["algorithm"].lower(), data).hexdigest() == c["checksumValue"], f"{f['fileName']}: {c['algorithm']}")

    # Statically linked libraries.
    linked = {r["relatedSpdxElement"] for r in bill["relationships"] if r["relationshipType"] == "STATIC_LINK"}
    named = [line.split() for line in open(sources, encoding="utf-8") if not line.startswith("#")]
    for name, version, licence, sha256, _, origin in named:
        p = packages.get(name, {})
        expect((p.get("versionInfo"), p.get("licenseDeclared")) == (version, licence), f"{name}: version or licence")
        expect({"algorithm": "SHA256", "checksumValue": sha256} in p.get("checksums", []), f"{name}: checksum")
        expect((p.get("SPDXID") in linked) == origin.startswith("apt:"), f"{name}: linked or not")
    for name in "libc++", "libc++abi", "libunwind":
        expect(packages.get(name, {}).get("SPDXID") in linked, f"{name} is not named as linked")
    for prefix in prefixes:
        licences = open(os.path.join(prefix, "share", "doc", "etcore", "copyright"), encoding="utf-8").read()
        program = open(os.path.join(prefix, "bin", "etcore"), "rb").read()
        for name, version, *_ in (n for n in named if n[0] == "zig" or n[5].startswith("apt:")):
            expect(f"== {name} {version}, " in licences, f"{prefix}: no licence of {name} {version}")
            if name == "zlib":
                expect(f"\0{version}\0".encode() in program, f"{prefix}: another zlib")  # the version text that zlib stores in the program
    for what in wrong:
        print(what)
    print(f"the bill of materials names {len(packages)} packages and {len(there)} files: {len(wrong)} wrong")
    return wrong != []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""sbom.py VERSION SOURCES ZIG DIST -- writes a software bill of materials of the release in DIST, as SPDX 2.3 in JSON.

SOURCES is release/sources.txt. Its libraries (apt) are linked into every file of DIST except the sdist; its tools
(pip) make the files. ZIG is zig's folder, which has the version of LLVM's C++ runtime. The same files give the same
bytes: the time is SOURCE_DATE_EPOCH.
"""

import hashlib
import json
import os
import re
import sys
import time

SUPPLIERS = {
    "inih": ("Person: Ben Hoyt", "https://github.com/benhoyt/inih"),
    "simdjson": ("Organization: The simdjson authors", "https://simdjson.org/"),
    "utf8proc": ("Organization: JuliaStrings", "https://juliastrings.github.io/utf8proc/"),
    "zlib": ("Person: Jean-loup Gailly and Mark Adler", "https://zlib.net/"),
    "zstd": ("Organization: Meta Platforms, Inc.", "https://facebook.github.io/zstd/"),
    "packaging": ("Organization: Python Packaging Authority", "https://github.com/pypa/packaging"),
    "pathspec": ("Person: Caleb P. Burns", "https://github.com/cpburnz/python-pathspec"),
    "scikit-build-core": ("Organization: scikit-build", "https://github.com/scikit-build/scikit-build-core"),
    "zig": ("Organization: Zig contributors", "https://ziglang.org/"),
}
PURLS = {"apt": "pkg:deb/debian/%s?arch=source&distro=%s", "pip": "pkg:pypi/%s@%s"}


def package(name, version, licence, supplier, homepage, **more):
    return {
        "SPDXID": "SPDXRef-" + name.replace("+", "x"),
        "name": name,
        "versionInfo": version,
        "supplier": supplier,
        "downloadLocation": "NOASSERTION",
        "homepage": homepage,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **more,
    }


def third_parties(path):
    """Yields (kind, package) for each line of sources.txt; the checksum is that of its file."""
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        name, version, licence, sha256, file, origin = line.split()
        kind, _, source = origin.partition(":")
        purl = PURLS[kind] % (tuple(source.split("/")) if kind == "apt" else (source, version))
        yield kind, package(name, version, licence, *SUPPLIERS[name], packageFileName=file,
                            checksums=[{"algorithm": "SHA256", "checksumValue": sha256}],
                            externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}])


def of_zig(folder, zig_version):
    """Yields the packages that zig links in: LLVM's C++ runtime, zig's own functions and the start files of glibc."""
    config = open(os.path.join(folder, "lib", "libcxx", "include", "__config"), encoding="utf-8").read()
    number = int(re.search(r"define _LIBCPP_VERSION (\d+)", config)[1])
    llvm = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    for name in ("libc++", "libc++abi", "libunwind"):
        yield package(name, llvm, "Apache-2.0 WITH LLVM-exception", "Organization: LLVM project", "https://llvm.org/")
    yield package("zig-compiler-rt", zig_version, "MIT", *SUPPLIERS["zig"])
    yield package("glibc-start-files", "2.28", "LGPL-2.1-or-later", "Organization: Free Software Foundation",
                  "https://www.gnu.org/software/libc/",
                  licenseComments="each of these files permits linking it into any program without further conditions")


def artefact(dist, name):
    with open(os.path.join(dist, name), "rb") as f:
        data = f.read()
    return {
        "SPDXID": "SPDXRef-File-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "fileName": "./" + name,
        "fileTypes": ["ARCHIVE"],
        "checksums": [{"algorithm": a.upper(), "checksumValue": hashlib.new(a, data).hexdigest()} for a in ("sha1", "sha256")],
        "licenseConcluded": "NOASSERTION",
        "copyrightText": "NOASSERTION",
    }


def main(version, sources, zig, dist):
    etcore = package("etcore", version, "BSD-3-Clause", "Organization: the etcore authors", "NOASSERTION")
    del etcore["homepage"]
    named = list(third_parties(sources))
    tools = [p for kind, p in named if kind == "pip"]
    (zig_version,) = [p["versionInfo"] for p in tools if p["name"] == "zig"]
    linked = [p for kind, p in named if kind == "apt"] + list(of_zig(zig, zig_version))
    glibc = package("glibc", "2.28 or newer", "LGPL-2.1-or-later", "Organization: Free Software Foundation",
                    "https://www.gnu.org/software/libc/", comment="of the system; not part of the files")
    files = [artefact(dist, name) for name in sorted(os.listdir(dist)) if name.endswith((".tar.gz", ".deb", ".whl"))]
    seal = hashlib.sha256("".join(f["checksums"][1]["checksumValue"] for f in files).encode()).hexdigest()

    def relation(a, kind, b):
        return {"spdxElementId": a["SPDXID"], "relationshipType": kind, "relatedSpdxElement": b["SPDXID"]}

    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"etcore-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/etcore-{version}-{seal}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "creators": ["Organization: the etcore authors", "Tool: etcore-release-sbom.py"],
        },
        "packages": [etcore, *linked, *tools, glibc],
        "files": files,
    }
    document["relationships"] = [
        relation(document, "DESCRIBES", etcore),
        *(relation(f, "GENERATED_FROM", etcore) for f in files),
        *(relation(etcore, "STATIC_LINK", p) for p in linked),
        relation(etcore, "DYNAMIC_LINK", glibc),
        *(relation(p, "BUILD_TOOL_OF", etcore) for p in tools),
    ]
    json.dump(document, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

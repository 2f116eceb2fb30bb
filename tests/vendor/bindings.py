#!/usr/bin/env python3
"""bindings.py [--update | --layouts FOLDER [--rustc PROGRAM] [--zig COMMAND]] -- checks the bindings of sdk/template
against sdk/include/etcore/plugin.h.

Without an option: they must be current (--update writes them), and the script that generates them must read declarations
that a later header may append, or report that it cannot. --layouts: sizes, offsets and constants in these compilers must be
C's; FOLDER is for temporary files."""
import os
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "sdk", "python"))
sys.dont_write_bytecode = True
import bindings  # noqa: E402

HEADER = os.path.join(ROOT, "sdk", "include", "etcore", "plugin.h")
FILES = {"rust": "sdk/template/rust/etcore.rs", "zig": "sdk/template/zig/etcore.zig"}
# (text appended to a header, what the binding must then contain; None: it cannot be read)
LATER = [
    ("#define ETCORE_LATER_FLAG (1u << 4)", "16"),
    ("#define ETCORE_LATER_LARGE 0xffffffffffull", "1099511627775"),
    ("#define ETCORE_LATER_ALIAS ETCORE_KIND_PHASE", "ETCORE_LATER_ALIAS"),
    ("struct etcore_later { uint32_t size, kind; uint8_t digest[32]; const struct etcore_text *const *names; };", "digest"),
    ("struct etcore_later { struct etcore_time time; double *values; void *(*make)(void *self, const char *name); };", "make"),
    ("struct etcore_later { etcore_result last; int (nothing); };", None),
    ("struct etcore_later { uint32_t a : 3; };", None),
    ("struct etcore_later { union { int32_t i; double d; } value; };", None),
    ("struct etcore_later { unknown_t value; };", None),
    ("enum etcore_later { ETCORE_LATER_A, ETCORE_LATER_B };", None),
    ("#define ETCORE_LATER_TEXT \"text\"", None),
]


def text(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def current(update):
    bad = []
    header = bindings.read(HEADER)
    for language, path in FILES.items():
        made, path = bindings.LANGUAGES[language](header), os.path.join(ROOT, path)
        if update:
            with open(path, "w", encoding="utf-8") as f:
                f.write(made)
        elif not os.path.exists(path) or text(path) != made:
            bad.append(f"{os.path.relpath(path, ROOT)} is not of this plugin.h: tests/vendor/bindings.py --update")
    return bad


def later():
    """Bindings of a header with appended text must contain it, or the reader must report that it cannot read the text."""
    bad, own = [], text(HEADER)
    at = own.rindex("#ifdef __cplusplus")
    for declaration, want in LATER:
        try:
            header = bindings.Header(own[:at] + declaration + "\n\n" + own[at:])
            answers = [make(header) for make in bindings.LANGUAGES.values()]
        except bindings.Unreadable:
            answers = []
        if (want is None) != (not answers) or not all(want in a for a in answers):
            bad.append(f"{declaration}: {'read' if answers else 'refused'}, expected {want or 'a refusal'}")
    return bad


# ---- layouts: every compiler prints "NAME VALUE" lines ----------------------------------


def c_program(header):
    out = "#include <etcore/plugin.h>\n#include <stdio.h>\nint main(void)\n{\n"
    for name, _, _ in header.constants:
        out += f'\tprintf("{name} %lld\\n", (long long){name});\n'
    for name, members in header.structs:
        out += f'\tprintf("{name} %zu\\n", sizeof(struct {name}));\n'
        out += "".join(f'\tprintf("{name}.{m} %zu %zu\\n", offsetof(struct {name}, {m}), sizeof(((struct {name} *)0)->{m}));\n'
                       for m, _ in members)
    return out + "\treturn 0;\n}\n"


def rust_program(header):
    out = "mod etcore;\nuse etcore::*;\nfn main() {\n"
    for name, _, _ in header.constants:
        out += f'    println!("{name} {{}}", {name} as i64);\n'
    for name, members in header.structs:
        out += f'    println!("{name} {{}}", std::mem::size_of::<{name}>());\n'
        for m, _ in members:
            own = bindings.rust_name(m)
            out += (f'    let at = std::mem::MaybeUninit::<{name}>::uninit();\n    let p = at.as_ptr();\n'
                    f'    let m = unsafe {{ std::ptr::addr_of!((*p).{own}) }};\n'
                    f'    println!("{name}.{m} {{}} {{}}", m as usize - p as usize, size_behind(m));\n')
    # ETCORE_HAS in each language, for a struct whose size ends in the middle.
    return out + """    let mut t = etcore_time::EMPTY;
    t.size = 32;
    println!("has {} {}", unsafe { etcore_has!(&t as *const etcore_time, parent) } as u32,
        unsafe { etcore_has!(&t as *const etcore_time, wraps_at) } as u32);
}
"""


def zig_program(header):
    out = "const e = @import(\"etcore.zig\");\nextern \"c\" fn printf(format: [*c]const u8, ...) c_int;\n"
    out += "fn line(name: [*c]const u8, a: i64) void {\n    _ = printf(\"%s %lld\\n\", name, a);\n}\n"
    out += "fn pair(name: [*c]const u8, a: i64, b: i64) void {\n    _ = printf(\"%s %lld %lld\\n\", name, a, b);\n}\n"
    out += "pub export fn main() c_int {\n    @setEvalBranchQuota(100000);\n"
    for name, _, _ in header.constants:
        out += f'    line("{name}", e.{name});\n'
    for name, members in header.structs:
        out += f'    line("{name}", @sizeOf(e.{name}));\n'
        for m, _ in members:
            out += (f'    pair("{name}.{m}", @offsetOf(e.{name}, "{m}"), '
                    f'@sizeOf(@TypeOf(@field(@as(e.{name}, .{{}}), "{m}"))));\n')
    out += "    const t = e.etcore_time{ .size = 32 };\n"
    out += '    pair("has", @intFromBool(e.has(&t, "parent")), @intFromBool(e.has(&t, "wraps_at")));\n'
    return out + "    return 0;\n}\n"


def lines(folder, name, source, command):
    """Compiles and runs a program; returns its output lines, or the compiler's error as one line."""
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(source)
    done = subprocess.run(command + [name], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        return [f"{' '.join(command)} {name}: {done.stdout}"]
    return subprocess.run(["./layout"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def layouts(folder, rustc, zig):
    header, bad = bindings.read(HEADER), []
    for language, path in FILES.items():
        with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as f:
            f.write(text(os.path.join(ROOT, path)))
    include = os.path.dirname(os.path.dirname(HEADER))
    want = lines(folder, "layout.c", c_program(header), ["cc", "-I", include, "-o", "layout"]) + ["has 1 0"]
    for name, source, command in (
            ("layout.rs", rust_program(header), rustc and shlex.split(rustc) + ["--edition", "2021", "-o", "layout"]),
            ("layout.zig", zig_program(header), zig and shlex.split(zig) + ["build-exe", "-lc", "-femit-bin=layout"])):
        if command:
            got = lines(folder, name, source, command)
            if got != want:
                differ = [f"{w} here, {g} there" for w, g in zip(want, got) if w != g] or ["another number of lines"]
                bad.append(f"{name}: {differ[0]} ({len(want)} and {len(got)} lines)")
            else:
                print(f"{name}: {len(got)} sizes, offsets and constants are C's")
    return bad


def main(arguments):
    option = {a: arguments[arguments.index(a) + 1] for a in ("--layouts", "--rustc", "--zig") if a in arguments}
    if "--layouts" in option:
        bad = layouts(option["--layouts"], option.get("--rustc"), option.get("--zig"))
    else:
        bad = current("--update" in arguments) + later()
    for line in bad:
        print(line, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

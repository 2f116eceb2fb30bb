#!/usr/bin/env python3
"""bindings.py rust|zig [plugin.h] -- etcore/plugin.h for a plugin in another language, on standard output.

    python3 bindings.py rust /usr/include/etcore/plugin.h >etcore.rs

`etcore plugins new --language rust` writes a project that contains this file. If the installed header is newer than
the project, generate the file again. Constants, structs, sinks and hooks are read from the header, in its order; none
is named in this script. A declaration that this parser of C does not understand is an error, and is never left out."""
import os
import re
import sys

INTEGERS = {"int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32",
            "int64_t": "i64", "uint64_t": "u64"}
SCALARS = dict(INTEGERS, float="f32", double="f64")
# Macros that define no constant.
OTHER = {"ETCORE_PLUGIN_H", "ETCORE_EXPORT"}


class Unreadable(Exception):
    pass


class Type:
    """A base ("u32", "void", "char", a struct or a typedef), pointers to it, or a function pointer."""

    def __init__(self, base, const=False):
        self.base, self.const = base, const
        self.pointers = []  # const of each pointer itself, innermost first
        self.arguments = None  # arguments of a function pointer: [(name, Type)]; the other members then describe its result
        self.count = None  # length of an array


class Header:
    def __init__(self, text):
        self.constants = []  # (name, value, "u32")
        self.names = {}  # typedef -> "i32"
        self.structs = []  # (name, [(member, Type)])
        text = re.sub(r"\\\n", " ", text)
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
        for line in text.split("\n"):
            self.define(line)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
        text = re.sub(r'extern\s+"C"\s*\{', "", text)
        self.declarations(text)

    def define(self, line):
        """Reads a constant: an integer, which may be shifted, or the name of another constant. Ignores macros with
        arguments."""
        m = re.match(r"\s*#\s*define\s+(\w+)(\(?)(.*)", line)
        if not m or m[2] or m[1] in OTHER:
            return
        value = m[3].strip()
        while re.fullmatch(r"\(.*\)", value):
            value = value[1:-1].strip()
        same = [c for c in self.constants if c[0] == value]
        literal = re.fullmatch(r"(-?)\s*(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)(?:\s*<<\s*([0-9]+)[uU]?)?", value)
        if not literal and not same:
            raise Unreadable(line.strip())
        if same:
            self.constants.append((m[1],) + same[0][1:])
            return
        number, suffix = int(literal[2], 0) << int(literal[4] or 0), literal[3].lower()
        self.constants.append((m[1], -number if literal[1] else number,
                               ("u" if "u" in suffix else "i") + ("64" if "l" in suffix else "32")))

    def declarations(self, text):
        at = 0
        while text[at:].strip(" \n\t}"):
            rest = text[at:].lstrip(" \n\t}")
            at = len(text) - len(rest)
            struct = re.match(r"struct\s+(\w+)\s*\{([^{}]*)\}\s*;", rest)
            alias = re.match(r"typedef\s+(\w+)\s+(\w+)\s*;", rest)
            skipped = re.match(r"struct\s+\w+\s*;|extern\s+ETCORE_EXPORT\s[^;]*;", rest)
            if struct:
                self.structs.append((struct[1], self.members(struct[2])))
            elif alias and alias[1] in SCALARS:
                self.names[alias[2]] = SCALARS[alias[1]]
            elif not skipped:
                raise Unreadable(rest[:80].strip())
            at += (struct or alias or skipped).end()

    def members(self, body):
        out = []
        for declaration in filter(None, (d.strip() for d in body.split(";"))):
            out += self.declared(" ".join(declaration.split()))
        return out

    def declared(self, text):
        """Returns [(name, Type)] for declarations such as "const uint64_t *start, *end"."""
        m = re.match(r"(const )?(?:struct )?(\w+) ?(const )?", text)
        if not m:
            raise Unreadable(text)
        base = SCALARS.get(m[2], self.names.get(m[2], m[2]))
        if base not in {"void", "char"} | set(SCALARS.values()) and "struct " + m[2] not in text:
            raise Unreadable(text)
        const, rest = bool(m[1] or m[3]), text[m.end():]
        function = re.fullmatch(r"((?:\* ?(?:const ?)?)*)\( ?\* ?(\w+) ?\) ?\((.*)\)", rest)
        if function:
            made = self.pointed(base, const, function[1])
            made.arguments = [] if function[3] == "void" else \
                [self.declared(a.strip())[0] for a in function[3].split(",")]
            return [(function[2], made)]
        out = []
        for one in rest.split(","):
            plain = re.fullmatch(r" ?((?:\* ?(?:const ?)?)*)(\w+)(?:\[([0-9]+)\])?", one.strip())
            if not plain:
                raise Unreadable(text)
            made = self.pointed(base, const, plain[1])
            made.count = int(plain[3]) if plain[3] else None
            out.append((plain[2], made))
        return out

    @staticmethod
    def pointed(base, const, stars):
        made = Type(base, const)
        made.pointers = ["const" in star for star in re.findall(r"\*[^*]*", stars)]
        return made


def version(header):
    values = {name: value for name, value, _ in header.constants}
    return "%d.%d" % (values["ETCORE_PLUGIN_ABI_MAJOR"], values["ETCORE_PLUGIN_ABI_MINOR"])


# ---- Rust ------------------------------------------------------------------------------

RUST_HEAD = """// etcore.rs -- etcore/plugin.h %s in Rust, generated by bindings.py of etcore's SDK. Do not edit it.
// etcore/plugin.h explains each member.
#![allow(non_camel_case_types, dead_code, clippy::all)]
use std::os::raw::{c_char, c_void};

"""
RUST_TAIL = """/// A static that contains pointers to constants. It may be shared by threads, because the host only reads it.
#[repr(transparent)]
pub struct Shared<T>(pub T);
unsafe impl<T> Sync for Shared<T> {}
impl<T, const N: usize> Shared<[T; N]> {
    pub const fn first(&'static self) -> *const T {
        self as *const Self as *const T
    }
}

pub const fn size_behind<T>(_: *const T) -> usize {
    core::mem::size_of::<T>()
}

/// ETCORE_HAS: is this member inside the struct as its writer compiled it? The object is a raw pointer.
#[macro_export]
macro_rules! etcore_has {
    ($object:expr, $member:ident) => {{
        let object = $object;
        let member = core::ptr::addr_of!((*object).$member);
        (*object).size as usize >= member as usize - object as usize + $crate::etcore::size_behind(member)
    }};
}
"""


RUST_WORDS = {"type", "in", "ref", "match", "use", "fn", "mod", "move", "loop", "impl", "where", "trait", "let", "mut", "pub", "as", "box"}


def rust_type(t):
    if t.arguments is not None:
        result = Type(t.base, t.const)
        result.pointers = t.pointers
        arguments = ", ".join("%s: %s" % (rust_name(n), rust_type(a)) for n, a in t.arguments)
        returns = "" if result.base == "void" and not result.pointers else " -> " + rust_type(result)
        return "Option<unsafe extern \"C\" fn(%s)%s>" % (arguments, returns)
    text, const = {"void": "c_void", "char": "c_char"}.get(t.base, t.base), t.const
    for pointer_is_const in t.pointers:
        text = ("*const " if const else "*mut ") + text
        const = pointer_is_const
    return "[%s; %d]" % (text, t.count) if t.count else text


def rust_name(name):
    return {"self": "this"}.get(name, "r#" + name if name in RUST_WORDS else name)


def rust_empty(t):
    if t.arguments is not None:
        text = "None"
    elif t.pointers:
        const = (t.pointers[-2] if len(t.pointers) > 1 else t.const)
        text = "core::ptr::null%s()" % ("" if const else "_mut")
    else:
        text = {"f32": "0.0", "f64": "0.0", "char": "0"}.get(t.base, "0" if t.base in INTEGERS.values() else t.base + "::EMPTY")
    return "[%s; %d]" % (text, t.count) if t.count else text


def rust(header):
    out = RUST_HEAD % version(header)
    for name, base in header.names.items():
        out += "pub type %s = %s;\n" % (name, base)
    for name, value, kind in header.constants:
        out += "pub const %s: %s = %d;\n" % (name, kind, value)
    for name, members in header.structs:
        names = [(rust_name(n), t) for n, t in members]
        out += "\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct %s {\n" % name
        out += "".join("    pub %s: %s,\n" % (n, rust_type(t)) for n, t in names)
        out += "}\nunsafe impl Sync for %s {}\nimpl %s {\n    /// Every member 0: for those that are not set.\n" % (name, name)
        out += "    pub const EMPTY: Self = Self {\n"
        out += "".join("        %s: %s,\n" % (n, rust_empty(t)) for n, t in names) + "    };\n}\n"
    return out + "\n" + RUST_TAIL


# ---- Zig -------------------------------------------------------------------------------

ZIG_HEAD = """// etcore.zig -- etcore/plugin.h %s in Zig, generated by bindings.py of etcore's SDK. Do not edit it.
// etcore/plugin.h explains each member. A member that is not set is 0.

"""
ZIG_TAIL = """
/// ETCORE_HAS: is this member inside the struct as its writer compiled it?
pub fn has(object: anytype, comptime member: []const u8) bool {
    const T = @TypeOf(object.*);
    const behind = @offsetOf(T, member) + @sizeOf(@TypeOf(@field(object.*, member)));
    return object.size >= behind;
}
"""


ZIG_WORDS = {"type", "error", "align", "export", "null", "test", "var", "fn", "pub", "and", "or", "opaque", "suspend", "resume"}


def zig_type(t):
    if t.arguments is not None:
        result = Type(t.base, t.const)
        result.pointers = t.pointers
        arguments = ", ".join("%s: %s" % (zig_name(n), zig_type(a)) for n, a in t.arguments)
        return "?*const fn (%s) callconv(.c) %s" % (arguments, zig_type(result))
    text, const = {"void": "anyopaque" if t.pointers else "void", "char": "u8"}.get(t.base, t.base), t.const
    for pointer_is_const in t.pointers:
        star = "?*" if text == "anyopaque" else "[*c]"
        text = star + ("const " if const else "") + text
        const = pointer_is_const
    return "[%d]%s" % (t.count, text) if t.count else text


def zig_name(name):
    return '@"%s"' % name if name in ZIG_WORDS else name


def zig_empty(t):
    text = "null" if t.pointers or t.arguments is not None else "0" if t.base in set(SCALARS.values()) | {"char"} else ".{}"
    return "@splat(%s)" % text if t.count else text


def zig(header):
    out = ZIG_HEAD % version(header)
    for name, base in header.names.items():
        out += "pub const %s = %s;\n" % (name, base)
    for name, value, kind in header.constants:
        out += "pub const %s: %s = %d;\n" % (name, kind, value)
    for name, members in header.structs:
        out += "\npub const %s = extern struct {\n" % name
        out += "".join("    %s: %s = %s,\n" % (zig_name(n), zig_type(t), zig_empty(t)) for n, t in members) + "};\n"
    return out + ZIG_TAIL


LANGUAGES = {"rust": rust, "zig": zig}


def read(path):
    with open(path, encoding="utf-8") as f:
        return Header(f.read())


def main(arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    # In the source tree the header is beside this script; the installed script is in share/etcore of the prefix.
    beside = [os.path.join(here, up, "include", "etcore", "plugin.h") for up in ("..", os.path.join("..", ".."))]
    path = arguments[1] if len(arguments) == 2 else next((p for p in beside if os.path.exists(p)), None)
    if not 1 <= len(arguments) <= 2 or arguments[0] not in LANGUAGES or not path:
        print(__doc__.split("\n\n")[0], file=sys.stderr)
        return 2
    try:
        sys.stdout.write(LANGUAGES[arguments[0]](read(path)))
    except OSError as e:
        print("bindings.py: %s" % e, file=sys.stderr)
        return 2
    except Unreadable as e:
        print("bindings.py: %s: not understood: %s" % (path, e), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

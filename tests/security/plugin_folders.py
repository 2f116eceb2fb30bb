#!/usr/bin/env python3
"""plugin_folders.py BUILD -- etcore must not run a plugin if others can change it or any folder on its path, and must run
it if nobody else can. A plugin that the user names by its path is run with a warning.

Root creates files of other users; another user sees such files in a user namespace, or the test prints what it could not
test (status 77).
"""

import grp
import os
import pwd
import shutil
import stat
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import some  # noqa: E402

OTHER = 54321  # an unknown user and group
SKIPPED = 77
VERBS = ("everybody may write to", "belongs to another user", "others of its group may write to")
wrong, skipped, tried = [], [], 0


class Scene:
    """A plugin top/above/plugins/mine.so, with safe owners and modes."""

    def __init__(self, build):
        self.etcore = os.path.join(build, "etcore")
        self.so = os.path.join(build, "plugins", "kleidiai.so")
        self.top = tempfile.mkdtemp(prefix="etcore-trust-")
        os.chmod(self.top, 0o755)
        # Other users may be unable to enter the folder of the checkout (such as /root), so the program is copied.
        os.mkdir(self.path("bin"))
        self.copy = shutil.copy(self.etcore, self.path("bin"))
        self.again()

    def again(self):
        shutil.rmtree(os.path.join(self.top, "above"), ignore_errors=True)
        shutil.rmtree(os.path.join(self.top, "else"), ignore_errors=True)
        for folder in ("above", "above/plugins", "else"):
            os.mkdir(self.path(folder))
            os.chmod(self.path(folder), 0o755)
        shutil.copyfile(self.so, self.path("above/plugins/mine.so"))
        os.chmod(self.path("above/plugins/mine.so"), 0o644)

    def path(self, name):
        return os.path.join(self.top, name)

    def ask(self, words, env, as_user=None):
        command = [self.copy if as_user else self.etcore, "plugins", *words, "-o", "json"]
        if as_user:
            uid, gid = as_user
            command = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", *command]
        return subprocess.run(command, env={"PATH": os.environ["PATH"], "HOME": self.top, **env}, capture_output=True, text=True,
                              timeout=60, cwd=self.top, check=False)

    def expect(self, what, code, why, folder="above/plugins", as_user=None):
        """The folder's plugin must be listed (code None), or skipped with the code and the reason. Named by its path it
        must run, with W0621 and the same reason."""
        global tried
        tried += 1
        folder = self.path(folder)
        file = os.path.join(folder, "mine.so")
        r = self.ask([], {"ETCORE_PLUGIN_PATH": folder}, as_user)
        listed = f'"{file}"' in r.stdout
        if code is None and (not listed or r.stderr):
            wrong.append(f"{what}: is not listed: {r.stderr}")
        if code and (listed or f"warning[{code}]" not in r.stderr or why not in r.stderr):
            wrong.append(f"{what}: expected {code}, {why!r}, {'is listed' if listed else 'is not'}: {r.stderr}")
        named = self.ask(["info", file], {}, as_user)
        sticky = what.startswith("itself")  # in a sticky folder only the file itself counts
        if named.returncode != 0 or '"kleidiai"' not in named.stdout:
            wrong.append(f"{what}: named, it is not run: {named.stderr}")
        warned = bool(code) and not sticky
        verb = next((v for v in VERBS if v in why), "")
        if warned != ("warning[W0621]" in named.stderr) or (warned and not (verb and verb in named.stderr)):
            wrong.append(f"{what}: named: {named.stderr}")
        self.again()


def modes(s):
    p = s.path
    s.expect("all safe", None, "")
    os.chmod(p("above/plugins/mine.so"), 0o666)
    s.expect("a file of mode 0666", "W0620", "everybody may write to it")
    os.chmod(p("above/plugins"), 0o777)
    s.expect("a folder of mode 0777", "W0619", "everybody may write to it")
    os.chmod(p("above"), 0o777)
    s.expect("a folder below one of mode 0777", "W0619", f"everybody may write to {p('above')}")
    os.chmod(p("above"), 0o1777)
    s.expect("a folder below one as /tmp", None, "")
    os.chmod(p("above/plugins"), 0o1777)
    s.expect("itself as /tmp", "W0619", "everybody may write to it")
    os.rename(p("above/plugins"), p("else/plugins"))
    os.symlink("../else/plugins", p("above/plugins"))
    s.expect("a link", None, "")
    os.rename(p("above/plugins"), p("else/plugins"))
    os.symlink(p("else/plugins"), p("above/plugins"))
    os.chmod(p("else"), 0o777)
    s.expect("a link into a folder of mode 0777", "W0619", f"everybody may write to {p('else')}")
    os.rename(p("above/plugins/mine.so"), p("else/other.so"))
    os.symlink("../../else/./other.so", p("above/plugins/mine.so"))
    s.expect("a file that is a link", None, "")
    os.rename(p("above/plugins/mine.so"), p("else/other.so"))
    os.symlink("../../else/other.so", p("above/plugins/mine.so"))
    os.chmod(p("else/other.so"), 0o666)
    s.expect("a file that is a link to one of mode 0666", "W0620", f"everybody may write to {p('else/other.so')}")
    os.rename(p("above/plugins/mine.so"), p("else/other.so"))
    os.symlink(p("else/other.so"), p("above/plugins/mine.so"))
    os.chmod(p("else"), 0o777)
    s.expect("a file that is a link into a folder of mode 0777", "W0620", f"everybody may write to {p('else')}")
    s.expect("a way up and down", None, "", "above/../else/.././above/plugins")


def libraries(s):
    """Libraries that a plugin's DT_RUNPATH and DT_NEEDED load must be safe too."""
    p = s.path
    if not shutil.which("cc"):
        skipped.append("libraries of plugins: no compiler")
        return
    for name, text in (("own", "int own_library(void) { return 1; }"), ("mine", "const int etcore_plugin_v1 = 1;")):
        with open(p(name + ".c"), "w", encoding="ascii") as f:
            f.write(text)
        subprocess.run(["cc", "-c", "-fPIC", "-o", p(name + ".o"), p(name + ".c")], check=True)

    def link(name, run_path, words):
        subprocess.run(["cc", "-shared", "-o", p(name), p("mine.o"), "-Wl,--no-as-needed", *words, *([f"-Wl,-rpath,{run_path}"] if run_path else [])],
                       check=True)

    def expect(what, why, run_path, mode=0o755, lib_mode=0o644, absent=False, path=False, by=None, below=None):
        global tried
        tried += 1
        os.chmod(p("else"), 0o755)
        subprocess.run(["cc", "-shared", "-o", p("else/libown.so"), p("own.o"), *([] if path else ["-Wl,-soname,libown.so"])], check=True)
        link("above/plugins/mine.so", run_path, [f"-Wl,{by},{p('else/libown.so')}" if by else p("else/libown.so")])
        os.chmod(p("above/plugins/mine.so"), 0o644)
        os.chmod(p("else/libown.so"), lib_mode)
        os.chmod(p("else"), mode)
        if absent:
            shutil.rmtree(p("else"))
        if below:
            os.makedirs(p("else/glibc-hwcaps"))
            os.mkdir(p("else/glibc-hwcaps/x86-64-v3"))
            os.chmod(p("else/glibc-hwcaps/x86-64-v3"), below)
        r = s.ask([], {"ETCORE_PLUGIN_PATH": p("above/plugins")})
        named = s.ask(["info", p("above/plugins/mine.so")], {})
        for code, text in (("W0620", r.stderr), ("W0621", named.stderr)):
            if bool(why) != (f"warning[{code}]" in text and "it needs libraries from" in text and why in text):
                wrong.append(f"libraries: {what}: {code}: {text}")
        s.again()

    for scene in some([
            (("all safe", "", p("else")), {}),
            (("by $ORIGIN, all safe", "", "$ORIGIN/../../else"), {}),
            (("a folder of mode 0777", "everybody may write to", p("else"), 0o777), {}),
            (("by $ORIGIN, a folder of mode 0777", "everybody may write to", "$ORIGIN/../../else", 0o777), {}),
            (("by ${ORIGIN}, second of two", "everybody may write to", "/usr/lib:${ORIGIN}/../../else", 0o777), {}),
            (("a library of mode 0666", "everybody may write to", p("else"), 0o755, 0o666), {}),
            (("a path of its own, safe", "", ""), {"path": True}),
            (("a path of its own, mode 0666", "everybody may write to", "", 0o755, 0o666), {"path": True}),
            (("the current folder", "the current folder is any", "lib"), {}),
            (("what it is an auxiliary filter of, safe", "", ""), {"by": "-f"}),
            (("what it is an auxiliary filter of, mode 0666", "everybody may write to", "", 0o755, 0o666), {"by": "-f"}),
            (("what it is a filter of, mode 0666", "everybody may write to", "", 0o755, 0o666), {"by": "-F"}),
            (("a folder for the processor, safe", "", p("else")), {"below": 0o755}),
            (("a folder for the processor, mode 0777", "everybody may write to", p("else")), {"below": 0o777}),
            (("$LIB", "cannot be known", "$ORIGIN/$LIB"), {}),
            (("a folder that is not there", "", p("else/not")), {"absent": True}),
            (("a folder that is not there, in /tmp", "others may make", "/tmp/etcore-nobody-made-this/lib"), {})], 3):
        expect(*scene[0], **scene[1])


def access_list(s):
    """A folder with the access control list that `setfacl -m u:54321:rwx FOLDER` writes must not be trusted."""
    entries = ((1, 7, 0xffffffff), (2, 7, OTHER), (4, 5, 0xffffffff), (16, 7, 0xffffffff), (32, 5, 0xffffffff))
    value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in entries)
    for name, code, it in (("above/plugins", "W0619", "it"), ("above", "W0619", s.path("above"))):
        try:
            os.setxattr(s.path(name), "system.posix_acl_access", value)
        except OSError as e:
            skipped.append(f"access lists: {e}")
            return
        os.chown(s.path(name), -1, os.getgid())
        s.expect(f"{name} with an access list", code, f"others of its group may write to {it}")


def relative(s):
    """--plugin with a path relative to the current folder, which is unsafe."""
    global tried
    tried += 1
    os.chmod(s.path("above/plugins"), 0o777)
    r = subprocess.run([s.etcore, "plugins", "info", "./mine.so"], cwd=s.path("above/plugins"), capture_output=True, text=True, check=False)
    if r.returncode != 0 or "warning[W0621]" not in r.stderr or f"everybody may write to {s.path('above/plugins')}" not in r.stderr:
        wrong.append(f"a path from the current folder: {r.returncode} {r.stderr}")
    r = subprocess.run([s.etcore, "plugins", "info", "./mine.so", "--strict"], cwd=s.path("above/plugins"), capture_output=True, text=True, check=False)
    if r.returncode != 2 or "W0621" not in r.stderr:
        wrong.append(f"a path from the current folder, --strict: {r.returncode} {r.stderr}")
    s.again()


def others(s):
    """Run as root: files that other users or groups can change are not trusted."""
    p = s.path
    for name, code, it in (("above/plugins/mine.so", "W0620", "it"), ("above/plugins", "W0619", "it"), ("above", "W0619", p("above"))):
        os.chown(p(name), OTHER, OTHER)
        s.expect(f"{name} of another user", code, f"{it} belongs to another user")
        os.chown(p(name), 0, OTHER)
        mode = stat.S_IMODE(os.stat(p(name)).st_mode)
        os.chmod(p(name), mode | 0o020)
        s.expect(f"{name} that a foreign group may write to", code, f"others of its group may write to {it}")
        os.chown(p(name), 0, OTHER)
        s.expect(f"{name} that a foreign group may read", None, "")
        os.chmod(p(name), mode | 0o020)
        s.expect(f"{name} that root's group may write to", None, "")
    os.chmod(p("above"), 0o1777)
    os.chown(p("above"), OTHER, OTHER)
    s.expect("below a folder as /tmp of another user", "W0619", f"{p('above')} belongs to another user")
    os.rename(p("above/plugins/mine.so"), p("else/other.so"))
    os.chown(p("else"), OTHER, OTHER)
    os.symlink(p("else/other.so"), p("above/plugins/mine.so"))
    s.expect("a link into a folder of another user", "W0620", f"{p('else')} belongs to another user")
    os.chmod(p("above"), 0o1777)
    os.rename(p("above/plugins"), p("else/plugins"))
    os.symlink(p("else/plugins"), p("above/plugins"))
    os.chown(p("above/plugins"), OTHER, OTHER, follow_symlinks=False)
    s.expect("a link of another user", "W0619", f"the link {p('above/plugins')} belongs to another user")


def own_groups(s):
    """Run as root: the private group of a user counts as the user; a group with other members does not."""
    alone = [u for u in pwd.getpwall() if u.pw_uid > 0 and u.pw_uid == u.pw_gid and 1 == sum(v.pw_gid == u.pw_gid for v in pwd.getpwall())]
    alone = [u for u in alone if any(g.gr_gid == u.pw_gid and set(g.gr_mem) <= {u.pw_name} for g in grp.getgrall())]
    if len(alone) < 2:
        skipped.append("groups of one user: /etc/passwd has none")
        return
    me, you = alone[:2]
    for group, code in ((me.pw_gid, None), (you.pw_gid, "W0619")):
        os.chown(s.path("above"), me.pw_uid, group)
        os.chown(s.path("above/plugins"), me.pw_uid, me.pw_gid)
        os.chmod(s.path("above"), 0o775)
        s.expect(f"a folder of {me.pw_name} that group {group} may write to", code, f"others of its group may write to {s.path('above')}",
                 as_user=(me.pw_uid, me.pw_gid))
    os.chown(s.path("above/plugins/mine.so"), me.pw_uid, me.pw_gid)
    s.expect("a file of the user in folders of root", None, "", as_user=(me.pw_uid, me.pw_gid))
    os.chown(s.path("above/plugins/mine.so"), you.pw_uid, me.pw_gid)
    s.expect("a file of another user, as a user", "W0620", "it belongs to another user", as_user=(me.pw_uid, me.pw_gid))


def namespace(s):
    """Run as a user: in a user namespace root's folders appear to belong to nobody."""
    global tried
    tried += 1
    r = subprocess.run(["unshare", "-r", s.etcore, "plugins", "-o", "json"], env={**os.environ, "ETCORE_PLUGIN_PATH": "/usr"}, capture_output=True,
                       text=True, check=False)
    if "Operation not permitted" in r.stderr or r.returncode:
        skipped.append(f"files of other users: neither root nor a user namespace: {r.stderr.strip()}")
    elif "warning[W0619]" not in r.stderr or "belongs to another user" not in r.stderr:
        wrong.append(f"in a namespace: {r.stderr}")


def main():
    s = Scene(os.path.abspath(sys.argv[1]))
    parts = [modes, libraries, relative, access_list] + ([others, own_groups] if os.getuid() == 0 else [namespace])
    for part in parts:
        part(s)
    shutil.rmtree(s.top)
    print("\n".join(wrong + [f"not seen: {what}" for what in skipped]))
    print(f"{tried} scenes, {len(wrong)} wrong, {len(skipped)} kinds not seen")
    return 1 if wrong else SKIPPED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())

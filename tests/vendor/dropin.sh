#!/bin/sh
# dropin.sh BUILD -- a vendor's package adds acme.so to the plugin folder and acme.ini to etcore.d/ of an
# installed etcore, and changes no other file. Its features must work; and after both files are removed, each
# command must print the same bytes as before.
set -eu
build=$(cd "$1" && pwd)
# A real run of XNNPACK, with the record of its program.
REAL=$PWD/tests/data/cases/mlp_xnnpack/run.etdump
RECORD=$PWD/tests/data/cases/mlp_xnnpack/model.etrecord
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch/home
export HOME
mkdir "$HOME"
unset XDG_CONFIG_HOME XDG_DATA_HOME ETCORE_PLUGIN_PATH ETCORE_CONFIG CFLAGS LDFLAGS 2>/dev/null || true

fail() {
	echo "dropin.sh: $*" >&2
	exit 1
}

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
etcore=$scratch/prefix/bin/etcore
folder=$(find "$scratch/prefix" -type d -path '*/etcore/plugins/1')
[ -d "$folder" ] || fail "no plugin folder in the prefix"
cd "$scratch"
"$etcore" plugins new acme >/dev/null
make -s -C acme INCLUDE="$scratch/prefix/include" || fail "make"
mkdir package
cp acme/acme.so package/
cat >package/acme.ini <<INI
[plugin.acme]
ticks_per_second = 25000000
[backend.AcmeBackend]
column.acme_word = name ~ "^acc:([a-z0-9_]+)" : str : set
[backend.XnnpackBackend]
category.reduction = ^Fully Connected
column.acme_layout = name ~ "[(]([A-Z]+), " : str : set
INI

# Text, JSON and the Inspector's table of a real run and of the vendor's own run.
ask() {
	mkdir "$1"
	"$etcore" analyze "$REAL" -r "$RECORD" >"$1/real.txt" 2>"$1/real.err"
	"$etcore" analyze "$REAL" -o json >"$1/real.json" 2>>"$1/real.err"
	"$etcore" analyze "$REAL" --events -o csv >"$1/real.csv" 2>>"$1/real.err"
	"$etcore" inspector --etdump_path "$REAL" --etrecord_path "$RECORD" >"$1/real.inspector" 2>>"$1/real.err"
	"$etcore" inspector --etdump_path "$REAL" --include-delegate-debug-data yes -o tsv >"$1/real.tsv" 2>>"$1/real.err"
	"$etcore" analyze acme/run.etdump >"$1/own.txt" 2>"$1/own.err"
	"$etcore" analyze acme/run.etdump -o json >"$1/own.json" 2>>"$1/own.err"
	"$etcore" inspector --etdump_path acme/run.etdump >"$1/own.inspector" 2>>"$1/own.err"
	"$etcore" plugins >"$1/plugins.txt"
	"$etcore" config >"$1/config.txt"
}
# The checksum of every file of the prefix: the package may add two files and change none.
state() {
	(cd "$scratch/prefix" && find . -type f ! -name acme.so ! -name acme.ini -exec cksum {} + | sort)
}

ask before
state >before.state
mkdir -p prefix/etc/etcore/etcore.d
cp package/acme.so "$folder/"
cp package/acme.ini prefix/etc/etcore/etcore.d/
ask with
state | diff before.state - || fail "files of etcore have changed"

# The package adds its plugin for its own backend, its columns, and rules for another backend.
grep -q '^acme .*AcmeBackend' with/plugins.txt || fail "the plugin is not listed"
grep -q '"cycles": [0-9]' with/own.json || fail "the plugin's columns are missing"
grep -q '"acme_word": \["conv2d"\]' with/own.json || fail "the columns of acme.ini are missing"
grep -q 'conv2d' with/own.txt || fail "the plugin's names are missing"
grep -q '"category": "gemm"' with/real.json || fail "XNNPACK's own categories are lost"
grep -q '"acme_layout": \["NC"\]' with/real.json || fail "the column for XNNPACK is missing"
cmp -s before/own.json with/own.json && fail "the package changes nothing"
# The Inspector's answer must not change, because it does not use plugins that are merely installed.
for f in real.inspector real.tsv own.inspector; do
	cmp "before/$f" "with/$f" || fail "$f changes with what is installed"
done

rm "$folder/acme.so" prefix/etc/etcore/etcore.d/acme.ini
rmdir prefix/etc/etcore/etcore.d
ask after
diff -r before after || fail "something is left"

# The same for a single user, next to the user's own configuration, in a prefix that was moved.
mv prefix moved
etcore=$scratch/moved/bin/etcore
mkdir -p "$HOME/.local/share/etcore/plugins" "$HOME/.config/etcore/etcore.d"
printf '[etcore]\ncolor = never\n' >"$HOME/.config/etcore/etcore.ini"
ask user
cp package/acme.so "$HOME/.local/share/etcore/plugins/"
cp package/acme.ini "$HOME/.config/etcore/etcore.d/"
ask user_with
grep -q '"acme_word": \["conv2d"\]' user_with/own.json || fail "a user's own package is not found"
rm "$HOME/.local/share/etcore/plugins/acme.so" "$HOME/.config/etcore/etcore.d/acme.ini"
ask user_after
diff -r user user_after || fail "something is left in the user's folders"
echo "two files in, two files out: $(ls before | wc -l) answers are what they were"

#!/bin/sh
# abi.sh PLUGIN_FOLDER -- tests that the plugin ABI is unchanged: the header compiles alone in
# every dialect that a vendor may use; its layout is that of layout_1_0.c (and of each layout_1_n.c that
# a later version added); sources of 1.0 compile with it; and each
# plugin exports only etcore_plugin_v1 and imports nothing of etcore.
set -u
cd "$(dirname "$0")/../.."
plugins=$1
bad=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# compile COMPILER DIALECT LANGUAGE FILE [OPTION]
compile() {
	"$1" "-std=$2" -x "$3" -Wall -Wextra -Wpedantic -Werror ${5-} -Isdk/include -c "$4" -o "$scratch/o" || {
		echo "$4 does not compile with $1 -std=$2" >&2
		bad=1
	}
}

echo '#include "etcore/plugin.h"' >"$scratch/alone.c"
# Offsets do not show types, so the frozen plugins are compiled with today's header in place of the
# frozen one.
cp tests/plugins/abi1_frozen/frozen.c "$scratch/frozen.c"
cp tests/plugins/abi1_1_frozen/frozen.c "$scratch/frozen_1_1.c"
cp sdk/include/etcore/plugin.h "$scratch/plugin.h"
tried=
for cc in gcc clang; do
	command -v $cc >/dev/null || { echo "not tried: $cc is not installed"; continue; }
	for std in c99 c11 c17 gnu11; do
		compile $cc $std c "$scratch/alone.c"
	done
	for std in c++11 c++14 c++17 c++20; do
		compile $cc $std c++ "$scratch/alone.c"
	done
	for layout in tests/abi/layout_[0-9]*.c; do
		compile $cc c11 c "$layout"
		compile $cc c++17 c++ "$layout"
	done
	# Positional initializers omit members that were appended later.
	compile $cc c11 c "$scratch/frozen.c" -Wno-missing-field-initializers
	compile $cc c11 c "$scratch/frozen_1_1.c" -Wno-missing-field-initializers
	tried="$tried $cc"
done
[ -n "$tried" ] || { echo "no compiler" >&2; bad=1; }

# Every struct member and constant of the header must have a row in the layout file.
sed 's|/\*.*\*/||' sdk/include/etcore/plugin.h |
	sed -n 's/^#define \(ETCORE_[A-Z0-9_]*\) *(\{0,1\}-\{0,1\}[0-9].*/\1/p' |
	while read -r name; do
		[ "$name" = ETCORE_PLUGIN_ABI_MINOR ] && continue # changes with each version
		cat tests/abi/layout_[0-9]*.c | grep -q "^VALUE($name," || echo "no row in layout_1_*.c for $name"
	done >"$scratch/missing"
sed -n 's/^struct \(etcore_[a-z_]*\) {$/\1/p' sdk/include/etcore/plugin.h | while read -r name; do
	cat tests/abi/layout_[0-9]*.c | grep -q "^[SF][A-Z]*($name," || echo "no row in layout_1_*.c for struct $name"
done >>"$scratch/missing"
if [ -s "$scratch/missing" ]; then
	cat "$scratch/missing" >&2
	bad=1
fi

count=0
for so in "$plugins"/*.so; do
	[ -e "$so" ] || break
	count=$((count + 1))
	exported=$(nm -D --defined-only "$so" | awk '{print $3}' | grep -v '^__odr_asan' | sort | tr '\n' ' ')
	if [ "$exported" != "etcore_plugin_v1 " ]; then
		echo "$so exports: $exported" >&2
		bad=1
	fi
	needed=$(nm -D --undefined-only "$so" | awk '{print $NF}' | grep -E '^(etc_|etcore_)' | tr '\n' ' ')
	if [ -n "$needed" ]; then
		echo "$so needs of ours: $needed" >&2
		bad=1
	fi
done
[ $count -gt 0 ] || { echo "no plugin in $plugins" >&2; bad=1; }
[ $bad -eq 0 ] && echo "header and layout compile with$tried; $count plugins export etcore_plugin_v1 alone"
exit $bad

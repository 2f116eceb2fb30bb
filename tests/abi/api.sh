#!/bin/sh
# api.sh LIBRARY -- tests that the public C API is unchanged: etcore.h compiles alone and together with
# plugin.h in every dialect; its layout is that of layout_api.c; and LIBRARY
# exports exactly the functions that the header declares and etcore.symbols lists.
set -u
cd "$(dirname "$0")/../.."
library=$1
bad=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
	echo "$*" >&2
	bad=1
}

# compile COMPILER DIALECT LANGUAGE FILE
compile() {
	"$1" "-std=$2" -x "$3" -Wall -Wextra -Wpedantic -Werror -Isdk/include -c "$4" -o "$scratch/o" ||
		fail "$4 does not compile with $1 -std=$2"
}

cat >"$scratch/alone.c" <<'END'
#include "etcore/etcore.h"
struct etcore_diagnostic diagnostic = ETCORE_DIAGNOSTIC;
END
cat >"$scratch/both.c" <<'END'
#include "etcore/plugin.h"
#include "etcore/etcore.h"
#include "etcore/arrow.h"
END
tried=
for cc in gcc clang; do
	command -v $cc >/dev/null || { echo "not tried: $cc is not installed"; continue; }
	for file in alone both; do
		for std in c99 c11 c17 gnu11; do
			compile $cc $std c "$scratch/$file.c"
		done
		for std in c++11 c++14 c++17 c++20; do
			compile $cc $std c++ "$scratch/$file.c"
		done
	done
	compile $cc c11 c tests/abi/layout_api.c
	compile $cc c++17 c++ tests/abi/layout_api.c
	tried="$tried $cc"
done
[ -n "$tried" ] || fail "no compiler"

# Every struct and constant of the header must have a row in the layout file.
sed -n 's|^#define \(ETCORE_[A-Z0-9_]*\) *-\{0,1\}[0-9].*|\1|p' sdk/include/etcore/etcore.h |
	while read -r name; do
		grep -q "^VALUE($name," tests/abi/layout_api.c || echo "no row in layout_api.c for $name"
	done >"$scratch/missing"
sed -n 's/^struct \([A-Za-z_]*\) {$/\1/p' sdk/include/etcore/etcore.h | while read -r name; do
	grep -q "^[SF][A-Z]*($name," tests/abi/layout_api.c || echo "no row in layout_api.c for struct $name"
done >>"$scratch/missing"
[ -s "$scratch/missing" ] && fail "$(cat "$scratch/missing")"

# The declared, listed and exported functions must be the same.
tr '\n' ' ' <sdk/include/etcore/etcore.h | grep -oE 'ETCORE_API [^;()]*\(' | grep -oE 'etcore_[a-z0-9_]+\(' |
	tr -d '(' | sort >"$scratch/declared"
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
	grep -v '^__odr_asan' | sort >"$scratch/exported"
sort tests/abi/etcore.symbols | diff - "$scratch/declared" >&2 ||
	fail "etcore.h does not declare what tests/abi/etcore.symbols lists (a function is added to both, never removed)"
diff "$scratch/declared" "$scratch/exported" >&2 || fail "$library does not export what etcore.h declares"

major=$(sed -n 's/^#define ETCORE_API_MAJOR \([0-9]*\)u$/\1/p' sdk/include/etcore/etcore.h)
readelf -d "$library" | grep -q "SONAME.*\[libetcore\.so\.$major\]" || fail "SONAME is not libetcore.so.$major"
[ $bad -eq 0 ] && echo "etcore.h compiles with$tried; $library exports its $(grep -c . "$scratch/exported") functions alone"
exit $bad

#!/usr/bin/env bash
# kit.sh BUILD -- tests the vendor kit in every language and with every way to build that it offers: a project made with
# only an installed etcore must build, pass the checks (--level strict) and its tests; and the bindings must have C's
# layouts. A missing compiler is reported as SKIPPED with the reason, and gives status 77, never success. ETCORE_ZIG names a
# zig; by default the version in release/sources.txt comes from PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
skipped=() done=()

fail() {
	echo "kit.sh: $*"
	exit 1
}

quiet() {
	"$@" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; fail "failed: $*"; }
}

skip() {
	echo "SKIPPED $*"
	skipped+=("${1%:}")
}

# zig_of: sets $zig to the command, or $reason to why there is none.
zig_of() {
	local version venv=build/venv-zig
	zig=${ETCORE_ZIG:-} reason=
	[ -z "$zig" ] || return 0
	version=$(awk '$1 == "zig" { print $2 }' release/sources.txt)
	if ! "$venv/bin/python" -m ziglang version 2>/dev/null | grep -qxF "$version"; then
		rm -rf "$venv"
		python3 -m venv "$venv" >"$scratch/log" 2>&1 || { reason="python3 -m venv does not work: install python3-venv"; return; }
		"$venv/bin/pip" install -q --disable-pip-version-check "ziglang==$version" >"$scratch/log" 2>&1 ||
			{ reason="pip could not install ziglang $version: $(tail -n 1 "$scratch/log")"; rm -rf "$venv"; return; }
	fi
	zig="$root/$venv/bin/python -m ziglang"
}

# checked LIBRARY: it must export one symbol, have no findings, use the sample, and pass its project's
# own test.
checked() {
	local folder
	folder=$(dirname "$(find "$scratch/work/$2" -name test.sh)")
	[ "$(nm -D --defined-only "$1" | awk '{ print $3 }')" = etcore_plugin_v1 ] || { nm -D --defined-only "$1"; fail "$1 exports more"; }
	quiet "$etcore" plugins check "$1" --level strict --sample "$folder/run.etdump"
	quiet python3 "$root/tests/plugins/abi1_host/loads.py" --etcore "$etcore" --host "$build/tests/plugins/abi1_host/abi1_host" \
		--sample "$folder/run.etdump" "$1"
	quiet env ETCORE="$etcore" sh "$folder/test.sh" "$1"
	done+=("$3")
}

# made LANGUAGE: makes ./LANGUAGE_npu for the backend Npu.$LANGUAGE; no name of the template may be left
# in it.
made() {
	quiet "$etcore" plugins new "$1_npu" --language "$1" --backend "Npu.$1"
	grep -q "is a plugin for Npu.$1;" "$scratch/log" || fail "plugins new does not name the backend"
	if grep -rIiE 'acme|@[A-Z]+@' "$1_npu"; then fail "the template's own words are left in these"; fi
	[ -s "$1_npu/README.md" ] || fail "$1 has no README"
}

cc_kit() {
	local name=$1_npu
	made "$1"
	quiet cmake -S "$name" -B "$name/build" "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror" "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"
	quiet cmake --build "$name/build"
	checked "$name/build/$name.so" "$name" "$1 with cmake"
	quiet make -C "$name"
	checked "$name/$name.so" "$name" "$1 with make"
	if ! command -v meson >/dev/null; then
		skip "$1 with meson: meson is not installed"
		return
	fi
	quiet meson setup "$name/meson" "$name" --prefix "$scratch/elsewhere"
	quiet meson compile -C "$name/meson"
	quiet meson test -C "$name/meson"
	checked "$name/meson/$name.so" "$name" "$1 with meson"
	quiet meson install -C "$name/meson"
	"$etcore" plugins | grep -q "^$name .*installed: " || fail "meson installs $name elsewhere"
	rm "$(find "$prefix" -path "*/plugins/1/$name.so")"
}

# named_kit NAME: makes a plugin with the name of a target of the build tools.
named_kit() {
	quiet "$etcore" plugins new "$1"
	quiet cmake -S "$1" -B "$1/build" "-DCMAKE_PREFIX_PATH=$prefix"
	quiet cmake --build "$1/build"
	quiet make -C "$1"
	if command -v meson >/dev/null; then
		quiet meson setup "$1/build/meson" "$1"
		quiet meson compile -C "$1/build/meson"
		quiet meson test -C "$1/build/meson"
		[ -f "$1/build/meson/$1.so" ] || fail "meson does not make $1.so"
	fi
	[ -f "$1/build/$1.so" ] && [ -f "$1/$1.so" ] || fail "$1.so was not made"
}

# other_kit LANGUAGE MAKE_VARIABLE=COMPILER
other_kit() {
	local name=$1_npu
	made "$1"
	quiet make -C "$name" "$2"
	checked "$name/$name.so" "$name" "$1"
	# `make bindings` must reproduce the file from the installed header.
	cp "$name/etcore.${3}" "$scratch/bindings"
	quiet make -C "$name" bindings
	cmp "$scratch/bindings" "$name/etcore.${3}" || fail "make bindings: another etcore.$3"
}

prefix="$scratch/a prefix with blanks"
cmake --install "$build" --prefix "$prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name etcore-plugin.pc)")
# rustup's rustc looks for its toolchain below HOME, which changes here: these variables keep the old one.
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
export PKG_CONFIG_PATH HOME="$scratch"
etcore=$prefix/bin/etcore
export ETCORE=$etcore
unset XDG_CONFIG_HOME XDG_DATA_HOME ETCORE_PLUGIN_PATH ETCORE_CONFIG CFLAGS CXXFLAGS LDFLAGS
rustc=$(command -v rustc || true)
zig_of
mkdir "$scratch/work" "$scratch/layouts"
cd "$scratch/work"

cc_kit c
cc_kit cpp
for name in test all install clean; do named_kit "$name"; done
if [ -n "$rustc" ]; then other_kit rust "RUSTC=$rustc" rs; else skip "rust: rustc is not installed"; fi
if [ -n "$zig" ]; then other_kit zig "ZIG=$zig" zig; else skip "zig: $reason"; fi
cd "$root"
python3 tests/vendor/bindings.py --layouts "$scratch/layouts" ${rustc:+--rustc "$rustc"} ${zig:+--zig "$zig"}
printf 'built, checked and tested: %s\n' "$(IFS=,; echo "${done[*]}" | sed 's/,/, /g')"
if [ ${#skipped[@]} -gt 0 ]; then
	echo "SKIPPED: ${skipped[*]}; the rest passed"
	exit 77
fi

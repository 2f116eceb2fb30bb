#!/usr/bin/env bash
# arm64.sh -- builds for AArch64 with Debian's arm64 packages, and runs unit
# tests, golden command lines, parity and isolated plugins under qemu-user. They must give the
# same bytes as on x86-64. Needs gcc-aarch64-linux-gnu, g++-aarch64-linux-gnu, qemu-user and apt.
#
# The arm64 libraries are downloaded with a separate apt configuration and
# unpacked below build-arm64/. Nothing is installed (libsimdjson-dev cannot be installed for two
# architectures), and no root is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$PWD/build-arm64
sysroot=$build-sysroot
jobs=$(nproc 2>/dev/null || echo 2)
PACKAGES="libinih-dev libinih1 zlib1g-dev zlib1g libzstd-dev libzstd1 libutf8proc-dev libutf8proc2 libsimdjson-dev libsimdjson14
	libcmocka-dev libcmocka0"

for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64 apt-get dpkg-deb; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

host=$(dpkg --print-architecture)
[ "$host" != arm64 ] || { echo "skipped: this machine is AArch64 itself: ./dev test"; exit 77; }

# Unpacks the packages once; a later run with the same list does nothing.
unpack() {
	[ "$(cat "$sysroot/packages" 2>/dev/null)" = "$PACKAGES" ] && return
	rm -rf "$sysroot"
	mkdir -p "$sysroot/apt/lists/partial" "$sysroot/apt/cache/archives/partial" "$sysroot/debs"
	local apt=(apt-get -qq -o APT::Architecture=$host -o APT::Architectures::=$host -o APT::Architectures::=arm64
		-o "Dir::State::lists=$sysroot/apt/lists" -o "Dir::Cache=$sysroot/apt/cache" -o APT::Sandbox::User=)
	"${apt[@]}" update
	(cd "$sysroot/debs" && "${apt[@]}" download $(printf '%s:arm64 ' $PACKAGES))
	for deb in "$sysroot"/debs/*.deb; do
		dpkg-deb -x "$deb" "$sysroot"
	done
	# In Debian 12 /lib is a link to /usr/lib; some packages still unpack into /lib.
	[ -d "$sysroot/lib" ] && cp -a "$sysroot/lib/." "$sysroot/usr/lib/" && rm -rf "$sysroot/lib"
	rm -rf "$sysroot/apt" "$sysroot/debs"
	echo "$PACKAGES" >"$sysroot/packages"
}

unpack
aarch64-linux-gnu-gcc -Wall -Wextra -Werror -O2 -shared -fPIC -DEMULATOR="\"$(command -v qemu-aarch64)\"" \
	-DLIBRARIES='"/usr/aarch64-linux-gnu"' -o "$sysroot/emulated.so" tests/emulated.c
cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/arm64.cmake" -DETCORE_SYSROOT="$sysroot" \
	-DETCORE_WERROR=ON >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
ninja -C "$build" -j "$jobs" >"$build.log" 2>&1 || { tail -n 40 "$build.log" >&2; exit 1; }
rm -f "$build.log"

# Wrapper scripts that run the program in the emulator, for the tests to call.
emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_PRELOAD=$sysroot/emulated.so"
printf '#!/bin/sh\nexec %s "%s/etcore" "$@"\n' "$emulator" "$build" >"$build/etcore-arm64"
chmod +x "$build/etcore-arm64"
case $(file -b "$build/etcore" 2>/dev/null || readelf -h "$build/etcore") in
*AArch64* | *aarch64*) ;;
*) echo "build-arm64/etcore is not an AArch64 program" >&2; exit 1 ;;
esac

failed=0
passed=0
# part NAME COMMAND...
part() {
	local name=$1 log="$build/$1.log"
	shift
	if "$@" >"$log" 2>&1; then
		passed=$((passed + 1))
		printf 'ok       arm64 %-8s %s\n' "$name" "$(grep -E 'passed|identical|expectations' "$log" | tail -n 1)"
	else
		failed=$((failed + 1))
		printf 'FAIL     arm64 %-8s see %s\n' "$name" "$log"
		tail -n 25 "$log" | sed 's/^/    /'
	fi
}

# The ctest tests that run under the emulator; the others need the host's tools.
unit() {
	local names
	names=$(ctest --test-dir "$build" --show-only=json-v1 | python3 -c 'import json, re, sys
tests = json.load(sys.stdin)["tests"]
print("|".join(re.escape(t["name"]) for t in tests if "qemu" in t.get("command", [""])[0]))')
	[ -n "$names" ] || { echo "no test runs under the emulator"; return 1; }
	ctest --test-dir "$build" -j "$jobs" --output-on-failure -R "^($names)\$"
}
part unit unit
part golden python3 tests/cli/run.py --etcore "$build/etcore" --wrapper "$emulator"
part parity python3 tests/parity/parity.py --etcore "$build/etcore-arm64"
part isolate python3 tests/plugins/isolate/isolate.py --etcore "$build/etcore-arm64" --folder "$build" --emulated
sed -n 's/^not seen: /         not seen under qemu-user: /p' "$build/isolate.log"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

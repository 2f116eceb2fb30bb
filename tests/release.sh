#!/usr/bin/env bash
# release.sh -- tests the promises of docs/release.md. The last commit is cloned and released twice, in
# two places and with two caches, and both releases must have the same bytes. The files must pass the tests of
# the checkout, also in bare roots of Debian; AArch64 runs under qemu-user.
#
# ETCORE_DOWNLOADS names a folder that already has the files of release/sources.txt.
# ETCORE_RELEASE names a folder in which release.sh has released this commit; then it is released only once more.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
root=$PWD work=$PWD/build-release.test
native=build/etcore sample=tests/data/sample

fail() {
	echo "$*"
	exit 1
}

# quiet COMMAND...: shows the command's output only if it fails.
quiet() {
	"$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "failed: $*"; }
}

for tool in qemu-aarch64 aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ dpkg-deb readelf lintian; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
rm -rf --one-file-system "$work"
mkdir -p "$work"

# released CLONE FOLDER: releases from a clean clone.
released() {
	git clone --quiet . "$1"
	mkdir -p "$2"
	[ -z "${ETCORE_DOWNLOADS:-}" ] || ln -s "$(cd "$ETCORE_DOWNLOADS" && pwd)" "$2/downloads"
	quiet "$1/release/release.sh" "$2"
	(cd "$1" && [ -z "$(git status --porcelain)" ]) || fail "a release changes the checkout"
}

# somewhere_else: releases in a clone whose name a shell would split, and with settings of other builds
# in the environment.
somewhere_else() (
	export CFLAGS=-Os CPATH=$work LDFLAGS=-Wl,-z,norelro CMAKE_BUILD_TYPE=Debug TAR_OPTIONS=--mode=0600
	released "$work/a clone" "$work/second"
	! "$work/a clone/release/release.sh" >"$work/log" 2>&1 && grep -q 'name another folder' "$work/log" || fail "a path with spaces is tried"
)

reproducible() {
	first=${ETCORE_RELEASE:-}
	if [ -z "$first" ]; then
		first=$work/first/build-release
		released "$work/first" "$first"
	fi
	somewhere_else
	diff -r "$first/dist" "$work/second/dist" || fail "the same commit, other bytes"
	dist=$first/dist
	(cd "$dist" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS is wrong"
	[ "$(cd "$dist" && ls | wc -l)" = 9 ] && [ "$(wc -l <"$dist/SHA256SUMS")" = 8 ] || fail "other files than eight and their sums"
	echo "two releases have equal bytes, those for AArch64, too"
}

# Programs that the emulated program starts must run in the emulator too.
emulate() {
	aarch64-linux-gnu-gcc -O2 -shared -fPIC "-DEMULATOR=\"$(command -v qemu-aarch64)\"" -DLIBRARIES='"/usr/aarch64-linux-gnu"' \
		-o "$work/emulated.so" tests/emulated.c
	emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_PRELOAD=$work/emulated.so"
}

unpack() {
	mkdir -p "$work/a place with spaces" "$work/there" "$work/arm64" "$work/deb" "$work/deb.arm64"
	tar -xf "$dist"/etcore-*-x86_64-linux-gnu.tar.gz -C "$work/a place with spaces"
	tar -xf "$dist"/etcore-*-x86_64-linux-gnu.tar.gz -C "$work/there"
	tar -xf "$dist"/etcore-*-aarch64-linux-gnu.tar.gz -C "$work/arm64"
	dpkg-deb -x "$dist"/etcore_*_amd64.deb "$work/deb"
	dpkg-deb -x "$dist"/etcore_*_arm64.deb "$work/deb.arm64"
	spaced=$(echo "$work/a place with spaces"/etcore-*)
	there=$(echo "$work/there"/etcore-*)
	arm64=$(echo "$work/arm64"/etcore-*)
}

hardened() {
	local prefix
	for prefix in "$there" "$arm64" "$work/deb/usr" "$work/deb.arm64/usr"; do
		python3 tests/security/hardened.py "$prefix/bin/etcore" "$prefix"/lib/libetcore.so.?.*.* --plugins "$prefix"/lib/etcore/plugins/1/*.so
	done
}

# finds PREFIX ETC COMMAND...: the program in PREFIX must find the plugins and the configuration of its
# prefix.
finds() {
	local prefix=$1 etc=$2 name
	shift 2
	"$@" plugins -o json >"$work/plugins"
	for name in xnnpack kleidiai coreml ethosu nxp qnn vgf vulkan; do
		grep "\"name\":\"$name\",\"state\":\"on\"" "$work/plugins" | grep -F >/dev/null "$prefix/lib/etcore/plugins/1/$name.so" ||
			fail "$prefix does not find its plugin $name"
	done
	mkdir -p "$etc/etcore/etcore.d"
	printf '[backend.AcmeBackend]\nowner = xnnpack\n' >"$etc/etcore/etcore.d/acme.ini"
	"$@" config -o json | grep -F >/dev/null "\"origin\":\"$etc/etcore/etcore.d/acme.ini:2\"" || fail "$etc/etcore is not read"
	rm -r "$etc/etcore/etcore.d"
	"$@" analyze "$sample/run.etdump" -o json | cmp - "$work/expected" || fail "$prefix has another answer than the checkout"
}

relocatable() {
	"$native" analyze "$sample/run.etdump" -o json >"$work/expected"
	finds "$spaced" "$spaced/etc" "$spaced/bin/etcore"
	finds "$there" "$there/etc" "$there/bin/etcore"
	finds "$arm64" "$arm64/etc" $emulator "$arm64/bin/etcore"
	finds "$work/deb/usr" "$work/deb/etc" "$work/deb/usr/bin/etcore"
	finds "$work/deb.arm64/usr" "$work/deb.arm64/etc" $emulator "$work/deb.arm64/usr/bin/etcore"
	echo "five prefixes find their plugins and configuration, and have the checkout's answer"
}

# acme PREFIX NAME COMPILER: builds the plugin of docs/plugins/writing.md as a vendor does.
acme() {
	mkdir -p "$work/acme"
	sed -n '/^```c$/,/^```$/{/^```/d;p}' docs/plugins/writing.md >"$work/acme/acme.c"
	sed -n '/^```cmake$/,/^```$/{/^```/d;p}' docs/plugins/writing.md >"$work/acme/CMakeLists.txt"
	quiet cmake -S "$work/acme" -B "$work/given/$2" "-DCMAKE_PREFIX_PATH=$1" "-DCMAKE_C_COMPILER=$3"
	quiet cmake --build "$work/given/$2"
}

# takes COMMAND... PLUGIN: the plugin must load and keep its contract.
takes() {
	"${@:1:$#-1}" plugins --plugin "${!#}" -o json | grep '"name":"acme","state":"on"' | grep -F >/dev/null "${!#}" || fail "not loaded: $*"
	quiet "${@:1:$#-1}" plugins check "${!#}"
}

# says_what COMMAND... PLUGIN: a C++ exception of libstdc++ must not leave the plugin, and its text
# must be reported.
says_what() {
	"${@:1:$#-1}" analyze tests/data/backends/cases/vgf_statistics/run.etdump --plugin "${!#}" >"$work/log" 2>&1 || true
	grep -q 'plugin .throws. in probe: a C++ exception left the hook: cannot say' "$work/log" || { cat "$work/log"; fail "an exception does not end: $*"; }
}

plugins_cross() {
	mkdir -p "$work/given"
	acme "$work/deb/usr" by_deb cc
	acme "$spaced" by_tarball cc
	acme "$work/deb.arm64/usr" by_deb.arm64 aarch64-linux-gnu-gcc
	acme "$arm64" by_tarball.arm64 aarch64-linux-gnu-gcc
	takes "$spaced/bin/etcore" "$work/given/by_deb/acme.so"
	takes "$work/deb/usr/bin/etcore" "$work/given/by_tarball/acme.so"
	takes $emulator "$arm64/bin/etcore" "$work/given/by_deb.arm64/acme.so"
	takes $emulator "$work/deb.arm64/usr/bin/etcore" "$work/given/by_tarball.arm64/acme.so"
	takes build/etcore "$work/given/by_tarball/acme.so"
	for tools in "g++ $work/given/throws.so" "aarch64-linux-gnu-g++ $work/given/throws.arm64.so"; do
		${tools% *} -std=c++17 -shared -fPIC -I"$there/include" tests/plugins/host/throws.cpp -o "${tools#* }"
	done
	says_what "$there/bin/etcore" "$work/given/throws.so"
	says_what $emulator "$arm64/bin/etcore" "$work/given/throws.arm64.so"
	echo "a plugin built against the .deb loads in the tarball's program, and the other way round"
}

# The program of docs/api.md against the tarball's libetcore.
library() {
	mkdir -p "$work/slowest"
	sed -n '/^```c$/,/^```$/{/^```/d;p}' docs/api.md >"$work/slowest/slowest.c"
	cc -std=c99 -I"$there/include" "$work/slowest/slowest.c" -L"$there/lib" -Wl,--no-as-needed -letcore "-Wl,-rpath,$there/lib" \
		-o "$work/slowest/slowest" 2>"$work/log" || {
		ln -sf "$(basename "$there"/lib/libetcore.so.?)" "$there/lib/libetcore.so"
		cat "$work/log"
		fail "libetcore does not link"
	}
	"$work/slowest/slowest" tests/data/cases/mlp_xnnpack/run.etdump | grep >/dev/null 'Fully Connected (NC, F32) GEMM' ||
		fail "libetcore does not find the plugins of its prefix"
	echo "a program built against the tarball has its plugins"
}

bill() {
	python3 tests/release_sbom.py "$dist" release/sources.txt "$there" "$arm64"
}

# Checks the packages with Debian's lintian; the packages' overrides list intended deviations.
judged() {
	lintian --allow-root --fail-on error,warning "$dist"/*.deb || fail "lintian"
	echo "lintian finds nothing in the packages"
}

# given FOLDER DEB TARBALL SUFFIX: prepares the files that release_inside.sh tests, and the plugins that were built with
# SUFFIX.
given() {
	mkdir -p "$1/tests/data"
	cp -r "$sample" "$1/tests/data/"
	cp "$work/expected" "$dist"/*"$2" "$dist"/*"$3" tests/release_inside.sh "$1/"
	cp -r "$work/given/by_deb$4" "$1/by_deb"
	cp -r "$work/given/by_tarball$4" "$1/by_tarball"
	cp "$work/given/throws$4.so" "$1/throws.so"
}

# Installs with apt, and unpacks the tarball, in roots with only Debian's base; for AArch64 if the kernel can run such a
# root.
roots() {
	local suite status=0
	given "$work/inside" amd64.deb x86_64-linux-gnu.tar.gz ""
	for suite in bookworm trixie; do
		tests/root.sh $suite --given "$work/inside" ./release_inside.sh
	done
	given "$work/inside.arm64" arm64.deb aarch64-linux-gnu.tar.gz .arm64
	tests/root.sh bookworm/arm64 --given "$work/inside.arm64" ./release_inside.sh || status=$?
	[ $status = 0 ] || [ $status = 77 ] || fail "the arm64 root"
	[ $status = 0 ] && arm64_root="bookworm for AArch64" || arm64_root="not in a root for AArch64"
}

# Runs every golden command line; programs and plugins are arranged as in a build, because some commands print their
# locations. The test plugins are not built for AArch64 here, and qemu does not start programs by itself.
golden() {
	local prefix built=$work/built loads
	loads=$(grep -lE 'BUILD"?/tests' tests/cli/cases/*/cmd | sed 's|.*/cases/\(.*\)/cmd|\1|' | paste -sd '|')
	for prefix in "$there" "$arm64"; do
		rm -rf "$built"
		mkdir "$built"
		cp "$prefix/bin/etcore" "$built/"
		cp -r "$prefix"/lib/etcore/plugins/1 "$built/plugins"
		if [ "$prefix" = "$there" ]; then
			ln -s "$root/build/tests" "$built/tests"
			python3 tests/cli/run.py --etcore "$built/etcore"
		else
			python3 tests/cli/run.py --etcore "$built/etcore" --wrapper "$emulator" --without "plugins-|isolated|$loads"
		fi
	done
}

[ -x $native ] || { echo "$native is missing: ./dev build"; exit 77; }
for part in emulate reproducible unpack hardened judged relocatable plugins_cross library bill golden roots; do
	$part
done
rm -rf --one-file-system "$work"
echo "the release is reproducible, and passes here and under qemu-aarch64, in bare roots of bookworm and trixie, $arm64_root"

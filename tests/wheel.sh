#!/usr/bin/env bash
# wheel.sh -- tests what docs/install.md says about `pip install`. The wheels of the last commit are built twice,
# in two places, and must have the same bytes. They are installed for every Python 3.9 and newer that is
# found here, and in bare roots of Debian, where the sdist is built too; AArch64's wheel under qemu-user.
#
# ETCORE_DOWNLOADS names a folder that already has the files of release/sources.txt.
# ETCORE_WHEELS names a folder with wheels and sdist of this commit, which are tested as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
root=$PWD work=$PWD/build-wheel.test
AUDITWHEEL="auditwheel==6.8.2 pyelftools==0.33 packaging==26.3"

fail() {
	echo "$*"
	exit 1
}

# quiet COMMAND...: shows the command's output only if it fails.
quiet() {
	"$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "failed: $*"; }
}

# from_elsewhere COMMAND...: runs it outside the checkout, whose package Python would find first, and without a build's
# environment variables.
from_elsewhere() (
	cd "$work"
	env -u ETCORE_LIBRARY -u ETCORE_PLUGIN_PATH -u PYTHONPATH "HOME=$work" "$@"
)

# built CLONE FOLDER: builds from a clean clone.
built() {
	git clone --quiet . "$1"
	mkdir -p "$2"
	[ -z "${ETCORE_DOWNLOADS:-}" ] || ln -s "$(cd "$ETCORE_DOWNLOADS" && pwd)" "$2/downloads"
	quiet "$1/release/release.sh" --wheels "$2"
	(cd "$1" && [ -z "$(git status --porcelain)" ]) || fail "making wheels changes the checkout"
}

made() {
	wheels=${ETCORE_WHEELS:-} twice="not made twice"
	if [ -z "$wheels" ]; then
		wheels=$work/first/build-release/wheels
		built "$work/first" "$work/first/build-release"
		(
			export CFLAGS=-Os CMAKE_BUILD_TYPE=Debug SKBUILD_CMAKE_ARGS=-DETCORE_HARDEN=OFF
			built "$work/a clone" "$work/second"
		)
		diff -r "$wheels" "$work/second/wheels" || fail "the same commit, other bytes"
		twice="equal bytes when made twice"
	fi
	wheels=$(cd "$wheels" && pwd)
	(cd "$wheels" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS is wrong"
	x86_64=$(echo "$wheels"/etcore-*-py3-none-manylinux_2_28_x86_64.whl)
	aarch64=$(echo "$wheels"/etcore-*-py3-none-manylinux_2_28_aarch64.whl)
	sdist=$(echo "$wheels"/etcore-*.tar.gz)
	version=$(basename "$sdist" .tar.gz)
	[ -s "$x86_64" ] && [ -s "$aarch64" ] && [ -s "$sdist" ] || fail "not two wheels and an sdist in $wheels"
	echo "wheels: $twice"
}

# Checks the metadata of the wheels, on their own and with other tools.
judged() {
	local wheel tree arch tag file extra
	python3 -m venv "$work/auditwheel"
	quiet "$work/auditwheel/bin/pip" install -q $AUDITWHEEL
	for wheel in "$x86_64" "$aarch64"; do
		[ "$(wc -c <"$wheel")" -lt 4000000 ] || fail "$wheel has 4 MB or more"
		arch=${wheel##*_2_28_} arch=${arch%.whl} tree=$work/tree/$arch
		"$work/auditwheel/bin/auditwheel" show "$wheel" >"$work/log" 2>&1 || { cat "$work/log"; fail "auditwheel"; }
		tag=$(tr '\n' ' ' <"$work/log" | sed -n "s/.*the following platform tag: *\"manylinux_2_\([0-9]*\)_$arch\".*/\1/p")
		[ -n "$tag" ] && [ "$tag" -le 28 ] || { cat "$work/log"; fail "auditwheel says another tag"; }
		python3 -m zipfile -e "$wheel" "$tree"
		[ -z "$(find "$tree" -name '*.pyc' -o -type l -o -name '*.a')" ] || fail "$wheel has what no wheel should"
		for file in py.typed _commands.pyi include/etcore/etcore.h include/etcore/plugin.h lib/cmake/etcore/etcore-config.cmake; do
			[ -e "$tree/etcore/$file" ] || fail "$wheel has no etcore/$file"
		done
		grep -q '^== zlib ' "$tree/$version.dist-info/licenses/copyright" || fail "$wheel has not the licences of its parts"
		for extra in arrow numpy pandas; do
			grep -q "^Provides-Extra: $extra" "$tree/$version.dist-info/METADATA" || fail "no extra $extra"
		done
		! grep '^Requires-Dist' "$tree/$version.dist-info/METADATA" | grep -v 'extra ==' || fail "it asks for another package"
		python3 tests/security/hardened.py "$tree/$version.data/scripts/etcore" "$tree"/etcore/lib/libetcore.so.? \
			--plugins "$tree"/etcore/lib/etcore/plugins/1/*.so
	done
	diff <(cd "$work/tree/x86_64" && find . -type f | sort) <(cd "$work/tree/aarch64" && find . -type f | sort) || fail "other files for AArch64"
	echo "auditwheel says no more than manylinux_2_28, $(wc -c <"$x86_64") and $(wc -c <"$aarch64") bytes"
}

# works BIN PACKAGE [PYTHON]: program and library there must give the checkout's answer, with the plugins of that package.
works() {
	local bin=$1 package=$2
	from_elsewhere "$bin" plugins -o json >"$work/plugins"
	for name in xnnpack kleidiai coreml ethosu nxp qnn vgf vulkan; do
		grep "\"name\":\"$name\",\"state\":\"on\"" "$work/plugins" | grep -F >/dev/null "$package/lib/etcore/plugins/1/$name.so" ||
			fail "$bin does not find its plugin $name in $package"
	done
	from_elsewhere "$bin" analyze run.etdump -o json | cmp - "$work/expected" || fail "$bin has another answer than the checkout"
	from_elsewhere python3 "$root/tests/wheel_library.py" "$package"/lib/libetcore.so.? run.etdump expected || fail "the library of $package"
}

# Uses the class with nothing but Python installed.
imports() {
	from_elsewhere "$@" -c '
import sys, etcore
assert "site-packages" in etcore.__file__ or "target" in etcore.__file__, etcore.__file__
print(len(etcore.Inspector(etdump_path=sys.argv[1]).event_blocks))
print(etcore.analyze(sys.argv[1]))' run.etdump >"$work/log" 2>&1 && grep -q '5.01 ms per run' "$work/log" ||
		{ cat "$work/log"; fail "no import: $*"; }
}

pythons() {
	local python minor seen=
	for python in $(compgen -c python3. | grep -xE 'python3\.(9|1[0-9])' | sort -u | xargs -r -n 1 which 2>/dev/null) \
		"$HOME"/.pyenv/versions/3.*/bin/python python3; do
		minor=$("$python" -c 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
		[[ " $seen " != *" $minor "* ]] && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || continue
		seen="$seen $minor"
		local venv="$work/venv $minor"
		"$python" -m venv "$venv"
		(cd "$venv" && find . -type f -o -type l | grep -v __pycache__ | sort) >"$work/before"
		quiet "$venv/bin/python" -m pip install -q --no-index "$x86_64"
		works "$venv/bin/etcore" "$(echo "$venv"/lib/python3.*/site-packages/etcore)"
		imports "$venv/bin/python"
		[ "$(head -c 4 "$venv/bin/etcore" | tail -c 3)" = ELF ] || fail "the script is not the program itself"
		ln -sf "$venv/bin/etcore" "$work/linked"
		from_elsewhere "$work/linked" plugins -o json | grep -qF "$venv/lib/" || fail "a link to the program does not find its plugins"
		quiet "$venv/bin/python" -m pip uninstall -q -y etcore
		(cd "$venv" && find . -type f -o -type l | grep -v __pycache__ | sort) | diff "$work/before" - || fail "something stays"
	done
	[ -n "$seen" ] || fail "no Python"
	tried=${seen# }
	echo "installed, tried and uninstalled for Python $tried"
}

# pip install --target, and a folder that was moved.
target() {
	python3 -m venv "$work/plain"
	quiet "$work/plain/bin/pip" install -q --no-index --target "$work/target/first" "$x86_64"
	mv "$work/target/first" "$work/target/moved"
	works "$work/target/moved/bin/etcore" "$work/target/moved/etcore"
	imports env "PYTHONPATH=$work/target/moved" python3
}

# block LANGUAGE DOCUMENT: the first fenced block of that language.
block() {
	awk -v fence='```' -v open="\`\`\`$1" 'inside && $0 == fence { exit } inside; $0 == open { inside = 1 }' "docs/$2"
}

# Builds against the package what a vendor builds: the plugin of docs/plugins/writing.md, and the program of docs/api.md.
vendors() {
	local package name
	quiet "$work/plain/bin/pip" install -q --no-index "$x86_64"
	package=$(echo "$work"/plain/lib/python3.*/site-packages/etcore)
	mkdir -p "$work/acme" "$work/slowest"
	block c plugins/writing.md >"$work/acme/acme.c"
	block cmake plugins/writing.md >"$work/acme/CMakeLists.txt"
	block c api.md >"$work/slowest/slowest.c"
	block cmake api.md >"$work/slowest/CMakeLists.txt"
	for name in acme slowest; do
		quiet cmake -S "$work/$name" -B "$work/$name/build" "-DCMAKE_PREFIX_PATH=$package"
		quiet cmake --build "$work/$name/build"
	done
	quiet "$work/plain/bin/etcore" plugins check "$work/acme/build/acme.so"
	"$work/slowest/build/slowest" tests/data/cases/mlp_xnnpack/run.etdump | grep >/dev/null 'Fully Connected (NC, F32) GEMM' ||
		fail "a program built against the package does not find its plugins"
	echo "a plugin and a program are built against the package"
}

# Goal 1 of the bench: the time compared with a program that opens the file and exits.
starts() {
	quiet "$work/plain/bin/pip" install -q --no-index "$x86_64"
	ETCORE_BENCH_FOLDER=$work/bench quiet bench/bench.sh "$work/plain/bin/etcore" --only 1
	! grep 'NOT MET' "$work/log" || fail "the program starts too slowly"
	starts=$(sed -n 's/.*CPU beside a program that opens the file and leaves[^0-9]*//p' "$work/log" | head -n 1)
	echo "start: $starts"
}

# With only Debian's Python: the wheel, and the sdist built with Debian's libraries.
roots() {
	local suite status=0 tools tool
	more=
	mkdir -p "$work/inside/tools" "$work/inside.arm64"
	cp "$work/expected" "$work/run.etdump" tests/wheel_inside.sh tests/wheel_library.py tests/api/etcore_ctypes.py "$work/inside/"
	cp "$work/inside"/* "$work/inside.arm64/" 2>/dev/null || true
	cp "$x86_64" "$sdist" "$work/inside/"
	cp "$aarch64" "$work/inside.arm64/"
	for tool in packaging pathspec scikit-build-core; do
		tools=$(awk -v name=$tool '$1 == name { print $1 "==" $2 }' release/sources.txt)
		quiet "$work/plain/bin/pip" download -q --no-deps --only-binary :all: --dest "$work/inside/tools" "$tools"
	done
	for suite in bookworm trixie; do
		tests/root.sh $suite --given "$work/inside" ./wheel_inside.sh
	done
	# For the oldest and the newest Python: only the wheel.
	cp -r "$work/inside" "$work/inside.wheel"
	rm "$work/inside.wheel"/etcore-*.tar.gz
	for suite in bullseye forky; do
		status=0
		tests/root.sh $suite --given "$work/inside.wheel" ./wheel_inside.sh || status=$?
		[ $status = 0 ] && more="$more, $suite" || [ $status = 77 ] || fail "the root of $suite"
	done
	status=0
	tests/root.sh bookworm/arm64 --given "$work/inside.arm64" ./wheel_inside.sh || status=$?
	[ $status = 0 ] || [ $status = 77 ] || fail "the arm64 root"
	[ $status = 0 ] && arm64_root="bookworm for AArch64" || arm64_root="not in a root for AArch64"
}

[ -x build/etcore ] || { echo "build/etcore is missing: ./dev build"; exit 77; }
rm -rf --one-file-system "$work"
mkdir -p "$work"
cp tests/data/sample/run.etdump "$work/"
from_elsewhere "$root/build/etcore" analyze run.etdump -o json >"$work/expected"
all="made judged pythons target vendors starts roots"
parts=${ETCORE_WHEEL_PARTS:-$all} # to test only some parts during development
for part in $parts; do
	$part
done
rm -rf --one-file-system "$work"
[ "$parts" = "$all" ] || { echo "only $parts"; exit 77; }
echo "wheels for Python $tried, in bare roots of bookworm and trixie with the sdist$more, $arm64_root; start $starts"

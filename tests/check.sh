#!/usr/bin/env bash
# check.sh [GATE...] -- the slower gates, one line each: ok, FAIL or skipped and
# why. A gate that could not run because a tool is missing is never "ok".
# What a gate printed is in build-check/NAME.log.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=build-check
mkdir -p "$logs"
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0

# gate NAME FUNCTION: the function's status decides; 77 means skipped, its last
# line says why.
gate() {
	local name=$1 log="$logs/$1.log" start=$SECONDS status=0
	shift
	if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then
		return
	fi
	"$@" >"$log" 2>&1 || status=$?
	local took=$((SECONDS - start)) last
	last=$(tail -n 1 "$log")
	case $status in
	0) printf 'ok       %-12s %s (%d s)\n' "$name" "$last" $took; passed=$((passed + 1)) ;;
	77) printf 'skipped  %-12s %s\n' "$name" "$last"; skipped=$((skipped + 1)) ;;
	*) printf 'FAIL     %-12s see %s (%d s)\n' "$name" "$log" $took; failed=$((failed + 1))
		tail -n 25 "$log" | sed 's/^/    /' ;;
	esac
}

skip() {
	echo "$*"
	exit 77
}

have() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# tree FOLDER -D...: configures and builds; what the compiler says is the log.
tree() {
	local folder=$1
	shift
	cmake -S . -B "$folder" -G Ninja -DETCORE_WERROR=ON "$@" && ninja -C "$folder" -j "$jobs"
}

sources() {
	git ls-files '*.c' '*.h' '*.cpp'
}

sanitize() (
	tree build-asan -DCMAKE_BUILD_TYPE=Debug -DETCORE_SANITIZE=ON -DETCORE_MUTATIONS=200 || exit 1
	export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
	export UBSAN_OPTIONS=print_stacktrace=1
	ctest --test-dir build-asan -j "$jobs" --output-on-failure || exit 1
	ctest --test-dir build-asan -N | sed -n 's/^Total Tests: \(.*\)/\1 tests under ASan and UBSan, no finding, no leak/p'
)

# The checker, every first-party plugin, a plugin with a data race, and queries of the
# library on many threads under ThreadSanitizer.
threads() (
	cmake -S . -B build-tsan -G Ninja -DETCORE_WERROR=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DETCORE_SANITIZE=thread &&
		ninja -C build-tsan -j "$jobs" etcore etcore_plugins bad_race bad_nothing api_threads || exit 1
	ctest --test-dir build-tsan -j "$jobs" -R '^tsan/' --output-on-failure || exit 1
	ctest --test-dir build-tsan -N -R '^tsan/' | sed -n 's/^Total Tests: \(.*\)/\1 tests under ThreadSanitizer: no race in our plugins and library, one found where one is/p'
)

clang_build() (
	have clang
	CC=clang CXX=clang++ tree build-clang -DETCORE_TESTS=ON || exit 1
	echo "no warning from $(clang --version | head -n 1)"
)

layers() (
	sh tests/layers.sh . || exit 1
	echo "$(ls -d core/*/ | wc -l) layers include only what they may"
)

abi() (
	[ -d build/plugins ] || skip "build/plugins is missing: ./dev build"
	sh tests/abi/abi.sh build/plugins && sh tests/abi/api.sh build/libetcore.so &&
		sh tests/abi/symbols.sh build/libetcore.so
)

# pyarrow, pandas, polars and DuckDB from PyPI.
arrow() (
	have python3
	[ -e build/libetcore.so ] || skip "build/libetcore.so is missing: ./dev build"
	tests/api/arrow_live.sh build/libetcore.so
)

format() (
	have clang-format
	case $(clang-format --version) in
	*version\ 14.*) ;;
	*) skip "clang-format 14 is wanted, found: $(clang-format --version)" ;;
	esac
	sources | xargs clang-format --dry-run -Werror || exit 1
	echo "$(sources | wc -l) files are as clang-format leaves them"
)

# Files that a person can hold in the head.
length() (
	sources | grep -v '^tests/' | xargs wc -l | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines"; bad = 1 } END { exit bad }' || exit 1
	echo "no source file is longer than 500 lines"
)

codes() (
	have python3
	python3 tests/codes.py
)

# 10,000 pairs of samples; some minutes.
statistics() (
	[ -x build/tests/statistics_tool ] || skip "build/tests/statistics_tool is missing: ./dev build"
	tests/stats/against_scipy.sh build/tests/statistics_tool
)

# What `etcore memory -o svg` draws, in a browser.
picture() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	python3 tests/memory/picture.py build/etcore
)

# Two configurations of a runner on ExecuTorch from PyPI, from the configuration to the report.
pipeline() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	ETCORE_LIVE=tests/pipeline/live_test.py tests/parity/live.sh build/etcore
)

# Instructions of our own code for small inputs, where the compiler is one that was counted.
instructions() (
	have valgrind
	have python3
	cmake -S . -B build-instructions -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DETCORE_TESTS=OFF >/dev/null &&
		ninja -C build-instructions -j "$jobs" etcore etcore_plugins || exit 1
	cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' build-instructions/CMakeCache.txt)
	python3 tests/instructions/count.py build-instructions/etcore "$cc" $update
)

wanted=() update=
for word in "$@"; do
	case $word in
	--update) update=--update ;; # of `instructions`
	*) wanted+=("$word") ;;
	esac
done
gate layers layers
gate format format
gate length length
gate codes codes
gate abi abi
gate arrow arrow
gate clang clang_build
gate sanitize sanitize
gate threads threads
gate statistics statistics
gate picture picture
gate pipeline pipeline
gate instructions instructions
[ $skipped -gt 0 ] && echo "$skipped skipped: not counted as passed"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]

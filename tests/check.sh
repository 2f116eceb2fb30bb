#!/usr/bin/env bash
# check.sh [all|GATE...] -- runs the slower gates and prints one line for each: ok, FAIL, or skipped with
# the reason. If a tool is missing, the gate is skipped, never "ok". Long gates run only if they are
# named, or with `all`; without a name, `sanitize`, `damage`, `claims` and `faults` run fewer cases. The
# output of a gate is in build-check/NAME.log.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=build-check
mkdir -p "$logs"
jobs=$(nproc 2>/dev/null || echo 2)
: >"$logs/verdicts"

# gate NAME FUNCTION: the function's status is the result; 77 means skipped, and its last
# line is the reason.
gate() {
	local name=$1 log="$logs/$1.log" start=$SECONDS status=0
	shift
	if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* && ${wanted[0]} != all ]]; then
		return
	fi
	mkdir "$logs/taken/$name" 2>/dev/null || return 0
	"$@" >"$log" 2>&1 || status=$?
	local took=$((SECONDS - start)) last
	last=$(tail -n 1 "$log")
	case $status in
	0) printf 'ok       %-12s %s (%d s)\n' "$name" "$last" $took ;;
	77) printf 'skipped  %-12s %s\n' "$name" "$last" ;;
	*) printf 'FAIL     %-12s see %s (%d s)\n%s\n' "$name" "$log" $took "$(tail -n 25 "$log" | sed 's/^/    /')" ;;
	esac
	echo $status >>"$logs/verdicts"
}

# long NAME FUNCTION: a gate that takes too long for CI.
long() {
	[ ${#wanted[@]} -eq 0 ] || gate "$@"
}

# Returns whether the gate runs everything. CI, which names no gate, runs only a share of repetitive gates.
whole() {
	[ ${#wanted[@]} -gt 0 ]
}

skip() {
	echo "$*"
	exit 77
}

have() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# alone NAME COMMAND...: if two gates build the same tree, one waits for the other.
alone() (
	exec 9>"$logs/$1.lock"
	! command -v flock >/dev/null || flock 9
	shift
	"$@" 9>&-
)

# tree FOLDER -D...: configures and builds; the compiler's messages are the log.
tree() {
	local folder=$1
	shift
	alone "$folder" cmake -S . -B "$folder" -G Ninja -DETCORE_WERROR=ON "$@" && alone "$folder" ninja -C "$folder" -j "$jobs"
}

sources() {
	git ls-files '*.c' '*.h' '*.cpp'
}

# -O1 takes half of the processor time of -O0, and gcc's sanitizers are made for it.
debug=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g1" -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1")
asan_tree() {
	tree build-asan "${debug[@]}" -DETCORE_SANITIZE=ON -DETCORE_MUTATIONS="$(whole && echo 100 || echo 0)"
}

# tests_of FOLDER TEXT ARGUMENT...: runs the tests of a build that ctest selects by ARGUMENT. The last
# line has their number and TEXT.
tests_of() {
	local folder=$1 said=$2
	shift 2
	ctest --test-dir "$folder" -j "$jobs" --output-on-failure "$@" || return 1
	ctest --test-dir "$folder" -N "$@" | sed -n "s|^Total Tests: \(.*\)|\1 $said|p"
}

# Runs completely the tests of which ./dev test runs a part, except those with a gate of their own
# (faults, claims, damage).
repeats() (
	tests_of build 'tests, of which ./dev test does a part, whole' -L repeats -E '^(faults/|claims$|edge/bombs$)'
)

# All tests; in CI a twenty-fourth of what repeats, and nothing of the fuzz corpus, which the gate `fuzz` runs under
# clang's sanitizers.
sanitize() (
	asan_tree || exit 1
	whole && export ETCORE_SHARE=1 || export ETCORE_SHARE=24
	export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
	export UBSAN_OPTIONS=print_stacktrace=1
	tests_of build-asan 'tests under ASan and UBSan, no finding, no leak'
)

# Ten real files truncated to every length, every byte of three files changed, and 10^6 files (a twentieth in CI) with
# random changes, under ASan and UBSan; the ETDump reader under MSan too (the others call
# libraries that are not instrumented); whole processes; bombs.
damage() (
	have python3
	dumps="tests/data/executorch/tutorial.etdp tests/data/old/emitter-0.2.0+0.3.0/run1.etdump
		tests/data/cases/debug_portable/run.etdump tests/data/cases/control_flow_cond/run.etdump
		tests/data/backends/cases/metadata_columns/run.etdump"
	others="tests/data/edge/record_good.etrecord tests/data/executorch/sample-2023.etrecord
		tests/data/pte/multi_method.pte tests/fuzz/corpus/conf/every-section.ini"
	asan_tree || exit 1
	export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
	set -- build-asan/tests/damage
	whole && share=20 || share=1
	cat >build-check/damage.jobs <<-EOF
		$1 random $((12500 * share)) tests/data/executorch/tutorial.etdp
		$1 random $((12500 * share)) tests/data/old/emitter-0.2.0+0.3.0/run1.etdump
		$1 random $((7500 * share)) tests/data/pte/multi_method.pte
		$1 random $((7500 * share)) tests/data/edge/not_prefixed.etdump
		$1 random $((7450 * share)) tests/data/edge/layout_2024_06_debug.etdump
		$1 random $((1500 * share)) tests/data/cases/debug_scalars/run.etdump
		$1 random $((500 * share)) tests/data/edge/record_good.etrecord
		$1 random $((500 * share)) tests/data/executorch/sample-2023.etrecord
		$1 random $((50 * share)) tests/fuzz/corpus/conf/every-section.ini
		$1 flips tests/data/executorch/tutorial.etdp
		$1 flips tests/data/old/emitter-0.2.0+0.3.0/run1.etdump
		$1 --every 7 flips tests/data/edge/record_good.etrecord
		$1 flips tests/data/pte/long_run.pte
		$1 cuts $(echo $dumps $others)
		$1 --dump tests/data/cases/debug_portable/run.etdump cuts tests/data/cases/debug_portable/debug.bin
		python3 tests/edge/damage.py --etcore build-asan/etcore --samples 10 --sanitized
	EOF
	xargs -P "$jobs" -I{} sh -c '{} || exit 255' <build-check/damage.jobs >build-check/damage.out 2>&1
	status=$?
	cat build-check/damage.out
	[ $status -eq 0 ] || exit 1
	inputs=$(sed -n 's/^\(cuts\|flips\|random\): \([0-9]*\) inputs$/\2/p' build-check/damage.out | awk "{ n += \$1 } END { print n }")
	python3 tests/edge/bombs.py --etcore build/etcore || exit 1
	python3 tests/edge/damage.py --etcore build/etcore --samples 20 || exit 1
	under="ASan and UBSan"
	if command -v clang >/dev/null; then
		CC=clang CXX=clang++ cmake -S . -B build-msan -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
			-DETCORE_SANITIZE=memory -DETCORE_HARDEN=OFF && ninja -C build-msan -j "$jobs" damage replay_built || exit 1
		build-msan/tests/damage cuts $dumps && build-msan/tests/damage --every 5 flips tests/data/executorch/tutorial.etdp &&
			build-msan/tests/damage random $((1000 * share)) $dumps && build-msan/tests/replay_built --mutations 5000 tests/fuzz/corpus/built || exit 1
		under="$under, ETDumps under MSan"
	fi
	echo "$inputs damaged files under $under: none crashed, hung, leaked or was believed"
)

# The whole corpus, and 10,000 (CI: 4,000) inputs derived from it, for every target, under clang's ASan and UBSan.
fuzz() (
	have clang
	cmake --preset fuzz -B build-fuzz && ninja -C build-fuzz -j "$jobs" fuzzers || exit 1
	tests/fuzz/campaign.sh "$(whole && echo 10000x || echo 4000x)"
)

# The number of lines of core/formats that the tests and the corpus execute; the log has the table.
coverage() (
	have gcovr
	tree build-coverage -DCMAKE_BUILD_TYPE=Debug -DETCORE_MUTATIONS=50 -DETCORE_COVERAGE=ON -DETCORE_HARDEN=OFF || exit 1
	find build-coverage -name '*.gcda' -delete
	ctest --test-dir build-coverage -j "$jobs" --output-on-failure \
		-R '^(core/formats/|fuzz/|edge/(cuts|flips|random|debug_buffer))' || exit 1
	# With coverage, plugins also write their counts to files, for which etcore would stop an isolated plugin.
	python3 tests/cli/run.py --etcore build-coverage/etcore --jobs "$jobs" --without plugins-of-all-kinds || exit 1
	gcovr --root . --filter 'core/formats/' --exclude-throw-branches --print-summary --fail-under-line 95 \
		build-coverage/library >build-check/coverage.txt
	status=$?
	cat build-check/coverage.txt
	[ $status -eq 0 ] || exit 1
	sed -n 's/^lines: \([0-9.]*%\) (\(.*\))$/tests and corpus run \1 of the lines of core\/formats (\2)/p' build-check/coverage.txt
)

# The checker, every first-party plugin, a plugin with a data race, and queries of the
# library on many threads under ThreadSanitizer.
threads() (
	cmake -S . -B build-tsan -G Ninja -DETCORE_WERROR=ON "${debug[@]}" -DETCORE_SANITIZE=thread &&
		ninja -C build-tsan -j "$jobs" etcore etcore_plugins bad_race bad_nothing api_threads || exit 1
	tests_of build-tsan 'tests under ThreadSanitizer: no race in our plugins and library, one found where one is' -R '^tsan/'
)

# Every allocation of 66 commands fails once (every third in CI); signals come at every moment (every fourth in CI); disks and
# files fail; files have hostile names. This takes some minutes.
faults() (
	have python3
	[ -e build/tests/fault.so ] || skip "build/tests/fault.so is missing: ./dev build"
	memory= signals=
	whole || { export ETCORE_SHARE=6; memory="--share 3" signals="--share 4"; }
	python3 tests/faults/memory.py build/etcore build/tests/fault.so $memory &&
		python3 tests/faults/outputs.py build/etcore build/tests/fault.so &&
		python3 tests/faults/signals.py build/etcore build/tests/fault.so $signals &&
		python3 tests/faults/inputs.py build/etcore build/tests/fault.so &&
		python3 tests/faults/found.py build/etcore build/tests/fault.so &&
		python3 tests/faults/threads.py build/etcore build/tests/fault.so &&
		python3 tests/faults/names.py build/etcore || exit 1
	# CI tests a part of these texts in the gate `repeats`.
	! whole || python3 tests/security/names.py build/etcore build/plugins/xnnpack.so --full
)

# commands FOLDER -D...: writes the compile commands of all files; nothing is built.
commands() {
	alone "$1" cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "${@:2}" >/dev/null
}

gcc_commands() {
	CC=gcc CXX=g++ commands build-commands -DETCORE_TESTS=OFF
}

# each_file FOLDER TOOL: runs the tool over each file for which FOLDER has a compile command.
each_file() {
	python3 tests/each_file.py "$2" "$1/compile_commands.json" >"build-check/$2.jobs" &&
		xargs -d '\n' -n 1 -P "$jobs" sh -c <"build-check/$2.jobs" || return 1
	echo "$(wc -l <"build-check/$2.jobs") files, nothing found"
}

# Every file, tests too, without warnings. No code is made: `fuzz` and `damage` link what clang compiles.
clang_warnings() (
	have clang
	have python3
	CC=clang CXX=clang++ commands build-clang -DETCORE_TESTS=ON -DETCORE_WERROR=ON || exit 1
	each_file build-clang clang
)

program_sources() {
	git ls-files 'core/*.c' 'core/*.cpp' 'commands/*.c' 'library/*.c' 'cli/*.c' 'plugins/*.c' 'sdk/*.c'
}

# .clang-tidy lists the checks, and the reasons why others are off.
tidy() (
	have clang-tidy
	gcc_commands || exit 1
	program_sources | xargs -n 8 -P "$jobs" clang-tidy --quiet -p build-commands \
		--extra-arg=-Wno-unknown-warning-option 2>/dev/null || exit 1
	echo "$(program_sources | wc -l) files, nothing found"
)

# gcc's path-sensitive analysis of the C files. These warnings are switched off:
#   malloc-leak          does not see who frees memory in an arena or a list; LeakSanitizer and valgrind find leaks
#   use-of-uninitialized loses values that were copied or filled through a pointer (gcc 12); valgrind finds real cases
#   null-dereference     does not see that a pointer is NULL only if its count is 0. possible-null-dereference stays
#                        on: it checks results of allocations that failed
#   shift-count-overflow takes the width before promotion to int (gcc 12); the build has -Wshift-count-overflow
analyzer() (
	have gcc
	have python3
	gcc_commands || exit 1
	each_file build-commands analyzer
)

# Suppressions are next to the lines that need them, with the reason.
cppcheck_all() (
	have cppcheck
	program_sources | grep '\.c$' | cppcheck --file-list=- -j "$jobs" --quiet --error-exitcode=1 --inline-suppr \
		--enable=warning,performance,portability --std=c11 -I. -Icore -Isdk/include -DETCORE_VERSION='""' || exit 1
	echo "$(program_sources | grep -c '\.c$') files, nothing found"
)

# Command lines under memcheck: the output must not change, and a report of valgrind would be a change. Runs one in
# ETCORE_VALGRIND_EVERY (8); 1 is all of them. Command lines that crash a plugin or limit memory on purpose are left out.
valgrind_cases() (
	have valgrind
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	python3 tests/cli/run.py --etcore build/etcore --jobs "$jobs" --every "${ETCORE_VALGRIND_EVERY:-8}" \
		--without 'crash|isolate|pipeline|docs/tour|conf/|disk-full' --wrapper "valgrind --quiet --leak-check=full \
		--errors-for-leak-kinds=definite,indirect,possible --error-exitcode=99" || exit 1
)

layers() (
	python3 tests/layers.py || exit 1
	echo "$(ls -d core/*/ commands/*/ library cli | wc -l) folders include only what they may"
)

abi() (
	[ -d build/plugins ] || skip "build/plugins is missing: ./dev build"
	sh tests/abi/abi.sh build/plugins && sh tests/abi/api.sh build/libetcore.so &&
		sh tests/abi/symbols.sh build/libetcore.so
)

# Plugins in four languages, built in every way that the templates offer.
kit() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	tests/vendor/kit.sh build
)

# pyarrow, pandas, polars and DuckDB from PyPI read tables of libetcore as Arrow, and tables of the program as
# Parquet.
arrow() (
	have python3
	[ -e build/libetcore.so ] || skip "build/libetcore.so is missing: ./dev build"
	tests/api/arrow_live.sh build/libetcore.so
)

# hyparquet from npm reads the program's Parquet tables in JavaScript.
hyparquet() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	tests/api/hyparquet_live.sh build/etcore
)

# Spark and Ray from PyPI, as local clusters, whose workers make the tables of `etcore batch`. 900 and 600 MB of
# packages.
spark() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	tests/python/farm_live.sh spark build/etcore build/libetcore.so
)

ray() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	tests/python/farm_live.sh ray build/etcore build/libetcore.so
)

# The queries of `etcore farm` in DuckDB and in ClickHouse (chDB), compared with each other and with analyze, diff and
# check.
farm() (
	have python3
	[ -e build/libetcore.so ] || skip "build/libetcore.so is missing: ./dev build"
	tests/api/arrow_live.sh build/libetcore.so tests/farm/questions_live.py
)

# Runs docs/python.ipynb; checks types of the Python package and of scripts that use it with mypy.
notebook() (
	have python3
	[ -e build/libetcore.so ] || skip "build/libetcore.so is missing: ./dev build"
	tests/api/arrow_live.sh build/libetcore.so tests/python/types_test.py tests/python/notebook.py
)

# Output of etcore report, driven in a browser; output of etcore trace, read by Perfetto's schema, trace_processor and
# interface, by speedscope and by go tool pprof; with `all` also
# the node data of `analyze` in Model Explorer (700 MB of packages). If node is missing, playwright's is used.
viewers() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	skipped=0 said= parts="tests/report/browser.sh tests/trace/viewers.sh"
	whole && parts="$parts tests/viewers/model_explorer.sh" || export ETCORE_SHARE=8
	PATH=$PATH:$(echo "$PWD"/build/venv-browser/lib/python3*/site-packages/playwright/driver)
	for part in $parts; do
		status=0
		"$part" build/etcore >build-check/viewers.part 2>&1 || status=$?
		cat build-check/viewers.part
		case $status in 0) ;; 77) skipped=$((skipped + 1)) ;; *) exit 1 ;; esac
		said="$said${said:+; }$part: $(tail -n 1 build-check/viewers.part)"
	done
	[ $skipped -eq 0 ] || skip "$skipped of $(wc -w <<<"$parts") parts: $said"
	echo "$said"
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

# Tests every claim of etcore in situations in which it would be false: 500 each, 100 in CI.
claims() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	python3 tests/claims/run.py --etcore build/etcore --share "$(whole && echo 1 || echo 0.12)"
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

# Recomputes the numbers of docs/statistics.md: false positives, the typical run's error, and how often each verdict is given;
# half a minute.
simulate() (
	[ -x build/tests/simulate ] || skip "build/tests/simulate is missing: ./dev build"
	build/tests/simulate 2000 200 && build/tests/simulate --typical 500000 && build/tests/simulate --words 1000 300
)

# Checks the picture of `etcore memory -o svg` in a browser.
picture() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	python3 tests/memory/picture.py build/etcore
)

# Runs two configurations of a runner on ExecuTorch from PyPI, from the configuration to the report.
pipeline() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	ETCORE_LIVE=tests/pipeline/live_test.py tests/parity/live.sh build/etcore
)

# Exports small language models with a KV cache and runs them token by token.
tokens() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	ETCORE_LIVE=tests/tokens/live.py tests/parity/live.sh build/etcore
)

# Compares operations and bytes of newly made models with torch.utils.flop_counter and fvcore.
work() (
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	tests/work/live.sh build/etcore 2>/dev/null
)

# Runs the README's two commands in a system where only git is installed.
root() (
	tests/root.sh bookworm root /root/etcore
)

# The same in the next Debian release, and as a user with sudo, in a path with a space.
roots() (
	tests/root.sh trixie root /root/etcore && tests/root.sh bookworm plain "/home/plain/my models/etcore" &&
		tests/root.sh trixie plain "/home/plain/my models/etcore"
)

# Runs `./dev release` twice and tests the result: half an hour.
release() (
	tests/release.sh
)

# Runs `./dev wheel` twice and tests the result: three quarters of an hour.
wheel() (
	tests/wheel.sh
)

# Counts instructions of our own code for small inputs, if the compiler is one with a recorded
# count.
instructions() (
	have valgrind
	have python3
	[ -x build/etcore ] || skip "build/etcore is missing: ./dev build"
	cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' build/CMakeCache.txt)
	python3 tests/instructions/count.py build/etcore "$cc" $update
)

wanted=() update=
for word in "$@"; do
	case $word in
	--update) update=--update ;; # of `instructions`
	*) wanted+=("$word") ;;
	esac
done

# Two processes run the gates of this list, each the next one that has not been started. Gates that use one processor or
# wait come first, the longest of them at the start. Gates that use all processors come last, so that no processor is
# idle while the other process ends.
gates() {
	gate layers layers
	gate format format
	gate codes codes
	gate abi abi
	gate viewers viewers
	gate root root
	gate faults faults
	gate statistics statistics
	gate arrow arrow
	gate kit kit
	gate work work
	gate farm farm
	gate pipeline pipeline
	gate tokens tokens
	gate picture picture
	gate simulate simulate
	gate notebook notebook
	gate hyparquet hyparquet
	long spark spark
	long ray ray
	long roots roots
	long release release
	long wheel wheel
	gate sanitize sanitize
	gate analyzer analyzer
	gate fuzz fuzz
	gate repeats repeats
	gate damage damage
	gate claims claims
	gate threads threads
	gate clang clang_warnings
	gate instructions instructions
	gate valgrind valgrind_cases
	gate cppcheck cppcheck_all
	gate tidy tidy
	long coverage coverage
}

rm -rf "$logs/taken"
mkdir "$logs/taken"
# Job control is needed: without it a shell makes its background processes ignore SIGINT, which the tests
# send.
set -m
gates &
set +m
trap 'kill -- -$!; exit 1' INT TERM
gates
wait
verdicts() {
	grep -c "$@" "$logs/verdicts"
}
passed=$(verdicts -x 0) skipped=$(verdicts -x 77) failed=$(verdicts -vx -e 0 -e 77)
[ $skipped -gt 0 ] && echo "$skipped skipped: not counted as passed"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]

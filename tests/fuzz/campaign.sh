#!/usr/bin/env bash
# campaign.sh SECONDS|RUNSx [TARGET...] -- runs every libFuzzer target, or the named ones, and prints one line for each. A
# target gets its share of SECONDS x cores, or runs its seeds and RUNS inputs derived from them (10000x). `./dev fuzz`
# builds the targets first, in build-fuzz/.
#
# New inputs are kept in build-fuzz/corpus/TARGET. A finding is a file in
# build-fuzz/findings/ and makes the exit status 1. CI keeps nothing.
set -uo pipefail
cd "$(dirname "$0")/../.."
case $1 in
*x) seconds=0 wanted_runs=${1%x} ;;
*) seconds=$1 wanted_runs=0 ;;
esac
shift
programs=build-fuzz/tests
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
	targets=($(ls $programs | sed -n 's/^fuzz_\([a-z_]*\)\.seeds$/\1/p'))
fi
jobs=$(nproc 2>/dev/null || echo 2)
share=$((seconds * jobs / ${#targets[@]}))
[ "$share" -ge 1 ] || share=$((wanted_runs ? 0 : 1))
mkdir -p build-fuzz/findings build-fuzz/logs

# Every section and key of the configuration, and its values.
sed -nE 's/^[#; ]*(\[[a-z.]+\]|[a-z_.]+) *(=.*)?$/"\1"/p' conf/etcore.ini | sort -u >build-fuzz/conf.dict

# dictionary TARGET
dictionary() {
	case $1 in
	etdump | oracle | analyze | api | diff | values | doctor | program | analyze_program | bundled | tensor_file | memory)
		echo tests/fuzz/dict/flatbuffers.dict ;;
	etrecord | dump) echo tests/fuzz/dict/zip.dict ;;
	graph | where | pickle) echo "tests/fuzz/dict/$1.dict" ;;
	conf | gate_rules | pipeline) echo build-fuzz/conf.dict ;;
	esac
}

# one TARGET: libFuzzer takes only folders, so single seed files are copied into one.
one() {
	local name=$1 log=build-fuzz/logs/$1.log corpus=build-fuzz/corpus/$1 folders=() options=() before status least=1
	mkdir -p "$corpus"
	while read -r seed; do
		if [ -d "$seed" ]; then
			folders+=("$seed")
		elif [ -f "$seed" ]; then
			cp -n "$seed" "$corpus/$(echo "$seed" | tr / _ | tail -c 100)"
		fi
	done <"$programs/fuzz_$name.seeds"
	[ -n "$(dictionary "$name")" ] && options+=("-dict=$(dictionary "$name")")
	if [ "$wanted_runs" -gt 0 ]; then
		least=$(($(find "$corpus" "${folders[@]}" -type f | wc -l) + wanted_runs))
		options+=("-runs=$least")
	fi
	before=$(ls build-fuzz/findings | grep -c "^$name-")
	UBSAN_OPTIONS=print_stacktrace=1 "$programs/fuzz_$name" -max_total_time="$share" -max_len=65536 -timeout=10 \
		-rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 "${options[@]}" \
		-artifact_prefix="build-fuzz/findings/$name-" "$corpus" "${folders[@]}" >"$log" 2>&1
	status=$?
	local runs coverage features found seconds
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	read -r coverage features < <(grep -aoE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1 | sed -E 's/cov: ([0-9]+) ft: ([0-9]+)/\1 \2/')
	found=$(($(ls build-fuzz/findings | grep -c "^$name-") - before))
	seconds=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log")
	printf '%-16s %9s runs in %s s, %6s edges, %6s features, %d findings\n' "$name" "${runs:-?}" "${seconds:-?}" \
		"${coverage:-?}" "${features:-?}" "$found"
	[ $found -eq 0 ] && [ $status -eq 0 ] && [ "${runs:-0}" -ge "$least" ] && return 0
	[ "${runs:-0}" -ge "$least" ] || echo "    fewer than $least runs"
	echo "    $(grep -aE '^SUMMARY|ERROR: libFuzzer' "$log" | tail -n 1) -- see $log"
	return 1
}
export -f one dictionary
export programs share wanted_runs

printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c 'one {}'
status=$?
if [ $status -eq 0 ]; then
	[ "$wanted_runs" -gt 0 ] && each="their seeds and $wanted_runs inputs" || each="$share s"
	echo "${#targets[@]} targets, $each each, no finding"
else
	echo "findings: build-fuzz/findings/" >&2
fi
exit $((status != 0))

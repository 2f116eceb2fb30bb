#!/bin/sh
# gates.sh -- tests which gates tests/check.sh runs, and how much of repetitive gates: less without a
# name, everything with `all` or if they are named. Replacements for the commands of gates only record their arguments.
set -eu
unset ETCORE_SHARE
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tools" "$scratch/tests/fuzz" "$scratch/build/tests" "$scratch/build/plugins"
cp tests/check.sh "$scratch/tests/"
cat >"$scratch/tools/note" <<-'END'
	#!/bin/sh
	# One write per line, because some run in parallel.
	printf '%s\n' "${ETCORE_SHARE:+share $ETCORE_SHARE: }${0##*/} $*" >>"$NOTES"
END
chmod +x "$scratch/tools/note"
for tool in git cmake ctest ninja python3 sh clang clang-tidy clang-format cppcheck gcc gcovr valgrind; do
	ln -s note "$scratch/tools/$tool"
done
for file in build/etcore build/libetcore.so build/tests/fault.so build/tests/simulate build/tests/statistics_tool \
	tests/root.sh tests/release.sh tests/wheel.sh tests/fuzz/campaign.sh; do
	cp "$scratch/tools/note" "$scratch/$file"
done

fail() {
	echo "$*" >&2
	exit 1
}

# asked NOTES [ARGUMENT...]: prints the gates that check.sh runs; some fail because tools are missing.
asked() {
	NOTES=$scratch/$1
	export NOTES
	: >"$NOTES"
	shift
	PATH="$scratch/tools:$PATH" bash "$scratch/tests/check.sh" "$@" </dev/null | sed -nE 's/^(ok|FAIL|skipped) +([a-z]+) .*/\2/p' | sort
}

gates=$(sed -nE 's/^	(gate|long) ([a-z]+) .*/\2/p' tests/check.sh | sort)
[ "$(asked all all)" = "$gates" ] || fail "'all' does not run all gates"
[ "$(asked ci)" = "$(sed -nE 's/^	gate ([a-z]+) .*/\1/p' tests/check.sh | sort)" ] || fail "CI runs other gates than it should"
[ "$(asked named sanitize claims faults fuzz)" = "$(printf '%s\n' claims faults fuzz sanitize)" ] || fail "not those that are named"

# whole PATTERN, share PATTERN: the pattern must occur once among the calls of `all` and named
# gates, or among those of CI.
whole() {
	for notes in all named; do
		[ "$(grep -cE -e "$1" "$scratch/$notes")" = 1 ] || { cat "$scratch/$notes" >&2; fail "$notes: not all of it: $1"; }
	done
	! grep -qE -e "$1" "$scratch/ci" || fail "CI: all of it: $1"
}
share() {
	[ "$(grep -cE -e "$1" "$scratch/ci")" = 1 ] || { cat "$scratch/ci" >&2; fail "CI: no share: $1"; }
	! grep -qE -e "$1" "$scratch/all" || fail "all: a share only: $1"
}
whole '^share 1: ctest --test-dir build-asan -j'
share '^share 24: ctest --test-dir build-asan -j'
whole 'campaign.sh 10000x$'
share 'campaign.sh 4000x$'
grep -q ' build-asan .*-DETCORE_MUTATIONS=100$' "$scratch/named" && grep -q ' build-asan .*-DETCORE_MUTATIONS=0$' "$scratch/ci" || fail "sanitize: other inputs"
whole '^python3 tests/claims/run.py .*--share 1$'
share '^python3 tests/claims/run.py .*--share 0.12$'
whole '^python3 tests/security/names.py .*--full$'
whole '^python3 tests/faults/memory.py build/etcore build/tests/fault.so$'
share '^share 6: python3 tests/faults/memory.py .* --share 3$'
whole '^python3 tests/faults/signals.py build/etcore build/tests/fault.so$'
share '^share 6: python3 tests/faults/signals.py .* --share 4$'
grep -q ' random 250000 ' "$scratch/build-check/damage.jobs" && fail "CI tries all damage"
asked damage damage >/dev/null
grep -q ' random 250000 ' "$scratch/build-check/damage.jobs" || fail "a twentieth of the damage only"
echo "$(echo "$gates" | wc -l) gates; 'all' and their names ask for all of each, CI for a share of what only repeats"

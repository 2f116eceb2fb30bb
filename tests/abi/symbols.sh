#!/bin/sh
# symbols.sh LIBRARY [--update] -- checks with abidiff that every symbol of an earlier libetcore.so
# (libetcore.abi) still exists with its version. Symbols may be added; --update
# then writes a new baseline. Status 77: abidiff is not installed.
set -u
library=$1
baseline=$(dirname "$0")/libetcore.abi
command -v abidiff >/dev/null || { echo "abidiff is not installed (abigail-tools)"; exit 77; }

# The libraries that libetcore needs differ between systems and are not compared.
describe() {
	abidw --no-corpus-path --no-architecture --no-comp-dir-path "$1" 2>/dev/null |
		sed '/<elf-needed>/,/<\/elf-needed>/d'
}

if [ "${2:-}" = --update ]; then
	describe "$library" >"$baseline"
	exit
fi
described=$(mktemp)
trap 'rm -f "$described"' EXIT
describe "$library" >"$described"
abidiff --no-added-syms "$baseline" "$described" || { echo "libetcore.so broke its ABI" >&2; exit 1; }
added=$(grep -o "name='etcore_[a-z_]*'" "$described" | sort | uniq | wc -l)
known=$(grep -o "name='etcore_[a-z_]*'" "$baseline" | sort | uniq | wc -l)
[ "$added" = "$known" ] || { echo "$((added - known)) symbols are new: tests/abi/symbols.sh LIBRARY --update" >&2; exit 1; }
echo "abidiff: all $known symbols of libetcore.so are there"

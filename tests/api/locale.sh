#!/bin/sh
# locale.sh PROGRAM ARGUMENTS... -- runs threads.c in a locale with a decimal comma: the answers
# must have a decimal point nevertheless. 77: the system cannot make such a locale.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" 2>/dev/null
[ -e "$folder/de_DE.UTF-8/LC_NUMERIC" ] || { echo "localedef cannot make de_DE.UTF-8"; exit 77; }
LOCPATH=$folder LC_ALL=de_DE.UTF-8 "$@" >"$folder/said" || exit 1
cat "$folder/said"
grep -q 'de_DE.UTF-8 says 0,5$' "$folder/said" || { echo "the locale was not in force" >&2; exit 1; }

#!/bin/sh
# locale.sh PROGRAM ARGUMENTS... -- runs threads.c in a locale with a decimal comma: the answers
# must have a decimal point nevertheless. 77: the system cannot make such a locale.
set -u
locales=$(dirname "$1")/locales
sh tests/locales.sh "$locales"
[ -e "$locales/de_DE.UTF-8" ] || { echo "localedef cannot make de_DE.UTF-8"; exit 77; }
said=$(LOCPATH=$locales LC_ALL=de_DE.UTF-8 "$@") || exit 1
echo "$said"
echo "$said" | grep -q 'de_DE.UTF-8 says 0,5$' || { echo "the locale was not in force" >&2; exit 1; }

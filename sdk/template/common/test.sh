#!/bin/sh
# test.sh LIB -- does the plugin keep its contract, answer what the Python callables
# answered (parity.json), and say of run.etdump what expected.csv holds? ETCORE is the program; --update writes expected.csv anew.
set -eu
lib=$1
here=$(cd "$(dirname "$0")" && pwd)
etcore=${ETCORE:-etcore}
case $lib in */*) ;; *) lib=./$lib ;; esac

analyze() {
	"$etcore" analyze "$here/run.etdump" --no-siblings --plugin "$lib" -o csv \
		--columns name,calls,self_ns,category,cycles,acme_dram,unit
}

if [ "${2:-}" = --update ]; then
	analyze >"$here/expected.csv"
	exit
fi
if [ -e "$here/parity.json" ]; then
	set -- --level parity --expected "$here/parity.json"
else
	set -- --level strict
fi
"$etcore" plugins check "$lib" "$@" --sample "$here/run.etdump"
analyze | diff "$here/expected.csv" -
echo "acme: as expected"

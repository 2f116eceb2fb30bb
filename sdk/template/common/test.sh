#!/bin/sh
# test.sh LIB -- checks that the plugin keeps its contract, that its answers equal those of the Python callables (parity.json),
# and that the analysis of run.etdump equals expected.csv. ETCORE is the program; --update rewrites expected.csv.
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

#!/usr/bin/env bash
# bench.sh ETCORE [ARGUMENTS] -- builds the floor programs, makes the inputs and runs bench.py;
# then measures how often a comparison detects a change of 0, 2, 5 and 10 per cent.
# --peer uses the Inspector's environment like `./dev parity --live` ($ETCORE_VENV or
# build/venv), and makes one for duckdb and polars ($ETCORE_PEER_VENV or build/peer-venv).
set -euo pipefail
etcore=$1
shift
folder=${ETCORE_BENCH_FOLDER:-build/bench}
mkdir -p "$folder"
cc -O2 -o "$folder/floor" bench/floor.c -lm
cc -O2 -o "$folder/once" bench/once.c
cc -O2 -shared -fPIC -o "$folder/count.so" bench/count.c -ldl
c++ -O2 -o "$folder/floor_json" bench/floor_json.cpp -lsimdjson

peers=()
if [[ " $* " == *" --peer "* ]]; then
	COLUMNS_WANTED="duckdb==2.0.0 polars==2.1.0 pyarrow==26.0.1"
	if python=$(ETCORE_LIVE=bench/where.py tests/parity/live.sh "$etcore"); then
		peers+=(--inspector "$python")
	else
		echo "the Inspector: ${python##*$'\n'}" >&2
	fi
	venv=${ETCORE_PEER_VENV:-build/peer-venv}
	if ! "$venv/bin/python" -c 'import duckdb, polars, pyarrow' 2>/dev/null; then
		rm -rf build/peer-venv
		venv=build/peer-venv
		python3 -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check $COLUMNS_WANTED >"$folder/pip.log" 2>&1 ||
			echo "duckdb and polars: $(tail -n 1 "$folder/pip.log")" >&2
	fi
	"$venv/bin/python" -c 'import duckdb, polars, pyarrow' 2>/dev/null && peers+=(--columns "$venv/bin/python")
fi
python3 bench/bench.py "$etcore" "$folder" "$folder" "$@" ${peers[@]+"${peers[@]}"}
[[ " $* " == *" --only "* ]] && exit 0
echo
# With --kit and --python, Arm's profiling kit is measured as well.
python3 bench/pipeline.py "$etcore"
simulate=$(dirname "$etcore")/tests/simulate
[ -x "$simulate" ] || exit 0
echo
echo "B found slower than A, of 500 simulated pairs of groups with noise of 3 %"
"$simulate" 500 1000 0.02 0.05 0.10 || true # with 500 pairs the 5 % row depends on chance

#!/bin/sh
# bench.sh ETCORE [ARGUMENTS] -- builds the floor, makes the inputs, runs bench.py;
# then how often a comparison finds a change of 0, 2, 5 and 10 per cent.
set -eu
etcore=$1
shift
folder=${ETCORE_BENCH_FOLDER:-build/bench}
mkdir -p "$folder"
cc -O2 -o "$folder/floor" bench/floor.c -lm
python3 bench/bench.py "$etcore" "$folder/floor" "$folder" "$@"
echo
# With --kit and --python: beside Arm's profiling kit.
python3 bench/pipeline.py "$etcore"
simulate=$(dirname "$etcore")/tests/simulate
[ -x "$simulate" ] || exit 0
echo
echo "B found slower than A, of 500 simulated pairs of groups with noise of 3 %"
"$simulate" 500 1000 0.02 0.05 0.10 || true # of 500 pairs, 5 % is a matter of luck

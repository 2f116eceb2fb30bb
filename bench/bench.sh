#!/bin/sh
# bench.sh ETCORE [ARGUMENTS] -- builds the floor, makes the inputs, runs bench.py.
set -eu
etcore=$1
shift
folder=${ETCORE_BENCH_FOLDER:-build/bench}
mkdir -p "$folder"
cc -O2 -o "$folder/floor" bench/floor.c -lm
exec python3 bench/bench.py "$etcore" "$folder/floor" "$folder" "$@"

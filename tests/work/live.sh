#!/usr/bin/env bash
# live.sh ETCORE -- takes fvcore from PyPI (once), then runs live.py in the environment with ExecuTorch.
# Exit status 77: skipped, the reason is on the last line.
# $ETCORE_FVCORE: a folder with fvcore, instead of build/fvcore.
set -uo pipefail
cd "$(dirname "$0")/../.."

# Installed without dependencies, because torch is in the environment and only the counters are imported.
PACKAGES="fvcore iopath yacs termcolor tabulate portalocker tqdm pyyaml"
folder=${ETCORE_FVCORE:-build/fvcore}
if [ ! -d "$folder/fvcore" ]; then
	mkdir -p build
	rm -rf "$folder"
	python3 -m pip --version >/dev/null 2>&1 || { echo "skipped: python3 has no pip"; exit 77; }
	python3 -m pip install -q --disable-pip-version-check --no-deps --target "$folder" $PACKAGES >build/fvcore.log 2>&1 || {
		rm -rf "$folder"
		echo "skipped: pip could not install $PACKAGES: $(tail -n 1 build/fvcore.log)"
		exit 77
	}
fi
ETCORE_FVCORE=$(realpath "$folder") ETCORE_LIVE=tests/work/live.py exec tests/parity/live.sh "$@"

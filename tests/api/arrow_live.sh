#!/usr/bin/env bash
# arrow_live.sh LIBRARY [TEST...] -- makes (once) the Python environment with the readers of
# Arrow and Parquet, Jupyter's kernel and mypy from PyPI, then runs the tests in it: by default arrow_live.py and
# parquet_live.py.
# Exit status 77: skipped, the reason is on the last line.
set -uo pipefail
cd "$(dirname "$0")/../.."
library=$1
shift
[ $# -gt 0 ] || set -- tests/api/arrow_live.py tests/api/parquet_live.py

PACKAGES="pyarrow duckdb chdb pandas polars nbclient ipykernel mypy"
venv=build/venv-arrow

skipped() {
	echo "skipped: $*"
	exit 77
}

# Packages that the tests themselves need.
ready() {
	"$venv/bin/python" -c "import pyarrow, duckdb, chdb, pandas, polars, nbclient, ipykernel, mypy" 2>/dev/null
}

# If two processes start at once, the second one waits.
mkdir -p build
exec 9>build/venv-arrow.lock
! command -v flock >/dev/null || flock 9
if ! ready; then
	mkdir -p build
	rm -rf "$venv"
	python3 -m venv "$venv" || skipped "python3 -m venv does not work: install python3-venv"
	"$venv/bin/pip" install -q --disable-pip-version-check $PACKAGES >build/venv-arrow.log 2>&1 || {
		reason=$(tail -n 1 build/venv-arrow.log)
		rm -rf "$venv"
		skipped "pip could not install $PACKAGES: $reason"
	}
	ready || { echo "pip installed $PACKAGES, but they cannot be imported"; exit 1; }
fi
exec 9>&-
for test in "$@"; do
	"$venv/bin/python" -B "$test" "$library" || exit $?
done

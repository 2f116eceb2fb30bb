#!/usr/bin/env bash
# against_scipy.sh TOOL [against_scipy.py's options] -- makes (once) a Python
# environment with scipy and diptest, then compares statistics_tool with them.
# Exit status 77: skipped, the reason is on the last line.
# $ETCORE_SCIPY_VENV: use this environment instead of build/scipy.
set -uo pipefail
cd "$(dirname "$0")/../.."
tool=$1
shift
PACKAGES="scipy==1.17.1 numpy==2.4.6 diptest==0.12.0"

skipped() {
	echo "skipped: $*"
	exit 77
}

venv=${ETCORE_SCIPY_VENV:-build/scipy}
wanted() {
	"$venv/bin/python" -c "import scipy, numpy, diptest; assert scipy.__version__ == '1.17.1'" 2>/dev/null
}

if ! wanted; then
	[ -n "${ETCORE_SCIPY_VENV:-}" ] && skipped "$ETCORE_SCIPY_VENV does not hold $PACKAGES"
	echo "making $venv (downloads about 60 MB once)" >&2
	rm -rf "$venv"
	python3 -m venv "$venv" || skipped "python3 -m venv does not work: install python3-venv"
	"$venv/bin/pip" install -q --disable-pip-version-check $PACKAGES >build/scipy.log 2>&1 || {
		reason=$(tail -n 1 build/scipy.log)
		rm -rf "$venv"
		skipped "pip could not install scipy: $reason"
	}
	wanted || skipped "pip installed other versions than $PACKAGES"
fi
# All 10,000 pairs take a quarter of an hour: CI compares only the first ones.
[ -z "${CI:-}" ] || set -- --samples 500 --intervals 5 "$@"
exec "$venv/bin/python" tests/stats/against_scipy.py --tool "$tool" "$@"

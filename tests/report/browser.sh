#!/usr/bin/env bash
# browser.sh ETCORE -- makes (once) the Python environment with playwright and axe-core, then drives pages of `etcore report` in
# chromium (browser.py). Exit status 77: skipped, the reason is on the last line.
set -uo pipefail
cd "$(dirname "$0")/../.."
etcore=$1

PACKAGES="playwright==1.65.2 axe-playwright-python==0.1.8"
venv=build/venv-browser

skipped() {
	echo "skipped: $*"
	exit 77
}

ready() {
	"$venv/bin/python" -c "import playwright, axe_playwright_python" 2>/dev/null
}

if ! ready; then
	mkdir -p build
	rm -rf "$venv"
	python3 -m venv "$venv" || skipped "python3 -m venv does not work: install python3-venv"
	"$venv/bin/pip" install -q --disable-pip-version-check $PACKAGES >build/venv-browser.log 2>&1 || {
		reason=$(tail -n 1 build/venv-browser.log)
		rm -rf "$venv"
		skipped "pip could not install $PACKAGES: $reason"
	}
	ready || { echo "pip installed $PACKAGES, but they cannot be imported"; exit 1; }
fi
mkdir -p build/shots
exec "$venv/bin/python" tests/report/browser.py "$etcore" build/shots

#!/usr/bin/env bash
# model_explorer.sh ETCORE [CASE...] -- makes (once) the Python environment with Model Explorer, Arm's adapters and ExecuTorch, whose
# packages are about 700 MB, then runs model_explorer_live.py.
# Exit status 77: skipped, the reason is on the last line. $ETCORE_VIEWERS_VENV: use this environment instead of build/venv-model-explorer.
set -uo pipefail
cd "$(dirname "$0")/../.."
etcore=$1
shift

PACKAGES="ai-edge-model-explorer==0.1.34 etrecord-adapter-model-explorer==0.2.0 pte-adapter-model-explorer==0.2.0 playwright==1.65.2"
PACKAGES+=" executorch==1.5.1 torch==2.13.0"
venv=${ETCORE_VIEWERS_VENV:-build/venv-model-explorer}
cases=$(python3 -c 'import json; print(len(json.load(open("tests/data/model_explorer/ids.json"))))')

skipped() {
	echo "skipped: $cases cases: $*"
	exit 77
}

ready() {
	"$venv/bin/python" -c "import model_explorer, etrecord_adapter_model_explorer, pte_adapter_model_explorer, executorch, playwright" 2>/dev/null
}

if ! ready; then
	[ -n "${ETCORE_VIEWERS_VENV:-}" ] && skipped "$venv does not hold $PACKAGES"
	python=$(command -v python3.11) || skipped "python3.11, for which ExecuTorch's wheel is, is not installed"
	echo "making $venv (downloads about 700 MB once)" >&2
	mkdir -p build
	rm -rf "$venv"
	"$python" -m venv "$venv" || skipped "python3.11 -m venv does not work: install python3-venv"
	"$venv/bin/pip" install -q --disable-pip-version-check $PACKAGES >build/venv-model-explorer.log 2>&1 || {
		reason=$(tail -n 1 build/venv-model-explorer.log)
		rm -rf "$venv"
		skipped "pip could not install $PACKAGES: $reason"
	}
	ready || { echo "pip installed $PACKAGES, but they cannot be imported"; exit 1; }
fi
exec "$venv/bin/python" -W ignore tests/viewers/model_explorer_live.py --etcore "$etcore" "$@"

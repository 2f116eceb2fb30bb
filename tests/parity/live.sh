#!/usr/bin/env bash
# live.sh ETCORE [live.py's options] -- makes (once), or reuses, the Python
# environment with the Inspector, then runs live.py in it.
# Exit status 77: skipped, the reason is on the last line.
# $ETCORE_VENV: use this environment instead of build/venv. $ETCORE_LIVE: run this script instead of live.py.
set -uo pipefail
cd "$(dirname "$0")/../.."
etcore=$1
shift

# Tables, TSV and frames depend on exactly these versions.
PACKAGES="executorch==1.5.1 torch==2.13.0 torchao==0.18.0 numpy==2.4.6 pandas==3.1.1 tabulate==0.10.0"

skipped() {
	echo "skipped: $*"
	exit 77
}

venv=${ETCORE_VENV:-build/venv}
wanted() {
	"$venv/bin/python" - $PACKAGES <<'PYTHON' 2>/dev/null
import importlib.metadata, sys
ok = all(importlib.metadata.version(n).split("+")[0] == v for n, v in (p.split("==") for p in sys.argv[1:]))
# With the package wcwidth installed, tables have other widths for wide characters.
for name in ("wcwidth", "IPython"):
    try:
        importlib.metadata.version(name)
        ok = False
    except importlib.metadata.PackageNotFoundError:
        pass
sys.exit(not ok)
PYTHON
}

# If two processes start at once, the second one waits.
mkdir -p build
exec 9>build/venv.lock
flock 9
if ! wanted; then
	[ -n "${ETCORE_VENV:-}" ] && skipped "$ETCORE_VENV does not hold exactly $PACKAGES"
	python=$(command -v python3.11) || skipped "python3.11 is not installed"
	case $(uname -m) in
	x86_64 | aarch64) ;;
	*) skipped "no ExecuTorch wheel for $(uname -m)" ;;
	esac
	echo "making $venv (downloads about 400 MB once)" >&2
	rm -rf "$venv"
	"$python" -m venv "$venv" || skipped "python3.11 -m venv does not work: install python3-venv"
	"$venv/bin/pip" install -q --disable-pip-version-check $PACKAGES >build/venv.log 2>&1 || {
		reason=$(tail -n 1 build/venv.log)
		rm -rf "$venv"
		skipped "pip could not install the Inspector: $reason"
	}
	wanted || skipped "pip installed other versions than $PACKAGES"
fi
exec 9>&-
exec "$venv/bin/python" "${ETCORE_LIVE:-tests/parity/live.py}" --etcore "$etcore" "$@"

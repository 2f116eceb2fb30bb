#!/usr/bin/env bash
# farm_live.sh ENGINE ETCORE LIBRARY -- makes (once) the Python environment with ENGINE, spark or ray, from PyPI, then runs
# tests/python/ENGINE_live.py in it.
# Exit status 77: skipped, the reason is on the last line.
set -uo pipefail
cd "$(dirname "$0")/../.."
engine=$1
shift
venv=build/venv-$engine

skipped() {
	echo "skipped: $*"
	exit 77
}

case $engine in
spark)
	packages="pyspark pyarrow pandas<3" modules="pyspark, pyarrow, pandas"
	command -v java >/dev/null || skipped "java is not installed: default-jre-headless"
	;;
ray) packages="ray[data] pyarrow pandas" modules="ray.data, pyarrow, pandas" ;;
esac
if ! "$venv/bin/python" -c "import $modules" 2>/dev/null; then
	mkdir -p build
	rm -rf "$venv"
	python3 -m venv "$venv" || skipped "python3 -m venv does not work: install python3-venv"
	"$venv/bin/pip" install -q --disable-pip-version-check $packages >"$venv.log" 2>&1 || {
		reason=$(tail -n 1 "$venv.log")
		rm -rf "$venv"
		skipped "pip could not install $packages: $reason"
	}
	"$venv/bin/python" -c "import $modules" || { echo "pip installed $packages, but they cannot be imported"; exit 1; }
fi
"$venv/bin/python" -B "tests/python/${engine}_live.py" "$@"

#!/usr/bin/env bash
# hyparquet_live.sh ETCORE -- gets (once) hyparquet, a reader of Parquet in JavaScript, by npm, then runs hyparquet_live.py.
# Exit status 77: skipped, the reason is on the last line.
set -uo pipefail
cd "$(dirname "$0")/../.."
npm=build/npm-parquet

skipped() {
	echo "skipped: $*"
	exit 77
}

for program in node npm python3; do
	command -v "$program" >/dev/null || skipped "$program is not installed: nodejs, npm"
done
if ! [ -d "$npm/node_modules/hyparquet-compressors" ]; then
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$npm" hyparquet@1.33.0 hyparquet-compressors@1.1.2 >"$npm.log" 2>&1 || {
		rm -rf "$npm"
		skipped "npm could not install hyparquet: $(tail -n 1 "$npm.log")"
	}
fi
python3 -B tests/api/hyparquet_live.py "$1" "$npm"

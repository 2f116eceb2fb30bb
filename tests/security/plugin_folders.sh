#!/bin/sh
# plugin_folders.sh BUILD -- plugins in folders that others can write to are not run.
set -eu
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch
unset XDG_DATA_HOME
export HOME
mkdir "$scratch/plugins"
cp "$build/plugins/kleidiai.so" "$scratch/plugins/mine.so"

# seen WORD...: what `etcore plugins` says of the folder, run by WORD.... A plugin is listed by its path.
seen() {
	ETCORE_PLUGIN_PATH=$scratch/plugins "$@" "$build/etcore" plugins -o json 2>&1
}

expect() {
	case $1 in
	*"$2"*) ;;
	*) printf 'expected: %s\ngot: %s\n' "$2" "$1"; exit 1 ;;
	esac
}

expect "$(seen env)" "$scratch/plugins/mine.so"

chmod o+w "$scratch/plugins"
told=$(seen env)
expect "$told" "warning[W0619]"
expect "$told" "everybody may write to it"
case $told in *mine.so*) echo "it is listed all the same: $told"; exit 1 ;; esac
chmod o-w "$scratch/plugins"

# As another user sees it: root gives the folder away; others enter a namespace in which root's folders are nobody's.
if [ "$(id -u)" -eq 0 ]; then
	chown 54321 "$scratch/plugins"
	told=$(seen env)
elif unshare -r true 2>/dev/null; then
	told=$(ETCORE_PLUGIN_PATH=/usr unshare -r "$build/etcore" plugins -o json 2>&1)
else
	echo "no other user to be had here: neither root nor a user namespace"
	exit 77
fi
expect "$told" "warning[W0619]"
expect "$told" "it belongs to another user"
case $told in *mine.so*) echo "it is listed all the same: $told"; exit 1 ;; esac
echo "folders that everybody may write to, or that belong to another user, are passed over"

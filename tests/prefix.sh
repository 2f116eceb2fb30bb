#!/bin/sh
# prefix.sh BUILD -- `cmake --install` makes a prefix that works, and goes on
# working after it is moved: program, plugins, header and configuration.
set -eu
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch
export HOME
unset XDG_CONFIG_HOME XDG_DATA_HOME ETCORE_PLUGIN_PATH ETCORE_CONFIG 2>/dev/null || true

cmake --install "$build" --prefix "$scratch/first" >/dev/null
for file in bin/etcore include/etcore/plugin.h etc/etcore/etcore.ini; do
	[ -e "$scratch/first/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done

# names PREFIX: the plugins that the program there lists, with their files.
names() {
	"$1/bin/etcore" plugins -o json | sed "s|$1|PREFIX|g"
}
names "$scratch/first" >"$scratch/before"
mv "$scratch/first" "$scratch/second"
names "$scratch/second" >"$scratch/after"
for plugin in xnnpack kleidiai coreml; do
	grep "\"name\":\"$plugin\",\"state\":\"on\"" "$scratch/before" | grep -q "PREFIX/.*/$plugin.so"  || {
		echo "$plugin is not found in its prefix:" >&2
		cat "$scratch/before" >&2
		exit 1
	}
done
diff "$scratch/before" "$scratch/after" >&2 || { echo "a moved prefix finds other plugins" >&2; exit 1; }
echo "a moved prefix finds its 3 plugins"

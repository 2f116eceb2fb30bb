#!/bin/sh
# setuid.sh BUILD -- a setuid program must not load files that its caller's environment variables
# name.
set -eu
build=$(cd "$1" && pwd)
owner=54321
caller=54322

if [ "$(id -u)" -ne 0 ]; then
	echo "not seen: only root can make a program that is another user's"
	exit 77
fi
if grep -q __asan_init "$build/etcore"; then
	echo "not seen: AddressSanitizer's search for leaks cannot look into a setuid program and ends it"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
mkdir -p "$scratch/bin" "$scratch/plugins" "$scratch/configured" "$scratch/home/.local/share/etcore/plugins" "$scratch/home/.config/etcore"
cp "$build/etcore" "$(command -v id)" "$scratch/bin"
cp "$build/plugins/kleidiai.so" "$scratch/plugins/variable.so"
cp "$build/plugins/kleidiai.so" "$scratch/home/.local/share/etcore/plugins/home.so"
cp "$build/plugins/kleidiai.so" "$scratch/configured/configured.so"
printf '[etcore]\nplugin_path = %s\n' "$scratch/configured" >"$scratch/home/.config/etcore/etcore.ini"
chown $owner "$scratch"/bin/*

# run PROGRAM ARGUMENT...: runs it as the caller, with environment variables that name files to
# load.
run() {
	env -i PATH="$PATH" HOME="$scratch/home" ETCORE_PLUGIN_PATH="$scratch/plugins" \
		setpriv --reuid=$caller --regid=$caller --clear-groups "$scratch/bin/$@"
}

chmod 4755 "$scratch/bin/id"
if [ "$(run id -u)" != $owner ]; then
	echo "not seen: $scratch has no setuid programs (nosuid?)"
	exit 77
fi
told=$(run etcore plugins -o json)
for name in variable home configured; do
	case $told in *$name.so*) ;; *) echo "as a usual program it finds no $name.so: $told"; exit 1 ;; esac
done
chmod 4755 "$scratch/bin/etcore"
told=$(run etcore plugins -o json)
case $told in *"$scratch"*.so*) echo "setuid, it believes the variables of who runs it: $told"; exit 1 ;; esac
echo "a setuid etcore reads no ETCORE_PLUGIN_PATH, no HOME"

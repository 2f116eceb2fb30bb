#!/bin/sh
# layers.sh -- fails when a folder of core/ includes one that it must not know.
# This table is the architecture: each layer, then every layer it may include.
# "sdk" is etcore/plugin.h and, for api and cli, etcore/etcore.h.
set -eu
cd "${1:-.}"

allowed() {
	case $1 in
	base) echo base ;;
	model) echo base model ;;
	read) echo base model read ;;
	host) echo base model host sdk ;;
	check) echo base model host check sdk ;;
	join) echo base model host join sdk ;;
	stats) echo base model stats ;;
	compare) echo base model stats compare ;;
	memory) echo base model memory ;;
	numeric) echo base model stats numeric ;;
	view) echo base model stats compare memory numeric view ;;
	pipeline) echo base model read stats write pipeline ;;
	write) echo base model numeric view write ;;
	inspector) echo base model host stats numeric view inspector sdk ;;
	api) echo base model read host check join stats compare memory numeric pipeline inspector view write api sdk ;;
	cli) echo base cli sdk ;;
	*) echo "no layer named core/$1" >&2; exit 1 ;;
	esac
}

bad=0
for dir in core/*/; do
	layer=$(basename "$dir")
	may=$(allowed "$layer")
	for file in "$dir"*.c "$dir"*.h "$dir"*.cpp "$dir"*.inc "$dir"*.def; do
		[ -e "$file" ] || continue
		for used in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file" | sort -u); do
			[ "$used" = etcore ] && used=sdk
			case " $may " in
			*" $used "*) ;;
			*) echo "$file must not include $used/" >&2; bad=1 ;;
			esac
		done
	done
done

# Only cli/ knows argv and the terminal; nobody else prints or exits.
if grep -nE '\b(printf|puts|putchar|exit|abort|fprintf)\(' core/[abd-z]*/*.c core/check/*.c 2>/dev/null |
	grep -vE '^core/cli/|etc_text_printf|etc_arena_printf|snprintf'; then
	echo "only cli/ may print or exit" >&2
	bad=1
fi

# Plugins know the public header and nothing else of ours.
if grep -nE '^#include "(base|model|read|host|join|stats|view|write|inspector|pipeline|api|cli)/' plugins/*/*; then
	echo "a plugin includes a private header" >&2
	bad=1
fi
exit $bad

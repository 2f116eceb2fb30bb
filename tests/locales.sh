#!/bin/sh
# locales.sh FOLDER -- makes the locales de_DE.UTF-8 (a decimal comma) and tr_TR.UTF-8 (the lower case of I is not i) in
# FOLDER, for LOCPATH, unless they are there. Making one takes a second, so tests share them. A locale that the machine
# cannot make is left out.
set -u
mkdir -p "$1"
for name in de_DE tr_TR; do
	[ -e "$1/$name.UTF-8/LC_NUMERIC" ] && continue
	made=$(mktemp -d "$1/XXXXXX")
	localedef -i $name -f UTF-8 "$made/$name.UTF-8" 2>/dev/null
	[ ! -e "$made/$name.UTF-8/LC_NUMERIC" ] || mv -T "$made/$name.UTF-8" "$1/$name.UTF-8" 2>/dev/null
	rm -rf "$made"
done

#!/bin/sh
# wheel_inside.sh -- runs in a bare root, called by root.sh: installs the wheel with pip into an environment, and the sdist,
# if there is one, with Debian's compiler and libraries. Both must give the checkout's answer, and uninstall completely.
set -eu
export DEBIAN_FRONTEND=noninteractive
install() {
	apt-get install -y -qq --no-install-recommends "$@" >apt.log 2>&1 || { cat apt.log; exit 1; }
}

# tried FILE OPTION...
tried() {
	file=$1
	shift
	"$python" -m venv "/opt/a place"
	"/opt/a place/bin/python" -m pip install -q --disable-pip-version-check --no-index "$@" "$file"
	(cd / && "/opt/a place/bin/etcore" plugins -o json) >plugins
	[ "$(grep -c '"state":"on".*/opt/a place/lib/python3[0-9.]*/site-packages/etcore/lib/etcore/plugins/1/' plugins)" -ge 8 ]
	"/opt/a place/bin/etcore" analyze run.etdump -o json | cmp - expected
	"/opt/a place/bin/python" wheel_library.py "/opt/a place"/lib/python3.*/site-packages/etcore/lib/libetcore.so.? run.etdump expected
	"/opt/a place/bin/python" -W ignore -c 'import etcore; assert etcore.Inspector(etdump_path="run.etdump").event_blocks'
	"/opt/a place/bin/python" -m pip uninstall -q -y etcore
	[ -z "$(find "/opt/a place" -name '*etcore*')" ] || { find "/opt/a place" -name '*etcore*'; exit 1; }
	rm -r "/opt/a place"
}

install python3 python3-venv
# Python 3.14, if the Debian release has it.
python=/usr/bin/python3
[ -z "$(apt-cache search --names-only '^python3.14-venv$')" ] || { install python3.14-venv && python=/usr/bin/python3.14; }
tried etcore-*.whl
if [ -e etcore-*.tar.gz ]; then
	install cmake ninja-build gcc g++ pkg-config libinih-dev libsimdjson-dev zlib1g-dev libzstd-dev libutf8proc-dev
	tried etcore-*.tar.gz --find-links tools
fi

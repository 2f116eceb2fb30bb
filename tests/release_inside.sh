#!/bin/sh
# release_inside.sh -- runs in a bare root, called by root.sh: installs the .deb with apt and unpacks the
# tarball twice; both must give the checkout's answer and load each other's plugin.
set -eu
export DEBIAN_FRONTEND=noninteractive
sample=tests/data/sample/run.etdump

apt-get install -y -qq --no-install-recommends ./etcore_*.deb >apt.log 2>&1 || { cat apt.log; exit 1; }
etcore --version
[ "$(etcore plugins -o json | grep -c '"state":"on".*/usr/lib/etcore/plugins/1/')" -ge 8 ]
etcore analyze "$sample" -o json | cmp - expected
for file in /etc/etcore/etcore.ini /usr/include/etcore/plugin.h /usr/share/doc/etcore/copyright; do
	[ -s "$file" ]
done
ldconfig -p | grep -q 'libetcore\.so\.'

mkdir -p "/opt/a place" /srv/there
for place in "/opt/a place" /srv/there; do
	tar -xzf etcore-*.tar.gz -C "$place"
	program=$(echo "$place"/etcore-*/bin/etcore)
	[ "$("$program" plugins -o json | grep '"state":"on"' | grep -cF "$place/")" -ge 8 ]
	"$program" analyze "$sample" -o json | cmp - expected
	"$program" plugins --plugin by_deb/acme.so -o json | grep -q '"name":"acme","state":"on"'
done
etcore plugins --plugin by_tarball/acme.so -o json | grep -q '"name":"acme","state":"on"'
etcore plugins check throws.so >throws.log 2>&1 && exit 1
grep -q 'a C++ exception left it: cannot say' throws.log

apt-get purge -y -qq etcore >apt.log 2>&1 || { cat apt.log; exit 1; }
for file in /usr/bin/etcore /usr/lib/etcore /usr/include/etcore /etc/etcore; do
	[ ! -e "$file" ] || { echo "left behind: $file"; exit 1; }
done

#!/usr/bin/env bash
# root.sh SUITE USER FOLDER -- the two commands of the README in a bare root of a Debian
# release (debootstrap), where only git is installed: the last commit is cloned to FOLDER
# and USER calls them, with sudo where that is not root. Needs root itself, nothing stays.
#
# root.sh SUITE --given FOLDER COMMAND -- in a root with nothing but Debian's base: FOLDER is
# copied to /given, and root calls COMMAND there.
#
# Status 77: the root could not be made here, the last line says why.
set -uo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "$*"
	exit 77
}

# Mounts live in a namespace of their own and end with it.
if [ "${1:-}" != --inside ]; then
	[ "$(id -u)" = 0 ] || skip "making a root asks for root"
	command -v debootstrap >/dev/null || skip "debootstrap is not installed"
	unshare --mount --pid --fork true 2>/dev/null || skip "mounts of its own are not permitted here"
	root=$(pwd)/build-root.$1.$2
	trap 'rm -rf --one-file-system "$root"' EXIT
	rm -rf --one-file-system "$root"
	unshare --mount --pid --fork --propagation private "$0" --inside "$root" "$@"
	exit
fi
root=$2 suite=$3 user=$4 folder=$5
given= with=--include=git,ca-certificates,sudo
[ "$user" != --given ] || given=$6 user=root with=

# Where this machine's packages are from, and how it reaches them.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n '\#/debian/$#{p;q}')
[ -n "$mirror" ] || skip "this machine has no mirror of Debian"
debootstrap --variant=minbase $with "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
	tail -n 5 "$root.log"
	skip "debootstrap $suite failed"
}
rm -f "$root.log"
apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/90host"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs shm "$root/dev/shm"

chroot "$root" apt-get update -qq || skip "the root reaches no packages"

# inside COMMAND: as somebody who has just logged in.
inside() {
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		chroot "$root" su - "$user" -c "$1"
}

[ "$user" = root ] || {
	chroot "$root" useradd --create-home --shell /bin/bash "$user"
	echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
}
if [ -n "$given" ]; then
	cp -rT "$folder" "$root/given"
	inside "cd /given && $given" </dev/null || {
		echo "$suite: status $? from: $given"
		exit 1
	}
	echo "$suite: $given passed"
	exit
fi
git bundle create --quiet "$root/tmp/etcore.bundle" HEAD
chmod 0644 "$root/tmp/etcore.bundle"
for command in "git clone --quiet /tmp/etcore.bundle '$folder' && cd '$folder' && git checkout --quiet --detach" \
	"cd '$folder' && ./dev demo" "cd '$folder' && ./dev test"; do
	inside "$command" </dev/null || {
		echo "$suite, $user: status $? from: $command"
		exit 1
	}
done
echo "$suite, $user in $folder: ./dev demo and ./dev test passed"

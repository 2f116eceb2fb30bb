#!/usr/bin/env bash
# root.sh SUITE USER FOLDER -- runs the two commands of the README in a bare root of a Debian
# release (debootstrap), in which only git is installed: clones the last commit to FOLDER,
# and USER runs them, with sudo if USER is not root. Needs root itself; removes
# the root afterwards.
#
# root.sh SUITE[/arm64] --given FOLDER COMMAND -- in a root with only Debian's base, copies FOLDER
# to /given, and runs COMMAND there as root; an arm64 root runs under qemu-user.
#
# Status 77: the root could not be made here, the last line says why.
set -uo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "$*"
	exit 77
}

# The mounts are in a separate mount namespace and end with it.
if [[ "${1:-}" != --inside && "${1:-}" != --emulated ]]; then
	[ "$(id -u)" = 0 ] || skip "making a root asks for root"
	command -v debootstrap >/dev/null || skip "debootstrap is not installed"
	unshare --mount --pid --fork true 2>/dev/null || skip "mounts of its own are not permitted here"
	root=$(pwd)/build-root.${1/\//.}.$2
	trap 'rm -rf --one-file-system "$root"' EXIT
	rm -rf --one-file-system "$root"
	unshare --mount --pid --fork --propagation private "$0" --inside "$root" "$@"
	exit
fi
stage=$1 root=$2 suite=${3%/*} user=$4 folder=$5
given= with=--include=git,ca-certificates,sudo
[ "$user" != --given ] || given=$6 user=root with=

# The package sources of this machine, and its network settings.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n '\#/debian/$#{p;q}')
[ -n "$mirror" ] || skip "this machine has no mirror of Debian"

# bootstrap COMMAND...
bootstrap() {
	"$@" >"$root.log" 2>&1 && rm "$root.log" && return
	tail -n 5 "$root.log"
	skip "debootstrap $suite failed"
}

# The kernel starts programs of an arm64 root in qemu. It keeps this setting in the user
# namespace, so a separate one is used: nothing stays behind, and other programs are not affected.
emulated() {
	local device pid
	command -v qemu-aarch64-static >/dev/null || skip "qemu-aarch64-static is not installed"
	bootstrap debootstrap --foreign --arch=arm64 --variant=minbase "$suite" "$root" "$mirror"
	mount -t proc proc "$root/proc"
	mount -t tmpfs dev "$root/dev"
	for device in null zero full random urandom tty console ptmx; do
		touch "$root/dev/$device"
		mount --bind "/dev/$([ -e "/dev/$device" ] && echo "$device" || echo null)" "$root/dev/$device"
	done
	mkfifo "$root.mapped"
	unshare --user --mount sh -c 'read -r _ <"$0"; exec "$@"' "$root.mapped" "$0" --emulated "$@" &
	pid=$!
	exec 8>"$root.mapped"
	rm "$root.mapped"
	echo "0 0 65536" >"/proc/$pid/uid_map" && echo "0 0 65536" >"/proc/$pid/gid_map"
	echo >&8
	exec 8>&-
	wait $pid
	exit
}

case $stage,$3 in
--inside,*/arm64) emulated "${@:2}" ;;
--emulated,*)
	mkdir -p "$root/binfmt"
	mount -t binfmt_misc binfmt "$root/binfmt" 2>/dev/null || skip "this kernel has no emulation for a namespace (Linux 6.7)"
	# The start of an ELF file for AArch64, and a mask of its relevant bits.
	printf '%s' ':aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:' \
		'\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:' "$(command -v qemu-aarch64-static):F" \
		>"$root/binfmt/register" || skip "qemu-aarch64-static cannot be registered"
	# As in a container: devices exist but cannot be created.
	bootstrap env container=lxc chroot "$root" /debootstrap/debootstrap --second-stage
	echo "deb $mirror $suite main" >"$root/etc/apt/sources.list"
	;;
*)
	bootstrap debootstrap --variant=minbase $with "$suite" "$root" "$mirror"
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	;;
esac
apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/90host"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir -p "$root/dev/shm"
mount -t tmpfs shm "$root/dev/shm"

chroot "$root" apt-get update -qq || skip "the root reaches no packages"

# inside COMMAND: runs it like a user who has just logged in.
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

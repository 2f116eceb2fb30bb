#!/bin/sh
# build.sh CC FOLDER -- builds frozen.so and frozen_notes.so from the sources in this folder. The committed
# binaries were built with gcc 12.2 of Debian 12 on x86-64 and must not be rebuilt.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
flags="-std=c11 -Os -fPIC -shared -nostdlib -ffreestanding -fvisibility=hidden -fno-stack-protector
	-fno-asynchronous-unwind-tables -fcf-protection=none -s -Wl,--build-id=none -Wl,--hash-style=both
	-Wl,-z,noseparate-code -Wl,-z,max-page-size=4096"
"$1" $flags -o "$2/frozen.so" "$here/frozen.c"
"$1" $flags -DFROZEN_NOTES -o "$2/frozen_notes.so" "$here/frozen.c"

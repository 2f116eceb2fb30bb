#!/usr/bin/env bash
# release.sh [--wheels] [FOLDER] -- makes the release of the last commit in FOLDER/dist (default FOLDER: build-release):
# a relocatable tarball, a .deb and a wheel for x86-64 and AArch64, an sdist, a software bill of
# materials (SPDX) and SHA256SUMS. --wheels: only wheels and sdist, in FOLDER/wheels. The same
# commit gives the same bytes, in any FOLDER.
#
# The compiler is zig's clang, because it links for glibc 2.28 on any machine and has the C++
# runtime as static libraries. The script fetches it and the libraries of sources.txt with apt
# and pip into FOLDER/downloads; files that are already there are used if their
# checksums are right. Needs an x86-64 machine.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
export LC_ALL=C TZ=UTC
# Settings for other builds must not influence the release.
unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH DESTDIR TAR_OPTIONS GZIP \
	${!CMAKE_@} ${!PKG_CONFIG@} ${!SKBUILD@} ${!ZIG_@} ${!DPKG_@}

GLIBC=2.28
MAINTAINER="the etcore authors <maintainers@etcore.invalid>" # docs/release.md
ARCHITECTURES="x86_64 aarch64"
HARDENED="-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2" # as CMakeLists.txt has it
TOOLS="packaging pathspec scikit-build-core zig" # of sources.txt; the others are linked in
SYSTEM_LIBRARIES="libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1"

what=all
[ "${1:-}" != --wheels ] || { what=wheels; shift; }
mkdir -p "${1:-build-release}"
folder=$(cd "${1:-build-release}" && pwd)
[[ $folder != *[!A-Za-z0-9/._+-]* ]] || {
	echo "release: compilers' options cannot have such a path: $folder; name another folder: release/release.sh FOLDER" >&2
	exit 2
}
jobs=$(nproc 2>/dev/null || echo 2)
version=$(sed -n 's/^project(etcore VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
downloads=$folder/downloads dist=$folder/$([ $what = all ] && echo dist || echo wheels) source=$folder/source sources=$folder/source/release/sources.txt
export ZIG_GLOBAL_CACHE_DIR=$folder/zig-cache ZIG_LOCAL_CACHE_DIR=$folder/zig-cache

fail() {
	echo "release: $*" >&2
	exit 1
}

say() {
	echo "release: $*" >&2
}

# logged NAME COMMAND...: writes the command's output to a log, and shows the log if the command fails. It runs in the
# background, because `set -e` has no effect on the left of `||`.
logged() {
	local log=$folder/$1.log
	shift
	("$@") >"$log" 2>&1 &
	wait $! || { tail -n 40 "$log" >&2; fail "failed, see $log: $*"; }
}

# Calls FUNCTION name version licence sha256 file from, for each line of sources.txt.
each_source() {
	local line
	while read -r line; do
		"$1" $line
	done < <(grep -v '^#' "$sources")
}

# Only the files of the commit, without other files of the folder.
checkout() {
	[ -z "$(git status --porcelain)" ] || say "what is not committed is not released"
	rm -rf "$source"
	mkdir -p "$source"
	git archive HEAD | tar -x -C "$source"
}

# apt_source PACKAGE/SUITE FILE: uses its own apt configuration and needs no root. It fetches only upstream's file,
# because a mirror may list a revision of Debian's own files that it does not have yet.
apt_source() {
	local lists=$folder/apt mirror uri
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n '\#/debian/$#{p;q}')
	[ -n "$mirror" ] || fail "this machine has no mirror of Debian: put the files of release/sources.txt into $downloads"
	local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$lists/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State::lists=$lists/lists" -o "Dir::Cache=$lists/cache" -o APT::Sandbox::User=)
	if [ ! -d "$lists" ]; then
		mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial"
		printf "deb-src $mirror %s main\n" $(sed -n 's|.* apt:.*/||p' "$sources" | sort -u) >"$lists/sources.list"
		"${apt[@]}" update
	fi
	uri=$("${apt[@]}" source --print-uris "$1" | awk -v file="$2" -v "quote='" '$2 == file { gsub(quote, "", $1); print $1 }')
	[ -n "$uri" ] || fail "$2 is not among the sources of $1"
	/usr/lib/apt/apt-helper "${apt[@]:2}" download-file "$uri" "$downloads/$2"
}

fetch() {
	local name=$1 version=$2 sum=$4 file=$5 from=$6
	if [ ! -f "$downloads/$file" ]; then
		say "fetching $name $version"
		case $from in
		apt:*) apt_source "${from#apt:}" "$file" ;;
		pip:*) "$folder/venv/bin/pip" -q download --no-deps --only-binary :all: --dest "$downloads" "${from#pip:}==$version" ;;
		esac
	fi >"$folder/fetch.log" 2>&1 || { cat "$folder/fetch.log" >&2; fail "$name: not fetched"; }
	echo "$sum  $downloads/$file" | sha256sum --quiet --check || fail "$file is not what release/sources.txt names"
}

downloaded() {
	awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$sources"
}

compiler() {
	[ -x "$folder/venv/bin/pip" ] || logged venv python3 -m venv "$folder/venv"
	each_source fetch
	logged pip "$folder/venv/bin/pip" install -q --no-deps --no-index $(for tool in $TOOLS; do echo "$downloads/$(downloaded $tool 5)"; done)
	zig=$(printf '%s' "$folder"/venv/lib/python3*/site-packages/ziglang/zig)
}

# Makes the four tools for one architecture as scripts, because CMake needs one path for each.
tools() {
	local arch=$1 into=$2
	mkdir -p "$into"
	for tool in cc c++; do
		# -O2 and -s everywhere: with other options zig would build its C++ runtime again.
		printf '#!/bin/sh\nexec "%s" %s -target %s-linux-gnu.%s -O2 -Wl,-s "$@"\n' "$zig" $tool "$arch" $GLIBC >"$into/$tool"
	done
	for tool in ar ranlib; do
		printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" $tool >"$into/$tool"
	done
	chmod +x "$into"/*
}

# library NAME PACKAGE [-OPTION...] FILE... -- makes a static library from files of the package's source, below the prefix
# `third`. Each function gets its own section, so that the linker can drop unused functions.
library() {
	local name=$1 package=$2 file
	shift 2
	local unpacked=$third/src/$name objects=() options=()
	while [[ $1 == -* ]]; do
		options+=("$1")
		shift
	done
	mkdir -p "$unpacked" "$third/lib/pkgconfig" "$third/include"
	tar -x -C "$unpacked" --strip-components=1 -f "$downloads/$(downloaded "$name" 5)"
	for file in $(cd "$unpacked" && echo $*); do
		case $file in
		*.cpp) set -- c++ -std=c++17 ;;
		*) set -- cc ;;
		esac
		(cd "$unpacked" && "$tools/$1" ${2:-} "${options[@]}" -O2 -ffunction-sections -fdata-sections -DNDEBUG -fPIC -fvisibility=hidden $HARDENED "-ffile-prefix-map=$third=." \
			-Wno-error -c "$file" -o "$file.o")
		objects+=("$unpacked/$file.o")
	done
	rm -f "$third/lib/lib$package.a"
	"$tools/ar" rcs "$third/lib/lib$package.a" "${objects[@]}"
	cat >"$third/lib/pkgconfig/$name.pc" <<-EOF
		Name: $name
		Description: $name
		Version: $(downloaded "$name" 2)
		Cflags: -I$third/include
		Libs: -L$third/lib -l$package
	EOF
}

# The functions that the compiler calls for 128-bit numbers and similar operations. zig's library of them
# also has exp, log, memcpy, and a stack guard that is a constant. Linking one of its functions
# would replace glibc's versions by these, so they are made local.
builtins() {
	"$zig" build-obj -target "$1-linux-gnu.$GLIBC" -O ReleaseFast -fPIC -fstrip "-femit-bin=$third/src/builtins.o" \
		"${zig%/zig}/lib/compiler_rt.zig"
	"$1-linux-gnu-objcopy" --wildcard --localize-symbol='[!_]*' --localize-symbol='__*_chk' \
		--localize-symbol='__stack_chk*' --localize-symbol=__chk_fail "$third/src/builtins.o"
	rm -f "$third/lib/libbuiltins.a"
	"$tools/ar" rcs "$third/lib/libbuiltins.a" "$third/src/builtins.o"
}

# Checks that a file does not contain them, by the symbols that it imports from glibc.
takes_from_glibc() {
	local name names
	names=$(objdump -T "$1" | awk '/\*UND\*/ { print $NF }')
	for name in exp log memcpy strlen __stack_chk_fail; do
		grep -qx "$name" <<<"$names" || fail "$1 has a $name of its own"
	done
}

third_parties() {
	mkdir -p "$third/src" "$third/lib"
	builtins "$1"
	library inih inih ini.c
	library utf8proc utf8proc utf8proc.c
	library zlib z adler32.c crc32.c deflate.c 'inf*.c' trees.c zutil.c # not gz*.c, which read files
	# Nothing is decompressed, and level 1 (core/table/parquet.c) needs only the first of the eight strategies.
	library zstd zstd $(printf -- '-DZSTD_EXCLUDE_%s_BLOCK_COMPRESSOR ' DFAST GREEDY LAZY LAZY2 BTLAZY2 BTOPT BTULTRA) \
		'lib/common/*.c' 'lib/compress/*.c'
	# Processors without AVX2 run its portable code.
	library simdjson simdjson -DSIMDJSON_IMPLEMENTATION_ICELAKE=0 -DSIMDJSON_IMPLEMENTATION_WESTMERE=0 singleheader/simdjson.cpp
	mv "$third/lib/pkgconfig/utf8proc.pc" "$third/lib/pkgconfig/libutf8proc.pc"
	mv "$third/lib/pkgconfig/zstd.pc" "$third/lib/pkgconfig/libzstd.pc"
	(cd "$third/src" && cp inih/ini.h utf8proc/utf8proc.h zlib/zlib.h zlib/zconf.h zstd/lib/zstd.h zstd/lib/zstd_errors.h \
		simdjson/singleheader/simdjson.h "$third/include")
}

# build ARCH PREFIX ETC INTO: a second call for an architecture compiles only the files that contain the prefix.
build() {
	local arch=$1 prefix=$2 etc=$3 into=$4 tree=$folder/$1/tree
	cmake -S "$source" -B "$tree" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$source/release/zig.cmake" \
		-DETCORE_ZIG_ARCH="$arch" -DETCORE_ZIG_TOOLS="$tools" -DETCORE_THIRD="$third" \
		-DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_SYSCONFDIR="$etc" -DCMAKE_INSTALL_LIBDIR=lib -DETCORE_TESTS=OFF \
		-DCMAKE_C_FLAGS="-ffile-prefix-map=$folder/=" -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$folder/="
	ninja -C "$tree" -j "$jobs"
	rm -rf "$into"
	DESTDIR=$into cmake --install "$tree"
}

# Copies the licences of all linked components, as these licences require.
copyright() {
	local name
	echo "etcore"
	cat "$source/LICENSE"
	for name in inih/LICENSE.txt simdjson/LICENSE utf8proc/LICENSE.md zlib/LICENSE zstd/LICENSE; do
		printf '\n\n== %s %s, linked in ==\n\n' "${name%/*}" "$(downloaded "${name%/*}" 2)"
		cat "$third/src/$name"
	done
	for name in libcxx libcxxabi libunwind; do
		printf '\n\n== %s of LLVM, linked in ==\n\n' "$name"
		cat "${zig%/zig}/lib/$name/LICENSE.TXT"
	done
	printf '\n\n== zig %s, whose runtime functions are linked in ==\n\n' "$(downloaded zig 2)"
	cat "${zig%/zig}/LICENSE"
}

# The ELF files below FOLDER.
elves() {
	find "$1" -type f -exec sh -c 'head -c 4 "$1" | grep -q "^.ELF"' sh {} \; -print | sort
}

# asked FILES: prints the newest glibc version that the files require.
asked() {
	objdump -T "$@" 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d_ -f2
}

# Checks what a tarball promises: it needs only an old glibc, and has no packed relocations and no foreign path.
promised() {
	local into=$1 file needed dynamic
	for file in $(elves "$into"); do
		dynamic=$(readelf -dW "$file")
		for needed in $(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic"); do
			[[ " $SYSTEM_LIBRARIES " == *" $needed "* ]] || fail "$file asks for $needed"
		done
		! grep -q 'RELR\|RPATH\|RUNPATH' <<<"$dynamic" || fail "$file has packed relocations or a search path"
	done
	for file in $(find "$into" -type f -path '*/bin/etcore' -o -type f -path '*/scripts/etcore' -o -type f -name 'libetcore.so.*'); do
		takes_from_glibc "$file"
	done
	needed=$(asked $(elves "$into"))
	[ -n "$needed" ] || fail "objdump sees no glibc in $into"
	[ "$(printf '%s\n' "$needed" $GLIBC | sort -V | tail -n 1)" = $GLIBC ] || fail "$into asks for glibc $needed"
	! grep -rlF "$folder" "$into" || fail "the files above name the folder that they were built in"
}

# backend HOOK FOLDER KEY=VALUE...: runs the build system that pyproject.toml names, on the files of the commit.
backend() {
	(cd "$source" && "$folder/venv/bin/python" -c 'import sys; from scikit_build_core import build
getattr(build, sys.argv[1])(sys.argv[2], dict(s.split("=", 1) for s in sys.argv[3:]))' "$@")
}

# The same tree and compiler as for the tarball; only the locations of files differ (docs/install.md).
wheel() {
	local arch=$1 into=$folder/$1/wheel
	logged "$arch-wheel" backend build_wheel "$dist" "build-dir=$folder/$arch/tree" "wheel.tags=py3-none-manylinux_${GLIBC/./_}_$arch" \
		install.strip=false cmake.define.CMAKE_TOOLCHAIN_FILE="$source/release/zig.cmake" \
		cmake.define.ETCORE_ZIG_ARCH="$arch" cmake.define.ETCORE_ZIG_TOOLS="$tools" cmake.define.ETCORE_THIRD="$third" \
		cmake.define.CMAKE_C_FLAGS="-ffile-prefix-map=$folder/=" cmake.define.CMAKE_CXX_FLAGS="-ffile-prefix-map=$folder/=" \
		cmake.define.ETCORE_COPYRIGHT="$third/copyright"
	"$folder/venv/bin/python" -m zipfile -e "$dist"/etcore-*"_$arch.whl" "$into"
	promised "$into"
}

# packed FILE PARENT NAME: makes the same tar for the same files.
packed() {
	tar -C "$2" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$3" |
		gzip -n -9 >"$1"
}

tarball() {
	local arch=$1 name=etcore-$version-$1-linux-gnu
	logged "$arch-tarball" build "$arch" /usr/local etc "$folder/$arch/tar"
	rm -rf "$folder/$arch/$name"
	mv "$folder/$arch/tar/usr/local" "$folder/$arch/$name"
	mkdir -p "$folder/$arch/$name/share/doc/etcore"
	cp "$third/copyright" "$folder/$arch/$name/share/doc/etcore/"
	promised "$folder/$arch/$name"
	packed "$dist/$name.tar.gz" "$folder/$arch" "$name"
}

# Writes the data that dpkg needs about the files below ROOT.
control() {
	local root=$1 arch=$2
	mkdir -p "$root/DEBIAN"
	cat >"$root/DEBIAN/control" <<-EOF
		Package: etcore
		Version: $version
		Architecture: $arch
		Maintainer: $MAINTAINER
		Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
		Depends: libc6 (>= $(asked $(elves "$root")))
		Suggests: python3
		Section: devel
		Priority: optional
		Description: where an ExecuTorch model spends its time
		 etcore reads the ETDump that the ExecuTorch runtime writes and the ETRecord
		 that the exporter keeps, and says which operator, which module and which line
		 of source takes the time. With the library libetcore, the plugins that know
		 the backends, and the headers to write others.
	EOF
	(cd "$root" && find etc -type f | sort | sed 's|^|/|') >"$root/DEBIAN/conffiles"
	echo "libetcore $(cd "$root/usr/lib" && ls -d libetcore.so.? | sed 's/.*\.//') etcore (>= $version)" >"$root/DEBIAN/shlibs"
	echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
	(cd "$root" && find usr -type f | sort | xargs -d '\n' md5sum) >"$root/DEBIAN/md5sums"
}

# overridden: lists lintian's complaints about intended properties of the package, with the reasons.
overridden() {
	cat <<-'EOF'
		# A release needs only glibc; the bill of materials has the version of zlib.
		etcore: embedded-library zlib *
		# Program, library and headers are one small package, so that a vendor builds against what runs.
		etcore: link-to-shared-library-in-wrong-package *
		etcore: package-name-doesnt-match-sonames *
		# To build for another architecture, use that architecture's tarball.
		etcore: pkg-config-unavailable-for-cross-compilation *
	EOF
}

deb() {
	local arch=$1 name=$2 root=$folder/$1/deb page
	logged "$arch-deb" build "$arch" /usr /etc "$root"
	# Debian's own folders for zsh completion and manual pages.
	mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
	find "$root/usr/share/man" -type f -exec gzip -n -9 {} +
	mkdir -p "$root/usr/share/doc/etcore" "$root/usr/share/lintian/overrides"
	# Debian already has the Apache License.
	sed -E '/^ *Apache License$/,/END OF TERMS AND CONDITIONS/c\    [Apache License, Version 2.0: /usr/share/common-licenses/Apache-2.0]' \
		"$third/copyright" >"$root/usr/share/doc/etcore/copyright"
	overridden >"$root/usr/share/lintian/overrides/etcore"
	printf 'etcore (%s) unstable; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' "$version" \
		"$version" "$MAINTAINER" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -n -9 >"$root/usr/share/doc/etcore/changelog.gz"
	promised "$root"
	control "$root" "$name"
	find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$root" "$dist/etcore_${version}_$name.deb" >/dev/null
}

command -v dpkg-deb >/dev/null || fail "dpkg-deb is not installed"
[ "$(uname -m)" = x86_64 ] || fail "this is no x86-64 machine"
checkout
mkdir -p "$downloads"
compiler
rm -rf "$dist"
mkdir -p "$dist"
for arch in $ARCHITECTURES; do
	say "building for $arch, glibc $GLIBC"
	rm -rf "${folder:?}/$arch"
	tools=$folder/$arch/tools third=$folder/$arch/third
	tools "$arch" "$tools"
	logged "$arch-third" third_parties "$arch"
	copyright >"$third/copyright"
	if [ $what = all ]; then
		tarball "$arch"
		case $arch in
		x86_64) deb "$arch" amd64 ;;
		aarch64) deb "$arch" arm64 ;;
		esac
	fi
	wheel "$arch"
done
logged sdist backend build_sdist "$dist"
[ $what = wheels ] || python3 "$source/release/sbom.py" "$version" "$sources" "${zig%/zig}" "$dist" >"$dist/etcore-$version.spdx.json"
(cd "$dist" && sha256sum -- * >"$folder/SHA256SUMS" && mv "$folder/SHA256SUMS" .)
(cd "$dist" && wc -c -- * | sed '$d')

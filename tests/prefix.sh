#!/bin/sh
# prefix.sh BUILD -- tests that `cmake --install` makes a prefix that works, also
# after it is moved: program, plugins, header, configuration, and the files against which
# vendors build. The plugin of docs/plugins/writing.md is built out of tree
# against the moved prefix, with CMake and with pkg-config, and loaded. The configuration must be
# installed where the program looks, also for prefixes that have it elsewhere.
set -eu
build=$1
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch
export HOME
unset XDG_CONFIG_HOME XDG_DATA_HOME ETCORE_PLUGIN_PATH ETCORE_CONFIG 2>/dev/null || true
first=$scratch/first
moved="$scratch/moved and renamed"
step=0

fail() {
	echo "$*" >&2
	exit 1
}

# quiet COMMAND...: shows the command's output only if it fails.
quiet() {
	"$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "failed: $*"; }
}

# below PATTERN FOLDER: the only file below FOLDER with that name.
below() {
	find "$2" -path "$1" | grep . || fail "not installed: $1"
}

# block LANGUAGE DOCUMENT: the first fenced block of that language.
block() {
	awk -v fence='```' -v open="\`\`\`$1" '
		inside && $0 == fence { exit }
		inside
		$0 == open { inside = 1 }' "$root/docs/$2"
}

# names PREFIX: the plugins that the program of PREFIX lists, with their files.
names() {
	"$1/bin/etcore" plugins -o json | sed "s|$1|PREFIX|g"
}

# loaded LIBRARY: the moved program must load it by its path and print its name.
loaded() {
	"$moved/bin/etcore" plugins --plugin "$1" -o json >"$scratch/list"
	grep '"name":"acme","state":"on"' "$scratch/list" | grep -q "acme.so" ||
		{ cat "$scratch/list" >&2; fail "$1 is not loaded"; }
}

installs() {
	quiet cmake --install "$build" --prefix "$first"
	for file in bin/etcore include/etcore/etcore.h include/etcore/plugin.h etc/etcore/etcore.ini share/man/man1/etcore.1 \
		share/man/man1/etcore-analyze.1 share/man/man5/etcore.ini.5 share/man/man7/etcore-plugin.7 \
		share/etcore/record_parity.py share/etcore/bindings.py share/doc/etcore/docs/plugins/abi.md share/doc/etcore/plugins/xnnpack/README.md share/doc/etcore/sdk/README.md share/zsh/site-functions/_etcore \
		share/bash-completion/completions/etcore share/fish/vendor_completions.d/etcore.fish; do
		[ -e "$first/$file" ] || fail "not installed: $file"
	done
	# No text file may contain the folder of the installation or of the build.
	if grep -rIlE "$first|$root|$build" "$first" >&2; then
		fail "absolute paths in installed files"
	fi
}

moves() {
	names "$first" >"$scratch/before"
	mv "$first" "$moved"
	names "$moved" >"$scratch/after"
	for plugin in xnnpack kleidiai coreml ethosu nxp qnn vgf vulkan; do
		grep "\"name\":\"$plugin\",\"state\":\"on\"" "$scratch/before" | grep -q "PREFIX/.*/$plugin.so" ||
			{ cat "$scratch/before" >&2; fail "$plugin is not found in its prefix"; }
	done
	diff "$scratch/before" "$scratch/after" >&2 || fail "a moved prefix finds other plugins"
}

project() {
	mkdir -p "$scratch/acme"
	block c plugins/writing.md >"$scratch/acme/acme.c"
	block cmake plugins/writing.md >"$scratch/acme/CMakeLists.txt"
}

builds_with_cmake() {
	quiet cmake -S "$scratch/acme" -B "$scratch/acme/build" "-DCMAKE_PREFIX_PATH=$moved" \
		-DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Werror"
	quiet cmake --build "$scratch/acme/build"
	[ "$(find "$scratch/acme/build" -name '*.so' | wc -l)" = 1 ] || fail "not one plugin"
	loaded "$scratch/acme/build/acme.so"
	[ "$(nm -D --defined-only "$scratch/acme/build/acme.so" | awk '{print $3}')" = etcore_plugin_v1 ] ||
		fail "acme.so exports more than etcore_plugin_v1"
}

# The same source in C++, whose constants are hidden unless the header shows them.
builds_as_cpp() {
	mkdir "$scratch/cpp"
	cp "$scratch/acme/acme.c" "$scratch/cpp/acme.cpp"
	sed 's/LANGUAGES C/LANGUAGES CXX/; s/acme\.c/acme.cpp/' "$scratch/acme/CMakeLists.txt" \
		>"$scratch/cpp/CMakeLists.txt"
	quiet cmake -S "$scratch/cpp" -B "$scratch/cpp/build" "-DCMAKE_PREFIX_PATH=$moved" -DCMAKE_CXX_STANDARD=20
	quiet cmake --build "$scratch/cpp/build"
	loaded "$scratch/cpp/build/acme.so"
}

builds_with_pkg_config() {
	pc=$(below '*/pkgconfig/etcore.pc' "$moved")
	PKG_CONFIG_PATH=${pc%/*}
	export PKG_CONFIG_PATH
	# As a Makefile passes it; the value is quoted for a shell.
	quiet sh -c "cc -std=c11 -shared -fPIC -fvisibility=hidden $(pkg-config --cflags etcore) \
		'$scratch/acme/acme.c' -o '$scratch/acme/acme.so'"
	loaded "$scratch/acme/acme.so"
	[ "$(cd "$(pkg-config --variable=plugindir etcore | sed 's/\\//g')" && pwd)" = \
		"$(cd "$(dirname "$(below '*/xnnpack.so' "$moved")")" && pwd)" ] ||
		fail "plugindir of etcore.pc is another folder than that of the plugins"
	[ "$(pkg-config --modversion etcore)" = "$("$moved/bin/etcore" --version | cut -d' ' -f2)" ] ||
		fail "etcore.pc has another version than the program"
}

# A plugin must need only the headers, not etcore's library, and must export only its entry. Those parts of the C++
# library that a compiler exports anyway (GNU_UNIQUE, weak) must stay hidden.
builds_with_etcore_plugin_pc() {
	case $(pkg-config --libs etcore-plugin) in *-letcore*) fail "etcore-plugin.pc links libetcore" ;; esac
	[ "$(pkg-config --variable=plugindir etcore-plugin)" = "$(pkg-config --variable=plugindir etcore)" ] ||
		fail "etcore-plugin.pc has another plugindir"
	{
		echo '#include <string>'
		echo 'template <typename T> struct __attribute__((visibility("default"))) shared { static inline T value{}; };'
		echo '__attribute__((visibility("default"))) int helper() { return ++shared<int>::value; }'
		cat "$scratch/acme/acme.c"
	} >"$scratch/unique.cpp"
	mkdir "$scratch/unique"
	unique() {
		quiet sh -c "c++ -std=c++20 -shared -fPIC -fvisibility=hidden $1 '$scratch/unique.cpp' -o '$scratch/unique/acme.so'"
		nm -D --defined-only "$scratch/unique/acme.so" | awk '{ print $2 $3 }'
	}
	unique "-I'$moved/include'" | grep -q '^u' || fail "the compiler makes no unique symbol: the test is empty"
	[ "$(unique "$(pkg-config --cflags --libs etcore-plugin)")" = Retcore_plugin_v1 ] ||
		[ "$(unique "$(pkg-config --cflags --libs etcore-plugin)")" = Detcore_plugin_v1 ] ||
		{ nm -D --defined-only "$scratch/unique/acme.so" >&2; fail "etcore-plugin.pc leaves symbols that clash"; }
	loaded "$scratch/unique/acme.so"
	cp "$scratch/unique.cpp" "$scratch/cpp/acme.cpp"
	quiet cmake --build "$scratch/cpp/build"
	[ "$(nm -D --defined-only "$scratch/cpp/build/acme.so" | awk '{ print $3 }')" = etcore_plugin_v1 ] ||
		{ nm -D --defined-only "$scratch/cpp/build/acme.so" >&2; fail "etcore_add_plugin leaves symbols that clash"; }
}

# The program of docs/api.md, linked with libetcore.so, must give the same answer as etcore.
uses_the_library() {
	dump=$root/tests/data/cases/mlp_xnnpack/run.etdump
	mkdir "$scratch/slowest"
	block c api.md >"$scratch/slowest/slowest.c"
	block cmake api.md >"$scratch/slowest/CMakeLists.txt"
	quiet cmake -S "$scratch/slowest" -B "$scratch/slowest/build" "-DCMAKE_PREFIX_PATH=$moved" \
		-DCMAKE_C_FLAGS="-std=c99 -Wall -Wextra -Wpedantic -Werror"
	quiet cmake --build "$scratch/slowest/build"
	"$scratch/slowest/build/slowest" "$dump" >"$scratch/by_cmake"
	"$moved/bin/etcore" analyze "$dump" --stat median -o tsv --columns self_ns,name | tail -n +2 |
		awk -F '\t' '$1 != "" { printf "%10.0f ns  %s\n", $1, $2 }' >"$scratch/by_program"
	[ -s "$scratch/by_program" ] || fail "the program has no rows"
	grep ' ns  ' "$scratch/by_cmake" | diff - "$scratch/by_program" >&2 ||
		fail "libetcore.so has another answer than the program"
	grep -q 'Fully Connected (NC, F32) GEMM' "$scratch/by_cmake" ||
		fail "libetcore.so does not find the plugins of its prefix"
	grep -q '^N0130 ' "$scratch/by_cmake" || fail "no notes"
	quiet sh -c "cc -std=c99 '$scratch/slowest/slowest.c' $(pkg-config --cflags --libs etcore) \
		'-Wl,-rpath,$(dirname "$(below '*/libetcore.so' "$moved")")' -o '$scratch/slowest/slowest'"
	"$scratch/slowest/slowest" "$dump" | diff - "$scratch/by_cmake" >&2 || fail "another answer without CMake"
	if "$scratch/slowest/slowest" "$root/README.md" 2>"$scratch/said"; then
		fail "a README is analysed"
	fi
	grep -q '^E0964: .*README.md: ' "$scratch/said" || fail "another error: $(cat "$scratch/said")"
}

# A missing function must be an error when linking, and the version that a vendor requests must be checked.
refuses() {
	mkdir "$scratch/bad"
	sed 's/^static etcore_result/int missing(void);\n&/; s/(void)self;/(void)missing();/' \
		"$scratch/acme/acme.c" >"$scratch/bad/acme.c"
	cp "$scratch/acme/CMakeLists.txt" "$scratch/bad/CMakeLists.txt"
	quiet cmake -S "$scratch/bad" -B "$scratch/bad/build" "-DCMAKE_PREFIX_PATH=$moved"
	if cmake --build "$scratch/bad/build" >"$scratch/log" 2>&1; then
		fail "a plugin with an undefined function was linked"
	fi
	grep -q "undefined reference.*missing" "$scratch/log" || { cat "$scratch/log" >&2; fail "another error"; }
	sed 's/find_package(etcore/& 99/' "$scratch/acme/CMakeLists.txt" >"$scratch/bad/CMakeLists.txt"
	if cmake -S "$scratch/bad" -B "$scratch/bad/new" "-DCMAKE_PREFIX_PATH=$moved" >"$scratch/log" 2>&1; then
		fail "find_package(etcore 99) found something"
	fi
}

# The program must find a vendor's package in the same prefix without an option.
ships() {
	quiet cmake --install "$scratch/acme/build" --prefix "$moved"
	"$moved/bin/etcore" plugins | grep -q '^acme .*installed: ' || fail "an installed plugin is not found"
	"$moved/bin/etcore" plugins info acme >/dev/null
}

# The package's configuration is a separate file in the moved prefix; after both files are removed, all must be as before.
drops_in() {
	"$moved/bin/etcore" config -o json >"$scratch/configured"
	mkdir -p "$moved/etc/etcore/etcore.d"
	printf '[backend.AcmeBackend]\nowner = acme\n' >"$moved/etc/etcore/etcore.d/acme.ini"
	"$moved/bin/etcore" config -o json | grep -F '"key":"owner","value":"acme"' |
		grep -qF "\"origin\":\"$moved/etc/etcore/etcore.d/acme.ini:2\"" ||
		fail "etcore.d/acme.ini of the prefix is not read"
	rm "$(below '*/acme.so' "$moved")" "$moved/etc/etcore/etcore.d/acme.ini"
	"$moved/bin/etcore" config -o json | diff "$scratch/configured" - >&2 || fail "something of acme is left"
	names "$moved" | diff "$scratch/before" - >&2 || fail "acme is still a plugin"
}

# read_from PREFIX FILE [-D...]: installs a tree configured for the prefix; the program must read FILE from where it was
# installed.
read_from() {
	prefix=$1 file=$2
	shift 2
	rm -rf "$scratch/system"
	# One build tree, so that the compiler is checked only once; cached folders of the previous prefix are removed.
	quiet cmake -S "$root" -B "$scratch/tree" -G Ninja -DETCORE_TESTS=OFF -U 'CMAKE_INSTALL_*DIR' "-DCMAKE_INSTALL_PREFIX=$prefix" "$@"
	quiet env "DESTDIR=$scratch/system" cmake --install "$scratch/tree" --component configuration
	[ -f "$scratch/system$file" ] || { tail "$scratch/log" >&2; fail "not installed for the prefix $prefix: $file"; }
	from=$(sed -n 's/.*-DETCORE_SYSCONFDIR_FROM_BINDIR=\\\?"\([^"\\]*\).*/\1/p' "$scratch/tree/build.ninja")
	[ "$(realpath -m "$prefix/bin/$from")" = "$(dirname "$file")" ] || fail "for the prefix $prefix it reads $prefix/bin/$from"
}

reads_what_is_installed() {
	read_from /usr /etc/etcore/etcore.ini
	read_from /opt/acme /etc/opt/acme/etcore/etcore.ini
	[ "${ETCORE_SHARE:-1}" = 1 ] || return 0
	read_from /usr/ /etc/etcore/etcore.ini
	read_from /srv/acme /srv/acme/etc/etcore/etcore.ini
	read_from /srv/acme /srv/acme/settings/etcore/etcore.ini -DCMAKE_INSTALL_SYSCONFDIR=settings
	read_from /srv/acme /etc/etcore/etcore.ini -DCMAKE_INSTALL_SYSCONFDIR=/etc
}

# lists PROGRAM FOLDER: PROGRAM must load its plugins from FOLDER.
lists() {
	"$1" plugins -o json >"$scratch/list"
	grep '"name":"xnnpack","state":"on"' "$scratch/list" | grep -qF "$2/etcore/lib/etcore/plugins/1/xnnpack.so" ||
		{ cat "$scratch/list" >&2; fail "$1 does not look into $2"; }
}

# In the layout of a wheel installed by pip, the program must find the package of the newest Python next to it, and that
# library must find the program.
works_as_a_wheel() {
	venv="$scratch/a venv" target=$scratch/target
	sample=$root/tests/data/cases/mlp_xnnpack/run.etdump
	"$build/etcore" analyze "$sample" -o json >"$scratch/expected"
	mkdir -p "$venv/bin" "$target/bin" "$venv/lib/python3.14/site-packages/other" "$venv/lib/node/site-packages/etcore/lib/etcore/plugins/1"
	cp "$moved/bin/etcore" "$venv/bin/"
	cp "$moved/bin/etcore" "$target/bin/"
	for folder in "$venv/lib64/python3.12/site-packages" "$venv/lib/python3.9/site-packages" "$venv/lib/pypy3.11/site-packages" "$venv/lib/python3.13/dist-packages" "$target"; do
		mkdir -p "$folder/etcore/lib/etcore/plugins"
		cp -r "$moved/lib/etcore/plugins/1" "$folder/etcore/lib/etcore/plugins/"
		cp "$moved"/lib/libetcore.so.? "$folder/etcore/lib/"
		python3 "$root/tests/wheel_library.py" "$folder"/etcore/lib/libetcore.so.? "$sample" "$scratch/expected" || fail "the library in $folder"
	done
	lists "$target/bin/etcore" "$target"
	lists "$venv/bin/etcore" "$venv/lib/python3.13/dist-packages"
	rm -r "$venv/lib/python3.13"
	lists "$venv/bin/etcore" "$venv/lib/pypy3.11/site-packages"
	rm -r "$venv/lib/pypy3.11"
	lists "$venv/bin/etcore" "$venv/lib/python3.9/site-packages"
	rm -r "$venv/lib"
	lists "$venv/bin/etcore" "$venv/lib64/python3.12/site-packages"
	ln -s "$venv/bin/etcore" "$scratch/linked"
	lists "$scratch/linked" "$venv/lib64/python3.12/site-packages"
}

# With ETCORE_SHARE, without the builds in C++ and the builds that must fail.
rest="builds_as_cpp builds_with_etcore_plugin_pc refuses"
for check in installs moves project builds_with_cmake builds_as_cpp builds_with_pkg_config builds_with_etcore_plugin_pc uses_the_library refuses ships drops_in reads_what_is_installed works_as_a_wheel; do
	[ "${ETCORE_SHARE:-1}" = 1 ] || case " $rest " in *" $check "*) continue ;; esac
	$check
	step=$((step + 1))
done
echo "a moved prefix finds its plugins; acme and a program are built against it out of tree ($step steps)"

#!/bin/sh
# vendor.sh BUILD -- does a vendor's work with only an installed etcore: makes
# a plugin from the template, builds it with CMake and with make, tests it, and
# analyses a file with it through only an INI file. With ETCORE_SHARE, CMake builds only one of the names, and no
# plugin with a library.
set -eu
build=$(cd "$1" && pwd)
# A real run of another backend, and a run without delegates.
REAL=$PWD/tests/data/cases/mlp_xnnpack/run.etdump
ORDINARY=$PWD/tests/data/cases/control_flow_cond/run.etdump
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch
export HOME
unset XDG_CONFIG_HOME XDG_DATA_HOME ETCORE_PLUGIN_PATH ETCORE_CONFIG CFLAGS LDFLAGS 2>/dev/null || true

fail() {
	echo "vendor.sh: $*" >&2
	exit 1
}

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
etcore=$scratch/prefix/bin/etcore
mkdir "$scratch/clean"
cd "$scratch/clean"

# A C keyword and a word that CMake reserves are valid names.
names="int acme_npu cpp test"
[ "${ETCORE_SHARE:-1}" = 1 ] && by_cmake=$names || by_cmake=acme_npu
for name in $names; do
	language=c
	[ $name != cpp ] || language=cpp
	"$etcore" plugins new $name --language $language >"$scratch/said" || fail "plugins new $name"
	grep -q "cmake -S $name -B $name/build" "$scratch/said" || fail "plugins new does not say how to build"
	case " $by_cmake " in *" $name "*) ;; *) continue ;; esac
	cmake -S $name -B $name/build -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" \
		>"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "configuring $name"; }
	cmake --build $name/build >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "building $name"; }
	[ "$(find $name/build -name '*.so')" = $name/build/$name.so ] || fail "not one .so below $name/build"
done
grep -rliw acme . | grep -v /build/ && fail "the template's own name is left in these"

(cd acme_npu/build && ctest --output-on-failure >"$scratch/log" 2>&1) || { cat "$scratch/log" >&2; fail "the project's test"; }
"$etcore" plugins check acme_npu/build/acme_npu.so --level strict -o tap \
	--sample acme_npu/run.etdump >"$scratch/tap" || { cat "$scratch/tap" >&2; fail "check"; }
"$etcore" plugins check acme_npu/build/acme_npu.so declarations | grep columns.md && fail "agreed names are proposed to the template"
grep -q 'ok .* - sinks$' "$scratch/tap" || fail "the sample is not used: sinks was skipped"
status=0
"$etcore" plugins check acme_npu/build/acme_npu.so --sample "$ORDINARY" 2>"$scratch/said" >/dev/null || status=$?
[ $status = 2 ] && grep -q E0633 "$scratch/said" || fail "a sample without delegates: status $status"

[ "$by_cmake" = acme_npu ] || (cd cpp/build && ctest --output-on-failure >"$scratch/log" 2>&1) || { cat "$scratch/log" >&2; fail "the test of the project in C++"; }

# The other languages need their own compilers (`./dev check kit`), so only their files are
# checked.
for language in rust zig; do
	"$etcore" plugins new in_$language --language $language --backend Vendor.Npu-2 >"$scratch/said" || fail "plugins new in $language"
	grep -q '^test:  make -C in_' "$scratch/said" || fail "plugins new does not say how to build in $language"
	grep -q 'Vendor.Npu-2' in_$language/README.md in_$language/in_$language.*[sg] || fail "--backend is not in the files"
	[ -n "$(find in_$language -name 'etcore.*' -size +8k)" ] || fail "no bindings"
done
grep -rIiwE 'acme|@[A-Z]+@' in_rust in_zig cpp --exclude-dir=build && fail "the template's own words are left in these"

# Builds without CMake, with an include path.
make -s -C int INCLUDE="$scratch/prefix/include" || fail "make"
ETCORE=$etcore sh int/test.sh int/int.so >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "test.sh on what make built"; }

# Works through only an INI file; without that file nothing of the plugin may be left.
analyze() {
	"$etcore" analyze acme_npu/run.etdump -o csv --columns name,calls,self_ns,category,unit "$@"
}
analyze >before.csv
mkdir -p "$scratch/.config/etcore/etcore.d"
touch "$scratch/.config/etcore/etcore.ini"
cp acme_npu/acme_npu.ini acme_npu/build/acme_npu.so "$scratch/.config/etcore/etcore.d/"
analyze >with.csv
grep -q '^conv2d,2,608600,convolution,ns$' with.csv || { cat with.csv >&2; fail "the INI file's plugin is not asked"; }
rm "$scratch/.config/etcore/etcore.d/"*
analyze | diff before.csv - || fail "it is not gone when its files are"

# A real file, with only an INI file: acme_npu knows none of XNNPACK's names, so each event keeps its logged name.
printf '[backend.XnnpackBackend]\nowner = acme_npu\n[plugin.acme_npu]\nlibrary = acme_npu/build/acme_npu.so\n' >real.ini
"$etcore" analyze "$REAL" -c real.ini -o csv --columns name,backend,unit >real.csv 2>"$scratch/said" ||
	{ cat "$scratch/said" >&2; fail "a real file"; }
grep -q '^"Fully Connected (NC, .*) GEMM #1",XnnpackBackend,' real.csv || { cat real.csv >&2; fail "the INI file's owner is not asked"; }

# Checks the RPATH of a plugin with libraries, in the build tree and installed: it must name their folder and have no empty
# entry, which CMake makes for other targets. Not with ETCORE_SHARE.
rpath() {
	mkdir -p rpath/vendor "$scratch/rpath-installed"
	echo 'int npu(void); int npu(void) { return 1; }' >rpath/vendor/npu.c
	cc -shared -fPIC -o rpath/vendor/libnpu.so rpath/vendor/npu.c
	{ cat int/int.c; echo 'int npu(void); __attribute__((constructor)) static void use(void) { npu(); }'; } >rpath/libs.c
	mkdir rpath/project
	mv rpath/libs.c rpath/project
	cat >rpath/project/CMakeLists.txt <<-END
		cmake_minimum_required(VERSION 3.20)
		project(libs LANGUAGES C)
		find_package(etcore REQUIRED)
		etcore_add_plugin(libs libs.c)
		target_link_libraries(libs PRIVATE $PWD/rpath/vendor/libnpu.so)
		set_target_properties(libs PROPERTIES INSTALL_RPATH "\\\$ORIGIN/../of/a/long/name")
		add_library(other MODULE libs.c)
		target_link_libraries(other PRIVATE etcore::plugin $PWD/rpath/vendor/libnpu.so)
		install(TARGETS other LIBRARY DESTINATION lib)
	END
	cmake -S rpath/project -B rpath/build -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_RPATH=/usr/lib >"$scratch/log" 2>&1 &&
		cmake --build rpath/build >>"$scratch/log" 2>&1 && cmake --install rpath/build --prefix "$scratch/rpath-installed" >>"$scratch/log" 2>&1 ||
		{ cat "$scratch/log" >&2; fail "a plugin with a library"; }
	runpath() {
		readelf -dW "$1" | sed -n 's/.*R[UN]*PATH.*\[\(.*\)\]/:\1:/p'
	}
	case $(runpath rpath/build/libother.so) in *::*) ;; *) fail "CMake makes no empty entry: the test is empty" ;; esac
	for file in "$PWD/rpath/build/libs.so" "$(find "$scratch/rpath-installed" -name libs.so)"; do
		case $(runpath "$file") in
		*::*) fail "$file: an empty entry in $(runpath "$file")" ;;
		*:"$PWD/rpath/vendor":*) ;;
		*) fail "$file: not where its library is: $(runpath "$file")" ;;
		esac
		ETCORE_PLUGIN_PATH=$(dirname "$file") "$etcore" plugins --no-isolate >"$scratch/listed" 2>"$scratch/said" || fail "plugins in $file"
		grep -q "^int .*/libs.so$" "$scratch/listed" && ! grep -q '/libs.so' "$scratch/said" || { cat "$scratch/listed" "$scratch/said" >&2; fail "$file is not used"; }
	done
}
[ "${ETCORE_SHARE:-1}" != 1 ] || rpath

# An existing folder must not be changed.
before=$(cksum int/int.c)
status=0
"$etcore" plugins new int >/dev/null 2>"$scratch/said" || status=$?
[ $status = 2 ] && grep -q E0632 "$scratch/said" && [ "$before" = "$(cksum int/int.c)" ] || fail "an existing folder: status $status"
for name in Acme 9lives a/b "" aaaaaaaaaabbbbbbbbbbccccccccccddd etcore none std; do
	status=0
	"$etcore" plugins new "$name" >/dev/null 2>"$scratch/said" || status=$?
	[ $status = 2 ] && grep -q E0631 "$scratch/said" || fail "name '$name': status $status"
done
for id in "" 'a"b' 'a b' 'a]' "$(printf %041d 0)"; do
	status=0
	"$etcore" plugins new other --backend "$id" >/dev/null 2>"$scratch/said" || status=$?
	[ $status = 2 ] && grep -q E0635 "$scratch/said" && [ ! -e other ] || fail "backend '$id': status $status"
done
echo "made, built, checked and used $(echo $names | wc -w) plugins with an installed etcore only"

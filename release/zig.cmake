# zig.cmake -- toolchain of release.sh: zig's clang for ETCORE_ZIG_ARCH and glibc 2.28.
#
# ETCORE_ZIG_TOOLS is the folder of zig's cc, c++, ar and ranlib; ETCORE_THIRD is the prefix of the
# libraries that are linked in.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ETCORE_ZIG_ARCH ETCORE_ZIG_TOOLS ETCORE_THIRD)
if(NOT ETCORE_ZIG_ARCH STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${ETCORE_ZIG_ARCH})
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${ETCORE_ZIG_ARCH} -L /usr/${ETCORE_ZIG_ARCH}-linux-gnu)
endif()
set(CMAKE_C_COMPILER ${ETCORE_ZIG_TOOLS}/cc)
set(CMAKE_CXX_COMPILER ${ETCORE_ZIG_TOOLS}/c++)
set(CMAKE_AR ${ETCORE_ZIG_TOOLS}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${ETCORE_ZIG_TOOLS}/ranlib CACHE FILEPATH "")
# The functions that the compiler calls (`builtins` in release.sh) come before zig's own versions.
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "${ETCORE_THIRD}/lib/libbuiltins.a")
endforeach()
set(CMAKE_FIND_ROOT_PATH ${ETCORE_THIRD})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${ETCORE_THIRD}/lib/pkgconfig)

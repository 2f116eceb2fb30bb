# arm64.cmake -- toolchain: AArch64 on Debian, with the arm64 libraries that
# arm64.sh unpacked into ETCORE_SYSROOT; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ETCORE_SYSROOT)
set(libraries ${ETCORE_SYSROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${ETCORE_SYSROOT}/usr)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig:${ETCORE_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${ETCORE_SYSROOT})
# CMAKE_BUILD_RPATH is not set: CMake would add a ':' to the end of the RPATH of installed files, which stands for the
# current folder. Programs that link these libraries get the folder of the libraries in any case.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${libraries})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_PRELOAD=${ETCORE_SYSROOT}/emulated.so)

/* elf.h -- decides from the bytes of a file whether it is a plugin.
 *
 * dlopen() runs the constructors of a shared object, so etcore opens only a file that exports the
 * symbol etcore_plugin_v*. ELF files of 32 and 64 bits and of both byte orders are read, to
 * distinguish a plugin for another machine from a damaged file. Every access is checked. Even for
 * hostile bytes, the time is at most that of one pass over the symbols. */
#ifndef ETC_HOST_ELF_H
#define ETC_HOST_ELF_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum etc_elf_kind {
	ETC_ELF_NOT,      /* the file is not ELF, or is an ELF file other than a shared object */
	ETC_ELF_DAMAGED,  /* the tables to which its headers refer are outside of the file */
	ETC_ELF_NO_ENTRY, /* a shared object that exports no symbol etcore_plugin_v* */
	/* a shared object that exports etcore_plugin_v<N> for another N (`major`) */
	ETC_ELF_OTHER_ABI,
	ETC_ELF_PLUGIN
};

struct etc_elf {
	enum etc_elf_kind kind;
	uint32_t major;   /* N of the symbol etcore_plugin_v<N> that was found */
	uint16_t machine; /* the field e_machine: 62 is x86-64, 183 is AArch64 */
};

/* Decides whether the file defines and exports the symbol etcore_plugin_v<major>. */
struct etc_elf etc_elf_read(struct etc_span file, uint32_t major);

/* Returns the address of the end of the variable or constant that contains `address`. Both are
 * addresses in the file, before relocation. 0: no symbol of the file covers the address, for
 * example because the file was stripped. */
uint64_t etc_elf_object_end(struct etc_span file, uint64_t address);

/* Calls `each` with every symbol that the file exports. False: the file is not a shared object, or
 * its tables are damaged; `each` may have been called before the damage was found. */
bool etc_elf_exports(struct etc_span file, void (*each)(void *arg, struct etc_str name, bool weak),
                     void *arg);
/* Calls `each` with every library that the file needs: DT_NEEDED, DT_AUXILIARY, DT_FILTER. False:
 * the file is not a shared object, or its tables are damaged. */
bool etc_elf_needs(struct etc_span file, void (*each)(void *arg, struct etc_str name), void *arg);

/* Calls `each` with every NUL-terminated sequence of printable bytes in segments that are neither
 * writable nor executable: first the library's constant texts, then names of its symbols. */
void etc_elf_texts(struct etc_span file, void (*each)(void *arg, struct etc_str text), void *arg);

/* Calls `each` with every list of folders (DT_RPATH, DT_RUNPATH) in which the dynamic linker
 * searches the libraries that the file needs. The folders of a list are separated by colons. False:
 * the file is not a shared object, or its tables are damaged. */
bool etc_elf_search(struct etc_span file, void (*each)(void *arg, struct etc_str path), void *arg);

#ifdef __cplusplus
}
#endif
#endif

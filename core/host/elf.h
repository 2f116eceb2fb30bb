/* elf.h -- is this file a plugin? Decided from the bytes of the file.
 *
 * Opening a shared object runs its constructors, so only a file whose dynamic symbol table
 * exports the entry is opened. Both classes and byte orders of ELF are supported, to distinguish
 * a plugin for another machine from a damaged one. Every access is checked; hostile bytes cost
 * one pass over the symbols. */
#ifndef ETC_HOST_ELF_H
#define ETC_HOST_ELF_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum etc_elf_kind {
	ETC_ELF_NOT,       /* not ELF, or an ELF file other than a shared object */
	ETC_ELF_DAMAGED,   /* its tables lie outside the file */
	ETC_ELF_NO_ENTRY,  /* exports no symbol etcore_plugin_v* */
	ETC_ELF_OTHER_ABI, /* has an entry, but of another ABI major: `major` */
	ETC_ELF_PLUGIN
};

struct etc_elf {
	enum etc_elf_kind kind;
	uint32_t major;   /* ABI major of the entry found */
	uint16_t machine; /* e_machine: 62 x86-64, 183 AArch64 */
};

/* Looks for the symbol etcore_plugin_v<major> among the symbols that the file defines and
 * exports. */
struct etc_elf etc_elf_read(struct etc_span file, uint32_t major);

/* Returns the end of the variable or constant that contains `address`; both are addresses as
 * linked, before relocation. 0: no symbol of the file covers the address, for example because the
 * file was stripped. */
uint64_t etc_elf_object_end(struct etc_span file, uint64_t address);

/* Calls `each` with every symbol that the file exports. False: the file is not a shared object, or
 * its tables are damaged; `each` may have been called before the damage was found. */
bool etc_elf_exports(struct etc_span file, void (*each)(void *arg, struct etc_str name, bool weak),
                     void *arg);
/* Calls `each` with every library that the file needs: DT_NEEDED, DT_AUXILIARY, DT_FILTER. False: as
 * for etc_elf_exports(). */
bool etc_elf_needs(struct etc_span file, void (*each)(void *arg, struct etc_str name), void *arg);

/* Calls `each` with every NUL-terminated run of printable bytes in memory that is neither writable
 * nor executable: the constant texts of the library, and names of symbols after them. */
void etc_elf_texts(struct etc_span file, void (*each)(void *arg, struct etc_str text), void *arg);

/* Calls `each` with each list of folders in which the file's needed libraries are searched
 * (DT_RPATH, DT_RUNPATH); the folders are separated by colons. False: as for etc_elf_exports(). */
bool etc_elf_search(struct etc_span file, void (*each)(void *arg, struct etc_str path), void *arg);

#ifdef __cplusplus
}
#endif
#endif

/* runner_file.h -- examines the file of a runner: whether it exists, for which processor it was
 * built, and its hash. */
#ifndef ETC_COMMANDS_PIPELINE_RUNNER_FILE_H
#define ETC_COMMANDS_PIPELINE_RUNNER_FILE_H

#include "base/arena.h"
#include "base/error.h"

struct etc_runner_file {
	/* path for starting the runner: absolute, or relative to the current folder */
	const char *path;
	bool there, executable;
	bool elf;         /* the file begins as an ELF file */
	uint16_t machine; /* e_machine of an ELF file */
	/* the loader (PT_INTERP) of an ELF file, or the program of a "#!" line; or NULL */
	const char *loader;
	const char *sha256; /* 64 hex digits; NULL: the file cannot be read */
	uint64_t bytes;
};

/* Finds the runner in the same way as the kit. An absolute `path` is used unchanged. Otherwise the
 * file is executorch/<path> if that exists, else <path>. out->there is false if the file does not
 * exist. E0904. */
enum etc_status etc_runner_file_look(const char *path, struct etc_arena *arena,
                                     struct etc_runner_file *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Returns the name of a machine number, such as "AArch64" or "x86-64"; "machine 8" for a number
 * without a name. */
const char *etc_machine_name(uint16_t machine, struct etc_arena *arena);

/* Returns the machine number (e_machine of the ELF header) of this program; 0: unknown. */
uint16_t etc_machine_here(void);

/* Is the runner an Android program? Decided by the path of its loader. */
bool etc_runner_file_android(const struct etc_runner_file *f);

#endif

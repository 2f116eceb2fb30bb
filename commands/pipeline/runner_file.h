/* runner_file.h -- a runner as a file: is it there, for which machine is it, what are its
 * bytes. */
#ifndef ETC_PIPELINE_RUNNER_FILE_H
#define ETC_PIPELINE_RUNNER_FILE_H

#include "base/arena.h"
#include "base/error.h"

struct etc_runner_file {
	const char *path; /* as it is started; relative to the current folder or absolute */
	bool there, executable;
	bool elf, script;   /* by its first bytes; else neither */
	uint16_t machine;   /* e_machine of an ELF file */
	const char *loader; /* PT_INTERP of an ELF file or the program of "#!", or NULL */
	const char *sha256; /* 64 digits, or NULL: cannot be read */
	uint64_t bytes;
};

/* Finds `path` as the kit does: absolute as it is, else executorch/<path> if that is
 * there, else <path>. What cannot be found has `there` false. E0904. */
enum etc_status etc_runner_file_look(const char *path, struct etc_arena *arena,
                                     struct etc_runner_file *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* "AArch64", "x86-64", "machine 243" */
const char *etc_machine_name(uint16_t machine, struct etc_arena *arena);

/* e_machine of this program; 0: not known. */
uint16_t etc_machine_here(void);

/* Is it for Android? Its loader tells. */
bool etc_runner_file_android(const struct etc_runner_file *f);

#endif

/* runner_file.h -- examines the file of a runner: whether it exists, its machine, its
 * hash. */
#ifndef ETC_COMMANDS_PIPELINE_RUNNER_FILE_H
#define ETC_COMMANDS_PIPELINE_RUNNER_FILE_H

#include "base/arena.h"
#include "base/error.h"

struct etc_runner_file {
	const char *path; /* path to start it: relative to the current folder, or absolute */
	bool there, executable;
	bool elf;           /* begins as an ELF file */
	uint16_t machine;   /* e_machine of an ELF file */
	const char *loader; /* PT_INTERP of an ELF file or the program of "#!", or NULL */
	const char *sha256; /* 64 hex digits; NULL: the file cannot be read */
	uint64_t bytes;
};

/* Finds the runner as the kit does. An absolute `path` is used unchanged. Else executorch/<path> is
 * used if it exists, else <path>. out->there is false if the file does not exist. E0904. */
enum etc_status etc_runner_file_look(const char *path, struct etc_arena *arena,
                                     struct etc_runner_file *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* The name of a machine: "AArch64", "x86-64"; "machine 8" for a number without a name. */
const char *etc_machine_name(uint16_t machine, struct etc_arena *arena);

/* e_machine of this program; 0: unknown. */
uint16_t etc_machine_here(void);

/* Is the runner for Android? The path of its loader decides. */
bool etc_runner_file_android(const struct etc_runner_file *f);

#endif

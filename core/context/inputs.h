/* inputs.h -- the input files of one analysis: the dump and the files that belong to it.
 *
 * Files that the user does not name are searched in the folder of the dump. The file with the
 * dump's stem (its name without the ending) is used; if there is none, the folder's only file of
 * that kind. */
#ifndef ETC_CONTEXT_INPUTS_H
#define ETC_CONTEXT_INPUTS_H

#include "context/session.h"
#include "model/baseline.h"
#include "model/program.h"

struct etc_input_paths {
	const char *dump;
	const char *etrecord, *debug_buffer, *program; /* NULL: not given */
	bool no_siblings;
	bool values; /* read the program completely, with its values */
	/* read the tensors of the record's graphs in two cases: no program is known; or a product
	 * (matrix multiplication or convolution) in the program has no debug handle */
	bool flows;
	/* also read the tensors of the record's graphs if a program is known and the dump has
	 * logged values */
	bool sizes;
	bool verbose; /* files that were found next to the dump are reported (N0421) */
};

struct etc_input_file {
	const char *path;
	struct etc_span bytes;
	bool found; /* the file was found next to the dump; false: the user named it */
	/* SHA-256 of a file that is only known from a baseline: then `bytes` is empty, and
	 * `stored_bytes` is the size of the file. {NULL, 0} for every other file */
	struct etc_str sha256;
	uint64_t stored_bytes;
};

struct etc_inputs {
	struct etc_input_file dump, etrecord, debug_buffer, program; /* path NULL: no such file */
	struct etc_trace trace;
	struct etc_record record; /* read if etrecord.path is set */
	struct etc_program code;  /* read if program.path is set */
	/* The reason why the record, or the program, cannot belong to the dump, because it comes
	 * from another export. Such a file is not used. Empty: no contradiction was found. */
	struct etc_str record_foreign, program_foreign;
	/* the dump was extracted from a serial log: dump.path is the log, dump.bytes only the
	 * dump */
	bool from_log;
	/* The dump in a stored baseline from which the data come; trace, record and code are then
	 * empty. NULL: the data are read from files. */
	const struct etc_baseline_dump *stored;
	/* the baseline file; set only for the first dump of the baseline, so that reports list the
	 * file once */
	struct etc_input_file baseline;
};

/* Opens and reads all files. If a file cannot be read, this is an error if the user named the file;
 * if it was found next to the dump, the file is left out with a warning. */
enum etc_status etc_inputs_open(struct etc_session *s, const struct etc_input_paths *paths,
                                struct etc_inputs *in, struct etc_error *err) ETC_MUST_CHECK;

/* These two functions return the record and the program. Each returns NULL if there is no such
 * file, or if the file does not belong to the dump. */
static inline const struct etc_record *etc_inputs_record(const struct etc_inputs *in)
{
	return in->etrecord.path && !in->record_foreign.len ? &in->record : NULL;
}

static inline const struct etc_program *etc_inputs_program(const struct etc_inputs *in)
{
	return in->program.path && !in->program_foreign.len ? &in->code : NULL;
}

/* Searches for files next to a dump, and sets the members of `beside` to their paths. A member is
 * NULL if there is no such file, or if there are several (N0420). */
void etc_inputs_beside(struct etc_session *s, const char *dump, struct etc_input_paths *beside);

/* Returns the dump next to the record or program `path`: the dump with the same stem, else the only
 * dump in the folder. NULL: there is no dump, or there are several. */
const char *etc_inputs_find_dump(struct etc_session *s, const char *path, bool verbose);

#endif

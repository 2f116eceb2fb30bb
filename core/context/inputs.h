/* inputs.h -- the input files of one analysis: the dump and the files that belong to it.
 *
 * Files that the user does not name are searched next to the dump: first the file with the dump's
 * stem, else the folder's only file of that kind. */
#ifndef ETC_CONTEXT_INPUTS_H
#define ETC_CONTEXT_INPUTS_H

#include "context/session.h"
#include "model/baseline.h"
#include "model/program.h"

struct etc_input_paths {
	const char *dump;
	const char *etrecord, *debug_buffer, *program; /* NULL: not given */
	bool no_siblings;
	bool values; /* read the program's values too */
	/* read the tensors of the record's graphs, if no program is known or a product in it has no
	 * debug handle */
	bool flows;
	/* read these tensors even if a program is known, provided that values were logged */
	bool sizes;
	bool verbose; /* report files that were found */
};

struct etc_input_file {
	const char *path;
	struct etc_span bytes;
	bool found; /* found next to the dump, not given */
	/* Set if the file is known only from a baseline; then `bytes` is empty, and `stored_bytes`
	 * is the size of the file. */
	struct etc_str sha256;
	uint64_t stored_bytes;
};

struct etc_inputs {
	struct etc_input_file dump, etrecord, debug_buffer, program; /* path NULL: none */
	struct etc_trace trace;
	struct etc_record record; /* read if etrecord.path is set */
	struct etc_program code;  /* read if program.path is set */
	/* Why the record, or the program, does not belong to the dump: it comes from another
	 * export. Such a file is not used. Empty: nothing contradicts that it belongs to the
	 * dump. */
	struct etc_str record_foreign, program_foreign;
	/* the dump was extracted from a serial log: dump.path is the log, dump.bytes only the
	 * dump */
	bool from_log;
	/* The dump in a stored baseline that the data come from; trace, record and code are then
	 * empty. NULL: the data are read from files. */
	const struct etc_baseline_dump *stored;
	/* the baseline file; set only for the first dump of the baseline, so that reports list the
	 * file once */
	struct etc_input_file baseline;
};

/* Opens and reads all files. A file that was found next to the dump and cannot be read is left
 * out with a warning; a given file that cannot be read is an error. */
enum etc_status etc_inputs_open(struct etc_session *s, const struct etc_input_paths *paths,
                                struct etc_inputs *in, struct etc_error *err) ETC_MUST_CHECK;

/* Return the record, or the program, if it belongs to the dump; else NULL. */
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

/* Returns the dump next to a record or program: the one with its stem, else the only dump in the
 * folder. NULL: there is none, or there are several. */
const char *etc_inputs_find_dump(struct etc_session *s, const char *path, bool verbose);

#endif

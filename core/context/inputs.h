/* inputs.h -- the files of one analysis: the dump, and what belongs to it.
 *
 * What is not given is looked for beside the dump: by its stem, else the
 * folder's only file of that kind. */
#ifndef ETC_API_INPUTS_H
#define ETC_API_INPUTS_H

#include "context/session.h"
#include "model/baseline.h"
#include "model/program.h"

struct etc_input_paths {
	const char *dump;
	const char *etrecord, *debug_buffer, *program; /* NULL: not given */
	bool no_siblings;
	bool values;  /* the program's too */
	bool verbose; /* note what was picked up */
};

struct etc_input_file {
	const char *path;
	struct etc_span bytes;
	bool found; /* picked up, not given */
	/* Out of a baseline: no bytes, but how many there were, and their hash. */
	struct etc_str sha256;
	uint64_t stored_bytes;
};

struct etc_inputs {
	struct etc_input_file dump, etrecord, debug_buffer, program; /* path NULL: none */
	struct etc_trace trace;
	struct etc_record record; /* if etrecord.path */
	struct etc_program code;  /* if program.path */
	/* Why the record, and the program, are of another export than the dump; empty: nothing
	 * says so. They are then used for nothing. */
	struct etc_str record_foreign, program_foreign;
	bool from_log; /* the dump is out of a serial log; its file's bytes are it */
	/* Out of a baseline: has no trace, record and code; NULL: it was read. */
	const struct etc_baseline_dump *stored;
	struct etc_input_file baseline; /* of the first dump out of each */
};

/* Opens and reads all of them. What was picked up and cannot be read is left
 * out with a warning; what was given and cannot be read is the error. */
enum etc_status etc_inputs_open(struct etc_session *s, const struct etc_input_paths *paths,
                                struct etc_inputs *in, struct etc_error *err) ETC_MUST_CHECK;

/* The record and the program that describe the dump, or NULL. */
static inline const struct etc_record *etc_inputs_record(const struct etc_inputs *in)
{
	return in->etrecord.path && !in->record_foreign.len ? &in->record : NULL;
}

static inline const struct etc_program *etc_inputs_program(const struct etc_inputs *in)
{
	return in->program.path && !in->program_foreign.len ? &in->code : NULL;
}

/* Finds the files next to a dump and sets the members of `beside`; NULL if there is none,
 * or several (N0420). */
void etc_inputs_beside(struct etc_session *s, const char *dump, struct etc_input_paths *beside);

/* The dump beside a record or program: by its stem, else the folder's only one;
 * NULL if there is none, or several. */
const char *etc_inputs_find_dump(struct etc_session *s, const char *path, bool verbose);

#endif

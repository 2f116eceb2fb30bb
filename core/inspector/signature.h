/* signature.h -- the EventSignatures of a template. The Inspector treats events of different runs
 * as the same event if their EventSignatures are equal.
 *
 * EventSignatures depend on names and ids only, and leave out debug events that are program
 * outputs. So they are computed once for all runs that have the same template and the same program
 * outputs. */
#ifndef ETC_INSPECTOR_SIGNATURE_H
#define ETC_INSPECTOR_SIGNATURE_H

#include "inspector/inspector.h"

/* Fills `v`, except `signature` and `is_numbered`, from the template of `run`. E0904. */
enum etc_status etc_insp_sign(const struct etc_inspector *in, const struct etc_run *run,
                              struct etc_insp_variant *v, struct etc_error *err);

/* Is the value of this debug event an output of the program? */
static inline bool etc_insp_is_output(const struct etc_trace *t, const struct etc_run *run,
                                      const struct etc_event *e)
{
	const struct etc_value *v = &t->values[run->first_value + e->column];

	return v->has_output && v->output;
}

/* Do both variants have equal tuples of signatures? */
bool etc_insp_same_signatures(const struct etc_insp_variant *a, const struct etc_insp_variant *b);

/* Returns a hash of the variant's tuple of signatures. It reads the names of all events. */
uint64_t etc_insp_hash_signatures(const struct etc_insp_variant *v);

#endif

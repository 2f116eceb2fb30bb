/* numeric.h -- the functions that answer `etcore numeric`: are the numbers right.
 *
 * As analysis.h: a struct of options each, NULL and 0 where not given. */
#ifndef ETC_API_NUMERIC_H
#define ETC_API_NUMERIC_H

#include "api/analysis.h"

/* ---- etcore numeric values ------------------------------------------------- */
struct etc_numeric_values_options {
	struct etc_common_options common;
	const char *dump, *etrecord, *debug_buffer;
	bool no_siblings;
	const char *const *output; /* -o FORMAT[=PATH], also npy, npz, safetensors */
	uint32_t output_count;
	const char *method, *top, *sort, *columns;
	const char *contents; /* --contents N: elements that are shown */
	const char *const *where;
	uint32_t where_count;
	bool sha256;
	bool terminal, ascii;
	uint32_t width; /* columns of the terminal; 0: not a terminal */
};

/* Every value that the runs logged. */
enum etc_status etc_numeric_values(const struct etc_numeric_values_options *options,
                                   struct etc_text *out, etc_note_fn *on_note, void *arg,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif

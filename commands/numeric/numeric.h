/* numeric.h -- the functions that answer `etcore numeric`: are the numbers right.
 *
 * As analysis.h: a struct of options each, NULL and 0 where not given. */
#ifndef ETC_API_NUMERIC_H
#define ETC_API_NUMERIC_H

#include "commands/numeric/sheet.h"

/* ---- etcore numeric values ------------------------------------------------- */
struct etc_numeric_values_options {
	struct etc_common_options common;
	const char *dump, *etrecord, *debug_buffer;
	bool no_siblings;
	const char *const *output; /* -o, as in context/output.h */
	uint32_t output_count;
	const char *method, *top, *sort, *columns;
	const char *contents; /* --contents N: elements that are shown */
	const char *const *where;
	uint32_t where_count;
	bool sha256;
};

/* Every value that the runs logged. */
enum etc_status etc_numeric_values(const struct etc_numeric_values_options *options,
                                   struct etc_text *out, etc_note_fn *on_note, void *arg,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore numeric outputs ------------------------------------------------ */
struct etc_numeric_outputs_options {
	struct etc_common_options common;
	const char *dump, *etrecord, *debug_buffer;
	bool no_siblings;
	const char *bundled; /* --bundled FILE.bpte: references instead of the record's */
	const char *method, *test_case; /* --method NAME, --case N */
	const char *atol, *rtol;
	struct etc_numeric_words words;
};

/* Outputs beside their references. E1177 when one differs, with the table in `out`. */
enum etc_status etc_numeric_outputs(const struct etc_numeric_outputs_options *options,
                                    struct etc_text *out, etc_note_fn *on_note, void *arg,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore numeric gap ------------------------------------------------------ */
struct etc_numeric_gap_options {
	struct etc_common_options common;
	const char *dump, *etrecord, *debug_buffer;
	bool no_siblings;
	const char *reference; /* a dump, or a safetensors file */
	const char *reference_buffer, *reference_etrecord;
	const char *method;
	struct etc_numeric_words words;
};

/* Intermediate values beside their references, and where the error starts. */
enum etc_status etc_numeric_gap(const struct etc_numeric_gap_options *options, struct etc_text *out,
                                etc_note_fn *on_note, void *arg,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif

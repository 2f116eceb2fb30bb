/* outputs_table.h -- a table of a run's outputs next to their references. */
#ifndef ETC_VIEW_OUTPUTS_H
#define ETC_VIEW_OUTPUTS_H

#include "base/error.h"
#include "tensor/difference.h"
#include "table/table.h"

enum etc_output_verdict {
	ETC_OUTPUT_EQUAL, /* every element is equal, also NaN */
	ETC_OUTPUT_CLOSE, /* every element within the tolerance */
	ETC_OUTPUT_DIFFERS,
	ETC_OUTPUT_UNKNOWN /* nothing was compared: see `problem` */
};

struct etc_output_row {
	struct etc_str method;
	uint32_t run; /* index in the dump */
	uint32_t test_case, output;
	uint8_t verdict; /* enum etc_output_verdict */
	struct etc_str problem;
	const char *reference_type, *run_type;     /* NULL: missing */
	struct etc_str reference_shape, run_shape; /* JSON lists */
	struct etc_str first_bad;                  /* JSON list: the index of the first element
	                                            * outside the tolerance */
	struct etc_tolerance tolerance;
	struct etc_difference difference; /* unset for UNKNOWN */
};

/* A row per output. E0904. */
enum etc_status etc_view_outputs(const struct etc_output_row *rows, uint32_t count,
                                 struct etc_arena *arena, struct etc_table *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* The columns that fit a screen, separated by ',': for etc_selection_parse(). */
const char *etc_outputs_columns(bool several_methods, bool problems);

#endif

/* values_table.h -- a table of the values that runs logged. */
#ifndef ETC_VIEW_VALUES_H
#define ETC_VIEW_VALUES_H

#include "base/error.h"
#include "tensor/summary.h"
#include "table/table.h"

struct etc_value_row {
	struct etc_str key; /* its name in an export; unique */
	struct etc_str method, name, nodes, handles, instruction;
	const char *what;    /* "operator", "delegate", "argument", "output", "other" */
	uint32_t run, event; /* index in the dump */
	int32_t item;        /* index in a list or among the outputs; -1: not part of either */
	const char *type;    /* torch's spelling; of scalars int, bool, float, string; or NULL */
	struct etc_str shape, strides,
		dim_order; /* JSON lists; empty: none, or the default order for the shape */
	bool is_tensor, summarised;
	uint64_t elements, bytes;
	int64_t offset;             /* offset in the debug buffer, for tensors */
	struct etc_summary summary; /* valid if summarised */
	bool integers; /* min_bits and max_bits are valid; `is_unsigned` refers to 64-bit types */
	bool is_unsigned;
	struct etc_cell scalar; /* BLANK: it is not a single number */
	struct etc_str sha256, contents;
	const char *problem; /* diagnostic code why it cannot be read, or NULL */
};

/* A row per value. E0904. */
enum etc_status etc_view_values(const struct etc_value_row *rows, size_t count,
                                struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The columns that fit a screen, separated by ',': for etc_selection_parse(). */
const char *etc_values_columns(bool several_methods, bool contents);

#endif

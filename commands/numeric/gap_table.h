/* gap_table.h -- makes a table of a run's intermediate values and their references. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_TABLE_H
#define ETC_COMMANDS_NUMERIC_GAP_TABLE_H

#include "base/error.h"
#include "tensor/difference.h"
#include "table/table.h"

struct etc_gap_value;

/* How an event affects the error, which is the difference of values from the reference. */
enum etc_gap_verdict {
	ETC_GAP_CLEAN, /* no error except rounding */
	/* the error is small, or not clearly larger than the error of the event's inputs */
	ETC_GAP_CARRIES,
	/* the error is clearly larger than that of the event's inputs: the event causes it, or
	 * amplifies it */
	ETC_GAP_RISES,
	ETC_GAP_STARTS, /* the first event of the run that is proven to cause an error */
	/* as STARTS, provided that both sides had the same inputs, which is not proven */
	ETC_GAP_STARTS_IF,
	ETC_GAP_UNKNOWN /* not compared, or the cause is not proven: see `problem` */
};

struct etc_gap_line {
	struct etc_str method;
	uint32_t run, occurrence;
	/* index of the output, if the kernel has several; -1: it has one output */
	int32_t item;
	int32_t instruction; /* -1: unknown */
	uint32_t line;       /* line of the graph; UINT32_MAX: unknown */
	/* NULL: `line` is certain. Otherwise: all lines that may have computed the value; `line` is
	 * the one whose reference differs least from the value */
	const uint32_t *may;
	uint32_t may_count;
	/* the compared values of the run and of the reference */
	const struct etc_gap_value *value, *other;
	bool is_delegate;  /* a value of a delegate */
	bool approximates; /* the error may come from an approximation that a backend uses */
	/* other instructions computed nodes of the same debug handle, and these nodes were not
	 * compared */
	bool is_spread;
	int64_t handle;
	bool has_handle;
	/* names of the event in the run and in the reference; empty: none */
	struct etc_str name, reference_name;
	struct etc_str nodes, module, source; /* texts from the exporter's graph; empty: unknown */
	const char *reference_type, *run_type;
	struct etc_str shape;
	struct etc_str problem;
	uint8_t verdict; /* enum etc_gap_verdict */
	struct etc_difference difference;
	double epsilon; /* machine epsilon of the coarser one of the two element types */
	/* compared: the values of both sides were compared; is_integer: one side has integers or
	 * bools */
	bool compared, is_integer;
	/* the line's error is the first one of its run, but it is not proven that it starts in
	 * this line */
	bool first_seen;
	/* the value is off by more than 8 units in the last place, although both sides computed it
	 * by the same operators from equal inputs */
	bool other_bits;
	/* `relative`: relative difference of the line's value; `input`: the largest one of its
	 * inputs, or, without a graph, of the values before it; `rise`: relative / input. If
	 * `input` is below the limit for ETC_GAP_CLEAN, `rise` is computed with that limit
	 * instead. */
	double relative, input, rise;
};

/* Makes the table, one row per element of `lines`. E0904. */
enum etc_status etc_view_gap(const struct etc_gap_line *lines, uint32_t count,
                             struct etc_arena *arena, struct etc_table *out,
                             struct etc_error *err) ETC_MUST_CHECK;

/* Returns the names of the columns that fit on a screen, separated by ',', as etc_selection_parse()
 * reads them. */
const char *etc_gap_columns(bool several_methods, bool several_runs, bool handles, bool problems);

#endif

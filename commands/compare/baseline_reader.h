/* baseline_reader.h -- a stored baseline as it is in JSON, in which one part refers to another by
 * index.
 *
 * baseline_read.c fills these structs. baseline_settle.c checks the indices, and converts the
 * structs to profiles. */
#ifndef ETC_COMMANDS_COMPARE_BASELINE_READER_H
#define ETC_COMMANDS_COMPARE_BASELINE_READER_H

#include "base/grow.h"
#include "commands/compare/baseline_read.h"

/* Times in a baseline: the JSON array [step, around, text], as baseline_write.h describes it. */
struct etc_stored_times {
	uint64_t step, around;
	struct etc_str text;
};

enum etc_stored_column {
	ETC_STORED_EVENT, /* index of the row's first event in the list of all stored events */
	/* position of the row in the order in which the rows of the path were made */
	ETC_STORED_ORDER,
	ETC_STORED_CALLS,     /* number of the row's events in all kept runs together */
	ETC_STORED_TRUNCATED, /* number of events whose times a clock truncated to whole ticks */
	ETC_STORED_FIRST,     /* index of the row's first event in its run */
	ETC_STORED_COLUMNS
};

struct etc_stored_view {
	uint64_t partitions, delegate_events, resolution;
	/* times that belong to no row; the index is ETC_VALUES_ROUNDING, _INSIDE or _BETWEEN */
	struct etc_stored_times rests[ETC_VALUES_DELEGATED];
	/* each a list of uint64_t, with one item per row */
	struct etc_grow columns[ETC_STORED_COLUMNS];
	struct etc_grow times; /* struct etc_stored_times: the times of each row */
};

struct etc_stored_path {
	struct etc_str method;
	bool methods_fit; /* several methods have the instructions of the path */
	uint64_t number, runs, warmup;
	struct etc_stored_times times;
	struct etc_stored_view views[ETC_BASELINE_VIEWS];
};

/* What a row of the baseline stands for: an event; in the view by delegate, a delegate or an
 * operator. The row of each path (etc_profile_row) is made from a copy of `row`. */
struct etc_stored_event {
	struct etc_profile_row row;
	struct etc_row_event keys;
	struct etc_event event;
	struct etc_facts facts;
	struct etc_place place;
	struct etc_group module, source;
	struct etc_grow nodes; /* list of struct etc_str: the operators of the nodes */
	int64_t id, chain, instruction;
	struct etc_str unit, library_ran, delegate_name;
	bool has_event;
};

struct etc_stored_dump {
	/* the dump as comparisons use it. baseline_read.c sets only the members that need no
	 * conversion; baseline_settle.c sets `views` and the lists */
	struct etc_baseline_dump dump;
	struct etc_str unit;
	uint64_t parts, loads, load_time, debug_values, load_rows[ETC_BASELINE_VIEWS];
	bool has_load_time;
	/* lists of struct etc_str, struct etc_baseline_note and struct etc_stored_path */
	struct etc_grow plugins, notes, paths;
};

struct etc_stored {
	struct etc_grow dumps, events;
};

/* baseline_settle.c: checks the dumps and events in `stored`, and converts them to profiles. E0176,
 * E0904. */
enum etc_status etc_stored_settle(struct etc_stored *stored, struct etc_arena *arena,
                                  struct etc_baseline *out, struct etc_error *err) ETC_MUST_CHECK;

#endif

/* facts.h -- what plugins said about events, copied out of their reach.
 *
 * host/ fills these; join, inspector and view read them. Text is the arena's;
 * absent text is empty. Codes of time are those of etcore/plugin.h. */
#ifndef ETC_MODEL_FACTS_H
#define ETC_MODEL_FACTS_H

#include "base/span.h"

/* One value that a plugin's metadata parser gave. */
enum etc_datum_kind {
	ETC_DATUM_NULL,
	ETC_DATUM_BOOL,
	ETC_DATUM_I64,
	ETC_DATUM_F64,
	ETC_DATUM_STR,
	ETC_DATUM_JSON /* text of any JSON value */
};

struct etc_datum {
	struct etc_str name; /* column; empty for an item of a list */
	uint8_t kind;        /* enum etc_datum_kind */
	uint8_t rollup;      /* ETCORE_ROLLUP_*: how several events' become a row's */
	bool has_bytes;      /* JSON in which b"<base64>" stands for bytes */
	union {
		int64_t i; /* BOOL, I64 */
		double f;
	};
	struct etc_str text; /* STR, JSON */
};

/* Answer of parse_metadata for one event. */
enum etc_parsed_form { ETC_PARSED_NONE, ETC_PARSED_LIST, ETC_PARSED_DICT };

struct etc_parsed {
	uint8_t form; /* enum etc_parsed_form */
	bool corrupt; /* the plugin says so: a parser in Python raises there */
	const struct etc_datum *items;
	uint32_t count;
	bool has_columns; /* the tables show these, not the items */
	const struct etc_datum *columns;
	uint32_t column_count;
};

/* One converted time: Python's int or float. */
struct etc_converted {
	bool is_integer;
	union {
		int64_t i;
		double f;
	};
};

/* What start and end were read from. The numbers are those of ETCORE_CLOCK_*. */
enum etc_clock { ETC_CLOCK_UNKNOWN, ETC_CLOCK_HOST, ETC_CLOCK_DEVICE, ETC_CLOCK_NONE };

/* What the numbers of an event are; codes ETCORE_UNIT_*, _CLOCK_*, … */
struct etc_time_facts {
	uint8_t kind, unit, clock, start, duration, rounding;
	int32_t parent;      /* index in the call, or ETCORE_PARENT_* */
	double ns_per_unit;  /* 0: unknown */
	uint64_t resolution; /* in units, at least 1 */
	uint64_t wraps_at;
};

/* Did the annotator's library run? The numbers are those of ETCORE_RAN_*. */
enum etc_library_ran { ETC_RAN_UNKNOWN, ETC_RAN_NO, ETC_RAN_YES };

/* Everything plugins said about one event of a shape. */
struct etc_facts {
	struct etc_str owner, backend; /* plugin's name, backend id; empty: generic view */
	struct etc_time_facts time;
	struct etc_str display, operator_name, layout, types, kernel;
	int64_t ordinal; /* 0: none */
	struct etc_str category, compute_unit, precision;
	/* From annotators */
	struct etc_str kernel_library; /* "kleidiai" */
	struct etc_str annotator;      /* who said whether it ran */
	struct etc_str
		library;     /* what people call its library, terminated; empty: as `annotator` */
	uint8_t library_ran; /* enum etc_library_ran */
	struct etc_str library_why, isa, canonical, variant, microkernel;
	bool is_matrix;
};

#endif

/* facts.h -- answers of plugins about events, copied into etcore's memory.
 *
 * core/host makes them; core/join, core/inspector and core/table read them. Text is in the arena;
 * absent text is empty. Codes for times are those of etcore/plugin.h. */
#ifndef ETC_MODEL_FACTS_H
#define ETC_MODEL_FACTS_H

#include "base/span.h"

/* Kinds of values that a plugin's metadata parser returned. */
enum etc_datum_kind {
	ETC_DATUM_NULL,
	ETC_DATUM_BOOL,
	ETC_DATUM_I64,
	ETC_DATUM_F64,
	ETC_DATUM_STR,
	ETC_DATUM_JSON, /* any JSON value, as text */
	/* a list of the distinct values that the events of a row have; occurs in rows only */
	ETC_DATUM_LIST
};

/* Types of columns and their roll-ups; the numbers are those of etcore/plugin.h. */
enum etc_column_type { ETC_TYPE_STR = 1, ETC_TYPE_I64, ETC_TYPE_F64, ETC_TYPE_BOOL, ETC_TYPE_JSON };
enum etc_rollup {
	ETC_ROLLUP_NONE,
	ETC_ROLLUP_FIRST,
	ETC_ROLLUP_SUM,
	ETC_ROLLUP_SET,
	ETC_ROLLUP_MEAN,
	ETC_ROLLUP_MIN,
	ETC_ROLLUP_MAX,
	ETC_ROLLUP_TIME_MEAN,
	ETC_ROLLUPS
};

struct etc_datum {
	struct etc_str name; /* name of the column; empty for an item of a list */
	uint8_t kind;        /* enum etc_datum_kind */
	uint8_t type;        /* enum etc_column_type that the column declares; 0: not declared */
	uint8_t rollup;      /* enum etc_rollup: how the values of several events become a row's
	                      * value */
	bool has_bytes;      /* the JSON text has bytes in the form b"<base64>" */
	union {
		int64_t i; /* BOOL, I64 */
		double f;
		uint32_t count; /* LIST: number of items */
	};
	union {
		/* For STR and JSON the text. For an F64 that a rule of an INI file extracted: the
		 * exact digits, if it is an integer beyond 64 bits. */
		struct etc_str text;
		const struct etc_datum *items; /* LIST */
	};
};

/* A column that a plugin or a section [backend.ID] declares. */
struct etc_declared {
	/* a name, or the pattern "acme.*" or "*". A pattern declares a family: all columns that the
	 * plugin returns and whose names match */
	struct etc_str name;
	struct etc_str by; /* the plugin's name, or "[backend.ID]" */
	uint8_t type, rollup;
	bool owned;              /* the declaring plugin or section owns a call in the dump */
	const char *unit, *help; /* NULL: none */
};

/* Finds the declaration of a column among `count` declarations. A declaration with exactly this
 * name is preferred to that of a family that contains the name. NULL: there is none. */
const struct etc_declared *etc_declared_find(const struct etc_declared *all, uint32_t count,
                                             struct etc_str name);
bool etc_declared_is_family(struct etc_str name);

/* Form of the answer of a plugin's parse_metadata for one event: none, or, as in Python, a list or
 * a dict. */
enum etc_parsed_form { ETC_PARSED_NONE, ETC_PARSED_LIST, ETC_PARSED_DICT };

struct etc_parsed {
	uint8_t form; /* enum etc_parsed_form */
	/* the plugin reported that a parser in Python would raise an exception (ETCORE_CORRUPT) */
	bool corrupt;
	const struct etc_datum *items;
	uint32_t count;
	bool has_columns; /* the answer has columns that tables show instead of the items */
	const struct etc_datum *columns;
	uint32_t column_count;
};

/* A time after conversion. In Python it would be an int or a float. */
struct etc_converted {
	bool is_integer;
	union {
		int64_t i;
		double f;
	};
};

/* The clock by which an event's start and end were measured. The numbers are those of
 * ETCORE_CLOCK_*. */
enum etc_clock { ETC_CLOCK_UNKNOWN, ETC_CLOCK_HOST, ETC_CLOCK_DEVICE, ETC_CLOCK_NONE };

/* The meaning of an event's start and end: their unit, clock, kind … The codes are those of struct
 * etcore_time in etcore/plugin.h: ETCORE_UNIT_*, ETCORE_CLOCK_*, ETCORE_KIND_* … */
struct etc_time_facts {
	uint8_t kind, unit, clock, start, duration, rounding;
	int32_t parent;      /* index of the parent event in the call, or ETCORE_PARENT_* */
	double ns_per_unit;  /* 0: unknown */
	uint64_t resolution; /* resolution of the clock, in units, at least 1 */
	uint64_t wraps_at;
	/* the times that the event's clock (device) and the runtime's clock (host) showed at the
	 * same moment; both 0: unknown */
	uint64_t sync_device, sync_host;
};

/* Did the library that an annotator looks for, such as KleidiAI, run for an event? The numbers are
 * those of ETCORE_RAN_*. */
enum etc_library_ran { ETC_RAN_UNKNOWN, ETC_RAN_NO, ETC_RAN_YES };

/* All answers of plugins about one event of a template. */
struct etc_facts {
	/* name of the plugin that owns the event, and id of its backend; empty: none */
	struct etc_str owner, backend;
	struct etc_time_facts time;
	struct etc_str display, operator_name, layout, types, kernel;
	int64_t ordinal; /* number among events of the same name, from 1; 0: none */
	struct etc_str category, compute_unit, precision;
	/* Annotators set the members below. */
	struct etc_str kernel_library; /* the library of kernels that ran, such as "kleidiai" */
	struct etc_str annotator;      /* name of the annotator that set `library_ran` */
	struct etc_str library; /* display name of the library, NUL-terminated; empty: same as
	                         * `annotator` */
	uint8_t library_ran;    /* enum etc_library_ran */
	struct etc_str library_why, isa, canonical, variant, microkernel;
	bool is_matrix;
};

/* A child that the owner's expand_event split off an event. Arrays have one element per sample. */
struct etc_part_said {
	struct etc_str name;
	/* index of an earlier child that contains this one; UINT32_MAX: it is directly inside the
	 * event */
	uint32_t parent;
	bool same_clock;           /* its times are on the same clock as those of the event */
	const uint64_t *durations; /* times of the samples, in the unit that `time` describes */
	/* starts relative to the event's start; NULL: the children follow each other without
	 * gaps */
	const uint64_t *starts;
	/* description of the child's times; NULL: the same as the event's */
	const struct etc_time_facts *time;
	const struct etc_facts *facts;     /* NULL: none */
	const struct etc_parsed *metadata; /* NULL: none */
};
struct etc_children {
	const struct etc_part_said *v;
	uint32_t count;
	bool columns;     /* at least one child has columns */
	uint64_t samples; /* number of the event's samples that were passed to the owner */
};

#endif

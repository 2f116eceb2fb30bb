/* profile.h -- the result of `etcore analyze` as plain data.
 *
 * join/ makes it from a trace, tables only read it. All numbers are exact sums over the typical
 * runs of a path; tables divide them by `typical_runs` (base/exact.h). Times are in `unit` of
 * the profile. */
#ifndef ETC_MODEL_PROFILE_H
#define ETC_MODEL_PROFILE_H

#include "base/exact.h"
#include "model/facts.h"
#include "model/place.h"
#include "model/settings.h"
#include "model/trace.h"
#include "model/work.h"

/* The runs that numbers are computed over (--stat). */
enum etc_stat {
	ETC_STAT_TYPICAL, /* mean over the runs near the median: stats/typical.h */
	ETC_STAT_MEAN,    /* over all kept runs */
	ETC_STAT_MEDIAN,  /* median of each number separately, so rows are not additive */
	ETC_STAT_MIN,     /* the fastest kept run; the first of equal ones */
	ETC_STAT_TOTAL,   /* sum over all kept runs */
	/* For comparisons only; computed per row like the median: */
	ETC_STAT_P90,
	ETC_STAT_P95,
	ETC_STAT_P99,
	ETC_STAT_COUNT
};

/* The name of an enum etc_stat, "typical" ...; and the inverse, which returns ETC_STAT_COUNT for an
 * unknown name. */
const char *etc_stat_name(uint8_t stat);
uint8_t etc_stat_parse(struct etc_str word);

/* Key of the rows (--by): one per row of keys.def. ETC_BY_EVENT: a row is one event of the
 * program, as `diff` aligns it; ETC_BY_FALLBACK: one operator outside delegates. */
enum etc_by {
#define ETC_KEY(id, ...) ETC_BY_##id,
#include "model/keys.def"
	ETC_BY_COUNT,
	ETC_EVENT_KEYS = 0 /* number of rows ETC_EVENT_KEY of keys.def, which come first */
#define ETC_EVENT_KEY(...) +1
#include "model/keys.def"
};

/* See keys.def. */
struct etc_row_key {
	const char *word, *title, *detail;
	const char *stored; /* the member in a baseline; NULL: not a name of an event */
	bool places;
};
const struct etc_row_key *etc_row_key(uint8_t by);

/* ETC_BY_COUNT: unknown word. */
uint8_t etc_by_parse(struct etc_str word);

/* The words of --by, "|op|kernel…": those that `analyze` offers, and those that `diff` and `check`
 * offer. */
extern const char etc_by_analyze[], etc_by_compare[];

/* Are rows groups of nodes of the graph (by module or source)? */
static inline bool etc_by_is_place(uint8_t by)
{
	return by == ETC_BY_MODULE || by == ETC_BY_SOURCE;
}

/* An operator outside delegates. A member is empty if no file contains it. */
struct etc_outside {
	/* the program's operator, "aten::mean.out"; else the kernel */
	struct etc_str op;
	struct etc_str shapes, types; /* shapes and types of the tensors: "1x8, 8 -> 1x8" */
	struct etc_str reason;        /* why the operator is in no delegate */
};

/* An event's name under each key of --by that names events; for rows by event only. */
struct etc_row_event {
	const struct etc_event *event;     /* the event: instruction, ids, its own name */
	const struct etc_place *place;     /* NULL: not requested */
	const struct etc_outside *outside; /* for rows of operators by fallback; else NULL */
	bool delegated;                    /* by fallback: in a delegate */
	struct etc_str
		key[ETC_EVENT_KEYS]; /* {NULL, 0}: the name needs `place`, or the baseline does
		                      * not contain it */
};

/* Indices of the values of a run that belong to no row; the rows' values follow. */
enum {
	ETC_VALUES_ROUNDING,
	ETC_VALUES_INSIDE,  /* unattributed inside delegates */
	ETC_VALUES_BETWEEN, /* unattributed between instructions */
	ETC_VALUES_DELEGATED,
	ETC_VALUES_ROWS
};

/* One kept run. The values of its rows are v[row->value], in the unit of the row;
 * v[ETC_VALUES_*] are the values that belong to no row. Values from index `count` on are 0. */
struct etc_run_sample {
	size_t run;    /* index in the trace */
	uint64_t time; /* duration of its root */
	const uint64_t *v;
	uint32_t count;
};

/* The event tracer's cost per event, in ns: the estimate and the ends of its confidence interval;
 * NAN: unknown. */
enum { ETC_COST, ETC_COST_LOW, ETC_COST_HIGH, ETC_COSTS };
struct etc_tracer_cost {
	double ns[ETC_COSTS];
};

/* The time that --subtract-overhead subtracts from an exclusive time: of[ETC_COST] by the estimate
 * of the cost per event, the others by the ends of its interval. A sum over the typical runs. */
struct etc_subtracted {
	etc_u128 of[ETC_COSTS];
	uint64_t events; /* number of events whose cost is subtracted */
	bool cut;        /* the cost exceeded the time, which became 0 */
};

/* How a run of a path is used. */
enum etc_run_use {
	ETC_USE_WARMUP,
	ETC_USE_KEPT,   /* counts in median, mean, p90, max, but not in rows */
	ETC_USE_TYPICAL /* counts in rows too */
};

/* "warm-up", "kept", "typical". */
static inline const char *etc_run_use_name(uint8_t use)
{
	return use == ETC_USE_WARMUP ? "warm-up" : use == ETC_USE_KEPT ? "kept" : "typical";
}

/* Why a row is detached, that is, its time is non-additive and not subtracted from any other
 * time. */
enum etc_detach {
	ETC_ATTACHED,
	ETC_DETACH_BELOW,    /* below a detached event */
	ETC_DETACH_PARENT,   /* no event encloses it */
	ETC_DETACH_EXCEED,   /* its parent's children are longer than the parent in total */
	ETC_DETACH_INVALID,  /* ends before it starts */
	ETC_DETACH_UNIT,     /* unit or clock unknown, or different from the parent's */
	ETC_DETACH_COUNTER,  /* not an interval */
	ETC_DETACH_ESTIMATE, /* a share of a larger measurement */
	ETC_DETACH_THREADS,  /* a sum over threads */
	ETC_DETACH_PARALLEL, /* runs in parallel with other engines, or below such an event */
	ETC_DETACH_COUNT
};

/* Text for an enum etc_detach: "below a detached event" …; "" for ATTACHED. */
const char *etc_detach_text(uint8_t why);

/* One row: the events of one path that have the same name and unit, and of which all or none are
 * detached. With --by op they also have the same backend, and all or none are a delegate's. */
struct etc_profile_row {
	struct etc_str name; /* the row's key, and its displayed name unless `facts` has one */
	/* backend id of the row's events; empty: none, unknown or several */
	struct etc_str backend;
	/* facts of the row's first event; NULL: no plugin described it */
	const struct etc_facts *facts;
	const struct etc_group *group; /* with --by module or source, the row's group; else NULL */
	struct etc_str category;       /* from the plugin, or by the kernel's name outside
	                                * delegates */
	struct etc_datum *columns;     /* rolled-up columns of plugins, each with name and value */
	uint32_t column_count;
	uint32_t path; /* index into paths; ETC_PROFILE_LOAD: rows of a load */
	bool delegate; /* has a delegate's events */
	bool native;   /* has kernels outside delegates: native_call_* */
	bool detached;
	uint8_t why;         /* enum etc_detach of the row's first event */
	uint8_t unit, clock; /* ETCORE_UNIT_*, ETCORE_CLOCK_* */
	/* all events with one key (--by) are in this row, so no bound is shown */
	bool grouped;
	bool self_only;                    /* a median, so inclusive time and bound are undefined */
	uint32_t value;                    /* index of the row in the values of a run */
	const struct etc_row_event *event; /* for rows by event or fallback; else NULL */
	struct etc_row_work *work;         /* NULL: not requested */
	struct etc_subtracted *subtracted; /* subtracted from `self`; NULL: not requested */

	/* Sums over the typical runs: */
	uint64_t calls, valid; /* number of events; how many of them have end >= start */
	etc_u128 self, total;
	etc_u128 bound; /* the longest time that timer truncation may hide: self_max = self +
	                  * bound */
	etc_u128
		beside; /* PARALLEL: inclusive time of the DELEGATE_CALLs that contain the events */

	/* First occurrence: time, run and event. */
	uint64_t first_time;
	size_t first_run;
	uint32_t first_event;
	/* number of events whose time is truncated to a multiple of their clock's resolution */
	uint64_t truncated;
};

#define ETC_PROFILE_LOAD UINT32_MAX

/* Is the row's time shown as a share of its DELEGATE_CALLs, because it is not additive? */
static inline bool etc_row_is_parallel(const struct etc_profile_row *row)
{
	return row->detached && row->why == ETC_DETACH_PARALLEL;
}

/* Runs with the same sequence of instructions. */
struct etc_profile_path {
	struct etc_str method; /* empty: unknown */
	uint32_t number;       /* from 1, by first appearance in the dump */
	/* typical_runs: the runs over which the rows are computed */
	size_t runs, warmup, kept, typical_runs;
	size_t per;       /* divisor for sums of times: typical_runs, 1 for a total, 2 for medians;
	             * multiplied by `den` */
	uint64_t den;     /* den of the profile */
	size_t first_run; /* index in the trace */
	const uint64_t *samples; /* execute time of all runs, file order; `runs` long */
	const uint8_t *use;      /* enum etc_run_use of each */
	/* enum etc_run_use of each run if --stat were typical: decides which runs are passed to
	 * plugins */
	const uint8_t *asked;
	const uint32_t *run; /* index of each run in the trace */
	/* `kept` samples in file order, without `v` for runs that the rows do not include; NULL:
	 * not requested */
	const struct etc_run_sample *values;
	etc_u128 time; /* sums over the runs of the rows, as are the next four members */
	etc_u128 rounding, unattributed, unattributed_delegate, delegated;
	/* the largest excess of children over their parents in one of these runs; saturates at
	 * UINT64_MAX */
	uint64_t excess;
	/* a time in these runs may exceed 64 bits; it is counted as UINT64_MAX */
	bool beyond;
	etc_u128 elsewhere; /* by fallback: exclusive time of events without a row */
	etc_u128 kept_time; /* sum over the kept runs */
	struct etc_ratio median, mean, p90, spread; /* spread: 0/0 if undefined */
	uint64_t min, max;
	uint32_t partitions; /* largest number of DELEGATE_CALLs in a run */
	uint32_t delegate_events, truncated_events, synthetic_events; /* largest number in a run */
	uint32_t placed_events; /* --by module, source: number of delegate events with exactly one
	                         * module or source line */
	struct etc_str truncated_on; /* backend of the truncated events; empty: several backends */
	uint64_t resolution;  /* coarsest resolution of the truncated events; in the unit of the
	                      * profile */
	uint32_t zero_events; /* number of truncated events that read 0 in every kept run */
	const struct etc_datum
		*columns; /* plugins' columns over all events of the path, if requested */
	uint32_t column_count;
	uint32_t sums_over;     /* number of sums of columns beyond 64 bits, which are left blank */
	uint32_t sets_cut;      /* number of columns of rows with more distinct values than are
	                         * kept */
	bool loads_between;     /* a load happened between the runs */
	bool repeats;           /* an instruction runs more than once in a run */
	bool methods_fit;       /* several methods have these instructions */
	uint32_t disputed;      /* number of delegate calls for which record and program name
	                         * different backends */
	int32_t disputed_first; /* instruction of the first disputed call */

	struct etc_subtracted subtracted; /* subtracted from `time` */
	/* number of events logged outside of all events, for which nothing is subtracted */
	uint64_t logged_outside;
	/* the cost of logging exceeded the unattributed time inside delegates, or between
	 * instructions */
	bool inside_cut, between_cut;
};

/* One Program::load_method. */
struct etc_profile_load {
	uint64_t time;
	bool valid; /* it ends after it starts */
	/* the loaded method, if there are several; empty: unknown */
	struct etc_str method;
};

struct etc_profile {
	uint8_t unit;       /* ETCORE_UNIT_NS, or CYCLES or TICKS if times are in these */
	uint8_t stat;       /* enum etc_stat */
	uint8_t by;         /* enum etc_by: key of the rows */
	uint8_t shown_unit; /* enum etc_unit of times on screen; UNKNOWN: chosen by size */
	/* the processor's peaks; rows then have `work`; NULL: not requested */
	const struct etc_peaks *peaks;
	const struct etc_tracer_cost *tracer; /* was subtracted; NULL: times are as measured */
	const char *library; /* title of the annotator's library, "KleidiAI"; NULL: none, or
	                      * several */
	/* All integer times are in 1/den of their unit. `den` is 1 unless a tick of the runtime's
	 * clock is not a whole number of ns. Members of type struct etc_ratio are already divided
	 * by it. */
	uint64_t den;

	const struct etc_profile_load *loads; /* file order */
	size_t load_count;
	bool loads_unknown; /* several methods, and which load belongs to which is unknown */

	const struct etc_profile_path *paths; /* in order of first appearance */
	uint32_t path_count;
	uint32_t program_unfit;             /* number of paths that fit no method of the program */
	const struct etc_profile_row *rows; /* sorted by path, then by rank */
	size_t row_count;

	const struct etc_declared *declared; /* columns of plugins and sections, each name once */
	uint32_t declared_count;

	size_t skipped;  /* runs without exactly one execute or load time */
	size_t executes; /* execute runs */
	/* start of the first and end of the last execute run on the runtime's clock; 0: unknown, or
	 * not in ns */
	uint64_t first_ns, last_ns;
	size_t run_count;                       /* number of all RunData */
	uint64_t profiles, debugs, allocations; /* events of the file */
	/* events that end before they start, except where the counter wrapped around */
	struct etc_wraps wraps;
	bool beyond; /* the time of some run exceeds 64 bits and is counted as UINT64_MAX */
};

/* The rows of one path: [*from, *to). */
void etc_profile_rows(const struct etc_profile *profile, uint32_t path, size_t *from, size_t *to);

#endif

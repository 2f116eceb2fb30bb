/* profile.h -- the result of `etcore analyze` as plain data.
 *
 * core/profile makes it from a trace; tables only read it. Most numbers are exact sums
 * (base/exact.h) over the runs from which the rows of a path are computed. Tables divide sums of
 * times by `per` of the path. With --stat median, times of rows and paths are twice the medians,
 * because a median may be half an integer; `per` then has the factor 2. Times are in `unit` of the
 * profile. */
#ifndef ETC_MODEL_PROFILE_H
#define ETC_MODEL_PROFILE_H

#include "base/exact.h"
#include "model/facts.h"
#include "model/place.h"
#include "model/settings.h"
#include "model/trace.h"
#include "model/work.h"

/* The statistic (--stat): from which runs the numbers are computed, and how. */
enum etc_stat {
	ETC_STAT_TYPICAL, /* mean over the runs near the median: stats/typical.h */
	ETC_STAT_MEAN,    /* mean over all kept runs */
	ETC_STAT_MEDIAN,  /* median of each number separately, so rows are not additive */
	ETC_STAT_MIN,     /* the fastest kept run; if several are equally fast, the first of them */
	ETC_STAT_TOTAL,   /* sum over all kept runs */
	/* These percentiles are for comparisons only. They are computed for each number separately,
	 * like the median. */
	ETC_STAT_P90,
	ETC_STAT_P95,
	ETC_STAT_P99,
	ETC_STAT_COUNT
};

/* etc_stat_name() returns the name of an enum etc_stat, such as "typical". etc_stat_parse() returns
 * the value for a name, or ETC_STAT_COUNT for an unknown one. */
const char *etc_stat_name(uint8_t stat);
uint8_t etc_stat_parse(struct etc_str word);

/* The keys of --by, one for each line of keys.def. ETC_BY_EVENT: each row is one event of the
 * program, as `diff` aligns it. ETC_BY_FALLBACK: each row is one operator outside delegates. */
enum etc_by {
#define ETC_KEY(id, ...) ETC_BY_##id,
#include "model/keys.def"
	ETC_BY_COUNT,
	ETC_EVENT_KEYS = 0 /* number of keys that name events; these come first */
#define ETC_EVENT_KEY(...) +1
#include "model/keys.def"
};

/* The texts of one row of keys.def; the comment of keys.def explains them. */
struct etc_row_key {
	const char *word, *title, *detail;
	/* in a baseline: the member of an event under which its name for this key is stored; NULL:
	 * the key does not name events */
	const char *stored;
	bool places;
};
const struct etc_row_key *etc_row_key(uint8_t by);

/* Returns the enum etc_by for a word of --by; ETC_BY_COUNT if it is unknown. */
uint8_t etc_by_parse(struct etc_str word);

/* The words of --by, "|op|kernel…": those that `analyze` offers, those of them that `what-if`
 * offers, and those that `diff` and `check` offer. */
extern const char etc_by_analyze[], etc_by_what_if[], etc_by_compare[];

/* Does a row of this key stand for a group of nodes of the graph? True for --by module and
 * source. */
static inline bool etc_by_is_place(uint8_t by)
{
	return by == ETC_BY_MODULE || by == ETC_BY_SOURCE;
}

/* Facts about an operator outside delegates. A member is empty if no file contains the fact. */
struct etc_outside {
	/* name of the operator in the program, "aten::mean.out"; if that is unknown, the name of
	 * the kernel */
	struct etc_str op;
	struct etc_str shapes, types; /* shapes and types of the tensors: "1x8, 8 -> 1x8" */
	struct etc_str reason;        /* why the operator is not in a delegate */
};

/* The names of an event, one for each key of --by that names events. Exists only for rows by event
 * or by fallback. */
struct etc_row_event {
	/* the event itself, with its instruction, its ids and the name that was logged */
	const struct etc_event *event;
	const struct etc_place *place; /* the event's place in the graph; NULL: not requested */
	/* with --by fallback, and for an operator outside delegates: facts about it; else NULL */
	const struct etc_outside *outside;
	/* with --by fallback: the event is inside a delegate */
	bool delegated;
	struct etc_str
		/* the event's name for each key; {NULL, 0}: the key needs `place`, which is NULL,
		 * or the baseline does not have the name */
		key[ETC_EVENT_KEYS];
};

/* Indices of the values in etc_run_sample.v. The values before ETC_VALUES_ROWS belong to no row;
 * those of the rows begin at index ETC_VALUES_ROWS. */
enum {
	ETC_VALUES_ROUNDING,
	ETC_VALUES_INSIDE,  /* unattributed inside delegates */
	ETC_VALUES_BETWEEN, /* unattributed between instructions */
	ETC_VALUES_DELEGATED,
	ETC_VALUES_ROWS
};

/* One kept run. The value of a row is v[row->value], in the unit of the row; v[ETC_VALUES_*] are
 * the values that belong to no row. A value whose index is `count` or higher is 0. */
struct etc_run_sample {
	size_t run;    /* index of the run in the trace */
	uint64_t time; /* duration of the run: of its Method::execute */
	const uint64_t *v;
	uint32_t count;
};

/* The time that the event tracer takes per event, in ns: the estimate, and the ends of its
 * confidence interval. NAN: unknown. */
enum { ETC_COST, ETC_COST_LOW, ETC_COST_HIGH, ETC_COSTS };
struct etc_tracer_cost {
	double ns[ETC_COSTS];
};

/* The time that --subtract-overhead subtracts from an exclusive time, summed over the typical runs.
 * of[ETC_COST] is computed from the estimate of the cost per event; of[ETC_COST_LOW] and
 * of[ETC_COST_HIGH] from the ends of the cost's confidence interval. */
struct etc_subtracted {
	etc_u128 of[ETC_COSTS];
	uint64_t events; /* number of events whose cost is subtracted */
	/* true: for at least one event, the cost to subtract exceeded its exclusive time, which
	 * became 0 */
	bool cut;
};

/* How a run of a path is used. */
enum etc_run_use {
	ETC_USE_WARMUP,
	/* the run counts in median, mean, p90 and max of the path, but not in its rows */
	ETC_USE_KEPT,
	ETC_USE_TYPICAL /* the run counts in the rows, too */
};

/* Returns the use of a run as text: "warm-up", "kept", "typical". */
static inline const char *etc_run_use_name(uint8_t use)
{
	return use == ETC_USE_WARMUP ? "warm-up" : use == ETC_USE_KEPT ? "kept" : "typical";
}

/* Why a row is detached. The time of a detached row is not a part of the time of any other event,
 * so it is not subtracted from any. */
enum etc_detach {
	ETC_ATTACHED,
	ETC_DETACH_BELOW,  /* an event that contains this one is detached */
	ETC_DETACH_PARENT, /* no event encloses the event */
	/* the children of the event's parent together are longer than the parent */
	ETC_DETACH_EXCEED,
	ETC_DETACH_INVALID, /* the event ends before it starts */
	/* the event's unit or clock is unknown, or is not that of its parent (even if both clocks
	 * count ns) */
	ETC_DETACH_UNIT,
	ETC_DETACH_COUNTER,  /* the numbers are a counter, not the start and end of an interval */
	ETC_DETACH_ESTIMATE, /* the time is a share of a larger measurement */
	ETC_DETACH_THREADS,  /* the time is a sum over threads */
	/* the event, or an event that contains it, runs in parallel with other engines of the
	 * processor */
	ETC_DETACH_PARALLEL,
	ETC_DETACH_COUNT
};

/* Returns the text for an enum etc_detach, "below a detached event" …; "" for ATTACHED. */
const char *etc_detach_text(uint8_t why);

/* One row: events of one path that have the same name and unit. All of them are detached, or none
 * is. With --by op they also have the same backend, and all of them are a delegate's, or none
 * is. */
struct etc_profile_row {
	struct etc_str name; /* the row's key; displayed as its name if `facts` has no name */
	/* backend id of the row's events; empty: the events have no backend, an unknown one, or
	 * several */
	struct etc_str backend;
	/* facts of the row's first event; NULL: no plugin described it */
	const struct etc_facts *facts;
	/* with --by module or source, the group that the row stands for; else NULL */
	const struct etc_group *group;
	/* category, from the plugin's facts; outside delegates, from the kernel's name */
	struct etc_str category;
	/* values of plugins' columns, each with its name, rolled up over the row's events */
	struct etc_datum *columns;
	uint32_t column_count;
	/* index of the row's path in etc_profile.paths; ETC_PROFILE_LOAD: a row of the loading of a
	 * method */
	uint32_t path;
	bool delegate; /* some of its events are events of a delegate */
	bool native;   /* some events of the row are kernels outside delegates: native_call_* */
	bool detached;
	uint8_t why;         /* enum etc_detach: why the row's first event is detached */
	uint8_t unit, clock; /* ETCORE_UNIT_*, ETCORE_CLOCK_* */
	/* the row contains all events with the same key of --by, even if their backends differ; its
	 * `bound` is not shown */
	bool grouped;
	/* the row's time is a median, for which inclusive time and bound are not defined */
	bool self_only;
	uint32_t value; /* index in etc_run_sample.v of the row's time in a run */
	/* the names of the event that the row stands for; set with --by event and --by fallback,
	 * else NULL */
	const struct etc_row_event *event;
	/* operations and bytes of the row; NULL: not requested */
	struct etc_row_work *work;
	/* the tracer's cost that was subtracted from `self`; NULL: not requested */
	struct etc_subtracted *subtracted;

	/* Sums over the typical runs. With --stat median, `self` is twice the median, and `total`
	 * and `bound` are 0. */
	uint64_t calls, valid; /* number of events; how many of them have end >= start */
	etc_u128 self, total;
	/* the largest time that may be missing because backends' clocks truncate: the row's true
	 * time is at most self + bound */
	etc_u128 bound;
	etc_u128
		/* for rows of events that run in PARALLEL: inclusive time of the DELEGATE_CALLs
		 * that contain these events */
		beside;

	/* time of the shortest typical run that has the row */
	uint64_t first_time;
	size_t first_run;     /* index of that run */
	uint32_t first_event; /* index of the row's first event in that run */
	/* number of events whose time is truncated to a multiple of their clock's resolution */
	uint64_t truncated;
};

#define ETC_PROFILE_LOAD UINT32_MAX

/* Is the row's time shown as a share of its DELEGATE_CALLs, because it is not additive? */
static inline bool etc_row_is_parallel(const struct etc_profile_row *row)
{
	return row->detached && row->why == ETC_DETACH_PARALLEL;
}

/* A path: the runs that executed the same sequence of instructions. */
struct etc_profile_path {
	struct etc_str method; /* name of the method that the runs executed; empty: unknown */
	/* number of the path, from 1, in the order of first appearance in the dump */
	uint32_t number;
	/* numbers of runs. `runs`: all; `warmup`: those set aside; `kept`: the others;
	 * `typical_runs`: the runs over which the rows are computed */
	size_t runs, warmup, kept, typical_runs;
	/* divisor for sums of times: typical_runs for a mean, 1 for a total, 2 for medians; each
	 * multiplied by `den` */
	size_t per;
	uint64_t den;            /* copy of etc_profile.den */
	size_t first_run;        /* index of the path's first run in the trace */
	const uint64_t *samples; /* execute time of each of the `runs` runs, in file order */
	/* differences between the logged times are multiples of this number (etc_run_grid()), in
	 * the unit of `samples`; 0: unknown */
	double grid;
	const uint8_t *use; /* for each run, an enum etc_run_use */
	/* for each run, the enum etc_run_use that it would have with --stat typical; decides which
	 * runs are passed to plugins */
	const uint8_t *asked;
	const uint32_t *run; /* for each run, its index in the trace */
	/* the `kept` runs with their values, in file order; runs that the rows do not include have
	 * no `v`. NULL: not requested. */
	const struct etc_run_sample *values;
	/* this member and the next four are sums over the runs that the rows are computed over */
	etc_u128 time;
	etc_u128 rounding, unattributed, unattributed_delegate, delegated;
	/* the largest sum, within one run, of the times by which children exceed their parents;
	 * saturates at UINT64_MAX */
	uint64_t excess;
	/* a time in the runs of the path may exceed 64 bits; such a time is counted as
	 * UINT64_MAX */
	bool beyond;
	/* with --by fallback: sum of the exclusive times of events that are in no row */
	etc_u128 elsewhere;
	etc_u128 kept_time;                         /* sum of the times of the kept runs */
	struct etc_ratio median, mean, p90, spread; /* spread: 0/0 if undefined */
	uint64_t min, max;
	/* The members from here to `zero_events` are about one event list of the path:
	 * the list with the most events of delegates, or the last of several such lists. */
	uint32_t partitions; /* number of DELEGATE_CALLs */
	/* number of events of delegates; of events whose times are truncated; of events whose start
	 * was not measured */
	uint32_t delegate_events, truncated_events, synthetic_events;
	/* for --by module or source: number of delegate events that have exactly one module or
	 * source line */
	uint32_t placed_events;
	struct etc_str truncated_on; /* backend of the truncated events; empty: several backends */
	uint64_t resolution;  /* coarsest resolution of the truncated events; in the unit of the
	                      * profile */
	uint32_t zero_events; /* number of truncated events whose time is 0 in every kept run */
	const struct etc_datum
		/* values of plugins' columns, rolled up over all events of the path; NULL: not
		 * requested */
		*columns;
	uint32_t column_count;
	/* number of values of plugins' columns that are left blank, because their sum exceeds 64
	 * bits */
	uint32_t sums_over;
	/* number of lists of distinct values (of one column in one row) that are truncated to
	 * ETC_LIMIT_SET values */
	uint32_t sets_cut;
	bool loads_between;     /* a load happened between runs of the path */
	bool repeats;           /* some instruction runs more than once in a run */
	bool methods_fit;       /* several methods of the program have exactly the
	                         * instructions of this path */
	uint32_t disputed;      /* number of delegate calls for which record and program name
	                         * different backends */
	int32_t disputed_first; /* instruction of the first disputed call */

	struct etc_subtracted subtracted; /* the tracer's cost that was subtracted from `time` */
	/* number of events whose logging took place outside of all events of the runtime, summed
	 * over the typical runs; nothing is subtracted for these events */
	uint64_t logged_outside;
	/* the cost of logging was larger than the unattributed time inside delegates
	 * (inside_cut), or than the unattributed time between instructions (between_cut) */
	bool inside_cut, between_cut;
};

/* The loading of one method (Program::load_method). */
struct etc_profile_load {
	uint64_t time;
	bool valid;   /* the load does not end before it starts */
	uint32_t run; /* index of its run in the trace */
	/* the loaded method; empty if it is unknown, or if the program has only one method */
	struct etc_str method;
};

struct etc_profile {
	uint8_t unit; /* unit of times: ETCORE_UNIT_NS, ETCORE_UNIT_CYCLES or ETCORE_UNIT_TICKS */
	uint8_t stat; /* enum etc_stat */
	uint8_t by;   /* enum etc_by: key of the rows */
	/* the enum etc_unit in which times are shown on screen; UNKNOWN: chosen by the size of the
	 * times */
	uint8_t shown_unit;
	/* the processor's peaks; NULL: not requested. If set, rows have `work`. */
	const struct etc_peaks *peaks;
	/* the tracer's cost that was subtracted; NULL: times are as measured */
	const struct etc_tracer_cost *tracer;
	/* display name of the kernel library that annotators report about, "KleidiAI"; NULL: there
	 * is none, or there are several */
	const char *library;
	/* All integer times are in 1/den of their unit. `den` is above 1 only if a tick of some
	 * clock is not a whole number of ns. Members of type struct etc_ratio are already divided
	 * by `den`. */
	uint64_t den;
	uint64_t longest; /* time of the longest execute run or load */

	const struct etc_profile_load *loads; /* in the order of the file */
	size_t load_count;
	/* the program has several methods, and it is unknown which of them each load loaded */
	bool loads_unknown;

	const struct etc_profile_path *paths; /* in order of first appearance */
	uint32_t path_count;
	uint32_t paths_in_dump; /* number of paths of all methods, even if --method selects one */
	/* sorted by path; within a path, in the order in which tables show them */
	const struct etc_profile_row *rows;
	size_t row_count;

	/* columns that plugins and sections [backend.ID] declare, each name once */
	const struct etc_declared *declared;
	uint32_t declared_count;

	/* number of runs that are left out, because they do not have exactly one Method::execute or
	 * Program::load_method */
	size_t skipped;
	size_t executes; /* number of runs that executed a method */
	/* start of the first and end of the last execute run on the runtime's clock; 0: unknown, or
	 * not in ns */
	uint64_t first_ns, last_ns;
	size_t run_count; /* number of runs in the file, of all kinds */
	/* numbers of events in the file: profile, debug and allocation events */
	uint64_t profiles, debugs, allocations;
	/* the events that end before they start; those at which a counter wrapped around are left
	 * out */
	struct etc_wraps wraps;
	bool beyond; /* the time of some run exceeds 64 bits, and is counted as UINT64_MAX */
};

/* Does any time of the profile exceed 64 bits? */
bool etc_profile_beyond(const struct etc_profile *profile);

/* Sets `*from` and `*to` such that profile->rows[*from .. *to) are the rows of one path. */
void etc_profile_rows(const struct etc_profile *profile, uint32_t path, size_t *from, size_t *to);

#endif

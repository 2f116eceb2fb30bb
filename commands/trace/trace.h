/* trace.h -- `etcore trace`: converts the runs of dumps for timeline viewers and flame graphs.
 *
 *   command.c   opens the inputs, chooses runs, writes notes and outputs
 *   timeline.c  arranges events on tracks, for perfetto.c and chrome.c
 *   stacks.c    converts events to stacks, for speedscope.c, folded.c and pprof.c */
#ifndef ETC_COMMANDS_TRACE_TRACE_H
#define ETC_COMMANDS_TRACE_TRACE_H

#include "context/inputs.h"
#include "profile/plan.h"
#include "profile/walk.h"

struct etc_trace_options {
	struct etc_common_options common;
	struct etc_opt_list output;
	const char *etrecord, *program, *method, *runs;
	struct etc_plan_options plan;
	bool no_siblings;
};

/* One dump, and which of its runs are converted. */
struct etc_traced {
	struct etc_inputs in;
	const struct etc_trace *trace; /* trace with the expanded events of plugins */
	struct etc_profile_options options;
	struct etc_profile profile; /* made without rows */
	struct etc_walker *walker;
	struct etc_str name;
	uint32_t *number; /* number of each run, from etc_walk_number() */
	bool *chosen;     /* per run: is the run converted? */
	size_t chosen_count;
	/* indexed by run, set for chosen runs: number of the run's lane. Runs of the same lane do
	 * not overlap */
	uint32_t *lane;
	bool unordered;              /* an event may begin before its run */
	uint64_t base;               /* ticks at the start of the first chosen run */
	struct etc_host_clock clock; /* clock of the walker that visits the runs (profile/walk.h) */
	/* how long before `base` the earliest event begins, in parts of the unit of `clock` */
	etc_u128 early;
};

/* Counts of events that were drawn or left out, for notes and for the last line of the output. */
struct etc_drawing {
	uint64_t slices, runs;
	uint64_t cut;      /* number of slices that were shortened */
	etc_u128 cut_time; /* total time by which slices were shortened, in ns */
	/* number of events that are not in the stacks, because they are not part of the measured
	 * time */
	uint64_t left_out;
	uint64_t starts[ETC_WALK_UNPLACED + 1]; /* number of events by enum etc_walk_start */
};

struct etc_tracing {
	struct etc_session *session;
	struct etc_traced *dumps;
	uint32_t count;
	bool all;                   /* --runs all */
	bool numbered;              /* --runs N */
	uint64_t number;            /* N of --runs N */
	struct etc_drawing drawing; /* counts of what the last etc_timeline_draw() drew */
};

/* Converts a time of a walker (profile/walk.h) to whole ns, or to whole ticks if the length of a
 * tick is unknown. */
static inline uint64_t etc_traced_ns(const struct etc_traced *d, uint64_t time)
{
	return d->clock.den > 1 ? time / d->clock.den : time;
}

/* Returns the unit of all times; ETC_UNIT_UNKNOWN if dumps have different units. */
uint8_t etc_tracing_unit(const struct etc_tracing *tracing);

/* Calls etc_walker_visit() for the chosen runs of a dump. Afterwards, if there are several dumps,
 * releases the memory of this dump's events. */
enum etc_status etc_traced_walk(const struct etc_tracing *t, const struct etc_traced *d,
                                etc_walk_visit *visit, void *arg,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Returns a text about a truncated file, such as "partial: 6 of 11 runs of the file are lost";
 * empty if the file is complete. NULL: out of memory. */
struct etc_str etc_traced_lost(const struct etc_traced *d, struct etc_arena *arena);

/* Returns the name for the tracks of a run: the name of its method, such as "forward". If the
 * method is unknown, returns "path 2", "execute" (if there is only one path), "load" or "other
 * runs". */
struct etc_str etc_traced_method(const struct etc_traced *d, const struct etc_walk_run *run,
                                 struct etc_arena *arena);

#endif

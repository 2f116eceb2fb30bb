/* trace.h -- `etcore trace`: converts the runs of dumps for timeline viewers and flame graphs.
 *
 *   command.c   inputs, chosen runs, notes, outputs
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

/* One dump, with its runs that are converted. */
struct etc_traced {
	struct etc_inputs in;
	const struct etc_trace *trace; /* trace with the children of expanded events */
	struct etc_profile_options options;
	struct etc_profile profile; /* made without rows */
	struct etc_walker *walker;
	struct etc_str name;
	uint32_t *number; /* number of each run, from etc_walk_number() */
	bool *chosen;     /* is each run chosen? */
	size_t chosen_count;
	uint32_t *lane;              /* lane of each chosen run: runs of one lane do not overlap */
	bool unordered;              /* an event may begin before its run */
	uint64_t base;               /* ticks at the start of the first chosen run */
	struct etc_host_clock clock; /* clock of the walker that visits the runs (profile/walk.h) */
	/* time by which the earliest event precedes `base`, in the parts of a unit of `clock` */
	etc_u128 early;
};

/* Counts of drawn and left out events, for notes and the last line. */
struct etc_drawing {
	uint64_t slices, runs;
	uint64_t cut;      /* number of slices that were shortened */
	etc_u128 cut_time; /* total time by which slices were shortened, in ns */
	uint64_t left_out; /* number of events left out of stacks, because they are not part of the
	                    * measured time */
	uint64_t starts[ETC_WALK_UNPLACED + 1]; /* number of events by enum etc_walk_start */
};

struct etc_tracing {
	struct etc_session *session;
	struct etc_traced *dumps;
	uint32_t count;
	bool all;                   /* --runs all */
	bool numbered;              /* --runs N */
	uint64_t number;            /* N of --runs N */
	struct etc_drawing drawing; /* counts of the last drawing */
};

/* Converts times of a walker to integers of ns, or of ticks if their length is unknown. */
static inline uint64_t etc_traced_ns(const struct etc_traced *d, uint64_t time)
{
	return d->clock.den > 1 ? time / d->clock.den : time;
}

/* The unit of all times; ETC_UNIT_UNKNOWN if dumps have different units. */
uint8_t etc_tracing_unit(const struct etc_tracing *tracing);

/* Calls etc_walker_visit() for the chosen runs of a dump. If there are several dumps, the memory of
 * its events is then released. */
enum etc_status etc_traced_walk(const struct etc_tracing *t, const struct etc_traced *d,
                                etc_walk_visit *visit, void *arg,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Text for a truncated file: "partial: 6 of 11 runs of the file are lost"; empty if the file is
 * complete. NULL: out of memory. */
struct etc_str etc_traced_lost(const struct etc_traced *d, struct etc_arena *arena);

/* The name of the tracks of a run: its method ("forward"), else "path 2", "execute" (the only
 * path), "load", or "other runs". */
struct etc_str etc_traced_method(const struct etc_traced *d, const struct etc_walk_run *run,
                                 struct etc_arena *arena);

#endif

/* walk.h -- visits the events of runs as a timeline: used by everything that draws a dump
 * (traces, flame graphs, reports).
 *
 * For each chosen run the visitor gets its events as slices, parents before children, siblings
 * by start. Every time is that of `analyze`: same parents, same exclusive times, same
 * conversion by owners. The position of a slice (`from`, `to`) follows one of these rules,
 * given by `start`:
 *
 *   MEASURED   start and end were read on the runtime's clock
 *   SYNTHETIC  on that clock, but the start was invented (XNNPACK: laid end to end)
 *   REBASED    on another clock: the first of the events inside one event of the runtime (or, if
 *              there is none, inside one call) is placed at the start of that event
 *   LAID       only a duration is known: laid end to end from the start of its parent
 *   UNPLACED   no interval: unknown unit, a counter, ends before it starts. from = to = the
 *              start of its parent, `time` as analyze counts it
 *
 * A slice that exceeds its parent is shortened to the parent's interval: to - from < time.
 * Siblings that overlap keep their intervals. */
#ifndef ETC_PROFILE_WALK_H
#define ETC_PROFILE_WALK_H

#include "join/site.h"
#include "profile/profile.h"

enum etc_walk_start {
	ETC_WALK_MEASURED,
	ETC_WALK_SYNTHETIC,
	ETC_WALK_REBASED,
	ETC_WALK_LAID,
	ETC_WALK_UNPLACED
};

enum etc_walk_kind {
	ETC_WALK_ROOT,          /* Method::execute, Program::load_method */
	ETC_WALK_INSTRUCTION,   /* OPERATOR_CALL and others */
	ETC_WALK_DELEGATE_CALL, /* DELEGATE_CALL */
	ETC_WALK_KERNEL,        /* native_call_* */
	ETC_WALK_DELEGATE,      /* an event of a delegate */
	ETC_WALK_OTHER          /* an event of the runtime without an instruction of its own */
};

/* Data of an event that are the same in every run of its list. */
struct etc_walk_about {
	struct etc_str backend, category, kernel; /* empty: none, or unknown */
	const struct etc_place *place;            /* NULL: no record was given */
};

/* One event of one run. Times are in 1/den of the profile's unit; `from` and `to` count from
 * the start of the run, and are negative before it. */
struct etc_walk_slice {
	uint32_t event;   /* index in the event list */
	uint32_t parent;  /* index of a slice; ETC_NO_SITE: none */
	uint32_t end;     /* index after its last descendant */
	uint8_t start;    /* enum etc_walk_start */
	uint8_t why;      /* enum etc_detach: ATTACHED is part of its parent's time */
	bool dispatch;    /* an OPERATOR_CALL around a kernel: see etc_walk_name() */
	int64_t from, to; /* the interval to draw, inside that of its parent */
	uint64_t time;    /* duration as measured */
	uint64_t self;    /* exclusive time, without its attached children */
};

/* The path number of a run that is neither execute nor load, and that `analyze` leaves out
 * (N0126). */
#define ETC_WALK_NO_PATH (ETC_PROFILE_LOAD - 1)

struct etc_walk_run {
	uint32_t run;      /* index in the trace, from 0 */
	uint32_t template; /* index of its event list */
	uint32_t path;     /* path of the profile; ETC_PROFILE_LOAD; ETC_WALK_NO_PATH */
	uint8_t use;       /* enum etc_run_use; loads and others: KEPT */
	uint64_t begin;    /* start on the runtime's clock, in ticks */
	uint32_t event_count;
	const struct etc_walk_slice *slices;
	uint32_t slice_count;
	const uint64_t *start, *end; /* ticks of each event in the file */
	const struct etc_sites *sites;
	struct etc_str *names; /* see etc_walk_name() */
};

struct etc_walk_about etc_walk_about(const struct etc_walk_run *run, uint32_t event);

/* The event as logged, with its ids and its name in the file. */
static inline const struct etc_event *etc_walk_ids(const struct etc_walk_run *run, uint32_t event)
{
	return etc_site_event(run->sites, &run->sites->v[event]);
}

static inline struct etc_str etc_walk_backend(const struct etc_walk_run *run, uint32_t event)
{
	return run->sites->v[event].reading->backend;
}

/* enum etc_walk_kind */
uint8_t etc_walk_kind(const struct etc_walk_run *run, uint32_t event);

/* The name of the event's row in `analyze`, made at its first use; `dispatch`: an OPERATOR_CALL
 * around a kernel is called OPERATOR_CALL, because the kernel has the operator's name. */
struct etc_str etc_walk_name(const struct etc_walk_run *run, uint32_t event, bool dispatch);

/* A node on the source line that all nodes of the event share; NULL: none, or several lines. */
const struct etc_node *etc_walk_node(const struct etc_walk_run *run, uint32_t event);

typedef enum etc_status etc_walk_visit(void *arg, const struct etc_walk_run *run,
                                       struct etc_error *err);

struct etc_walk_options {
	const struct etc_profile_options *profile; /* as for etc_profile_make() */
	const bool *chosen;                        /* is each run of the trace chosen? NULL: all
	                                            * are */
	bool nodes;                                /* find modules and source lines */
};

/* Makes a walker. `trace` is the result of etc_profile_trace(), `profile` was made from it. Memory
 * is the arena's, except that of the longest event list and of the last one, which are kept for the
 * next visit; call etc_walker_release() in the end. E0605, E0904. */
struct etc_walker;
enum etc_status etc_walker_make(struct etc_walker **out, const struct etc_trace *trace,
                                const struct etc_profile *profile,
                                const struct etc_walk_options *options, struct etc_arena *arena,
                                struct etc_error *err) ETC_MUST_CHECK;
void etc_walker_release(struct etc_walker *w);

/* Visits the chosen runs, grouped by event list in the order of the lists' first runs, then in file
 * order. Pointers in a run are valid only during its visit. `visit` NULL: no run is visited, but
 * plugins are asked about their events. E0605, E0904, and errors of `visit`. */
enum etc_status etc_walker_visit(struct etc_walker *w, etc_walk_visit *visit, void *arg,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Chooses for each path the typical run nearest to the mean of the typical runs (of equally near
 * ones the first); without any path the first load, and without a load every run. `chosen`: one per
 * run of the trace, zeroed. */
void etc_walk_typical(const struct etc_trace *trace, const struct etc_profile *profile,
                      bool *chosen);

/* Sets the number that `analyze --by run` gives each run of this dump: from 1 in file order; 0:
 * none (a load, or left out). `method`: only runs of that method are numbered; NULL: all. `number`:
 * one per run of the trace. Returns the last number. */
uint32_t etc_walk_number(const struct etc_trace *trace, const struct etc_profile *profile,
                         const char *method, uint32_t *number);

#endif

/* walk.h -- visits the events of runs as a timeline: used by everything that draws a dump
 * (traces, flame graphs, reports).
 *
 * For each chosen run the visitor gets its events as slices, parents before children, siblings by
 * start. Every time is that of `analyze`: same parents, same exclusive times, same conversion by
 * owners. The position of a slice (`from`, `to`) follows the rule that its `start` names (enum
 * etc_walk_start).
 *
 * A slice that exceeds its parent is shortened to the parent's interval: to - from < time.
 * Siblings that overlap keep their intervals. */
#ifndef ETC_PROFILE_WALK_H
#define ETC_PROFILE_WALK_H

#include "join/site.h"
#include "profile/profile.h"

enum etc_walk_start {
	ETC_WALK_MEASURED, /* start and end were read on the runtime's clock */
	/* The times are on the runtime's clock, but the start was invented: XNNPACK's events are
	 * laid end to end. */
	ETC_WALK_SYNTHETIC,
	/* The times are on another clock. The first event on that clock inside an event of the
	 * runtime (or, if none encloses it, inside a call) is placed at the start of this event or
	 * call. */
	ETC_WALK_REBASED,
	/* Only a duration is known. Such events are laid end to end from the start of their
	 * parent. */
	ETC_WALK_LAID,
	/* There is no interval, because the unit is unknown or differs from the runtime's, the
	 * event is a counter or invalid, or it ends before it starts. `from` and `to` are the start
	 * of the parent; `time` is the time that `analyze` shows. */
	ETC_WALK_UNPLACED
};

enum etc_walk_kind {
	ETC_WALK_ROOT,          /* Method::execute, Program::load_method */
	ETC_WALK_INSTRUCTION,   /* OPERATOR_CALL and others */
	ETC_WALK_DELEGATE_CALL, /* DELEGATE_CALL */
	ETC_WALK_KERNEL,        /* native_call_* */
	ETC_WALK_DELEGATE,      /* an event of a delegate */
	/* an event of the runtime that is none of the above */
	ETC_WALK_OTHER
};

/* Facts about an event that are the same in every run of its event list. */
struct etc_walk_about {
	struct etc_str backend, category, kernel; /* empty: none, or unknown */
	const struct etc_place *place;            /* NULL: no record was given */
};

/* One event of one run. Times are in parts of the unit of the walker's clock
 * (etc_walker_clock()); `from` and `to` count from the start of the run, and are negative before
 * it. */
struct etc_walk_slice {
	uint32_t event;   /* index of the slice's event in the event list */
	uint32_t parent;  /* index of the parent's slice; ETC_NO_SITE: the event has no parent */
	uint32_t end;     /* index after the last slice inside this one */
	uint8_t start;    /* how the start is known: enum etc_walk_start */
	uint8_t why;      /* enum etc_detach; ATTACHED: the event is a part of its parent's time */
	bool dispatch;    /* an OPERATOR_CALL around a kernel: see etc_walk_name() */
	uint8_t unit;     /* unit of `time` and `self`: ETCORE_UNIT_* */
	int64_t from, to; /* the interval to draw, inside that of its parent */
	uint64_t time;    /* duration as measured */
	uint64_t self;    /* exclusive time: without the attached children */
};

/* The path number of a run that is neither an execute run nor a load. `analyze` leaves such runs
 * out (N0126). */
#define ETC_WALK_NO_PATH (ETC_PROFILE_LOAD - 1)

struct etc_walk_run {
	uint32_t run;      /* index in the trace, from 0 */
	uint32_t template; /* index of its event list */
	/* number of a path of the profile, or ETC_PROFILE_LOAD, or ETC_WALK_NO_PATH */
	uint32_t path;
	uint8_t use;    /* enum etc_run_use; KEPT for a run outside of paths, such as a load */
	uint64_t begin; /* start on the runtime's clock, in ticks */
	uint32_t event_count;
	const struct etc_walk_slice *slices;
	uint32_t slice_count;        /* number of `slices`: event_count, or the `most` of the
	                              * options if that is less */
	const uint64_t *start, *end; /* start and end of each event, in raw ticks */
	const struct etc_sites *sites;
	struct etc_str *names; /* cache of the results of etc_walk_name(); NULL: there is none */
};

struct etc_walk_about etc_walk_about(const struct etc_walk_run *run, uint32_t event);

/* Returns the event as it was logged, with its ids and its name in the file. */
static inline const struct etc_event *etc_walk_ids(const struct etc_walk_run *run, uint32_t event)
{
	return etc_site_event(run->sites, &run->sites->v[event]);
}

static inline struct etc_str etc_walk_backend(const struct etc_walk_run *run, uint32_t event)
{
	return run->sites->v[event].reading->backend;
}

/* Returns the kind of the event: enum etc_walk_kind. */
uint8_t etc_walk_kind(const struct etc_walk_run *run, uint32_t event);

/* Returns the name of the event's row in `analyze`. With `dispatch`, an OPERATOR_CALL around a
 * kernel is called OPERATOR_CALL, so that only the kernel has the operator's name. */
struct etc_str etc_walk_name(const struct etc_walk_run *run, uint32_t event, bool dispatch);

/* Returns a node on the source line that all nodes of the event share. NULL: the event has no node,
 * or its nodes are on several lines. */
const struct etc_node *etc_walk_node(const struct etc_walk_run *run, uint32_t event);

typedef enum etc_status etc_walk_visit(void *arg, const struct etc_walk_run *run,
                                       struct etc_error *err);

struct etc_walk_options {
	const struct etc_profile_options *profile; /* the options that etc_profile_make() takes */
	/* for each run of the trace: is it chosen? NULL: all runs are */
	const bool *chosen;
	bool nodes; /* find modules and source lines */
	/* Number of slices that a visitor gets of a run: if there are more slices, it gets the
	 * longest ones. If there is no room for all slices of one length, it gets none of them. The
	 * number may change between visits. NULL: it gets all slices. */
	const uint32_t *most;
};

/* Makes a walker, and asks plugins about the events of the chosen runs. `trace` is the result of
 * etc_profile_trace(), and `profile` was made from it. Memory is the arena's, except the memory of
 * two event lists that are kept for the next visit: the longest and the last one.
 * etc_walker_release() must be called in the end. E0605, E0904. */
struct etc_walker;
enum etc_status etc_walker_make(struct etc_walker **out, const struct etc_trace *trace,
                                const struct etc_profile *profile,
                                const struct etc_walk_options *options, struct etc_arena *arena,
                                struct etc_error *err) ETC_MUST_CHECK;
void etc_walker_release(struct etc_walker *w);

/* Returns the runtime's clock. Its unit is divided into enough parts to make the times of all
 * events whole numbers of parts, unless these numbers would be too large. */
struct etc_host_clock etc_walker_clock(const struct etc_walker *w);

/* Visits the chosen runs. They are grouped by event list, in the order of the lists' first runs,
 * and within a list in file order. Pointers in a run are valid only during its visit. E0605, E0904,
 * and errors of `visit`. */
enum etc_status etc_walker_visit(struct etc_walker *w, etc_walk_visit *visit, void *arg,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Sets chosen[run] for one run of each path: the typical run whose time is nearest to the mean of
 * the typical runs; if several are equally near, the first. If there is no path, chooses the first
 * load; if there is no load, every run. `chosen` has an element for each run of the trace, and is
 * zeroed. */
void etc_walk_typical(const struct etc_trace *trace, const struct etc_profile *profile,
                      bool *chosen);

/* Sets number[run] to the number that `analyze --by run` gives the run: from 1, in file order; 0:
 * none, because it is a load or is left out. If `method` is not NULL, only runs of that method get
 * numbers. `number` has an element for each run of the trace. Returns the last number. */
uint32_t etc_walk_number(const struct etc_trace *trace, const struct etc_profile *profile,
                         const char *method, uint32_t *number);

#endif

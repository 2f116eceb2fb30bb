/* tally.h -- sums over the runs of one template; private to measure.c and flush.c. */
#ifndef ETC_JOIN_TALLY_H
#define ETC_JOIN_TALLY_H

#include "join/measure.h"

/* An attached DELEGATE_CALL that contains attached events. Its exclusive time consists of rounding
 * and unattributed time, and belongs to no row. */
struct leftover {
	uint32_t site;
	uint64_t truncated; /* sum of the clock resolutions of its events with truncated times */
};

/* The events with truncated times that are in one row and have one parent. In each run, their true
 * time may be longer than their measured time, because clocks truncate. The difference is at most
 * `most`, the sum of the resolutions of the events' clocks. If `capped`, the difference is also at
 * most the exclusive time of the parent. */
struct bound {
	uint32_t parent; /* site of the parent; ETC_NO_SITE: no upper bound is known */
	uint32_t row : 31;
	uint32_t capped : 1;
	uint64_t most;
	/* largest possible difference between true and measured time, summed over the runs that
	 * have the current nest */
	etc_u128 sum;
};

/* Index of a row of parallel events, and the site of a call that contains such events. */
struct beside {
	uint32_t row, call;
};

/* One of the rows in which a plugin's columns for an event are shown, and the weight of the event
 * in this row: its time. */
struct told {
	struct told *next;
	uint32_t row;
	uint64_t weight;
};

/* What has to be known about a site to subtract the cost of logging events from its times. */
struct logged {
	/* the site (this one or an ancestor) whose exclusive time includes the logging of the
	 * events directly below this site; ETC_NO_SITE: none */
	uint32_t around;
	/* number of events per run whose logging is part of this site's exclusive time */
	uint32_t count;
	/* the tracer's cost that was subtracted from inclusive times of the site's children, and
	 * must be subtracted from the site's inclusive time, too */
	etc_u128 taken;
};

/* The sums over runs of one template that have the same nest. */
struct etc_tally {
	struct etc_measure *m;
	const struct etc_trace *trace;
	const struct etc_sites *sites;
	const struct etc_measured_runs *measured;
	struct etc_arena *scratch;
	struct etc_nest nest;
	uint32_t *row; /* the row of each site in the current nest */
	/* The row of each site in each variant (a set of bits ETC_ROW_*): element site *
	 * ETC_ROW_VARIANTS + variant is 1 + the index of the row; 0: the row was not looked up
	 * yet. `cache` is NULL until there is a second nest. */
	uint32_t *cache;
	/* for each site, the low 64 bits of its sum of durations; undefined while there is no
	 * run */
	uint64_t *low;
	int32_t *high;    /* upper part of the sums in `low`: the carries, at most one per run */
	uint64_t *weight; /* sum of the times of each site in all runs; NULL: not requested */
	/* for each site, the rows in which the columns of its plugins are shown; NULL until there
	 * is a second nest */
	struct told **told;
	/* `high` is in use, because some sum exceeded 64 bits */
	bool carried;
	/* the sites with truncated times whose duration was 0 in every kept run so far */
	uint32_t *zero;
	uint32_t zero_count;
	uint32_t *calls; /* DELEGATE_CALLs */
	uint32_t call_count;
	/* true: sums per site are not needed as long as all sites are attached. That is so if rows
	 * are made only for notes, all runs have one template, and the delegate events with
	 * truncated times are exactly the delegate events with a backend. */
	bool simple;
	/* Are sums per site needed for the current nest? Yes if `simple` is false, or if a site is
	 * detached. */
	bool sums;
	bool *is_leftover;
	/* scratch memory: one number for each row, and one for all sites without a row */
	uint32_t *open;
	uint32_t open_room;
	struct leftover *leftovers;
	uint32_t leftover_count;
	struct bound *bounds;
	uint32_t bound_count;
	struct beside *beside; /* sorted by row, then by call; NULL: no events run in parallel */
	uint32_t beside_count;
	/* for each site, what is needed to subtract the tracer's cost; NULL: the cost is not
	 * subtracted */
	struct logged *logged;
	/* for each site: is it inside another site of the same row? NULL: not needed */
	bool *covered;
	uint64_t runs; /* number of runs that were added since the nest last changed */
	/* sums over `leftovers`: `rounding` of their rounding, `inside` of their unattributed
	 * time */
	etc_u128 rounding, inside;
	/* the largest time by which the children of a site exceeded the site's time in one run */
	uint64_t excess;
	etc_u128 time, delegated; /* sums of the path, used if sums per site are not needed */
	/* time of the shortest run, and its index in the trace; if several runs are equally short,
	 * the first */
	uint64_t first_time;
	size_t first_run;
};

/* Is the site the root of an execute run? Its sum is the time of the path, not of a row. */
static inline bool etc_tally_is_whole(const struct etc_tally *t, uint32_t site)
{
	return site == t->sites->root && !t->sites->is_load;
}

static inline bool etc_tally_has_row(const struct etc_tally *t, uint32_t site)
{
	return t->row[site] != ETC_NO_SITE;
}

/* Is the event detached because it runs in parallel with others? The times of such events are not
 * added up: the time of their row is the time during which at least one of them ran. So their
 * children are not subtracted from them. */
static inline bool etc_tally_is_parallel(const struct etc_tally *t, uint32_t site)
{
	return t->nest.why[site] == ETC_DETACH_PARALLEL;
}

static inline void etc_tally_add(struct etc_tally *t, uint32_t site, uint64_t time)
{
	if (__builtin_add_overflow(t->low[site], time, &t->low[site])) {
		t->high[site]++;
		t->carried = true;
	}
}

/* Adds, for each site whose work depends on the run, its work in run `run`. E0904. */
enum etc_status etc_tally_work(struct etc_tally *t, uint32_t run,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Adds the sums of the tally to the rows and to the path, and sets the sums to 0. */
void etc_tally_flush(struct etc_tally *t);

#endif

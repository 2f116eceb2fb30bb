/* tally.h -- how the runs of one shape are added up: what measure.c and flush.c share. */
#ifndef ETC_JOIN_TALLY_H
#define ETC_JOIN_TALLY_H

#include "join/measure.h"

/* A DELEGATE_CALL whose inside is known: what its events leave over. */
struct leftover {
	uint32_t site;
	uint64_t truncated; /* sum of the resolutions of its events */
};

/* Truncated events of one row below one parent. */
struct bound {
	uint32_t parent; /* ETC_NO_SITE: no room is known */
	uint32_t row : 31;
	uint32_t capped : 1;
	uint64_t most;
	etc_u128 sum; /* of runs under this nest */
};

/* A row of events in parallel, and a call with such events. */
struct beside {
	uint32_t row, call;
};

/* A row that an event has been in, and how long it took meanwhile. */
struct told {
	struct told *next;
	uint32_t row;
	uint64_t weight;
};

/* Sums of one shape while one nest holds. */
struct etc_tally {
	struct etc_measure *m;
	const struct etc_trace *trace;
	const struct etc_sites *sites;
	const struct etc_measured_runs *measured;
	struct etc_arena *scratch;
	struct etc_nest nest;
	uint32_t *row;    /* of each site, under this nest */
	uint32_t *cache;  /* ETC_ROW_VARIANTS per site: row + 1; NULL: the first nest holds */
	uint64_t *low;    /* sums of durations; while there are no runs, anything */
	int32_t *high;    /* of each how often it came around: at most once a run */
	uint64_t *weight; /* of each site how long it took, over all runs; NULL: nobody asks */
	struct told **
		told; /* of each site, the rows whose columns it fills; NULL: the first nest holds */
	bool carried;   /* some did; else nothing but 0 is there, and perhaps no memory yet */
	uint32_t *zero; /* truncated sites that read 0 in every kept run so far */
	uint32_t zero_count;
	uint32_t *calls; /* DELEGATE_CALLs */
	uint32_t call_count;
	bool simple; /* for notes, attached delegate events either have a backend and are
	              * truncated, or have none: nobody asks how long they took */
	bool sums;   /* somebody does under this nest */
	bool *is_leftover;
	uint32_t *open; /* scratch: a number per row, and one more */
	uint32_t open_room;
	struct leftover *leftovers;
	uint32_t leftover_count;
	struct bound *bounds;
	uint32_t bound_count;
	struct beside *beside; /* in order; NULL: nothing runs in parallel */
	uint32_t beside_count;
	bool *covered; /* of each site, is one of its row around it? NULL: as `beside` */
	uint64_t runs; /* under this nest */
	etc_u128 rounding, inside; /* of its leftovers */
	uint64_t excess;           /* most that children had too much in a run */
	etc_u128 time, delegated;  /* without sums: of the path */
	uint64_t first_time;       /* the shortest of them, of equal ones the first */
	size_t first_run;
};

/* Does the sum of the site stand for time in its row or for the time of the whole? */
static inline bool etc_tally_is_whole(const struct etc_tally *t, uint32_t site)
{
	return site == t->sites->root && !t->sites->is_load;
}

static inline bool etc_tally_has_row(const struct etc_tally *t, uint32_t site)
{
	return t->row[site] != ETC_NO_SITE;
}

/* Events in parallel are in no sum, so what is below them is not taken from them: a row has the time
 * in which any of its events ran. */
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

/* Takes the sums to the rows and the path, and starts anew. */
void etc_tally_flush(struct etc_tally *t);

#endif

/* nest.h -- the tree of one run's events: parents, detachment, exclusive times.
 *
 *   Method::execute > OPERATOR_CALL > native_call_*
 *                   > DELEGATE_CALL > the delegate's events
 *
 * Which event encloses which depends on each run's times, but is nearly always the same as in the
 * previous run. So the nest of the previous run is kept. Each run is checked against it, and a new
 * nest is made only if the run differs from the kept one. */
#ifndef ETC_JOIN_NEST_H
#define ETC_JOIN_NEST_H

#include "join/enclose.h"
#include "join/site.h"

/* etc_nest.flags */
enum {
	ETC_NEST_VALID = 1, /* end >= start */
	/* a delegate event that no plugin owns and that is outside of its DELEGATE_CALL in time:
	 * its unit and clock are unknown */
	ETC_NEST_UNKNOWN = 2,
	/* the children on the event's own clock take more time than the event */
	ETC_NEST_EXCEED = 4,
	/* the event's time is subtracted from its parent's time */
	ETC_NEST_CANDIDATE = 8,
	/* the event is on another clock than its parent. All children of a parent with this flag
	 * are part of the parent's time, if the sum of their times is at most the time that the
	 * children on the parent's clock leave */
	ETC_NEST_OTHER = 16,
	/* the children on other clocks need more time than the children on the event's clock leave
	 * free in the event */
	ETC_NEST_SPILLS = 32,
	/* the event is on its parent's clock. All children with this flag are part of the parent's
	 * time if their sum is at most the parent's time */
	ETC_NEST_OWN = 64
};

enum { ETC_NEST_SMALL = 6 }; /* groups of at most this many sites are searched without sorting */

/* A delegate event without an owner, and its DELEGATE_CALL. Whether the event is inside of the call
 * is known only from the times of each run. */
struct etc_doubt {
	uint32_t site, call;
};

/* Sums of the durations of some children of a site: in ticks for children whose tick is as long as
 * the site's, in units for all others. */
struct etc_rated {
	/* sum of the times of children whose ticks are as long as the site's, in ticks */
	uint64_t ticks;
	uint64_t units; /* sum of the times of the other children, converted to units */
	/* number of children whose times are converted to units; number of those whose converted
	 * times are rounded */
	uint32_t converted, rounded;
};

/* State of a site in the last run, used if some times are rounded. */
struct etc_rounding {
	uint64_t ticks;
	/* sums of the durations of the site's children: `own` is over the children with the flag
	 * ETC_NEST_OWN, `other` over those with the flag ETC_NEST_OTHER */
	struct etc_rated own, other;
	/* Start of the site's next child: only its fraction of a unit, counted in 1/`per` of a unit
	 * (struct etc_reading). It includes half a unit, because conversion to whole units rounds
	 * to the nearest. */
	uint64_t phase;
	/* number of units by which rounding made the site's children longer than the site */
	uint64_t excess;
	/* The members `next` of the array `rounding` list all sites of the nest, parents before
	 * children: rounding[k].next is site k of this list. */
	uint32_t next;
	/* some child that is part of the site's time has ticks of another length than the site, so
	 * the child's time is converted to units */
	bool mixed;
};

struct etc_nest {
	const struct etc_sites *sites;

	/* Sites whose parents are found by time, grouped by call. */
	/* the sites, group by group: first the groups of two sites, then the larger groups */
	uint32_t *member;
	uint32_t pairs_end; /* index in `member` after the last group of two */
	/* for each group of more than two sites, the index in `member` after the group's last
	 * site */
	uint32_t *group_end;
	uint32_t group_count;
	struct etc_doubt *doubtful;
	uint32_t doubtful_count;
	/* events whose times decide whether they are inside the root, the event of the whole run */
	uint32_t *loose;
	uint32_t loose_count;

	/* The current nest. Its arrays have one entry for each site: */
	uint32_t *parent;
	uint32_t *around; /* the smallest event of the same call that encloses the site in time */
	uint8_t *flags;
	uint8_t *why; /* enum etc_detach */
	bool ready;
	bool whole; /* no event is detached */
	/* the next run can be checked by load_steadily() (nest_check.c), which is faster than
	 * load_times(); this is so for most runs */
	bool steady;
	bool beyond; /* a time of some run was UINT64_MAX or more */

	/* Values of the last run: */
	uint64_t *time; /* duration in the site's unit; 0 if the times are invalid */
	/* sum of the times of the attached children; before etc_nest_attach(), of all children on
	 * the same clock */
	uint64_t *below;
	/* sum of the times of the children on other clocks; NULL: there are no such children */
	uint64_t *other;
	uint8_t *now; /* flags of the last run: only ETC_NEST_VALID and ETC_NEST_UNKNOWN */
	/* total time by which detached children exceed their parents; saturates at UINT64_MAX */
	uint64_t excess;

	struct etc_rounding *rounding; /* one per site; NULL: no time is rounded */
	uint32_t ordered;              /* number of sites in the list `next` */

	/* scratch memory: the sites in `member` that are in groups of more than ETC_NEST_SMALL
	 * sites; their order is kept from run to run */
	struct etc_event_interval *intervals;
	uint32_t *found, *room; /* scratch; `room` has two more entries than sites */
};

/* Prepares a nest for runs of the template of `sites`, which must outlive the nest. Memory is the
 * arena's. E0904. */
enum etc_status etc_nest_init(struct etc_nest *nest, const struct etc_sites *sites,
                              struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Checks one run, whose times are in the columns `start` and `end`. Computes `time`, and sets
 * `*changed` if the kept nest does not hold for this run. If it holds, computes `below`, too.
 * E0904. */
enum etc_status etc_nest_check(struct etc_nest *nest, const uint64_t *start, const uint64_t *end,
                               bool *changed, struct etc_error *err) ETC_MUST_CHECK;

/* Replaces the kept nest by the nest of the run that was checked last. */
void etc_nest_adopt(struct etc_nest *nest);

/* Changes the sums in `below`. Before the call, each is the sum of all children on the clock of the
 * parent. Afterwards, it is the sum of the attached children, on any clock: if the children on the
 * parent's clock take longer than the parent, they do not count; the children on other clocks count
 * if they fit into the rest of the parent's time. Sets `excess`. */
void etc_nest_attach(struct etc_nest *nest);

/* The next four functions are in nest_round.c, and are used only if times are rounded
 * (nest->rounding). This one sums up the times of each site's children by tick length. */
void etc_nest_rates(struct etc_nest *nest);
/* Returns the same flags as etc_nest_misfits(), computed from the sums of etc_nest_rates(). */
unsigned etc_nest_misfits_rounded(const struct etc_nest *nest, uint32_t site);
/* Writes the list of the nest's sites, parents before children: rounding[k].next is its k-th site.
 * Overwrites etc_nest.below. */
void etc_nest_order(struct etc_nest *nest);
/* Rounds the times of children a second time, so that the sum over the children that are part of a
 * parent's time does not exceed the parent's time. */
void etc_nest_settle(struct etc_nest *nest);

typedef void etc_nest_visit(void *who, uint32_t site);

/* Walks the tree: calls `enter` for each site, then visits the sites below it, then calls `leave`
 * for the site. `leave` may be NULL. Overwrites `below`. */
void etc_nest_walk(struct etc_nest *nest, etc_nest_visit *enter, etc_nest_visit *leave, void *who);

/* Adds `time` to `*sum`; on overflow the sum becomes UINT64_MAX. */
static ETC_INLINE void etc_nest_add(uint64_t *sum, uint64_t time)
{
	if (__builtin_add_overflow(*sum, time, sum))
		*sum = UINT64_MAX;
}

/* Returns the flags ETC_NEST_EXCEED and ETC_NEST_SPILLS of a site in the last run. Valid only
 * before etc_nest_attach() is called. */
static ETC_INLINE unsigned etc_nest_misfits(const struct etc_nest *nest, uint32_t site)
{
	uint64_t time = nest->time[site], sum = nest->below[site];
	unsigned flags = sum > time ? ETC_NEST_EXCEED : 0;

	if (nest->rounding)
		return etc_nest_misfits_rounded(nest, site);
	if (!nest->other)
		return flags;
	sum = flags ? 0 : sum;
	etc_nest_add(&sum, nest->other[site]);
	return flags | (sum > time ? ETC_NEST_SPILLS : 0);
}

static inline bool etc_nest_attached(const struct etc_nest *nest, uint32_t site)
{
	return nest->why[site] == ETC_ATTACHED;
}

#endif

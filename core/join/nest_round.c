/* nest_round.c -- see nest.h
 *
 * Where a tick is no whole number of units, times are rounded, and children that fill their parent
 * to the tick may seem to exceed it. So they are compared in ticks where all have one rate, and
 * then rounded as if they lay end to end from where the parent begins: what is left of the parent
 * is rounded with them, and all add up. Where rates differ, each may be one unit too long by
 * rounding; what they then have too much is taken from those that were rounded. */
#include "join/nest.h"

/* Which children are compared in ticks, and how much the others may exceed their parent. */
static void find_rates(struct etc_nest *nest)
{
	const struct etc_site *site = nest->sites->v;
	struct etc_rounding *r = nest->rounding;

	for (uint32_t i = 0; i < nest->sites->count; i++) {
		r[i].mixed = false;
		r[i].slack = etc_reading_rounds(site[i].reading);
		r[i].below = 0;
	}
	for (uint32_t i = 0; i < nest->sites->count; i++) {
		uint32_t p = nest->parent[i];

		if (!(nest->flags[i] & (ETC_NEST_CANDIDATE | ETC_NEST_OTHER)))
			continue;
		r[p].mixed = r[p].mixed || !etc_reading_same_rate(site[i].reading, site[p].reading);
		r[p].slack += nest->time[i] && etc_reading_rounds(site[i].reading);
		if (nest->flags[i] & ETC_NEST_CANDIDATE)
			etc_nest_add(&r[p].below, r[i].ticks);
	}
}

static void note_order(void *of, uint32_t i)
{
	struct etc_nest *nest = of;

	nest->rounding[nest->ordered++].next = i;
}

void etc_nest_order(struct etc_nest *nest)
{
	nest->ordered = 0;
	etc_nest_walk(nest, note_order, NULL, nest);
}

void etc_nest_rates(struct etc_nest *nest)
{
	if (nest->rounding)
		find_rates(nest);
}

/* The time of a child in what its parent has left. Of one rate, it ends where all children so far
 * do, to the nearest unit. */
static uint64_t share_of(struct etc_nest *nest, uint32_t i, uint32_t p)
{
	const struct etc_reading *as = nest->sites->v[i].reading;
	struct etc_rounding *own = &nest->rounding[i], *parent = &nest->rounding[p];
	uint64_t time = nest->time[i], left = nest->time[p] - nest->below[p];

	if (!parent->mixed && etc_reading_rounds(as)) {
		etc_u128 end = (etc_u128)own->ticks * as->scale + parent->phase;

		own->phase = parent->phase;
		parent->phase = (uint64_t)(end % as->per);
		end /= as->per;
		time = end < UINT64_MAX ? (uint64_t)end : UINT64_MAX;
	} else if (parent->excess && etc_reading_rounds(as) && time) {
		parent->excess--;
		own->phase = 0;
		time--;
	}
	return time < left ? time : left;
}

void etc_nest_settle(struct etc_nest *nest)
{
	struct etc_rounding *r = nest->rounding;

	for (uint32_t k = 0; k < nest->ordered; k++) {
		uint32_t i = r[k].next, p = nest->parent[i];
		bool part = nest->flags[i] & ETC_NEST_CANDIDATE;

		r[i].phase = nest->sites->v[i].reading->per / 2;
		if (part && !(nest->flags[p] & ETC_NEST_EXCEED))
			nest->time[i] = share_of(nest, i, p);
		r[i].excess = nest->below[i] > nest->time[i] ? nest->below[i] - nest->time[i] : 0;
		nest->below[i] = 0;
		if (part)
			etc_nest_add(&nest->below[p], nest->time[i]);
	}
}

/* nest_round.c -- see nest.h.
 *
 * If a tick is not a whole number of units, durations are rounded, and children that fill their
 * parent exactly may seem to exceed it. So children with the parent's tick length are compared in
 * ticks, exactly. The other children are compared with the rest of the parent's time, in units;
 * each child whose time is rounded may be one unit too long, and the parent, if its time is
 * rounded, one unit too short. Children with equal tick lengths are rounded as if they were end to
 * end from the start of the parent, together with the rest of the parent, so that all add up. If
 * tick lengths differ, the excess caused by rounding is subtracted from the rounded children. */
#include "join/nest.h"

static void add_rated(struct etc_rated *to, const struct etc_nest *nest, uint32_t i, bool same)
{
	if (same) {
		etc_nest_add(&to->ticks, nest->rounding[i].ticks);
	} else if (nest->rounding[i].ticks) {
		etc_nest_add(&to->units, nest->time[i]);
		to->converted++;
		to->rounded += etc_reading_rounds(nest->sites->v[i].reading);
	}
}

void etc_nest_rates(struct etc_nest *nest)
{
	const struct etc_site *site = nest->sites->v;
	struct etc_rounding *r = nest->rounding;

	for (uint32_t i = 0; i < nest->sites->count; i++)
		r[i].own = r[i].other = (struct etc_rated){ 0 };
	for (uint32_t i = 0; i < nest->sites->count; i++) {
		uint32_t p = nest->parent[i];

		if (nest->flags[i] & (ETC_NEST_OWN | ETC_NEST_OTHER))
			add_rated(nest->flags[i] & ETC_NEST_OWN ? &r[p].own : &r[p].other, nest, i,
			          etc_reading_same_rate(site[i].reading, site[p].reading));
	}
}

/* Do the children whose times are summed up in `a` and `b` fit together into their parent, site
 * `i`? */
static bool fit(const struct etc_nest *nest, uint32_t i, const struct etc_rated *a,
                const struct etc_rated *b)
{
	const struct etc_reading *as = nest->sites->v[i].reading;
	uint64_t ticks = a->ticks, units = a->units, left;

	etc_nest_add(&ticks, b->ticks);
	etc_nest_add(&units, b->units);
	if (ticks > nest->rounding[i].ticks)
		return false;
	left = etc_reading_units(as, nest->rounding[i].ticks - ticks);
	return units <= left ||
	       units - left <= (uint64_t)a->rounded + b->rounded + etc_reading_rounds(as);
}

unsigned etc_nest_misfits_rounded(const struct etc_nest *nest, uint32_t site)
{
	static const struct etc_rated none = { 0 };
	const struct etc_rounding *r = &nest->rounding[site];
	bool own = fit(nest, site, &r->own, &none),
	     others = fit(nest, site, own ? &r->own : &none, &r->other);

	return (own ? 0 : ETC_NEST_EXCEED) | (others ? 0 : ETC_NEST_SPILLS);
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

/* Returns the part of the time of parent `p` that child `i` takes; it is limited to what earlier
 * children left. If all children have one tick length, it is the difference of two rounded times:
 * the end of this child minus the end of the previous child. */
static uint64_t share_of(struct etc_nest *nest, uint32_t i, uint32_t p)
{
	const struct etc_reading *as = nest->sites->v[i].reading;
	struct etc_rounding *own = &nest->rounding[i], *parent = &nest->rounding[p];
	uint64_t time = nest->time[i], left = nest->time[p] - nest->below[p];

	if (!own->ticks)
		return 0;
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
		r[i].mixed = (r[i].own.converted && !(nest->flags[i] & ETC_NEST_EXCEED)) ||
		             (r[i].other.converted && !(nest->flags[i] & ETC_NEST_SPILLS));
		if (part)
			nest->time[i] = share_of(nest, i, p);
		r[i].excess = nest->below[i] > nest->time[i] ? nest->below[i] - nest->time[i] : 0;
		nest->below[i] = 0;
		if (part)
			etc_nest_add(&nest->below[p], nest->time[i]);
	}
}

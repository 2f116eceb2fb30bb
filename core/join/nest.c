/* nest.c -- see nest.h
 *
 * nest_check.c compares each run with the kept nest. If the run differs, parents and
 * detachment are derived again here. */
#include "join/nest.h"

#include "etcore/plugin.h"

/* Properties of a site. etc_nest_init() stores them in etc_nest.now, to make its lists of sites
 * from them. */
enum {
	/* The parent is found by time: the event is on the runtime's clock, and it is an
	 * instruction event, or the owner named no parent for it. */
	BY_TIME = 1,
	LOOSE = 2, /* only the event's times show whether it is inside the root (the event of
	            * the whole run) */
	/* it is unknown whether the event is inside its DELEGATE_CALL: struct etc_doubt */
	DOUBTFUL = 4
};

static void look(struct etc_nest *nest)
{
	const struct etc_sites *sites = nest->sites;

	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];
		bool in_delegate = s->call != ETC_NO_SITE && sites->v[s->call].delegate_call;
		bool free = !s->instruction && etc_site_parent(sites, i) == ETC_NO_SITE;
		unsigned kind = 0;

		if ((free || s->instruction) && s->reading->clock == ETCORE_CLOCK_HOST &&
		    s->reading->unit == sites->unit)
			kind = free && i != sites->root && !in_delegate ? BY_TIME | LOOSE : BY_TIME;
		if (free && i != sites->root && in_delegate && s->delegate && !s->reading->timed)
			kind |= DOUBTFUL;
		nest->now[i] = (uint8_t)kind;
	}
}

/* Returns the group of a site. It is the site of the call to which the site belongs; for an
 * instruction event it is the event itself. A site without a call has the group `count`. */
static uint32_t group_of(const struct etc_sites *sites, uint32_t i)
{
	if (sites->v[i].instruction)
		return i;
	return sites->v[i].call != ETC_NO_SITE ? sites->v[i].call : sites->count;
}

/* Makes the groups of sites among which parents are searched for by time; group_of() says which
 * sites are in one group. Groups with one member are left out, because this member has no parent in
 * its group. False: out of memory. */
static bool make_groups(struct etc_nest *nest, struct etc_arena *arena)
{
	const struct etc_sites *sites = nest->sites;
	uint32_t n = sites->count, members = 0, large = 0, pair = 0, at, *size = nest->room;

	for (uint32_t i = 0; i < n; i++)
		if (nest->now[i] & BY_TIME)
			size[group_of(sites, i)]++;
	for (uint32_t g = 0; g <= n; g++) {
		nest->pairs_end += size[g] == 2 ? 2 : 0;
		nest->group_count += size[g] > 2;
		members += size[g] > 1 ? size[g] : 0;
		large += size[g] > ETC_NEST_SMALL ? size[g] : 0;
	}
	nest->group_end = etc_new(arena, uint32_t, nest->group_count);
	nest->member = etc_new(arena, uint32_t, members);
	nest->intervals = etc_new(arena, struct etc_event_interval, large);
	if (!nest->group_end || !nest->member || !nest->intervals)
		return false;
	/* Replaces the number of members in size[g] by the position in `member` at which the next
	 * member of group g is stored. */
	at = nest->pairs_end;
	for (uint32_t g = 0, k = 0; g <= n; g++) {
		uint32_t here = size[g];

		size[g] = here > 2 ? at : here == 2 ? pair : ETC_NO_SITE;
		if (here > 2)
			nest->group_end[k++] = at += here;
		else if (here == 2)
			pair += 2;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *to = &size[group_of(sites, i)];

		if (*to != ETC_NO_SITE && nest->now[i] & BY_TIME)
			nest->member[(*to)++] = i;
	}
	return true;
}

static void fill_intervals(struct etc_nest *nest)
{
	uint32_t at = 0, from = nest->pairs_end;

	for (uint32_t g = 0; g < nest->group_count; from = nest->group_end[g], g++)
		for (uint32_t m = from;
		     m < nest->group_end[g] && nest->group_end[g] - from > ETC_NEST_SMALL; m++)
			nest->intervals[at++].order = nest->member[m];
}

static bool make_lists(struct etc_nest *nest, struct etc_arena *arena)
{
	const uint8_t *kind = nest->now;
	uint32_t n = nest->sites->count, loose = 0, doubtful = 0;

	for (uint32_t i = 0; i < n; i++) {
		loose += (kind[i] & LOOSE) != 0;
		doubtful += (kind[i] & DOUBTFUL) != 0;
	}
	nest->loose = etc_new(arena, uint32_t, loose);
	nest->doubtful = etc_new(arena, struct etc_doubt, doubtful);
	if (!nest->loose || !nest->doubtful)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (kind[i] & LOOSE)
			nest->loose[nest->loose_count++] = i;
		if (kind[i] & DOUBTFUL)
			nest->doubtful[nest->doubtful_count++] =
				(struct etc_doubt){ i, nest->sites->v[i].call };
	}
	return true;
}

enum etc_status etc_nest_init(struct etc_nest *nest, const struct etc_sites *sites,
                              struct etc_arena *arena, struct etc_error *err)
{
	size_t n = sites->count;
	*nest = (struct etc_nest){ .sites = sites,
		                   .time = etc_new(arena, uint64_t, n),
		                   .below = etc_new(arena, uint64_t, n),
		                   .parent = etc_new(arena, uint32_t, n),
		                   .around = etc_new(arena, uint32_t, n),
		                   .found = etc_new(arena, uint32_t, n),
		                   .room = etc_new(arena, uint32_t, n + 2),
		                   .flags = etc_new(arena, uint8_t, n),
		                   .why = etc_new(arena, uint8_t, n),
		                   .now = etc_new(arena, uint8_t, n),
		                   .rounding = etc_new(arena, struct etc_rounding,
		                                       sites->rounds ? n : 0),
		                   .other = etc_new(arena, uint64_t, sites->clocks ? n : 0) };
	ETC_NEED(nest->time && nest->below && nest->parent && nest->around && nest->found &&
	                 nest->room && nest->flags && nest->why && nest->now && nest->rounding &&
	                 nest->other,
	         err);
	nest->rounding = sites->rounds ? nest->rounding : NULL;
	nest->other = sites->clocks ? nest->other : NULL;
	look(nest);
	ETC_NEED(make_groups(nest, arena) && make_lists(nest, arena), err);
	fill_intervals(nest);
	return ETC_OK;
}

static void find_parents(struct etc_nest *nest)
{
	const struct etc_sites *sites = nest->sites;

	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];
		uint32_t named = etc_site_parent(sites, i);

		nest->parent[i] = named != ETC_NO_SITE ? named : nest->around[i];
		if (i == sites->root)
			nest->parent[i] = ETC_NO_SITE;
		else if (nest->parent[i] == ETC_NO_SITE && s->call != ETC_NO_SITE &&
		         sites->v[s->call].delegate_call)
			nest->parent[i] = s->call;
	}
}

/* Returns the reason (enum etc_detach) why event `i` cannot be part of its parent's time, whatever
 * its siblings are. 0: the event may be part of it. */
static uint8_t own_reason(const struct etc_nest *nest, uint32_t i, uint32_t parent)
{
	const struct etc_reading *s = nest->sites->v[i].reading;
	const struct etc_reading *p = nest->sites->v[parent].reading;

	if (!(nest->flags[i] & ETC_NEST_VALID))
		return ETC_DETACH_INVALID;
	if (s->why)
		return s->why;
	if ((nest->flags[i] | nest->flags[parent]) & ETC_NEST_UNKNOWN || s->unit != p->unit ||
	    s->unit == ETCORE_UNIT_UNKNOWN)
		return ETC_DETACH_UNIT;
	/* A duration in nanoseconds can be compared, whichever clock it was measured with. */
	if (s->unit != ETCORE_UNIT_NS && (s->clock != p->clock || s->clock == ETCORE_CLOCK_UNKNOWN))
		return ETC_DETACH_UNIT;
	return ETC_ATTACHED;
}

static bool is_other(const struct etc_nest *nest, uint32_t i)
{
	const struct etc_site *v = nest->sites->v;

	return nest->other && v[i].reading->clock != v[nest->parent[i]].reading->clock;
}

static void find_candidates(struct etc_nest *nest)
{
	for (uint32_t i = 0; i < nest->sites->count; i++) {
		uint32_t p = nest->parent[i];

		nest->why[i] = p != ETC_NO_SITE ? own_reason(nest, i, p) : ETC_ATTACHED;
		if (p == ETC_NO_SITE || nest->why[i] != ETC_ATTACHED)
			continue;
		nest->flags[i] |= is_other(nest, i) ? ETC_NEST_OTHER : ETC_NEST_OWN;
	}
}

static void add_children(struct etc_nest *nest)
{
	uint32_t n = nest->sites->count;

	memset(nest->below, 0, n * sizeof *nest->below);
	if (nest->other)
		memset(nest->other, 0, n * sizeof *nest->other);
	for (uint32_t i = 0; i < n; i++) {
		if (nest->flags[i] & ETC_NEST_OWN)
			etc_nest_add(&nest->below[nest->parent[i]], nest->time[i]);
		else if (nest->flags[i] & ETC_NEST_OTHER)
			etc_nest_add(&nest->other[nest->parent[i]], nest->time[i]);
	}
}

/* Packs the first child and the next sibling of a site into one word, which is stored in
 * nest->below. */
static uint64_t link_of(uint32_t child, uint32_t next)
{
	return (uint64_t)child << 32 | next;
}

void etc_nest_walk(struct etc_nest *nest, etc_nest_visit *enter, etc_nest_visit *leave, void *who)
{
	const uint32_t *parent = nest->parent;
	uint64_t *link = nest->below;
	uint32_t n = nest->sites->count, top = ETC_NO_SITE;

	for (uint32_t i = 0; i < n; i++)
		link[i] = link_of(ETC_NO_SITE, ETC_NO_SITE);
	for (uint32_t i = n; i-- > 0;) {
		uint32_t p = parent[i], child = (uint32_t)(link[i] >> 32);

		link[i] = link_of(child, p == ETC_NO_SITE ? top : (uint32_t)(link[p] >> 32));
		if (p == ETC_NO_SITE)
			top = i;
		else
			link[p] = link_of(i, (uint32_t)link[p]);
	}
	for (uint32_t i = top, next; i != ETC_NO_SITE; i = next) {
		enter(who, i);
		next = (uint32_t)(link[i] >> 32);
		for (; next == ETC_NO_SITE && i != ETC_NO_SITE; i = parent[i]) {
			if (leave)
				leave(who, i);
			next = (uint32_t)link[i];
		}
	}
}

/* Is nothing detached? That is so if every event is valid and may be part of its parent's time, and
 * no parent is shorter than its children together. */
static bool all_attached(const struct etc_nest *nest)
{
	unsigned flags = 0, why = 0;

	for (uint32_t i = 0; i < nest->sites->count; i++) {
		flags |= nest->flags[i] ^ ETC_NEST_VALID;
		why |= nest->why[i];
		why |= nest->parent[i] == ETC_NO_SITE && i != nest->sites->root;
	}
	return (flags & ~(unsigned)(ETC_NEST_CANDIDATE | ETC_NEST_OTHER | ETC_NEST_OWN)) == 0 &&
	       why == ETC_ATTACHED;
}

/* Is the nest "steady" (nest_check.c)? It is if all events are valid, their times are ticks of the
 * file, no event is shorter than its children together, and children precede their parents. */
static bool is_steady(const struct etc_nest *nest)
{
	bool steady = !nest->sites->wraps && !nest->sites->scaled;

	for (uint32_t i = 0; i < nest->sites->count && steady; i++)
		steady = (nest->flags[i] & (ETC_NEST_VALID | ETC_NEST_EXCEED | ETC_NEST_SPILLS)) ==
		                 ETC_NEST_VALID &&
		         /* children precede their parent; a site without one has the parent
		          * ETC_NO_SITE, which is larger */
		         nest->parent[i] > i;
	return steady;
}

/* Decides which children are parts of their parent's time. The children on the parent's clock are
 * parts if all of them together fit into it; else none of them is. The children on other clocks are
 * parts if all of them together fit into the rest of the parent's time. */
static void judge(struct etc_nest *nest)
{
	uint8_t *flags = nest->flags;

	add_children(nest);
	if (nest->rounding)
		etc_nest_rates(nest);
	for (uint32_t i = 0; i < nest->sites->count; i++)
		flags[i] |= (uint8_t)etc_nest_misfits(nest, i);
	for (uint32_t i = 0; i < nest->sites->count; i++) {
		unsigned too_much = flags[i] & ETC_NEST_OTHER ? ETC_NEST_SPILLS : ETC_NEST_EXCEED;

		if (!(flags[i] & (ETC_NEST_OWN | ETC_NEST_OTHER)))
			continue;
		if (flags[nest->parent[i]] & too_much)
			nest->why[i] = ETC_DETACH_EXCEED;
		else
			flags[i] |= ETC_NEST_CANDIDATE;
	}
}

/* Decides why site `i` is detached, or that it is attached, and stores this in nest->why. It also
 * depends on the parent's `why`, so this is called for parents first. */
static void find_detached(void *of, uint32_t i)
{
	struct etc_nest *nest = of;
	const struct etc_sites *sites = nest->sites;
	uint32_t p = nest->parent[i];

	if (p == ETC_NO_SITE)
		nest->why[i] = i == sites->root           ? ETC_ATTACHED
		               : sites->v[i].reading->why ? sites->v[i].reading->why
		                                          : ETC_DETACH_PARENT;
	else if (nest->why[i] == ETC_ATTACHED && !(nest->flags[p] & ETC_NEST_VALID))
		nest->why[i] = ETC_DETACH_EXCEED;
	else if (nest->why[i] == ETC_ATTACHED && nest->why[p] != ETC_ATTACHED)
		nest->why[i] = nest->why[p] == ETC_DETACH_PARALLEL ? ETC_DETACH_PARALLEL
		                                                   : ETC_DETACH_BELOW;
}

/* Returns by how much `sum` exceeds `time`; UINT64_MAX if the sum is saturated. */
static uint64_t too_much(uint64_t sum, uint64_t time)
{
	if (sum == UINT64_MAX)
		return sum;
	return sum > time ? sum - time : 0;
}

void etc_nest_attach(struct etc_nest *nest)
{
	nest->excess = 0;
	for (uint32_t i = 0; i < nest->sites->count; i++) {
		uint64_t *sum = &nest->below[i], all;

		if (nest->flags[i] & ETC_NEST_EXCEED) {
			etc_nest_add(&nest->excess, too_much(*sum, nest->time[i]));
			*sum = 0;
		}
		all = *sum;
		if (nest->other)
			etc_nest_add(&all, nest->other[i]);
		if (nest->flags[i] & ETC_NEST_SPILLS)
			etc_nest_add(&nest->excess, too_much(all, nest->time[i]));
		else
			*sum = all;
	}
}

void etc_nest_adopt(struct etc_nest *nest)
{
	uint32_t *around = nest->around;

	memcpy(nest->flags, nest->now, nest->sites->count);
	nest->around = nest->found;
	nest->found = around;
	find_parents(nest);
	find_candidates(nest);
	judge(nest);
	nest->whole = all_attached(nest);
	if (!nest->whole)
		etc_nest_walk(nest, find_detached, NULL, nest);
	if (nest->rounding)
		etc_nest_order(nest);
	if (!nest->whole || nest->rounding)
		add_children(nest); /* etc_nest_walk() has overwritten the sums */
	etc_nest_attach(nest);
	if (nest->rounding)
		etc_nest_settle(nest);
	nest->ready = true;
	nest->steady = is_steady(nest);
}

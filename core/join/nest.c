/* nest.c -- see nest.h
 *
 * For each run: durations, then the smallest interval around each event within
 * its call, then the sums of children. If all of that agrees with the kept
 * nest, that is all. Otherwise parents, detachment and order are derived. */
#include "join/nest.h"

#include "etcore/plugin.h"

enum { SMALL_GROUP = 6 };

/* Nests by time: the runtime's own events, and those whose owner says so. */
static bool by_time(const struct etc_sites *sites, const struct etc_site *s)
{
	return s->clock == ETCORE_CLOCK_HOST && s->unit == sites->unit &&
	       (s->instruction || s->parent == ETC_NO_SITE);
}

/* Members of a group: one call, or all that belong to none (key `count`). */
static uint32_t group_of(const struct etc_sites *sites, uint32_t i)
{
	if (sites->v[i].instruction)
		return i;
	return sites->v[i].call != ETC_NO_SITE ? sites->v[i].call : sites->count;
}

static void fill_groups(struct etc_nest *nest, uint32_t *first)
{
	const struct etc_sites *sites = nest->sites;
	uint32_t n = sites->count, at = 0;

	for (uint32_t i = 0; i < n; i++)
		if (by_time(sites, &sites->v[i]))
			first[group_of(sites, i) + 1]++;
	for (uint32_t g = 0; g <= n; g++) {
		uint32_t size = first[g + 1];

		first[g + 1] = first[g] + size;
	}
	for (uint32_t i = 0; i < n; i++)
		if (by_time(sites, &sites->v[i]))
			nest->member[first[group_of(sites, i)]++] = i;
	/* first[g] is now the end of group g. Groups of one need no search. */
	for (uint32_t g = 0, from = 0; g <= n; from = first[g], g++) {
		uint32_t size = first[g] - from;

		if (size < 2)
			continue;
		memmove(&nest->member[at], &nest->member[from], size * sizeof *nest->member);
		at += size;
		nest->group_end[nest->group_count++] = at;
	}
}

static void fill_lists(struct etc_nest *nest)
{
	const struct etc_sites *sites = nest->sites;

	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];
		bool in_delegate = s->call != ETC_NO_SITE && sites->v[s->call].delegate_call;

		if (i == sites->root || s->instruction || s->parent != ETC_NO_SITE)
			continue;
		if (!in_delegate && by_time(sites, s))
			nest->loose[nest->loose_count++] = i;
		else if (in_delegate && s->delegate && !s->timed)
			nest->doubtful[nest->doubtful_count++] = i;
	}
}

enum etc_status etc_nest_init(struct etc_nest *nest, const struct etc_sites *sites,
                              struct etc_arena *arena, struct etc_error *err)
{
	size_t n = sites->count;
	uint32_t *words = etc_new(arena, uint32_t, n * 11 + 4);
	uint8_t *bytes = etc_new(arena, uint8_t, n * 3);
	uint64_t *times = etc_new(arena, uint64_t, n * 2);
	uint32_t from = 0;

	*nest = (struct etc_nest){ .sites = sites };
	nest->intervals = etc_new(arena, struct etc_interval, n);
	if (!words || !bytes || !times || !nest->intervals)
		return etc_fail(err, E0904, "%zu events", n);
	nest->member = words;
	nest->group_end = words + n;
	nest->doubtful = words + 2 * n;
	nest->loose = words + 3 * n;
	nest->parent = words + 4 * n;
	nest->around = words + 5 * n;
	nest->order = words + 6 * n;
	nest->next = words + 7 * n;
	nest->found = words + 8 * n;
	nest->room = words + 9 * n; /* n + n + 4: also the first of each group */
	nest->flags = bytes;
	nest->why = bytes + n;
	nest->now = bytes + 2 * n;
	nest->time = times;
	nest->below = times + n;
	fill_groups(nest, nest->room);
	fill_lists(nest);
	for (uint32_t g = 0; g < nest->group_count; from = nest->group_end[g], g++)
		for (uint32_t m = from; m < nest->group_end[g]; m++)
			nest->intervals[m].order = nest->member[m];
	return ETC_OK;
}

/* Durations, and which events are valid and of known unit, into `now`. True if
 * the latter are as in the kept nest. */
static bool load_times(struct etc_nest *nest, const uint64_t *start, const uint64_t *end)
{
	const struct etc_sites *sites = nest->sites;
	unsigned differ = 0;

	for (uint32_t i = 0; i < sites->count; i++) {
		bool valid = end[i] >= start[i];

		nest->time[i] = valid ? end[i] - start[i] : 0;
		nest->now[i] = valid;
	}
	for (uint32_t i = 0; i < sites->count && sites->wraps; i++)
		if (!nest->now[i] && start[i] < sites->v[i].wraps_at) {
			nest->time[i] = sites->v[i].wraps_at - start[i] + end[i];
			nest->now[i] = ETC_NEST_VALID;
		}
	if (sites->scaled)
		for (uint32_t i = 0; i < sites->count; i++)
			nest->time[i] = etc_site_units(&sites->v[i], nest->time[i]);
	for (uint32_t d = 0; d < nest->doubtful_count; d++) {
		uint32_t i = nest->doubtful[d], call = sites->v[i].call;

		if (!(start[call] <= start[i] && start[i] <= end[i] && end[i] <= end[call]))
			nest->now[i] |= ETC_NEST_UNKNOWN;
	}
	for (uint32_t i = 0; i < sites->count; i++)
		differ |= (unsigned)(nest->now[i] ^ nest->flags[i]);
	return nest->ready && (differ & (ETC_NEST_VALID | ETC_NEST_UNKNOWN)) == 0;
}

static bool nests(const struct etc_nest *nest, uint32_t i)
{
	return nest->now[i] == ETC_NEST_VALID;
}

static void search_small(struct etc_nest *nest, uint32_t from, uint32_t to, const uint64_t *start,
                         const uint64_t *end)
{
	for (uint32_t a = from; a < to; a++) {
		uint32_t i = nest->member[a], best = ETC_NO_SITE;

		for (uint32_t b = from; b < to; b++) {
			uint32_t k = nest->member[b];

			if (k != i && nests(nest, k) &&
			    etc_encloses(start[k], end[k], k, start[i], end[i], i) &&
			    (best == ETC_NO_SITE || end[k] - start[k] < end[best] - start[best]))
				best = k;
		}
		nest->found[i] = nests(nest, i) ? best : ETC_NO_SITE;
	}
}

/* Invalid and unknown events go last and out of the search. */
static bool search_large(struct etc_nest *nest, uint32_t from, uint32_t to, const uint64_t *start,
                         const uint64_t *end)
{
	struct etc_interval *v = &nest->intervals[from];
	uint32_t n = to - from, good = 0;

	for (uint32_t a = 0; a < n; a++) {
		struct etc_interval x = v[a];

		x.start = start[x.order];
		x.end = end[x.order];
		x.around = ETC_NO_SITE;
		if (!nests(nest, x.order)) {
			v[a] = x;
			continue;
		}
		v[a] = v[good];
		v[good++] = x;
	}
	if (!etc_enclose(v, good, nest->room))
		return false;
	for (uint32_t a = 0; a < n; a++)
		nest->found[v[a].order] = a < good ? v[a].around : ETC_NO_SITE;
	return true;
}

/* The smallest interval around each event, into `found`; then under the root
 * what lies in no other. False: out of memory. */
static bool search(struct etc_nest *nest, const uint64_t *start, const uint64_t *end)
{
	uint32_t from = 0, root = nest->sites->root;

	for (uint32_t g = 0; g < nest->group_count; from = nest->group_end[g], g++) {
		uint32_t to = nest->group_end[g];

		if (to - from <= SMALL_GROUP)
			search_small(nest, from, to, start, end);
		else if (!search_large(nest, from, to, start, end))
			return false;
	}
	for (uint32_t l = 0; l < nest->loose_count; l++) {
		uint32_t i = nest->loose[l];

		if (nest->found[i] == ETC_NO_SITE && root != ETC_NO_SITE &&
		    etc_encloses(start[root], end[root], root, start[i], end[i], i))
			nest->found[i] = root;
	}
	return true;
}

static void find_parents(struct etc_nest *nest)
{
	const struct etc_sites *sites = nest->sites;

	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];

		nest->parent[i] = s->parent != ETC_NO_SITE ? s->parent : nest->around[i];
		if (i == sites->root)
			nest->parent[i] = ETC_NO_SITE;
		else if (nest->parent[i] == ETC_NO_SITE && s->call != ETC_NO_SITE &&
		         sites->v[s->call].delegate_call)
			nest->parent[i] = s->call;
	}
}

/* Reason of its own for which `i` is no part of its parent's time. */
static uint8_t own_reason(const struct etc_nest *nest, uint32_t i, uint32_t parent)
{
	const struct etc_site *s = &nest->sites->v[i], *p = &nest->sites->v[parent];

	if (!(nest->flags[i] & ETC_NEST_VALID))
		return ETC_DETACH_INVALID;
	if (s->why)
		return s->why;
	if ((nest->flags[i] | nest->flags[parent]) & ETC_NEST_UNKNOWN || s->unit != p->unit ||
	    s->clock != p->clock || s->unit == ETCORE_UNIT_UNKNOWN ||
	    s->clock == ETCORE_CLOCK_UNKNOWN)
		return ETC_DETACH_UNIT;
	return ETC_ATTACHED;
}

static void find_candidates(struct etc_nest *nest)
{
	for (uint32_t i = 0; i < nest->sites->count; i++) {
		uint32_t p = nest->parent[i];

		nest->why[i] = p != ETC_NO_SITE ? own_reason(nest, i, p) : ETC_ATTACHED;
		if (p != ETC_NO_SITE && nest->why[i] == ETC_ATTACHED)
			nest->flags[i] |= ETC_NEST_CANDIDATE;
	}
}

/* Adds up the children; true if who exceeds whom is as in the kept nest. */
static bool add_children(struct etc_nest *nest)
{
	uint32_t n = nest->sites->count;
	unsigned differ = 0;

	memset(nest->below, 0, n * sizeof *nest->below);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t *sum;

		if (!(nest->flags[i] & ETC_NEST_CANDIDATE))
			continue;
		sum = &nest->below[nest->parent[i]];
		*sum += nest->time[i];
		if (*sum < nest->time[i])
			*sum = UINT64_MAX;
	}
	for (uint32_t i = 0; i < n; i++) {
		bool exceed = nest->below[i] > nest->time[i];

		differ |= exceed != ((nest->flags[i] & ETC_NEST_EXCEED) != 0);
	}
	return differ == 0;
}

/* All sites, each before what is below it: a walk over lists of children. */
static void find_order(struct etc_nest *nest)
{
	uint32_t n = nest->sites->count, at = 0, depth = 0;
	uint32_t *child = nest->found, *next = nest->next, *stack = nest->room, top = ETC_NO_SITE;

	for (uint32_t i = 0; i < n; i++)
		child[i] = ETC_NO_SITE;
	for (uint32_t i = n; i-- > 0;) {
		uint32_t *list = nest->parent[i] == ETC_NO_SITE ? &top : &child[nest->parent[i]];

		next[i] = *list;
		*list = i;
	}
	for (uint32_t i = top; i != ETC_NO_SITE || depth > 0;) {
		if (i == ETC_NO_SITE) {
			i = next[stack[--depth]];
			continue;
		}
		nest->order[at++] = i;
		stack[depth++] = i;
		i = child[i];
	}
}

static void find_detached(struct etc_nest *nest)
{
	const struct etc_sites *sites = nest->sites;

	for (uint32_t i = 0; i < sites->count; i++) {
		uint8_t *flags = &nest->flags[i];

		*flags &= (uint8_t)~ETC_NEST_EXCEED;
		if (nest->below[i] > nest->time[i])
			*flags |= ETC_NEST_EXCEED;
	}
	for (uint32_t o = 0; o < sites->count; o++) {
		uint32_t i = nest->order[o], p = nest->parent[i];

		if (p == ETC_NO_SITE)
			nest->why[i] = i == sites->root  ? ETC_ATTACHED
			               : sites->v[i].why ? sites->v[i].why
			                                 : ETC_DETACH_PARENT;
		else if (nest->why[i] == ETC_ATTACHED &&
		         (nest->flags[p] & ETC_NEST_EXCEED || !(nest->flags[p] & ETC_NEST_VALID)))
			nest->why[i] = ETC_DETACH_EXCEED;
		else if (nest->why[i] == ETC_ATTACHED && nest->why[p] != ETC_ATTACHED)
			nest->why[i] = ETC_DETACH_BELOW;
	}
}

static void clear_found(struct etc_nest *nest)
{
	for (uint32_t i = 0; i < nest->sites->count; i++)
		nest->found[i] = ETC_NO_SITE;
}

enum etc_status etc_nest_check(struct etc_nest *nest, const uint64_t *start, const uint64_t *end,
                               bool *changed, struct etc_error *err)
{
	size_t bytes = nest->sites->count * sizeof *nest->found;
	bool same = load_times(nest, start, end);

	clear_found(nest);
	if (!search(nest, start, end))
		return etc_fail(err, E0904, "%u events", nest->sites->count);
	same = same && memcmp(nest->found, nest->around, bytes) == 0;
	*changed = !same || !add_children(nest);
	return ETC_OK;
}

void etc_nest_adopt(struct etc_nest *nest)
{
	uint32_t n = nest->sites->count;

	memcpy(nest->flags, nest->now, n);
	memcpy(nest->around, nest->found, n * sizeof *nest->found);
	find_parents(nest);
	find_candidates(nest);
	(void)add_children(nest);
	find_order(nest);
	find_detached(nest);
	nest->ready = true;
}

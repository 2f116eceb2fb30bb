/* nest_check.c -- see nest.h
 *
 * Computes the durations of a run and the sums of each event's children, and decides whether the
 * kept nest holds for this run. It holds if three things are the same as in the run for which it
 * was made: the events that are valid and have a known unit; the smallest interval around each
 * event within its call; and the parents that are shorter than their children together. */
#include "join/nest.h"

/* Times of the run that is checked. */
struct run {
	const uint64_t *start, *end;
};

/* Returns the duration in ticks. If the counter wrapped around between start and end, the duration
 * is known nevertheless, and `*valid` is set. */
static uint64_t ticks_as_read(const struct etc_reading *as, uint64_t start, uint64_t end,
                              bool *valid)
{
	uint64_t ticks = *valid ? end - start : 0;

	if (!*valid && start < as->wraps_at) {
		ticks = as->wraps_at - start + end;
		*valid = true;
	}
	return ticks;
}

/* Is the event inside of its DELEGATE_CALL? Then it is on the runtime's clock. */
static ETC_INLINE bool is_inside(const struct run *r, struct etc_doubt d)
{
	return r->start[d.call] <= r->start[d.site] && r->start[d.site] <= r->end[d.site] &&
	       r->end[d.site] <= r->end[d.call];
}

/* Computes for one run: the durations of all events; the flags `now` of each event (is it valid, is
 * its unit unknown); and, under the kept nest, the sums of each event's children. Returns true if
 * there is a kept nest in which the events have the same flags as in `now`. */
static bool load_times(struct etc_nest *nest, const struct run *r)
{
	const struct etc_sites *sites = nest->sites;
	const uint64_t *start = r->start, *end = r->end;
	const uint8_t *flags = nest->flags;
	const uint32_t *parent = nest->parent;
	uint64_t *times = nest->time, *below = nest->below;
	uint8_t *now = nest->now;
	bool plain = !sites->wraps && !sites->scaled;
	unsigned differ = 0;

	memset(below, 0, sites->count * sizeof *below);
	if (nest->other)
		memset(nest->other, 0, sites->count * sizeof *nest->other);
	for (uint32_t i = 0, n = sites->count; i < n; i++) {
		bool valid = end[i] >= start[i];
		uint64_t time = valid ? end[i] - start[i] : 0, ticks = time;

		if (!plain) {
			ticks = ticks_as_read(sites->v[i].reading, start[i], end[i], &valid);
			time = etc_reading_units(sites->v[i].reading, ticks);
			nest->beyond = nest->beyond || time == UINT64_MAX;
		}
		times[i] = time;
		now[i] = valid;
		differ |= now[i] ^ flags[i];
		if (flags[i] & ETC_NEST_OWN)
			etc_nest_add(&below[parent[i]], time);
		if (nest->rounding)
			nest->rounding[i].ticks = ticks;
		if (flags[i] & ETC_NEST_OTHER)
			etc_nest_add(&nest->other[parent[i]], time);
	}
	differ &= ETC_NEST_VALID;
	for (uint32_t d = 0; d < nest->doubtful_count; d++) {
		uint32_t i = nest->doubtful[d].site;

		if (!is_inside(r, nest->doubtful[d]))
			now[i] |= ETC_NEST_UNKNOWN;
		differ |= (unsigned)(now[i] ^ flags[i]) & ETC_NEST_UNKNOWN;
	}
	return nest->ready && differ == 0;
}

/* Like load_times(), for a steady nest: one in which all events are valid, no event is shorter than
 * its children together, and children precede their parents. Returns true if the nest is steady in
 * the current run, too, and if the same events as before have a known unit; `now` is then
 * unchanged. */
static bool load_steadily(struct etc_nest *nest, const struct run *r)
{
	const uint64_t *start = r->start, *end = r->end;
	const uint8_t *flags = nest->flags;
	const uint32_t *parent = nest->parent;
	uint64_t *times = nest->time, *below = nest->below;

	memset(below, 0, nest->sites->count * sizeof *below);
	for (uint32_t i = 0, n = nest->sites->count; i < n; i++) {
		uint64_t time = end[i] - start[i];

		if (end[i] < start[i] || below[i] > time)
			return false;
		times[i] = time;
		if (flags[i] & ETC_NEST_CANDIDATE &&
		    __builtin_add_overflow(below[parent[i]], time, &below[parent[i]]))
			return false;
	}
	for (uint32_t d = 0, n = nest->doubtful_count; d < n; d++)
		if (is_inside(r, nest->doubtful[d]) !=
		    !(flags[nest->doubtful[d].site] & ETC_NEST_UNKNOWN))
			return false;
	return true;
}

static bool nests(const struct etc_nest *nest, uint32_t i)
{
	return nest->now[i] == ETC_NEST_VALID;
}

/* Does event `a` enclose event `b` in the times of run `r`? */
static ETC_INLINE bool encloses(const struct run *r, uint32_t a, uint32_t b)
{
	return etc_encloses(r->start[a], r->end[a], a, r->start[b], r->end[b], b);
}

/* Finds out which event of a group of two encloses the other one; usually they are a kernel and its
 * OPERATOR_CALL. */
static ETC_INLINE void search_pair(struct etc_nest *nest, const struct run *r, uint32_t a,
                                   uint32_t b)
{
	bool both = nests(nest, a) && nests(nest, b);

	if (both && encloses(r, b, a))
		nest->found[a] = b;
	else if (both && encloses(r, a, b))
		nest->found[b] = a;
}

static void search_small(struct etc_nest *nest, const struct run *r, uint32_t from, uint32_t to)
{
	for (uint32_t a = from; a < to; a++) {
		uint32_t i = nest->member[a], best = ETC_NO_SITE;

		for (uint32_t b = from; b < to; b++) {
			uint32_t k = nest->member[b];

			if (k != i && nests(nest, k) && encloses(r, k, i) &&
			    (best == ETC_NO_SITE ||
			     r->end[k] - r->start[k] < r->end[best] - r->start[best]))
				best = k;
		}
		if (nests(nest, i))
			nest->found[i] = best;
	}
}

/* Like search_small(), for a large group: moves the events that do not nest to the end, and passes
 * the others to etc_enclose(). False if out of memory. */
static bool search_large(struct etc_nest *nest, const struct run *r, struct etc_event_interval *v,
                         uint32_t n)
{
	uint32_t good = 0, *found = nest->found;

	for (uint32_t a = 0; a < n; a++) {
		struct etc_event_interval x = v[a];

		v[a].start = r->start[x.order];
		v[a].end = r->end[x.order];
		if (!nests(nest, x.order))
			continue;
		if (a > good) {
			x = v[a];
			v[a] = v[good];
			v[good] = x;
		}
		good++;
	}
	if (!etc_enclose(v, good, nest->room))
		return false;
	for (uint32_t a = 0; a < good; a++)
		found[v[a].order] = v[a].around;
	return true;
}

/* For each event of a group, stores in `found` the event of the same group that encloses it most
 * closely in time. False if out of memory. */
static bool search(struct etc_nest *nest, const struct run *r)
{
	struct etc_event_interval *large = nest->intervals;
	const uint32_t *member = nest->member;
	uint32_t from = nest->pairs_end;

	for (uint32_t p = 0, end = from; p < end; p += 2)
		search_pair(nest, r, member[p], member[p + 1]);
	for (uint32_t g = 0; g < nest->group_count; from = nest->group_end[g], g++) {
		uint32_t n = nest->group_end[g] - from;

		if (n <= ETC_NEST_SMALL) {
			search_small(nest, r, from, from + n);
			continue;
		}
		if (!search_large(nest, r, large, n))
			return false;
		large += n;
	}
	return true;
}

/* Sets `found` to the root for those events of `loose` that are inside of the root in time, and
 * that no other event encloses. */
static void search_root(struct etc_nest *nest, const struct run *r)
{
	uint32_t root = nest->sites->root, *found = nest->found;
	const uint32_t *loose = nest->loose;

	for (uint32_t l = 0, n = nest->loose_count; l < n; l++)
		if (found[loose[l]] == ETC_NO_SITE && root != ETC_NO_SITE &&
		    encloses(r, root, loose[l]))
			found[loose[l]] = root;
}

/* Do the same events as in the kept nest have children that take more time than is available (the
 * flags ETC_NEST_EXCEED and ETC_NEST_SPILLS)? */
static bool same_misfits(const struct etc_nest *nest)
{
	uint32_t n = nest->sites->count;
	unsigned differ = 0;

	for (uint32_t i = 0; i < n; i++)
		differ |= etc_nest_misfits(nest, i) ^ nest->flags[i];
	return (differ & (ETC_NEST_EXCEED | ETC_NEST_SPILLS)) == 0;
}

enum etc_status etc_nest_check(struct etc_nest *nest, const uint64_t *start, const uint64_t *end,
                               bool *changed, struct etc_error *err)
{
	const struct run r = { start, end };
	size_t bytes = nest->sites->count * sizeof *nest->found;
	bool steady = nest->steady && load_steadily(nest, &r);
	bool same = steady || load_times(nest, &r);

	memset(nest->found, UINT8_MAX, bytes); /* sets each entry to ETC_NO_SITE */
	ETC_NEED(search(nest, &r), err);
	search_root(nest, &r);
	same = same && memcmp(nest->found, nest->around, bytes) == 0;
	if (same && nest->rounding)
		etc_nest_rates(nest);
	*changed = !same || (!steady && !same_misfits(nest));
	if (steady)
		nest->excess = 0;
	else if (!*changed && (!nest->whole || nest->other))
		etc_nest_attach(nest);
	if (!*changed && nest->rounding)
		etc_nest_settle(nest);
	nest->steady = nest->steady && !*changed;
	return ETC_OK;
}

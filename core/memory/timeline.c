/* timeline.c -- see timeline.h.
 *
 * For each memory, one sweep goes over the steps at which groups (of tensors with one storage,
 * lifetimes.h) begin or stop being alive. The number of distinct bytes and the highest end are
 * computed by memory/cover.h. */
#include "memory/timeline.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "memory/cover.h"

enum { CONFLICTS = 64, CONFLICT_WORK = 1 << 24 };

/* A change at a step: a group begins to be alive (`sign` +1), or stops being alive (`sign` -1). */
struct edge {
	int32_t step, sign;
	uint32_t group;
};

struct sweep {
	const struct etc_lifetimes *lifetimes;
	struct etc_arena *arena;
};

static int by_step(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return x->sign - y->sign;
}

/* A group (its index) and its memory, by which it is sorted; qsort() passes no context to the
 * comparison. */
struct placed {
	uint32_t memory, group;
};

static int by_memory(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->memory != y->memory)
		return x->memory < y->memory ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

static enum etc_status sort_groups(struct sweep *s, struct placed **out, struct etc_error *err)
{
	uint32_t n = s->lifetimes->group_count;
	struct placed *p = etc_new(s->arena, struct placed, n);

	*out = p;
	ETC_NEED(p, err);
	for (uint32_t i = 0; i < n; i++)
		p[i] = (struct placed){ s->lifetimes->groups[i].memory_id, i };
	for (uint32_t i = 1; i < n; i++)
		/* sort only if needed: usually there is one memory, and the groups are sorted
		 * already */
		if (by_memory(&p[i - 1], &p[i]) > 0) {
			qsort(p, n, sizeof *p, by_memory);
			break;
		}
	return ETC_OK;
}

static enum etc_status make_edges(const struct sweep *s, const struct placed *p, uint32_t n,
                                  struct edge **out, uint32_t *count, struct etc_error *err)
{
	struct edge *e = etc_new(s->arena, struct edge, (size_t)n * 2);

	*out = e;
	*count = 0;
	ETC_NEED(e, err);
	for (uint32_t i = 0; i < n; i++) {
		const struct etc_lifetime *g = &s->lifetimes->groups[p[i].group];

		if (g->last < 0)
			continue;
		e[(*count)++] = (struct edge){ g->first > 0 ? g->first : 0, 1, p[i].group };
		if (g->last + 1 < s->lifetimes->steps)
			e[(*count)++] = (struct edge){ g->last + 1, -1, p[i].group };
	}
	qsort(e, *count, sizeof *e, by_step);
	return ETC_OK;
}

static enum etc_status sweep(struct sweep *s, const struct placed *p, uint32_t n,
                             struct etc_memory *out, struct etc_error *err)
{
	struct etc_memory_point now = { 0 }, *points;
	struct etc_cover cover;
	struct edge *edges;
	uint32_t count, made = 0;

	ETC_TRY(make_edges(s, p, n, &edges, &count, err));
	points = etc_new(s->arena, struct etc_memory_point, count);
	ETC_NEED(points && etc_cover_init(&cover, n, s->arena), err);
	for (uint32_t i = 0; i < n; i++) {
		const struct etc_lifetime *g = &s->lifetimes->groups[p[i].group];

		etc_cover_range(&cover, g->offset, g->bytes);
		if (g->offset + g->bytes > out->max_extent)
			out->max_extent = g->offset + g->bytes;
	}
	etc_cover_ready(&cover);
	out->peak_step = -1;
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_lifetime *g = &s->lifetimes->groups[edges[i].group];

		etc_cover_add(&cover, g->offset, g->bytes, edges[i].sign);
		now.live += (uint32_t)edges[i].sign;
		now.bytes += edges[i].sign > 0 ? g->bytes : -g->bytes;
		if (i + 1 < count && edges[i + 1].step == edges[i].step)
			continue;
		now.step = edges[i].step;
		now.covered = etc_cover_bytes(&cover);
		now.extent = etc_cover_end(&cover);
		points[made++] = now;
		out->conflict |= now.covered < now.bytes;
		if (now.bytes > out->peak_bytes) {
			out->peak_bytes = now.bytes;
			out->peak_step = now.step;
		}
	}
	out->points = points;
	out->point_count = made;
	return ETC_OK;
}

/* ---- conflicts --------------------------------------------------------------------- */

static bool share(const struct etc_lifetime *a, const struct etc_lifetime *b)
{
	return a->first <= b->last && b->first <= a->last && a->last >= 0 && b->last >= 0 &&
	       a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* Lists the conflicts of one memory: compares all pairs of its groups (tensors with one storage),
 * up to a limit of work. Call it only for a memory that has conflicts. */
static void find_conflicts(const struct sweep *s, const struct placed *p, uint32_t n,
                           struct etc_memory_conflict *out, struct etc_timeline *timeline,
                           uint32_t *work)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++) {
			const struct etc_lifetime *a = &s->lifetimes->groups[p[i].group];
			const struct etc_lifetime *b = &s->lifetimes->groups[p[k].group];
			int32_t first = a->first > b->first ? a->first : b->first;

			if (++*work > CONFLICT_WORK || timeline->conflict_count == CONFLICTS) {
				timeline->more_conflicts = true;
				return;
			}
			if (!share(a, b))
				continue;
			out[timeline->conflict_count++] = (struct etc_memory_conflict){
				p[i].group, p[k].group, first > 0 ? first : 0,
				a->last < b->last ? a->last : b->last
			};
		}
}

/* ---- all memories ------------------------------------------------------------------- */

static uint32_t count_memories(const struct etc_program_method *m, const struct placed *p,
                               uint32_t n)
{
	uint32_t count = m->memory.count ? m->memory.count - 1 : 0;

	for (uint32_t i = 0; i < n; i++)
		if ((p[i].memory == 0 || p[i].memory >= m->memory.count) &&
		    (i == 0 || p[i].memory != p[i - 1].memory))
			count++;
	return count;
}

enum etc_status etc_timeline_make(const struct etc_program_method *m,
                                  const struct etc_lifetimes *lifetimes, struct etc_arena *arena,
                                  struct etc_timeline *out, struct etc_error *err)
{
	struct sweep s = { .lifetimes = lifetimes, .arena = arena };
	struct etc_memory_conflict *conflicts;
	struct etc_memory *memories;
	uint32_t n = lifetimes->group_count, at = 0, id = 0, count, work = 0;
	struct placed *p;

	*out = (struct etc_timeline){ 0 };
	ETC_TRY(sort_groups(&s, &p, err));
	count = count_memories(m, p, n);
	out->memories = memories = etc_new(arena, struct etc_memory, count);
	out->conflicts = conflicts = etc_new(arena, struct etc_memory_conflict, CONFLICTS);
	ETC_NEED(memories && conflicts, err);
	/* Lists the memories in ascending order of their ids. The method declares the ids from 1
	 * on; groups may have other ids. */
	while (out->memory_count < count) {
		struct etc_memory *memory = &memories[out->memory_count++];
		uint32_t declared = id + 1 < m->memory.count ? id + 1 : UINT32_MAX;
		uint32_t named = at < n ? p[at].memory : UINT32_MAX, from = at;

		memory->id = named < declared ? named : declared;
		memory->declared = memory->id == declared && declared != UINT32_MAX;
		if (memory->declared) {
			int64_t size = etc_i64_at(m->memory, memory->id);

			memory->planned = size > 0 ? (uint64_t)size : 0;
			id = memory->id;
		}
		while (at < n && p[at].memory == memory->id)
			at++;
		ETC_TRY(sweep(&s, p + from, at - from, memory, err));
		if (memory->conflict)
			find_conflicts(&s, p + from, at - from, conflicts, out, &work);
	}
	return ETC_OK;
}

const struct etc_memory_point *etc_memory_at(const struct etc_memory *memory, int32_t step)
{
	size_t after;

	ETC_BISECT(after, memory->point_count, memory->points[after].step > step);
	return after ? &memory->points[after - 1] : NULL;
}

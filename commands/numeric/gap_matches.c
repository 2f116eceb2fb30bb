/* gap_matches.c -- see gap_matches.h */
#include "commands/numeric/gap_matches.h"

/* Counts the runs of each method. */
struct counter {
	struct etc_map methods; /* method -> index in counts */
	uint32_t *counts, kinds;
};

static bool begin_count(struct counter *c, uint32_t runs, struct etc_arena *arena)
{
	*c = (struct counter){ .counts = etc_new(arena, uint32_t, runs) };
	etc_map_init(&c->methods, arena);
	return c->counts != NULL;
}

/* Number of earlier runs of the method; UINT32_MAX if out of memory. */
static uint32_t count_run(struct counter *c, struct etc_str method)
{
	size_t at = etc_map_add(&c->methods, method, c->kinds);

	if (at == ETC_MAP_NONE)
		return UINT32_MAX;
	c->kinds += at == c->kinds;
	return c->counts[at]++;
}

/* "forward\n3": the n-th run of a method. */
static struct etc_str nth(struct etc_arena *arena, struct etc_str method, uint32_t ordinal)
{
	return etc_arena_printf(arena, ETC_STR_FMT "\n%u", ETC_STR_ARG(method), (unsigned)ordinal);
}

static bool index_runs(struct etc_map *index, const struct etc_gap_side *side,
                       struct etc_arena *arena)
{
	struct counter c;

	etc_map_init(index, arena);
	if (!begin_count(&c, side->run_count, arena))
		return false;
	for (uint32_t i = 0; i < side->run_count; i++) {
		struct etc_str method = side->runs[i].method, key = { 0 };
		uint32_t n = count_run(&c, method);

		if (n != UINT32_MAX)
			key = nth(arena, method, n);
		if (!key.ptr || etc_map_add(index, key, i) == ETC_MAP_NONE)
			return false;
	}
	return true;
}

static bool find(const struct etc_map *index, const struct etc_gap_side *reference,
                 struct etc_str method, uint32_t ordinal, struct etc_arena *arena,
                 const struct etc_gap_run **out)
{
	const uint32_t ordinals[] = { ordinal, 0 };
	const struct etc_gap_run *runs = reference->runs;

	*out = NULL;
	for (int k = 0; k < 2 && !*out; k++) {
		struct etc_str key = nth(arena, method, ordinals[k]);
		size_t at = key.ptr ? etc_map_get(index, key) : ETC_MAP_NONE;

		if (!key.ptr)
			return false;
		if (at != ETC_MAP_NONE)
			*out = &runs[at];
	}
	if (!*out && reference->run_count == 1 && (!method.len || !runs[0].method.len))
		*out = runs;
	return true;
}

bool etc_gap_matches_make(struct etc_gap_matches *m, const struct etc_gap_side *run,
                          const struct etc_gap_side *reference, struct etc_arena *arena)
{
	struct etc_map index;
	struct counter c;

	m->reference = etc_new(arena, const struct etc_gap_run *, run->run_count);
	if (!m->reference || !index_runs(&index, reference, arena) ||
	    !begin_count(&c, run->run_count, arena))
		return false;
	for (uint32_t i = 0; i < run->run_count; i++) {
		uint32_t n = count_run(&c, run->runs[i].method);

		if (n == UINT32_MAX ||
		    !find(&index, reference, run->runs[i].method, n, arena, &m->reference[i]))
			return false;
	}
	return true;
}

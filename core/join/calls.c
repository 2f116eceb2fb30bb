/* calls.c -- see calls.h */
#include "join/calls.h"

#include "base/map.h"

/* Where an event outside of calls happened. */
struct place {
	uint64_t chain;
	int64_t instruction;
};

/* The number of each event's call, into `of`. */
static enum etc_status number(struct etc_calls *calls, const struct etc_sites *sites, uint32_t *of,
                              struct etc_arena *arena, struct etc_error *err)
{
	uint32_t n = sites->count;
	uint32_t *known = etc_new(arena, uint32_t, n); /* of an instruction event: number + 1 */
	struct place *places = etc_new(arena, struct place, n);
	struct etc_map map;

	if (!known || !places)
		return etc_fail(err, E0904, "%u events", n);
	etc_map_init(&map, arena);
	for (uint32_t i = 0; i < n; i++) {
		const struct etc_event *e = sites->v[i].event;
		uint32_t site = sites->v[i].instruction ? i : sites->v[i].call;
		size_t found;

		places[i] = (struct place){ e->chain, e->instruction_id };
		if (site != ETC_NO_SITE) {
			found = known[site] ? known[site] - 1 : calls->count;
			known[site] = (uint32_t)found + 1;
		} else {
			struct etc_str key = { (const char *)&places[i], sizeof places[i] };

			found = etc_map_add(&map, key, calls->count);
			if (found == ETC_MAP_NONE)
				return etc_fail(err, E0904, "%u events", n);
		}
		if (found == calls->count)
			calls->site[calls->count++] = site;
		of[i] = (uint32_t)found;
	}
	return ETC_OK;
}

enum etc_status etc_calls_find(struct etc_calls *calls, const struct etc_sites *sites,
                               struct etc_arena *arena, struct etc_error *err)
{
	uint32_t n = sites->count, sum = 0;
	uint32_t *of = etc_new(arena, uint32_t, n);

	*calls = (struct etc_calls){ .site = etc_new(arena, uint32_t, n),
		                     .end = etc_new(arena, uint32_t, n),
		                     .at = etc_new(arena, uint32_t, n),
		                     .any_outside = etc_new(arena, bool, n) };
	if (!of || !calls->site || !calls->end || !calls->at || !calls->any_outside)
		return etc_fail(err, E0904, "%u events", n);
	ETC_TRY(number(calls, sites, of, arena, err));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t site = calls->site[of[i]];

		calls->end[of[i]]++;
		if (sites->v[i].delegate && (site == ETC_NO_SITE || !sites->v[site].delegate_call))
			calls->any_outside[of[i]] = true;
	}
	for (uint32_t c = 0; c < calls->count; c++) {
		uint32_t size = calls->end[c];

		calls->end[c] = sum;
		sum += size;
	}
	for (uint32_t i = 0; i < n; i++)
		calls->at[calls->end[of[i]]++] = i;
	return ETC_OK;
}

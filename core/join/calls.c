/* calls.c -- see calls.h */
#include "join/calls.h"

#include "join/instruction_index.h"

static uint32_t instruction_of(const struct etc_sites *sites, uint32_t i)
{
	return sites->v[i].instruction ? i : sites->v[i].call;
}

/* Writes 1 + the number of each event's call into `of`; 0: it is passed to no plugin. An
 * instruction event gets its number with the first event of its call. */
static enum etc_status number(struct etc_calls *calls, const struct etc_sites *sites,
                              bool delegates, uint32_t *of, struct etc_arena *arena,
                              struct etc_error *err)
{
	uint32_t n = sites->count, outsiders = 0, *outside;
	struct etc_spots spots;

	for (uint32_t i = 0; i < n; i++)
		outsiders += !sites->v[i].expanded && instruction_of(sites, i) == ETC_NO_SITE;
	outside = etc_new(arena, uint32_t, outsiders);
	ETC_NEED(outside, err);
	etc_spots_init(&spots, sites->events, outsiders, arena);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t site = instruction_of(sites, i), spot, *call;

		if (sites->v[i].expanded)
			continue;
		if (delegates && (site == ETC_NO_SITE || !sites->v[site].delegate_call))
			continue;
		if (site == ETC_NO_SITE) {
			spot = etc_spots_number(&spots, etc_site_event(sites, &sites->v[i]));
			if (spot == ETC_NO_SPOT)
				return etc_no_memory(err);
			call = &outside[spot];
		} else {
			call = &of[site];
		}
		if (!*call) {
			calls->site[calls->count++] = site;
			*call = calls->count;
		}
		of[i] = *call;
	}
	return ETC_OK;
}

enum etc_status etc_calls_find(struct etc_calls *calls, const struct etc_sites *sites,
                               bool delegates, struct etc_arena *arena, struct etc_error *err)
{
	uint32_t n = sites->count, sum = 0;
	uint32_t *of = etc_new(arena, uint32_t, n);

	*calls = (struct etc_calls){ .site = etc_new(arena, uint32_t, n),
		                     .end = etc_new(arena, uint32_t, n),
		                     .at = etc_new(arena, uint32_t, n),
		                     .any_outside = etc_new(arena, bool, n) };
	ETC_NEED(of && calls->site && calls->end && calls->at && calls->any_outside, err);
	ETC_TRY(number(calls, sites, delegates, of, arena, err));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = of[i] - 1, site;

		if (!of[i])
			continue;
		site = calls->site[c];
		calls->end[c]++;
		if (sites->v[i].delegate && (site == ETC_NO_SITE || !sites->v[site].delegate_call))
			calls->any_outside[c] = true;
	}
	for (uint32_t c = 0; c < calls->count; c++) {
		uint32_t size = calls->end[c];

		calls->end[c] = sum;
		sum += size;
	}
	for (uint32_t i = 0; i < n; i++)
		if (of[i])
			calls->at[calls->end[of[i] - 1]++] = i;
	return ETC_OK;
}

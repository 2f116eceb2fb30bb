/* calls.c -- see calls.h */
#include "join/calls.h"

#include "join/spots.h"

/* The number of each event's call, into `of`. */
static enum etc_status number(struct etc_calls *calls, const struct etc_sites *sites, uint32_t *of,
                              struct etc_arena *arena, struct etc_error *err)
{
	uint32_t n = sites->count;
	/* Number + 1 of the call of an instruction event, and of each spot outside of calls. */
	uint32_t *known = etc_new(arena, uint32_t, n), *outside = NULL;
	struct etc_spots spots;

	if (!known)
		return etc_fail(err, E0904, "%u events", n);
	etc_spots_init(&spots, n, arena);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t site = sites->v[i].instruction ? i : sites->v[i].call, spot;
		uint32_t *call;

		if (site == ETC_NO_SITE) {
			outside = outside ? outside : etc_new(arena, uint32_t, n);
			spot = outside ? etc_spots_number(&spots,
			                                  etc_site_event(sites, &sites->v[i]))
			               : ETC_NO_SPOT;
			if (spot == ETC_NO_SPOT)
				return etc_fail(err, E0904, "%u events", n);
			call = &outside[spot];
		} else {
			call = &known[site];
		}
		if (!*call) {
			calls->site[calls->count++] = site;
			*call = calls->count;
		}
		of[i] = *call - 1;
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

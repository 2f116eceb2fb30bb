/* recording_order.c -- finds the order in which dumps were recorded; see recording_order.h */
#include "commands/compare/recording_order.h"

#include <stdlib.h>

#define MINUTE 60000000000ull

struct recorded {
	/* times in ns on the clock that all dumps are assumed to share. first: start of the dump's
	 * first run; last: end of the dump's last run */
	uint64_t first, last;
	double *place;
};

static double *make_places(struct etc_diff_group *g, struct etc_arena *arena)
{
	double *places = etc_new(arena, double, g->count);

	g->places = places;
	return places;
}

/* ---- start times ---------------------------------------------------------------------- */

static int by_first(const void *a, const void *b)
{
	const struct recorded *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static bool is_one_clock(const struct recorded *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i].first < MINUTE || (i && v[i].first <= v[i - 1].last))
			return false;
	return true;
}

static enum etc_status by_start_times(struct etc_diff_group *groups, uint32_t count,
                                      struct etc_arena *arena, struct etc_error *err)
{
	struct recorded *all;
	uint32_t n = 0, at = 0;

	for (uint32_t g = 0; g < count; g++)
		n += groups[g].count;
	all = etc_new(arena, struct recorded, n);
	ETC_NEED(all, err);
	for (uint32_t g = 0; g < count; g++) {
		double *places = make_places(&groups[g], arena);

		ETC_NEED(places, err);
		for (uint32_t d = 0; d < groups[g].count; d++) {
			const struct etc_profile *p = groups[g].dumps[d];
			bool ns = p->unit == ETC_UNIT_NS;

			all[at++] =
				(struct recorded){ ns ? p->first_ns : 0, p->last_ns, &places[d] };
		}
	}
	qsort(all, n, sizeof *all, by_first);
	for (uint32_t i = 0; i < n; i++)
		*all[i].place = i;
	if (!is_one_clock(all, n))
		for (uint32_t g = 0; g < count; g++)
			groups[g].places = NULL;
	return ETC_OK;
}

/* ---- --order ---------------------------------------------------------------------------- */

static enum etc_status refuse(const char *order, uint32_t count, struct etc_error *err)
{
	return etc_fail(
		err, E0505,
		"--order '%s'; expected a letter for each dump, A to %c, as in ABAB or ABBA, "
		"or none",
		order, (char)('A' + (count < 26 ? count : 26) - 1));
}

static enum etc_status by_letters(const char *order, struct etc_diff_group *groups, uint32_t count,
                                  struct etc_arena *arena, struct etc_error *err)
{
	uint32_t left = 0, *taken = etc_new(arena, uint32_t, count);

	ETC_NEED(taken, err);
	for (uint32_t g = 0; g < count; g++) {
		left += groups[g].count;
		ETC_NEED(make_places(&groups[g], arena), err);
	}
	for (uint32_t i = 0; i < left; i++) {
		char letter = order[i % strlen(order)];
		uint32_t g = (uint32_t)((letter >= 'a' ? letter - 'a' : letter - 'A'));

		if (letter < 'A' || g >= count)
			return refuse(order, count, err);
		if (taken[g] == groups[g].count)
			return etc_fail(err, E0505,
			                "--order '%s': more than the %u dump%s of " ETC_STR_FMT,
			                order, groups[g].count, etc_plural(groups[g].count),
			                ETC_STR_ARG(groups[g].name));
		((double *)groups[g].places)[taken[g]++] = i;
	}
	return strlen(order) > left ? refuse(order, count, err) : ETC_OK;
}

enum etc_status etc_recording_order(const char *order, struct etc_diff_group *groups,
                                    uint32_t count, struct etc_arena *arena, struct etc_error *err)
{
	if (!order)
		return by_start_times(groups, count, arena, err);
	if (strcmp(order, "none") == 0)
		return ETC_OK;
	return *order ? by_letters(order, groups, count, arena, err) : refuse(order, count, err);
}

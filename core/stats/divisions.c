/* divisions.c -- see divisions.h */
#include "stats/divisions.h"

/* Sets `ranks` to the midranks of all values, times two, and `*sum` to the sum of these ranks over
 * A's values. Returns whether there are ties. */
static bool rank(const double *a, size_t m, const double *b, size_t n, uint16_t *ranks,
                 uint32_t *sum)
{
	size_t i = 0, j = 0;
	bool tied = false;

	*sum = 0;
	while (i + j < m + n) {
		double x = j >= n || (i < m && a[i] <= b[j]) ? a[i] : b[j];
		size_t from = i, before = i + j, doubled;

		while (i < m && a[i] == x)
			i++;
		while (j < n && b[j] == x)
			j++;
		doubled = before + i + j + 1;
		for (size_t k = before; k < i + j; k++)
			ranks[k] = (uint16_t)doubled;
		*sum += (uint32_t)((i - from) * doubled);
		tied = tied || i + j > before + 1;
	}
	return tied;
}

/* Sets, for each i, the smallest sum of i ranks, and how many integers are in the range from this
 * sum to the largest sum of i ranks. Returns the total of these numbers, which is the size of the
 * table of ways. */
static size_t reach(struct etc_division_half *h, const uint16_t *ranks, uint32_t count,
                    uint32_t most)
{
	uint32_t least = 0, largest = 0;
	size_t sums = 0;

	h->count = count;
	h->most = most < count ? most : count;
	for (uint32_t i = 0; i <= h->most; i++) {
		h->least[i] = least;
		h->range[i] = largest - least + 1;
		sums += h->range[i];
		least += i < count ? ranks[i] : 0;
		largest += i < count ? ranks[count - 1 - i] : 0;
	}
	return sums;
}

/* Sets h->ways by dynamic programming over the ranks: a choice of i ranks whose last rank is r
 * consists of r and of i - 1 of the ranks before r. Returns the part of `room` that is not used. */
static double *count_ways(struct etc_division_half *h, const uint16_t *ranks, double *room)
{
	for (uint32_t i = 0; i <= h->most; i++) {
		h->ways[i] = room;
		memset(room, 0, h->range[i] * sizeof *room);
		room += h->range[i];
	}
	h->ways[0][0] = 1;
	for (uint32_t v = 0; v < h->count; v++) {
		uint32_t largest = 0; /* sum of the i - 1 largest ranks before rank v */

		for (uint32_t i = 1; i < v + 1 && i < h->most; i++)
			largest += ranks[v - i];
		for (uint32_t i = v + 1 < h->most ? v + 1 : h->most; i > 0; i--) {
			const double *restrict from = h->ways[i - 1];
			double *restrict to = h->ways[i] + (ranks[v] - ranks[i - 1]);
			uint32_t range = largest - h->least[i - 1] + 1;

			for (uint32_t s = 0; s < range; s++)
				to[s] += from[s];
			largest -= i > 1 ? ranks[v - (i - 1)] : 0;
		}
	}
	return room;
}

/* Returns the number of divisions in which the sum of A's ranks is at most `sum`. */
static double count_to(const struct etc_division_table *t, uint32_t sum)
{
	const struct etc_division_half *low = &t->low, *high = &t->high;
	double all = 0;

	for (uint32_t i = t->m > high->count ? t->m - high->count : 0; i <= low->most; i++) {
		uint32_t j = t->m - i, least = low->least[i] + high->least[j];
		const double *of_low = low->ways[i], *of_high = high->ways[j];
		uint32_t last = high->range[j] - 1, spare = sum - least;

		if (sum < least)
			continue;
		for (uint32_t s = 0; s < low->range[i] && s <= spare; s++)
			all += of_low[s] * of_high[spare - s < last ? spare - s : last];
	}
	return all;
}

static enum etc_status learn(struct etc_division_table *t, const uint16_t *ranks, uint32_t m,
                             uint32_t total, struct etc_arena *arena, struct etc_error *err)
{
	uint32_t half = total / 2;
	size_t size =
		reach(&t->low, ranks, half, m) + reach(&t->high, ranks + half, total - half, m);
	double *rest;

	if (size > t->size) {
		t->size = 2 * size;
		t->room = etc_new(arena, double, t->size);
		ETC_NEED(t->room, err);
	}
	t->m = m;
	t->total = total;
	memcpy(t->ranks, ranks, total * sizeof *ranks);
	memset(t->p, 0, (total * (total + 1) + 1) * sizeof *t->p);
	rest = count_ways(&t->low, ranks, t->room);
	count_ways(&t->high, ranks + half, rest);
	for (uint32_t j = 0; j <= t->high.most; j++)
		for (uint32_t s = 1; s < t->high.range[j]; s++)
			t->high.ways[j][s] += t->high.ways[j][s - 1];
	t->all = count_to(t, UINT32_MAX);
	return ETC_OK;
}

enum etc_status etc_divisions_p(struct etc_divisions *d, const double *a, size_t m, const double *b,
                                size_t n, double *p, struct etc_error *err)
{
	uint16_t ranks[ETC_DIVISIONS];
	uint32_t sum;
	bool tied = rank(a, m, b, n, ranks, &sum);
	struct etc_division_table *t = tied ? &d->tied : &d->untied;

	if (t->m != m || t->total != m + n || memcmp(t->ranks, ranks, (m + n) * sizeof *ranks) != 0)
		ETC_TRY(learn(t, ranks, (uint32_t)m, (uint32_t)(m + n), d->arena, err));
	if (t->p[sum] == 0) {
		double lower = count_to(t, sum), upper = t->all - count_to(t, sum - 1);

		t->p[sum] = 2 * (lower < upper ? lower : upper) / t->all;
	}
	*p = t->p[sum];
	return ETC_OK;
}

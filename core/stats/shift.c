/* shift.c -- see shift.h
 *
 * Selection narrows an interval (low, high] of numbers that holds the answer. Each
 * step counts the differences up to a number between its ends: two pointers walk
 * the sorted samples. The number is guessed by interpolating the counts, every
 * third time by halving; when few differences are left they are listed. */
#include "stats/shift.h"

#include "stats/rank.h"

#include <math.h>

/* How many b[j] - a[i] are <= x; the largest of those and the least above. */
struct counted {
	double count, below, above;
};

static struct counted count_to(const double *a, size_t m, const double *b, size_t n, double x)
{
	struct counted c = { 0, -HUGE_VAL, HUGE_VAL };
	size_t j = 0;

	for (size_t i = 0; i < m; i++) {
		while (j < n && b[j] - a[i] <= x)
			j++;
		c.count += (double)j;
		if (j > 0 && b[j - 1] - a[i] > c.below)
			c.below = b[j - 1] - a[i];
		if (j < n && b[j] - a[i] < c.above)
			c.above = b[j] - a[i];
	}
	return c;
}

double etc_difference_select(const double *a, size_t m, const double *b, size_t n, double k)
{
	double low = b[0] - a[m - 1], high = b[n - 1] - a[0]; /* the answer is in [low, high] */
	double low_count = 0, high_count = (double)m * (double)n;

	for (unsigned step = 0; low < high; step++) {
		double part = step % 3 == 2 ? 0.5 : (k - low_count) / (high_count - low_count);
		double x = low + (high - low) * (part < 0.02 ? 0.02 : part > 0.98 ? 0.98 : part);
		struct counted c;

		x = x >= high ? low : x;
		c = count_to(a, m, b, n, x);
		if (c.count >= k) {
			high = c.below;
			high_count = c.count;
		} else {
			low = c.above;
			low_count = c.count;
		}
	}
	return high;
}

enum etc_status etc_hodges_lehmann(const double *a, size_t m, const double *b, size_t n,
                                   double level, struct etc_shift *out, struct etc_arena *scratch,
                                   struct etc_error *err)
{
	double pairs = (double)m * (double)n, half = floor(pairs / 2);

	*out = (struct etc_shift){ 0 };
	if (m == 0 || n == 0) {
		out->why = out->no_interval = ETC_UNDEFINED_EMPTY;
		return ETC_OK;
	}
	out->shift = etc_difference_select(a, m, b, n, half + 1);
	if (2 * half == pairs)
		out->shift = (out->shift + etc_difference_select(a, m, b, n, half)) / 2;
	ETC_TRY(etc_u_rank(m, n, 1 - level, &out->k, scratch, err));
	if (out->k < 1) {
		out->no_interval = ETC_UNDEFINED_FEW;
		return ETC_OK;
	}
	out->low = etc_difference_select(a, m, b, n, out->k);
	out->high = etc_difference_select(a, m, b, n, pairs + 1 - out->k);
	return ETC_OK;
}

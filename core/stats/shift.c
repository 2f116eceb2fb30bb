/* shift.c -- see shift.h
 *
 * Finds the difference b - a with a given rank. A range of numbers that contains it is narrowed
 * step by step. Each step chooses a number in the range (by interpolation, in every third step the
 * middle of the range), and counts the differences up to this number, by walking two pointers over
 * the sorted samples. When few differences are left in the range, they are listed and sorted. */
#include "stats/shift.h"

#include "stats/select.h"
#include "stats/sort.h"

#include <math.h>
#include <stdbool.h>

/* largest number of differences that are listed and sorted at the end of the search */
enum { LISTED = 4096 };

/* Two sorted samples. */
struct both {
	const double *a, *b;
	size_t m, n;
};

/* State of a search for two differences, in ascending order: the k-th and the last-th, k <= last <=
 * k + 1. Both are in [low, high]. `before` differences are less than `low`; `upto` differences are
 * at most `high`. */
struct range {
	double k, last;
	double low, high, before, upto;
};

/* Returns the number of differences b[j] - a[i] that are at most `x`. In the matrix of the
 * differences, rows (i) and columns (j) are sorted, so a walk along the limit `x` suffices. */
static double count_to(const struct both *s, double x)
{
	size_t j = 0;
	double count = 0;

	for (size_t i = 0; i < s->m; i++) {
		while (j < s->n && s->b[j] - s->a[i] <= x)
			j++;
		count += (double)j;
	}
	return count;
}

/* Sets `*below` to the largest difference <= x, and `*above` to the smallest difference > x. */
static void neighbours(const struct both *s, double x, double *below, double *above)
{
	size_t j = 0;

	*below = -HUGE_VAL;
	*above = HUGE_VAL;
	for (size_t i = 0; i < s->m; i++) {
		while (j < s->n && s->b[j] - s->a[i] <= x)
			j++;
		if (j > 0 && s->b[j - 1] - s->a[i] > *below)
			*below = s->b[j - 1] - s->a[i];
		if (j < s->n && s->b[j] - s->a[i] < *above)
			*above = s->b[j] - s->a[i];
	}
}

/* One step of the search for the differences with the ranks r->k to r->last: counts the differences
 * that are at most `x` (low <= x < high), and by this count replaces `low` or `high`. With `snap`,
 * the new bound is an existing difference next to `x`: the search might otherwise halve a range
 * again and again in which there is no difference. */
static void narrow(const struct both *s, double x, bool snap, struct range *r)
{
	double count = count_to(s, x), below = x, above = nextafter(x, HUGE_VAL);

	if (snap || count == r->k)
		neighbours(s, x, &below, &above);
	if (count >= r->last) {
		r->high = below;
		r->upto = count;
	} else if (count < r->k) {
		r->low = above;
		r->before = count;
	} else { /* at least r->k differences are at most x, but fewer than r->last */
		r->low = below;
		r->high = above;
		r->before = r->k - 1;
		/* `upto` and `before` are equal: no differences are left to search. The two results
		 * are `low` and `high` */
		r->upto = r->before;
	}
}

static bool found(const struct range *r)
{
	return r->low == r->high || r->upto <= r->before;
}

/* Finds the k-th and the last-th of all differences b - a, by listing the differences that are in
 * the range. These must be few. */
static void list(const struct both *s, struct range *r)
{
	uint64_t all[LISTED];
	size_t from = 0, count = 0, at = (size_t)(r->k - r->before) - 1;

	for (size_t i = 0; i < s->m; i++) {
		while (from < s->n && s->b[from] - s->a[i] < r->low)
			from++;
		for (size_t j = from; j < s->n && s->b[j] - s->a[i] <= r->high; j++)
			all[count++] = etc_sort_key(s->b[j] - s->a[i]);
	}
	r->low = r->high = etc_sort_number(etc_select(all, count, at, NULL));
	if (r->last > r->k)
		r->high = etc_sort_number(etc_select(all, count, at + 1, NULL));
}

/* Narrows the range until it contains only the differences with the ranks r->k and r->last. */
static void search(const struct both *s, struct range *r)
{
	/* A step takes a time in proportion to m + n. Listing the differences does not take longer
	 * if at most `most` are left. */
	double most = fmin(LISTED, 2 * (double)(s->m + s->n));

	for (unsigned step = 0; !found(r) && r->upto - r->before > most; step++) {
		double left = r->upto - r->before, part = (r->k - r->before) / left, x;

		/* Choose a pivot near the interpolated position, alternately below and above it, so
		 * that both ends of the range move. */
		part += (step % 3 ? 4 : -4) / sqrt(left);
		part = step % 3 == 2 ? 0.5 : fmin(fmax(part, 0.01), 0.99);
		x = r->low + (r->high - r->low) * part;
		narrow(s, x < r->high ? x : r->low, step % 3 == 2, r);
	}
	if (!found(r))
		list(s, r);
}

/* Returns the k-th smallest of all differences; the smallest has k = 1. If `next` is not NULL, k
 * must be below m * n, and `*next` is set to the (k + 1)-th smallest. */
static double kth(const struct both *s, double k, double *next)
{
	struct range r = { .k = k,
		           .last = next ? k + 1 : k,
		           .low = s->b[0] - s->a[s->m - 1],
		           .high = s->b[s->n - 1] - s->a[0],
		           .upto = (double)s->m * (double)s->n };

	search(s, &r);
	if (next)
		*next = r.high;
	return r.low;
}

struct etc_shift etc_hodges_lehmann(const double *a, size_t m, const double *b, size_t n, double k)
{
	double pairs = (double)m * (double)n, half = floor(pairs / 2), next;
	struct etc_shift out = { .no_interval = ETC_UNDEFINED_FEW };
	const struct both s = { a, b, m, n };

	if (m == 0 || n == 0) {
		out.why = out.no_interval = ETC_UNDEFINED_EMPTY;
		return out;
	}
	if (2 * half == pairs) {
		out.shift = kth(&s, half, &next);
		out.shift = (out.shift + next) / 2;
	} else {
		out.shift = kth(&s, half + 1, NULL);
	}
	if (k < 1)
		return out;
	out.no_interval = ETC_DEFINED;
	out.low = kth(&s, k, NULL);
	out.high = kth(&s, pairs + 1 - k, NULL);
	return out;
}

/* shift.c -- see shift.h
 *
 * Selection narrows an interval of numbers that contains the answer. Each step counts the
 * differences up to a number inside of the interval by walking two pointers over the
 * sorted samples. For large samples the first interval is computed from every s-th value.
 * The number is chosen by interpolating the counts, every third time by halving. When few
 * differences are left, they are listed and sorted. */
#include "stats/shift.h"

#include "base/bisect.h"
#include "stats/select.h"
#include "stats/sort.h"

#include <math.h>
#include <stdbool.h>

enum {
	PARTS = 4,     /* number of walks that run interleaved */
	LISTED = 4096, /* limit of differences in the final list, which is sorted */
	FEW = 200,     /* number of pairs up to which all differences are listed at once */
	LARGE = 2048,  /* sample size from which a thinned sample is used first */
	THIN = 512,    /* size of a thinned sample */
};

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

/* One part of a walk through the matrix of differences b[j] - a[i], which has the rows i of some of
 * A's values. The walk is at row i and column j: the differences of row i in columns before j are
 * at most x. `steps` is the number of steps of this part. `count` is the number of differences up
 * to x in rows that are complete. */
struct walk {
	size_t i, j, steps, count;
};

/* Returns the number of values b[j] with b[j] - a[i] <= x. */
static size_t column_of(const struct both *s, size_t i, double x)
{
	size_t j;

	ETC_BISECT(j, s->n, !(s->b[j] - s->a[i] <= x));
	return j;
}

static inline void walk_on(const struct both *s, double x, struct walk *w)
{
	size_t j = w->j < s->n ? w->j : s->n - 1;
	size_t right = (size_t)(s->b[j] - s->a[w->i] <= x) & (size_t)(w->j < s->n);

	w->count += w->j & (right - 1);
	w->j += right;
	w->i += 1 - right;
}

/* Makes `steps` steps of all walks. They are copied to local variables, which the compiler can keep
 * in registers. */
static void walk_together(const struct both *s, double x, size_t steps, struct walk *w)
{
	struct walk first = w[0], second = w[1], third = w[2], fourth = w[3];

	for (size_t k = 0; k < steps; k++) {
		walk_on(s, x, &first);
		walk_on(s, x, &second);
		walk_on(s, x, &third);
		walk_on(s, x, &fourth);
	}
	w[0] = first;
	w[1] = second;
	w[2] = third;
	w[3] = fourth;
}

/* Returns the number of differences b[j] - a[i] that are at most `x`. In the matrix of the
 * differences, rows (i) and columns (j) are sorted, so a walk along the limit `x` suffices: each
 * step goes right, past one more difference of the row that is at most `x`, or down to the next
 * row. The direction is hard to predict, so steps are branch-free, and PARTS walks run
 * interleaved. */
static double count_to(const struct both *s, double x)
{
	struct walk w[PARTS];
	size_t together = SIZE_MAX, count = 0;

	for (size_t p = 0; p < PARTS; p++) {
		size_t i = s->m * p / PARTS, end = s->m * (p + 1) / PARTS;

		w[p] = (struct walk){ .i = i };
		if (end > i) {
			w[p].j = column_of(s, i, x);
			w[p].steps = end - i + column_of(s, end - 1, x) - w[p].j;
		}
		together = w[p].steps < together ? w[p].steps : together;
	}
	walk_together(s, x, together, w);
	for (size_t p = 0; p < PARTS; p++) {
		for (size_t k = together; k < w[p].steps; k++)
			walk_on(s, x, &w[p]);
		count += w[p].count;
	}
	return (double)count;
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

/* One step of the search for the k-th and the last-th difference: counts the differences that are
 * at most `x` (low <= x < high), and by this count replaces `low` or `high`. With `snap`, the new
 * end is a difference that exists, so that the search does not continue between equal
 * differences. */
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
	} else { /* the k-th difference is at most x, and the last-th is above it */
		r->low = below;
		r->high = above;
		r->before = r->k - 1;
		r->upto = r->before; /* equal to `before`: no differences are left, the two searched
		                      * ones are `low` and `high` */
	}
}

static bool found(const struct range *r)
{
	return r->low == r->high || r->upto <= r->before;
}

/* Lists the differences in the range, which are few, sorts them and takes the k-th and the
 * last-th. */
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

/* Narrows the range until it contains only the k-th and the last-th difference. */
static void search(const struct both *s, struct range *r)
{
	/* A step takes a time in proportion to m + n, and so does listing the differences if at
	 * most that many are left. */
	double most = fmin(LISTED, 2 * (double)(s->m + s->n));

	for (unsigned step = 0; !found(r) && r->upto - r->before > most; step++) {
		double left = r->upto - r->before, part = (r->k - r->before) / left, x;

		/* Choose a pivot near the interpolated position, alternately below and above it, so
		 * that both ends move. */
		part += (step % 3 ? 4 : -4) / sqrt(left);
		part = step % 3 == 2 ? 0.5 : fmin(fmax(part, 0.01), 0.99);
		x = r->low + (r->high - r->low) * part;
		narrow(s, x < r->high ? x : r->low, step % 3 == 2, r);
	}
	if (!found(r))
		list(s, r);
}

/* Copies about every s-th value to `out`, beginning in the middle of the first s values. Returns
 * their number. */
static size_t thin(const double *v, size_t n, double *out)
{
	size_t step = n > THIN ? n / THIN : 1, count = 0;

	for (size_t i = step / 2; i < n && count < THIN; i += step)
		out[count++] = v[i];
	return count;
}

/* Narrows the range for large samples with the help of thinned samples. */
static void guess(const struct both *s, struct range *r)
{
	double a[THIN], b[THIN], pairs = (double)s->m * (double)s->n, all;
	struct both few = { a, b, thin(s->a, s->m, a), thin(s->b, s->n, b) };

	all = (double)few.m * (double)few.n;
	for (int side = -1; side <= 1; side += 2) {
		double at = ceil(r->k / pairs * all + side * all / 1000), x;

		if (at < 1 || at > all)
			continue;
		x = etc_difference_select(a, few.m, b, few.n, at, NULL);
		if (!found(r) && x >= r->low && x < r->high)
			narrow(s, x, false, r);
	}
}

double etc_difference_select(const double *a, size_t m, const double *b, size_t n, double k,
                             double *next)
{
	struct both s = { a, b, m, n };
	struct range r = { .k = k,
		           .last = next ? k + 1 : k,
		           .low = b[0] - a[m - 1],
		           .high = b[n - 1] - a[0],
		           .upto = (double)m * (double)n };

	if (m + n >= LARGE)
		guess(&s, &r);
	search(&s, &r);
	if (next)
		*next = r.high;
	return r.low;
}

/* The keys (sort.h) of all differences, if the samples are small. For larger samples `count` is
 * 0. */
struct few {
	uint64_t keys[FEW];
	size_t count;
};

static void list_all(const double *a, size_t m, const double *b, size_t n, struct few *f)
{
	f->count = 0;
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			f->keys[f->count++] = etc_sort_key(b[j] - a[i]);
}

/* Returns the k-th smallest difference, from 1. If `next` is not NULL, sets it to the difference
 * after that. Uses the list `f` if the samples are small. */
static double kth(const struct both *s, struct few *f, double k, double *next)
{
	double found;

	if (f->count == 0)
		return etc_difference_select(s->a, s->m, s->b, s->n, k, next);
	found = etc_sort_number(etc_select(f->keys, f->count, (size_t)k - 1, NULL));
	if (next)
		*next = etc_sort_number(etc_select(f->keys, f->count, (size_t)k, NULL));
	return found;
}

struct etc_shift etc_hodges_lehmann(const double *a, size_t m, const double *b, size_t n, double k)
{
	double pairs = (double)m * (double)n, half = floor(pairs / 2), next;
	struct etc_shift out = { .no_interval = ETC_UNDEFINED_FEW };
	struct both s = { a, b, m, n };
	struct few few;

	if (m == 0 || n == 0) {
		out.why = out.no_interval = ETC_UNDEFINED_EMPTY;
		return out;
	}
	few.count = 0;
	if (pairs <= FEW)
		list_all(a, m, b, n, &few);
	if (2 * half == pairs) {
		out.shift = kth(&s, &few, half, &next);
		out.shift = (out.shift + next) / 2;
	} else {
		out.shift = kth(&s, &few, half + 1, NULL);
	}
	if (k < 1)
		return out;
	out.no_interval = ETC_DEFINED;
	out.low = kth(&s, &few, k, NULL);
	out.high = kth(&s, &few, pairs + 1 - k, NULL);
	return out;
}

/* shift.c -- see shift.h
 *
 * Selection narrows an interval of numbers that holds the answer. Each step counts
 * the differences up to a number inside of it: two pointers walk the sorted
 * samples. The first interval comes from every s-th value of large samples; the
 * number is then guessed by interpolating the counts, every third time by
 * halving; when few differences are left they are listed and sorted. */
#include "stats/shift.h"

#include "stats/rank.h"
#include "stats/sort.h"

#include <math.h>

enum {
	LISTED = 4096, /* at most: differences that are sorted at the end */
	LARGE = 2048,  /* values from which on samples are thinned first */
	THIN = 256,    /* values left of each */
};

/* Two sorted samples. */
struct both {
	const double *a, *b;
	size_t m, n;
};

/* The k-th and the last-th difference (k <= last <= k + 1) lie in [low, high]; `before`
 * lie below low, `upto` at or below high. */
struct range {
	double k, last;
	double low, high, before, upto;
};

static double count_to(const struct both *s, double x)
{
	size_t j = 0, n = s->n, count = 0;

	for (size_t i = 0; i < s->m; i++) {
		while (j < n && s->b[j] - s->a[i] <= x)
			j++;
		count += j;
	}
	return (double)count;
}

/* The largest difference up to x, and the least above it. */
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

/* Moves the ends of the range by what lies up to `x`, low <= x < high. `snap`: to
 * differences that exist, so that equal ones are not searched between. */
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
	} else { /* the k-th below, the last-th above */
		r->low = below;
		r->high = above;
		r->before = r->k - 1;
		r->upto = r->before; /* found */
	}
}

static bool found(const struct range *r)
{
	return r->low == r->high || r->upto <= r->before;
}

/* The range holds few differences: sorted, they tell. */
static void list(const struct both *s, struct range *r)
{
	double all[LISTED], other[LISTED];
	size_t from = 0, count = 0, at = (size_t)(r->k - r->before) - 1;

	for (size_t i = 0; i < s->m; i++) {
		while (from < s->n && s->b[from] - s->a[i] < r->low)
			from++;
		for (size_t j = from; j < s->n && s->b[j] - s->a[i] <= r->high; j++)
			all[count++] = s->b[j] - s->a[i];
	}
	etc_sort(all, count, other);
	r->low = all[at];
	r->high = all[at + (size_t)(r->last - r->k)];
}

/* Narrows the range to the k-th and the last-th. */
static void search(const struct both *s, struct range *r)
{
	/* A step costs m + n; so may the list. */
	double most = fmin(LISTED, 2 * (double)(s->m + s->n));

	for (unsigned step = 0; !found(r) && r->upto - r->before > most; step++) {
		double left = r->upto - r->before, part = (r->k - r->before) / left, x;

		/* A little beside the guess, by turns, so that both ends move. */
		part += (step % 3 ? 4 : -4) / sqrt(left);
		part = step % 3 == 2 ? 0.5 : fmin(fmax(part, 0.01), 0.99);
		x = r->low + (r->high - r->low) * part;
		narrow(s, x < r->high ? x : r->low, step % 3 == 2, r);
	}
	if (!found(r))
		list(s, r);
}

/* Every s-th value, from the middle of the first s. */
static size_t thin(const double *v, size_t n, double *out)
{
	size_t step = n > THIN ? n / THIN : 1, count = 0;

	for (size_t i = step / 2; i < n && count < THIN; i += step)
		out[count++] = v[i];
	return count;
}

/* Narrows the range of large samples by what their thinned ones say. */
static void guess(const struct both *s, struct range *r)
{
	double a[THIN], b[THIN], pairs = (double)s->m * (double)s->n, all;
	struct both few = { a, b, thin(s->a, s->m, a), thin(s->b, s->n, b) };

	all = (double)few.m * (double)few.n;
	for (int side = -1; side <= 1; side += 2) {
		double at = ceil(r->k / pairs * all + side * all / 200), x;

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
	if (2 * half == pairs) {
		double next, low = etc_difference_select(a, m, b, n, half, &next);

		out->shift = low + (next - low) / 2;
	} else {
		out->shift = etc_difference_select(a, m, b, n, half + 1, NULL);
	}
	ETC_TRY(etc_u_rank(m, n, 1 - level, &out->k, scratch, err));
	if (out->k < 1) {
		out->no_interval = ETC_UNDEFINED_FEW;
		return ETC_OK;
	}
	out->low = etc_difference_select(a, m, b, n, out->k, NULL);
	out->high = etc_difference_select(a, m, b, n, pairs + 1 - out->k, NULL);
	return ETC_OK;
}

/* numpy.c -- see numpy.h
 *
 * Compiled without fused multiply-add (-ffp-contract=off), so that the last bits are those of
 * numpy. */
#include "inspector/numpy.h"

#include "stats/select.h"
#include "stats/sort.h"

enum { NUMPY_BLOCK = 128, NUMPY_BUFFER = 8192 };

/* Returns numpy's pairwise sum (loops_utils.h.src). Fewer than 8 numbers are added one by one to
 * -0.0. Up to 128 numbers are added in eight accumulators. More numbers are divided into two
 * halves, whose sums are added. */
static double pairwise(const double *v, size_t n)
{
	size_t i, half;
	double sum, r[8];

	if (n < 8) {
		sum = -0.0;
		for (i = 0; i < n; i++)
			sum += v[i];
		return sum;
	}
	if (n > NUMPY_BLOCK) {
		half = n / 2;
		half -= half % 8;
		return pairwise(v, half) + pairwise(v + half, n - half);
	}
	for (int k = 0; k < 8; k++)
		r[k] = v[k];
	for (i = 8; i + 8 <= n; i += 8)
		for (int k = 0; k < 8; k++)
			r[k] += v[i + (size_t)k];
	sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
	for (; i < n; i++)
		sum += v[i];
	return sum;
}

double etc_insp_sum(const double *v, size_t n)
{
	return 0.0 + pairwise(v, n);
}

double etc_insp_mean(const double *v, size_t n)
{
	return etc_insp_sum(v, n) / (double)n;
}

double etc_insp_mean_of_integers(const double *v, size_t n)
{
	double sum = 0;

	for (size_t at = 0; at < n; at += NUMPY_BUFFER)
		sum += pairwise(v + at, n - at < NUMPY_BUFFER ? n - at : NUMPY_BUFFER);
	return sum / (double)n;
}

/* Returns the quantile `q` of the `n` numbers in `keys`. Sorts `keys` only as far as needed: the
 * keys before index `*from` are already sorted (all are if `*from` is n), and `*from` is set to the
 * index before which they are sorted afterwards. */
static double percentile(uint64_t *keys, size_t n, double q, size_t *from)
{
	double at = (double)(n - 1) * q, part, a, b;
	size_t low = (size_t)at, end = n;
	uint64_t next;

	if (*from < n) {
		end = etc_select_from(keys, *from, n, low);
		*from = end == n ? n : low;
	}
	a = etc_sort_number(keys[low]);
	if (low + 1 == n)
		return a;
	part = at - (double)low;
	next = keys[low + 1];
	for (size_t i = end == low + 1 ? low + 2 : n; i < n; i++)
		next = keys[i] < next ? keys[i] : next;
	b = etc_sort_number(next);
	return part >= 0.5 ? b - (b - a) * (1 - part) : a + (b - a) * part;
}

void etc_insp_percentiles(const double *v, size_t n, uint64_t *keys, double out[3])
{
	static const double q[] = { 10 / 100.0, 50 / 100.0, 90 / 100.0 };
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i] != v[i]) { /* if one number is NaN, all results are NaN */
			out[0] = out[1] = out[2] = v[i];
			return;
		}
		keys[i] = etc_order_key(v[i]);
	}
	for (int i = 0; i < 3; i++)
		out[i] = percentile(keys, n, q[i], &from);
}

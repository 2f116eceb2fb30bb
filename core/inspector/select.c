/* select.c -- see select.h. Quickselect with the median of three; below 16
 * elements insertion sort. Compiled without contraction (-ffp-contract=off):
 * the last bit is part of the answer. */
#include "inspector/select.h"

#include <stdbool.h>

enum { SMALL = 16, NUMPY_BLOCK = 128, NUMPY_BUFFER = 8192 };

static double median_of_three(double a, double b, double c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

/* Moves what is smaller than the pivot (or, `equal`, not larger) to the front of
 * v[lo, hi), and tells where it ends. No branch depends on the numbers. */
static size_t partition(double *v, size_t lo, size_t hi, double pivot, bool equal)
{
	size_t end = lo;

	for (size_t i = lo; i < hi; i++) {
		double x = v[i];

		v[i] = v[end];
		v[end] = x;
		end += equal ? x <= pivot : x < pivot;
	}
	return end;
}

void etc_insp_select(double *v, size_t from, size_t n, size_t k)
{
	size_t lo = from, hi = n;

	while (hi - lo > SMALL) {
		double pivot = median_of_three(v[lo], v[lo + (hi - lo) / 2], v[hi - 1]);
		size_t end = partition(v, lo, hi, pivot, false);

		if (k < end) {
			hi = end;
			continue;
		}
		/* v[lo..end) < pivot <= v[end..hi), and the pivot is there */
		lo = partition(v, end, hi, pivot, true);
		if (k < lo)
			return;
	}
	for (size_t i = lo + 1; i < hi; i++) {
		double x = v[i];
		size_t j = i;

		for (; j > lo && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* loops_utils.h.src of numpy: below 8 one by one from -0.0, up to 128 with eight
 * accumulators, above in two halves. */
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

double etc_insp_mean(const double *v, size_t n)
{
	return (0.0 + pairwise(v, n)) / (double)n;
}

double etc_insp_mean_of_integers(const double *v, size_t n)
{
	double sum = 0;

	for (size_t at = 0; at < n; at += NUMPY_BUFFER)
		sum += pairwise(v + at, n - at < NUMPY_BUFFER ? n - at : NUMPY_BUFFER);
	return sum / (double)n;
}

double etc_insp_percentile(double *v, size_t n, double q, size_t *sorted_to)
{
	double at = (double)(n - 1) * q, a, b, part;
	size_t low;

	for (size_t i = *sorted_to; i < n; i++)
		if (v[i] != v[i])
			return v[i]; /* one nan makes all quantiles nan */
	if (at >= (double)(n - 1)) {
		etc_insp_select(v, *sorted_to, n, n - 1);
		return v[n - 1];
	}
	low = (size_t)at;
	part = at - (double)low;
	etc_insp_select(v, *sorted_to, n, low);
	*sorted_to = low;
	a = v[low];
	b = v[low + 1];
	for (size_t i = low + 2; i < n; i++)
		b = v[i] < b ? v[i] : b;
	return part >= 0.5 ? b - (b - a) * (1 - part) : a + (b - a) * part;
}

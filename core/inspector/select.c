/* select.c -- see select.h. Quickselect; few elements are sorted. The pivot comes
 * from a sample, close to where the number is looked for. A draw that was bad is followed by
 * a pivot half way between the least and the greatest, counted in the doubles there are
 * between them: at most 64 of these leave one number, so time is linear in any order of any
 * numbers.
 * Compiled without contraction (-ffp-contract=off): the last bit is part of the answer. */
#include "inspector/select.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SMALL = 16, SAMPLE = 64, MANY = 4096, NUMPY_BLOCK = 128, NUMPY_BUFFER = 8192 };

/* Doubles in the order of their numbers, as integers in the same order, and back. */
static uint64_t ordinal(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double number_at(uint64_t ordinal)
{
	uint64_t bits = ordinal >> 63 ? ordinal ^ (uint64_t)1 << 63 : ~ordinal;
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Above the least of v[lo, hi), unless all are equal, and not above the greatest. */
static double halfway(const double *v, size_t lo, size_t hi)
{
	double least = v[lo], most = v[lo];
	uint64_t from, to;

	for (size_t i = lo + 1; i < hi; i++) {
		least = v[i] < least ? v[i] : least;
		most = v[i] > most ? v[i] : most;
	}
	if (least == most)
		return least;
	from = ordinal(least);
	to = ordinal(most);
	return number_at(to - (to - from) / 2);
}

/* Sorts few numbers, each carried past all before it. No branch depends on them. */
static void sort_few(double *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double x = v[i];

		for (size_t j = 0; j < i; j++) {
			double y = v[j];

			v[j] = x < y ? x : y;
			x = x < y ? y : x;
		}
		v[i] = x;
	}
}

/* About the k-th of v[lo, hi), from a sample with one of each of equal parts, at a place
 * that moves on: runs that rise, fall or turn have nothing in common with it. A little
 * to the side of the middle, so that the larger part is the one without the k-th. */
static double drawn(const double *v, size_t lo, size_t hi, size_t k, uint64_t *draw)
{
	double sample[SAMPLE] = { 0 };
	size_t n = hi - lo, count = n < MANY ? SAMPLE / 4 : SAMPLE, part = n / count;
	size_t at = (k - lo) * count / n;

	*draw = *draw * 6364136223846793005u + 1442695040888963407u;
	for (size_t i = 0; i < count; i++)
		sample[i] = v[lo + i * part + (size_t)(*draw >> 33) % part];
	sort_few(sample, count);
	if (at < count / 2)
		at += count / 16 + 1;
	else
		at -= count / 16;
	return sample[at];
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

size_t etc_insp_select(double *v, size_t from, size_t n, size_t k)
{
	size_t lo = from, hi = n, before = 0;
	uint64_t draw = 1;

	while (hi - lo > SMALL) {
		bool bad = before && hi - lo > before - before / 8;
		double pivot = bad ? halfway(v, lo, hi) : drawn(v, lo, hi, k, &draw);
		size_t end = partition(v, lo, hi, pivot, false);

		before = hi - lo;
		if (k < end) {
			hi = end;
			continue;
		}
		/* v[lo..end) < pivot <= v[end..hi) */
		if (end == lo) {
			end = partition(v, lo, hi, pivot, true);
			if (k < end)
				return end;
		}
		lo = end;
	}
	sort_few(v + lo, hi - lo);
	return hi;
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
	size_t low, end = n;

	/* One nan makes all quantiles nan; what an earlier one has ordered has none. */
	for (size_t i = 0; i < n && *sorted_to == 0; i++)
		if (v[i] != v[i])
			return v[i];
	if (n <= SMALL && *sorted_to < n) {
		sort_few(v, n);
		*sorted_to = n;
	}
	if (at >= (double)(n - 1)) {
		if (*sorted_to < n)
			etc_insp_select(v, *sorted_to, n, n - 1);
		return v[n - 1];
	}
	low = (size_t)at;
	part = at - (double)low;
	if (*sorted_to < n) {
		end = etc_insp_select(v, *sorted_to, n, low);
		*sorted_to = low;
	}
	a = v[low];
	b = v[low + 1];
	for (size_t i = end == low + 1 ? low + 2 : n; i < n; i++)
		b = v[i] < b ? v[i] : b;
	return part >= 0.5 ? b - (b - a) * (1 - part) : a + (b - a) * part;
}

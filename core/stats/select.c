/* select.c -- see select.h.
 *
 * Quickselect; short arrays are sorted. The pivot is an element of a sample of the numbers, at
 * about the position in the sample that the k-th number has in the whole array. After a pivot that
 * partitioned badly, the next pivot is the midpoint between the smallest and the largest number. At
 * most 64 such pivots isolate one number, so the worst-case time is linear. */
#include "stats/select.h"

#include <stdbool.h>

enum { SMALL = 16, SAMPLE = 64, MANY = 4096 };

/* Returns a pivot that is at most the largest number of v[lo, hi), and greater than the smallest
 * unless all are equal. */
static uint64_t halfway(const uint64_t *v, size_t lo, size_t hi)
{
	uint64_t least = v[lo], most = v[lo];

	for (size_t i = lo + 1; i < hi; i++) {
		least = v[i] < least ? v[i] : least;
		most = v[i] > most ? v[i] : most;
	}
	return most - (most - least) / 2;
}

/* Sorts a few numbers by insertion, from the first number on that is out of order. If several
 * quantiles of one sample are requested one after the other, the numbers are in order from the
 * second request on. The inner loop has no unpredictable branches. */
static void sort_few(uint64_t *v, size_t n)
{
	size_t i = 1;

	while (i < n && v[i - 1] <= v[i])
		i++;
	for (; i < n; i++) {
		uint64_t x = v[i];

		for (size_t j = 0; j < i; j++) {
			uint64_t y = v[j];

			v[j] = x < y ? x : y;
			x = x < y ? y : x;
		}
		v[i] = x;
	}
}

/* Returns an estimate of the k-th smallest number of v[lo, hi), from a sample. v is divided into
 * equal parts, and one number is taken from each. The position within the parts changes from call
 * to call, so that ascending, descending or periodic data do not distort the estimate. The estimate
 * is shifted a little, so that the k-th number is in the smaller part after partitioning. */
static uint64_t drawn(const uint64_t *v, size_t lo, size_t hi, size_t k, uint64_t *draw)
{
	uint64_t sample[SAMPLE] = { 0 };
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

/* Moves the numbers that are smaller than the pivot to the front of v[lo, hi); with `equal`, also
 * those that are equal to it. Returns the index after the moved numbers. The loop has no
 * branches. */
static size_t partition(uint64_t *v, size_t lo, size_t hi, uint64_t pivot, bool equal)
{
	size_t end = lo;

	for (size_t i = lo; i < hi; i++) {
		uint64_t x = v[i];

		v[i] = v[end];
		v[end] = x;
		end += equal ? x <= pivot : x < pivot;
	}
	return end;
}

size_t etc_select_from(uint64_t *v, size_t from, size_t n, size_t k)
{
	size_t lo = from, hi = n, before = 0;
	uint64_t draw = 1;

	while (hi - lo > SMALL) {
		bool bad = before && hi - lo > before - before / 8;
		uint64_t pivot = bad ? halfway(v, lo, hi) : drawn(v, lo, hi, k, &draw);
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

uint64_t etc_select(uint64_t *v, size_t n, size_t k, size_t *below)
{
	etc_select_from(v, 0, n, k);
	if (below)
		for (*below = k; *below > 0 && v[*below - 1] == v[k];)
			--*below;
	return v[k];
}

struct etc_ratio etc_quantile(uint64_t *v, size_t n, unsigned tenths)
{
	size_t at = tenths * (n - 1), low = at / 10;
	unsigned part = (unsigned)(at % 10);
	etc_u128 a = etc_select(v, n, low, NULL);
	etc_u128 b = part ? etc_select(v, n, low + 1, NULL) : a;

	return etc_ratio(a * (10 - part) + b * part, 10);
}

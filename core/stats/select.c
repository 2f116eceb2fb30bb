/* select.c -- see select.h
 *
 * Each round looks at eight bits, from the highest in which the numbers
 * differ: a histogram tells which of 256 buckets holds the k-th, and only that
 * bucket is kept, moved to the front. Of few numbers, for which that is much, some rounds
 * keep one side of a pivot. Small sets are sorted by insertion. */
#include "stats/select.h"

#include <stdbool.h>

#include "base/span.h"

enum { SMALL = 24, FEW = 512, PIVOTS = 8 };

static void insertion(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* Lowest bit of the eight that hold the highest difference; -1: all are equal. */
static int top_shift(const uint64_t *v, size_t n)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= v[i] ^ v[0];
	if (differ == 0)
		return -1;
	differ = 63 - (uint64_t)__builtin_clzll(differ);
	return differ > 7 ? (int)differ - 7 : 0;
}

/* Moves the bucket that holds the k-th to the front; returns its size. */
static size_t keep_bucket(uint64_t *v, size_t n, int shift, size_t *k)
{
	size_t counts[256] = { 0 }, bucket = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		counts[v[i] >> shift & 255]++;
	for (; *k >= counts[bucket]; bucket++)
		*k -= counts[bucket];
	for (size_t i = 0; i < n; i++) {
		uint64_t x = v[i];

		if ((x >> shift & 255) == bucket) {
			v[i] = v[kept];
			v[kept++] = x;
		}
	}
	return kept;
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t least = a < b ? a : b, most = a < b ? b : a;

	return c < least ? least : c > most ? most : c;
}

/* Moves what is smaller than the pivot (or, `equal`, not larger) to the front, and tells how
 * many these are. No branch depends on the numbers. */
static size_t partition(uint64_t *v, size_t n, uint64_t pivot, bool equal)
{
	size_t end = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = v[i];

		v[i] = v[end];
		v[end] = x;
		end += equal ? x <= pivot : x < pivot;
	}
	return end;
}

/* Keeps the side of a pivot on which the k-th is; true: all that is left equals it. */
static bool keep_side(uint64_t **v, size_t *n, size_t *k)
{
	uint64_t *all = *v, pivot = middle_of(all[*n / 4], all[*n / 2], all[*n / 4 * 3]);
	size_t end = partition(all, *n, pivot, false);
	bool equal = end == 0;

	if (equal)
		end = partition(all, *n, pivot, true);
	if (*k < end) {
		*n = end;
		return equal;
	}
	*v += end;
	*n -= end;
	*k -= end;
	return false;
}

uint64_t etc_select(uint64_t *v, size_t n, size_t k, size_t *below)
{
	size_t rank = k, pivots = 0;
	bool equal = false;

	while (n > SMALL && !equal) {
		int shift;

		if (n <= FEW && pivots++ < PIVOTS) {
			equal = keep_side(&v, &n, &k);
			continue;
		}
		shift = top_shift(v, n);
		equal = shift < 0;
		if (!equal)
			n = keep_bucket(v, n, shift, &k);
	}
	/* Left are the k-th and its equals, or few. */
	if (n <= SMALL)
		insertion(v, n);
	if (below) {
		size_t first = n <= SMALL ? k : 0;

		while (first > 0 && v[first - 1] == v[k])
			first--;
		*below = rank - (k - first);
	}
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

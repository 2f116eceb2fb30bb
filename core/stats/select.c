/* select.c -- see select.h
 *
 * Each round looks at eight bits, from the highest in which the numbers
 * differ: a histogram tells which of 256 buckets holds the k-th, and only that
 * bucket is kept, moved to the front. Small sets are sorted by insertion. */
#include "stats/select.h"

#include "base/span.h"

enum { SMALL = 24 };

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

uint64_t etc_select(uint64_t *v, size_t n, size_t k, size_t *below)
{
	size_t rank = k;
	int shift;

	while (n > SMALL && (shift = top_shift(v, n)) >= 0)
		n = keep_bucket(v, n, shift, &k);
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

/* sort.c -- see sort.h */
#include "stats/sort.h"

enum { SMALL = 32 };

static void insertion(double *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

static uint64_t load(const double *v, size_t i)
{
	uint64_t key;

	memcpy(&key, v + i, sizeof key);
	return key;
}

/* Copies `from` to `to`, sorted by the eight bits of each key that start at bit `shift`. Keys whose
 * eight bits are equal keep their order. */
static void pass(const double *from, size_t n, int shift, double *to)
{
	size_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[load(from, i) >> shift & 255]++;
	for (int b = 0; b < 256; b++) {
		size_t count = at[b];

		at[b] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t key = load(from, i);

		memcpy(to + at[key >> shift & 255]++, &key, sizeof key);
	}
}

void etc_sort(double *v, size_t n, double *scratch)
{
	uint64_t differ = 0, first = n ? etc_sort_key(v[0]) : 0;
	double *from = v, *to = scratch;

	if (n <= SMALL) {
		insertion(v, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t key = etc_sort_key(v[i]);

		differ |= key ^ first;
		memcpy(v + i, &key, sizeof key);
	}
	for (int shift = 0; shift < 64; shift += 8) {
		if ((differ >> shift & 255) == 0)
			continue;
		pass(from, n, shift, to);
		from = to;
		to = to == scratch ? v : scratch;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = etc_sort_number(load(from, i));
}

static void merge(const double *v, const uint32_t *from, size_t low, size_t middle, size_t high,
                  uint32_t *to)
{
	size_t a = low, b = middle;

	for (size_t i = low; i < high; i++)
		to[i] = a < middle && (b >= high || v[from[a]] <= v[from[b]]) ? from[a++]
		                                                              : from[b++];
}

void etc_sort_order(const double *v, size_t n, uint32_t *order, uint32_t *scratch)
{
	uint32_t *from = order, *to = scratch;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (size_t width = 1; width < n; width *= 2) {
		uint32_t *swap = from;

		for (size_t low = 0; low < n; low += 2 * width) {
			size_t middle = n - low > width ? low + width : n;
			size_t high = n - low > 2 * width ? low + 2 * width : n;

			merge(v, from, low, middle, high, to);
		}
		from = to;
		to = swap;
	}
	if (from != order)
		memcpy(order, from, n * sizeof *order);
}

/* holm.c -- see holm.h */
#include "stats/holm.h"

#include "stats/sort.h"

enum etc_status etc_holm(const double *p, size_t n, double *adjusted, struct etc_arena *scratch,
                         struct etc_error *err)
{
	uint32_t *order = etc_new(scratch, uint32_t, n), *other = etc_new(scratch, uint32_t, n);
	double least = 0;

	ETC_NEED(order && other, err);
	etc_sort_order(p, n, order, other);
	for (size_t i = 0; i < n; i++) {
		double x = p[order[i]] * (double)(n - i);

		x = x > 1 ? 1 : x;
		least = x > least ? x : least;
		adjusted[order[i]] = least;
	}
	return ETC_OK;
}

/* numpy.h -- sums, means and percentiles, with the same bits as numpy's. */
#ifndef ETC_INSPECTOR_NUMPY_H
#define ETC_INSPECTOR_NUMPY_H

#include <stddef.h>
#include <stdint.h>

/* These functions compute numpy.sum and numpy.mean of doubles, by pairwise summation in numpy's
 * order. */
double etc_insp_sum(const double *v, size_t n);
double etc_insp_mean(const double *v, size_t n);

/* Computes numpy.mean of an int64 array, given as doubles. Like numpy, sums pieces of the size of
 * numpy's cast buffer separately. */
double etc_insp_mean_of_integers(const double *v, size_t n);

/* Computes numpy.percentile(v, [10, 50, 90]) with method linear; n > 0. `keys` is scratch memory
 * for n numbers. */
void etc_insp_percentiles(const double *v, size_t n, uint64_t *keys, double out[3]);

#endif

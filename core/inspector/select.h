/* select.h -- order statistics without sorting everything, exactly as a sort
 * would give them. */
#ifndef ETC_INSPECTOR_SELECT_H
#define ETC_INSPECTOR_SELECT_H

#include <stddef.h>

/* Rearranges v[from, n) so that v[k] is what it would be if sorted, with nothing
 * larger before it and nothing smaller behind. All before `from` is not larger. So is all
 * from k to the place that is returned, which is behind k. */
size_t etc_insp_select(double *v, size_t from, size_t n, size_t k);

/* numpy.mean of doubles: pairwise summation in numpy's order. */
double etc_insp_mean(const double *v, size_t n);

/* numpy.mean of an int64 array: added in pieces of its cast buffer. */
double etc_insp_mean_of_integers(const double *v, size_t n);

/* numpy.percentile(v, q * 100), method linear; rearranges v. `*sorted_to` is the
 * place up to which an earlier, smaller quantile has ordered v; start with 0. */
double etc_insp_percentile(double *v, size_t n, double q, size_t *sorted_to);

#endif

/* holm.h -- Holm's correction of p for multiple comparisons. */
#ifndef ETC_STATS_HOLM_H
#define ETC_STATS_HOLM_H

#include "base/arena.h"
#include "base/error.h"

/* Applies the correction of Holm, "A simple sequentially rejective multiple test procedure",
 * Scandinavian Journal of Statistics 6 (1979). Sets adjusted[i] to the smallest family-wise error
 * rate at which p[i] is significant. That is the maximum of (n - rank) p, rank from 0, over p[i]
 * and all smaller p, at most 1. Equals statsmodels multipletests(method="holm"). p in [0, 1]; the
 * arrays may be the same. E0904. */
enum etc_status etc_holm(const double *p, size_t n, double *adjusted, struct etc_arena *scratch,
                         struct etc_error *err) ETC_MUST_CHECK;

#endif

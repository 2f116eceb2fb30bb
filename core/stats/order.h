/* order.h -- the difference between two groups of recordings when the machine drifts from
 * recording to recording.
 *
 * Each recording contributes one number, the estimate over its runs. A least-squares fit
 * of y = p(t) + step * second + noise has a polynomial p of the position t in the order,
 * which models the drift, and a step for the second group. The residuals are the variance
 * between recordings. If the groups were recorded in turns, the step is nearly as precise
 * as without a drift; if one was recorded after the other, its variance is large. */
#ifndef ETC_STATS_ORDER_H
#define ETC_STATS_ORDER_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

struct etc_step {
	double size, variance; /* the step, and its variance */
	double freedom;        /* number of recordings minus number of fitted parameters */
	/* ETC_DEFINED; ETC_UNDEFINED_FEW if `freedom` would be less than 2; ETC_UNDEFINED_NO_METHOD
	 * if the position determines the group, or if no recording is in the second group */
	uint8_t why;
};

/* Fits the step of the numbers y[0 .. n). y[i] was recorded at position t[i], on any scale, in the
 * second group if second[i]. The polynomial has degree 1 below 8 recordings, 2 below 14, else 3.
 * `least` is the variance that a recording has because its own runs vary. The residual variance is
 * at least that, because few residuals may be small by chance. E0904. */
enum etc_status etc_step_in_order(const double *y, const double *t, const bool *second, size_t n,
                                  double least, struct etc_step *out, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

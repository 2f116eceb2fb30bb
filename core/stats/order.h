/* order.h -- the difference between two groups of recordings if the machine's speed drifts from
 * recording to recording.
 *
 * Each recording contributes one number, the estimate over its runs. The model y = p(t) + step *
 * second + noise is fitted to these numbers by least squares. p is a polynomial of the position t
 * of a recording in the order of recording: the drift. `second` is 1 for recordings of the second
 * group and 0 for the others. The residuals of the fit give the variance between recordings. If the
 * groups were recorded in turns, the step is nearly as precise as without a drift; if one group was
 * recorded after the other, the variance of the step is large. */
#ifndef ETC_STATS_ORDER_H
#define ETC_STATS_ORDER_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

struct etc_step {
	double size, variance; /* the size of the step, and its variance */
	double freedom;        /* number of recordings minus number of fitted parameters */
	/* ETC_DEFINED; ETC_UNDEFINED_FEW if `freedom` would be less than 2; ETC_UNDEFINED_NO_METHOD
	 * if the position determines the group, or if no recording is in the second group */
	uint8_t why;
};

/* Fits the model above to the numbers y[0 .. n). y[i] was recorded at position t[i] (on any scale);
 * second[i] says whether y[i] is of the second group. The polynomial p has degree 1 below 8
 * recordings, 2 below 14, else 3. `least` is the variance that a recording has because its own runs
 * vary. The residual variance is raised to at least `least`, because few residuals may be small by
 * chance. E0904. */
enum etc_status etc_step_in_order(const double *y, const double *t, const bool *second, size_t n,
                                  double least, struct etc_step *out, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

/* order.h -- what one group is slower by, where the machine drifts from recording to recording.
 *
 * Each recording is one number, the estimate of its runs. These are fitted by least squares
 * with a polynomial of the place in the order, which is what drifts, and a step for the
 * second group: y = p(t) + step * second + noise. The residuals are what recordings differ
 * by besides. Groups recorded in turns leave the step nearly as sure as without a drift; a
 * group recorded after the other leaves it as unsure as it is. */
#ifndef ETC_STATS_ORDER_H
#define ETC_STATS_ORDER_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

struct etc_step {
	double size, variance; /* of the step */
	double freedom;        /* recordings less what was fitted */
	uint8_t why;           /* enum etc_undefined: _FEW, _NO_METHOD: place and group are one */
};

/* y[i] was recorded at place t[i] (any scale), of the second group if second[i]. The
 * polynomial is a line below 8 recordings, of second degree below 14, of third from there.
 * `least`: the variance of a recording that its own runs explain, which residuals that agree
 * by chance do not go below. E0904. */
enum etc_status etc_step_in_order(const double *y, const double *t, const bool *second, size_t n,
                                  double least, struct etc_step *out, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

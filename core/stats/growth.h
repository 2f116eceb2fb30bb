/* growth.h -- does a repeated run take longer, the higher its position is? For example, generating
 * a token takes longer than generating the previous one, because its attention reads a longer
 * cache.
 *
 * Runs come in generations. The position grows within a generation, and begins anew with the next
 * one. Within one generation, position and time grow together, so growth by position and drift by
 * time cannot be separated; with several generations they can. */
#ifndef ETC_STATS_GROWTH_H
#define ETC_STATS_GROWTH_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

/* Runs of several generations (see above). All runs of a generation are adjacent, and their
 * positions and times ascend. */
struct etc_growth_runs {
	const double *y; /* for each run: the measured value */
	/* for each run: its position in its generation, such as the number of a token */
	const double *position;
	const double *time; /* for each run: its start, in any unit; NULL: unknown */
	/* `generations` + 1 indices: generation g has the runs first[g] .. first[g + 1] - 1 */
	const size_t *first;
	size_t generations;
};

/* A number with its 95 % interval, which may be infinite. */
struct etc_growth_interval {
	double value, low, high;
	uint8_t why; /* enum etc_undefined; if it is not ETC_DEFINED, the numbers are 0 */
};

static inline struct etc_growth_interval etc_growth_interval_times(struct etc_growth_interval v,
                                                                   double factor)
{
	v.value *= factor;
	v.low *= factor;
	v.high *= factor;
	return v;
}

/* Computes the change of y per unit of position within the generations, which is growth and drift
 * together.
 *
 * Each generation is cut into at most 24 blocks of consecutive runs, and only the medians of the
 * blocks are used, so outliers and short interruptions have no effect. The slope is the median of
 * the slopes between any two blocks of one generation (Theil-Sen, by generation: Hirsch, Slack and
 * Smith, Water Resources Research 18 (1982) 107-121). The interval is Sen's (JASA 63 (1968)
 * 1379-1389), from the variance of Kendall's S. This variance is multiplied by blocks / effective
 * blocks, because residuals are autocorrelated (Hamed and Rao, Journal of Hydrology 204 (1998)
 * 182-196). Student's t for the effective blocks replaces the normal quantile. out->why is
 * ETC_UNDEFINED_FEW if there are fewer than 8 blocks, or fewer pairs of blocks than blocks; it is
 * ETC_UNDEFINED_NO_METHOD if there are more than 2^20 pairs. E0904. */
enum etc_status etc_growth_within(const struct etc_growth_runs *runs,
                                  struct etc_growth_interval *out, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

struct etc_growth_apart {
	struct etc_growth_interval growth; /* change of y per unit of position */
	struct etc_growth_interval drift;  /* change of y per unit of time */
};

/* Separates growth and drift.
 *
 * Drift is the least-squares slope of the generations' levels over time. The level of a generation
 * and its time are taken at the positions that all generations have in common. So a growth that is
 * not linear does not count as drift, even if later generations are longer. Generations of less
 * than an eighth of the median length are left out if they do not have these positions. The
 * interval has Student's t with generations - 2 degrees of freedom.
 *
 * Growth is `within` minus the part that the drift explains. `within` is the result of
 * etc_growth_within() for the same runs.
 *
 * Both results are ETC_UNDEFINED_FEW if the times are unknown, or if fewer than 3 generations have
 * positions in common; they are undefined if `within` is. E0904. */
enum etc_status etc_growth_separate(const struct etc_growth_runs *runs,
                                    const struct etc_growth_interval *within,
                                    struct etc_growth_apart *out, struct etc_arena *scratch,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Computes the mean of y over all runs. Its standard error is computed from at most 12 blocks of
 * consecutive runs per generation: from the means of the blocks without the growth within the
 * generations, and from the effective number of blocks (because they are autocorrelated). With
 * three or more generations, it is at least the standard error of the means of the generations. If
 * `why` is set, there is a value but no interval. `why` is that of `within`, or
 * ETC_UNDEFINED_NO_METHOD if a single block makes more than half of the variance: one interruption
 * does not show how often interruptions occur. E0904. */
enum etc_status etc_growth_mean(const struct etc_growth_runs *runs,
                                const struct etc_growth_interval *within,
                                struct etc_growth_interval *out, struct etc_arena *scratch,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif

/* typical.h -- selects the typical runs of a path, and computes the statistics in the header lines
 * of a screen.
 *
 * The first runs of a path are discarded as warm-up. Of the other runs, those are typical whose
 * time is within 3 x 1.4826 median absolute deviations of the median (Hampel's rule; three standard
 * deviations for Gaussian noise). If there are fewer than four, all are typical. The rule in
 * integers, with m2 the sum of the two middle times and d2 the sum of the two middle values of |2 t
 * - m2|: 20000 |2 t - m2| <= 44478 d2. */
#ifndef ETC_STATS_TYPICAL_H
#define ETC_STATS_TYPICAL_H

#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"

/* The standard deviation of a normal distribution, in median absolute deviations. */
#define ETC_MAD_DEVIATION 1.4826

enum { ETC_TYPICAL_LEAST = 4, ETC_TYPICAL_UNIT = 20000, ETC_TYPICAL_REACH = 44478 };

struct etc_typical {
	size_t warmup;                      /* number of warm-up runs */
	size_t kept;                        /* number of kept runs, which are all other runs */
	size_t typical;                     /* number of the kept runs that are averaged */
	etc_u128 kept_time;                 /* sum of the times of the kept runs */
	struct etc_ratio median, mean, p90; /* over the kept runs */
	/* ETC_MAD_DEVIATION times the median absolute deviation, divided by the median; 0/0: there
	 * are fewer than four runs, or the median is 0 */
	struct etc_ratio spread;
	uint64_t min, max;
};

/* Computes the statistics of n > 0 runs, whose times `samples` are in file order. use[i] is an
 * enum etc_run_use: the caller marks warm-up runs with WARMUP; this function marks each other run
 * with KEPT or TYPICAL, according to `stat`. At least one run must be kept. `scratch` has room for
 * a copy of the samples. E0904. */
enum etc_status etc_typical_runs(const uint64_t *samples, size_t n, uint8_t stat, uint8_t *use,
                                 struct etc_typical *out, struct etc_arena *scratch,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Returns 1.4826 times the median absolute deviation of v[0 .. n), divided by the median, as a
 * fraction. 0/0: there are fewer than four numbers, or the median is 0. Overwrites `v`. */
struct etc_ratio etc_spread(uint64_t *v, size_t n);

#endif

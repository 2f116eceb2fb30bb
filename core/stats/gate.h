/* gate.h -- decides whether B got slower than A by more than a limit, for `check` and
 * `pipeline report`. `diff` uses the same rule for whether a change is claimed
 * (etc_compare_claims). */
#ifndef ETC_STATS_GATE_H
#define ETC_STATS_GATE_H

#include "stats/compare.h"

enum etc_gate_result {
	/* B is not slower by more than the limit, and there are enough runs to tell */
	ETC_GATE_PASS,
	ETC_GATE_REGRESSION, /* a change is claimed, and B is slower by more than the limit */
	ETC_GATE_IMPROVED,   /* a change is claimed, and B is faster */
	ETC_GATE_FEW,        /* too few runs to tell */
	/* no slowdown beyond the limit is claimed, but one is possible */
	ETC_GATE_NOISY,
	/* the change may come from two speeds of the runs, or from the variance between processes,
	 * which is assumed, not measured; or one of these two may hide a change beyond the limit */
	ETC_GATE_ALONE,
	/* a drift is as large as the change (ETC_CAVEAT_DROWNED); or a change is claimed, but
	 * whether it is beyond the limit depends on the drift */
	ETC_GATE_DRIFT,
	/* a time is 0, units differ, nothing can be compared, there is no interval, or the clock
	 * may hide on which side of the limit the change is */
	ETC_GATE_CANNOT,
	ETC_GATE_MISSING, /* one side has no such row */
	ETC_GATE_COUNT
};

/* Returns the name of a verdict: "pass", "regression", "improved", "too few runs", "too noisy",
 * "too few recordings", "drift", "cannot tell" or "not found". */
const char *etc_gate_result_name(uint8_t verdict);

/* Returns the verdict on a comparison that was adjusted by etc_compare_adjust() and has both sides.
 * If there is no verdict, `*why` is set to the reason; otherwise to "". */
enum etc_gate_result etc_gate_verdict(const struct etc_comparison *c, bool has_ratio, double limit,
                                      const char **why);

#endif

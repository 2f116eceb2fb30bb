/* verdict.h -- decides whether B got slower than A by more than a limit, for `check` and
 * `pipeline report`. `diff` uses the same rule for whether a change is claimed
 * (etc_compare_claims). */
#ifndef ETC_STATS_VERDICT_H
#define ETC_STATS_VERDICT_H

#include "stats/compare.h"

enum etc_gate_result {
	/* not slower by more than the limit, and there are enough runs for this verdict */
	ETC_GATE_PASS,
	ETC_GATE_REGRESSION, /* significant, and slower by more than the limit */
	ETC_GATE_IMPROVED,   /* significantly faster */
	ETC_GATE_FEW,        /* too few runs to tell */
	ETC_GATE_NOISY,      /* no significant change, but one beyond the limit is possible */
	/* the variance between processes is assumed, and may explain the change */
	ETC_GATE_ALONE,
	ETC_GATE_DRIFT,   /* a drift within the recordings is as large as the change */
	ETC_GATE_CANNOT,  /* a time is 0, units differ, or nothing can be compared */
	ETC_GATE_MISSING, /* one side has no such row */
	ETC_GATE_COUNT
};

/* Returns the name of a verdict: "pass", "regression", "improved", "too few runs", "too noisy",
 * "too few recordings", "drift", "cannot tell" or "not found". */
const char *etc_gate_result_name(uint8_t verdict);

/* The verdict on a comparison that was adjusted (etc_compare_adjust()) and has both sides. `*why`
 * is set to the reason why there is no verdict, or to "". */
enum etc_gate_result etc_gate_verdict(const struct etc_comparison *c, bool has_ratio, double limit,
                                      const char **why);

#endif

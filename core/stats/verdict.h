/* verdict.h -- did B get slower than A by more than a limit? The one judgement of `check`, of
 * `pipeline report` and, in whether a change is claimed at all (etc_compare_claims), of `diff`. */
#ifndef ETC_STATS_VERDICT_H
#define ETC_STATS_VERDICT_H

#include "stats/compare.h"

enum etc_gate_result {
	ETC_GATE_PASS,       /* no slower than the limit, and the runs can tell */
	ETC_GATE_REGRESSION, /* significant, and slower by more than the limit */
	ETC_GATE_IMPROVED,   /* significantly faster */
	ETC_GATE_FEW,        /* too few runs to tell */
	ETC_GATE_NOISY,      /* no significant change, but one beyond the limit is possible */
	ETC_GATE_ALONE,      /* the recordings cannot tell: what they differ by anyway is assumed */
	ETC_GATE_DRIFT,      /* a drift inside the recordings is as large as the change */
	ETC_GATE_CANNOT,     /* zero, other units, nothing in common */
	ETC_GATE_MISSING,    /* one side has no such thing */
	ETC_GATE_COUNT
};

/* "pass", "regression", "improved", "too few runs", "too noisy", "too few recordings", "drift",
 * "cannot tell", "not found" */
const char *etc_gate_result_name(uint8_t verdict);

/* The verdict on an adjusted comparison whose sides are both present; *why: what speaks against a verdict,
 * or "". */
enum etc_gate_result etc_gate_verdict(const struct etc_comparison *c, bool has_ratio, double limit,
                                      const char **why);

#endif

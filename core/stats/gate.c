/* gate.c -- see gate.h */
#include "stats/gate.h"

#include <math.h>

const char *etc_gate_result_name(uint8_t verdict)
{
	static const char *const names[ETC_GATE_COUNT] = {
		[ETC_GATE_PASS] = "pass",         [ETC_GATE_REGRESSION] = "regression",
		[ETC_GATE_IMPROVED] = "improved", [ETC_GATE_FEW] = "too few runs",
		[ETC_GATE_NOISY] = "too noisy",   [ETC_GATE_ALONE] = "too few recordings",
		[ETC_GATE_DRIFT] = "drift",       [ETC_GATE_CANNOT] = "cannot tell",
		[ETC_GATE_MISSING] = "not found",
	};

	return verdict < ETC_GATE_COUNT ? names[verdict] : "";
}

/* Returns the ratio of a group's slower speed to its faster speed; 1 if its runs do not have two
 * speeds. */
static double speeds_of(const struct etc_comparison_side *side)
{
	const double *speeds = side->examined.speeds;

	return speeds[0] > 0 ? fmax(speeds[1] / speeds[0], 1) : 1;
}

enum etc_gate_result etc_gate_verdict(const struct etc_comparison *c, bool has_ratio, double limit,
                                      const char **why)
{
	*why = "";
	if (c->caveats & (ETC_CAVEAT_FEW_RUNS | ETC_CAVEAT_NO_CHANCE)) {
		*why = c->caveats & ETC_CAVEAT_FEW_RUNS
		               ? "each side needs more runs for this metric"
		               : "with so few runs no change would be significant";
		return ETC_GATE_FEW;
	}
	if (c->why != ETC_DEFINED) {
		*why = "the two have no unit or no event in common, or no run, or one of them "
		       "mixes programs";
		return ETC_GATE_CANNOT;
	}
	if (!has_ratio || c->b.estimate <= 0) {
		*why = "zero, or less than the clock can tell";
		return ETC_GATE_CANNOT;
	}
	if (etc_compare_regressed(c, limit)) {
		if (!(c->hidden > 0) || etc_compare_least_ratio(c) * c->a.estimate >
		                                (1 + limit) * (c->a.estimate + c->hidden))
			return ETC_GATE_REGRESSION;
		*why = "the clock may hide that it is within the limit";
		return ETC_GATE_CANNOT;
	}
	if (etc_compare_claims(c) && fmax(c->ratio, 1 + c->other / c->a.estimate) > 1 + limit) {
		*why = "the drift over the recordings decides whether it is beyond the limit";
		return ETC_GATE_DRIFT;
	}
	if (etc_compare_claims(c) && c->difference < 0)
		return ETC_GATE_IMPROVED;
	if (c->significant && c->caveats & ETC_CAVEAT_DROWNED) {
		*why = c->p_method == ETC_P_ORDER
		               ? "the drift over the recordings is larger than the change"
		               : "a drift inside the recordings is as large as the change";
		return ETC_GATE_DRIFT;
	}
	if (c->significant && c->caveats & ETC_CAVEAT_SPEEDS) {
		*why = "the runs have two speeds, which explain the change";
		return ETC_GATE_ALONE;
	}
	/* Here, no change is claimed, or a slowdown within the limit. The verdict is PASS only if a
	 * slowdown beyond the limit is ruled out. */
	if (c->difference_interval.why != ETC_DEFINED) {
		*why = "too few runs or recordings for an interval";
		return ETC_GATE_CANNOT;
	}
	if (c->difference_interval.high > limit * c->a.estimate &&
	    (!c->significant || etc_compare_claims(c))) {
		*why = "a change beyond the limit is possible";
		return ETC_GATE_NOISY;
	}
	if (c->process_interval.why == ETC_DEFINED && c->process_interval.high > 1 + limit) {
		*why = "what other recordings of the same differ by is not known";
		return ETC_GATE_ALONE;
	}
	if (c->process_interval.why == ETC_DEFINED &&
	    c->process_interval.high * fmax(speeds_of(&c->a), speeds_of(&c->b)) > 1 + limit) {
		*why = "the runs have two speeds, which may hide a change beyond the limit";
		return ETC_GATE_ALONE;
	}
	if (c->hidden > 0 && c->difference_interval.high + c->hidden > limit * c->a.estimate) {
		*why = "the clock may hide a change beyond the limit";
		return ETC_GATE_CANNOT;
	}
	return ETC_GATE_PASS;
}

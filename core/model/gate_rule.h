/* gate_rule.h -- one rule of `etcore check`: from --rules, or the default rule.
 *
 * A rule without `op` and `category` compares the end-to-end time of each method. */
#ifndef ETC_MODEL_GATE_RULE_H
#define ETC_MODEL_GATE_RULE_H

#include "base/span.h"

struct etc_gate_rule {
	/* NAME of the section "[rule NAME]"; empty: this is the default rule */
	struct etc_str name;
	struct etc_str method; /* the rule is for this method only; empty: for any method */
	/* the rule is only for rows of this category and this operator; empty: any */
	struct etc_str category, op;
	uint8_t stat; /* enum etc_stat: the statistic that is compared */
	/* fraction by which B (the checked dumps) may be slower than A (the baseline): 0.05 means
	 * that more than 5 % is a regression */
	double limit;
	uint32_t line; /* line in the file; 0: the default rule */
	/* true (set by --by and --where): the rule compares the times of all rows, made with the
	 * key `by`, instead of the end-to-end time */
	bool rows;
	uint8_t by; /* enum etc_by */
};

#endif

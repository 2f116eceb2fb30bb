/* gate_rule.h -- one rule of `etcore check`: from --rules, or the default rule.
 *
 * Without `op` and `category` it is about the end-to-end time of each method. */
#ifndef ETC_MODEL_GATE_RULE_H
#define ETC_MODEL_GATE_RULE_H

#include "base/span.h"

struct etc_gate_rule {
	struct etc_str name;         /* "[rule NAME]"; empty: the default rule */
	struct etc_str method;       /* only for this method; empty: any */
	struct etc_str category, op; /* only for rows of this category and operator; empty: any */
	uint8_t stat;                /* enum etc_stat that is compared */
	double limit;                /* 0.05: slower by more than 5 % is a regression */
	uint32_t line;               /* line in the file; 0: the default rule */
	/* the rule checks the times of all rows by `by` instead of the end-to-end time; set by --by
	 * and --where */
	bool rows;
	uint8_t by; /* enum etc_by */
};

#endif

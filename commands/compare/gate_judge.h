/* gate_judge.h -- did anything get slower than its rule allows? One line per rule and place.
 *
 * A rule looks at the end-to-end time of each method, or at the rows by operator or
 * category that it names. All comparisons of a check are corrected together (Holm), so
 * that a check without any change fails in at most 1 - level of the cases. */
#ifndef ETC_COMPARE_GATE_H
#define ETC_COMPARE_GATE_H

#include "commands/compare/compare.h"
#include "model/gate_rule.h"
#include "stats/verdict.h"

struct etc_gate_line {
	const struct etc_gate_rule *rule;
	struct etc_str name; /* "gemm: forward: Convert (NC)": the same in every check */
	struct etc_str method, what, category; /* what: the row, or "end to end" */
	struct etc_comparison c;               /* adjusted over all lines */
	const char *why;                       /* what speaks against a verdict, or "" */
	uint8_t unit;                          /* ETCORE_UNIT_* */
	uint8_t verdict;                       /* enum etc_gate_result */
	bool end;                              /* of the whole run, not of a row */
};

struct etc_gate {
	const struct etc_gate_line *lines; /* by rule, then as `etcore diff` orders rows */
	uint32_t count;
	uint32_t by_verdict[ETC_GATE_COUNT];
	const struct etc_diff *diff; /* by operator, of the first rule's statistic: for remarks */
};

/* Which rows of a rule for all rows count. */
struct etc_gate_filter {
	enum etc_status (*keep)(void *arg, const struct etc_diff *diff, uint32_t section,
	                        uint32_t row, bool *keep, struct etc_error *err);
	void *arg;
};

/* groups[0] is the baseline, groups[1] what is checked. `options`: by and stat are
 * the rules' business. `filter`: NULL: all rows. E0904, and what the filter says. */
enum etc_status etc_gate_make(const struct etc_diff_group groups[2],
                              const struct etc_gate_rule *rules, uint32_t rule_count,
                              const struct etc_diff_options *options,
                              const struct etc_gate_filter *filter, struct etc_arena *arena,
                              struct etc_gate *out, struct etc_error *err) ETC_MUST_CHECK;

/* Lines without a verdict: too few runs, too noisy, cannot tell, not found. */
uint32_t etc_gate_open(const struct etc_gate *gate);

#endif

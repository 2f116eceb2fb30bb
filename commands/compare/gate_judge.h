/* gate_judge.h -- decides whether times got slower than the rules allow. The result has one line
 * per rule and row.
 *
 * A rule is about the end-to-end time of each method, or about the rows of an operator or category.
 * The p values of all comparisons of a check are corrected together (Holm). So if nothing has
 * changed, the probability that the check fails is at most 1 - level. */
#ifndef ETC_COMMANDS_COMPARE_GATE_JUDGE_H
#define ETC_COMMANDS_COMPARE_GATE_JUDGE_H

#include "commands/compare/compare.h"
#include "model/gate_rule.h"
#include "stats/gate.h"

struct etc_gate_line {
	const struct etc_gate_rule *rule;
	/* name of the line, such as "gemm: forward: Convert (NC)"; the same each time that `check`
	 * is executed */
	struct etc_str name;
	struct etc_str method, what, category; /* what: name of the row, or "end to end" */
	/* the comparison; its p values are adjusted for all lines of the check */
	struct etc_comparison c;
	const char *why; /* why there is no verdict, or "" */
	uint8_t unit;    /* ETCORE_UNIT_* */
	uint8_t verdict; /* enum etc_gate_result */
	bool end;        /* true: the line is about an end-to-end time; false: about a row */
};

struct etc_gate {
	/* one line per rule and row, sorted by rule; the lines of a rule have the order of the rows
	 * of `etcore diff` */
	const struct etc_gate_line *lines;
	uint32_t count;
	uint32_t by_verdict[ETC_GATE_COUNT];
	/* the comparison by operator, with the statistic of the first rule. Notes and warnings are
	 * about this comparison */
	const struct etc_diff *diff;
};

/* Selects the rows that get a verdict. Used for the rule of the options --by and --where (the rule
 * whose member `rows` is true); other rules select rows by operator or category. */
struct etc_gate_filter {
	enum etc_status (*keep)(void *arg, const struct etc_diff *diff, uint32_t section,
	                        uint32_t row, bool *keep, struct etc_error *err);
	void *arg;
};

/* Applies all rules. groups[0] is the baseline, groups[1] the checked dumps. The members `by` and
 * `stat` of `options` are ignored, since the rules set them. `filter` may be NULL; then all rows
 * are kept. E0904, and the errors of the filter. */
enum etc_status etc_gate_make(const struct etc_diff_group groups[2],
                              const struct etc_gate_rule *rules, uint32_t rule_count,
                              const struct etc_diff_options *options,
                              const struct etc_gate_filter *filter, struct etc_arena *arena,
                              struct etc_gate *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the number of lines without a verdict, which are the lines with the result ETC_GATE_FEW
 * or a later value of the enum. */
uint32_t etc_gate_open(const struct etc_gate *gate);

#endif

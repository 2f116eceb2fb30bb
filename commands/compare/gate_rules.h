/* gate_rules.h -- reads the rules of `etcore check` from an INI file:
 *
 *     [rule gemm]              ; any name, each once
 *     category = GEMM          ; or op = …; without both: end to end
 *     method = forward         ; if omitted: every method
 *     metric = median          ; typical, mean, median, p90, p95 or p99
 *     max_regression = 3%      ; or 3
 *
 * Lines have the same form and limits as in the configuration (formats/config/ini.h). */
#ifndef ETC_COMMANDS_COMPARE_GATE_RULES_H
#define ETC_COMMANDS_COMPARE_GATE_RULES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/gate_rule.h"

enum { ETC_GATE_RULES_MAX = 256 };

struct etc_gate_rules {
	struct etc_gate_rule *v;
	uint32_t count;
};

/* Appends the rules of the file at `path` to *out, which must be { 0 } or a list of rules. If a
 * rule omits a key, the value in `usual` is used. Texts are in the arena. E0181, E0182, E0183,
 * E0550; E0510 to E0520 as for the configuration; E0904. */
enum etc_status etc_gate_rules_read(const char *path, const struct etc_gate_rule *usual,
                                    struct etc_arena *arena, struct etc_gate_rules *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Parses a percentage (base/percent.h) from 0 to 1000 %, and sets *limit to the percentage as a
 * fraction. E0550: the text is a number between 0 and 1 without "%", so it may be meant as a
 * fraction. `wrong`: the code of the error for any other wrong text. `what` names the value in
 * error messages. */
enum etc_status etc_gate_rule_limit(const char *what, struct etc_str text, enum etc_code wrong,
                                    double *limit, struct etc_error *err) ETC_MUST_CHECK;

/* Sets *stat to the statistic called "typical", "mean", "median", "p90", "p95" or "p99". Returns
 * false for any other word. */
bool etc_gate_rule_metric(struct etc_str text, uint8_t *stat);

#endif

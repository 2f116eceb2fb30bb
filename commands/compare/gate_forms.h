/* gate_forms.h -- the output formats of `etcore check`.
 *
 * text            a line per rule and row
 * markdown        the same as a table, for a step summary
 * json            everything: docs/check.schema.json
 * github          workflow commands: an annotation per regression, line without a verdict and
 *                 improvement; the page of markdown goes to the step summary
 * junit           JUnit XML: a regression is a failure, no verdict is "skipped"
 * benchmark-json  github-action-benchmark, tool customSmallerIsBetter
 * bencher         Bencher Metric Format: latency in ns, other units under their name
 * pytorch         records of the PyTorch benchmark database, schema v3
 *
 * The last three are for services that track the new measurements. There the verdict is only an
 * additional text; bencher does not contain it. */
#ifndef ETC_COMMANDS_COMPARE_GATE_FORMS_H
#define ETC_COMMANDS_COMPARE_GATE_FORMS_H

#include "commands/compare/gate_words.h"
#include "context/output.h"

void etc_write_gate_text(void *answer, struct etc_text *out);
void etc_write_gate_markdown(void *answer, struct etc_text *out);
void etc_write_gate_github(void *answer, struct etc_text *out);
void etc_write_gate_json(void *answer, struct etc_text *out);
void etc_write_gate_junit(void *answer, struct etc_text *out);
void etc_write_gate_benchmark(void *answer, struct etc_text *out);
void etc_write_gate_bencher(void *answer, struct etc_text *out);
void etc_write_gate_pytorch(void *answer, struct etc_text *out);

/* Appends the Markdown page to the file named by GITHUB_STEP_SUMMARY, if a target is for GitHub and
 * the variable names a file. E0903, E0904, E0909. */
enum etc_status etc_gate_summary(const struct etc_targets *targets, struct etc_gate_answer *answer,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* clang-format off */
#define ETC_GATE_FORMATS(X)                                                                        \
	X("text",           "txt", etc_write_gate_text)                                            \
	X("markdown",       "md",  etc_write_gate_markdown)                                        \
	X("github",         NULL,  etc_write_gate_github)                                          \
	X("json",           NULL,  etc_write_gate_json)                                            \
	X("junit",          "xml", etc_write_gate_junit)                                           \
	X("benchmark-json", NULL,  etc_write_gate_benchmark)                                       \
	X("bencher",        NULL,  etc_write_gate_bencher)                                         \
	X("pytorch",        NULL,  etc_write_gate_pytorch)
/* clang-format on */

#endif

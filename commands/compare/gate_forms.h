/* gate_forms.h -- the output formats of `etcore check`.
 *
 * text            one line per rule and row
 * markdown        the same lines as a table, for the step summary of a GitHub workflow
 * json            everything: docs/check.schema.json
 * github          workflow commands: one annotation per regression, per line without a verdict
 *                 and per improvement; the markdown page is appended to the step summary
 * junit           JUnit XML: a regression is a failure, no verdict is "skipped"
 * benchmark-json  github-action-benchmark, tool customSmallerIsBetter
 * bencher         Bencher Metric Format: latency in ns, other units under their name
 * pytorch         records of the PyTorch benchmark database, schema v3
 *
 * The last three formats are for services that store the new measurements and compare them over
 * time. The verdict is only an additional text in their records; bencher's records do not contain
 * it. */
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

/* If a target has the format github and the environment variable GITHUB_STEP_SUMMARY names a file,
 * appends the Markdown page to that file. E0903, E0904, E0909. */
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

/* gate_forms.h -- the output formats of `etcore check`.
 *
 * text            a line per rule and row
 * markdown        the same as a table, for a step summary
 * json            everything: docs/check.schema.json
 * junit           JUnit XML: a regression is a failure, no verdict is "skipped"
 * benchmark-json  github-action-benchmark, tool customSmallerIsBetter
 * bencher         Bencher Metric Format: latency in ns, other units under their name
 * pytorch         records of the PyTorch benchmark database, schema v3
 *
 * The last three contain the new measurements, not the verdict. */
#ifndef ETC_WRITE_GATE_H
#define ETC_WRITE_GATE_H

#include "commands/compare/gate_words.h"

void etc_write_gate_text(void *answer, struct etc_text *out);
void etc_write_gate_markdown(void *answer, struct etc_text *out);
void etc_write_gate_json(void *answer, struct etc_text *out);
void etc_write_gate_junit(void *answer, struct etc_text *out);
void etc_write_gate_benchmark(void *answer, struct etc_text *out);
void etc_write_gate_bencher(void *answer, struct etc_text *out);
void etc_write_gate_pytorch(void *answer, struct etc_text *out);

/* clang-format off */
#define ETC_GATE_FORMATS(X)                                                                        \
	X("text",           "txt", etc_write_gate_text)                                            \
	X("markdown",       "md",  etc_write_gate_markdown)                                        \
	X("json",           NULL,  etc_write_gate_json)                                            \
	X("junit",          "xml", etc_write_gate_junit)                                           \
	X("benchmark-json", NULL,  etc_write_gate_benchmark)                                       \
	X("bencher",        NULL,  etc_write_gate_bencher)                                         \
	X("pytorch",        NULL,  etc_write_gate_pytorch)
/* clang-format on */

#endif

/* gate_words.h -- makes the texts that the formats of `etcore check` have in common. */
#ifndef ETC_COMMANDS_COMPARE_GATE_WORDS_H
#define ETC_COMMANDS_COMPARE_GATE_WORDS_H

#include "base/notes.h"
#include "base/text.h"
#include "commands/compare/gate_judge.h"

struct etc_gate_fact {
	struct etc_str name, value;
};

/* Facts other than times that benchmark records must contain, and that are not in a dump. */
struct etc_gate_record {
	/* facts about the device: the members of etc_gate_runner_fields, and any others */
	const struct etc_gate_fact *runner;
	uint32_t runner_count;
	/* names and values; a value is "1.2.0" or "repository@commit". etcore itself is always in
	 * the list */
	const struct etc_gate_fact *dependencies;
	uint32_t dependency_count;
	const struct etc_str *plugins; /* loaded plugins with their versions: "xnnpack 1.0.0" */
	uint32_t plugin_count;
};

/* The members that describe a runner in PyTorch's benchmark database (oss_ci_benchmark_v3). */
struct etc_gate_runner_field {
	const char *name;
	bool number; /* a 32-bit number; else a text */
};
enum { ETC_GATE_RUNNER_FIELDS = 10 };
extern const struct etc_gate_runner_field etc_gate_runner_fields[ETC_GATE_RUNNER_FIELDS];

struct etc_gate_answer {
	const struct etc_gate *gate;
	struct etc_str names[2]; /* names of the baseline and of the checked dumps */
	uint32_t dumps[2];
	double confidence;
	const struct etc_notes *notes;
	struct etc_str link; /* URL of the report, or empty */
	struct etc_gate_record record;
};

/* Appends the overall result in one line without a line feed, such as "REGRESSION: 1 pass, 1
 * regression", "no verdict: 2 too few runs" or "no regression: 2 pass". */
void etc_text_gate_verdict(struct etc_text *t, const struct etc_gate_answer *a);

/* Appends the result of a line (one rule for one row), such as "91.2 % slower (95 % CI +85.3 …
 * +97.0 %): 5.52 ms -> 10.6 ms, typical, p < 0.0001, limit 5 %". Unknown numbers are left out. A
 * line about an end-to-end time also has p95 and max of both groups. line->why comes last. */
void etc_text_gate_detail(struct etc_text *t, const struct etc_gate_answer *a,
                          const struct etc_gate_line *line);

/* Does the line have a time of the checked dumps? */
bool etc_gate_has_value(const struct etc_gate_line *line);

/* Computes the interval of the checked dumps' time as the baseline's time plus the interval of the
 * difference. Returns false if the difference has no interval. */
bool etc_gate_interval(const struct etc_gate_line *line, double *low, double *high);

/* Returns the unit of a line's times, such as "ns" or "cycles". */
const char *etc_gate_unit(const struct etc_gate_line *line);

#endif

/* gate.h -- an answer of `etcore check` in words: what its forms have in common. */
#ifndef ETC_VIEW_GATE_H
#define ETC_VIEW_GATE_H

#include "base/notes.h"
#include "base/text.h"
#include "compare/gate.h"

struct etc_gate_answer {
	const struct etc_gate *gate;
	struct etc_str names[2]; /* of the baseline and of what is checked */
	uint32_t dumps[2];
	double confidence;
	const struct etc_notes *notes;
};

/* "REGRESSION: 1 of 2 slower by more than the limit", "pass: …": the whole in a line. */
void etc_text_gate_verdict(struct etc_text *t, const struct etc_gate_answer *a);

/* "91.2 % slower (95 % CI +85.3 … +97.0 %): 5.52 ms -> 10.6 ms, typical, p < 0.0001, limit
 * 5 %"; what is not known is left out, and `why` stands behind. */
void etc_text_gate_detail(struct etc_text *t, const struct etc_gate_answer *a,
                          const struct etc_gate_line *line);

/* Is there a time of what is checked? */
bool etc_gate_has_value(const struct etc_gate_line *line);

/* The interval of the time of what is checked: the baseline's with the interval of the
 * difference. False: there is none. */
bool etc_gate_interval(const struct etc_gate_line *line, double *low, double *high);

/* "ns", "cycles" … */
const char *etc_gate_unit(const struct etc_gate_line *line);

#endif

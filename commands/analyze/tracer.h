/* tracer.h -- `--subtract-overhead`: reads the cost of the event tracer, and checks that it was
 * measured with the program of the dump. */
#ifndef ETC_ANALYZE_TRACER_H
#define ETC_ANALYZE_TRACER_H

#include "commands/analyze/part.h"

/* The cost of the tracer, as `etcore overhead` measured it or the user gave it. */
struct etc_tracer {
	struct etc_tracer_cost cost; /* 0 ns: nothing is proven */
	const char *source;          /* the document; NULL: the user gave the cost */
	double low, high;            /* confidence interval of the cost; NAN: none, or unknown */
	double tick_ns;              /* tick length of the runtime's clock; NAN: unknown */
	struct etc_str method;       /* empty: not known */
	struct etc_str dumps;        /* JSON of `overhead`, with the hashes of its dumps */
	struct etc_str *programs;    /* hashes */
	uint32_t program_count;
};

/* Reads `text`, a time with its unit or a file, and refuses views that it cannot be subtracted from.
 * Adds the column that marks subtracted times to the plan. E0501, E0505, E0578, E0901, E0904. */
enum etc_status etc_tracer_read(struct etc_tracer *tracer, const char *text, struct etc_plan *plan,
                                struct etc_session *s, struct etc_error *err) ETC_MUST_CHECK;

/* Refuses a part whose program, method or clock differs from those of the recordings (E0577);
 * N0697, N0698. `profile`: the times as measured. E0904. */
enum etc_status etc_tracer_check(const struct etc_tracer *tracer, const struct etc_part *part,
                                 const struct etc_profile *profile, struct etc_session *s,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* N0696, N0699 about a profile that the cost was subtracted from. */
void etc_tracer_remark(const struct etc_tracer *tracer, const struct etc_profile *profile,
                       struct etc_notes *notes);

#endif

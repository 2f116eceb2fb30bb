/* tracer.h -- `--subtract-overhead`: reads the cost of the event tracer, and checks that it was
 * measured with the program of the dump. */
#ifndef ETC_COMMANDS_ANALYZE_TRACER_H
#define ETC_COMMANDS_ANALYZE_TRACER_H

#include "commands/analyze/part.h"

/* The cost of the event tracer per event, as measured by `etcore overhead` or given by the user. */
struct etc_tracer {
	/* 0 ns if the measurement could not prove that the tracer has a cost */
	struct etc_tracer_cost cost;
	const char *source;    /* path of the JSON file; NULL: the user gave the cost */
	double low, high;      /* confidence interval of the cost; NAN: none, or unknown */
	double tick_ns;        /* tick length of the runtime's clock; NAN: unknown */
	struct etc_str method; /* method that the cost was measured with; empty: not known */
	/* text of the JSON file; it has the hashes of the dumps that the cost was measured with */
	struct etc_str dumps;
	struct etc_str *programs; /* SHA-256 of each program that the cost was measured with */
	uint32_t program_count;
};

/* Reads the cost from `text`, a time with its unit or the path of a JSON file. If --columns was
 * given, adds the column subtracted_ns to the chosen columns. E0501: the options of the plan ask
 * for times from which the cost cannot be subtracted. E0505, E0578, E0901, E0904. */
enum etc_status etc_tracer_read(struct etc_tracer *tracer, const char *text, struct etc_plan *plan,
                                struct etc_session *s, struct etc_error *err) ETC_MUST_CHECK;

/* Checks that the cost was measured with the part's program. E0577: it was measured with another
 * program, method or clock. N0697: the measurement could not prove that there is a cost. N0698: it
 * is unknown whether the cost was measured with the part's program and method. `profile`: the times
 * before the cost is subtracted. E0904. */
enum etc_status etc_tracer_check(const struct etc_tracer *tracer, const struct etc_part *part,
                                 const struct etc_profile *profile, struct etc_session *s,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Reports N0696 (the cost was subtracted) and N0699 (it exceeds the time of some rows). `profile`:
 * the times after the cost was subtracted. */
void etc_tracer_remark(const struct etc_tracer *tracer, const struct etc_profile *profile,
                       struct etc_notes *notes);

#endif

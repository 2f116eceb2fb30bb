/* forms.h -- the writers of the output formats of `etcore trace`. Their argument `what` is a struct
 * etc_tracing. */
#ifndef ETC_COMMANDS_TRACE_FORMS_H
#define ETC_COMMANDS_TRACE_FORMS_H

#include "commands/trace/trace.h"
#include "table/formats.h"

typedef enum etc_status etc_trace_writer(struct etc_tracing *tracing, struct etc_text *out,
                                         struct etc_error *err);

etc_trace_writer etc_trace_perfetto, etc_trace_chrome, etc_trace_speedscope, etc_trace_folded,
	etc_trace_pprof;

/* The properties of a format, in addition to its name and file extension. */
struct etc_trace_form {
	etc_trace_writer *write;
	bool binary;
	/* the format has stacks with exclusive times, so events that are not part of the measured
	 * time are left out */
	bool stacks;
	/* the format has a field for the name of the unit of times. The field has the unit of the
	 * dumps' times if all dumps have the same unit; otherwise "ns" */
	bool units;
};

/* clang-format off */
#define ETC_TRACE_FORMATS(X)                                                                      \
	X("perfetto",   "pftrace",         etc_trace_perfetto,   true,  false, false)             \
	X("speedscope", "speedscope.json", etc_trace_speedscope, false, false, false)             \
	X("chrome",     "json",            etc_trace_chrome,     false, false, false)             \
	X("folded",     NULL,              etc_trace_folded,     false, true,  false)             \
	X("pprof",      "pb.gz",           etc_trace_pprof,      true,  true,  true)
/* clang-format on */

#endif

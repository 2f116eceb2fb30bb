/* times.h -- reads the latencies from an ETDump: Method::execute of each run, unmodified. */
#ifndef ETC_PIPELINE_TIMES_H
#define ETC_PIPELINE_TIMES_H

#include "base/arena.h"
#include "base/error.h"

struct etc_times {
	double *execute_ms; /* per run with Method::execute, in file order */
	uint32_t runs;
	double load_ms; /* Program::load_method, or -1 */
	bool backwards; /* an event ends before it begins */
};

/* Ticks are assumed to be nanoseconds, as in executor_runner. Errors of etc_etdump_read,
 * E0904. */
enum etc_status etc_times_read(struct etc_span file, struct etc_arena *arena, struct etc_times *out,
                               struct etc_error *err) ETC_MUST_CHECK;

#endif

/* measure.h -- the peaks of the machine that etcore runs on. */
#ifndef ETC_COMMANDS_PEAKS_MEASURE_H
#define ETC_COMMANDS_PEAKS_MEASURE_H

#include "base/error.h"
#include "commands/peaks/kernels.h"

struct etc_peaks_found {
	struct etc_peaks peaks;           /* 0: not measured */
	const char *name[ETC_WORK_TYPES]; /* names of the kernels */
	size_t array_bytes; /* bytes of each of the triad's three arrays, of all threads together */
	size_t last_cache;  /* bytes of the last-level cache; 0: unknown */
};

/* Number of processors that this process may run on. */
unsigned etc_peaks_processors(void);

/* Measures on `threads` threads, for about `seconds` in all; the best of several repetitions
 * counts. E0904, also if a thread cannot be started. */
enum etc_status etc_peaks_measure(unsigned threads, double seconds, struct etc_peaks_found *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

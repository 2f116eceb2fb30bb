/* measure.h -- measures the peaks of the machine that etcore runs on. */
#ifndef ETC_COMMANDS_PEAKS_MEASURE_H
#define ETC_COMMANDS_PEAKS_MEASURE_H

#include "base/error.h"
#include "commands/peaks/kernels.h"

struct etc_peaks_found {
	struct etc_peaks peaks; /* a peak of 0 was not measured */
	/* for each enum etc_work_type, the name of the kernel that measured the peak */
	const char *name[ETC_WORK_TYPES];
	/* bytes of each of the three arrays of the memory benchmark (the triad of STREAM), summed
	 * over all threads */
	size_t array_bytes;
	size_t last_cache; /* bytes of the last-level cache; 0: unknown */
};

/* Returns the number of processors that this process may run on. */
unsigned etc_peaks_processors(void);

/* Measures the peaks on `threads` threads; this takes about `seconds` in total. Each measurement is
 * repeated, and the best repetition counts. E0904, also if a thread cannot be started. */
enum etc_status etc_peaks_measure(unsigned threads, double seconds, struct etc_peaks_found *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

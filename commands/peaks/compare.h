/* compare.h -- compares the peaks that were measured with several threads with the peaks of one
 * thread. */
#ifndef ETC_COMMANDS_PEAKS_COMPARE_H
#define ETC_COMMANDS_PEAKS_COMPARE_H

#include "base/notes.h"
#include "model/work.h"

/* The keys of the configuration's section [peaks] for arithmetic, indexed by enum etc_work_type:
 * "gflops_fp32" ... */
extern const char *const etc_peak_keys[ETC_WORK_OTHER];

/* Reports N1304 for each peak that was lower with several threads than with one. */
void etc_peaks_compare(const struct etc_peaks *several, const struct etc_peaks *one,
                       struct etc_notes *notes);

#endif

/* noise.h -- warns if the runs cannot be trusted: noise, two speeds, drift. */
#ifndef ETC_API_NOISE_H
#define ETC_API_NOISE_H

#include "base/notes.h"
#include "model/profile.h"

/* N0151, N0153 about end-to-end times, as in `diff`. N0134 if there are at least ETC_NOISE_RUNS
 * kept runs and either fewer than three quarters of them are typical (unless more than half of
 * all times are equal: a coarse clock), or their spread is above 5 %, or typical and median
 * differ by more than 5 %, or one of the `top` rows (0: all) changes by more than 20 % without
 * a single run; it names the rows whose 95 % intervals overlap, because their order is
 * uncertain. `file`: of each run of the trace, or NULL; `names`: of the files. E0904. */
enum { ETC_NOISE_RUNS = 10 };
enum etc_status etc_remark_noise(const struct etc_profile *profile, const uint32_t *file,
                                 const struct etc_str *names, uint32_t top, struct etc_notes *notes,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif

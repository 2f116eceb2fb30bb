/* noise.h -- reports why the times of the runs cannot be trusted: noise, two speeds, drift. */
#ifndef ETC_COMMANDS_ANALYZE_NOISE_H
#define ETC_COMMANDS_ANALYZE_NOISE_H

#include "base/notes.h"
#include "model/profile.h"

/* Reports drift (N0151) and two speeds (N0153) of end-to-end times, as `diff` does. With --stat
 * typical, reports N0134 if there are at least ETC_NOISE_RUNS kept runs and one of these holds:
 *   - fewer than three quarters of the runs are typical, unless more than half of all times are
 *     equal (a coarse clock);
 *   - the spread of the runs is above 5 %;
 *   - typical and median differ by more than 5 %;
 *   - removing one run changes the mean of a row by more than 20 %, and by more than truncation
 *     explains. Only the attached rows that a table of `top` rows shows (0: all) are tested.
 * Some tested rows may be ranked wrongly, because their 95 % interval overlaps that of the row
 * above or below. N0134 names the first 3 of these rows, and counts the others. Only the first 8
 * paths are examined. `file`: index of the file of each run of the trace, or NULL; `names`: the
 * names of the files. E0904. */
enum { ETC_NOISE_RUNS = 10 };
enum etc_status etc_remark_noise(const struct etc_profile *profile, const uint32_t *file,
                                 const struct etc_str *names, uint32_t top, struct etc_notes *notes,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif

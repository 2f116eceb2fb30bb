/* remarks.h -- what a person should know about an answer of `etcore analyze`:
 * the notes and warnings that follow from the profile and the inputs. */
#ifndef ETC_API_REMARKS_H
#define ETC_API_REMARKS_H

#include "context/inputs.h"
#include "model/profile.h"

/* About runs, times and backends. */
void etc_remark_profile(const struct etc_profile *profile, struct etc_notes *notes);

/* About columns of plugins: another name than was declared, and what did not fit. */
void etc_remark_columns(const struct etc_profile *profile, struct etc_notes *notes);

/* How many delegate events `grouped`, rows by module or source line, could place. */
void etc_remark_places(const struct etc_profile *grouped, struct etc_notes *notes);

/* Do dump and record belong together; is anything lost without a record? */
void etc_remark_record(const struct etc_profile *profile, const struct etc_inputs *in, uint8_t by,
                       struct etc_notes *notes);

/* Do dump and program belong together, and is each path known to be a method? */
void etc_remark_program(const struct etc_profile *profile, const struct etc_inputs *in,
                        struct etc_notes *notes);

/* Debug values that differ between runs of one shape. `budget`: bytes of memory
 * to compare values with strides. */
void etc_remark_debug(const struct etc_inputs *in, struct etc_notes *notes, size_t budget);

/* Was the first run slower than every typical one? Else it was no warm-up. */
bool etc_first_is_slower(const struct etc_profile_path *path);

/* "0.0021", "< 0.0001" */
enum { ETC_P_TEXT = 16 };
const char *etc_p_text(double p, char *to);

/* "35 % slower": the end of the drift's line against its begin. `drift`: as a part
 * of the median (struct etc_examined). */
enum { ETC_DRIFT_TEXT = 32 };
const char *etc_drift_text(double drift, char *to);

#endif

/* remarks.h -- the notes and warnings of `etcore analyze` that follow from the profile and the
 * inputs. */
#ifndef ETC_PROFILE_REMARKS_H
#define ETC_PROFILE_REMARKS_H

#include "context/inputs.h"
#include "model/profile.h"
#include "stats/examine.h"

/* Adds notes about runs, times and backends. */
void etc_remark_profile(const struct etc_profile *profile, struct etc_notes *notes);

/* Adds notes about columns of plugins: names that are already used by etcore's own columns, sums
 * beyond 64 bits, and truncated lists. */
void etc_remark_columns(const struct etc_profile *profile, struct etc_notes *notes);

/* Adds a note about how many delegate events have known nodes. `grouped` is the profile with rows
 * by module or source line. */
void etc_remark_places(const struct etc_profile *grouped, struct etc_notes *notes);

/* Adds the warnings that the record or the program does not belong to the dump (W0424, W0435), for
 * every command that uses these files. */
void etc_remark_foreign(const struct etc_inputs *in, struct etc_notes *notes);

/* Adds notes about methods that the record lacks, and about which information is missing without a
 * record. */
void etc_remark_record(const struct etc_profile *profile, const struct etc_inputs *in, uint8_t by,
                       struct etc_notes *notes);

/* Adds notes about whether each path fits a method. */
void etc_remark_program(const struct etc_profile *profile, struct etc_notes *notes);

/* Reports (W0710) the first debug value that differs between two runs of one event list. `budget`
 * is the number of bytes that comparing values with strides may use. */
void etc_remark_debug(const struct etc_inputs *in, struct etc_notes *notes, size_t budget);

/* Reports (W0711) that outputs of the program have elements that are NaN or infinite. Reads at most
 * `budget` bytes more than the debug buffer has, since tensors of a crafted dump may overlap. */
void etc_remark_outputs(const struct etc_inputs *in, struct etc_notes *notes, size_t budget);

/* Was the first run set aside as a warm-up, and slower than every typical run? */
bool etc_first_is_slower(const struct etc_profile_path *path);

/* Writes a p value, "0.0021" or "< 0.0001", to `to`, which has ETC_P_TEXT bytes; returns `to`. */
enum { ETC_P_TEXT = 16 };
const char *etc_p_text(double p, char *to);

/* Writes text such as "path 2: " to `to`, which has ETC_PATH_TEXT bytes, if the profile has several
 * paths; else "". Returns `to`. */
enum { ETC_PATH_TEXT = 32 };
const char *etc_remark_path(const struct etc_profile *profile, const struct etc_profile_path *path,
                            char *to);

/* Writes a drift (struct etc_examined), "35 % slower", to `to`, which has ETC_DRIFT_TEXT bytes;
 * returns `to`. */
enum { ETC_DRIFT_TEXT = 32 };
const char *etc_drift_text(double drift, char *to);

/* Writes the evidence that there are two speeds, "dip test p 0.003", to `to`, which has
 * ETC_MODES_TEXT bytes; returns `to`. */
enum { ETC_MODES_TEXT = 96 };
const char *etc_modes_text(const struct etc_examined *e, char *to);

#endif

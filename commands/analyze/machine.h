/* machine.h -- makes the machine-readable tables of a profile (CSV, JSON …). Every number in these
 * tables has all its digits.
 *
 * The names of columns and members are those of the public schema "etcore.analyze/1". */
#ifndef ETC_COMMANDS_ANALYZE_MACHINE_H
#define ETC_COMMANDS_ANALYZE_MACHINE_H

#include "base/error.h"
#include "model/profile.h"
#include "table/report.h"

/* Makes a table of all rows of the profile, whose cells are computed on demand. E0904. */
enum etc_status etc_view_rows(const struct etc_profile *profile, struct etc_arena *arena,
                              struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* Makes the table of etc_view_rows() with all cells filled, and appends columns that only --where,
 * --sort and --columns accept: the columns of the screen, and declared columns that no owner in the
 * dump uses. E0904. */
enum etc_status etc_view_rows_typed(const struct etc_profile *profile, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* Lists the methods of the profile with their loads and paths. E0904. */
enum etc_status etc_view_methods(const struct etc_profile *profile, struct etc_arena *arena,
                                 const struct etc_report_method **out, uint32_t *count,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* etc_row_runs() returns the number of runs whose times are in a row's sums. etc_row_per() returns
 * the number by which such a sum is divided to get the time per run. */
size_t etc_row_runs(const struct etc_profile *profile, const struct etc_profile_row *row);
size_t etc_row_per(const struct etc_profile *profile, const struct etc_profile_row *row);

/* Returns the row's share of its path's time, with these exceptions. For a row of a load: its share
 * of the load time. For a detached row: its share of `detached`, the sum of the detached rows in
 * its unit. For a detached row whose events ran in parallel: its share of the time of its calls.
 * Returns 0/0 if the share is unknown. */
struct etc_ratio etc_row_share(const struct etc_profile *profile, const struct etc_profile_row *row,
                               etc_u128 detached);

/* Allocates an array that etc_row_values() can fill for any row of the profile. NULL: out of
 * memory. */
uint64_t *etc_row_room(const struct etc_profile *profile, struct etc_arena *arena);

/* Writes the row's time in each of its runs, in file order, to `v`, an array of etc_row_room().
 * Returns the number of times; 0 if the times are unknown. */
size_t etc_row_values(const struct etc_profile *profile, const struct etc_profile_row *row,
                      uint64_t *v);

/* Returns the spread (stats/typical.h) of the times of etc_row_values(); 0/0 if it is unknown.
 * `room`: scratch, an array of etc_row_room(). */
struct etc_ratio etc_row_spread(const struct etc_profile *profile,
                                const struct etc_profile_row *row, uint64_t *room);

#endif

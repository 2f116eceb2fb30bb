/* events.h -- `--events`: selects the runs of each template and makes the table. */
#ifndef ETC_COMMANDS_ANALYZE_EVENTS_H
#define ETC_COMMANDS_ANALYZE_EVENTS_H

#include "profile/profile.h"
#include "table/report.h"

/* Makes the table of all events, template by template in the order of their first runs. Runs that
 * are in `whole` but not in `profile` are left out: they are of other methods. Warm-up runs are
 * left out, too; only a template whose runs are all warm-up runs keeps them. `typed`: the table
 * also gets the columns that only --where, --sort and --columns use (table/table.h). E0904. */
enum etc_status etc_events_make(const struct etc_trace *trace,
                                const struct etc_profile_options *options,
                                const struct etc_profile *whole, const struct etc_profile *profile,
                                bool typed, struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif

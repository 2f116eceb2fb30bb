/* allocations.h -- the table of the runtime's memory allocations (AllocationEvent). */
#ifndef ETC_COMMANDS_ANALYZE_ALLOCATIONS_H
#define ETC_COMMANDS_ANALYZE_ALLOCATIONS_H

#include "base/error.h"
#include "model/profile.h"
#include "table/table.h"

/* Indices of some columns of the table: the path's number, the bytes per run, and the bytes of the
 * run that allocated most. */
enum { ETC_ALLOCATIONS_PATH = 1, ETC_ALLOCATIONS_BYTES = 5, ETC_ALLOCATIONS_MOST = 6 };

/* Makes the table. It has one row per path and allocator. The runs that execute no method (such as
 * loads) have together one row per allocator. A row has the allocations and bytes per run, the
 * bytes of the run that allocated most, and the bytes of the largest allocation. Warm-up runs are
 * left out. The table has no rows if the trace has no AllocationEvents. E0904. */
enum etc_status etc_view_allocations(const struct etc_trace *trace,
                                     const struct etc_profile *profile, struct etc_arena *arena,
                                     struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

#endif

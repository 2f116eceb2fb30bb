/* diff_remarks.h -- the notes and warnings of `etcore diff`: facts that weaken a verdict, or that
 * users need to interpret it. */
#ifndef ETC_COMMANDS_COMPARE_DIFF_REMARKS_H
#define ETC_COMMANDS_COMPARE_DIFF_REMARKS_H

#include "commands/compare/groups.h"
#include "commands/compare/compare.h"

void etc_remark_diff(const struct etc_diff *diff, const struct etc_file_groups *files,
                     struct etc_arena *arena, struct etc_notes *notes);

#endif

/* diff_remarks.h -- reports the notes and warnings of `etcore diff`. They state what weakens a
 * verdict, or what is needed to interpret it. */
#ifndef ETC_COMMANDS_COMPARE_DIFF_REMARKS_H
#define ETC_COMMANDS_COMPARE_DIFF_REMARKS_H

#include "commands/compare/groups.h"
#include "commands/compare/compare.h"

void etc_remark_diff(const struct etc_diff *diff, const struct etc_file_groups *files,
                     struct etc_arena *arena, struct etc_notes *notes);

#endif

/* program_diff_screen.h -- the text report of `etcore dump A --diff B`. */
#ifndef ETC_VIEW_PROGRAM_DIFF_H
#define ETC_VIEW_PROGRAM_DIFF_H

#include "base/text.h"
#include "commands/dump/program_diff.h"

/* Writes the rows that differ, and the number of equal ones. */
void etc_view_program_diff(const struct etc_program_diff *diff, const char *const paths[2],
                           struct etc_text *out);

#endif

/* screen.h -- the lines above a table of a profile on the screen. */
#ifndef ETC_PROFILE_SCREEN_H
#define ETC_PROFILE_SCREEN_H

#include "base/error.h"
#include "table/report.h"
#include "model/profile.h"

/* Makes the lines above the table of `path`, or of the load (ETC_PROFILE_LOAD). */
enum etc_status etc_view_header(const struct etc_profile *profile, uint32_t path,
                                struct etc_arena *arena, struct etc_report_block *block,
                                struct etc_error *err) ETC_MUST_CHECK;

enum { ETC_VIEW_LIBRARIES = 4 /* maximum number of lines about libraries */ };

/* Returns text such as "KleidiAI  8 of 8 matrix kernels: ..." about library number `nth`, from 0,
 * among those that an annotator examined. Empty: there are fewer. */
struct etc_str etc_view_library(const struct etc_profile *profile, uint32_t path, uint32_t nth,
                                struct etc_arena *arena);

#endif

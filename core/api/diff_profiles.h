/* diff_profiles.h -- of each dump of each group a profile by event with its single
 * runs: what `etcore diff` and `etcore check` compare. */
#ifndef ETC_API_DIFF_PROFILES_H
#define ETC_API_DIFF_PROFILES_H

#include "api/groups.h"
#include "api/plan.h"
#include "compare/diff.h"

/* Of opened groups (etc_groups_open). E0904, and of making profiles. */
enum etc_status etc_diff_profiles(const struct etc_plan *plan, const struct etc_file_groups *files,
                                  struct etc_session *s, struct etc_diff_group **out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

/* diff_profiles.h -- makes the input of `etcore diff` and `etcore check`: for each dump of each
 * group, a profile by event with the times of each run. */
#ifndef ETC_COMMANDS_COMPARE_DIFF_PROFILES_H
#define ETC_COMMANDS_COMPARE_DIFF_PROFILES_H

#include "commands/compare/groups.h"
#include "profile/plan.h"
#include "commands/compare/compare.h"

/* Makes the profile of one dump that has been read. `by`: ETC_BY_EVENT or ETC_BY_DELEGATE.
 * `places`: whether to find the nodes and modules of events. E0904, and the errors of making
 * profiles. */
enum etc_status etc_diff_profile(const struct etc_plan *plan, const struct etc_inputs *in,
                                 uint8_t by, bool places, struct etc_session *s,
                                 struct etc_profile *out, struct etc_error *err) ETC_MUST_CHECK;

/* Makes the profiles of all dumps of `files`, which etc_groups_open() has opened. E0904, and the
 * errors of making profiles. */
enum etc_status etc_diff_profiles(const struct etc_plan *plan, const struct etc_file_groups *files,
                                  struct etc_session *s, struct etc_diff_group **out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

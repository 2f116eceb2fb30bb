/* pattern.h -- regular expressions (POSIX extended), as in `--where NAME ~ PATTERN`. */
#ifndef ETC_BASE_PATTERN_H
#define ETC_BASE_PATTERN_H

#include "base/error.h"

struct etc_pattern;

/* Compiles the expression `text` into `*out`; release it with etc_pattern_release(). E0552: the
 * expression is invalid, and `*out` is NULL. */
enum etc_status etc_pattern_make(struct etc_str text, struct etc_pattern **out,
                                 struct etc_error *err) ETC_MUST_CHECK;
/* Like etc_pattern_make(), for use with etc_pattern_find(), which returns captured groups. */
enum etc_status etc_pattern_make_finding(struct etc_str text, struct etc_pattern **out,
                                         struct etc_error *err) ETC_MUST_CHECK;
void etc_pattern_release(struct etc_pattern *p);

/* Does the pattern match anywhere in `text`? Bytes after a NUL are ignored. */
bool etc_pattern_matches(const struct etc_pattern *p, struct etc_str text);

enum { ETC_PATTERN_GROUPS = 10 };

/* Returns the number of groups in the pattern. The match of the whole pattern does not count as
 * one. */
uint32_t etc_pattern_groups(const struct etc_pattern *p);

/* Like etc_pattern_matches(), and sets `found` to the matches: the whole match, then each group, as
 * views into `text`; a group that matched nothing is empty. */
bool etc_pattern_find(const struct etc_pattern *p, struct etc_str text,
                      struct etc_str found[ETC_PATTERN_GROUPS]);

#endif

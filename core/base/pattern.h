/* pattern.h -- regular expressions (POSIX extended), as `--where NAME ~ PATTERN`. */
#ifndef ETC_BASE_PATTERN_H
#define ETC_BASE_PATTERN_H

#include "base/error.h"

struct etc_pattern;

/* NULL and E0507 when `text` is no regular expression. Release it. */
enum etc_status etc_pattern_make(struct etc_str text, struct etc_pattern **out,
                                 struct etc_error *err) ETC_MUST_CHECK;
/* The same for etc_pattern_find: keeps what its groups matched. */
enum etc_status etc_pattern_make_finding(struct etc_str text, struct etc_pattern **out,
                                         struct etc_error *err) ETC_MUST_CHECK;
void etc_pattern_release(struct etc_pattern *p);

/* Does it match anywhere in `text`? Bytes behind a NUL are not looked at. */
bool etc_pattern_matches(const struct etc_pattern *p, struct etc_str text);

enum { ETC_PATTERN_GROUPS = 10 };

/* Groups of the pattern, the whole match not counted. */
uint32_t etc_pattern_groups(const struct etc_pattern *p);

/* Like etc_pattern_matches, and `found` gets the matches: the whole, then each group, views into
 * `text`; empty where a group took no part. */
bool etc_pattern_find(const struct etc_pattern *p, struct etc_str text,
                      struct etc_str found[ETC_PATTERN_GROUPS]);

#endif

/* nearest.h -- finds the closest of several names, for "did you mean". */
#ifndef ETC_BASE_NEAREST_H
#define ETC_BASE_NEAREST_H

#include "base/error.h"
#include "base/span.h"

/* Returns the one of the `count` names with the smallest edit distance to `word`; an empty text if
 * none is close enough. A `word` of less than 5 bytes may differ by one edit, one of less than 9
 * bytes by two, a longer one by a third of its length. A transposition is one edit; a change of
 * case is none. */
struct etc_str etc_nearest(struct etc_str word, const struct etc_str *names, size_t count);

/* Fails with `code` because `word` is none of the `names`. If a name is similar, the message is
 * "'word'; did you mean 'name'?". Otherwise it lists the names: "'word'; the dump has 'name',
 * 'other'", where `has` is the text "the dump has". Repeated and empty names are left out; if no
 * name is left, the text `none` replaces the list. */
enum etc_status etc_fail_unknown(struct etc_error *err, enum etc_code code, struct etc_str word,
                                 const struct etc_str *names, size_t count, const char *has,
                                 const char *none);

#endif

/* check_subject.h -- reads the files that `etcore plugins check` uses: sample dump and recorded
 * answers. */
#ifndef ETC_API_CHECK_SUBJECT_H
#define ETC_API_CHECK_SUBJECT_H

#include "context/session.h"
#include "commands/plugins/check/check.h"

/* Reads the delegate events of the dump at `sample` and the recorded answers at `expected`
 * (NULL or empty: none) into *out. E0633, E0634, E0806, and the errors of opening and reading
 * them. */
enum etc_status etc_check_subject_read(struct etc_session *s, const char *sample,
                                       const char *expected, struct etc_check_subject *out,
                                       struct etc_error *err) ETC_MUST_CHECK;

#endif

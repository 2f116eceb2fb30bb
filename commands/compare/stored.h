/* stored.h -- stored baselines as inputs of comparisons, and dumps as what is stored. */
#ifndef ETC_API_STORED_H
#define ETC_API_STORED_H

#include "context/inputs.h"

/* May these bytes be a baseline, and not a log that begins alike? */
bool etc_stored_is(struct etc_span bytes);

/* The inputs of one dump of the baseline `file`; `first`: its first. What was said when
 * the dump was read is said again. E0904. */
enum etc_status etc_stored_input(struct etc_session *s, const struct etc_input_file *file,
                                 const struct etc_baseline_dump *dump, bool first,
                                 struct etc_inputs *out, struct etc_error *err) ETC_MUST_CHECK;

/* The same of what was said when its profile was made. */
void etc_stored_notes(struct etc_notes *notes, const struct etc_baseline_dump *dump);

#endif

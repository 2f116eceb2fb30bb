/* stored.h -- makes inputs of comparisons from stored baselines. */
#ifndef ETC_COMMANDS_COMPARE_STORED_H
#define ETC_COMMANDS_COMPARE_STORED_H

#include "context/inputs.h"

/* Can these bytes be a baseline? False for the log of a serial port, although it may begin with
 * '{', too. */
bool etc_stored_is(struct etc_span bytes);

/* Makes the inputs of one dump of the baseline `file`. `first`: the dump is the first one of the
 * file; out->baseline is then set to the file. The diagnostics that were reported when the dump
 * itself was read are reported again. E0904. */
enum etc_status etc_stored_input(struct etc_session *s, const struct etc_input_file *file,
                                 const struct etc_baseline_dump *dump, bool first,
                                 struct etc_inputs *out, struct etc_error *err) ETC_MUST_CHECK;

/* Reports again the diagnostics that were reported when the dump's profile was made. */
void etc_stored_notes(struct etc_notes *notes, const struct etc_baseline_dump *dump);

#endif

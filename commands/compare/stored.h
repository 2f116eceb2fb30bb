/* stored.h -- conversion between stored baselines and the inputs of comparisons. */
#ifndef ETC_COMMANDS_COMPARE_STORED_H
#define ETC_COMMANDS_COMPARE_STORED_H

#include "context/inputs.h"

/* Can these bytes be a baseline? False for a log of a serial port that also begins with '{'. */
bool etc_stored_is(struct etc_span bytes);

/* Makes the inputs of one dump of the baseline `file`. `first`: it is the first dump of the file,
 * and out->baseline is set to the file. Diagnostics that were reported when the dump was read are
 * reported again. E0904. */
enum etc_status etc_stored_input(struct etc_session *s, const struct etc_input_file *file,
                                 const struct etc_baseline_dump *dump, bool first,
                                 struct etc_inputs *out, struct etc_error *err) ETC_MUST_CHECK;

/* Repeats the diagnostics that were reported when the dump's profile was made. */
void etc_stored_notes(struct etc_notes *notes, const struct etc_baseline_dump *dump);

#endif

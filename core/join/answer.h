/* answer.h -- what was answered about a call, written into its sites. */
#ifndef ETC_JOIN_ANSWER_H
#define ETC_JOIN_ANSWER_H

#include "join/gather.h"

/* How what the owner says of times is to be read; the backend stays. */
void etc_reading_take(struct etc_sites *sites, const struct etc_time_facts *t,
                      struct etc_reading *as);

/* Where nobody was asked or nobody knows the call, what its names tell. Facts and names live
 * in `arena`. E0904. */
enum etc_status etc_call_take(struct etc_call *c, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

#endif

/* answer.h -- writes the answers of plugins about a call into the sites of the call. */
#ifndef ETC_JOIN_ANSWER_H
#define ETC_JOIN_ANSWER_H

#include "join/gather.h"

/* Sets all members of `as` except `backend`, from `t`, the owner's description of an event's times.
 * Sets those flags of `sites` that the reading needs: `scaled`, `rounds`, `clocks`, `wraps` and
 * `parallel`. */
void etc_reading_take(struct etc_sites *sites, const struct etc_time_facts *t,
                      struct etc_reading *as);

/* Writes the owner's answers into the sites of the call. If no plugin owns a delegate call, but its
 * events have names of a built-in backend (model/builtin.h), their times are decoded as times of
 * this backend. Memory is the arena's. E0904. */
enum etc_status etc_call_take(struct etc_call *c, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

#endif

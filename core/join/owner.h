/* owner.h -- finds the owner of each delegate call's events, and applies its answers.
 *
 * The owner is a plugin, found by the backend's name or by probing. Without an owner, some backends
 * are recognised by the form of their names (model/builtin.h). If a call has neither an owner nor a
 * recognised backend, an event of it is on the runtime's clock if the event's interval is inside
 * the interval of its DELEGATE_CALL. */
#ifndef ETC_JOIN_OWNER_H
#define ETC_JOIN_OWNER_H

#include "join/gather.h"

/* Sets owner, time and name of every site. `runs`: the runs of the template. The memory of facts
 * and names is that of `arena`. E0605 (two owners), E0904. */
enum etc_status etc_sites_own(struct etc_sites *sites, const struct etc_join_input *in,
                              const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Selects the runs of a template whose samples are sent to plugins, by each run's enum etc_run_use:
 * the typical runs; if there are none, the kept runs; if there are none of these either, all runs.
 * Writes them to `out`, which has room for all runs, and returns their number. */
size_t etc_runs_asked(const uint32_t *run, const uint8_t *use, size_t count, uint32_t *out);

#endif

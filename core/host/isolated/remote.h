/* remote.h -- calls hooks of a plugin that runs in a process of its own.
 *
 * etc_remote_ahead() requests the hooks of many delegate calls in one message. When etcore then
 * calls a single hook, its answer is taken from the reply to this message. If the hook was not
 * requested ahead, a message is sent for it alone. */
#ifndef ETC_HOST_ISOLATED_REMOTE_H
#define ETC_HOST_ISOLATED_REMOTE_H

#include "host/isolated/wire.h"

/* Starts the process of `p`, whose `path` the caller has set, and reads the plugin's descriptor
 * from it, like etc_plugin_open(). If the process crashes or hangs before it sends the descriptor,
 * p->why is W0640. E0641: the process cannot be started. E0904. */
enum etc_status etc_remote_open(struct etc_plugin *p, const struct etc_host_options *options,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Requests the hooks of `count` calls in one message. If the process fails, requests are repeated
 * call by call, then hook by hook, to find the hook at fault; the plugin is then quarantined
 * (p->broken), and W0640 reports the reason. The calls must stay valid until etc_remote_answer()
 * was called for all answers. Does nothing for a plugin that runs in this process. E0904. */
enum etc_status etc_remote_ahead(struct etc_plugin *p, const struct etc_wire_call *calls,
                                 uint32_t count, struct etc_error *err) ETC_MUST_CHECK;

/* For a plugin in a process of its own, run.c calls this instead of the hook. Passes the answer
 * of the hook to the sinks in `a`.
 * ETC_REPLAY_NONSENSE: there is no answer; the reason was reported. */
enum etc_replay etc_remote_answer(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a,
                                  char what[ETC_EXCEPTION_MAX]);

/* Closes the plugin's instance, then ends the plugin's process. */
void etc_remote_close(struct etc_plugin *p);

#endif

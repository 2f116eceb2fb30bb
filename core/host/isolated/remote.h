/* remote.h -- the host's side of plugins that run in a process of their own.
 *
 * Requests for the hooks of many delegate calls are sent in one message (etc_remote_ahead);
 * later requests for single hooks are answered from the reply. A request that was not batched
 * is a message of its own. */
#ifndef ETC_HOST_ISOLATED_REMOTE_H
#define ETC_HOST_ISOLATED_REMOTE_H

#include "host/isolated/wire.h"

/* Starts the process of `p` (path is set) and reads its descriptor, like
 * etc_plugin_open(). W0640 in p->why if it crashed or hung before that. E0641 if it
 * cannot be started, E0904. */
enum etc_status etc_remote_open(struct etc_plugin *p, const struct etc_host_options *options,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Requests the hooks of `count` calls in one message. If that fails, requests are repeated call by
 * call, then hook by hook, to find the faulty hook; the plugin is then quarantined (p->broken), and
 * W0640 gives the reason. The calls must stay valid until the answers are taken. Does nothing for a
 * plugin in this process. E0904. */
enum etc_status etc_remote_ahead(struct etc_plugin *p, const struct etc_wire_call *calls,
                                 uint32_t count, struct etc_error *err) ETC_MUST_CHECK;

/* Called by run.c: passes the answer of one hook to the sinks in `a`. ETC_REPLAY_NONSENSE: there is
 * no answer, and the reason has been reported. */
enum etc_replay etc_remote_answer(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a,
                                  char what[ETC_EXCEPTION_MAX]);

/* Closes the instance, then ends the process. */
void etc_remote_close(struct etc_plugin *p);

#endif

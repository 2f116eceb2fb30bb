/* remote.h -- the host's side of plugins that run in a process of their own.
 *
 * Requests for the hooks of many delegate calls are sent in one message (etc_remote_ahead);
 * the hook-by-hook requests that follow are served from the replies. A request that was not
 * batched is a message of its own. */
#ifndef ETC_HOST_REMOTE_H
#define ETC_HOST_REMOTE_H

#include "host/isolated/wire.h"

/* Starts the process of `p` (path is set) and reads its descriptor, like
 * etc_plugin_open(). W0640 in p->why if it crashed or hung before that. E0641 if it
 * cannot be started, E0904. */
enum etc_status etc_remote_open(struct etc_plugin *p, const struct etc_host_options *options,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Asks everything about `count` calls. When that fails it is asked again call by
 * call, then hook by hook, until it is known who is to blame: the plugin is then
 * quarantined (p->broken) and W0640 says why. The calls must stay until the answers
 * are taken. Nothing for a plugin that lives here. E0904. */
enum etc_status etc_remote_ahead(struct etc_plugin *p, const struct etc_wire_call *calls,
                                 uint32_t count, struct etc_error *err) ETC_MUST_CHECK;

/* run.c: the answer of one hook. NONSENSE: there is none, and the note is written. */
enum etc_replay etc_remote_answer(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a,
                                  char what[ETC_EXCEPTION_MAX]);

/* Ends the process, gently. */
void etc_remote_close(struct etc_plugin *p);

#endif

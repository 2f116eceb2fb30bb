/* serve.h -- what the process of an isolated plugin does: it runs the hooks that etcore
 * requests. */
#ifndef ETC_HOST_ISOLATED_SERVE_H
#define ETC_HOST_ISOLATED_SERVE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hidden command of the etcore program that runs an isolated plugin (etc_plugin_serve). Its
 * arguments are the path of the plugin and the limit of memory in bytes. */
#define ETC_PLUGIN_COMMAND "plugin-host"

/* Exit statuses of the process, from which etcore learns why it ended. */
enum {
	ETC_SERVE_CONFUSED = 70, /* a message from etcore is invalid */
	ETC_SERVE_TOO_MUCH = 71, /* the message with the answers would exceed its limit */
	ETC_SERVE_NO_MEMORY = 72
};

/* Opens the plugin at `path` and answers the messages that arrive on descriptor 3. When the other
 * end is closed, ends the process instead of returning. `memory`: limit of the address space in
 * bytes; 0: no limit. E0641: descriptor 3 is not the socket that etcore passes to the process. */
enum etc_status etc_plugin_serve(const char *path, size_t memory,
                                 struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

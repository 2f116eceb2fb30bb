/* serve.h -- the process of an isolated plugin. */
#ifndef ETC_HOST_ISOLATED_SERVE_H
#define ETC_HOST_ISOLATED_SERVE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hidden command of the etcore program that runs an isolated plugin (etc_plugin_serve). Its
 * arguments: PATH BYTES. */
#define ETC_PLUGIN_COMMAND "plugin-host"

/* Exit statuses that tell the host the cause. */
enum {
	ETC_SERVE_CONFUSED = 70, /* the host's message is invalid */
	ETC_SERVE_TOO_MUCH = 71, /* the answers exceed the limit */
	ETC_SERVE_NO_MEMORY = 72
};

/* Opens the plugin at `path` and answers on descriptor 3 until the host hangs up; then it exits
 * instead of returning. `memory`: bytes of address space, 0: no limit. E0641 if descriptor 3 is
 * not a host's socket. */
enum etc_status etc_plugin_serve(const char *path, size_t memory,
                                 struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

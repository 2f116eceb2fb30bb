/* serve.h -- the process of an isolated plugin. */
#ifndef ETC_HOST_SERVE_H
#define ETC_HOST_SERVE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exit statuses that tell the host the cause. */
enum {
	ETC_SERVE_CONFUSED = 70, /* the host's message makes no sense */
	ETC_SERVE_TOO_MUCH = 71, /* the answers have no end */
	ETC_SERVE_NO_MEMORY = 72
};

/* Opens the plugin at `path` and answers on descriptor 3 until the host hangs up;
 * then it does not return. `memory`: bytes of address space, 0: no limit. E0641 when
 * nobody is there who could have called. */
enum etc_status etc_plugin_serve(const char *path, size_t memory,
                                 struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

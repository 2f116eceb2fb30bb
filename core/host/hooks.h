/* hooks.h -- calls a plugin's hook and returns its validated answer: one function per hook. */
#ifndef ETC_HOST_HOOKS_H
#define ETC_HOST_HOOKS_H

#include "host/plugin.h"

/* For all functions of this file: `*out` is always set. It is zero, or the generic answer, if the
 * plugin is NULL, has no such hook, or declines. The same holds if the hook fails, which is
 * reported by a note. The only error is E0904. */
enum etc_status etc_host_parse_metadata(struct etc_plugin *p, const struct etcore_call *call,
                                        uint32_t index, struct etc_parsed *out,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* Converts ticks by the plugin's convert_time. Sets `*declined` if the plugin has no such hook,
 * declined or failed: the caller must then use the host's own conversion. */
enum etc_status etc_host_convert_time(struct etc_plugin *p, const struct etcore_call *call,
                                      uint32_t index, const struct etcore_scales *scales,
                                      const uint64_t *raw, uint64_t count,
                                      struct etc_converted *out, bool *declined,
                                      struct etc_error *err) ETC_MUST_CHECK;
/* Describes the times of all events of the call at once, in out[0 .. call->count). Sets
 * `*described` if the plugin described them. Otherwise `out` gets the generic description; so does
 * a single event whose description is invalid. */
enum etc_status etc_host_describe_time(struct etc_plugin *p, const struct etcore_call *call,
                                       struct etc_time_facts *out, bool *described,
                                       struct etc_error *err) ETC_MUST_CHECK;

/* The answer of map_event. */
struct etc_mapped {
	struct etc_str key;     /* key in the record's delegate map; empty: none given */
	const int64_t *handles; /* edge debug handles */
	uint32_t count;
	bool not_edge_handles;
};
enum etc_status etc_host_map_event(struct etc_plugin *p, const struct etcore_call *call,
                                   uint32_t index, struct etc_mapped *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Appends columns computed by the configuration's rules to the owner's columns in `parsed`.
 * E0904. */
enum etc_status etc_host_add_columns(struct etc_plugin *owner, const struct etcore_call *call,
                                     uint32_t index, struct etc_parsed *parsed,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif

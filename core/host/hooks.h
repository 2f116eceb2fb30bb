/* hooks.h -- calls hooks of a plugin and returns their validated answers; each function calls one
 * hook. */
#ifndef ETC_HOST_HOOKS_H
#define ETC_HOST_HOOKS_H

#include "host/plugin.h"

/* Calls parse_metadata for event `index` of the call.
 *
 * For all functions of this file: if the plugin is NULL, does not have the hook, or declines,
 * `*out` gets the values for an event without a plugin (zeros, if nothing else is said). The same
 * happens if the hook fails; a note then reports the failure. The only error is E0904. */
enum etc_status etc_host_parse_metadata(struct etc_plugin *p, const struct etcore_call *call,
                                        uint32_t index, struct etc_parsed *out,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* Converts `count` ticks by the plugin's convert_time. Sets `*declined` to true if the plugin does
 * not have this hook, declined or failed; the caller must then use etcore's own conversion. */
enum etc_status etc_host_convert_time(struct etc_plugin *p, const struct etcore_call *call,
                                      uint32_t index, const struct etcore_scales *scales,
                                      const uint64_t *raw, uint64_t count,
                                      struct etc_converted *out, bool *declined,
                                      struct etc_error *err) ETC_MUST_CHECK;
/* Calls describe_time, which describes the times of all events of the call, and fills out[0 ..
 * call->count). Sets `*described` to true if the plugin described them. Otherwise every event gets
 * a default description, with unknown unit and clock. An event whose description is invalid gets
 * the default, too. */
enum etc_status etc_host_describe_time(struct etc_plugin *p, const struct etcore_call *call,
                                       struct etc_time_facts *out, bool *described,
                                       struct etc_error *err) ETC_MUST_CHECK;

/* The answer of the hook map_event: the nodes of an event. */
struct etc_mapped {
	/* key with which the event is looked up in the record's delegate map; empty: the plugin
	 * gave none */
	struct etc_str key;
	const int64_t *handles; /* `count` debug handles of the edge program that the plugin gave */
	uint32_t count;
	bool not_edge_handles;
};
enum etc_status etc_host_map_event(struct etc_plugin *p, const struct etcore_call *call,
                                   uint32_t index, struct etc_mapped *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Appends to `parsed`, the answer of the owner's parse_metadata, the columns that rules of the
 * section [backend.ID] compute. E0904. */
enum etc_status etc_host_add_columns(struct etc_plugin *owner, const struct etcore_call *call,
                                     uint32_t index, struct etc_parsed *parsed,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif

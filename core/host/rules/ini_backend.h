/* ini_backend.h -- the backends described by the configuration: where the host keeps and calls
 * them. For host/ only; ini_rules.h turns their rules into plugins. */
#ifndef ETC_HOST_RULES_INI_BACKEND_H
#define ETC_HOST_RULES_INI_BACKEND_H

#include "host/plugin.h"

/* Creates host->ruled from the settings. E0904. */
enum etc_status etc_ruled_load(struct etc_host *host, struct etc_error *err) ETC_MUST_CHECK;
void etc_ruled_release(struct etc_host *host);

/* Checks the rules against the plugins that own their backends. E0528, E0529. */
enum etc_status etc_ruled_check(const struct etc_host *host, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the plugin made from the rules of a backend, or NULL. */
struct etc_plugin *etc_ruled_of(const struct etc_host *host, struct etc_str backend);

/* Returns the ID in the title [backend.ID] of the section from which `ruled` was made. */
struct etcore_text etc_ruled_backend(const struct etc_plugin *ruled);

/* Does the call's backend come from a matching `probe =`, not from a file? See
 * etc_host_recognise(). */
bool etc_ruled_named(const struct etc_host *host, const struct etcore_call *call);

/* Returns the rules of the call's backend if they add to the answers of a plugin that owns the
 * call. NULL: the backend has no rules, or the rules themselves own the call. */
struct etc_plugin *etc_ruled_beside(struct etc_plugin *owner, const struct etcore_call *call);

/* Adds results of the backend's rules to those of the plugin that owns the call: times if the
 * plugin described none, and texts that it left empty; for columns see etc_host_add_columns.
 * E0904. */
enum etc_status etc_ruled_times_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_time_facts *times, bool *described,
                                    struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_ruled_facts_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_facts *facts, struct etc_error *err) ETC_MUST_CHECK;

#endif

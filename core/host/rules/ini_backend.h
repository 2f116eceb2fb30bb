/* ini_backend.h -- the plugins made from sections [backend.ID] with rules: creates them, checks
 * them, and adds their results to those of other plugins. ini_rules.h makes a plugin from the rules
 * of one section. For core/host only. */
#ifndef ETC_HOST_RULES_INI_BACKEND_H
#define ETC_HOST_RULES_INI_BACKEND_H

#include "host/plugin.h"

/* Creates host->ruled from the settings. E0904. */
enum etc_status etc_ruled_load(struct etc_host *host, struct etc_error *err) ETC_MUST_CHECK;
void etc_ruled_release(struct etc_host *host);

/* Checks that no section contradicts the plugin that owns its backend. E0528: the section has a
 * rule for a column that this plugin declares. E0529: the section has `owner =`, and a key for
 * something that a hook of this plugin answers. */
enum etc_status etc_ruled_check(const struct etc_host *host, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the plugin made from the rules of a backend, or NULL. */
struct etc_plugin *etc_ruled_of(const struct etc_host *host, struct etc_str backend);

/* Returns the ID in the title [backend.ID] of the section from which `ruled` was made. */
struct etcore_text etc_ruled_backend(const struct etc_plugin *ruled);

/* Was the call's backend set by etc_host_recognise(), because a `probe =` matched? False: a file
 * names it. */
bool etc_ruled_named(const struct etc_host *host, const struct etcore_call *call);

/* Returns the plugin made from the rules of the call's backend. Its answers are added to those of
 * `owner`, the plugin that owns the call. NULL: the backend has no rules, or the plugin made from
 * them is itself the owner. */
struct etc_plugin *etc_ruled_beside(struct etc_plugin *owner, const struct etcore_call *call);

/* These functions add the results of the backend's rules to those of the plugin that owns the call:
 * descriptions of times, if the owner described none, and facts that the owner left empty.
 * etc_host_add_columns() adds columns. E0904. */
enum etc_status etc_ruled_times_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_time_facts *times, bool *described,
                                    struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_ruled_facts_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_facts *facts, struct etc_error *err) ETC_MUST_CHECK;

#endif

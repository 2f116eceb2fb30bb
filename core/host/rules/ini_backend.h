/* ini_backend.h -- the backends that are explained by configuration: their place in the
 * host. For host/ only; what they are is in rules.h. */
#ifndef ETC_HOST_RULED_H
#define ETC_HOST_RULED_H

#include "host/host.h"

/* Makes host->ruled of the settings. E0904. */
enum etc_status etc_ruled_load(struct etc_host *host, struct etc_error *err) ETC_MUST_CHECK;
void etc_ruled_release(struct etc_host *host);

/* Holds the rules against the plugins that own their backends. E0528, E0529. */
enum etc_status etc_ruled_check(const struct etc_host *host, struct etc_error *err) ETC_MUST_CHECK;

/* The rules of a backend, or NULL. */
struct etc_plugin *etc_ruled_of(const struct etc_host *host, struct etc_str backend);

/* The id of its section. */
struct etcore_text etc_ruled_backend(const struct etc_plugin *ruled);

/* Was the call's backend named by `probe =`, and by no file? */
bool etc_ruled_named(const struct etc_host *host, const struct etcore_call *call);

/* The rules beside the plugin that owns the call; NULL: none, or they own it. */
struct etc_plugin *etc_ruled_beside(struct etc_plugin *owner, const struct etcore_call *call);

/* After a plugin, who owns the call, what its backend's rules add: times when it
 * described none, texts that it left empty; further columns: etc_host_add_columns. E0904. */
enum etc_status etc_ruled_times_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_time_facts *times, bool *described,
                                    struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_ruled_facts_add(struct etc_plugin *owner, const struct etcore_call *call,
                                    struct etc_facts *facts, struct etc_error *err) ETC_MUST_CHECK;

#endif

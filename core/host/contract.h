/* contract.h -- opening a plugin and judging what it says about itself and about
 * times: what host/ does before it believes a plugin, for check/ too. */
#ifndef ETC_HOST_CONTRACT_H
#define ETC_HOST_CONTRACT_H

#include "host/host.h"

/* load.c: reads the file's symbol table, opens the library and checks its
 * descriptor. Fills abi, name, why, reason, abi_found of `p`, whose path is
 * set. E0904 only: what is wrong with the file is in `p`. */
enum etc_status etc_plugin_open(struct etc_plugin *p, struct etc_arena *arena,
                                struct etc_error *err) ETC_MUST_CHECK;

/* load.c: the memory of an open plugin's library that its code may write. How
 * many parts there are, at most `room`. */
uint32_t etc_plugin_variables(const struct etcore_plugin *abi, struct etc_span *out, uint32_t room);

/* contract.c: what is wrong with a descriptor for a host of minor version `minor` (0, or
 * ETCORE_PLUGIN_ABI_MINOR), or NULL. */
const char *etc_contract_fault(const struct etcore_plugin *abi, uint32_t minor);

/* The lowest minor version of a host that the plugin works with. */
uint32_t etc_contract_least(const struct etcore_plugin *abi);

/* Does it have the hook, which 1.0 does not know? */
bool etc_contract_has_instance_extension(const struct etcore_plugin *abi);

/* Has it expand_event, the same? */
bool etc_contract_expands(const struct etcore_plugin *abi);

/* A declaration whose writer may have compiled an older version of it: what it lacks is 0. */
struct etcore_option etc_option_now(const struct etcore_option *o);
/* A column's roll-up: the later one where it has two. */
uint32_t etc_column_rollup(const struct etcore_column *c);

/* options.c: is it an option of that plugin's own, in [plugin.NAME]? */
bool etc_option_of(const struct etc_setting *s, struct etc_str plugin);

/* options.c: a default that its option does not allow, as text, or NULL. */
const char *etc_option_default_fault(const struct etcore_plugin *abi);

/* Writes what the option allows ("a whole number from 1 to 8") when `*value` is something
 * else; else `to` is empty. A truth value becomes "yes" or "no". */
enum { ETC_OPTION_TEXT = 200 };
void etc_option_fault(const struct etcore_option *o, struct etc_str *value,
                      char to[ETC_OPTION_TEXT]);

/* The same of what it allows beyond its type; empty: nothing is excluded. */
void etc_option_allowed(const struct etcore_option *o, char to[ETC_OPTION_TEXT]);

/* Checks the plugin's INI section against its declared options and makes
 * p->settings. E0512 unknown key, E0515 bad value, with file and line. */
enum etc_status etc_plugin_configure(struct etc_plugin *p, const struct etc_settings *settings,
                                     struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* hooks.c: what is wrong with describe_time's answer for event `index` of a call
 * of `count`, for a host of minor version `minor`, or NULL. */
const char *etc_time_fault(const struct etcore_time *t, uint32_t index, uint32_t count,
                           uint32_t minor);

/* find.c: the file that `name` means without opening any: one with a '/' or the
 * ending ".so" is a path itself, else NAME.so of the search path. Empty text
 * when there is none; NUL-terminated. */
enum etc_status etc_plugin_file(const char *name, const struct etc_host_options *options,
                                struct etc_arena *arena, struct etc_notes *notes,
                                struct etc_str *path, struct etc_error *err) ETC_MUST_CHECK;

#endif

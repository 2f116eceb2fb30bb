/* contract.h -- opens a plugin, validates its descriptor (struct etcore_plugin), and validates
 * answers of its hook describe_time. For core/host and for `etcore plugins check`. */
#ifndef ETC_HOST_CONTRACT_H
#define ETC_HOST_CONTRACT_H

#include "host/plugin.h"

/* load.c: reads the file's symbol table, opens the library and checks its descriptor. The caller
 * sets p->path; this function sets abi, name, why, reason and abi_found of `p`. A fault of the file
 * is reported in p->why and p->reason; the only error is E0904. */
enum etc_status etc_plugin_open(struct etc_plugin *p, struct etc_arena *arena,
                                struct etc_error *err) ETC_MUST_CHECK;

/* load.c: lists the writable memory of an open plugin's library in `out`. Returns the number of
 * ranges, at most `room`. */
uint32_t etc_plugin_variables(const struct etcore_plugin *abi, struct etc_span *out, uint32_t room);

/* contract.c: returns a text about the first fault of a descriptor; NULL: it has none. `minor` is
 * the minor ABI version of the host that would load the plugin: 0 or ETCORE_PLUGIN_ABI_MINOR. */
const char *etc_contract_fault(const struct etcore_plugin *abi, uint32_t minor);

/* Returns the code of the error for a descriptor in which etc_contract_fault() found a fault: E0604
 * if the plugin needs a later version of etcore, else E0607. `abi` may be NULL. */
enum etc_code etc_contract_code(const struct etcore_plugin *abi);

/* Returns the lowest minor ABI version that a host must have for this plugin. */
uint32_t etc_contract_least(const struct etcore_plugin *abi);

/* Returns ETCORE_SEES_* of the events that the plugin gets. A plugin that declares no kind gets
 * those of delegates. */
uint32_t etc_contract_sees(const struct etcore_plugin *abi);

/* Does the plugin have get_instance_extension, which ABI 1.0 lacks? */
bool etc_contract_has_instance_extension(const struct etcore_plugin *abi);

/* Does the plugin have expand_event? */
bool etc_contract_expands(const struct etcore_plugin *abi);

/* Returns a copy of the declaration of an option. The plugin may be built with an older version of
 * plugin.h; members that the older version does not have are 0 in the copy. */
struct etcore_option etc_option_now(const struct etcore_option *o);
/* Returns a column's roll-up: `rollup_1_1` if the struct has this member and it is set, else
 * `rollup`. */
uint32_t etc_column_rollup(const struct etcore_column *c);

/* options.c: is the setting `s` an option of the plugin `plugin`? True for every key of the section
 * [plugin.NAME], except etcore's own keys (library, enabled, isolate). All other keys must be
 * options that the plugin declares. */
bool etc_option_of(const struct etc_setting *s, struct etc_str plugin);

/* options.c: returns a text about the first option whose default value is not one of its allowed
 * values; NULL: all defaults are allowed. */
const char *etc_option_default_fault(const struct etcore_plugin *abi);

/* Checks a value of an option. If the option allows the value, replaces `*value` by its normal form
 * ("yes" or "no" for a truth value), and sets `to` to "". Otherwise writes the allowed values to
 * `to`, such as "a whole number from 1 to 8". */
enum { ETC_OPTION_TEXT = 200 };
void etc_option_fault(const struct etcore_option *o, struct etc_str *value,
                      char to[ETC_OPTION_TEXT]);

/* Writes the allowed values to `to` ("a number from 0 to 1"). If the option allows all values of
 * its type, `to` is "". */
void etc_option_allowed(const struct etcore_option *o, char to[ETC_OPTION_TEXT]);

/* Compares the plugin's INI section with the options that the plugin declares, and sets
 * p->settings. E0512: unknown key. E0515: bad value. Both errors have file and line. */
enum etc_status etc_plugin_configure(struct etc_plugin *p, const struct etc_settings *settings,
                                     struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* hooks.c: returns a text about the first fault in describe_time's answer for event `index` of a
 * call with `count` events; NULL: the answer has no fault. `minor` is the minor ABI version of the
 * host that would get the answer. */
const char *etc_time_fault(const struct etcore_time *t, uint32_t index, uint32_t count,
                           uint32_t minor);

/* find.c: finds the file of a plugin without opening it. A `name` with a '/' or the ending ".so" is
 * a path; for any other name, NAME.so is searched in the search path. `*path` is NUL-terminated; it
 * is empty if there is no such file. */
enum etc_status etc_plugin_file(const char *name, const struct etc_host_options *options,
                                struct etc_arena *arena, struct etc_notes *notes,
                                struct etc_str *path, struct etc_error *err) ETC_MUST_CHECK;

#endif

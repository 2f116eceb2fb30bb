/* gate_record.h -- parses the options --runner and --dependency of `etcore check`. */
#ifndef ETC_COMMANDS_COMPARE_GATE_RECORD_H
#define ETC_COMMANDS_COMPARE_GATE_RECORD_H

#include "base/arena.h"
#include "host/host.h"
#include "commands/compare/gate_words.h"

/* Parses the values of --runner and --dependency. `runner`: "KEY=VALUE,…" or NULL. `dependencies`:
 * each is NAME=VERSION or NAME=REPOSITORY@COMMIT. E0505, E0904. */
enum etc_status etc_gate_record_parse(const char *runner, const char *const *dependencies,
                                      uint32_t count, struct etc_arena *arena,
                                      struct etc_gate_record *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Lists the loaded plugins with their versions, such as "xnnpack 1.0.0". E0904. */
enum etc_status etc_list_plugins(const struct etc_host *host, struct etc_arena *arena,
                                 const struct etc_str **out, uint32_t *count,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif

/* keys.h -- sets the key of each row: `--by`. */
#ifndef ETC_JOIN_KEYS_H
#define ETC_JOIN_KEYS_H

#include "join/site.h"

/* Names every site's row by enum etc_by: afterwards equal names are one row. By
 * event a row is "instruction: name", and knows its other keys (sites->keys). By fallback
 * it is an operator outside delegates, and all that is in them is one row.
 * ETC_BY_OP leaves the names as they are; METHOD, FILE and RUN are no keys of
 * events. After etc_sites_own(), and after etc_sites_place() for MODULE and
 * SOURCE. E0904. */
enum etc_status etc_sites_key(struct etc_sites *sites, uint8_t by, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

/* The category: the plugin's, or that of the kernel's name outside of delegates. */
struct etc_str etc_sites_category(const struct etc_sites *sites, uint32_t site);

/* The kind of work of a kernel outside of delegates, a word of docs/columns.md:
 * "reduction" for "mean.out"; empty if the name is unknown. */
struct etc_str etc_kernel_category(struct etc_str name);

#endif

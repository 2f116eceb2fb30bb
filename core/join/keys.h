/* keys.h -- names the rows as the key of --by demands. */
#ifndef ETC_JOIN_KEYS_H
#define ETC_JOIN_KEYS_H

#include "join/site.h"

/* Returns the name of the row to which the site belongs; {NULL, 0}: out of memory. */
struct etc_str etc_site_name(const struct etc_sites *sites, uint32_t site, struct etc_arena *arena);

/* Sets the row name of every site for the key `by` (enum etc_by); sites with equal names are one
 * row. With ETC_BY_EVENT, a row is "instruction: name", and sites->keys gets its names under the
 * other keys. With ETC_BY_FALLBACK, a row is an operator outside of delegates; all events in
 * delegates are one row. ETC_BY_OP leaves the names unchanged. METHOD, FILE and RUN are not keys of
 * events. Call it after etc_sites_own(), and for MODULE and SOURCE after etc_sites_place().
 * E0904. */
enum etc_status etc_sites_key(struct etc_sites *sites, uint8_t by, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Returns the category of the site's work, which the plugin gave. If no plugin gave one, a kernel
 * outside of delegates has the category of its name (etc_kernel_category), and any other event has
 * none (empty). */
struct etc_str etc_sites_category(const struct etc_sites *sites, uint32_t site);

/* Returns the kind of work of a kernel outside of delegates, a word of docs/columns.md: "reduction"
 * for "mean.out"; empty if the name is unknown. */
struct etc_str etc_kernel_category(struct etc_str name);

#endif

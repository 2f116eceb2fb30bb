/* conf_internal.h -- what the files of conf*.c share; nobody else includes it. */
#ifndef ETC_READ_CONF_INTERNAL_H
#define ETC_READ_CONF_INTERNAL_H

#include "base/map.h"
#include "read/conf.h"

/* Keys as set so far; a later one of the same name replaces an earlier one. */
struct etc_conf_set {
	struct etc_arena *arena;
	struct etc_setting *all;
	uint32_t *source; /* which source set it, to tell a repetition in one file */
	uint32_t count, room;
	uint32_t sources;     /* number of the current one */
	struct etc_map index; /* "section\nkey" */
};

/* The row of `key` in `section` ("plugin.xnnpack"), or NULL. */
const struct etc_conf_key *etc_conf_find(struct etc_str section, struct etc_str key);

/* E0513 unless `section` is one of ours. */
enum etc_status etc_conf_check_section(struct etc_str section, struct etc_error *err);

/* E0512 unless `section` has `key`; a plugin's own options are the host's
 * business, so any key is fine in [plugin.NAME]. */
enum etc_status etc_conf_check_key(struct etc_str section, struct etc_str key,
                                   struct etc_error *err);

/* Adds or replaces. `more`: a further line of the same value of a list. E0514. */
enum etc_status etc_conf_put(struct etc_conf_set *set, struct etc_setting s, bool more,
                             struct etc_error *err);

/* Reads the INI file at `path` into `set` through inih. */
enum etc_status etc_conf_read_file(struct etc_conf_set *set, const char *path,
                                   struct etc_error *err);

/* Turns what was set into values. E0515. */
enum etc_status etc_conf_apply(const struct etc_conf_set *set, struct etc_settings *out,
                               struct etc_error *err);

#endif

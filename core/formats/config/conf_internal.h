/* conf_internal.h -- private to conf*.c. */
#ifndef ETC_READ_CONF_INTERNAL_H
#define ETC_READ_CONF_INTERNAL_H

#include "base/map.h"
#include "formats/config/conf.h"

/* Keys as set so far; a later one of the same name replaces an earlier one. */
struct etc_conf_set {
	struct etc_arena *arena;
	struct etc_setting *all;
	uint32_t *source; /* which source set it, to tell a repetition in one file */
	uint32_t count, room;
	uint32_t sources;     /* number of the current one */
	uint32_t puts;        /* keys set so far */
	struct etc_map index; /* "section\nkey" */
};

/* "plugin.xnnpack" -> "plugin"; others unchanged. */
struct etc_str etc_conf_kind(struct etc_str section);

/* Is `word`, with the dot at its end, what a family of keys begins with: "column."? */
bool etc_conf_is_family(struct etc_str word);

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

/* ---- conf_source.c ------------------------------------------------------------- */

/* A word of a closed list. */
struct etc_word {
	const char *name;
	uint8_t value;
};
const struct etc_word *etc_word_find(const struct etc_word *table, size_t count,
                                     struct etc_str name);
/* `code`: 'name' is none of the words; names the nearest one, else all of them. */
enum etc_status etc_word_unknown(enum etc_code code, const char *what, struct etc_str name,
                                 const struct etc_word *table, size_t count, struct etc_error *err);

/* Which of "a|b|c" is `s`? -1: none. */
int etc_conf_choice(const char *choices, struct etc_str s);

/* The text after the first `n` bytes, without surrounding blanks. */
struct etc_str etc_conf_after(struct etc_str s, size_t n);
/* The first word: up to a blank, '~', ':' or '/'. */
struct etc_str etc_conf_first_word(struct etc_str s);
/* How many groups the expression has; E0526 when it is none. */
enum etc_status etc_conf_groups(struct etc_str text, uint32_t *groups,
                                struct etc_error *err) ETC_MUST_CHECK;
/* Takes the source that `s` begins with; what is left begins with ':' or is empty.
 * E0525, E0526. */
enum etc_status etc_conf_source(struct etc_str *s, struct etc_arena *arena,
                                struct etc_rule_source *out, struct etc_error *err) ETC_MUST_CHECK;

/* ---- conf_rules.c, conf_apply.c -------------------------------------------------- */

/* Reads the rule that a key of a backend sets (types from ETC_CONF_SOURCE on).
 *   E0512 unknown word behind the dot   E0525 bad source   E0526 bad expression
 *   E0527 bad type, unit or roll-up     E0904 */
enum etc_status etc_conf_rule(const struct etc_conf_key *key, const struct etc_setting *s,
                              struct etc_arena *arena, struct etc_rule *out,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Turns what was set into values. E0515, and those of etc_conf_rule. */
enum etc_status etc_conf_apply(const struct etc_conf_set *set, struct etc_settings *out,
                               struct etc_error *err);

#endif

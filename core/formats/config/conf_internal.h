/* conf_internal.h -- private to conf*.c. */
#ifndef ETC_FORMATS_CONFIG_CONF_INTERNAL_H
#define ETC_FORMATS_CONFIG_CONF_INTERNAL_H

#include "base/map.h"
#include "formats/config/conf.h"

/* The keys set so far; setting a key again replaces its value. */
struct etc_conf_set {
	struct etc_arena *arena;
	struct etc_setting *all;
	/* source[i]: number of the source (INI file, environment ...) that set all[i] */
	uint32_t *source;
	uint32_t count, room;
	uint32_t sources; /* number of the current source */
	/* number of the last source before -c FILE; the sources up to this one are the user's and
	 * the system's files */
	uint32_t shared;
	/* number of calls of etc_conf_put() so far; shows in which order a source set its rules */
	uint32_t puts;
	struct etc_map index; /* maps "section\nkey" to an index in `all` */
};

/* Returns the part of a section's name before the first dot: "plugin" for "plugin.xnnpack". A name
 * without a dot is returned unchanged. */
struct etc_str etc_conf_kind(struct etc_str section);

/* Is `word` the prefix of a family of keys, such as "column."? */
bool etc_conf_is_family(struct etc_str word);

/* Fails with E0513 unless `section` is known. */
enum etc_status etc_conf_check_section(struct etc_str section, struct etc_error *err);

/* Fails with E0512 unless `section` has `key`. In [plugin.NAME] any key is accepted, because a
 * plugin's keys are checked when the plugin is loaded (core/host). */
enum etc_status etc_conf_check_key(struct etc_str section, struct etc_str key,
                                   struct etc_error *err);

/* Adds a key, or replaces its value. With `more`, the value continues a list in an indented line,
 * and is appended to the old value. E0514: the same file already set the key. */
enum etc_status etc_conf_put(struct etc_conf_set *set, struct etc_setting s, bool more,
                             struct etc_error *err);

/* Reads the INI file at `path` into `set` through inih. */
enum etc_status etc_conf_read_file(struct etc_conf_set *set, const char *path,
                                   struct etc_error *err);

/* ---- conf_source.c ------------------------------------------------------------- */

/* One word of a fixed list. */
struct etc_word {
	const char *name;
	uint8_t value;
};
const struct etc_word *etc_word_find(const struct etc_word *table, size_t count,
                                     struct etc_str name);
/* Fails with `code`, because `name` is not in `table`. The message suggests the most similar word,
 * or lists all words if none is similar. */
enum etc_status etc_word_unknown(enum etc_code code, const char *what, struct etc_str name,
                                 const struct etc_word *table, size_t count, struct etc_error *err);

/* Returns the index of `s` among the words of `choices`, which has the form "a|b|c"; -1: it is not
 * among them. */
int etc_conf_choice(const char *choices, struct etc_str s);

/* Returns `s` without its first `n` bytes and without blanks at both ends. */
struct etc_str etc_conf_after(struct etc_str s, size_t n);
/* Returns the first word of `s`, which ends before a blank, '~', ':', '/' or '|', or at the end of
 * `s`. */
struct etc_str etc_conf_first_word(struct etc_str s);
/* Counts the capturing groups of the regular expression `text`; E0526 if it is invalid. */
enum etc_status etc_conf_groups(struct etc_str text, uint32_t *groups,
                                struct etc_error *err) ETC_MUST_CHECK;
/* Parses the source at the start of `*s` and removes it from `*s`: the rest begins with ':' or is
 * empty. E0525, E0526. */
enum etc_status etc_conf_source(struct etc_str *s, struct etc_arena *arena,
                                struct etc_rule_source *out, struct etc_error *err) ETC_MUST_CHECK;

/* ---- conf_rules.c, conf_apply.c -------------------------------------------------- */

/* Parses the rule that a key of a backend sets (types from ETC_CONF_SOURCE on).
 *   E0512 unknown word after the dot    E0525 bad source   E0526 bad expression
 *   E0527 bad type, unit or roll-up     E0904 */
enum etc_status etc_conf_rule(const struct etc_conf_key *key, const struct etc_setting *s,
                              struct etc_arena *arena, struct etc_rule *out,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Parses all values that were set. E0515, and the errors of etc_conf_rule. */
enum etc_status etc_conf_apply(const struct etc_conf_set *set, struct etc_settings *out,
                               struct etc_error *err);

#endif

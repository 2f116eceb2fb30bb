/* conf.h -- reads the configuration from INI files, the environment and options into struct
 * etc_settings, which also records the origin of each key.
 *
 * Precedence, highest first: options, ETCORE_* environment, -c FILE, the user's file, the system's
 * file, built-in values. After the user's file, every etcore.d/NAME.ini in the same folder is read,
 * in the order of names; likewise after the system's file. The table of keys in conf_keys.c is used
 * for parsing, by `etcore config`, and by the test that conf/etcore.ini is complete.
 * docs/plugins/configuring.md describes INI files. */
#ifndef ETC_FORMATS_CONFIG_CONF_H
#define ETC_FORMATS_CONFIG_CONF_H

#include "base/arena.h"
#include "base/error.h"
#include "model/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

enum etc_conf_type {
	ETC_CONF_TEXT,
	ETC_CONF_NAMES,   /* plugin names separated by blanks or commas */
	ETC_CONF_FOLDERS, /* folders separated by ':' */
	ETC_CONF_FILE,
	ETC_CONF_UNIT,   /* enum etc_unit: ns us ms s cycles ticks */
	ETC_CONF_NUMBER, /* double, at least 0 */
	ETC_CONF_RATE,   /* double, 0 or from 2^-33 to below 2^63: ticks per second */
	ETC_CONF_PEAK,   /* double above 0; the built-in value is 0, for "not given" */
	ETC_CONF_SIZE,   /* whole number with an optional suffix K, M or G (powers of 1024) */
	ETC_CONF_BOOL,
	ETC_CONF_CHOICE,
	ETC_CONF_BITS,    /* 0 to 63 */
	ETC_CONF_JOBS,    /* 0 to 256 */
	ETC_CONF_DECODER, /* enum etc_decoder */
	/* Rules of a backend (model/rules.h). For these types etc_conf_key.at is an enum
	 * etc_rule_kind. */
	ETC_CONF_SOURCE,
	ETC_CONF_PATTERN,
	ETC_CONF_COLUMN
};

/* One key of the configuration. A section [plugin.NAME] may also contain keys that the plugin
 * declares. */
struct etc_conf_key {
	/* "etcore", "limits", "peaks"; "plugin" for [plugin.NAME], "backend" for [backend.ID] */
	const char *section;
	/* a name that ends in ".*", such as "column.*", stands for a family: one key for each name
	 * that follows the dot */
	const char *key;
	uint8_t type;            /* enum etc_conf_type */
	const char *value;       /* the built-in value, as it would be written in the INI file */
	const char *unit;        /* "bytes", "1/s", "" */
	const char *help;        /* one line */
	const char *environment; /* the environment variable that sets the key; NULL: none */
	const char *choices; /* CHOICE, DECODER: the allowed words, such as "auto|always|never" */
	size_t at; /* offset of the member in the section's struct; for rules: enum etc_rule_kind */
};

/* Returns all keys in the order of conf/etcore.ini, and sets `*count` to their number. */
const struct etc_conf_key *etc_conf_keys(uint32_t *count);

/* Finds the description of `key` in `section` ("plugin.xnnpack"). NULL: unknown. */
const struct etc_conf_key *etc_conf_find(struct etc_str section, struct etc_str key);

/* Returns the allowed values of a key as text for messages: "ns, us, ms, s, cycles or ticks". */
const char *etc_conf_expected(const struct etc_conf_key *key);

/* A command line option that sets one key, such as --source-time-scale. */
struct etc_conf_override {
	const char *section, *key, *value; /* value NULL: the option was not given */
	const char *option;                /* "--source-time-scale" */
};

struct etc_conf_options {
	const char *file;       /* path of -c FILE; NULL: not given */
	const char *const *set; /* the values of --set, each SECTION.KEY=VALUE */
	uint32_t set_count;
	const struct etc_conf_override *overrides;
	uint32_t override_count;
	/* folder of the running executable, relative to which the system's files are found; NULL:
	 * unknown */
	const char *program_folder;
	/* environment variables, and the user's and the system's files, are ignored */
	bool only_file;
};

/* Fills `*out`; texts are in `arena`.
 *   E0510 not an INI line  E0511 line, section or key too long  E0512 unknown key
 *   E0513 unknown section  E0514 set twice in one file          E0515 bad value
 *   E0517 not UTF-8 text   E0518 bad --set                      E0519 bad second line of a value
 *   E0525 bad source       E0526 bad regular expression         E0527 bad column
 *   E0520 file too large   E0901 a file cannot be opened        E0904 */
enum etc_status etc_conf_load(const struct etc_conf_options *options, struct etc_arena *arena,
                              struct etc_settings *out, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

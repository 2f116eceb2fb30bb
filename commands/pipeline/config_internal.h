/* config_internal.h -- the interface between the two readers of a configuration (JSON and INI) and
 * the code that sets its keys. */
#ifndef ETC_COMMANDS_PIPELINE_CONFIG_INTERNAL_H
#define ETC_COMMANDS_PIPELINE_CONFIG_INTERNAL_H

#include "commands/pipeline/config.h"

/* The kind of section (INI) or object (JSON) that contains a key. */
enum etc_config_scope {
	ETC_SCOPE_PIPELINE,
	ETC_SCOPE_EXPERIMENT,
	ETC_SCOPE_SCHEDULE,
	ETC_SCOPE_GATES,
	ETC_SCOPE_DEVICE,
	ETC_SCOPE_PAIR,
	ETC_SCOPE_ANALYSIS,
	ETC_SCOPE_SIDE, /* baseline or candidate of a pair, in JSON */
	ETC_SCOPES
};

enum etc_value_kind {
	/* text of an INI file whose type is not decided yet: it may be a list or a number */
	ETC_CONFIG_WORD,
	ETC_CONFIG_JSON_TEXT,
	ETC_CONFIG_NUMBER,
	ETC_CONFIG_TRUE,
	ETC_CONFIG_FALSE,
	ETC_CONFIG_NOTHING, /* null in JSON */
	ETC_CONFIG_MANY,    /* a list: see `items` */
	ETC_CONFIG_STRANGE  /* a list of lists, or another type that no key has */
};

struct etc_config_value {
	uint8_t kind; /* enum etc_value_kind */
	struct etc_str text;
	const struct etc_config_value *items;
	uint32_t count;
};

/* The configuration under construction. */
struct etc_config_reading {
	struct etc_pipeline_config *out;
	struct etc_arena *arena;
	struct etc_notes *notes;
};

/* Appends an experiment with default values to the configuration; the function below appends a
 * pair. NULL and E1002: there are too many. */
struct etc_experiment *etc_config_new_experiment(struct etc_config_reading *r,
                                                 struct etc_error *err);
struct etc_compare_pair *etc_config_new_pair(struct etc_config_reading *r, struct etc_error *err);

/* Sets a key. `target` is the struct that the scope is about: an experiment, a pair, or the
 * configuration. An unknown key is reported (W1003), but is no error. E1002, E0904. */
enum etc_status etc_config_set(struct etc_config_reading *r, uint8_t scope, void *target,
                               struct etc_str key, const struct etc_config_value *value,
                               struct etc_error *err) ETC_MUST_CHECK;

bool etc_config_knows(uint8_t scope, struct etc_str key);

/* Reports that the scope has no key with that name (W1003), and the nearest known name. */
void etc_config_unknown(struct etc_config_reading *r, uint8_t scope, struct etc_str key);

/* Parses one side of a pair in an INI file: "exp@2" is the experiment exp with 2 threads, "exp" is
 * exp with 1 thread. E1002, E0904. */
enum etc_status etc_config_side(struct etc_config_reading *r, struct etc_str text,
                                const char **experiment, uint32_t *threads,
                                struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_config_read_json(struct etc_config_reading *r, struct etc_str text,
                                     struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_config_read_ini(struct etc_config_reading *r, const char *path,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif

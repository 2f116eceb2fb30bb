/* settings.h -- the effective configuration, each value with its origin.
 *
 * Precedence: option > ETCORE_* environment > -c FILE > user's file > system file > built-in.
 * Made by formats/config/conf.c; docs: conf/etcore.ini. */
#ifndef ETC_MODEL_SETTINGS_H
#define ETC_MODEL_SETTINGS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/limits.h"
#include "model/rules.h"
#include "model/work.h"

/* Time scales; the numbers are those of ETCORE_UNIT_* in etcore/plugin.h. */
enum etc_unit {
	ETC_UNIT_UNKNOWN,
	ETC_UNIT_NS,
	ETC_UNIT_US,
	ETC_UNIT_MS,
	ETC_UNIT_S,
	ETC_UNIT_CYCLES,
	ETC_UNIT_TICKS,
	ETC_UNIT_BYTES,
	ETC_UNIT_COUNT
};

/* How the metadata of events (delegate_debug_metadata) are decoded without a plugin. */
enum etc_decoder {
	ETC_DECODE_NONE,
	ETC_DECODE_HEX,
	ETC_DECODE_TEXT,
	ETC_DECODE_JSON,
	ETC_DECODE_LIST,
	/* Each of these decodes one number; the metadata must have exactly the size of the
	 * number: */
	ETC_DECODE_U8,
	ETC_DECODE_I8,
	ETC_DECODE_U16LE,
	ETC_DECODE_U16BE,
	ETC_DECODE_I16LE,
	ETC_DECODE_I16BE,
	ETC_DECODE_U32LE,
	ETC_DECODE_U32BE,
	ETC_DECODE_I32LE,
	ETC_DECODE_I32BE,
	ETC_DECODE_U64LE,
	ETC_DECODE_U64BE,
	ETC_DECODE_I64LE,
	ETC_DECODE_I64BE,
	ETC_DECODE_F32LE,
	ETC_DECODE_F32BE,
	ETC_DECODE_F64LE,
	ETC_DECODE_F64BE,
	ETC_DECODERS
};

/* The names of ETC_DECODE_* in the INI file, joined by '|'. */
#define ETC_DECODER_WORDS                                                               \
	"none|hex|text|json|list|u8|i8|u16le|u16be|i16le|i16be|u32le|u32be|i32le|i32be" \
	"|u64le|u64be|i64le|i64be|f32le|f32be|f64le|f64be"

/* A key of the configuration with the value that is in effect; `etcore config` shows these. */
struct etc_setting {
	struct etc_str section; /* "etcore", "plugin.xnnpack", "backend.QnnBackend", "limits" */
	struct etc_str key, value;
	/* where the value was set: "etcore.ini:14", "ETCORE_PLUGIN_PATH", "--plugin", "built-in" */
	struct etc_str origin;
	struct etc_str folder; /* folder of the INI file, to resolve relative paths; else empty */
	bool built_in;
	/* order of rules: a rule from a source of higher precedence has a smaller number, and is
	 * tried first */
	uint64_t order;
};

/* A section [backend.ID]: settings for the events of one backend. They apply also if there is no
 * plugin. */
struct etc_backend_settings {
	struct etc_str id; /* "QnnBackend" */
	/* name of the plugin that owns the backend's events; "none": no plugin may own them; empty:
	 * not set */
	struct etc_str owner;
	uint8_t metadata; /* enum etc_decoder */
	bool has_metadata;
	/* enum etc_unit; UNKNOWN: the setting of section [etcore] applies */
	uint8_t source_time_scale;
	double ticks_per_second; /* 0: unknown */
	uint8_t time;            /* enum etc_rule_time */
	uint8_t clock;           /* enum etc_rule_clock */
	/* number of bits after which the counter wraps around; 0: never */
	uint8_t counter_bits;
	/* the rules in the order in which they are tried: first those from the configuration
	 * source (file or option) with the highest precedence */
	const struct etc_rule *rules;
	uint32_t rule_count;
	bool given; /* some key of the section was set by --config or --set */
	struct etc_str origin;
};

/* A section [plugin.NAME]. The values of options that the plugin itself declares are kept as text
 * until the plugin is loaded. */
struct etc_plugin_settings {
	struct etc_str name;
	/* path of the plugin, absolute or relative to `folder`; empty: the plugin is searched for
	 * by name */
	struct etc_str library;
	bool enabled; /* false: the section has `enabled = no` */
	bool isolate; /* the plugin runs in a process of its own; valid if `has_isolate` */
	bool has_isolate;
	struct etc_str origin, folder;
};

struct etc_settings {
	/* Settings of section [etcore]: */
	uint8_t source_time_scale, target_time_scale; /* enum etc_unit; by default ns and ms */
	double ticks_per_second;                      /* frequency of the runtime's clock; 0:
	                                               * unknown */
	struct etc_str plugin_path;                   /* folders separated by ':', or empty */
	/* `plugins =` is set, so only the plugins in its list are used */
	bool has_plugins;
	const struct etc_str *plugins;
	uint32_t plugin_count;
	struct etc_str color;     /* "auto", "always", "never" */
	bool isolate;             /* all plugins run in processes of their own */
	struct etc_limits limits; /* [limits] */
	struct etc_peaks peaks;   /* [peaks] */

	const struct etc_backend_settings *backends;
	uint32_t backend_count;
	const struct etc_plugin_settings *plugin_sections;
	uint32_t plugin_section_count;

	/* all keys with the values that are in effect, whether set or built-in, and the options in
	 * sections [plugin.X]; sorted by section and key */
	const struct etc_setting *all;
	uint32_t all_count;
};

/* Returns the name of an enum etc_unit, "ns" … "ticks"; "" for UNKNOWN. */
const char *etc_unit_name(uint8_t unit);

/* Returns the enum etc_unit for "ns", "us" (also "µs"), "ms", "s", "cycles" or "ticks"; UNKNOWN for
 * any other text. */
uint8_t etc_unit_parse(struct etc_str s);

/* Returns the nanoseconds per unit: 1, 1e3, 1e6, 1e9; 0 for a unit that is not a unit of time. */
double etc_unit_ns(uint8_t unit);

const struct etc_backend_settings *etc_settings_backend(const struct etc_settings *s,
                                                        struct etc_str id);

/* Was a key of any section [backend.ID] set by --config or --set? */
static inline bool etc_settings_give_backend(const struct etc_settings *s)
{
	uint32_t i = 0;

	while (i < s->backend_count && !s->backends[i].given)
		i++;
	return i < s->backend_count;
}

const struct etc_plugin_settings *etc_settings_plugin(const struct etc_settings *s,
                                                      struct etc_str name);

/* Returns the setting of a key, or NULL. */
const struct etc_setting *etc_settings_find(const struct etc_settings *s, struct etc_str section,
                                            struct etc_str key);

/* Returns `path` if it is absolute or `folder` is empty; otherwise "folder/path". The text ends in
 * a NUL. {NULL, 0}: out of memory. */
struct etc_str etc_settings_path(struct etc_str folder, struct etc_str path,
                                 struct etc_arena *arena);

/* Sets the location of an error to the origin of a key ("etcore.ini:14", "--set"). */
void etc_settings_place(struct etc_str origin, struct etc_error *err);

#endif

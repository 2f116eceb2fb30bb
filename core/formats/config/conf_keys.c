/* conf_keys.c -- the table of all keys, and checks of section and key names. */
#include <stdio.h>

#include "base/nearest.h"
#include "formats/config/conf_internal.h"

#define ETC_AT(member)     offsetof(struct etc_settings, member)
#define PLUGIN_AT(member)  offsetof(struct etc_plugin_settings, member)
#define BACKEND_AT(member) offsetof(struct etc_backend_settings, member)

/* clang-format off */
static const struct etc_conf_key keys[] = {
	{ "etcore", "plugins", ETC_CONF_NAMES, "", "",
	  "use exactly these plugins, in this order; empty: every plugin that is found",
	  "ETCORE_PLUGINS", NULL, ETC_AT(plugins) },
	{ "etcore", "plugin_path", ETC_CONF_FOLDERS, "", "",
	  "further folders with plugins, ':' between; relative to this file",
	  NULL, NULL, ETC_AT(plugin_path) },
	{ "etcore", "source_time_scale", ETC_CONF_UNIT, "ns", "",
	  "what the runtime's ticks are: ns, us, ms, s, cycles, ticks",
	  "ETCORE_SOURCE_TIME_SCALE", NULL, ETC_AT(source_time_scale) },
	{ "etcore", "target_time_scale", ETC_CONF_UNIT, "ms", "",
	  "what is shown: ns, us, ms, s, cycles, ticks",
	  "ETCORE_TARGET_TIME_SCALE", NULL, ETC_AT(target_time_scale) },
	{ "etcore", "ticks_per_second", ETC_CONF_RATE, "0", "1/s",
	  "frequency of the runtime's clock when its scale is cycles or ticks; 0: unknown",
	  "ETCORE_TICKS_PER_SECOND", NULL, ETC_AT(ticks_per_second) },
	{ "etcore", "color", ETC_CONF_CHOICE, "auto", "",
	  "colours on the terminal: auto, always, never",
	  "ETCORE_COLOR", "auto|always|never", ETC_AT(color) },
	{ "etcore", "isolate", ETC_CONF_BOOL, "no", "",
	  "run every plugin in a process of its own: one that crashes or hangs costs its answers only",
	  "ETCORE_ISOLATE", NULL, ETC_AT(isolate) },
	{ "etcore", "jobs", ETC_CONF_JOBS, "0", "threads",
	  "without effect: a query has one thread; accepted for one release",
	  "ETCORE_JOBS", NULL, ETC_AT(limits.jobs) },
	{ "limits", "max_memory", ETC_CONF_SIZE, "0", "bytes",
	  "memory for one analysis beside the mapped files; 0: 64M + 8 bytes per byte of input, of an ETDump 40 as far as 2G",
	  "ETCORE_MAX_MEMORY", NULL, ETC_AT(limits.max_memory) },
	{ "limits", "max_visits", ETC_CONF_SIZE, "0", "tables",
	  "FlatBuffers tables visited in one ETDump; 0: the larger of 1M and bytes / 16",
	  "ETCORE_MAX_VISITS", NULL, ETC_AT(limits.max_visits) },
	{ "limits", "max_pipe", ETC_CONF_SIZE, "0", "bytes",
	  "taken from a pipe or standard input at most; 0: 4G",
	  "ETCORE_MAX_PIPE", NULL, ETC_AT(limits.max_pipe) },
	{ "limits", "max_hook_seconds", ETC_CONF_NUMBER, "0", "s",
	  "time that an isolated plugin may take for about a megabyte of events; 0: 5",
	  "ETCORE_MAX_HOOK_SECONDS", NULL, ETC_AT(limits.max_hook_seconds) },
	{ "limits", "max_hook_memory", ETC_CONF_SIZE, "0", "bytes",
	  "address space of an isolated plugin's process; 0: 2G",
	  "ETCORE_MAX_HOOK_MEMORY", NULL, ETC_AT(limits.max_hook_memory) },
	{ "peaks", "gflops_fp32", ETC_CONF_PEAK, "", "10^9 FLOP/s",
	  "floating point of 32 bits", NULL, NULL, ETC_AT(peaks.gflops[ETC_WORK_FP32]) },
	{ "peaks", "gflops_fp16", ETC_CONF_PEAK, "", "10^9 FLOP/s",
	  "floating point of 16 bits", NULL, NULL, ETC_AT(peaks.gflops[ETC_WORK_FP16]) },
	{ "peaks", "gflops_bf16", ETC_CONF_PEAK, "", "10^9 FLOP/s",
	  "bfloat16", NULL, NULL, ETC_AT(peaks.gflops[ETC_WORK_BF16]) },
	{ "peaks", "gflops_int8", ETC_CONF_PEAK, "", "10^9 FLOP/s",
	  "products of 8-bit integers, also with weights of 4 bits",
	  NULL, NULL, ETC_AT(peaks.gflops[ETC_WORK_INT8]) },
	{ "peaks", "gbps", ETC_CONF_PEAK, "", "10^9 bytes/s",
	  "memory: bytes read and written", NULL, NULL, ETC_AT(peaks.gbps) },
	{ "peaks", "gbps_cache", ETC_CONF_PEAK, "", "10^9 bytes/s",
	  "a cache: bytes read and written by what fits into cache_bytes",
	  NULL, NULL, ETC_AT(peaks.gbps_cache) },
	{ "peaks", "cache_bytes", ETC_CONF_SIZE, "0", "bytes",
	  "an operator that moves at most as much may find it in the cache of gbps_cache; 0: none does",
	  NULL, NULL, ETC_AT(peaks.cache_bytes) },
	{ "peaks", "threads", ETC_CONF_PEAK, "", "threads",
	  "for which these peaks hold, as many as the model ran on; only shown",
	  NULL, NULL, ETC_AT(peaks.threads) },
	{ "plugin", "library", ETC_CONF_FILE, "", "",
	  "the shared object, relative to this file; empty: NAME.so of the search path",
	  NULL, NULL, PLUGIN_AT(library) },
	{ "plugin", "enabled", ETC_CONF_BOOL, "yes", "",
	  "no takes the plugin out (--plugin NAME brings it back)",
	  NULL, NULL, PLUGIN_AT(enabled) },
	{ "plugin", "isolate", ETC_CONF_BOOL, "no", "",
	  "run it in a process of its own; not set: as [etcore] says",
	  NULL, NULL, PLUGIN_AT(isolate) },
	{ "backend", "owner", ETC_CONF_TEXT, "", "",
	  "the plugin that explains this backend's events, before others are asked; empty: the one that lists it; none: no plugin",
	  NULL, NULL, BACKEND_AT(owner) },
	{ "backend", "metadata", ETC_CONF_DECODER, "hex", "",
	  "delegate metadata without a plugin: a form (none, hex, text, json, list) or one number (u8 to f64be)",
	  NULL, ETC_DECODER_WORDS, BACKEND_AT(metadata) },
	{ "backend", "source_time_scale", ETC_CONF_UNIT, "", "",
	  "what its ticks are where no plugin says so: ns, us, ms, s, cycles, ticks; empty: as in [etcore]",
	  NULL, NULL, BACKEND_AT(source_time_scale) },
	{ "backend", "ticks_per_second", ETC_CONF_RATE, "0", "1/s",
	  "frequency of this backend's clock when its scale is cycles or ticks; 0: unknown",
	  NULL, NULL, BACKEND_AT(ticks_per_second) },
	{ "backend", "time", ETC_CONF_CHOICE, "auto", "",
	  "what start and end are: interval, value (end - start is the number, no place in time), estimate, parallel (of engines beside each other); auto: as a plugin says",
	  NULL, "auto|interval|value|estimate|parallel", BACKEND_AT(time) },
	{ "backend", "clock", ETC_CONF_CHOICE, "auto", "",
	  "whose clock an interval is from: device, or host (the runtime's own); auto: device",
	  NULL, "auto|device|host", BACKEND_AT(clock) },
	{ "backend", "counter_bits", ETC_CONF_BITS, "0", "bits",
	  "width of the device's counter, which restarts at 0; 0: it never does",
	  NULL, NULL, BACKEND_AT(counter_bits) },
	{ "backend", "probe", ETC_CONF_PATTERN, "", "",
	  "names by which its calls are recognised when nothing names the backend; its plugin is then asked",
	  NULL, NULL, ETC_RULE_PROBE },
	{ "backend", "column.*", ETC_CONF_COLUMN, "", "",
	  "a column of the rows: SOURCE : TYPE, then a unit and a roll-up if wanted",
	  NULL, NULL, ETC_RULE_COLUMN },
	{ "backend", "category.*", ETC_CONF_PATTERN, "", "",
	  "events of this category: convolution, gemm, elementwise, ... (blanks as _)",
	  NULL, NULL, ETC_RULE_CATEGORY },
	{ "backend", "unit.*", ETC_CONF_PATTERN, "", "",
	  "events in this unit: ns, us, ms, s, cycles, ticks, bytes, count",
	  NULL, NULL, ETC_RULE_UNIT },
	{ "backend", "kind.*", ETC_CONF_PATTERN, "", "",
	  "events of this kind: op, phase, packing, overhead, counter, invalid",
	  NULL, NULL, ETC_RULE_KIND },
	{ "backend", "level.*", ETC_CONF_PATTERN, "", "",
	  "events of this level, 1 to 9: each lies within the nearest of a lower level",
	  NULL, NULL, ETC_RULE_LEVEL },
	{ "backend", "display", ETC_CONF_SOURCE, "", "",
	  "name of the row: events with equal names are summed up",
	  NULL, NULL, ETC_RULE_DISPLAY },
	{ "backend", "kernel", ETC_CONF_SOURCE, "", "",
	  "the micro-kernel that ran",
	  NULL, NULL, ETC_RULE_KERNEL },
};
/* clang-format on */
enum { KEYS = sizeof keys / sizeof keys[0], NAME_ROOM = 64 };

const struct etc_conf_key *etc_conf_keys(uint32_t *count)
{
	*count = KEYS;
	return keys;
}

const char *etc_conf_expected(const struct etc_conf_key *key)
{
	static const char *const texts[] = {
		[ETC_CONF_TEXT] = "a text",
		[ETC_CONF_NAMES] = "names of plugins",
		[ETC_CONF_FOLDERS] = "folders with ':' between",
		[ETC_CONF_FILE] = "a path",
		[ETC_CONF_UNIT] = "ns, us, ms, s, cycles or ticks",
		[ETC_CONF_NUMBER] = "a number from 0",
		[ETC_CONF_RATE] = "a number from 0 to 2^63, and at least 2^-33 if not 0",
		[ETC_CONF_PEAK] = "a number above 0",
		[ETC_CONF_SIZE] = "a whole number, with K, M or G for powers of 1024",
		[ETC_CONF_BOOL] = "yes or no",
		[ETC_CONF_BITS] = "a whole number from 0 to 63",
		[ETC_CONF_JOBS] = "a whole number from 0 to 256",
		[ETC_CONF_DECODER] =
			("none, hex, text, json, list, u8, i8, or u16 i16 u32 i32 u64 i64 f32 f64 "
		         "with le or be behind"),
		[ETC_CONF_SOURCE] =
			"a source: /POINTER, name or metadata, then ~ \"REGEX\" if wanted",
		[ETC_CONF_PATTERN] = "a regular expression for the name, or SOURCE ~ \"REGEX\"",
		[ETC_CONF_COLUMN] = "SOURCE : TYPE [: UNIT] [: ROLL-UP]",
	};

	return key->type == ETC_CONF_CHOICE ? key->choices : texts[key->type];
}

/* ---- names of sections and keys --------------------------------------------- */

/* Returns the part of a section's name before the first dot: "plugin" for "plugin.xnnpack". A name
 * without a dot is returned unchanged. */
struct etc_str etc_conf_kind(struct etc_str section)
{
	const char *dot = section.len ? memchr(section.ptr, '.', section.len) : NULL;

	return dot ? etc_str_sub(section, 0, (size_t)(dot - section.ptr)) : section;
}

static bool takes_name(struct etc_str kind)
{
	return etc_str_eq(kind, ETC_STR("plugin")) || etc_str_eq(kind, ETC_STR("backend"));
}

/* Is `key` the key that `k` describes? If `k` is a family such as "column.*", `key` may be any of
 * its keys, such as "column.cost". */
static bool is_key(const struct etc_conf_key *k, struct etc_str key)
{
	struct etc_str name = etc_str_of(k->key);
	size_t family = name.len - 1;

	if (!etc_str_ends(name, ETC_STR(".*")))
		return etc_str_eq(name, key);
	return key.len > family && etc_str_starts(key, etc_str_sub(name, 0, family));
}

bool etc_conf_is_family(struct etc_str word)
{
	for (int i = 0; i < KEYS; i++) {
		struct etc_str name = etc_str_of(keys[i].key);

		if (etc_str_ends(name, ETC_STR(".*")) &&
		    etc_str_eq(etc_str_sub(name, 0, name.len - 1), word))
			return true;
	}
	return false;
}

const struct etc_conf_key *etc_conf_find(struct etc_str section, struct etc_str key)
{
	struct etc_str kind = etc_conf_kind(section);

	for (int i = 0; i < KEYS; i++)
		if (etc_str_eq(etc_str_of(keys[i].section), kind) && is_key(&keys[i], key))
			return &keys[i];
	return NULL;
}

enum etc_status etc_conf_check_section(struct etc_str section, struct etc_error *err)
{
	static const char *const known[] = { "etcore", "limits", "peaks", "plugin", "backend" };
	enum { KNOWN = sizeof known / sizeof known[0] };
	struct etc_str kind = etc_conf_kind(section), names[KNOWN], near,
		       name = etc_str_sub(section, kind.len, section.len);

	for (int i = 0; i < KNOWN; i++) {
		names[i] = etc_str_of(known[i]);
		if (!etc_str_eq(kind, names[i]))
			continue;
		if (takes_name(kind) ? name.len > 1 : name.len == 0)
			return ETC_OK;
		if (takes_name(kind))
			return etc_fail(err, E0513,
			                "[" ETC_STR_FMT "], which needs a name: [%s.NAME]",
			                ETC_STR_ARG(section), known[i]);
		return etc_fail(err, E0513, "[" ETC_STR_FMT "]; did you mean [%s]?",
		                ETC_STR_ARG(section), known[i]);
	}
	near = etc_nearest(kind, names, KNOWN);
	if (near.len)
		return etc_fail(err, E0513,
		                "[" ETC_STR_FMT "]; did you mean [" ETC_STR_FMT ETC_STR_FMT "]?",
		                ETC_STR_ARG(section), ETC_STR_ARG(near),
		                ETC_STR_ARG(takes_name(near) ? name : ETC_STR_NONE));
	return etc_fail(err, E0513, "[" ETC_STR_FMT "]", ETC_STR_ARG(section));
}

enum etc_status etc_conf_check_key(struct etc_str section, struct etc_str key,
                                   struct etc_error *err)
{
	struct etc_str kind = etc_conf_kind(section), names[KEYS], near;
	const char *dot = key.len ? memchr(key.ptr, '.', key.len) : NULL;
	char room[KEYS][NAME_ROOM];
	size_t n = 0;

	if (etc_conf_find(section, key) || etc_str_eq(kind, ETC_STR("plugin")))
		return ETC_OK;
	for (int i = 0; i < KEYS; i++) {
		struct etc_str name = etc_str_of(keys[i].key);

		if (!etc_str_eq(etc_str_of(keys[i].section), kind))
			continue;
		if (etc_str_ends(name, ETC_STR(".*"))) {
			/* A name such as "column.*" stands for a family of keys: suggest its
			 * prefix, followed by the name that the user wrote after the dot. */
			struct etc_str word =
				dot ? etc_str_sub(key, (size_t)(dot - key.ptr) + 1, key.len)
				    : ETC_STR("NAME");

			word = word.len ? word : ETC_STR("NAME");

			snprintf(room[i], sizeof room[i], "%.*s" ETC_STR_FMT, (int)name.len - 1,
			         name.ptr, ETC_STR_ARG(word));
			name = etc_str_of(room[i]);
		}
		names[n++] = name;
	}
	near = etc_nearest(key, names, n);
	return etc_fail(err, E0512, "'" ETC_STR_FMT "' in [" ETC_STR_FMT "]%s" ETC_STR_FMT "%s",
	                ETC_STR_ARG(key), ETC_STR_ARG(section), near.len ? "; did you mean '" : "",
	                ETC_STR_ARG(near), near.len ? "'?" : "");
}

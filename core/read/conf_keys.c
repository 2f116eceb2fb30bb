/* conf_keys.c -- the one table of keys, and what the values mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/nearest.h"
#include "base/number.h"
#include "read/conf_internal.h"

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
	{ "etcore", "ticks_per_second", ETC_CONF_NUMBER, "0", "1/s",
	  "frequency of the runtime's clock when its scale is cycles or ticks; 0: unknown",
	  "ETCORE_TICKS_PER_SECOND", NULL, ETC_AT(ticks_per_second) },
	{ "etcore", "color", ETC_CONF_CHOICE, "auto", "",
	  "colours on the terminal: auto, always, never",
	  "ETCORE_COLOR", "auto|always|never", ETC_AT(color) },
	{ "etcore", "isolate", ETC_CONF_BOOL, "no", "",
	  "run every plugin in a process of its own: one that crashes or hangs costs its answers only",
	  "ETCORE_ISOLATE", NULL, ETC_AT(isolate) },
	{ "limits", "max_memory", ETC_CONF_SIZE, "0", "bytes",
	  "memory for one analysis beside the mapped files; 0: 64M + 8 bytes per byte of input",
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
	  "the plugin that explains this backend's events; empty: the one that lists it",
	  NULL, NULL, BACKEND_AT(owner) },
	{ "backend", "metadata", ETC_CONF_CHOICE, "hex", "",
	  "delegate metadata without a plugin: none, hex, text, json, list",
	  NULL, "none|hex|text|json|list", BACKEND_AT(metadata) },
	{ "backend", "source_time_scale", ETC_CONF_UNIT, "", "",
	  "what its ticks are where no plugin says so: ns, us, ms, s, cycles, ticks; empty: as in [etcore]",
	  NULL, NULL, BACKEND_AT(source_time_scale) },
	{ "backend", "ticks_per_second", ETC_CONF_NUMBER, "0", "1/s",
	  "frequency of this backend's clock when its scale is cycles or ticks; 0: unknown",
	  NULL, NULL, BACKEND_AT(ticks_per_second) },
};
/* clang-format on */
enum { KEYS = sizeof keys / sizeof keys[0] };

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
		[ETC_CONF_SIZE] = "a whole number, with K, M or G for powers of 1024",
		[ETC_CONF_BOOL] = "yes or no",
	};

	return key->type == ETC_CONF_CHOICE ? key->choices : texts[key->type];
}

/* ---- names of sections and keys --------------------------------------------- */

/* "plugin.xnnpack" -> "plugin"; others unchanged. */
static struct etc_str kind_of(struct etc_str section)
{
	const char *dot = section.len ? memchr(section.ptr, '.', section.len) : NULL;

	return dot ? etc_str_sub(section, 0, (size_t)(dot - section.ptr)) : section;
}

static bool takes_name(struct etc_str kind)
{
	return etc_str_eq(kind, ETC_STR("plugin")) || etc_str_eq(kind, ETC_STR("backend"));
}

const struct etc_conf_key *etc_conf_find(struct etc_str section, struct etc_str key)
{
	struct etc_str kind = kind_of(section);

	for (int i = 0; i < KEYS; i++)
		if (etc_str_eq(etc_str_of(keys[i].section), kind) &&
		    etc_str_eq(etc_str_of(keys[i].key), key))
			return &keys[i];
	return NULL;
}

enum etc_status etc_conf_check_section(struct etc_str section, struct etc_error *err)
{
	static const char *const known[] = { "etcore", "limits", "plugin", "backend" };
	struct etc_str kind = kind_of(section), names[4], near,
		       name = etc_str_sub(section, kind.len, section.len);

	for (int i = 0; i < 4; i++) {
		names[i] = etc_str_of(known[i]);
		if (!etc_str_eq(kind, names[i]))
			continue;
		if (takes_name(kind) ? name.len > 1 : name.len == 0)
			return ETC_OK;
		if (takes_name(kind))
			return etc_fail(err, E0513, "[" ETC_STR_FMT "] needs a name: [%s.NAME]",
			                ETC_STR_ARG(section), known[i]);
		return etc_fail(err, E0513, "[" ETC_STR_FMT "]; did you mean [%s]?",
		                ETC_STR_ARG(section), known[i]);
	}
	near = etc_nearest(kind, names, 4);
	if (near.len)
		return etc_fail(err, E0513,
		                "[" ETC_STR_FMT "]; did you mean [" ETC_STR_FMT ETC_STR_FMT "]?",
		                ETC_STR_ARG(section), ETC_STR_ARG(near),
		                ETC_STR_ARG(takes_name(near) ? name : (struct etc_str){ 0 }));
	return etc_fail(err, E0513, "[" ETC_STR_FMT "]", ETC_STR_ARG(section));
}

enum etc_status etc_conf_check_key(struct etc_str section, struct etc_str key,
                                   struct etc_error *err)
{
	struct etc_str kind = kind_of(section), names[KEYS], near;
	size_t n = 0;

	if (etc_conf_find(section, key) || etc_str_eq(kind, ETC_STR("plugin")))
		return ETC_OK;
	for (int i = 0; i < KEYS; i++)
		if (etc_str_eq(etc_str_of(keys[i].section), kind))
			names[n++] = etc_str_of(keys[i].key);
	near = etc_nearest(key, names, n);
	return etc_fail(err, E0512, "'" ETC_STR_FMT "' in [" ETC_STR_FMT "]%s" ETC_STR_FMT "%s",
	                ETC_STR_ARG(key), ETC_STR_ARG(section), near.len ? "; did you mean '" : "",
	                ETC_STR_ARG(near), near.len ? "'?" : "");
}

/* ---- values ------------------------------------------------------------------- */

struct applying {
	const struct etc_conf_set *set;
	struct etc_settings *out;
	struct etc_backend_settings *backends;
	struct etc_plugin_settings *plugins;
};

static bool parse_size(struct etc_str s, size_t *out)
{
	unsigned shift = 0;
	uint64_t v;

	if (s.len && memchr("KMG", s.ptr[s.len - 1], 3)) {
		shift = s.ptr[s.len - 1] == 'K' ? 10 : s.ptr[s.len - 1] == 'M' ? 20 : 30;
		s.len--;
	}
	if (!etc_number_parse_u64(s, &v) || v > (SIZE_MAX >> shift))
		return false;
	*out = (size_t)v << shift;
	return true;
}

static bool parse_number(struct etc_str s, double *out)
{
	return etc_number_parse(s, out) && *out >= 0 && isfinite(*out);
}

static bool parse_bool(struct etc_str s, bool *out)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	for (int i = 0; i < 8; i++)
		if (etc_str_eq(s, etc_str_of(words[i]))) {
			*out = i & 1;
			return true;
		}
	return false;
}

static bool parse_unit(struct etc_str s, bool may_be_empty, uint8_t *out)
{
	*out = etc_unit_parse(s);
	return *out != ETC_UNIT_UNKNOWN || (may_be_empty && s.len == 0);
}

/* Which of "a|b|c" is `s`? -1: none. */
static int choice(const char *choices, struct etc_str s)
{
	int i = 0;

	for (const char *c = choices; c; i++) {
		size_t n = strcspn(c, "|");

		if (etc_str_eq((struct etc_str){ c, n }, s))
			return i;
		c = c[n] ? c + n + 1 : NULL;
	}
	return -1;
}

/* Cuts `s` at blanks and commas. Twice: once to count. */
static uint32_t split(struct etc_str s, struct etc_str *out)
{
	uint32_t n = 0;

	for (size_t i = 0; i < s.len;) {
		size_t from;

		while (i < s.len && memchr(" ,\t\n", s.ptr[i], 4))
			i++;
		from = i;
		while (i < s.len && !memchr(" ,\t\n", s.ptr[i], 4))
			i++;
		if (i > from && out)
			out[n] = etc_str_sub(s, from, i);
		n += i > from;
	}
	return n;
}

static enum etc_status apply_names(struct applying *a, struct etc_str value, struct etc_error *err)
{
	uint32_t n = split(value, NULL);
	struct etc_str *names = etc_new(a->set->arena, struct etc_str, n);

	if (!names)
		return etc_fail(err, E0904, "the configuration");
	split(value, names);
	a->out->plugins = names;
	a->out->plugin_count = n;
	a->out->has_plugins = n > 0;
	return ETC_OK;
}

/* Folders with the INI file's folder before the relative ones. */
static enum etc_status apply_folders(struct applying *a, const struct etc_setting *s,
                                     struct etc_error *err)
{
	struct etc_str rest = s->value, all = { "", 0 };

	while (rest.len) {
		const char *colon = memchr(rest.ptr, ':', rest.len);
		size_t n = colon ? (size_t)(colon - rest.ptr) : rest.len;
		struct etc_str one = etc_str_trim(etc_str_sub(rest, 0, n));
		bool prefix = one.len && one.ptr[0] != '/' && s->folder.len;

		rest = etc_str_sub(rest, n + (colon != NULL), rest.len);
		if (one.len == 0)
			continue;
		if (one.ptr[0] != '/' && !prefix) {
			etc_fail(err, E0515,
			         "'" ETC_STR_FMT
			         "' for 'plugin_path'; expected absolute folders here",
			         ETC_STR_ARG(one));
			etc_settings_place(s->origin, err);
			return ETC_USAGE;
		}
		all = etc_arena_printf(a->set->arena, "%s%s" ETC_STR_FMT "%s" ETC_STR_FMT,
		                       all.len ? all.ptr : "", all.len ? ":" : "",
		                       ETC_STR_ARG(prefix ? s->folder : (struct etc_str){ 0 }),
		                       prefix ? "/" : "", ETC_STR_ARG(one));
		if (!all.ptr)
			return etc_fail(err, E0904, "the configuration");
	}
	a->out->plugin_path = all;
	return ETC_OK;
}

/* Stores the value in the member of `base`; false: not understood. */
static bool store(const struct etc_conf_key *k, struct etc_str v, void *base)
{
	void *at = (char *)base + k->at;
	int i;

	switch (k->type) {
	case ETC_CONF_UNIT:
		return parse_unit(v, k->value[0] == '\0', at);
	case ETC_CONF_NUMBER:
		return parse_number(v, at);
	case ETC_CONF_SIZE:
		return parse_size(v, at);
	case ETC_CONF_BOOL:
		return parse_bool(v, at);
	case ETC_CONF_CHOICE:
		i = choice(k->choices, v);
		if (i >= 0 && strcmp(k->section, "backend") == 0)
			*(uint8_t *)at = (uint8_t)i; /* in the order of enum etc_decoder */
		else if (i >= 0)
			*(struct etc_str *)at = v;
		return i >= 0;
	default:
		*(struct etc_str *)at = v;
		return true;
	}
}

static enum etc_status apply(struct applying *a, const struct etc_conf_key *k, void *base,
                             const struct etc_setting *s, struct etc_error *err)
{
	if (k->type == ETC_CONF_NAMES)
		return apply_names(a, s->value, err);
	if (k->type == ETC_CONF_FOLDERS)
		return apply_folders(a, s, err);
	if (!store(k, s->value, base)) {
		enum etc_status st = etc_fail(
			err, E0515, "'" ETC_STR_FMT "' for '%s' in [" ETC_STR_FMT "]; expected %s",
			ETC_STR_ARG(s->value), k->key, ETC_STR_ARG(s->section),
			etc_conf_expected(k));

		etc_settings_place(s->origin, err);
		return st;
	}
	return ETC_OK;
}

/* The struct of [plugin.NAME] or [backend.ID]; made at its first key. Keys
 * are sorted by section, so it can only be the last one. */
static void *member_of(struct applying *a, const struct etc_setting *s, bool plugin)
{
	struct etc_str name = etc_str_sub(s->section, plugin ? 7 : 8, s->section.len);
	struct etc_settings *out = a->out;

	if (plugin) {
		struct etc_plugin_settings *p = &a->plugins[out->plugin_section_count];

		if (out->plugin_section_count && etc_str_eq(p[-1].name, name))
			return p - 1;
		*p = (struct etc_plugin_settings){
			.name = name, .enabled = true, .origin = s->origin, .folder = s->folder
		};
		out->plugin_section_count++;
		return p;
	}
	if (out->backend_count && etc_str_eq(a->backends[out->backend_count - 1].id, name))
		return &a->backends[out->backend_count - 1];
	a->backends[out->backend_count] = (struct etc_backend_settings){ .id = name,
		                                                         .metadata = ETC_DECODE_HEX,
		                                                         .origin = s->origin };
	return &a->backends[out->backend_count++];
}

static int by_key(const void *x, const void *y)
{
	const struct etc_setting *a = x, *b = y;
	int order = etc_str_cmp(a->section, b->section);

	return order ? order : etc_str_cmp(a->key, b->key);
}

enum etc_status etc_conf_apply(const struct etc_conf_set *set, struct etc_settings *out,
                               struct etc_error *err)
{
	struct applying a = { .set = set, .out = out };

	if (set->count > 1)
		qsort(set->all, set->count, sizeof *set->all, by_key);
	out->all = set->all;
	out->all_count = set->count;
	a.plugins = etc_new(set->arena, struct etc_plugin_settings, set->count);
	a.backends = etc_new(set->arena, struct etc_backend_settings, set->count);
	if (!a.plugins || !a.backends)
		return etc_fail(err, E0904, "the configuration");
	out->plugin_sections = a.plugins;
	out->backends = a.backends;
	for (uint32_t i = 0; i < set->count; i++) {
		const struct etc_setting *s = &set->all[i];
		const struct etc_conf_key *k = etc_conf_find(s->section, s->key);
		struct etc_str kind = kind_of(s->section);
		bool plugin = etc_str_eq(kind, ETC_STR("plugin"));
		void *base = out;

		if (takes_name(kind))
			base = member_of(&a, s, plugin);
		if (!k)
			continue; /* a plugin's own option */
		ETC_TRY(apply(&a, k, base, s, err));
		if (strcmp(k->key, "library") == 0) {
			struct etc_plugin_settings *p = base;

			p->folder = s->folder;
			p->origin = s->origin;
		}
		if (plugin && strcmp(k->key, "isolate") == 0)
			((struct etc_plugin_settings *)base)->has_isolate = true;
		if (strcmp(k->key, "metadata") == 0)
			((struct etc_backend_settings *)base)->has_metadata = true;
	}
	return ETC_OK;
}

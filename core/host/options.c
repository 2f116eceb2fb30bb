/* options.c -- a plugin's INI section against the options that it declares. */
#include "host/internal.h"

#include <stdlib.h>

#include "base/nearest.h"
#include "base/number.h"
#include "host/sink.h"

enum { NAMES_MAX = 258 }; /* contract.c allows 256 options; two are the host's */

static bool is_integer(struct etc_str s)
{
	uint64_t u;
	bool minus = s.len > 1 && s.ptr[0] == '-';

	if (!etc_number_parse_u64(etc_str_sub(s, minus, s.len), &u))
		return false;
	return u <= (uint64_t)INT64_MAX + minus;
}

/* "yes" or "no", or empty for another word. */
static struct etc_str truth(struct etc_str s)
{
	static const char *const yes[] = { "yes", "true", "on", "1" };
	static const char *const no[] = { "no", "false", "off", "0" };

	for (int i = 0; i < 4; i++) {
		if (etc_str_eq(s, etc_str_of(yes[i])))
			return ETC_STR("yes");
		if (etc_str_eq(s, etc_str_of(no[i])))
			return ETC_STR("no");
	}
	return (struct etc_str){ 0 };
}

/* What a value of `type` must look like when `*value` does not; NULL: it does.
 * A truth value becomes "yes" or "no". */
static const char *type_fault(uint32_t type, struct etc_str *value)
{
	double d;

	switch (type) {
	case ETCORE_TYPE_I64:
		return is_integer(*value) ? NULL : "a whole number";
	case ETCORE_TYPE_F64:
		return etc_number_parse(*value, &d) ? NULL : "a number";
	case ETCORE_TYPE_BOOL:
		*value = truth(*value);
		return value->len ? NULL : "yes or no";
	case ETCORE_TYPE_JSON:
		return etc_json_valid(*value) ? NULL : "JSON";
	default:
		return NULL;
	}
}

static const struct etcore_option *declared(const struct etcore_plugin *abi, struct etc_str key)
{
	for (uint32_t i = 0; abi->options && abi->options[i]; i++)
		if (etc_str_eq(etc_str_of(abi->options[i]->name), key))
			return abi->options[i];
	return NULL;
}

static enum etc_status unknown(const struct etc_plugin *p, const struct etc_setting *s,
                               struct etc_error *err)
{
	struct etc_str names[NAMES_MAX] = { ETC_STR("library"), ETC_STR("enabled"),
		                            ETC_STR("isolate") },
		       near;
	uint32_t n = 3;
	enum etc_status st;

	for (uint32_t i = 0; p->abi->options && p->abi->options[i] && n < NAMES_MAX; i++)
		names[n++] = etc_str_of(p->abi->options[i]->name);
	near = etc_nearest(s->key, names, n);
	st = etc_fail(err, E0512, "'" ETC_STR_FMT "' in [" ETC_STR_FMT "]%s" ETC_STR_FMT "%s",
	              ETC_STR_ARG(s->key), ETC_STR_ARG(s->section),
	              near.len ? "; did you mean '" : "", ETC_STR_ARG(near), near.len ? "'?" : "");
	etc_settings_place(s->origin, err);
	return st;
}

bool etc_option_of(const struct etc_setting *s, struct etc_str plugin)
{
	return etc_str_starts(s->section, ETC_STR("plugin.")) &&
	       etc_str_eq(etc_str_sub(s->section, 7, s->section.len), plugin) &&
	       !etc_str_eq(s->key, ETC_STR("library")) && !etc_str_eq(s->key, ETC_STR("enabled")) &&
	       !etc_str_eq(s->key, ETC_STR("isolate"));
}

/* Every key of [plugin.NAME] must be declared. */
static enum etc_status check_keys(const struct etc_plugin *p, const struct etc_settings *settings,
                                  struct etc_error *err)
{
	for (uint32_t i = 0; i < settings->all_count; i++) {
		const struct etc_setting *s = &settings->all[i];

		if (etc_option_of(s, p->name) && !declared(p->abi, s->key))
			return unknown(p, s, err);
	}
	return ETC_OK;
}

const char *etc_option_default_fault(const struct etcore_plugin *abi)
{
	for (uint32_t i = 0; abi->options && abi->options[i]; i++) {
		struct etc_str value = etc_str_of(abi->options[i]->default_value);

		if (value.ptr && type_fault(abi->options[i]->type, &value))
			return "an option whose default is not of its type";
	}
	return NULL;
}

enum etc_status etc_plugin_configure(struct etc_plugin *p, const struct etc_settings *settings,
                                     struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str section =
		etc_arena_printf(arena, "plugin." ETC_STR_FMT, ETC_STR_ARG(p->name));
	struct etcore_setting *values, **pointers;
	uint32_t room = 0;

	while (p->abi->options && p->abi->options[room])
		room++;
	values = etc_new(arena, struct etcore_setting, room);
	pointers = etc_new(arena, struct etcore_setting *, room + 1);
	if (!section.ptr || !values || !pointers)
		return etc_fail(err, E0904, "a plugin's options");
	ETC_TRY(check_keys(p, settings, err));
	p->setting_count = 0;
	for (uint32_t i = 0; i < room; i++) {
		const struct etcore_option *o = p->abi->options[i];
		const struct etc_setting *s =
			etc_settings_find(settings, section, etc_str_of(o->name));
		struct etc_str value = s ? s->value : etc_str_of(o->default_value), given = value;
		const char *expected;

		/* Not set, or set to nothing: as if it were not there. */
		if (!o->default_value && value.len == 0)
			continue;
		expected = type_fault(o->type, &value);
		if (expected && !s)
			return etc_fail(err, E0607, "the default of its option '%s' is not %s",
			                o->name, expected);
		if (expected) {
			enum etc_status st = etc_fail(
				err, E0515,
				"'" ETC_STR_FMT "' for '%s' in [" ETC_STR_FMT "]; expected %s",
				ETC_STR_ARG(given), o->name, ETC_STR_ARG(section), expected);

			etc_settings_place(s->origin, err);
			return st;
		}
		pointers[p->setting_count] = &values[p->setting_count];
		values[p->setting_count++] = (struct etcore_setting){
			.size = sizeof(struct etcore_setting),
			.name = { o->name, strlen(o->name) },
			.value = { value.ptr, value.len },
		};
	}
	p->settings = (const struct etcore_setting *const *)pointers;
	return ETC_OK;
}

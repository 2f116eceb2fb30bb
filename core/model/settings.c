/* settings.c -- see settings.h */
#include "model/settings.h"

#include <stdio.h>

#include "base/number.h"

/* clang-format off */
static const struct { const char *name; double ns; } units[] = {
	[ETC_UNIT_UNKNOWN] = { "",       0   },
	[ETC_UNIT_NS]      = { "ns",     1   },
	[ETC_UNIT_US]      = { "us",     1e3 },
	[ETC_UNIT_MS]      = { "ms",     1e6 },
	[ETC_UNIT_S]       = { "s",      1e9 },
	[ETC_UNIT_CYCLES]  = { "cycles", 0   },
	[ETC_UNIT_TICKS]   = { "ticks",  0   },
	[ETC_UNIT_BYTES]   = { "bytes",  0   },
	[ETC_UNIT_COUNT]   = { "count",  0   },
};
/* clang-format on */
enum { UNITS = sizeof units / sizeof units[0] };

const char *etc_unit_name(uint8_t unit)
{
	return unit < UNITS ? units[unit].name : "";
}

uint8_t etc_unit_parse(struct etc_str s)
{
	for (uint8_t i = ETC_UNIT_NS; i <= ETC_UNIT_TICKS; i++)
		if (etc_str_eq(s, etc_str_of(units[i].name)))
			return i;
	return etc_str_eq(s, ETC_STR("\xc2\xb5s")) ? ETC_UNIT_US : ETC_UNIT_UNKNOWN;
}

double etc_unit_ns(uint8_t unit)
{
	return unit < UNITS ? units[unit].ns : 0;
}

const struct etc_backend_settings *etc_settings_backend(const struct etc_settings *s,
                                                        struct etc_str id)
{
	for (uint32_t i = 0; i < s->backend_count; i++)
		if (etc_str_eq(s->backends[i].id, id))
			return &s->backends[i];
	return NULL;
}

const struct etc_plugin_settings *etc_settings_plugin(const struct etc_settings *s,
                                                      struct etc_str name)
{
	for (uint32_t i = 0; i < s->plugin_section_count; i++)
		if (etc_str_eq(s->plugin_sections[i].name, name))
			return &s->plugin_sections[i];
	return NULL;
}

const struct etc_setting *etc_settings_find(const struct etc_settings *s, struct etc_str section,
                                            struct etc_str key)
{
	for (uint32_t i = 0; i < s->all_count; i++)
		if (etc_str_eq(s->all[i].section, section) && etc_str_eq(s->all[i].key, key))
			return &s->all[i];
	return NULL;
}

void etc_settings_place(struct etc_str origin, struct etc_error *err)
{
	size_t colon = origin.len;
	uint64_t line = 0;

	if (!err)
		return;
	while (colon > 0 && origin.ptr[colon - 1] != ':')
		colon--;
	if (colon > 1 && etc_number_parse_u64(etc_str_sub(origin, colon, origin.len), &line) &&
	    line <= UINT32_MAX)
		origin = etc_str_sub(origin, 0, colon - 1);
	else
		line = 0;
	snprintf(err->file, sizeof err->file, ETC_STR_FMT, ETC_STR_ARG(origin));
	err->line = (uint32_t)line;
}

struct etc_str etc_settings_path(struct etc_str folder, struct etc_str path,
                                 struct etc_arena *arena)
{
	if (folder.len == 0 || (path.len && path.ptr[0] == '/'))
		return etc_arena_str(arena, path);
	return etc_arena_printf(arena, ETC_STR_FMT "/" ETC_STR_FMT, ETC_STR_ARG(folder),
	                        ETC_STR_ARG(path));
}

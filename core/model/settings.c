/* settings.c -- see settings.h */
#include "model/settings.h"

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
	return ETC_UNIT_UNKNOWN;
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

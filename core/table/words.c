/* words.c -- see words.h */
#include "table/words.h"

#include "base/number.h"
#include "model/builtin.h"

/* Returns the unit, ns, µs, ms or s, in which `ns` has one to three digits before the point. */
static struct etc_scale scale_for(double ns)
{
	static const struct etc_scale scales[] = {
		{ "s", 1e9, 0 }, { "ms", 1e6, 0 }, { "\xc2\xb5s", 1e3, 0 }, { "ns", 1, 0 }
	};
	struct etc_scale s = scales[3];

	for (size_t i = 0; i < 3; i++)
		if (ns >= scales[i].ns) {
			s = scales[i];
			break;
		}
	s.decimals = s.ns == 1 ? 0 : ns / s.ns < 10 ? 2 : 1;
	return s;
}

/* Returns the requested unit, with the number of decimals that three significant digits of `ns`
 * need, at most six. */
static struct etc_scale scale_in(uint8_t unit, double ns)
{
	struct etc_scale s = { unit == ETC_UNIT_US ? "\xc2\xb5s" : etc_unit_name(unit),
		               etc_unit_ns(unit), 0 };

	for (double least = 100; s.ns > 1 && s.decimals < 6 && ns / s.ns < least; least /= 10)
		s.decimals++;
	return s;
}

struct etc_scale etc_scale_of(const struct etc_profile *profile, double value)
{
	if (profile->unit == ETC_UNIT_NS && profile->shown_unit != ETC_UNIT_UNKNOWN)
		return scale_in(profile->shown_unit, value);
	if (profile->unit == ETC_UNIT_NS)
		return scale_for(value);
	return (struct etc_scale){ etc_unit_name(profile->unit), 1, 0 };
}

void etc_text_scaled(struct etc_text *t, double value, struct etc_scale scale)
{
	char number[ETC_NUMBER_MAX];
	size_t n = etc_number_fixed(number, value / scale.ns, scale.decimals);

	etc_text_put(t, (struct etc_str){ number, n });
}

void etc_text_percent(struct etc_text *t, double share)
{
	if (share > 0 && share < 0.005)
		etc_text_cstr(t, "< 1 %");
	else if (share >= 0.995 && share < 1)
		etc_text_cstr(t, "> 99 %");
	else
		etc_text_printf(t, "%.0f %%", share * 100);
}

const char *etc_clock_word(uint8_t clock)
{
	static const char *const words[] = { [ETC_CLOCK_UNKNOWN] = "",
		                             [ETC_CLOCK_HOST] = "host",
		                             [ETC_CLOCK_DEVICE] = "device",
		                             [ETC_CLOCK_NONE] = "none" };

	return clock < sizeof words / sizeof *words ? words[clock] : "";
}

struct etc_str etc_backend_word(struct etc_str backend)
{
	const struct etc_builtin *known = etc_builtin_of(backend);

	if (known)
		return known->word;
	if (etc_str_ends(backend, ETC_STR("Backend")) && backend.len > 7)
		return etc_str_sub(backend, 0, backend.len - 7);
	return backend;
}

struct etc_str etc_row_place(const struct etc_profile_row *row)
{
	if (row->backend.len)
		return etc_backend_word(row->backend);
	if (row->delegate)
		return ETC_STR("delegate");
	return row->native ? ETC_STR("CPU") : ETC_STR("runtime");
}

struct etc_str etc_name_word(struct etc_str name)
{
	if (etc_str_eq(name, ETC_STR("OPERATOR_CALL")))
		return ETC_STR("operator dispatch");
	if (etc_str_eq(name, ETC_STR("DELEGATE_CALL")))
		return ETC_STR("delegate call, as a whole");
	return name;
}

struct etc_str etc_row_word(const struct etc_profile_row *row)
{
	return row->delegate ? row->name : etc_name_word(row->name);
}

struct etc_str etc_row_name(const struct etc_profile_row *row)
{
	return row->grouped ? row->name : etc_row_word(row);
}

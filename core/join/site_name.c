/* site_name.c -- implements etc_site_name() (keys.h): the name of the row to which an event
 * belongs. */
#include "join/keys.h"

#include "base/digits.h"
#include "join/builtin_name.h"
#include "join/method.h"

/* Returns `before` followed by the number in decimal: "instruction 17". */
static struct etc_str numbered(struct etc_str before, int32_t number, struct etc_arena *arena)
{
	uint64_t n = number < 0 ? (uint64_t) - (int64_t)number : (uint64_t)number;
	size_t sign = number < 0, digits = etc_digits_of(n), len = before.len + sign + digits;
	char *p = etc_arena_alloc(arena, 1, 1, len + 1);

	if (!p)
		return ETC_STR_NONE;
	if (before.len)
		memcpy(p, before.ptr, before.len);
	p[before.len] = '-';
	etc_digits_put(p + before.len + sign, digits, n);
	return (struct etc_str){ p, len };
}

/* Returns the delegate id of an event as text. */
static struct etc_str id_of(const struct etc_site *site, const struct etc_event *e,
                            struct etc_arena *arena)
{
	if (!e->has_delegate_name)
		return numbered(ETC_STR_NONE, e->delegate_id, arena);
	return site->by_rule ? etc_name_without_ordinal(etc_event_delegate_name(e), arena)
	                     : etc_event_delegate_name(e);
}

struct etc_str etc_site_name(const struct etc_sites *sites, uint32_t i, struct etc_arena *arena)
{
	const struct etc_site *s = &sites->v[i];
	const struct etc_event *e = etc_site_event(sites, s);
	const struct etc_said said = etc_site_said(sites, s);
	struct etc_str name = etc_event_name(e);
	const struct etc_operator *op;

	if (sites->name)
		return sites->name[i];
	if (sites->by_record && sites->by_record[i].len)
		return sites->by_record[i];
	if (said.facts && said.facts->display.len)
		return said.facts->display;
	if (s->delegate)
		return id_of(s, e, arena);
	if (e->word == ETC_WORD_OPERATOR_CALL) {
		op = sites->method ? etc_method_operator(sites->method, e) : NULL;
		return op && op->text.len
		               ? op->text
		               : numbered(ETC_STR("instruction "), e->instruction_id, arena);
	}
	return s->native ? etc_str_sub(name, sizeof "native_call_" - 1, name.len) : name;
}

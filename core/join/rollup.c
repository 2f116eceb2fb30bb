/* rollup.c -- see rollup.h */
#include "join/rollup.h"

#include "etcore/plugin.h"
#include "model/datum.h"

enum { SET_BYTES = 512 /* a longer set ends with "..." */ };

static double number(const struct etc_datum *d)
{
	return d->kind == ETC_DATUM_F64 ? d->f : (double)d->i;
}

static bool is_number(const struct etc_datum *d)
{
	return d->kind == ETC_DATUM_I64 || d->kind == ETC_DATUM_F64;
}

static void add_up(struct etc_datum *to, const struct etc_datum *d)
{
	int64_t sum;

	if (!is_number(to) || !is_number(d)) {
		if (!is_number(to))
			*to = *d;
	} else if (to->kind == ETC_DATUM_I64 && d->kind == ETC_DATUM_I64 &&
	           !__builtin_add_overflow(to->i, d->i, &sum)) {
		to->i = sum;
	} else {
		to->f = number(to) + number(d);
		to->kind = ETC_DATUM_F64;
	}
}

static struct etc_str text_of(const struct etc_datum *d, struct etc_arena *arena)
{
	struct etc_text t = { 0 };
	struct etc_str s;

	etc_datum_put(&t, d);
	s = etc_arena_str(arena, etc_text_str(&t));
	etc_text_release(&t);
	return s;
}

/* Is `item` one of the parts of "a; b; c"? */
static bool listed(struct etc_str list, struct etc_str item)
{
	for (size_t at = 0; at <= list.len;) {
		size_t end = etc_str_find(list, ETC_STR("; "), at);

		end = end == SIZE_MAX ? list.len : end;
		if (etc_str_eq(etc_str_sub(list, at, end), item))
			return true;
		at = end + 2;
	}
	return false;
}

static bool add_to_set(struct etc_datum *to, const struct etc_datum *d, struct etc_arena *arena)
{
	struct etc_str have, item;

	if (etc_datum_eq(to, d))
		return true;
	have = to->kind == ETC_DATUM_STR ? to->text : text_of(to, arena);
	item = text_of(d, arena);
	if ((!have.ptr && have.len) || (!item.ptr && item.len))
		return false;
	if (!listed(have, item) && have.len < SET_BYTES)
		have = etc_arena_printf(
			arena, ETC_STR_FMT "; " ETC_STR_FMT, ETC_STR_ARG(have),
			ETC_STR_ARG(have.len + item.len < SET_BYTES ? item : ETC_STR("...")));
	to->kind = ETC_DATUM_STR;
	to->text = have;
	return have.ptr != NULL;
}

static bool add(struct etc_profile_row *row, const struct etc_datum *d, struct etc_str name,
                uint8_t rollup, struct etc_arena *arena)
{
	struct etc_datum *more, *to = NULL;

	for (uint32_t i = 0; i < row->column_count && !to; i++)
		if (etc_str_eq(row->columns[i].name, name))
			to = &row->columns[i];
	if (!to) {
		more = etc_new(arena, struct etc_datum, row->column_count + 1);
		if (!more)
			return false;
		if (row->column_count)
			memcpy(more, row->columns, row->column_count * sizeof *more);
		row->columns = more;
		to = &more[row->column_count++];
		*to = *d;
		to->name = name;
		return true;
	}
	switch (rollup) {
	case ETCORE_ROLLUP_FIRST:
		return true;
	case ETCORE_ROLLUP_SUM:
		add_up(to, d);
		to->name = name;
		return true;
	case ETCORE_ROLLUP_SET:
		return add_to_set(to, d, arena);
	default:
		if (!etc_datum_eq(to, d))
			to->kind = ETC_DATUM_NULL;
		return true;
	}
}

bool etc_rollup(struct etc_profile_row *row, const struct etc_parsed *parsed,
                struct etc_arena *arena)
{
	bool ok = true;

	for (uint32_t i = 0; i < parsed->column_count && ok; i++)
		ok = add(row, &parsed->columns[i], parsed->columns[i].name,
		         parsed->columns[i].rollup, arena);
	for (uint32_t i = 0; i < parsed->count && ok && !parsed->has_columns; i++) {
		const struct etc_datum *d = &parsed->items[i];

		if (parsed->form == ETC_PARSED_LIST)
			ok = add(row, d, ETC_STR("metadata"), ETCORE_ROLLUP_SET, arena);
		else
			ok = add(row, d, d->name, d->rollup, arena);
	}
	return ok;
}

bool etc_rollup_facts(struct etc_profile_row *row, const struct etc_facts *facts,
                      struct etc_arena *arena)
{
	struct etc_datum d = { .name = ETC_STR("microkernel_inferred"),
		               .kind = ETC_DATUM_STR,
		               .rollup = ETCORE_ROLLUP_SET,
		               .text = facts->microkernel };
	struct etc_parsed parsed = { .form = ETC_PARSED_DICT, .items = &d, .count = 1 };

	return facts->microkernel.len == 0 || etc_rollup(row, &parsed, arena);
}

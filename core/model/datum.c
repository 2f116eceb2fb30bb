/* datum.c -- see datum.h */
#include "model/datum.h"

#include "base/number.h"

bool etc_datum_eq(const struct etc_datum *a, const struct etc_datum *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == ETC_DATUM_STR || a->kind == ETC_DATUM_JSON)
		return etc_str_eq(a->text, b->text);
	return a->kind == ETC_DATUM_NULL || a->i == b->i;
}

bool etc_datum_as(struct etc_datum *d, uint8_t type, struct etc_arena *arena)
{
	struct etc_text t = { 0 };

	d->type = type;
	if (type == ETC_TYPE_F64 && d->kind == ETC_DATUM_I64) {
		d->kind = ETC_DATUM_F64;
		d->f = (double)d->i;
	}
	if ((type && type != ETC_TYPE_JSON) || d->kind == ETC_DATUM_NULL ||
	    d->kind == ETC_DATUM_STR)
		return true;
	if (d->kind == ETC_DATUM_JSON && !d->has_bytes) {
		d->kind = ETC_DATUM_STR;
		return true;
	}
	if (d->kind == ETC_DATUM_BOOL && type == ETC_TYPE_JSON)
		etc_text_cstr(&t, d->i ? "true" : "false");
	else
		etc_datum_put(&t, d);
	d->text = etc_text_keep(&t, arena);
	d->kind = ETC_DATUM_STR;
	return d->text.ptr;
}

bool etc_declared_is_family(struct etc_str name)
{
	return etc_str_eq(name, ETC_STR("*")) || etc_str_ends(name, ETC_STR(".*"));
}

const struct etc_declared *etc_declared_find(const struct etc_declared *all, uint32_t count,
                                             struct etc_str name)
{
	const struct etc_declared *family = NULL;

	for (uint32_t i = 0; i < count; i++) {
		struct etc_str own = all[i].name;

		if (etc_str_eq(own, name))
			return &all[i];
		if (!family && etc_declared_is_family(own) &&
		    etc_str_starts(name, etc_str_sub(own, 0, own.len - 1)))
			family = &all[i];
	}
	return family;
}

/* Appends JSON text. A value b"<base64>" in it, which is not JSON, is written as the string
 * "<base64>". */
static void put_plain(struct etc_text *t, struct etc_str s)
{
	bool quoted = false;

	for (size_t i = 0; i < s.len; i++) {
		if (quoted && s.ptr[i] == '\\' && i + 1 < s.len)
			etc_text_char(t, s.ptr[i++]);
		else if (s.ptr[i] == '"')
			quoted = !quoted;
		else if (!quoted && s.ptr[i] == 'b')
			continue;
		etc_text_char(t, s.ptr[i]);
	}
}

void etc_datum_put(struct etc_text *t, const struct etc_datum *d)
{
	char number[ETC_NUMBER_MAX];

	switch (d->kind) {
	case ETC_DATUM_NULL:
		etc_text_char(t, '-');
		break;
	case ETC_DATUM_BOOL:
		etc_text_cstr(t, d->i ? "yes" : "no");
		break;
	case ETC_DATUM_I64:
		etc_text_i64(t, d->i);
		break;
	case ETC_DATUM_F64:
		etc_text_put(t, (struct etc_str){ number, etc_number_repr(number, d->f) });
		break;
	case ETC_DATUM_LIST:
		for (uint32_t i = 0; i < d->count; i++) {
			etc_text_cstr(t, i ? "; " : "");
			etc_datum_put(t, &d->items[i]);
		}
		break;
	default:
		if (d->has_bytes)
			put_plain(t, d->text);
		else
			etc_text_put(t, d->text);
	}
}

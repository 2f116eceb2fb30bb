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

/* JSON with the base64 of b"<base64>" as a string. */
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
	default:
		if (d->has_bytes)
			put_plain(t, d->text);
		else
			etc_text_put(t, d->text);
	}
}

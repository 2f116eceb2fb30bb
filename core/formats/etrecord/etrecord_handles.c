/* etrecord_handles.c -- reads a JSON value that should be a debug handle. */
#include "formats/etrecord/etrecord_reader.h"

#include "base/number.h"

#include <stdalign.h>

static bool add_handle(struct etc_arena *arena, struct etc_grow *g, int64_t v)
{
	int64_t *to = ETC_GROW(arena, g, int64_t);

	if (to)
		*to = v;
	return to != NULL;
}

/* Reads a value that equals an integer in Python: 1, but also 1.0 and true. False: another
 * value. */
static bool as_handle(const struct etc_json_value *v, enum etc_json_type type, int64_t *n)
{
	double d;

	if (type == ETC_JSON_TRUE || type == ETC_JSON_FALSE) {
		*n = type == ETC_JSON_TRUE;
		return true;
	}
	if (type == ETC_JSON_FLOAT) {
		if (!etc_number_parse(v->raw, &d) || !(d > -9e15 && d < 9e15))
			return false;
		*n = (int64_t)d;
		return (double)*n == d;
	}
	return type == ETC_JSON_INT && etc_json_int(v->raw, n);
}

static bool read_list(struct etc_arena *arena, const struct etc_json_value *v,
                      struct etc_handles *out, bool *odd)
{
	struct etc_grow g = { 0 };
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return false;
	while (etc_json_more(&it)) {
		enum etc_json_type type = etc_json_type(&it.value);
		int64_t n = 0;

		if (as_handle(&it.value, type, &n)) {
			if (!add_handle(arena, &g, n))
				return false;
		} else {
			etc_json_verify(&it.value);
			out->unhashable |= type == ETC_JSON_ARRAY || type == ETC_JSON_OBJECT;
		}
		*odd |= type != ETC_JSON_INT || !as_handle(&it.value, type, &n);
	}
	out->form = ETC_HANDLES_LIST;
	out->v = g.items;
	out->count = g.count;
	if (*odd)
		out->raw = etc_json_through(v);
	return true;
}

bool etc_record_handles(struct etc_arena *arena, const struct etc_json_value *v,
                        struct etc_handles *out, bool *odd)
{
	enum etc_json_type type = etc_json_type(v);
	int64_t n, *one;

	*out = (struct etc_handles){ 0 };
	*odd = false;
	if (type == ETC_JSON_NULL) {
		out->form = ETC_HANDLES_NULL;
		return true;
	}
	if (type == ETC_JSON_ARRAY)
		return read_list(arena, v, out, odd);
	*odd = type != ETC_JSON_INT;
	out->form = ETC_HANDLES_OTHER;
	if (type == ETC_JSON_OBJECT || type == ETC_JSON_BAD)
		etc_json_verify(v);
	else if (as_handle(v, type, &n)) {
		out->v = one = etc_new(arena, int64_t, 1);
		if (!one)
			return false;
		*one = n;
		out->count = 1;
		if (type != ETC_JSON_FLOAT)
			out->form = ETC_HANDLES_INT;
	} else {
		*odd = true;
	}
	if (*odd)
		out->raw = etc_json_through(v);
	return true;
}

/* document.c -- see document.h */
#include "formats/container/document.h"

#include "base/number.h"

enum { ROOM = 64 /* number of readable bytes that the JSON parser needs after a text */ };

enum etc_status etc_json_document(struct etc_span bytes, uint16_t code, etc_json_walk *walk,
                                  void *arg, struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str json = { (const char *)bytes.ptr, bytes.len };
	struct etc_json_value root;
	struct etc_error why = { 0 };
	struct etc_json *doc;
	enum etc_status st;
	char *copy;
	bool moved;

	ETC_TRY(etc_json_utf8_as(arena, &json, &moved, code, err));
	if (!moved) {
		copy = etc_new(arena, char, json.len + ROOM);
		ETC_NEED(copy, err);
		if (json.len)
			memcpy(copy, json.ptr, json.len);
		json.ptr = copy;
	}
	ETC_TRY(etc_json_open(json, ROOM, arena, &doc, err));
	etc_json_root(doc, &root);
	st = walk(arg, &root, err);
	/* A walk through damaged JSON ends early, and `walk` may then have failed because of a
	 * missing member. Report the damage instead. */
	if (st != ETC_NOMEM &&
	    (st == ETC_OK ? etc_json_check_end(doc, &why) : etc_json_check(doc, &why)) != ETC_OK)
		st = etc_fail(err, code, "%s", why.text);
	etc_json_close(doc);
	return st;
}

static enum etc_status take(const struct etc_json_field *f, const struct etc_json_value *v,
                            uint16_t code, void *at, struct etc_arena *arena, struct etc_error *err)
{
	const enum etc_json_type type = etc_json_type(v);
	bool bad = false;

	if (f->kind == ETC_JSON_NUMBER && (type == ETC_JSON_INT || type == ETC_JSON_FLOAT)) {
		if (!etc_number_parse(v->raw, at))
			return etc_fail(err, code, "a number that is none");
	} else if (f->kind == ETC_JSON_TEXT && type == ETC_JSON_STRING) {
		if (!etc_json_unescape(arena, etc_json_inside(v->raw), at, &bad))
			return bad ? etc_fail(err, code, "damaged text") : etc_no_memory(err);
	} else if (f->kind == ETC_JSON_FLAG && (type == ETC_JSON_TRUE || type == ETC_JSON_FALSE)) {
		*(bool *)at = type == ETC_JSON_TRUE;
	}
	return ETC_OK;
}

enum etc_status etc_json_fields(const struct etc_json_value *v, const struct etc_json_field *fields,
                                size_t count, uint16_t code, void *to, struct etc_arena *arena,
                                struct etc_error *err)
{
	struct etc_json_iter object;

	if (!etc_json_enter(v, &object))
		return etc_fail(err, code, "a row is no object");
	while (etc_json_more(&object))
		for (size_t i = 0; i < count; i++)
			if (etc_str_eq(object.key, etc_str_of(fields[i].key)))
				ETC_TRY(take(&fields[i], &object.value, code,
				             (char *)to + fields[i].offset, arena, err));
	return ETC_OK;
}

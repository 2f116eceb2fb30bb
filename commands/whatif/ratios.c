/* ratios.c -- see ratios.h */
#include "commands/whatif/ratios.h"

#include <math.h>

#include "base/number.h"
#include "formats/container/json.h"

enum { RATIO_MOST = 1000000000 };
enum { ROOM = 64 /* readable bytes that the parser of JSON needs behind a text */ };

/* The members of a row that count here. */
struct row {
	struct etc_str level, match, method, base, group, base_name, name;
	double path, ratio, low, high;
	bool detached;
};

struct member {
	const char *key;
	size_t offset;
	bool number;
};
static const struct member members[] = {
	{ "level", offsetof(struct row, level), false },
	{ "match", offsetof(struct row, match), false },
	{ "method", offsetof(struct row, method), false },
	{ "base", offsetof(struct row, base), false },
	{ "group", offsetof(struct row, group), false },
	{ "base_name", offsetof(struct row, base_name), false },
	{ "name", offsetof(struct row, name), false },
	{ "path", offsetof(struct row, path), true },
	{ "ratio", offsetof(struct row, ratio), true },
	{ "ratio_low", offsetof(struct row, low), true },
	{ "ratio_high", offsetof(struct row, high), true },
};

struct reader {
	struct etc_arena *arena;
	struct etc_json *doc;
	struct etc_ratios *out;
	uint32_t room;
	bool of_diff, several;
};

static enum etc_status wrong(struct etc_error *err, const char *why)
{
	return etc_fail(err, E0571, "%s", why);
}

/* Null, and a value of another type, leave what is there. */
static enum etc_status take(struct reader *r, const struct member *m,
                            const struct etc_json_value *v, struct row *to, struct etc_error *err)
{
	void *at = (char *)to + m->offset;
	const enum etc_json_type type = etc_json_type(v);
	bool bad = false;

	if (m->number && (type == ETC_JSON_INT || type == ETC_JSON_FLOAT)) {
		if (!etc_number_parse(v->raw, at))
			return wrong(err, "a number that is none");
	} else if (!m->number && type == ETC_JSON_STRING &&
	           !etc_json_unescape(r->arena, etc_json_inside(v->raw), at, &bad)) {
		return bad ? wrong(err, "damaged text") : etc_no_memory(err);
	}
	return ETC_OK;
}

static enum etc_status add(struct reader *r, const struct row *row, struct etc_error *err)
{
	struct etc_ratios *out = r->out;
	struct etc_ratio_row *more;

	if (!etc_str_eq(row->level, ETC_STR("row")))
		return ETC_OK;
	if (!out->group.len) {
		out->base = row->base;
		out->group = row->group;
	}
	r->several = r->several || !etc_str_eq(out->group, row->group);
	if (!etc_str_eq(row->match, ETC_STR("canonical")) || !row->base_name.len ||
	    etc_str_eq(row->base_name, row->name))
		return ETC_OK;
	if (row->low < 0 || row->high < row->low || row->high > RATIO_MOST)
		return wrong(err, "a ratio whose interval is none");
	if (out->count == r->room) {
		more = etc_new(r->arena, struct etc_ratio_row, r->room ? 2 * (size_t)r->room : 16);
		ETC_NEED(more, err);
		if (out->count)
			memcpy(more, out->rows, out->count * sizeof *more);
		out->rows = more;
		r->room = r->room ? 2 * r->room : 16;
	}
	out->rows[out->count++] = (struct etc_ratio_row){
		row->method, row->base_name, row->name, row->path, row->ratio, row->low, row->high,
	};
	return ETC_OK;
}

static enum etc_status take_row(struct reader *r, const struct etc_json_value *v,
                                struct etc_error *err)
{
	struct row row = { .path = NAN, .ratio = NAN, .low = NAN, .high = NAN };
	struct etc_json_iter object;

	if (!etc_json_enter(v, &object))
		return wrong(err, "a row is no object");
	while (etc_json_more(&object))
		for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
			if (etc_str_eq(object.key, etc_str_of(members[i].key)))
				ETC_TRY(take(r, &members[i], &object.value, &row, err));
	return add(r, &row, err);
}

static enum etc_status walk(struct reader *r, struct etc_error *err)
{
	struct etc_json_value root;
	struct etc_json_iter all, rows;

	etc_json_root(r->doc, &root);
	if (!etc_json_enter(&root, &all))
		return wrong(err, "no JSON object");
	while (etc_json_more(&all)) {
		const struct etc_json_value *v = &all.value;

		if (etc_str_eq(all.key, ETC_STR("schema")))
			r->of_diff = etc_str_eq(v->raw, ETC_STR("\"etcore.diff/1\""));
		if (!etc_str_eq(all.key, ETC_STR("rows")))
			continue;
		r->out->count = 0;
		if (!etc_json_enter(v, &rows))
			return wrong(err, "rows is no array");
		while (etc_json_more(&rows))
			ETC_TRY(take_row(r, &rows.value, err));
	}
	return ETC_OK;
}

static enum etc_status read_padded(struct reader *r, struct etc_str json, struct etc_error *err)
{
	struct etc_error why = { 0 };
	enum etc_status st;

	ETC_TRY(etc_json_open(json, ROOM, r->arena, &r->doc, err));
	st = walk(r, err);
	/* Broken JSON ends a walk early; what was missing then is not the error to report. */
	if (st != ETC_NOMEM && (st == ETC_OK ? etc_json_check_end(r->doc, &why)
	                                     : etc_json_check(r->doc, &why)) != ETC_OK)
		st = wrong(err, why.text);
	etc_json_close(r->doc);
	return st;
}

enum etc_status etc_ratios_read(struct etc_span bytes, struct etc_arena *arena,
                                struct etc_ratios *out, struct etc_error *err)
{
	struct etc_str json = { (const char *)bytes.ptr, bytes.len };
	struct reader r = { .arena = arena, .out = out };
	char *copy;
	bool moved;

	*out = (struct etc_ratios){ .json = json };
	ETC_TRY(etc_json_utf8_as(arena, &json, &moved, E0571, err));
	if (!moved) {
		copy = etc_new(arena, char, json.len + ROOM);
		ETC_NEED(copy, err);
		if (json.len)
			memcpy(copy, json.ptr, json.len);
		json.ptr = copy;
	}
	ETC_TRY(read_padded(&r, json, err));
	if (!r.of_diff)
		return wrong(err, "its schema is not etcore.diff/1");
	if (r.several)
		return wrong(err, "it compares several groups with the base: compare two");
	return ETC_OK;
}

const struct etc_ratio_row *etc_ratios_find(const struct etc_ratios *ratios, struct etc_str method,
                                            double path, struct etc_str name)
{
	const struct etc_ratio_row *found = NULL;

	for (uint32_t i = 0; i < ratios->count; i++) {
		const struct etc_ratio_row *r = &ratios->rows[i];

		if (!etc_str_eq(r->base_name, name) || !etc_str_eq(r->method, method) ||
		    r->path != path)
			continue;
		if (found)
			return NULL;
		found = r;
	}
	return found;
}

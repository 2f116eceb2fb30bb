/* ratios.c -- reads measured ratios from a document of `etcore diff`; see ratios.h */
#include "commands/whatif/ratios.h"

#include <math.h>

#include "formats/container/document.h"

enum { RATIO_MOST = 1000000000 };

/* The members of a JSON row that etcore reads. */
struct row {
	struct etc_str level, match, method, base, group, base_name, name, base_ran, ran;
	double path, ratio, low, high;
};

static const struct etc_json_field fields[] = {
	{ "level", offsetof(struct row, level), ETC_JSON_TEXT },
	{ "match", offsetof(struct row, match), ETC_JSON_TEXT },
	{ "method", offsetof(struct row, method), ETC_JSON_TEXT },
	{ "base", offsetof(struct row, base), ETC_JSON_TEXT },
	{ "group", offsetof(struct row, group), ETC_JSON_TEXT },
	{ "base_name", offsetof(struct row, base_name), ETC_JSON_TEXT },
	{ "name", offsetof(struct row, name), ETC_JSON_TEXT },
	{ "base_library_ran", offsetof(struct row, base_ran), ETC_JSON_TEXT },
	{ "library_ran", offsetof(struct row, ran), ETC_JSON_TEXT },
	{ "path", offsetof(struct row, path), ETC_JSON_NUMBER },
	{ "ratio", offsetof(struct row, ratio), ETC_JSON_NUMBER },
	{ "ratio_low", offsetof(struct row, low), ETC_JSON_NUMBER },
	{ "ratio_high", offsetof(struct row, high), ETC_JSON_NUMBER },
};

struct reader {
	struct etc_arena *arena;
	struct etc_ratios *out;
	uint32_t room;
	bool of_diff, several;
	/* from: there is a row in which only the base ran the library's kernels; to: there is a
	 * row in which only the other group ran them */
	bool from, to;
};

static enum etc_status wrong(struct etc_error *err, const char *why)
{
	return etc_fail(err, E0571, "%s", why);
}

static bool is_yes(struct etc_str ran)
{
	return etc_str_eq(ran, ETC_STR("yes"));
}

static bool is_no(struct etc_str ran)
{
	return etc_str_eq(ran, ETC_STR("no"));
}

static enum etc_status add(struct reader *r, const struct row *row, struct etc_error *err)
{
	struct etc_ratios *out = r->out;
	struct etc_ratio_row *next;

	if (!etc_str_eq(row->level, ETC_STR("row")))
		return ETC_OK;
	if (!out->group.len)
		out->group = row->group;
	r->several = r->several || !etc_str_eq(out->group, row->group);
	r->from = r->from || (is_yes(row->base_ran) && is_no(row->ran));
	r->to = r->to || (is_yes(row->ran) && is_no(row->base_ran));
	if (!etc_str_eq(row->match, ETC_STR("canonical")) || !is_yes(row->ran) ||
	    !is_no(row->base_ran) || !row->base_name.len || etc_str_eq(row->base_name, row->name))
		return ETC_OK;
	if (row->low < 0 || row->high < row->low || row->high > RATIO_MOST)
		return wrong(err, "a ratio whose interval is none");
	next = ETC_APPEND(r->arena, out->rows, out->count, r->room);
	ETC_NEED(next, err);
	*next = (struct etc_ratio_row){
		row->method, row->base_name, row->name, row->path, row->ratio, row->low, row->high,
	};
	return ETC_OK;
}

static enum etc_status take_row(struct reader *r, const struct etc_json_value *v,
                                struct etc_error *err)
{
	struct row row = { .path = NAN, .ratio = NAN, .low = NAN, .high = NAN };

	ETC_TRY(etc_json_fields(v, fields, sizeof fields / sizeof fields[0], E0571, &row, r->arena,
	                        err));
	return add(r, &row, err);
}

static enum etc_status walk(void *arg, const struct etc_json_value *root, struct etc_error *err)
{
	struct reader *r = arg;
	struct etc_json_iter all, rows;

	if (!etc_json_enter(root, &all))
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

enum etc_status etc_ratios_read(struct etc_span bytes, struct etc_arena *arena,
                                struct etc_ratios *out, struct etc_error *err)
{
	struct reader r = { .arena = arena, .out = out };

	*out = (struct etc_ratios){ .json = { (const char *)bytes.ptr, bytes.len } };
	ETC_TRY(etc_json_document(bytes, E0571, walk, &r, arena, err));
	if (!r.of_diff)
		return wrong(err, "its schema is not etcore.diff/1");
	if (r.several)
		return wrong(err, "it compares several groups with the base: compare two");
	if (!r.to)
		return wrong(
			err,
			r.from ? "its base has the library's kernels, its other group has not: "
				 "exchange them"
			       : "no row shows that only the other group has a library's "
				 "kernels (column library_ran)");
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

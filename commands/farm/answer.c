/* answer.c -- makes a table from the JSON that DuckDB writes; see farm.h */
#include "base/number.h"
#include "commands/farm/farm.h"
#include "formats/container/json.h"
#include "table/cells.h"

/* clang-format off */
static const struct etc_column known[] = {
#define COLUMN(key, heading, form, may_go, meaning) \
	{ .name = key, .title = heading, .help = meaning, .optional = may_go, ETC_FORM_##form },
#include "commands/farm/columns.def"
};
/* clang-format on */

enum { KNOWN = sizeof known / sizeof known[0] };

static const struct etc_column *find(struct etc_str name)
{
	for (int i = 0; i < KNOWN; i++)
		if (etc_str_eq(name, etc_str_of(known[i].name)))
			return &known[i];
	return NULL;
}

enum etc_status etc_farm_table(const char *names, uint32_t rows, struct etc_arena *arena,
                               struct etc_table *out, struct etc_error *err)
{
	struct etc_column *columns = etc_new(arena, struct etc_column, KNOWN);
	struct etc_str rest = etc_str_of(names);
	uint32_t n = 0;

	ETC_NEED(columns, err);
	while (rest.len) {
		size_t end = etc_str_find(rest, ETC_STR(" "), 0);
		const struct etc_column *c =
			find(etc_str_sub(rest, 0, end < rest.len ? end : rest.len));

		if (c)
			columns[n++] = *c;
		rest = etc_str_sub(rest, end < rest.len ? end + 1 : rest.len, rest.len);
	}
	*out = (struct etc_table){ .columns = columns, .column_count = n };
	out->cells = etc_new(arena, struct etc_cell, (size_t)rows * n);
	ETC_NEED(out->cells, err);
	return ETC_OK;
}

/* Returns a scalar as a cell; for any other value, a blank cell. */
static struct etc_cell cell_of(const struct etc_json_value *v, struct etc_arena *arena)
{
	struct etc_str text;
	int64_t i;
	double f;
	bool bad = false;

	switch (etc_json_type(v)) {
	case ETC_JSON_STRING:
		if (!etc_json_unescape(arena, etc_json_inside(v->raw), &text, &bad))
			break;
		return etc_cell_text(etc_arena_str(arena, text));
	case ETC_JSON_INT:
		if (etc_json_int(v->raw, &i))
			return etc_cell_int(i);
		/* fall through */
	case ETC_JSON_FLOAT:
		return etc_number_parse(v->raw, &f) ? etc_cell_double(f) : etc_cell_blank();
	default:
		break;
	}
	return etc_cell_blank();
}

static void read_row(const struct etc_json_value *row, const struct etc_table *t,
                     struct etc_cell *to, struct etc_arena *arena)
{
	struct etc_json_iter it;

	if (!etc_json_enter(row, &it))
		return;
	while (etc_json_more(&it))
		for (uint32_t c = 0; c < t->column_count; c++)
			if (etc_str_eq(it.key, etc_str_of(t->columns[c].name)))
				to[c] = cell_of(&it.value, arena);
}

static uint32_t count_rows(struct etc_json *doc)
{
	struct etc_json_value root, row;
	struct etc_json_iter it;
	struct etc_str key;
	uint32_t n = 0;

	etc_json_root(doc, &root);
	if (etc_json_enter(&root, &it))
		while (etc_json_next(&it, &key, &row))
			n++;
	return n;
}

static enum etc_status read_rows(struct etc_json *doc, struct etc_table *t, struct etc_arena *arena,
                                 struct etc_error *err)
{
	struct etc_json_value root, row;
	struct etc_json_iter it;
	struct etc_str key;
	enum etc_status st;

	etc_json_root(doc, &root);
	if (etc_json_enter(&root, &it))
		while (etc_json_next(&it, &key, &row))
			read_row(&row, t, t->cells + (size_t)t->row_count++ * t->column_count,
			         arena);
	st = etc_json_check_end(doc, err);
	if (st == ETC_OK || err->code == E0904)
		return st;
	return etc_fail(err, E1221, "its answer is damaged");
}

enum etc_status etc_farm_read(struct etc_str json, const char *names, struct etc_arena *arena,
                              struct etc_table *out, struct etc_error *err)
{
	struct etc_json *doc = NULL;
	enum etc_status st = etc_json_open(json, ETC_FARM_ROOM, arena, &doc, err);

	if (st == ETC_OK)
		st = etc_farm_table(names, count_rows(doc), arena, out, err);
	if (st == ETC_OK)
		st = read_rows(doc, out, arena, err);
	etc_json_close(doc);
	return st;
}

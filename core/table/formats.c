/* formats.c -- see formats.h */
#include "table/formats.h"

#include "base/number.h"

/* A new format is one line here and one file. */
static const struct etc_format formats[] = {
	{ "text", false, false, etc_write_text }, { "csv", true, false, etc_write_csv },
	{ "tsv", true, false, etc_write_tsv },    { "markdown", false, false, etc_write_markdown },
	{ "json", true, true, etc_write_json },   { "ndjson", true, true, etc_write_ndjson },
};

const struct etc_format *etc_format_find(struct etc_str name)
{
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		if (etc_str_eq(name, etc_str_of(formats[i].name)))
			return &formats[i];
	return NULL;
}

const char *etc_format_names(void)
{
	return "text, csv, tsv, markdown, json, ndjson";
}

static void put_real(struct etc_text *out, double v)
{
	char number[ETC_NUMBER_MAX];

	etc_text_put(out, (struct etc_str){ number, etc_number_repr(number, v) });
}

void etc_write_plain(struct etc_text *out, const struct etc_cell *c)
{
	switch ((enum etc_cell_kind)c->kind) {
	case ETC_CELL_BLANK:
		return;
	case ETC_CELL_TEXT:
		etc_text_put(out, c->s);
		return;
	case ETC_CELL_INT:
		etc_text_i64(out, c->i);
		return;
	case ETC_CELL_UINT:
		etc_text_u64(out, c->u);
		return;
	case ETC_CELL_REAL:
		put_real(out, c->f);
		return;
	case ETC_CELL_BOOL:
		etc_text_cstr(out, c->i ? "true" : "false");
		return;
	case ETC_CELL_LIST:
		etc_text_put(out, c->list->joined);
		return;
	}
}

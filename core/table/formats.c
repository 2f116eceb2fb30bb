/* formats.c -- see formats.h */
#include "table/formats.h"

#include <stdio.h>

#include "base/number.h"

const struct etc_format etc_table_formats[] = ETC_FORMAT_ARRAY(ETC_TABLE_FORMATS, ETC_TABLE_FORMAT);

const struct etc_format *etc_format_find(const struct etc_format *formats, struct etc_str name)
{
	for (; formats->name; formats++)
		if (etc_str_eq(name, etc_str_of(formats->name)))
			return formats;
	return NULL;
}

enum etc_status etc_format_unknown(const struct etc_format *formats, const char *before,
                                   struct etc_str name, struct etc_error *err)
{
	char known[512] = "";

	for (const struct etc_format *f = formats; f->name; f++) {
		size_t used = strlen(known);

		snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", f->name);
	}
	return etc_fail(err, E0505, "%s'" ETC_STR_FMT "'; the formats are %s", before,
	                ETC_STR_ARG(name), known);
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
	case ETC_CELL_BYTES:
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
	case ETC_CELL_MAP:
		etc_text_put(out, c->list->joined);
		return;
	}
}

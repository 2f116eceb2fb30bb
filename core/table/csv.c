/* csv.c -- writes rows as comma- or tab-separated values (RFC 4180): one header line, numbers with
 * all digits, empty fields for unknown values. */
#include "table/csv.h"
#include "table/formats.h"

void etc_csv_field(struct etc_text *out, struct etc_str s, char comma)
{
	bool quote = false;

	for (size_t i = 0; i < s.len && !quote; i++)
		quote = s.ptr[i] == comma || s.ptr[i] == '"' || s.ptr[i] == '\n' ||
		        s.ptr[i] == '\r';
	if (!quote) {
		etc_text_put(out, s);
		return;
	}
	etc_text_char(out, '"');
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '"')
			etc_text_char(out, '"');
		etc_text_char(out, s.ptr[i]);
	}
	etc_text_char(out, '"');
}

static void write_rows(const struct etc_report *report, char comma, struct etc_text *out)
{
	const struct etc_table *t = etc_report_table(report);
	struct etc_cell room[ETC_TABLE_MADE];

	for (uint32_t c = 0; c < t->column_count; c++) {
		if (c)
			etc_text_char(out, comma);
		etc_csv_field(out, etc_str_of(t->columns[c].name), comma);
	}
	etc_text_char(out, '\n');
	for (uint32_t r = 0; r < t->row_count; r++) {
		const struct etc_cell *row = etc_table_row(t, r, room);

		for (uint32_t c = 0; c < t->column_count; c++) {
			const struct etc_cell *cell = &row[c];

			if (c)
				etc_text_char(out, comma);
			if (cell->kind == ETC_CELL_TEXT)
				etc_csv_field(out, cell->s, comma);
			else if (cell->kind == ETC_CELL_LIST || cell->kind == ETC_CELL_MAP)
				etc_csv_field(out, cell->list->joined, comma);
			else
				etc_write_plain(out, cell);
		}
		etc_text_char(out, '\n');
	}
}

void etc_write_csv(const struct etc_report *report, const struct etc_screen *screen,
                   struct etc_text *out)
{
	(void)screen;
	write_rows(report, ',', out);
}

void etc_write_tsv(const struct etc_report *report, const struct etc_screen *screen,
                   struct etc_text *out)
{
	(void)screen;
	write_rows(report, '\t', out);
}

/* csv.c -- the rows as comma-separated values, RFC 4180: one header line, every
 * number with all its digits, unknown is empty. */
#include "write/formats.h"

static void put_field(struct etc_text *out, struct etc_str s)
{
	bool quote = false;

	for (size_t i = 0; i < s.len && !quote; i++)
		quote = s.ptr[i] == ',' || s.ptr[i] == '"' || s.ptr[i] == '\n' || s.ptr[i] == '\r';
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

void etc_write_csv(const struct etc_report *report, const struct etc_screen *screen,
                   struct etc_text *out)
{
	const struct etc_table *t = report->events.row_count ? &report->events : &report->rows;

	(void)screen;
	for (uint32_t c = 0; c < t->column_count; c++) {
		if (c)
			etc_text_char(out, ',');
		etc_text_cstr(out, t->columns[c].name);
	}
	etc_text_char(out, '\n');
	for (uint32_t r = 0; r < t->row_count; r++) {
		for (uint32_t c = 0; c < t->column_count; c++) {
			const struct etc_cell *cell = &t->cells[(size_t)r * t->column_count + c];

			if (c)
				etc_text_char(out, ',');
			if (cell->kind == ETC_CELL_TEXT)
				put_field(out, cell->s);
			else
				etc_write_plain(out, cell);
		}
		etc_text_char(out, '\n');
	}
}

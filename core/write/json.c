/* json.c -- one JSON document: "etcore.analyze/1". Unknown is null; doubles are
 * the shortest that read back the same. */
#include "write/formats.h"

static void put_string(struct etc_text *out, struct etc_str s)
{
	etc_text_char(out, '"');
	etc_text_json(out, s);
	etc_text_char(out, '"');
}

static void put_cell(struct etc_text *out, const struct etc_cell *c)
{
	if (c->kind == ETC_CELL_BLANK)
		etc_text_cstr(out, "null");
	else if (c->kind == ETC_CELL_TEXT)
		put_string(out, c->s);
	else
		etc_write_plain(out, c);
}

static void put_name(struct etc_text *out, const char *name, bool first)
{
	etc_text_printf(out, "%s\"%s\": ", first ? "" : ", ", name);
}

static void put_files(struct etc_text *out, const struct etc_report *report)
{
	etc_text_cstr(out, " \"files\": [");
	for (uint32_t i = 0; i < report->file_count; i++) {
		const struct etc_report_file *f = &report->files[i];

		etc_text_cstr(out, i ? ",\n  {\"path\": " : "\n  {\"path\": ");
		put_string(out, f->path);
		etc_text_cstr(out, ", \"sha256\": ");
		put_string(out, f->sha256);
		etc_text_printf(out, ", \"kind\": \"%s\"}", f->kind);
	}
	etc_text_cstr(out, "],\n");
}

static void put_path(struct etc_text *out, const struct etc_report_method *m, uint32_t p)
{
	const struct etc_table *t = &m->paths;

	etc_text_cstr(out, p ? ",\n    {" : "\n    {");
	for (uint32_t c = 0; c < t->column_count; c++) {
		put_name(out, t->columns[c].name, c == 0);
		put_cell(out, &t->cells[(size_t)p * t->column_count + c]);
	}
	put_name(out, "samples_ns", false);
	if (!m->samples) {
		etc_text_cstr(out, "null}");
		return;
	}
	for (size_t i = 0; i < m->sample_counts[p]; i++) {
		etc_text_cstr(out, i ? ", " : "[");
		etc_text_u64(out, m->samples[p][i]);
	}
	etc_text_cstr(out, m->sample_counts[p] ? "]}" : "[]}");
}

static void put_methods(struct etc_text *out, const struct etc_report *report)
{
	etc_text_cstr(out, " \"methods\": [");
	for (uint32_t i = 0; i < report->method_count; i++) {
		const struct etc_report_method *m = &report->methods[i];

		etc_text_cstr(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
		put_cell(out, &m->name);
		etc_text_cstr(out, ", \"load_ns\": ");
		put_cell(out, &m->load);
		etc_text_cstr(out, ", \"loads_ns\": [");
		for (size_t k = 0; k < m->load_count; k++) {
			etc_text_cstr(out, k ? ", " : "");
			put_cell(out, &m->loads[k]);
		}
		etc_text_cstr(out, "],\n   \"paths\": [");
		for (uint32_t p = 0; p < m->paths.row_count; p++)
			put_path(out, m, p);
		etc_text_cstr(out, "]}");
	}
	etc_text_cstr(out, "],\n");
}

static void put_row(struct etc_text *out, const struct etc_table *t, uint32_t r)
{
	const struct etc_cell *cells = &t->cells[(size_t)r * t->column_count];
	bool first = true;

	etc_text_cstr(out, r ? ",\n  {" : "\n  {");
	for (uint32_t c = 0; c < t->column_count; c++) {
		if (t->columns[c].extra)
			continue;
		put_name(out, t->columns[c].name, first);
		put_cell(out, &cells[c]);
		first = false;
	}
	put_name(out, "columns", first);
	etc_text_char(out, '{');
	first = true;
	for (uint32_t c = 0; c < t->column_count; c++) {
		if (!t->columns[c].extra || cells[c].kind == ETC_CELL_BLANK)
			continue;
		put_name(out, t->columns[c].name, first);
		put_cell(out, &cells[c]);
		first = false;
	}
	etc_text_cstr(out, "}}");
}

static void put_events(struct etc_text *out, const struct etc_table *t)
{
	etc_text_cstr(out, " \"events\": [");
	for (uint32_t r = 0; r < t->row_count; r++) {
		etc_text_cstr(out, r ? ",\n  {" : "\n  {");
		for (uint32_t c = 0; c < t->column_count; c++) {
			put_name(out, t->columns[c].name, c == 0);
			put_cell(out, &t->cells[(size_t)r * t->column_count + c]);
		}
		etc_text_char(out, '}');
	}
	etc_text_cstr(out, "],\n");
}

static void put_notes(struct etc_text *out, const struct etc_notes *notes)
{
	bool first = true;

	etc_text_cstr(out, " \"notes\": [");
	for (const struct etc_note *n = notes ? notes->first : NULL; n; n = n->next) {
		etc_text_printf(out, "%s\n  {\"code\": \"%s\", \"text\": \"", first ? "" : ",",
		                etc_code_info(n->code)->name);
		etc_text_json(out, etc_str_of(etc_code_info(n->code)->title));
		etc_text_cstr(out, n->text.len ? ": " : "");
		etc_text_json(out, n->text);
		etc_text_cstr(out, "\", \"place\": ");
		if (n->file.len)
			put_string(out, n->file);
		else
			etc_text_cstr(out, "null");
		etc_text_char(out, '}');
		first = false;
	}
	etc_text_cstr(out, "],\n");
}

void etc_write_json(const struct etc_report *report, const struct etc_screen *screen,
                    struct etc_text *out)
{
	(void)screen;
	etc_text_cstr(out, "{\"schema\": \"etcore.analyze/1\",\n");
	put_files(out, report);
	put_methods(out, report);
	etc_text_cstr(out, " \"rows\": [");
	for (uint32_t r = 0; r < report->rows.row_count; r++)
		put_row(out, &report->rows, r);
	etc_text_cstr(out, "],\n");
	if (report->events.row_count)
		put_events(out, &report->events);
	put_notes(out, report->notes);
	etc_text_cstr(out, " \"config_origin\": {}}\n");
}

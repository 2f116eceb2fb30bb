/* json.c -- writes a report as one JSON document, or as one object per line.
 *
 * The document has the form of `etcore analyze`, "etcore.analyze/1" (docs/analyze.schema.json).
 * Reports of other forms are passed to sheet.h (report->schema) or to the command's own functions
 * (report->forms). Unknown values are null; doubles have the fewest digits that read back the same
 * value. */
#include "table/formats.h"
#include "table/names.h"
#include "table/sheet.h"

#include <math.h>

#include "table/cells.h"

/* An object that is being written. `first`: it has no member yet, so that no separator is
 * needed. */
struct object {
	struct etc_text *out;
	bool first;
};

static void put_items(struct etc_text *out, const struct etc_cell_list *list);

void etc_write_json_cell(struct etc_text *out, const struct etc_cell *c)
{
	if (c->kind == ETC_CELL_BLANK || (c->kind == ETC_CELL_REAL && !isfinite(c->f)))
		etc_text_cstr(out, "null");
	else if (c->kind == ETC_CELL_TEXT)
		etc_text_json_string(out, c->s);
	else if (c->kind == ETC_CELL_LIST)
		put_items(out, c->list);
	else if (c->kind == ETC_CELL_MAP)
		etc_text_json_string(out, c->list->joined);
	else
		etc_write_plain(out, c);
}

static void put_items(struct etc_text *out, const struct etc_cell_list *list)
{
	etc_text_char(out, '[');
	for (uint32_t i = 0; i < list->count; i++) {
		etc_text_cstr(out, i ? ", " : "");
		etc_write_json_cell(out, &list->items[i]);
	}
	etc_text_char(out, ']');
}

/* Begins an object. If `type` is NULL, the object is part of a document. Otherwise it is on a line
 * of its own, and its first member is "type" with the value `type`. */
static struct object begin(struct etc_text *out, const char *type)
{
	struct object o = { out, type == NULL };

	etc_text_char(out, '{');
	if (type)
		etc_text_printf(out, "\"type\": \"%s\"", type);
	return o;
}

/* Begins a member. Its name is `name` followed by `more`. The caller writes its value. */
static struct etc_text *long_member(struct object *o, struct etc_str name, struct etc_str more)
{
	etc_text_cstr(o->out, o->first ? "\"" : ", \"");
	etc_text_json(o->out, name);
	etc_text_json(o->out, more);
	etc_text_cstr(o->out, "\": ");
	o->first = false;
	return o->out;
}

static struct etc_text *member(struct object *o, const char *name)
{
	return long_member(o, etc_str_of(name), ETC_STR_NONE);
}

/* If a text is not valid UTF-8, writes its bytes in hexadecimal as a member NAME_hex. Writes
 * nothing for other cells. */
static void put_hex(struct object *o, const char *name, const struct etc_cell *c)
{
	if (c->kind != ETC_CELL_TEXT || etc_utf8_fault(c->s) == SIZE_MAX)
		return;
	etc_text_char(long_member(o, etc_str_of(name), ETC_STR("_hex")), '"');
	etc_text_hex(o->out, etc_span_of(c->s));
	etc_text_char(o->out, '"');
}

static void put_named(struct object *o, const char *name, const struct etc_cell *c)
{
	etc_write_json_cell(member(o, name), c);
	put_hex(o, name, c);
}

static void put_cells(struct object *o, const struct etc_table *t, const struct etc_cell *row,
                      bool extra)
{
	for (uint32_t c = 0; c < t->column_count; c++)
		if (t->columns[c].extra == extra && (!extra || row[c].kind != ETC_CELL_BLANK))
			put_named(o, t->columns[c].name, &row[c]);
}

/* ---- parts of a report ---------------------------------------------------- */

static void put_file(struct etc_text *out, const struct etc_report_file *f, const char *type)
{
	struct object o = begin(out, type);

	etc_text_json_string(member(&o, "path"), f->path);
	etc_text_json_string(member(&o, "sha256"), f->sha256);
	etc_text_json_string(member(&o, "kind"), etc_str_of(f->kind));
	etc_text_char(out, '}');
}

static void put_path(struct etc_text *out, const struct etc_report_method *m, uint32_t p)
{
	struct object o = begin(out, NULL);
	struct etc_cell room[ETC_TABLE_MADE];

	put_cells(&o, &m->paths, etc_table_row(&m->paths, p, room), false);
	put_cells(&o, &m->paths, etc_table_row(&m->paths, p, room), true);
	member(&o, "samples_ns");
	if (!m->samples) {
		etc_text_cstr(out, "null}");
		return;
	}
	for (size_t i = 0; i < m->sample_counts[p]; i++) {
		struct etc_cell c = etc_cell_ratio(etc_ratio(m->samples[p][i], m->samples_den));

		etc_text_cstr(out, i ? ", " : "[");
		etc_write_json_cell(out, &c);
	}
	etc_text_cstr(out, m->sample_counts[p] ? "]}" : "[]}");
}

static void put_method(struct etc_text *out, const struct etc_report_method *m, const char *type)
{
	struct object o = begin(out, type);

	etc_write_json_cell(member(&o, "name"), &m->name);
	etc_write_json_cell(member(&o, "load_ns"), &m->load);
	member(&o, "loads_ns");
	etc_text_char(out, '[');
	for (size_t k = 0; k < m->load_count; k++) {
		etc_text_cstr(out, k ? ", " : "");
		etc_write_json_cell(out, &m->loads[k]);
	}
	etc_text_char(out, ']');
	member(&o, "paths");
	etc_text_char(out, '[');
	for (uint32_t p = 0; p < m->paths.row_count; p++) {
		etc_text_cstr(out, type ? p ? ", " : "" : p ? ",\n    " : "\n    ");
		put_path(out, m, p);
	}
	etc_text_cstr(out, "]}");
}

static void put_row(struct etc_text *out, const struct etc_table *t, uint32_t r, const char *type)
{
	struct object o = begin(out, type), columns;
	struct etc_cell room[ETC_TABLE_MADE];
	const struct etc_cell *row = etc_table_row(t, r, room);

	put_cells(&o, t, row, false);
	member(&o, "columns");
	columns = begin(out, NULL);
	put_cells(&columns, t, row, true);
	etc_text_cstr(out, "}}");
}

/* Writes a row as an object with a member for each column. */
static void put_record(struct etc_text *out, const struct etc_table *t, uint32_t r,
                       const struct etc_names *names, const char *type)
{
	struct object o = begin(out, type);
	struct etc_cell room[ETC_TABLE_MADE];
	const struct etc_cell *row = etc_table_row(t, r, room);

	for (uint32_t c = 0; c < t->column_count; c++) {
		if (c < ETC_TABLE_MADE && names->of[c].len)
			etc_text_put(out, (struct etc_str){ names->of[c].bytes, names->of[c].len });
		else
			member(&o, t->columns[c].name);
		etc_write_json_cell(out, &row[c]);
		put_hex(&o, t->columns[c].name, &row[c]);
	}
	etc_text_char(out, '}');
}

static void put_records(struct etc_text *out, const char *name, const struct etc_table *t)
{
	struct etc_names names;

	etc_names_make(t, &names);
	etc_text_printf(out, " \"%s\": [", name);
	for (uint32_t r = 0; r < t->row_count; r++) {
		etc_text_cstr(out, r ? ",\n  " : "\n  ");
		put_record(out, t, r, &names, NULL);
	}
	etc_text_cstr(out, "],\n");
}

static void put_record_lines(struct etc_text *out, const char *type, const struct etc_table *t)
{
	struct etc_names names;

	etc_names_make(t, &names);
	for (uint32_t r = 0; r < t->row_count; r++, etc_text_char(out, '\n'))
		put_record(out, t, r, &names, type);
}

static void put_note(struct etc_text *out, const struct etc_note *n, const char *type)
{
	struct object o = begin(out, type);

	etc_text_json_string(member(&o, "code"), etc_str_of(etc_code_info(n->code)->name));
	member(&o, "text");
	etc_text_char(out, '"');
	etc_text_json(out, etc_str_of(etc_code_info(n->code)->title));
	etc_text_cstr(out, n->text.len ? ": " : "");
	etc_text_json(out, n->text);
	etc_text_char(out, '"');
	member(&o, "place");
	if (n->file.len)
		etc_text_json_string(out, n->file);
	else
		etc_text_cstr(out, "null");
	etc_text_char(out, '}');
}

/* Writes a member for each configuration key that was set. The member says where it was set. */
static void put_origins(struct etc_text *out, const struct etc_report *report)
{
	struct object o = begin(out, NULL);

	for (uint32_t i = 0; i < report->setting_count; i++) {
		const struct etc_setting *s = &report->settings[i];

		etc_text_cstr(out, o.first ? "\"" : ", \"");
		etc_text_json(out, s->section);
		etc_text_char(out, '.');
		etc_text_json(out, s->key);
		etc_text_cstr(out, "\": ");
		etc_text_json_string(out, s->origin);
		o.first = false;
	}
	etc_text_char(out, '}');
}

/* ---- one document ------------------------------------------------------------ */

typedef void item_fn(struct etc_text *out, const struct etc_report *report, uint32_t i);

static void file_item(struct etc_text *out, const struct etc_report *report, uint32_t i)
{
	put_file(out, &report->files[i], NULL);
}

static void method_item(struct etc_text *out, const struct etc_report *report, uint32_t i)
{
	put_method(out, &report->methods[i], NULL);
}

static void row_item(struct etc_text *out, const struct etc_report *report, uint32_t i)
{
	put_row(out, &report->all_rows, i, NULL);
}

static void put_list(struct etc_text *out, const char *name, const struct etc_report *report,
                     uint32_t count, item_fn *item)
{
	etc_text_printf(out, " \"%s\": [", name);
	for (uint32_t i = 0; i < count; i++) {
		etc_text_cstr(out, i ? ",\n  " : "\n  ");
		item(out, report, i);
	}
	etc_text_cstr(out, "],\n");
}

void etc_write_json(const struct etc_report *report, const struct etc_screen *screen,
                    struct etc_text *out)
{
	const struct etc_note *n = report->notes ? report->notes->first : NULL;

	(void)screen;
	if (report->forms || report->schema) {
		if (report->forms)
			report->forms->json(report, out);
		else
			etc_write_sheet_json(report, out);
		return;
	}
	etc_text_printf(out,
	                "{\"schema\": \"etcore.analyze/1\", \"stat\": \"%s\", \"by\": \"%s\",\n",
	                report->stat, report->by);
	put_list(out, "files", report, report->file_count, file_item);
	put_list(out, "methods", report, report->method_count, method_item);
	put_list(out, "rows", report, report->all_rows.row_count, row_item);
	if (report->events_for_rows || report->events.row_count)
		put_records(out, "events", &report->events);
	if (report->allocations.row_count)
		put_records(out, "allocations", &report->allocations);
	etc_text_cstr(out, " \"notes\": [");
	for (bool first = true; n; n = n->next, first = false) {
		etc_text_cstr(out, first ? "\n  " : ",\n  ");
		put_note(out, n, NULL);
	}
	etc_text_cstr(out, "],\n \"config_origin\": ");
	put_origins(out, report);
	etc_text_cstr(out, "}\n");
}

/* ---- one object per line ------------------------------------------------------ */

void etc_write_ndjson(const struct etc_report *report, const struct etc_screen *screen,
                      struct etc_text *out)
{
	(void)screen;
	if (report->forms || report->schema) {
		if (report->forms)
			report->forms->ndjson(report, out);
		else
			etc_write_sheet_ndjson(report, out);
		return;
	}
	etc_text_printf(out,
	                "{\"type\": \"analysis\", \"schema\": \"etcore.analyze/1\", \"stat\": "
	                "\"%s\", \"by\": \"%s\", \"config_origin\": ",
	                report->stat, report->by);
	put_origins(out, report);
	etc_text_cstr(out, "}\n");
	for (uint32_t i = 0; i < report->file_count; i++, etc_text_char(out, '\n'))
		put_file(out, &report->files[i], "file");
	for (uint32_t i = 0; i < report->method_count; i++, etc_text_char(out, '\n'))
		put_method(out, &report->methods[i], "method");
	for (uint32_t i = 0; i < report->all_rows.row_count; i++, etc_text_char(out, '\n'))
		put_row(out, &report->all_rows, i, "row");
	put_record_lines(out, "event", &report->events);
	put_record_lines(out, "allocation", &report->allocations);
	for (const struct etc_note *n = report->notes ? report->notes->first : NULL; n;
	     n = n->next, etc_text_char(out, '\n'))
		put_note(out, n, "note");
}

void etc_write_lines(const struct etc_report *report, const struct etc_screen *screen,
                     struct etc_text *out)
{
	(void)screen;
	put_record_lines(out, NULL, &report->rows);
}

/* sheet.c -- see sheet.h */
#include "table/sheet.h"

#include "table/emit.h"
#include "table/formats.h"

static void put_cell(struct etc_emit *e, const struct etc_column *column, const struct etc_cell *c)
{
	if (c->kind == ETC_CELL_TEXT && column->style != ETC_STYLE_JSON) {
		etc_emit_text(e, column->name, c->s);
		return;
	}
	if (c->kind == ETC_CELL_REAL) {
		/* "nan", "inf" and "-inf" are written as texts */
		etc_emit_real(e, column->name, c->f);
		return;
	}
	etc_emit_name(e, column->name);
	if (c->kind == ETC_CELL_TEXT)
		etc_text_put(e->out, c->s);
	else
		etc_write_json_cell(e->out, c);
}

/* Begins an object. If it is on a line of its own, `type` is the value of its member "type". NULL:
 * the object is part of a document and has no such member. */
static void begin(struct etc_emit *e, const char *type)
{
	etc_emit_open(e, NULL, '{');
	if (type)
		etc_emit_text(e, "type", etc_str_of(type));
}

static void put_row(struct etc_emit *e, const struct etc_table *t, uint32_t r, const char *type)
{
	begin(e, type);
	for (uint32_t c = 0; c < t->column_count; c++)
		put_cell(e, &t->columns[c], &t->cells[(size_t)r * t->column_count + c]);
	etc_emit_close(e);
}

static void put_file(struct etc_emit *e, const struct etc_report_file *f, const char *type)
{
	begin(e, type);
	etc_emit_text(e, "path", f->path);
	etc_emit_text(e, "sha256", f->sha256);
	etc_emit_text(e, "kind", etc_str_of(f->kind));
	etc_emit_close(e);
}

static void put_note(struct etc_emit *e, const struct etc_note *n, const char *type)
{
	const struct etc_code_info *info = etc_code_info(n->code);
	struct etc_text text = { 0 };

	begin(e, type);
	etc_emit_text(e, "code", etc_str_of(info->name));
	etc_text_cstr(&text, info->title);
	etc_text_cstr(&text, n->text.len ? ": " : "");
	etc_text_put(&text, n->text);
	etc_emit_text(e, "text", etc_text_str(&text));
	e->out->failed = e->out->failed || text.failed;
	etc_text_release(&text);
	if (n->file.len)
		etc_emit_text(e, "place", n->file);
	else
		etc_emit_null(e, "place");
	etc_emit_close(e);
}

void etc_write_sheet_json(const struct etc_report *report, struct etc_text *out)
{
	const struct etc_note *n = report->notes ? report->notes->first : NULL;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", etc_str_of(report->schema));
	etc_emit_block(&e, "files", '[');
	for (uint32_t i = 0; i < report->file_count; i++)
		put_file(&e, &report->files[i], NULL);
	etc_emit_close(&e);
	etc_emit_block(&e, "rows", '[');
	for (uint32_t i = 0; i < report->rows.row_count && !out->failed; i++)
		put_row(&e, &report->rows, i, NULL);
	etc_emit_close(&e);
	etc_emit_block(&e, "notes", '[');
	for (; n; n = n->next)
		put_note(&e, n, NULL);
	etc_emit_close(&e);
	etc_emit_close(&e);
	etc_text_char(out, '\n');
}

/* Begins a new document, because in the form with one object per line each line is a document. */
static struct etc_emit *fresh(struct etc_emit *e)
{
	*e = (struct etc_emit){ .out = e->out };
	return e;
}

void etc_write_sheet_ndjson(const struct etc_report *report, struct etc_text *out)
{
	struct etc_emit e = { .out = out };

	begin(&e, "sheet");
	etc_emit_text(&e, "schema", etc_str_of(report->schema));
	etc_emit_close(&e); /* ends the line */
	for (uint32_t i = 0; i < report->file_count; i++)
		put_file(fresh(&e), &report->files[i], "file");
	for (uint32_t i = 0; i < report->rows.row_count && !out->failed; i++)
		put_row(fresh(&e), &report->rows, i, "row");
	for (const struct etc_note *n = report->notes ? report->notes->first : NULL; n; n = n->next)
		put_note(fresh(&e), n, "note");
}

/* diff_json.c -- writes the result of `etcore diff` as JSON; see diff_forms.h */
#include "table/cells.h"
#include "commands/compare/diff_forms.h"
#include "table/emit.h"
#include "table/formats.h"
#include "table/names.h"

static void put_cell(struct etc_emit *e, const char *name, const struct etc_cell *c)
{
	if (c->kind == ETC_CELL_TEXT) {
		/* if the text is not valid UTF-8, this also writes its bytes as hexadecimal
		 * digits */
		etc_emit_text(e, name, c->s);
	} else {
		etc_emit_name(e, name);
		etc_write_json_cell(e->out, c);
	}
}

static void put_dump(struct etc_emit *e, const struct etc_report_dump *d)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "file", d->file);
	put_cell(e, "method", &d->method);
	put_cell(e, "path", &d->path);
	put_cell(e, "load_ns", &d->load);
	etc_emit_u64(e, "runs", d->runs);
	etc_emit_u64(e, "warmup", d->warmup);
	if (!d->samples) {
		etc_emit_null(e, "samples_ns");
	} else {
		etc_emit_open(e, "samples_ns", '[');
		for (size_t i = 0; i < d->runs; i++) {
			struct etc_cell c =
				etc_cell_ratio(etc_ratio(d->samples[i], d->samples_den));

			put_cell(e, NULL, &c);
		}
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

/* Writes the members of a group. The JSON object is open already. */
static void put_group(struct etc_emit *e, const struct etc_report_group *g)
{
	etc_emit_text(e, "name", g->name);
	etc_emit_open(e, "files", '[');
	for (uint32_t i = 0; i < g->file_count; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "path", g->files[i].path);
		etc_emit_text(e, "sha256", g->files[i].sha256);
		etc_emit_text(e, "kind", etc_str_of(g->files[i].kind));
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_open(e, "paths", '[');
	for (uint32_t i = 0; i < g->dump_count; i++)
		put_dump(e, &g->dumps[i]);
	etc_emit_close(e);
}

/* Writes the members of row `r`. The JSON object is open already. The first member is written by
 * put_cell(), which writes a separator only after another member. The other members are written
 * with prepared names, which contain the separator. */
static void put_row(struct etc_emit *e, const struct etc_table *t, uint32_t r,
                    const struct etc_names *names)
{
	struct etc_cell room[ETC_TABLE_MADE];
	const struct etc_cell *row = etc_table_row(t, r, room);

	for (uint32_t c = 0; c < t->column_count; c++) {
		bool odd = row[c].kind == ETC_CELL_TEXT &&
		           (!row[c].s.ptr || etc_utf8_fault(row[c].s) != SIZE_MAX);

		if (c == 0 || c >= ETC_TABLE_MADE || !names->of[c].len || odd) {
			put_cell(e, t->columns[c].name, &row[c]);
			continue;
		}
		etc_text_put(e->out, (struct etc_str){ names->of[c].bytes, names->of[c].len });
		etc_write_json_cell(e->out, &row[c]);
	}
}

static void put_note(struct etc_emit *e, const struct etc_note *n)
{
	const struct etc_code_info *info = etc_code_info(n->code);
	struct etc_text text = { 0 };

	etc_text_cstr(&text, info->title);
	etc_text_cstr(&text, n->text.len ? ": " : "");
	etc_text_put(&text, n->text);
	etc_emit_text(e, "code", etc_str_of(info->name));
	etc_emit_text(e, "text", etc_text_str(&text));
	etc_emit_text(e, "place", n->file.len ? n->file : ETC_STR_NONE);
	etc_text_release(&text);
}

static void put_origins(struct etc_emit *e, const struct etc_report *report)
{
	struct etc_text name = { 0 };

	etc_emit_open(e, "config_origin", '{');
	for (uint32_t i = 0; i < report->setting_count; i++) {
		const struct etc_setting *s = &report->settings[i];

		name.len = 0;
		etc_text_put(&name, s->section);
		etc_text_char(&name, '.');
		etc_text_put(&name, s->key);
		etc_text_char(&name, '\0');
		if (name.failed)
			break;
		etc_emit_text(e, name.ptr, s->origin);
	}
	etc_text_release(&name);
	etc_emit_close(e);
}

static void put_head(struct etc_emit *e, const struct etc_report *report)
{
	etc_emit_text(e, "schema", ETC_STR("etcore.diff/1"));
	etc_emit_text(e, "stat", etc_str_of(report->stat));
	etc_emit_text(e, "by", etc_str_of(report->by));
	etc_emit_real(e, "confidence", report->diff->confidence);
	etc_emit_text(e, "headline", report->diff->headline);
}

void etc_write_diff_json(const struct etc_report *report, struct etc_text *out)
{
	struct etc_emit e = { .out = out };
	struct etc_names names;

	etc_names_make(&report->all_rows, &names);
	etc_emit_block(&e, NULL, '{');
	put_head(&e, report);
	etc_emit_block(&e, "groups", '[');
	for (uint32_t i = 0; i < report->diff->group_count; i++) {
		etc_emit_open(&e, NULL, '{');
		put_group(&e, &report->diff->groups[i]);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
	etc_emit_block(&e, "rows", '[');
	for (uint32_t i = 0; i < report->all_rows.row_count; i++) {
		etc_emit_open(&e, NULL, '{');
		put_row(&e, &report->all_rows, i, &names);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
	etc_emit_block(&e, "notes", '[');
	for (const struct etc_note *n = report->notes->first; n; n = n->next) {
		etc_emit_open(&e, NULL, '{');
		put_note(&e, n);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
	put_origins(&e, report);
	etc_emit_close(&e);
}

static void begin(struct etc_emit *e, const char *type)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "type", etc_str_of(type));
}

static void end(struct etc_emit *e, struct etc_text *out)
{
	etc_emit_close(e);
	*e = (struct etc_emit){ .out = out };
}

void etc_write_diff_ndjson(const struct etc_report *report, struct etc_text *out)
{
	struct etc_emit e = { .out = out };
	struct etc_names names;

	etc_names_make(&report->all_rows, &names);
	begin(&e, "diff");
	put_head(&e, report);
	put_origins(&e, report);
	end(&e, out);
	for (uint32_t i = 0; i < report->diff->group_count; i++, end(&e, out)) {
		begin(&e, "group");
		put_group(&e, &report->diff->groups[i]);
	}
	for (uint32_t i = 0; i < report->all_rows.row_count; i++, end(&e, out)) {
		begin(&e, "row");
		put_row(&e, &report->all_rows, i, &names);
	}
	for (const struct etc_note *n = report->notes->first; n; n = n->next, end(&e, out)) {
		begin(&e, "note");
		put_note(&e, n);
	}
}

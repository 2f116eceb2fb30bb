/* markdown.c -- the screen as GitHub's markdown: for an issue or a pull request. */
#include "table/markdown.h"

#include "table/formats.h"
#include "table/layout.h"

static void put_row(struct etc_text *out, const struct etc_layout *l, uint32_t r, bool titles)
{
	for (uint32_t c = 0; c < l->t->column_count; c++) {
		if (!l->shown[c] || (etc_is_unit_place(&l->t->columns[c]) && titles && c == 0))
			continue;
		etc_text_cstr(out, "| ");
		etc_text_markdown(out, titles ? etc_layout_title(l, c) : etc_layout_cell(l, r, c));
		if (titles && etc_is_unit_place(&l->t->columns[c]))
			etc_text_put(out, etc_str_of(l->unit));
		etc_text_char(out, ' ');
	}
	etc_text_cstr(out, "|\n");
}

void etc_markdown_rows(struct etc_text *out, const struct etc_table *t, uint32_t from, uint32_t to,
                       double unit_ns)
{
	struct etc_arena arena;
	struct etc_layout l;

	if (from >= to)
		return;
	etc_arena_init(&arena, SIZE_MAX / 2);
	if (!etc_layout_make(&l, t, unit_ns, &arena)) {
		out->failed = true;
	} else {
		put_row(out, &l, 0, true);
		for (uint32_t c = 0; c < t->column_count; c++)
			if (l.shown[c])
				etc_text_cstr(out, t->columns[c].right ? "|--:" : "|---");
		etc_text_cstr(out, "|\n");
		for (uint32_t r = from; r < to; r++)
			put_row(out, &l, r, false);
		etc_text_char(out, '\n');
	}
	etc_text_release(&l.cells);
	etc_arena_release(&arena);
}

void etc_markdown_table(struct etc_text *out, const struct etc_table *t, double unit_ns)
{
	etc_markdown_rows(out, t, 0, t->row_count, unit_ns);
}

void etc_markdown_notes(struct etc_text *out, const struct etc_report *report)
{
	for (const struct etc_note *n = report->notes ? report->notes->first : NULL; n;
	     n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);

		etc_text_printf(out, "- %s %s", info->name, info->title);
		if (n->text.len)
			etc_text_cstr(out, ": ");
		etc_text_markdown(out, n->text);
		etc_text_char(out, '\n');
	}
}

static void put_events(struct etc_text *out, const struct etc_report *report)
{
	uint32_t left = etc_events_left(report);
	struct etc_table t = report->events;

	t.row_count -= left;
	etc_markdown_table(out, &t, report->unit_ns);
	if (left)
		etc_text_printf(out, "%u more (--top 0 shows all)\n\n", left);
	if (report->under.len) {
		etc_text_markdown(out, report->under);
		etc_text_cstr(out, "\n\n");
	}
}

void etc_write_markdown(const struct etc_report *report, const struct etc_screen *screen,
                        struct etc_text *out)
{
	(void)screen;
	if (report->forms) {
		report->forms->markdown(report, out);
		return;
	}
	if (report->title.len) {
		etc_text_cstr(out, "### ");
		etc_text_markdown(out, report->title);
		etc_text_cstr(out, "\n\n");
	}
	if (report->block_count == 0)
		etc_text_cstr(out, "nothing to rank: no execute run and no load\n\n");
	for (uint32_t b = 0; b < report->block_count; b++) {
		const struct etc_report_block *block = &report->blocks[b];

		for (uint32_t i = 0; i < block->head_count; i++) {
			etc_text_markdown(out, block->head[i]);
			etc_text_cstr(out, i + 1 < block->head_count ? "  \n" : "\n\n");
		}
		etc_markdown_table(out, &block->table, report->unit_ns);
		etc_markdown_table(out, &block->detached, report->unit_ns);
	}
	put_events(out, report);
	etc_markdown_table(out, &report->allocations, report->unit_ns);
	if (report->more.len) {
		etc_text_markdown(out, report->more);
		etc_text_cstr(out, "\n\n");
	}
	etc_markdown_notes(out, report);
}

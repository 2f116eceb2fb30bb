/* markdown.c -- the screen as GitHub's markdown: for an issue or a pull request. */
#include "commands/compare/diff_forms.h"
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

/* Rows [from, to). */
static void put_rows(struct etc_text *out, const struct etc_table *t, uint32_t from, uint32_t to,
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

static void put_table(struct etc_text *out, const struct etc_table *t, double unit_ns)
{
	put_rows(out, t, 0, t->row_count, unit_ns);
}

static void put_notes(struct etc_text *out, const struct etc_report *report)
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

/* ---- for a pull request ------------------------------------------------------- */

static void put_details(struct etc_text *out, const char *summary)
{
	etc_text_printf(out, "<details><summary>%s</summary>\n\n", summary);
}

static void put_lines(struct etc_text *out, const struct etc_str *lines, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		etc_text_markdown(out, etc_str_trim(lines[i]));
		etc_text_cstr(out, i + 1 < count ? "  \n" : "\n\n");
	}
}

/* The first lines of a block are verdicts, one per group but the base. */
static void put_comparison(const struct etc_report *report, const struct etc_report_block *block,
                           struct etc_text *out)
{
	uint32_t verdicts = report->diff->group_count - 1, body = 0;
	const struct etc_table *t = &block->table;

	for (uint32_t i = 0; i < verdicts; i++) {
		size_t open = etc_str_find(block->head[i], ETC_STR("  ("), 0);

		etc_text_cstr(out, "**");
		etc_text_markdown(out, etc_str_sub(block->head[i], 0, open));
		etc_text_cstr(out, "**");
		if (open != SIZE_MAX)
			etc_text_markdown(out, etc_str_sub(block->head[i], open + 1, SIZE_MAX));
		etc_text_cstr(out, i + 1 < verdicts ? "  \n" : "\n\n");
	}
	while (body < t->row_count && t->row_kinds[body] == ETC_ROW_BODY)
		body++;
	put_rows(out, t, 0, body, report->unit_ns);
	put_details(out, "groups, and rows without a significant change");
	put_lines(out, block->head + verdicts, block->head_count - verdicts);
	put_rows(out, t, body, t->row_count, report->unit_ns);
	put_table(out, &block->detached, report->unit_ns);
	etc_text_cstr(out, "</details>\n\n");
}

static void put_events(struct etc_text *out, const struct etc_report *report)
{
	uint32_t left = etc_events_left(report);
	struct etc_table t = report->events;

	t.row_count -= left;
	put_table(out, &t, report->unit_ns);
	if (left)
		etc_text_printf(out, "%u more (--top 0 shows all)\n\n", left);
	if (report->under.len) {
		etc_text_markdown(out, report->under);
		etc_text_cstr(out, "\n\n");
	}
}

void etc_write_diff_markdown(const struct etc_report *report, struct etc_text *out)
{
	for (uint32_t b = 0; b < report->block_count; b++)
		put_comparison(report, &report->blocks[b], out);
	if (report->block_count == 0)
		etc_text_cstr(out, "nothing to compare: no execute run\n\n");
	put_table(out, &report->events, report->unit_ns);
	if (!report->notes || !report->notes->first)
		return;
	put_details(out, "notes");
	put_notes(out, report);
	etc_text_cstr(out, "\n</details>\n");
}

void etc_write_markdown(const struct etc_report *report, const struct etc_screen *screen,
                        struct etc_text *out)
{
	(void)screen;
	if (report->diff) {
		etc_write_diff_markdown(report, out);
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
		put_table(out, &block->table, report->unit_ns);
		put_table(out, &block->detached, report->unit_ns);
	}
	put_events(out, report);
	put_table(out, &report->allocations, report->unit_ns);
	if (report->more.len) {
		etc_text_markdown(out, report->more);
		etc_text_cstr(out, "\n\n");
	}
	put_notes(out, report);
}

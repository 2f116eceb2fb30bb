/* diff_markdown.c -- writes the page for a pull request; see diff_forms.h. */
#include "commands/compare/diff_forms.h"
#include "table/markdown.h"

static void put_lines(struct etc_text *out, const struct etc_str *lines, uint32_t count,
                      uint32_t most)
{
	const uint32_t shown = most && count > most ? most : count;

	for (uint32_t i = 0; i < shown; i++) {
		etc_markdown_cut(out, etc_str_trim(lines[i]), most);
		etc_text_cstr(out, i + 1 < shown ? "  \n" : "\n\n");
	}
	etc_markdown_left(out, count - shown, "line");
}

/* Writes the part of the report about one path: first the verdicts (one for each group except the
 * first), then the table. */
static void put_comparison(const struct etc_report *report, const struct etc_report_block *block,
                           uint32_t most, struct etc_text *out)
{
	const uint32_t verdicts = report->diff->group_count - 1,
		       shown = most && verdicts > most ? most : verdicts;
	const struct etc_table *t = &block->table;
	uint32_t body = 0;

	for (uint32_t i = 0; i < shown; i++) {
		size_t open = etc_str_find(block->head[i], ETC_STR("  ("), 0);

		etc_text_cstr(out, "**");
		etc_markdown_cut(out, etc_str_sub(block->head[i], 0, open), most);
		etc_text_cstr(out, "**");
		if (open != SIZE_MAX)
			etc_text_markdown(out, etc_str_sub(block->head[i], open + 1, SIZE_MAX));
		etc_text_cstr(out, i + 1 < shown ? "  \n" : "\n\n");
	}
	etc_markdown_left(out, verdicts - shown, "group");
	while (body < t->row_count && t->row_kinds[body] == ETC_ROW_BODY)
		body++;
	etc_markdown_rows(out, t, 0, body, report->unit_ns, most);
	etc_markdown_details(out, "groups, and rows without a significant change");
	put_lines(out, block->head + verdicts, block->head_count - verdicts, most);
	etc_markdown_rows(out, t, body, t->row_count, report->unit_ns, most);
	etc_markdown_rows(out, &block->detached, 0, block->detached.row_count, report->unit_ns,
	                  most);
	etc_text_cstr(out, "</details>\n\n");
}

static void put_page(const void *what, uint32_t most, struct etc_text *out)
{
	const struct etc_report *report = what;
	const uint32_t blocks = report->block_count, shown = most && blocks > most ? most : blocks;

	for (uint32_t b = 0; b < shown; b++)
		put_comparison(report, &report->blocks[b], most, out);
	etc_markdown_left(out, blocks - shown, "method");
	if (blocks == 0)
		etc_text_cstr(out, "nothing to compare: no execute run\n\n");
	etc_markdown_rows(out, &report->events, 0, report->events.row_count, report->unit_ns, most);
	etc_markdown_link(out, report->diff->link);
	if (!report->notes || !report->notes->first)
		return;
	etc_markdown_details(out, "notes");
	etc_markdown_notes(out, report, most);
	etc_text_cstr(out, "\n</details>\n");
}

static void write_markdown(const struct etc_report *report, struct etc_text *out)
{
	etc_markdown_page(out, put_page, report);
}

const struct etc_report_forms etc_diff_forms = {
	.json = etc_write_diff_json,
	.ndjson = etc_write_diff_ndjson,
	.markdown = write_markdown,
};

/* diff_markdown.c -- see diff_forms.h: a page for a pull request. */
#include "commands/compare/diff_forms.h"
#include "table/markdown.h"

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

/* The first lines of a block are verdicts, one for each group but the first. */
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
	etc_markdown_rows(out, t, 0, body, report->unit_ns);
	put_details(out, "groups, and rows without a significant change");
	put_lines(out, block->head + verdicts, block->head_count - verdicts);
	etc_markdown_rows(out, t, body, t->row_count, report->unit_ns);
	etc_markdown_table(out, &block->detached, report->unit_ns);
	etc_text_cstr(out, "</details>\n\n");
}

static void write_markdown(const struct etc_report *report, struct etc_text *out)
{
	for (uint32_t b = 0; b < report->block_count; b++)
		put_comparison(report, &report->blocks[b], out);
	if (report->block_count == 0)
		etc_text_cstr(out, "nothing to compare: no execute run\n\n");
	etc_markdown_table(out, &report->events, report->unit_ns);
	if (!report->notes || !report->notes->first)
		return;
	put_details(out, "notes");
	etc_markdown_notes(out, report);
	etc_text_cstr(out, "\n</details>\n");
}

const struct etc_report_forms etc_diff_forms = {
	.json = etc_write_diff_json,
	.ndjson = etc_write_diff_ndjson,
	.markdown = write_markdown,
};

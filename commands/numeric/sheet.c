/* sheet.c -- selects and writes the table of `etcore numeric`; see sheet.h */
#include "commands/numeric/sheet.h"

#include "commands/numeric/numeric.h"

enum { SHOWN = 40 };

static enum etc_status parse_top(const char *text, uint32_t *top, struct etc_error *err)
{
	uint64_t n = SHOWN;

	ETC_TRY(etc_opt_count("top", text, UINT32_MAX, &n, err));
	*top = n ? (uint32_t)n : UINT32_MAX;
	return ETC_OK;
}

enum etc_status etc_numeric_sheet_begin(struct etc_numeric_sheet *sheet,
                                        const struct etc_numeric_options *o, const char *schema,
                                        const struct etc_format *formats, struct etc_session *s,
                                        struct etc_error *err)
{
	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	sheet->schema = schema;
	ETC_TRY(etc_targets_parse(&sheet->targets, formats, &o->output, &s->arena, err));
	sheet->screen = etc_session_screen(s, &o->common);
	ETC_TRY(parse_top(o->top, &sheet->screen.top, err));
	return etc_selection_parse(o->where.v, o->where.count, o->sort, o->columns, &s->arena,
	                           &sheet->selection, err);
}

/* Makes the table for the screen. It has fewer columns, and at most --top rows. */
static enum etc_status make_block(const struct etc_numeric_sheet *sheet,
                                  const struct etc_numeric_page *page, struct etc_arena *arena,
                                  struct etc_report_block *block, struct etc_str *more,
                                  struct etc_error *err)
{
	uint32_t top = sheet->screen.top, shown = page->row_count < top ? page->row_count : top;
	struct etc_selection columns = { 0 };
	enum etc_status st = ETC_OK;

	*block = (struct etc_report_block){ .head = page->head, .head_count = page->head_count };
	if (!sheet->selection.column_count)
		st = etc_selection_parse(NULL, 0, NULL, page->shown, arena, &columns, err);
	if (st == ETC_OK)
		st = etc_selection_table(sheet->selection.column_count ? &sheet->selection
		                                                       : &columns,
		                         page->table, page->rows, shown, arena, &block->table, err);
	etc_selection_release(&columns);
	if (st == ETC_OK && shown < page->row_count)
		*more = etc_arena_printf(arena, "(%lu more; --top 0 shows all)",
		                         (unsigned long)(page->row_count - shown));
	return st;
}

enum etc_status etc_numeric_sheet_select(const struct etc_numeric_sheet *sheet,
                                         const struct etc_table *table,
                                         struct etc_numeric_page *page, struct etc_arena *arena,
                                         struct etc_error *err)
{
	page->table = table;
	return etc_selection_rows(&sheet->selection, table, NULL, arena, &page->rows,
	                          &page->row_count, err);
}

enum etc_status etc_numeric_sheet_write(struct etc_numeric_sheet *sheet,
                                        const struct etc_numeric_page *page, struct etc_session *s,
                                        struct etc_text *out, struct etc_error *err)
{
	struct etc_report_block block;
	struct etc_report report = {
		.files = page->files,
		.file_count = page->file_count,
		.schema = sheet->schema,
		.notes = &s->notes,
		.blocks = &block,
		.block_count = 1,
	};

	etc_selection_remark(&sheet->selection, page->table, &s->notes);
	ETC_TRY(etc_selection_table(&sheet->selection, page->table, page->rows, page->row_count,
	                            &s->arena, &report.rows, err));
	ETC_TRY(make_block(sheet, page, &s->arena, &block, &report.more, err));
	return etc_targets_tables(&sheet->targets, &report, &report, 1, &sheet->screen, out, err);
}

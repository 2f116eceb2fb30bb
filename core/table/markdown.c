/* markdown.c -- writes the screen as GitHub's Markdown, for an issue or a pull request. */
#include "table/markdown.h"

#include "table/formats.h"
#include "table/layout.h"

/* Writes a text. Blanks at its start, which show the levels of a tree, become &nbsp;, because
 * Markdown drops blanks there. */
static void put_text(struct etc_text *out, struct etc_str s)
{
	size_t blanks = 0;

	while (blanks < s.len && s.ptr[blanks] == ' ')
		blanks++;
	etc_text_repeat(out, "&nbsp;", blanks);
	etc_text_markdown(out, etc_str_sub(s, blanks, s.len));
}

void etc_markdown_cut(struct etc_text *out, struct etc_str s, uint32_t most)
{
	size_t end = 0, next = 0;

	if (most && s.len > ETC_MARKDOWN_TEXT) {
		while (next <= ETC_MARKDOWN_TEXT) {
			end = next;
			(void)etc_utf8_next(s, &next);
		}
		put_text(out, etc_str_sub(s, 0, end));
		etc_text_cstr(out, "\xe2\x80\xa6");
	} else {
		put_text(out, s);
	}
}

static void put_row(struct etc_text *out, const struct etc_layout *l, uint32_t r, bool titles,
                    uint32_t most)
{
	for (uint32_t c = 0; c < l->t->column_count; c++) {
		if (!l->shown[c] || (etc_is_unit_place(&l->t->columns[c]) && titles && c == 0))
			continue;
		etc_text_cstr(out, "| ");
		etc_markdown_cut(out, titles ? etc_layout_title(l, c) : etc_layout_cell(l, r, c),
		                 most);
		if (titles && etc_is_unit_place(&l->t->columns[c]))
			etc_text_put(out, etc_str_of(l->unit));
		etc_text_char(out, ' ');
	}
	etc_text_cstr(out, "|\n");
}

void etc_markdown_rows(struct etc_text *out, const struct etc_table *t, uint32_t from, uint32_t to,
                       double unit_ns, uint32_t most)
{
	const uint32_t end = most && to - from > most ? from + most : to;
	struct etc_arena arena;
	struct etc_layout l;

	if (from >= to)
		return;
	etc_arena_init(&arena, SIZE_MAX / 2);
	if (!etc_layout_make(&l, t, unit_ns, &arena)) {
		out->failed = true;
	} else {
		put_row(out, &l, 0, true, most);
		for (uint32_t c = 0; c < t->column_count; c++)
			if (l.shown[c])
				etc_text_cstr(out, t->columns[c].right ? "|--:" : "|---");
		etc_text_cstr(out, "|\n");
		for (uint32_t r = from; r < end; r++)
			put_row(out, &l, r, false, most);
		etc_text_char(out, '\n');
		etc_markdown_left(out, to - end, "row");
	}
	etc_text_release(&l.cells);
	etc_arena_release(&arena);
}

static void put_table(struct etc_text *out, const struct etc_table *t, double unit_ns)
{
	etc_markdown_rows(out, t, 0, t->row_count, unit_ns, 0);
}

void etc_markdown_notes(struct etc_text *out, const struct etc_report *report, uint32_t most)
{
	bool several = report->note_files && report->notes && etc_notes_several(report->notes);
	uint32_t notes = 0;

	for (const struct etc_note *n = report->notes ? report->notes->first : NULL; n;
	     n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);

		if (notes++ >= most && most)
			continue;
		etc_text_printf(out, "- %s %s", info->name, info->title);
		if (n->text.len)
			etc_text_cstr(out, ": ");
		etc_markdown_cut(out, n->text, most);
		if (several && n->file.len) {
			etc_text_cstr(out, " (");
			etc_markdown_cut(out, n->file, most);
			etc_text_char(out, ')');
		}
		etc_text_char(out, '\n');
	}
	if (most && notes > most)
		etc_text_printf(out, "- %u more notes\n", notes - most);
}

/* ---- a page for GitHub ------------------------------------------------------------ */

void etc_markdown_left(struct etc_text *out, uint32_t left, const char *what)
{
	if (left)
		etc_text_printf(out, "%u more %s%s: -o json has all\n\n", left, what,
		                etc_plural(left));
}

void etc_markdown_details(struct etc_text *out, const char *summary)
{
	etc_text_printf(out, "<details><summary>%s</summary>\n\n", summary);
}

void etc_markdown_link(struct etc_text *out, struct etc_str url)
{
	if (url.len)
		etc_text_printf(out, "[report](<" ETC_STR_FMT ">)\n\n", ETC_STR_ARG(url));
}

/* Returns the length of `s` as GitHub counts it: in units of UTF-16, like JavaScript, so a
 * character above U+FFFF counts twice. */
static size_t characters(struct etc_str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += ((unsigned char)s.ptr[i] & 0xc0) != 0x80
		             ? 1u + ((unsigned char)s.ptr[i] >= 0xf0)
		             : 0u;
	return n;
}

void etc_markdown_page(struct etc_text *out, etc_markdown_page_fn *put, const void *what)
{
	static const uint32_t mosts[] = { 0, 512, 256, 128, 64, 32, 8, 2, 1 };
	enum { TRIES = sizeof mosts / sizeof mosts[0], PAGE_MOST = 65535 };
	struct etc_text page = { 0 };

	for (unsigned i = 0; i < TRIES && !page.failed; i++) {
		page.len = 0;
		put(what, mosts[i], &page);
		if (characters(etc_text_str(&page)) <= PAGE_MOST)
			break;
	}
	out->failed = out->failed || page.failed;
	etc_text_put(out, etc_text_str(&page));
	etc_text_release(&page);
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
		put_table(out, &block->table, report->unit_ns);
		put_table(out, &block->detached, report->unit_ns);
	}
	put_events(out, report);
	put_table(out, &report->allocations, report->unit_ns);
	if (report->more.len) {
		etc_text_markdown(out, report->more);
		etc_text_cstr(out, "\n\n");
	}
	etc_markdown_notes(out, report, 0);
}

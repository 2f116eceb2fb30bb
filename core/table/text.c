/* text.c -- writes the screen: head lines, ranked tables, notes, suggested commands.
 *
 * The width is limited only on a terminal: optional columns are left out until the table fits, and
 * a line reports that. Control characters in texts from files are escaped. */
#include "base/ascii.h"
#include "base/fold.h"
#include "table/formats.h"
#include "table/layout.h"

enum {
	GAP = 2,
	NAME_GOOD = 28, /* width that is enough to distinguish most names */
	TEXT_GOOD = 11, /* width that is enough for most other texts, such as "cannot tell" */
	NAME_MIN = 8,
	TEXT_MIN = 4,
	LINE_MIN = 16, /* least width of a continuation line */
	BAR_MIN = 8,
	BAR_MOST = 24
};

/* Returns the width of all shown columns together, if texts are shortened: to `names` terminal
 * columns in the first text column and in columns that name rows, and to `others` terminal columns
 * in other text columns. 0: these texts are not shortened. */
static size_t total_width(const struct etc_layout *l, size_t names, size_t others)
{
	size_t sum = 0;
	bool first = true;

	for (uint32_t c = 0; c < l->t->column_count; c++) {
		const bool text = !l->t->columns[c].right;
		const size_t least = first || l->t->columns[c].names ? names : others;

		if (!l->shown[c])
			continue;
		sum += text && least && l->width[c] > least ? least : l->width[c];
		sum += GAP;
		first = first && !text;
	}
	return sum > GAP ? sum - GAP : 0;
}

/* Returns the column to leave out next, among the columns whose member `optional` is at least
 * `least`; UINT32_MAX: there is none. Columns that name rows are left out last. Among equal
 * columns, the rightmost is left out first. */
static uint32_t next_to_drop(const struct etc_layout *l, uint8_t least)
{
	uint32_t best = UINT32_MAX;
	unsigned most = 0;

	for (uint32_t c = 0; c < l->t->column_count; c++) {
		const struct etc_column *column = &l->t->columns[c];
		const unsigned rank = column->names ? 1 : 1u + column->optional;

		if (l->shown[c] && column->optional >= least && rank >= most) {
			best = c;
			most = rank;
		}
	}
	return best;
}

/* Shortens the widest text columns until the table fits into `have` terminal columns. The first
 * text column and columns that name rows keep at least `names` terminal columns, others at least
 * `others`. */
static void shorten(struct etc_layout *l, size_t have, size_t names, size_t others)
{
	for (size_t need = total_width(l, 0, 0); need > have; need--) {
		uint32_t widest = UINT32_MAX;
		size_t spare = 0;
		bool first = true;

		for (uint32_t c = 0; c < l->t->column_count; c++) {
			const size_t least = first || l->t->columns[c].names ? names : others;

			if (!l->shown[c] || l->t->columns[c].right)
				continue;
			if (l->width[c] > least && l->width[c] - least > spare) {
				spare = l->width[c] - least;
				widest = c;
			}
			first = false;
		}
		if (widest == UINT32_MAX)
			return;
		l->width[widest]--;
	}
}

/* Leaves out columns that are not optional, from the right, until the table fits into `have`
 * terminal columns when its texts have their least width. Columns whose etc_column.last is NULL are
 * left out first, then the others. Returns how many were left out. */
static uint32_t drop_needed(struct etc_layout *l, size_t have)
{
	uint32_t dropped = 0;

	if (total_width(l, NAME_MIN, TEXT_MIN) <= have)
		return 0;
	for (uint32_t c = 0; c < l->t->column_count; c++) {
		const char *last = l->t->columns[c].last;
		const size_t width = etc_utf8_width(etc_str_of(last ? last : ""));

		l->titles[c] = last ? last : l->titles[c];
		l->width[c] = width > l->width[c] ? width : l->width[c];
	}
	for (unsigned round = 0; round < 2; round++)
		for (uint32_t c = l->t->column_count;
		     c-- > 1 && total_width(l, NAME_MIN, TEXT_MIN) > have;) {
			if (l->t->columns[c].last && round == 0)
				continue;
			dropped += l->shown[c] && !etc_is_unit_place(&l->t->columns[c]);
			l->shown[c] = false;
		}
	return dropped;
}

/* Leaves out columns until the table fits into `have` terminal columns, and returns how many were
 * left out. Redundant columns (ETC_COLUMN_AGAIN) are left out first, from the right. Other optional
 * columns are left out only if shortening texts is not enough. The width `kept_free` stays free for
 * the bars after the table. But if a column that names rows would have to be left out for the bars,
 * the bars are left out instead. */
static uint32_t fit(struct etc_layout *l, size_t have, size_t kept_free)
{
	uint32_t dropped = 0, c;

	if (have == 0)
		return 0;
	have = have > kept_free ? have - kept_free : 1;
	while (total_width(l, 0, 0) > have &&
	       (c = next_to_drop(l, ETC_COLUMN_AGAIN)) != UINT32_MAX) {
		l->shown[c] = false;
		dropped++;
	}
	while (total_width(l, NAME_GOOD, TEXT_GOOD) > have &&
	       (c = next_to_drop(l, 1)) != UINT32_MAX) {
		if (l->t->columns[c].names) {
			const size_t least = total_width(l, TEXT_GOOD, TEXT_GOOD);

			have += least > have && least <= have + kept_free ? kept_free : 0;
			if (least <= have)
				break;
		}
		l->shown[c] = false;
		dropped++;
	}
	shorten(l, have, NAME_GOOD, TEXT_GOOD);
	dropped += drop_needed(l, have);
	shorten(l, have, NAME_MIN, TEXT_MIN);
	return dropped;
}

/* Returns the beginning of `s` that fits into `width` terminal columns together with an ellipsis of
 * `ellipsis` columns. The caller writes the ellipsis. Sets `*columns` to the width of both
 * together. */
static struct etc_str cut_to(struct etc_str s, size_t width, size_t ellipsis, size_t *columns)
{
	size_t at = 0, used = 0;

	while (at < s.len) {
		size_t next = at, w;

		(void)etc_utf8_next(s, &next);
		w = etc_utf8_width(etc_str_sub(s, at, next));
		if (used + w + ellipsis > width)
			break;
		used += w;
		at = next;
	}
	*columns = used + ellipsis;
	return etc_str_sub(s, 0, at);
}

/* Returns the end of a name that is kept when the name is shortened: the ordinal of an event and
 * the word before it, such as " GEMM #2"; only the ordinal if the word would leave too little of
 * `width` for the beginning. Empty: the name has no ordinal. */
static struct etc_str kept_end(struct etc_str s, size_t width)
{
	size_t ordinal = s.len, word;

	while (ordinal > 0 && etc_is_digit(s.ptr[ordinal - 1]))
		ordinal--;
	if (ordinal == s.len || ordinal < 2 || s.ptr[ordinal - 1] != '#' ||
	    s.ptr[ordinal - 2] != ' ')
		return ETC_STR_NONE;
	ordinal -= 2;
	for (word = ordinal; word > 0 && s.ptr[word - 1] != ' ';)
		word--;
	word -= word > 0;
	if (etc_utf8_width(etc_str_sub(s, word, s.len)) + TEXT_MIN < width)
		return etc_str_sub(s, word, s.len);
	s = etc_str_sub(s, ordinal, s.len);
	return s.len + TEXT_MIN < width ? s : ETC_STR_NONE;
}

static void put_padded(struct etc_text *line, struct etc_str s, size_t width, bool right,
                       const char *ellipsis)
{
	size_t columns = etc_utf8_width(s), pad;
	const bool cut = columns > width;
	struct etc_str end = cut ? kept_end(s, width) : ETC_STR_NONE;

	if (cut)
		s = cut_to(etc_str_sub(s, 0, s.len - end.len), width,
		           etc_utf8_width(etc_str_of(ellipsis)) + etc_utf8_width(end), &columns);
	pad = columns < width ? width - columns : 0;
	if (right)
		etc_text_repeat(line, " ", pad);
	etc_text_put(line, s);
	if (cut)
		etc_text_cstr(line, ellipsis);
	etc_text_put(line, end);
	if (!right)
		etc_text_repeat(line, " ", pad);
}

/* ---- bars ------------------------------------------------------------------------- */

/* Returns the index of the column that is shown as bars: the first column of times; if there is
 * none, the first column of shares; if there is neither, the number of columns. */
static uint32_t bar_column(const struct etc_table *t)
{
	static const uint8_t styles[] = { ETC_STYLE_TIME, ETC_STYLE_ROW_TIME, ETC_STYLE_SHARE };

	for (size_t s = 0; s < sizeof styles; s++)
		for (uint32_t c = 0; c < t->column_count; c++)
			for (uint32_t r = 0; r < t->row_count && t->columns[c].style == styles[s];
			     r++)
				if (t->cells[(size_t)r * t->column_count + c].kind !=
				    ETC_CELL_BLANK)
					return c;
	return t->column_count;
}

static double bar_value(const struct etc_layout *l, uint32_t r, uint32_t c)
{
	const struct etc_cell *row = &l->t->cells[(size_t)r * l->t->column_count];
	double v;

	if (l->path < l->t->column_count && row[l->path].kind == ETC_CELL_BLANK)
		return 0;
	return etc_cell_number(&row[c], &v) && v > 0 ? v : 0;
}

static double longest_bar(const struct etc_layout *l, uint32_t c)
{
	double most = 0, v;

	for (uint32_t r = 0; c < l->t->column_count && r < l->t->row_count; r++)
		most = (v = bar_value(l, r, c)) > most ? v : most;
	return most;
}

/* Returns the width of the longest bar, which is limited by the part of the screen that the table
 * leaves free. 0: this part is too narrow for bars. */
static size_t bar_room(const struct etc_layout *l, size_t screen)
{
	size_t used = total_width(l, 0, 0) + GAP;

	if (screen == 0 || screen >= used + BAR_MOST)
		return BAR_MOST;
	return screen >= used + BAR_MIN ? screen - used : 0;
}

/* Appends a bar with the length `share` (0 to 1) times `width` terminal columns, rounded to an
 * eighth of a column; in ASCII, to a column. A share above 0 gets at least one step. */
static void put_bar(struct etc_text *line, double share, size_t width, bool ascii)
{
	const unsigned steps = ascii ? 1 : 8;
	size_t n = (size_t)(share * (double)width * steps + 0.5);

	n = n == 0 && share > 0 ? 1 : n;
	etc_text_repeat(line, ascii ? "#" : "\xe2\x96\x88", n / steps);
	if (n % steps) /* U+2589 is seven eighths of a column, U+258F one eighth */
		etc_text_printf(line, "\xe2\x96%c", (char)(0x90 - n % steps));
}

static void end_line(struct etc_text *out, struct etc_text *line, const struct etc_screen *screen,
                     const char *color)
{
	while (line->len && line->ptr[line->len - 1] == ' ')
		line->len--;
	if (screen->color && color)
		etc_text_cstr(out, color);
	etc_text_put(out, etc_text_str(line));
	if (screen->color && color)
		etc_text_cstr(out, "\033[0m");
	etc_text_char(out, '\n');
	line->len = 0;
}

static void put_table_line(struct etc_layout *l, uint32_t r, bool titles, bool ascii,
                           struct etc_text *line)
{
	const char *ellipsis = ascii ? "..." : "\xe2\x80\xa6";

	for (uint32_t c = 0; c < l->t->column_count; c++) {
		const struct etc_column *column = &l->t->columns[c];
		struct etc_str s = titles ? etc_layout_title(l, c) : etc_layout_cell(l, r, c);

		if (!l->shown[c])
			continue;
		if (etc_is_unit_place(column)) {
			size_t unit = etc_utf8_width(etc_str_of(l->unit)), w = l->width[c] - unit;
			bool timed = !titles && c &&
			             l->t->cells[(size_t)r * l->t->column_count + c - 1].kind ==
			                     ETC_CELL_REAL;

			if (line->len >= 1 && w == 0)
				/* the column has no bounds, only the unit: remove the blank
				 * after the number, because the unit follows the number directly */
				line->len--;
			put_padded(line, s, w > 0 ? w - 1 : 0, true, ellipsis);
			etc_text_repeat(line, " ", w > 0);
			put_padded(line, timed ? etc_str_of(l->unit) : ETC_STR(""), unit, false,
			           ellipsis);
			if (w == 0)
				etc_text_char(line, ' ');
		} else {
			put_padded(line, s, l->width[c], column->right, ellipsis);
		}
		etc_text_repeat(line, " ", GAP);
	}
}

static void put_table(struct etc_text *out, const struct etc_table *t, double unit_ns,
                      const struct etc_screen *screen)
{
	struct etc_arena arena;
	struct etc_text line = { 0 };
	struct etc_layout l;
	uint32_t dropped, bar = screen->bars ? bar_column(t) : t->column_count;
	size_t bar_width = 0;
	double most = 0;

	etc_arena_init(&arena, SIZE_MAX / 2);
	if (!etc_layout_make(&l, t, unit_ns, &arena)) {
		out->failed = true;
	} else {
		most = longest_bar(&l, bar);
		dropped = fit(&l, screen->width, most > 0 ? GAP + BAR_MIN : 0);
		if (most > 0)
			bar_width = bar_room(&l, screen->width);
		put_table_line(&l, 0, true, screen->ascii, &line);
		end_line(out, &line, screen, "\033[1m");
		for (uint32_t r = 0; r < t->row_count; r++) {
			bool foot = t->row_kinds && t->row_kinds[r] == ETC_ROW_FOOT;

			put_table_line(&l, r, false, screen->ascii, &line);
			if (bar_width)
				put_bar(&line, bar_value(&l, r, bar) / most, bar_width,
				        screen->ascii);
			end_line(out, &line, screen, foot ? "\033[2m" : NULL);
		}
		if (dropped) {
			etc_text_printf(&line,
			                "(%u column%s left out to fit %u; a wider terminal or -o "
			                "csv has them)",
			                dropped, etc_plural(dropped), screen->width);
			end_line(out, &line, screen, NULL);
		}
	}
	etc_text_release(&line);
	etc_text_release(&l.cells);
	etc_arena_release(&arena);
}

/* Writes a line. A line that is too long is broken at blanks, and its continuation lines are
 * indented by `indent` terminal columns. */
static void put_wrapped(struct etc_text *out, struct etc_str s, size_t indent,
                        const struct etc_screen *screen)
{
	struct etc_text line = { 0 };
	size_t width = screen->width;

	while (width && etc_utf8_width(s) > width) {
		size_t at = 0, best = 0;

		for (size_t next = 0; next < s.len; at = next) {
			(void)etc_utf8_next(s, &next);
			if (etc_utf8_width(etc_str_sub(s, 0, next)) > width)
				break;
			if (at > indent && etc_fold_may_break(s, at))
				best = at;
		}
		if (best == 0)
			break;
		etc_text_shown(&line, etc_str_sub(s, 0, best));
		end_line(out, &line, screen, NULL);
		s = etc_str_trim(etc_str_sub(s, best, s.len));
		etc_text_repeat(&line, " ", indent);
		width = screen->width > indent + LINE_MIN ? screen->width - indent : 0;
	}
	etc_text_shown(&line, s);
	end_line(out, &line, screen, NULL);
	etc_text_release(&line);
}

/* Writes the commands that are suggested next. A command is never broken into lines, so that it can
 * be copied. */
static void put_next(struct etc_text *out, const struct etc_report *report,
                     const struct etc_screen *screen)
{
	for (unsigned i = 0; i < ETC_REPORT_NEXT && report->next[i].len; i++) {
		struct etc_text line = { 0 };

		etc_text_cstr(&line, i ? "      " : "next: ");
		etc_text_shown(&line, report->next[i]);
		end_line(out, &line, screen, NULL);
		etc_text_release(&line);
	}
}

static void put_notes(struct etc_text *out, const struct etc_notes *notes, bool files,
                      const struct etc_screen *screen)
{
	bool several = files && notes && etc_notes_several(notes);

	if (!notes || !notes->first)
		return;
	etc_text_cstr(out, "notes\n");
	for (const struct etc_note *n = notes->first; n; n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);
		struct etc_text line = { 0 };

		etc_text_printf(&line, "  %s  %s", info->name, info->title);
		if (n->text.len) {
			etc_text_cstr(&line, ": ");
			etc_text_put(&line, n->text);
		}
		if (several && n->file.len)
			etc_text_printf(&line, " (" ETC_STR_FMT ")", ETC_STR_ARG(n->file));
		if (n->count > 1)
			etc_text_printf(&line, " (%llu times)", (unsigned long long)n->count);
		put_wrapped(out, etc_text_str(&line), 9, screen);
		etc_text_release(&line);
	}
}

/* Writes the table and an empty line, if the table has rows. */
static void put_section(struct etc_text *out, const struct etc_table *t,
                        const struct etc_report *report, const struct etc_screen *screen)
{
	if (t->row_count == 0)
		return;
	put_table(out, t, report->unit_ns, screen);
	etc_text_char(out, '\n');
}

static void put_events(struct etc_text *out, const struct etc_report *report,
                       const struct etc_screen *screen)
{
	uint32_t left = etc_events_left(report);
	struct etc_table t = report->events;

	t.row_count -= left;
	put_section(out, &t, report, screen);
	if (left) {
		out->len--; /* removes the empty line that put_section() wrote */
		etc_text_printf(out, "%u more (--top 0 shows all)\n\n", left);
	}
	if (report->under.len) {
		put_wrapped(out, report->under, 4, screen);
		etc_text_char(out, '\n');
	}
}

void etc_write_text(const struct etc_report *report, const struct etc_screen *screen,
                    struct etc_text *out)
{
	if (report->title.len) {
		put_wrapped(out, report->title, 4, screen);
		etc_text_char(out, '\n');
	}
	if (report->block_count == 0 && report->diff)
		etc_text_cstr(out, "nothing to compare: no execute run\n\n");
	else if (report->block_count == 0)
		etc_text_printf(out, "nothing to rank: no execute run and no load%s\n\n",
		                report->events.row_count ? "; all events:" : ", no events");
	for (uint32_t b = 0; b < report->block_count; b++) {
		const struct etc_report_block *block = &report->blocks[b];

		for (uint32_t i = 0; i < block->head_count; i++)
			put_wrapped(out, block->head[i], 4, screen);
		etc_text_char(out, '\n');
		put_section(out, &block->table, report, screen);
		put_section(out, &block->detached, report, screen);
	}
	put_events(out, report, screen);
	put_section(out, &report->allocations, report, screen);
	if (report->more.len) {
		put_wrapped(out, report->more, 4, screen);
		etc_text_char(out, '\n');
	}
	put_notes(out, report->notes, report->note_files || report->diff, screen);
	if (report->legend.len)
		put_wrapped(out, report->legend, 6, screen);
	put_next(out, report, screen);
	/* Sections are separated by empty lines. Remove the one after the last section. */
	if (out->len >= 2 && memcmp(out->ptr + out->len - 2, "\n\n", 2) == 0)
		out->len--;
}

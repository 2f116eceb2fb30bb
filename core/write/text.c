/* text.c -- the screen: header lines, ranked tables, notes, what to ask next.
 *
 * Width counts only on a terminal: then optional columns are dropped from the
 * right until the table fits, and a line says so. Text from files is shown
 * without its control characters. */
#include "base/number.h"
#include "write/formats.h"

enum { GAP = 2, NAME_MIN = 16 };

/* A table laid out: the text of every cell, and the widths. */
struct layout {
	const struct etc_table *t;
	const struct etc_screen *screen;
	struct etc_text cells; /* all texts */
	size_t *at;            /* row_count x column_count + 1: where they start */
	size_t *width;         /* of each column */
	bool *shown;
	const char **titles; /* with their unit, or NULL */
	double unit_ns;      /* of the TIME and BOUND columns */
	const char *unit;
	int decimals;
	uint32_t dropped;
};

/* Printable text; a byte that is not becomes '?'. */
static void put_clean(struct etc_text *out, struct etc_str s)
{
	for (size_t at = 0; at < s.len;) {
		size_t from = at;
		int32_t cp = etc_utf8_next(s, &at);

		if (cp == ' ' || (cp >= 0 && etc_utf8_printable(cp)))
			etc_text_put(out, etc_str_sub(s, from, at));
		else
			etc_text_char(out, '?');
	}
}

/* The few signs that etcore itself uses, for a terminal that has only ASCII. */
static void put_line(struct etc_text *out, struct etc_str s, const struct etc_screen *screen)
{
	static const struct {
		int32_t cp;
		const char *ascii;
	} signs[] = { { 0xb5, "u" }, { 0xd7, "x" }, { 0x2026, "..." } };

	for (size_t at = 0; at < s.len;) {
		size_t from = at;
		int32_t cp = etc_utf8_next(s, &at);
		const char *ascii = "?";

		if (!screen->ascii || (cp >= 0 && cp < 0x80)) {
			etc_text_put(out, etc_str_sub(s, from, at));
			continue;
		}
		for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
			if (signs[i].cp == cp)
				ascii = signs[i].ascii;
		etc_text_cstr(out, ascii);
	}
}

static const struct etc_cell *cell_of(const struct etc_table *t, uint32_t r, uint32_t c)
{
	return &t->cells[(size_t)r * t->column_count + c];
}

static bool number_of(const struct etc_cell *c, double *v)
{
	*v = c->kind == ETC_CELL_REAL   ? c->f
	     : c->kind == ETC_CELL_INT  ? (double)c->i
	     : c->kind == ETC_CELL_UINT ? (double)c->u
	                                : 0;
	return c->kind == ETC_CELL_REAL || c->kind == ETC_CELL_INT || c->kind == ETC_CELL_UINT;
}

/* One unit for all times of the table: what shows the largest well. */
static void choose_unit(struct layout *l)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "\xc2\xb5s", 1e3 }, { "ns", 1 } };
	double most = 0;

	for (uint32_t r = 0; r < l->t->row_count; r++)
		for (uint32_t c = 0; c < l->t->column_count; c++) {
			double v;

			if (l->t->columns[c].style == ETC_STYLE_TIME &&
			    number_of(cell_of(l->t, r, c), &v))
				most = v > most ? v : most;
		}
	l->unit = "ns";
	l->unit_ns = 1;
	for (size_t i = sizeof units / sizeof units[0]; i-- > 0;)
		if (most >= units[i].ns) {
			l->unit = units[i].name;
			l->unit_ns = units[i].ns;
		}
	l->decimals = l->unit_ns == 1 ? 1 : most / l->unit_ns < 10 ? 3 : 2;
}

static void put_fixed(struct etc_text *out, double v, int decimals)
{
	char number[ETC_NUMBER_MAX];

	etc_text_put(out, (struct etc_str){ number, etc_number_fixed(number, v, decimals) });
}

/* "+18", "+0.5", "+0.006": two digits that count, no zeros after them. */
static void put_bound(struct etc_text *out, double v)
{
	char number[ETC_NUMBER_MAX];
	int decimals = 0;
	size_t n;

	for (double least = 10; v > 0 && v < least && decimals < 6; least /= 10)
		decimals++;
	n = etc_number_fixed(number, v, decimals);
	while (decimals && n && number[n - 1] == '0')
		n--;
	n -= n && number[n - 1] == '.';
	etc_text_char(out, '+');
	etc_text_put(out, (struct etc_str){ number, n });
}

static void put_cell(struct layout *l, const struct etc_column *column, const struct etc_cell *c)
{
	struct etc_text *out = &l->cells;
	double v;

	if (column->style == ETC_STYLE_BOUND) {
		if (c->kind == ETC_CELL_REAL)
			put_bound(out, c->f / l->unit_ns);
		return;
	}
	if (c->kind == ETC_CELL_TEXT)
		put_clean(out, c->s);
	else if (column->style == ETC_STYLE_TIME && number_of(c, &v))
		put_fixed(out, v / l->unit_ns, l->decimals);
	else if (c->kind == ETC_CELL_REAL && column->style == ETC_STYLE_SHARE) {
		put_fixed(out, c->f * 100, 1);
		etc_text_cstr(out, " %");
	} else if (c->kind == ETC_CELL_REAL)
		put_fixed(out, c->f, 2);
	else
		etc_write_plain(out, c);
}

static struct etc_str cell_text(const struct layout *l, uint32_t r, uint32_t c)
{
	size_t i = (size_t)r * l->t->column_count + c;

	return (struct etc_str){ l->cells.ptr ? l->cells.ptr + l->at[i] : NULL,
		                 l->at[i + 1] - l->at[i] };
}

static bool is_unit_place(const struct etc_column *c)
{
	return c->style == ETC_STYLE_BOUND;
}

static size_t total_width(const struct layout *l)
{
	size_t sum = 0;

	for (uint32_t c = 0; c < l->t->column_count; c++)
		if (l->shown[c])
			sum += l->width[c] + GAP;
	return sum;
}

/* Drops optional columns from the right, then shortens the first text column. */
static void fit(struct layout *l)
{
	size_t have = l->screen->width, need;

	if (have == 0)
		return;
	for (uint32_t c = l->t->column_count; c-- > 0 && total_width(l) > have;)
		if (l->shown[c] && l->t->columns[c].optional) {
			l->shown[c] = false;
			l->dropped++;
		}
	need = total_width(l);
	for (uint32_t c = 0; c < l->t->column_count && need > have; c++)
		if (l->shown[c] && !l->t->columns[c].right && l->width[c] > NAME_MIN) {
			size_t cut = need - have;

			cut = cut < l->width[c] - NAME_MIN ? cut : l->width[c] - NAME_MIN;
			l->width[c] -= cut;
			need -= cut;
		}
}

/* Where no column for it follows, the unit stands in the title. */
static struct etc_str title_of(const struct layout *l, uint32_t c)
{
	return etc_str_of(l->titles[c] ? l->titles[c] : l->t->columns[c].title);
}

static bool lay_out(struct layout *l, const struct etc_table *t, const struct etc_screen *screen,
                    struct etc_arena *arena)
{
	size_t n = (size_t)t->row_count * t->column_count;

	*l = (struct layout){ .t = t, .screen = screen };
	l->at = etc_new(arena, size_t, n + 1);
	l->width = etc_new(arena, size_t, t->column_count);
	l->shown = etc_new(arena, bool, t->column_count);
	l->titles = etc_new(arena, const char *, t->column_count);
	if (!l->at || !l->width || !l->shown || !l->titles)
		return false;
	choose_unit(l);
	for (uint32_t c = 0; c < t->column_count; c++)
		if (t->columns[c].style == ETC_STYLE_TIME &&
		    (c + 1 == t->column_count || !is_unit_place(&t->columns[c + 1])))
			l->titles[c] =
				etc_arena_printf(arena, "%s %s", t->columns[c].title, l->unit).ptr;
	for (uint32_t r = 0; r < t->row_count; r++)
		for (uint32_t c = 0; c < t->column_count; c++) {
			l->at[(size_t)r * t->column_count + c] = l->cells.len;
			put_cell(l, &t->columns[c], cell_of(t, r, c));
		}
	l->at[n] = l->cells.len;
	for (uint32_t c = 0; c < t->column_count; c++) {
		bool any = false;

		l->width[c] = etc_utf8_width(title_of(l, c));
		for (uint32_t r = 0; r < t->row_count; r++) {
			size_t w = etc_utf8_width(cell_text(l, r, c));

			any = any || w;
			l->width[c] = w > l->width[c] ? w : l->width[c];
		}
		l->shown[c] = any || is_unit_place(&t->columns[c]);
		if (is_unit_place(&t->columns[c]))
			l->width[c] += (l->width[c] > 0) + etc_utf8_width(etc_str_of(l->unit));
	}
	fit(l);
	return !l->cells.failed;
}

/* The text cut to `width` columns, an ellipsis at its end. */
static size_t put_cut(struct etc_text *out, struct etc_str s, size_t width)
{
	size_t at = 0, used = 0;

	if (etc_utf8_width(s) <= width) {
		etc_text_put(out, s);
		return etc_utf8_width(s);
	}
	while (at < s.len) {
		size_t next = at, w;

		(void)etc_utf8_next(s, &next);
		w = etc_utf8_width(etc_str_sub(s, at, next));
		if (used + w + 1 > width)
			break;
		etc_text_put(out, etc_str_sub(s, at, next));
		used += w;
		at = next;
	}
	etc_text_cstr(out, "\xe2\x80\xa6");
	return used + 1;
}

static void put_padded(struct etc_text *line, struct etc_str s, size_t width, bool right)
{
	struct etc_text cut = { 0 };
	size_t w = put_cut(&cut, s, width), pad = w < width ? width - w : 0;

	if (right)
		etc_text_repeat(line, " ", pad);
	etc_text_put(line, etc_text_str(&cut));
	if (!right)
		etc_text_repeat(line, " ", pad);
	etc_text_release(&cut);
}

static void end_line(struct etc_text *out, struct etc_text *line, const struct etc_screen *screen,
                     const char *color)
{
	while (line->len && line->ptr[line->len - 1] == ' ')
		line->len--;
	if (screen->color && color)
		etc_text_cstr(out, color);
	put_line(out, etc_text_str(line), screen);
	if (screen->color && color)
		etc_text_cstr(out, "\033[0m");
	etc_text_char(out, '\n');
	line->len = 0;
}

static void put_table_line(struct layout *l, uint32_t r, bool titles, struct etc_text *line)
{
	for (uint32_t c = 0; c < l->t->column_count; c++) {
		const struct etc_column *column = &l->t->columns[c];
		struct etc_str s = titles ? title_of(l, c) : cell_text(l, r, c);

		if (!l->shown[c])
			continue;
		if (is_unit_place(column)) {
			size_t unit = etc_utf8_width(etc_str_of(l->unit)), w = l->width[c] - unit;
			bool timed = !titles && c && cell_of(l->t, r, c - 1)->kind == ETC_CELL_REAL;

			if (line->len >= 1 && w == 0)
				line->len--; /* the unit follows its number */
			put_padded(line, s, w > 0 ? w - 1 : 0, true);
			etc_text_repeat(line, " ", w > 0);
			put_padded(line, timed ? etc_str_of(l->unit) : ETC_STR(""), unit, false);
			if (w == 0)
				etc_text_char(line, ' ');
		} else {
			put_padded(line, s, l->width[c], column->right);
		}
		etc_text_repeat(line, " ", GAP);
	}
}

static void put_table(struct etc_text *out, const struct etc_table *t,
                      const struct etc_screen *screen)
{
	struct etc_arena arena;
	struct etc_text line = { 0 };
	struct layout l;

	etc_arena_init(&arena, SIZE_MAX / 2);
	if (!lay_out(&l, t, screen, &arena)) {
		out->failed = true;
	} else {
		put_table_line(&l, 0, true, &line);
		end_line(out, &line, screen, "\033[1m");
		for (uint32_t r = 0; r < t->row_count; r++) {
			bool foot = t->row_kinds && t->row_kinds[r] == ETC_ROW_FOOT;

			put_table_line(&l, r, false, &line);
			end_line(out, &line, screen, foot ? "\033[2m" : NULL);
		}
		if (l.dropped) {
			etc_text_printf(&line,
			                "(%u column%s left out to fit %u; a wider terminal or -o "
			                "csv has them)",
			                l.dropped, l.dropped == 1 ? "" : "s", screen->width);
			end_line(out, &line, screen, NULL);
		}
	}
	etc_text_release(&line);
	etc_text_release(&l.cells);
	etc_arena_release(&arena);
}

/* A line that is too long breaks at its wide gaps, then at blanks. */
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
			if (s.ptr[at] == ' ' && at > indent)
				best = at;
		}
		if (best == 0)
			break;
		put_clean(&line, etc_str_sub(s, 0, best));
		end_line(out, &line, screen, NULL);
		s = etc_str_trim(etc_str_sub(s, best, s.len));
		etc_text_repeat(&line, " ", indent);
		width = screen->width > indent + NAME_MIN ? screen->width - indent : 0;
	}
	put_clean(&line, s);
	end_line(out, &line, screen, NULL);
	etc_text_release(&line);
}

static void put_notes(struct etc_text *out, const struct etc_notes *notes,
                      const struct etc_screen *screen)
{
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
		if (n->count > 1)
			etc_text_printf(&line, " (%llu times)", (unsigned long long)n->count);
		put_wrapped(out, etc_text_str(&line), 9, screen);
		etc_text_release(&line);
	}
}

void etc_write_text(const struct etc_report *report, const struct etc_screen *screen,
                    struct etc_text *out)
{
	if (report->title.len) {
		put_wrapped(out, report->title, 4, screen);
		etc_text_char(out, '\n');
	}
	if (report->block_count == 0)
		etc_text_printf(out, "nothing to rank: no execute run and no load%s\n\n",
		                report->events.row_count ? "; all events:" : ", no events");
	for (uint32_t b = 0; b < report->block_count; b++) {
		const struct etc_report_block *block = &report->blocks[b];

		for (uint32_t i = 0; i < block->head_count; i++)
			put_wrapped(out, block->head[i], 4, screen);
		if (block->head_count)
			etc_text_char(out, '\n');
		if (block->table.row_count)
			put_table(out, &block->table, screen);
		if (block->detached.row_count) {
			etc_text_char(out, '\n');
			put_table(out, &block->detached, screen);
		}
		etc_text_char(out, '\n');
	}
	if (report->events.row_count) {
		put_table(out, &report->events, screen);
		etc_text_char(out, '\n');
	}
	if (report->more.len) {
		put_wrapped(out, report->more, 4, screen);
		etc_text_char(out, '\n');
	}
	put_notes(out, report->notes, screen);
	if (report->next.len)
		put_wrapped(out, report->next, 6, screen);
}

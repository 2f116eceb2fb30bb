/* diff_screen.c -- makes the table of one section for the screen; see diff_tables.h
 *
 * Rows with a significant change come first. One line sums up the unchanged rows. Time that belongs
 * to no row is at the bottom. So the columns of times add up to the end-to-end times, provided that
 * the statistic is a mean. */
#include "base/text.h"
#include "table/cells.h"
#include "commands/compare/diff_tables.h"

enum {
	SECTIONS = 12, /* maximum number of paths on the screen; -o csv has all paths */
	/* a line that sums up several rows has no sums for groups with this number or a larger
	 * one */
	FOLDED = 26
};

/* The columns for one group that is compared with the first group. */
enum group_column { G_TIME, G_DIFFERENCE, G_INTERVAL, G_RATIO, G_P, G_DELTA, GROUP_COLUMNS };

/* The columns before those of the compared groups: the name of the row, and the time of the first
 * group. FIRST is the number of these columns. The last column of the table is "match". */
enum { WHAT, BASE_TIME, FIRST };

struct maker {
	const struct etc_diff *diff;
	const struct etc_diff_section *s;
	const struct etc_diff_screen *options;
	struct etc_arena *arena;
	struct etc_scale scale;
	const bool *shown; /* for each row of the section: is it shown? */
	struct etc_table *t;
	bool pair; /* there are only two groups, so all columns fit */
	bool failed;
};

static uint32_t per_group(const struct maker *m)
{
	return m->pair ? GROUP_COLUMNS : G_RATIO + 1;
}

/* Returns the index of a group's column; UINT32_MAX if the column is left out because there are
 * more than two groups. */
static uint32_t place(const struct maker *m, uint32_t g, enum group_column c)
{
	static const uint32_t narrow[GROUP_COLUMNS] = {
		0, 1, UINT32_MAX, 2, UINT32_MAX, UINT32_MAX
	};

	if (m->pair)
		return FIRST + (uint32_t)c;
	return narrow[c] == UINT32_MAX ? UINT32_MAX : FIRST + (g - 1) * 3 + narrow[c];
}

static struct etc_str keep(struct maker *m, struct etc_text *t)
{
	struct etc_str s = etc_text_keep(t, m->arena);

	m->failed = m->failed || !s.ptr;
	return s;
}

static struct etc_cell time_cell(struct maker *m, double v, bool sign)
{
	struct etc_text t = { 0 };

	etc_text_time(&t, v, m->scale.ns, m->scale.decimals, sign);
	return etc_cell_text(keep(m, &t));
}

/* Returns the cell for a time of a group. If the group's unit differs from the unit of the section,
 * the cell also has the unit. */
static struct etc_cell value_cell(struct maker *m, double v, uint8_t unit)
{
	struct etc_text t = { 0 };

	if (unit == m->s->unit || m->scale.name[0] == '\0')
		return time_cell(m, v, false);
	etc_text_time(&t, v, 1, 0, false);
	etc_text_printf(&t, " %s", etc_unit_name(unit));
	return etc_cell_text(keep(m, &t));
}

static struct etc_cell interval_cell(struct maker *m, const struct etc_interval *i)
{
	struct etc_text t = { 0 };

	if (i->why != ETC_DEFINED || i->method == ETC_INTERVAL_NONE)
		return etc_cell_blank();
	etc_text_time(&t, i->low, m->scale.ns, m->scale.decimals, true);
	etc_text_cstr(&t, " \xe2\x80\xa6 ");
	etc_text_time(&t, i->high, m->scale.ns, m->scale.decimals, true);
	return etc_cell_text(keep(m, &t));
}

static void set(struct maker *m, struct etc_cell *row, uint32_t g, enum group_column c,
                struct etc_cell cell)
{
	uint32_t at = place(m, g, c);

	if (at != UINT32_MAX)
		row[at] = cell;
}

static struct etc_cell text_f(struct maker *m, const char *format, double v)
{
	struct etc_text t = { 0 };

	etc_text_printf(&t, format, v);
	return etc_cell_text(keep(m, &t));
}

static struct etc_cell ratio_cell(struct maker *m, double ratio)
{
	struct etc_text t = { 0 };

	etc_text_ratio(&t, ratio);
	return etc_cell_text(keep(m, &t));
}

static struct etc_cell p_cell(struct maker *m, double p)
{
	struct etc_text t = { 0 };

	etc_text_p(&t, p);
	return etc_cell_text(keep(m, &t));
}

static void put_group(struct maker *m, const struct etc_diff_row *r, uint32_t g,
                      struct etc_cell *row)
{
	const struct etc_comparison *x = r->against[g];
	enum etc_change change = etc_diff_change(r, g);

	if (r->sides[g].present && x->b.why == ETC_DEFINED)
		set(m, row, g, G_TIME, value_cell(m, x->b.estimate, r->sides[g].unit));
	if (change == ETC_CHANGE_ABSENT || x->why != ETC_DEFINED)
		return;
	if (change == ETC_CHANGE_UNCLEAR || change == ETC_CHANGE_BELOW)
		set(m, row, g, G_DIFFERENCE, etc_cell_word("~"));
	else
		set(m, row, g, G_DIFFERENCE, time_cell(m, x->difference, true));
	if (etc_compare_tells_interval(r->against[g]))
		set(m, row, g, G_INTERVAL, interval_cell(m, &x->difference_interval));
	if (change == ETC_CHANGE_FASTER || change == ETC_CHANGE_SLOWER ||
	    change == ETC_CHANGE_DIFFERS)
		set(m, row, g, G_RATIO,
		    etc_diff_has_ratio(r, g) ? ratio_cell(m, x->ratio) : etc_cell_blank());
	else if (change == ETC_CHANGE_APPEARED)
		set(m, row, g, G_RATIO, etc_cell_word("new"));
	else if (change == ETC_CHANGE_DISAPPEARED)
		set(m, row, g, G_RATIO, etc_cell_word("gone"));
	if (x->p_method != ETC_P_NONE && r->sides[0].present && r->sides[g].present) {
		set(m, row, g, G_P, p_cell(m, x->p_adjusted));
		set(m, row, g, G_DELTA, text_f(m, "%+.2f", x->cliffs_delta));
	}
}

static struct etc_cell *add_row(struct maker *m, uint8_t kind, struct etc_str what)
{
	uint32_t r = m->t->row_count++;
	struct etc_cell *row = &m->t->cells[(size_t)r * m->t->column_count];

	m->t->row_kinds[r] = kind;
	row[WHAT] = etc_cell_text(what);
	return row;
}

struct etc_str etc_diff_match(const struct etc_diff_row *r, uint32_t from, uint32_t to, bool named,
                              struct etc_arena *arena)
{
	struct etc_text t = { 0 };
	uint8_t how = 0;

	for (uint32_t g = from; g < to; g++)
		if (r->sides[0].present && r->sides[g].present)
			how |= r->sides[g].how;
	for (uint8_t k = ETC_MATCH_NAME; k < ETC_MATCH_COUNT; k++)
		if (how & 1u << k) {
			etc_text_cstr(&t, t.len ? ", " : "");
			etc_text_cstr(&t, etc_match_name(k));
		}
	for (uint32_t g = from; g < to && named; g++)
		if (r->sides[0].present && r->sides[g].present &&
		    !etc_str_eq(r->sides[0].name, r->sides[g].name)) {
			etc_text_cstr(&t, ": ");
			etc_text_put(&t, r->sides[g].name);
		}
	for (uint32_t g = from; g < to; g++)
		if (r->sides[0].present && r->sides[g].kernel == ETC_KERNEL_OTHER) {
			etc_text_cstr(&t, "; another kernel");
			break;
		}
	return etc_text_keep(&t, arena);
}

struct etc_str etc_diff_what(const struct etc_diff_row *r, struct etc_arena *arena)
{
	struct etc_str key = r->key.len ? r->key : ETC_STR("(no name)");
	struct etc_profile_row like = { .name = key, .delegate = r->delegate };
	uint32_t more = 0;

	if (r->level == ETC_DIFF_ROW)
		key = r->place ? etc_list_head(key, &more) : etc_row_word(&like);
	if (more)
		key = etc_arena_printf(arena, ETC_STR_FMT " and %u more", ETC_STR_ARG(key), more);
	return etc_diff_name(r, key, arena);
}

/* Returns the text of the first column: the name of the row, or "NAME [2 -> 5 calls]" if the groups
 * have different numbers of events. */
static struct etc_str what_of(struct maker *m, const struct etc_diff_row *r)
{
	struct etc_str key = etc_diff_what(r, m->arena);
	bool differ = false;
	struct etc_text t = { 0 };

	for (uint32_t g = 1; g < m->diff->group_count; g++)
		differ = differ || (r->sides[g].present && r->sides[0].present &&
		                    r->sides[g].calls != r->sides[0].calls);
	if (!differ || r->level != ETC_DIFF_ROW)
		return key;
	etc_text_put(&t, key);
	etc_text_cstr(&t, "  [");
	for (uint32_t g = 0; g < m->diff->group_count; g++)
		etc_text_printf(&t, "%s%.4g", g ? " \xe2\x86\x92 " : "", r->sides[g].calls);
	etc_text_cstr(&t, " calls]");
	return keep(m, &t);
}

static void put_row(struct maker *m, const struct etc_diff_row *r, uint8_t kind)
{
	struct etc_cell *row = add_row(m, kind, what_of(m, r));
	const struct etc_comparison_side *a = &r->against[1]->a;

	if (r->sides[0].present && a->why == ETC_DEFINED)
		row[BASE_TIME] = value_cell(m, a->estimate, r->sides[0].unit);
	for (uint32_t g = 1; g < m->diff->group_count; g++)
		put_group(m, r, g, row);
	if (r->level == ETC_DIFF_ROW)
		row[m->t->column_count - 1] = etc_cell_text(
			etc_diff_match(r, 1, m->diff->group_count, m->pair, m->arena));
}

/* Did the row change in any group? */
static bool is_news(const struct maker *m, const struct etc_diff_row *r)
{
	for (uint32_t g = 1; g < m->diff->group_count; g++) {
		if (etc_change_is_news((uint8_t)etc_diff_change(r, g)))
			return true;
	}
	return false;
}

/* Rows that are summed up in one line. The line has sums only if times are additive. */
struct fold {
	uint32_t count;
	double base, value[FOLDED];
	bool apart; /* the rows have several units, so there is no sum */
};

static void fold_row(struct fold *f, const struct maker *m, const struct etc_diff_row *r)
{
	f->count++;
	f->base += r->sides[0].present ? r->against[1]->a.estimate : 0;
	f->apart = f->apart || (r->sides[0].present && r->sides[0].unit != m->s->unit);
	for (uint32_t g = 1; g < m->diff->group_count && g < FOLDED; g++) {
		f->value[g] += r->sides[g].present ? r->against[g]->b.estimate : 0;
		f->apart = f->apart || (r->sides[g].present && r->sides[g].unit != m->s->unit);
	}
}

static void put_fold(struct maker *m, const struct fold *f, const char *format, bool unclear)
{
	struct etc_cell *row;

	if (f->count == 0)
		return;
	row = add_row(m, ETC_ROW_FOOT, etc_arena_printf(m->arena, format, f->count));
	/* Times are added up only if the statistic is a mean, because other statistics are not
	 * additive. */
	if ((m->diff->stat != ETC_STAT_TYPICAL && m->diff->stat != ETC_STAT_MEAN) || f->apart)
		return;
	row[BASE_TIME] = time_cell(m, f->base, false);
	for (uint32_t g = 1; g < m->diff->group_count && g < FOLDED; g++) {
		set(m, row, g, G_TIME, time_cell(m, f->value[g], false));
		if (!m->s->hidden)
			set(m, row, g, G_DIFFERENCE,
			    unclear ? etc_cell_word("~")
			            : time_cell(m, f->value[g] - f->base, true));
	}
}

static void put_rows(struct maker *m)
{
	struct fold more = { 0 }, same = { 0 }, hidden = { 0 };
	uint32_t top = m->options->top, listed = 0;

	for (uint32_t i = 0; i < m->s->row_count; i++) {
		const struct etc_diff_row *r = &m->s->rows[i];

		if (r->level != ETC_DIFF_ROW || r->detached)
			continue;
		if (m->shown && !m->shown[i])
			fold_row(&hidden, m, r);
		else if (top && !is_news(m, r))
			fold_row(&same, m, r);
		else if (top && listed == top)
			fold_row(&more, m, r);
		else
			put_row(m, r, ETC_ROW_BODY);
		listed += !(m->shown && !m->shown[i]) && is_news(m, r) && listed < top;
	}
	put_fold(m, &more, "%u more that changed", false);
	put_fold(m, &same,
	         m->s->hidden                    ? "%u not compared"
	         : m->diff->stat == ETC_STAT_MIN ? "%u not tested (--top 0 shows them)"
	                                         : "%u without a significant change",
	         true);
	put_fold(m, &hidden, "%u left out by --where", false);
	for (uint32_t i = 0; i < m->s->row_count; i++)
		if (m->s->rows[i].level == ETC_DIFF_REST)
			put_row(m, &m->s->rows[i], ETC_ROW_FOOT);
}

static const char *title(struct maker *m, const char *format, struct etc_str name)
{
	struct etc_str s = etc_arena_printf(m->arena, format, ETC_STR_ARG(name), m->scale.name);

	m->failed = m->failed || !s.ptr;
	return s.ptr;
}

const char *etc_diff_interval_heading(double confidence, struct etc_arena *arena)
{
	return etc_arena_printf(arena, "%.4g %% CI", confidence * 100).ptr;
}

static bool make_columns(struct maker *m)
{
	uint32_t groups = m->diff->group_count - 1, n = FIRST + groups * per_group(m) + 1;
	struct etc_column *c = etc_new(m->arena, struct etc_column, n);

	m->t->columns = c;
	m->t->column_count = n;
	if (!c)
		return false;
	if (!m->pair)
		n = FIRST + groups * 3 + 1;
	m->t->column_count = n;
	c[WHAT] = (struct etc_column){ .name = "what", .title = etc_row_key(m->diff->by)->title };
	c[BASE_TIME] =
		(struct etc_column){ .name = "base",
		                     .title = title(m, ETC_STR_FMT " %s", m->diff->groups[0].name),
		                     .right = true };
	for (uint32_t g = 1; g <= groups; g++) {
		const struct etc_column all[GROUP_COLUMNS] = {
			[G_TIME] = { .name = "value",
			             .title =
			                     title(m, ETC_STR_FMT " %s", m->diff->groups[g].name) },
			[G_DIFFERENCE] = { .name = "difference",
			                   .title = "change",
			                   .last = m->pair ? title(m, ETC_STR_FMT " %s",
			                                           ETC_STR("change"))
			                                   : NULL },
			[G_INTERVAL] = { .name = "interval",
			                 .title = etc_diff_interval_heading(m->options->confidence,
			                                                    m->arena),
			                 .optional = true },
			[G_RATIO] = { .name = "ratio",
			              .title = "ratio",
			              .last = m->pair ? "ratio" : NULL },
			[G_P] = { .name = "p", .title = ETC_DIFF_P_HEADING, .optional = true },
			[G_DELTA] = { .name = "delta", .title = "delta", .optional = true },
		};

		for (uint32_t k = 0; k < GROUP_COLUMNS; k++)
			if (place(m, g, k) != UINT32_MAX) {
				c[place(m, g, k)] = all[k];
				c[place(m, g, k)].right = true;
			}
	}
	c[n - 1] = (struct etc_column){ .name = "match", .title = "matched by", .optional = true };
	return true;
}

static enum etc_status make_table(struct maker *m, struct etc_error *err)
{
	uint32_t rows = m->s->row_count + 4;

	*m->t = (struct etc_table){ .row_kinds = etc_new(m->arena, uint8_t, rows) };
	ETC_NEED(make_columns(m) && m->t->row_kinds, err);
	m->t->cells = etc_new(m->arena, struct etc_cell, (size_t)rows * m->t->column_count);
	ETC_NEED(m->t->cells, err);
	if (m->diff->by != ETC_BY_METHOD)
		put_rows(m);
	return m->failed ? etc_no_memory(err) : ETC_OK;
}

/* Makes the table of detached rows. Their times are in different units, so the unit is appended to
 * the name of each row. */
static enum etc_status make_detached(struct maker *m, struct etc_table *t, struct etc_error *err)
{
	struct etc_table *usual = m->t;
	struct etc_scale scale = m->scale;

	*t = (struct etc_table){ .columns = usual->columns,
		                 .column_count = usual->column_count,
		                 .row_kinds = etc_new(m->arena, uint8_t, m->s->row_count),
		                 .cells = etc_new(m->arena, struct etc_cell,
		                                  (size_t)m->s->row_count * usual->column_count) };
	ETC_NEED(t->row_kinds && t->cells, err);
	m->t = t;
	for (uint32_t i = 0; i < m->s->row_count; i++) {
		struct etc_diff_row r = m->s->rows[i];
		const char *unit = etc_unit_name(r.unit);

		if (!r.detached || r.level != ETC_DIFF_ROW || (m->shown && !m->shown[i]))
			continue;
		if (r.unit != ETC_UNIT_NS)
			m->scale = (struct etc_scale){ "", 1, 0 };
		r.key = etc_arena_printf(m->arena, ETC_STR_FMT " (%s)", ETC_STR_ARG(r.key),
		                         r.unit == ETC_UNIT_NS ? "adds up to nothing"
		                         : unit[0]             ? unit
		                                               : "unit not known");
		put_row(m, &r, ETC_ROW_BODY);
		m->scale = scale;
	}
	m->t = usual;
	return m->failed ? etc_no_memory(err) : ETC_OK;
}

/* Returns an array that is true for each row of section `number` of which --where keeps at least
 * one line. lines[i] is true if --where keeps line i of the whole comparison. */
static bool *rows_shown(const struct etc_diff *diff, uint32_t number, const bool *lines,
                        struct etc_arena *arena)
{
	uint32_t groups = diff->group_count - 1;
	const struct etc_diff_section *s = &diff->sections[number];
	bool *rows = etc_new(arena, bool, s->row_count);

	for (uint32_t i = 0; i < number; i++)
		lines += (size_t)diff->sections[i].row_count * groups;
	for (uint32_t i = 0; rows && i < s->row_count; i++)
		for (uint32_t g = 0; g < groups; g++)
			rows[i] = rows[i] || lines[(size_t)i * groups + g];
	return rows;
}

enum etc_status etc_view_diff_screen(const struct etc_diff *diff,
                                     const struct etc_diff_screen *options, const bool *shown,
                                     struct etc_arena *arena, struct etc_report *report,
                                     struct etc_report_diff *out, struct etc_error *err)
{
	report->blocks = etc_new(arena, struct etc_report_block, diff->section_count);
	ETC_NEED(report->blocks, err);
	for (uint32_t i = 0; i < diff->section_count && i < SECTIONS; i++) {
		const struct etc_diff_section *s = &diff->sections[i];
		struct etc_report_block *block = &report->blocks[report->block_count++];
		struct maker m = {
			.diff = diff,
			.s = s,
			.options = options,
			.arena = arena,
			.scale = etc_diff_scale(s, diff->group_count, options),
			.t = &block->table,
			.pair = diff->group_count == 2,
		};

		if (shown)
			m.shown = rows_shown(diff, i, shown, arena);
		if (shown && !m.shown)
			return etc_no_memory(err);
		ETC_TRY(etc_view_diff_head(diff, s, options, arena, block,
		                           i ? NULL : &out->headline, err));
		ETC_TRY(make_table(&m, err));
		ETC_TRY(make_detached(&m, &block->detached, err));
	}
	if (diff->section_count > SECTIONS)
		report->more = etc_arena_printf(arena, "%u more paths: --method, -o csv",
		                                diff->section_count - SECTIONS);
	return ETC_OK;
}

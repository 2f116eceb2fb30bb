/* diff_lines.c -- makes the machine-readable table, which has each comparison with all digits; see
 * diff_tables.h */
#include "base/text.h"
#include "table/cells.h"
#include "commands/compare/diff_tables.h"

enum column {
#define COLUMN(id, ...) id,
#include "commands/compare/line_columns.def"
	COLUMNS,
	/* columns with texts as the screen shows them; --where accepts them, too; see
	 * etc_view_diff_lines() */
	SHOWN_NAME = COLUMNS,
	SHOWN_MATCH,
	SHOWN_RATIO,
	ALL
};
#define SHOWN(key)                                          \
	(struct etc_column)                                 \
	{                                                   \
		.name = (key), .typed = true, .extra = true \
	}

static const struct etc_column columns[COLUMNS] = {
#define COLUMN(id, key, form, meaning, value) \
	[id] = { .name = key, .title = key, .help = meaning, ETC_FORM_##form },
#include "commands/compare/line_columns.def"
};

_Static_assert((int)ALL <= (int)ETC_TABLE_MADE, "a line is made in room for so many cells");

/* Returns the number as a cell. If the number is whole (a count, or the time of a single run), the
 * cell has an integer, else a real number. */
static struct etc_cell number(double v)
{
	if (v == (double)(int64_t)v && v < 1e15 && v > -1e15)
		return etc_cell_int((int64_t)v);
	return etc_cell_double(v);
}

static struct etc_cell number_if(bool known, double v)
{
	return known ? number(v) : etc_cell_blank();
}

static struct etc_cell real_if(bool known, double v)
{
	return known ? etc_cell_double(v) : etc_cell_blank();
}

static bool has_ends(const struct etc_interval *i)
{
	return i->why == ETC_DEFINED && i->method != ETC_INTERVAL_NONE;
}

static struct etc_cell interval_word(const struct etc_interval *i)
{
	static const char *const words[] = {
		[ETC_INTERVAL_NONE] = "",
		[ETC_INTERVAL_BCA] = "bca",
		[ETC_INTERVAL_EFFECTIVE] = "effective runs",
		[ETC_INTERVAL_NORMAL] = "normal",
		[ETC_INTERVAL_DUMPS] = "dumps",
		[ETC_INTERVAL_ORDER] = "order",
		[ETC_INTERVAL_CONSTANT] = "constant",
	};

	return i->why == ETC_DEFINED ? etc_cell_word(words[i->method]) : etc_cell_blank();
}

/* State for making lines on demand. Each text about caveats or matches is made once and then
 * reused, since only few different texts occur. */
struct maker {
	const struct etc_diff *diff;
	const struct etc_diff_line *lines;
	struct etc_arena *arena;
	bool typed;
	struct etc_str caveats[1 << ETC_CAVEAT_COUNT], matches[1 << ETC_MATCH_COUNT];
};

static void put_word(struct etc_text *t, const char *word)
{
	etc_text_cstr(t, t->len ? ", " : "");
	etc_text_cstr(t, word);
}

static struct etc_cell keep(struct etc_text *t, struct etc_arena *arena, struct etc_str *known)
{
	*known = etc_text_keep(t, arena);
	return etc_cell_text(*known);
}

static struct etc_cell caveat_words(struct maker *m, uint32_t caveats)
{
	static const struct {
		uint32_t bit;
		const char *word;
	} words[] = {
		{ ETC_CAVEAT_FEW_RUNS, "few runs" },
		{ ETC_CAVEAT_NO_CHANCE, "no chance of significance" },
		{ ETC_CAVEAT_ONE_DUMP, "one dump each" },
		{ ETC_CAVEAT_BORROWED, "variance borrowed" },
		{ ETC_CAVEAT_DRIFT, "drift" },
		{ ETC_CAVEAT_AUTOCORRELATED, "autocorrelated" },
		{ ETC_CAVEAT_BIMODAL, "bimodal" },
		{ ETC_CAVEAT_RESOLUTION, "below resolution" },
		{ ETC_CAVEAT_DROWNED, "drift as large as the change" },
		{ ETC_CAVEAT_SPEEDS, "two speeds as far apart as the change" },
		{ ETC_CAVEAT_TAILS, "tails differ" },
		{ ETC_CAVEAT_ASSUMED, "process spread assumed" },
		{ ETC_CAVEAT_ORDERED, "adjusted for the order" },
	};
	struct etc_str *known = &m->caveats[caveats % (1 << ETC_CAVEAT_COUNT)];
	struct etc_text t = { 0 };

	if (known->ptr)
		return etc_cell_text(*known);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (caveats & words[i].bit)
			put_word(&t, words[i].word);
	return keep(&t, m->arena, known);
}

/* Returns a cell with the ways in which the events were matched, such as "name, canonical". */
static struct etc_cell match_words(struct maker *m, uint8_t how)
{
	struct etc_str *known = &m->matches[how % (1 << ETC_MATCH_COUNT)];
	struct etc_text t = { 0 };

	if (known->ptr)
		return etc_cell_text(*known);
	for (uint8_t w = ETC_MATCH_NAME; w < ETC_MATCH_COUNT; w++)
		if (how & 1u << w)
			put_word(&t, etc_match_name(w));
	return keep(&t, m->arena, known);
}

/* One line, and the values that several of its columns need. */
struct line {
	struct maker *m;
	const struct etc_diff_section *s;
	const struct etc_diff_row *r;
	const struct etc_diff_side *a, *b;
	const struct etc_comparison *x;
	struct etc_str base, group; /* names of the two groups */
	enum etc_change change;
	double resolution;
	bool is_row; /* the line is about a row (ETC_DIFF_ROW) */
	/* the difference of the two groups' times is defined. If only one group has the row, the
	 * time of the other group counts as 0 */
	bool compared;
	bool in_ns;     /* the difference is defined, and is a time in ns */
	bool has_ratio; /* the ratio is defined */
	bool tested;
	bool shifted;
};

static bool is_known(const struct etc_diff_side *row, const struct etc_comparison_side *side)
{
	return row->present && side->why == ETC_DEFINED;
}

static bool is_time(const struct etc_diff_side *row, const struct etc_comparison_side *side)
{
	return is_known(row, side) && row->unit == ETC_UNIT_NS;
}

static bool is_raw(const struct etc_diff_side *row, const struct etc_comparison_side *side)
{
	return is_known(row, side) && row->unit != ETC_UNIT_NS;
}

static struct etc_cell kernel_word(const struct line *l)
{
	if (l->b->kernel == ETC_KERNEL_SAME || !l->a->present)
		return etc_cell_blank();
	return etc_cell_word(l->b->kernel == ETC_KERNEL_OTHER ? "yes" : "cannot tell");
}

static struct etc_cell ran_word(const struct etc_diff_side *side)
{
	if (!side->ran)
		return etc_cell_blank();
	return etc_cell_word(side->ran == 1u << ETC_RAN_YES  ? "yes"
	                     : side->ran == 1u << ETC_RAN_NO ? "no"
	                                                     : "cannot tell");
}

static struct line line_of(struct maker *m, const struct etc_diff_line *at)
{
	const struct etc_diff_section *s = &m->diff->sections[at->section];
	const struct etc_diff_row *r = &s->rows[at->row];
	const struct etc_comparison *x = r->against[at->group];
	struct line l = { .m = m, .s = s, .r = r, .x = x };

	l.a = &r->sides[0];
	l.b = &r->sides[at->group];
	l.base = m->diff->groups[0].name;
	l.group = m->diff->groups[at->group].name;
	l.change = etc_diff_change(r, at->group);
	l.resolution = l.a->resolution > l.b->resolution ? l.a->resolution : l.b->resolution;
	l.is_row = r->level == ETC_DIFF_ROW;
	l.compared = x->why == ETC_DEFINED && l.change != ETC_CHANGE_ABSENT;
	l.in_ns = l.compared && r->unit == ETC_UNIT_NS;
	l.has_ratio = l.compared && etc_diff_has_ratio(r, at->group);
	l.tested = l.compared && x->p_method != ETC_P_NONE;
	l.shifted = l.in_ns && x->shift.why == ETC_DEFINED;
	return l;
}

static void put_line(void *maker, uint32_t line, struct etc_cell *c)
{
	static const char *const levels[] = { "run", "row", "rest" };
	static const char *const methods[] = {
		[ETC_P_NONE] = "",
		[ETC_P_RUNS] = "runs",
		[ETC_P_PERMUTATION] = "permutation",
		[ETC_P_EFFECTIVE] = "effective runs",
		[ETC_P_DUMPS] = "dumps",
		[ETC_P_ORDER] = "order",
	};
	struct maker *m = maker;
	const uint32_t group = m->lines[line].group;
	const struct line made = line_of(m, &m->lines[line]), *l = &made;

#define COLUMN(id, key, form, help, value) c[id] = value;
#include "commands/compare/line_columns.def"
	if (!m->typed)
		return;
	c[SHOWN_NAME] = etc_cell_text(etc_diff_what(l->r, m->arena));
	if (l->is_row && l->a->present && l->b->present)
		c[SHOWN_MATCH] = etc_cell_text(etc_diff_match(l->r, group, group + 1,
		                                              m->diff->group_count == 2, m->arena));
	if (l->change == ETC_CHANGE_APPEARED || l->change == ETC_CHANGE_DISAPPEARED)
		c[SHOWN_RATIO] = etc_cell_word(l->change == ETC_CHANGE_APPEARED ? "new" : "gone");
}

/* Sets the headings of columns to those of the screen. If there are several groups, each line
 * compares one of them with the first group. */
static void add_headings(const struct etc_diff *diff, double confidence, struct etc_column *named,
                         struct etc_arena *arena)
{
	const char *interval = etc_diff_interval_heading(confidence, arena);

	named[SHOWN_NAME] = SHOWN("name, shown");
	named[SHOWN_MATCH] = SHOWN("match, shown");
	named[SHOWN_RATIO] = SHOWN("ratio, shown");
	named[KEY].alias = etc_row_key(diff->by)->title;
	named[KEY].also = NAME + 1;
	named[NAME].also = SHOWN_NAME + 1;
	named[MATCH].also = SHOWN_MATCH + 1;
	named[RATIO].also = SHOWN_RATIO + 1;
	named[BACKEND].also = ON + 1;
	named[ON].also = BACKEND + 1;
	named[DELTA].alias = "delta";
	named[MATCH].alias = "matched by";
	named[DIFFERENCE].alias = "change";
	named[P_ADJUSTED].alias = ETC_DIFF_P_HEADING;
	named[DIFFERENCE_LOW].alias = named[DIFFERENCE_HIGH].alias = interval;
	named[DIFFERENCE_LOW].upper = 1 + DIFFERENCE_HIGH;
	named[BASE_NS].alias = etc_arena_cstr(arena, diff->groups[0].name);
	if (diff->group_count == 2)
		named[VALUE_NS].alias = etc_arena_cstr(arena, diff->groups[1].name);
}

enum etc_status etc_view_diff_lines(const struct etc_diff *diff, double confidence, bool typed,
                                    struct etc_arena *arena, struct etc_table *out,
                                    struct etc_diff_line **lines, struct etc_error *err)
{
	struct etc_column *named = etc_new(arena, struct etc_column, ALL);
	struct maker *maker = etc_new(arena, struct maker, 1);
	size_t n = 0;

	for (uint32_t s = 0; s < diff->section_count; s++)
		n += (size_t)diff->sections[s].row_count * (diff->group_count - 1);
	*lines = etc_new(arena, struct etc_diff_line, n);
	*out = (struct etc_table){
		.columns = named,
		.column_count = typed ? ALL : COLUMNS,
		.make = put_line,
		.of = maker,
	};
	if (!named || !*lines || !maker || n > UINT32_MAX)
		return etc_fail(err, E0904, "%zu comparisons", n);
	memcpy(named, columns, sizeof columns);
	add_headings(diff, confidence, named, arena);
	for (uint32_t s = 0; s < diff->section_count; s++)
		for (uint32_t r = 0; r < diff->sections[s].row_count; r++)
			for (uint32_t g = 1; g < diff->group_count; g++)
				(*lines)[out->row_count++] = (struct etc_diff_line){ s, r, g };
	*maker = (struct maker){ .diff = diff, .lines = *lines, .arena = arena, .typed = typed };
	return ETC_OK;
}

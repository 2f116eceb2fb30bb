/* diff_lines.c -- every comparison with all its digits; see diff_tables.h */
#include "base/text.h"
#include "table/cells.h"
#include "commands/compare/diff_tables.h"

enum column {
	LEVEL,
	KEY,
	METHOD,
	PATH,
	BASE,
	GROUP,
	CHANGE,
	SIGNIFICANT,
	MATCH,
	BASE_NAME,
	NAME,
	BASE_CALLS,
	CALLS,
	BASE_NS,
	VALUE_NS,
	BASE_MEDIAN,
	MEDIAN,
	DIFFERENCE,
	DIFFERENCE_LOW,
	DIFFERENCE_HIGH,
	RATIO,
	RATIO_LOW,
	RATIO_HIGH,
	INTERVAL,
	P,
	P_ADJUSTED,
	P_METHOD,
	P_RUNS,
	SHIFT,
	SHIFT_LOW,
	SHIFT_HIGH,
	DELTA,
	RESOLUTION,
	BASE_RUNS,
	RUNS,
	BASE_DUMPS,
	DUMPS,
	CAVEATS,
	KERNEL_CHANGE,
	CATEGORY,
	BACKEND,
	DETACHED,
	UNIT,
	BASE_RAW,
	RAW,
	BASE_P95,
	P95,
	BASE_MAX,
	MAX,
	TAIL_P,
	SPREAD,
	P_PROCESS,
	COLUMNS
};

/* clang-format off */
static const struct etc_column columns[COLUMNS] = {
	[LEVEL]           = { .name = "level", .help = "run: end to end; row; rest: what is no row" },
	[KEY]             = { .name = "key", .help = "the row, as the first group that has it calls it" },
	[METHOD]          = { .name = "method", .help = "method of the program" },
	[PATH]            = { .right = true, .name = "path", .help = "execution path, from 1" },
	[BASE]            = { .name = "base", .help = "the group that is compared with" },
	[GROUP]           = { .name = "group", .help = "the group that is compared" },
	[CHANGE]          = { .name = "change", .help = "faster, slower, differs, cannot tell, unclear, below resolution, appeared, disappeared" },
	[SIGNIFICANT]     = { .name = "significant", .help = "after Holm's correction" },
	[MATCH]           = { .name = "match", .help = "how its events were found: name, canonical, node, position" },
	[BASE_NAME]       = { .name = "base_name", .help = "what the base calls it" },
	[NAME]            = { .name = "name", .help = "what the group calls it" },
	[BASE_CALLS]      = { .right = true, .name = "base_calls", .help = "events per run" },
	[CALLS]           = { .right = true, .name = "calls", .help = "events per run" },
	[BASE_NS]         = { .style = ETC_STYLE_TIME, .right = true, .name = "base_ns", .help = "time per run in the base" },
	[VALUE_NS]        = { .style = ETC_STYLE_TIME, .right = true, .name = "self_ns", .help = "time per run in the group" },
	[BASE_MEDIAN]     = { .style = ETC_STYLE_TIME, .right = true, .name = "base_median_ns", .help = "median of the runs" },
	[MEDIAN]          = { .style = ETC_STYLE_TIME, .right = true, .name = "median_ns", .help = "median of the runs" },
	[DIFFERENCE]      = { .style = ETC_STYLE_TIME, .right = true, .name = "difference_ns", .help = "self_ns - base_ns" },
	[DIFFERENCE_LOW]  = { .style = ETC_STYLE_TIME, .right = true, .name = "difference_low_ns", .help = "lower end of its interval" },
	[DIFFERENCE_HIGH] = { .style = ETC_STYLE_TIME, .right = true, .name = "difference_high_ns", .help = "upper end of its interval" },
	[RATIO]           = { .right = true, .name = "ratio", .help = "self_ns / base_ns" },
	[RATIO_LOW]       = { .right = true, .name = "ratio_low", .help = "lower end of its interval" },
	[RATIO_HIGH]      = { .right = true, .name = "ratio_high", .help = "upper end of its interval" },
	[INTERVAL]        = { .name = "interval", .help = "bca, effective runs, normal, dumps, order, constant" },
	[P]               = { .right = true, .name = "p", .help = "two-sided; what significance rests on" },
	[P_ADJUSTED]      = { .right = true, .name = "p_adjusted", .help = "after Holm's correction" },
	[P_METHOD]        = { .name = "p_method", .help = "runs, permutation, effective runs, dumps, order" },
	[P_RUNS]          = { .right = true, .name = "p_mann_whitney", .help = "Mann-Whitney over all runs" },
	[SHIFT]           = { .style = ETC_STYLE_TIME, .right = true, .name = "shift_ns", .help = "Hodges-Lehmann" },
	[SHIFT_LOW]       = { .style = ETC_STYLE_TIME, .right = true, .name = "shift_low_ns", .help = "lower end of its interval" },
	[SHIFT_HIGH]      = { .style = ETC_STYLE_TIME, .right = true, .name = "shift_high_ns", .help = "upper end of its interval" },
	[DELTA]           = { .right = true, .name = "cliffs_delta", .help = "effect size, -1 to 1; positive: slower" },
	[RESOLUTION]      = { .style = ETC_STYLE_TIME, .right = true, .name = "resolution_ns", .help = "what truncation may hide per run" },
	[BASE_RUNS]       = { .right = true, .name = "base_runs", .help = "kept runs of the base" },
	[RUNS]            = { .right = true, .name = "runs", .help = "kept runs of the group" },
	[BASE_DUMPS]      = { .right = true, .name = "base_dumps", .help = "dumps of the base" },
	[DUMPS]           = { .right = true, .name = "dumps", .help = "dumps of the group" },
	[CAVEATS]         = { .name = "caveats", .help = "what weakens the comparison" },
	[KERNEL_CHANGE]   = { .name = "kernel_change", .help = "of rows that kept their name: yes, cannot tell, or nothing" },
	[CATEGORY]        = { .name = "category", .help = "kind of work" },
	[BACKEND]         = { .name = "backend", .help = "backend id" },
	[DETACHED]        = { .name = "detached", .help = "subtracted from nothing" },
	[UNIT]            = { .name = "unit", .help = "of the raw numbers" },
	[BASE_RAW]        = { .right = true, .name = "base_raw", .help = "base_ns of a row that is no time, in its unit" },
	[RAW]             = { .right = true, .name = "self_raw", .help = "self_ns of a row that is no time, in its unit" },
	[BASE_P95]        = { .style = ETC_STYLE_TIME, .right = true, .name = "base_p95_ns", .help = "95th percentile of the base's runs" },
	[P95]             = { .style = ETC_STYLE_TIME, .right = true, .name = "p95_ns", .help = "95th percentile of the runs" },
	[BASE_MAX]        = { .style = ETC_STYLE_TIME, .right = true, .name = "base_max_ns", .help = "the base's slowest run" },
	[MAX]             = { .style = ETC_STYLE_TIME, .right = true, .name = "max_ns", .help = "the slowest run" },
	[TAIL_P]          = { .right = true, .name = "tail_p", .help = "run: of equal parts of slow runs" },
	[SPREAD]          = { .right = true, .name = "process_spread", .help = "assumed between processes; nothing: measured" },
	[P_PROCESS]       = { .right = true, .name = "p_process", .help = "with that spread, after Holm's correction" },
};
/* clang-format on */

_Static_assert((int)COLUMNS <= (int)ETC_TABLE_MADE, "a line is made in room for so many cells");

static struct etc_cell word(const char *s)
{
	return etc_cell_text(etc_str_of(s));
}

static struct etc_cell real(double v)
{
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = v };
}

/* A whole number as such: a time of a single run, a count. */
static struct etc_cell number(double v)
{
	if (v == (double)(int64_t)v && v < 1e15 && v > -1e15)
		return (struct etc_cell){ .kind = ETC_CELL_INT, .i = (int64_t)v };
	return real(v);
}

static void put_interval(const struct etc_interval *i, struct etc_cell *low, struct etc_cell *high)
{
	if (i->why != ETC_DEFINED || i->method == ETC_INTERVAL_NONE)
		return;
	*low = number(i->low);
	*high = number(i->high);
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

	return i->why == ETC_DEFINED ? word(words[i->method]) : etc_cell_blank();
}

/* Lines are made one after the other, their words once: there are few sets of them. */
struct maker {
	const struct etc_diff *diff;
	const struct etc_diff_line *lines;
	struct etc_arena *arena;
	struct etc_str caveats[1 << ETC_CAVEAT_COUNT], matches[1 << ETC_MATCH_COUNT];
};

static void put_word(struct etc_text *t, const char *word)
{
	etc_text_cstr(t, t->len ? ", " : "");
	etc_text_cstr(t, word);
}

static struct etc_cell keep(struct etc_text *t, struct etc_arena *arena, struct etc_str *known)
{
	*known = etc_arena_str(arena, etc_text_str(t));
	etc_text_release(t);
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

/* How the events were found: "name", "name, canonical". */
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

static void put_side(const struct etc_comparison_side *side, bool present, bool ns,
                     const enum column at[7], struct etc_cell *c)
{
	c[at[3]] = etc_cell_u64(side->runs);
	c[at[4]] = etc_cell_u64(side->dumps);
	if (!present || side->why != ETC_DEFINED)
		return;
	if (!ns) {
		c[at[2]] = number(side->estimate);
		return;
	}
	c[at[0]] = number(side->estimate);
	c[at[1]] = number(side->median);
	c[at[5]] = number(side->p95);
	c[at[6]] = number(side->max);
}

static void put_comparison(const struct etc_comparison *x, bool ns, bool ratio, struct etc_cell *c)
{
	static const char *const methods[] = {
		[ETC_P_NONE] = "",
		[ETC_P_RUNS] = "runs",
		[ETC_P_PERMUTATION] = "permutation",
		[ETC_P_EFFECTIVE] = "effective runs",
		[ETC_P_DUMPS] = "dumps",
		[ETC_P_ORDER] = "order",
	};

	if (x->p_method != ETC_P_NONE) {
		c[P] = real(x->p);
		c[P_ADJUSTED] = real(x->p_adjusted);
		c[P_METHOD] = word(methods[x->p_method]);
		if (x->spread > 0) {
			c[SPREAD] = number(x->spread);
			c[P_PROCESS] = real(x->p_process_adjusted);
		}
	}
	if (x->u.why == ETC_DEFINED)
		c[P_RUNS] = real(x->u.p);
	c[DELTA] = number(x->cliffs_delta);
	c[INTERVAL] = interval_word(&x->difference_interval);
	if (ratio) {
		c[RATIO] = real(x->ratio);
		put_interval(&x->ratio_interval, &c[RATIO_LOW], &c[RATIO_HIGH]);
	}
	if (!ns)
		return;
	c[DIFFERENCE] = number(x->difference);
	put_interval(&x->difference_interval, &c[DIFFERENCE_LOW], &c[DIFFERENCE_HIGH]);
	if (x->shift.why == ETC_DEFINED)
		c[SHIFT] = number(x->shift.shift);
	if (x->shift.why == ETC_DEFINED && x->shift.no_interval == ETC_DEFINED) {
		c[SHIFT_LOW] = number(x->shift.low);
		c[SHIFT_HIGH] = number(x->shift.high);
	}
}

static void put_line(void *maker, uint32_t line, struct etc_cell *c)
{
	static const char *const levels[] = { "run", "row", "rest" };
	static const enum column base[] = { BASE_NS,    BASE_MEDIAN, BASE_RAW, BASE_RUNS,
		                            BASE_DUMPS, BASE_P95,    BASE_MAX };
	static const enum column other[] = { VALUE_NS, MEDIAN, RAW, RUNS, DUMPS, P95, MAX };
	struct maker *m = maker;
	const struct etc_diff *diff = m->diff;
	const struct etc_diff_line *at = &m->lines[line];
	const struct etc_diff_section *s = &diff->sections[at->section];
	const struct etc_diff_row *r = &s->rows[at->row];
	const struct etc_diff_side *a = &r->sides[0], *b = &r->sides[at->group];
	const struct etc_comparison *x = r->against[at->group];
	enum etc_change change = etc_diff_change(r, at->group);

	c[LEVEL] = word(levels[r->level]);
	c[KEY] = (struct etc_cell){ .kind = ETC_CELL_TEXT, .s = r->key };
	c[METHOD] = etc_cell_text(s->method);
	c[PATH] = etc_cell_u64(s->path);
	c[BASE] = etc_cell_text(diff->groups[0].name);
	c[GROUP] = etc_cell_text(diff->groups[at->group].name);
	c[CHANGE] = word(etc_change_name((uint8_t)change));
	c[SIGNIFICANT] = etc_cell_bool(x->significant);
	if (a->present && b->present && r->level == ETC_DIFF_ROW)
		c[MATCH] = match_words(m, b->how);
	c[BASE_NAME] = etc_cell_text(a->name);
	c[NAME] = etc_cell_text(b->name);
	if (r->level == ETC_DIFF_ROW) {
		c[BASE_CALLS] = a->present ? number(a->calls) : etc_cell_blank();
		c[CALLS] = b->present ? number(b->calls) : etc_cell_blank();
	}
	put_side(&x->a, a->present, a->unit == ETC_UNIT_NS, base, c);
	put_side(&x->b, b->present, b->unit == ETC_UNIT_NS, other, c);
	if (x->why == ETC_DEFINED && change != ETC_CHANGE_ABSENT)
		put_comparison(x, r->unit == ETC_UNIT_NS, etc_diff_has_ratio(r, at->group), c);
	if (r->unit == ETC_UNIT_NS && (a->resolution > 0 || b->resolution > 0))
		c[RESOLUTION] =
			number(a->resolution > b->resolution ? a->resolution : b->resolution);
	if (r->level == ETC_DIFF_RUN && x->why == ETC_DEFINED)
		c[TAIL_P] = real(x->tail_p);
	c[CAVEATS] = caveat_words(m, x->caveats);
	if (b->kernel != ETC_KERNEL_SAME && a->present)
		c[KERNEL_CHANGE] = word(b->kernel == ETC_KERNEL_OTHER ? "yes" : "cannot tell");
	c[CATEGORY] = etc_cell_text(r->category);
	c[BACKEND] = etc_cell_text(r->backend);
	c[DETACHED] = etc_cell_bool(r->detached);
	c[UNIT] = word(etc_unit_name(r->unit));
}

/* What the screen calls them. With several groups a line is of one of them. */
static void add_headings(const struct etc_diff *diff, double confidence, struct etc_column *named,
                         struct etc_arena *arena)
{
	const char *interval = etc_diff_interval_heading(confidence, arena);

	named[NAME].alias = etc_row_key(diff->by)->title;
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

enum etc_status etc_view_diff_lines(const struct etc_diff *diff, double confidence,
                                    struct etc_arena *arena, struct etc_table *out,
                                    struct etc_diff_line **lines, struct etc_error *err)
{
	struct etc_column *named = etc_new(arena, struct etc_column, COLUMNS);
	struct maker *maker = etc_new(arena, struct maker, 1);
	size_t n = 0;

	for (uint32_t s = 0; s < diff->section_count; s++)
		n += (size_t)diff->sections[s].row_count * (diff->group_count - 1);
	*lines = etc_new(arena, struct etc_diff_line, n);
	*out = (struct etc_table){
		.columns = named, .column_count = COLUMNS, .make = put_line, .of = maker
	};
	if (!named || !*lines || !maker || n > UINT32_MAX)
		return etc_fail(err, E0904, "%zu comparisons", n);
	for (uint32_t c = 0; c < COLUMNS; c++) {
		named[c] = columns[c];
		named[c].title = columns[c].name;
	}
	add_headings(diff, confidence, named, arena);
	for (uint32_t s = 0; s < diff->section_count; s++)
		for (uint32_t r = 0; r < diff->sections[s].row_count; r++)
			for (uint32_t g = 1; g < diff->group_count; g++)
				(*lines)[out->row_count++] = (struct etc_diff_line){ s, r, g };
	*maker = (struct maker){ .diff = diff, .lines = *lines, .arena = arena };
	return ETC_OK;
}

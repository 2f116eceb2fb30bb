/* gate_judge.c -- decides the verdicts of `etcore check`; see gate_judge.h */
#include "commands/compare/gate_judge.h"

#include <math.h>

#include "base/nearest.h"
#include "base/text.h"
#include "table/words.h"

/* Events that are in both the baseline and the checked dumps must take at least this fraction of
 * the baseline's time. Otherwise the checked dumps are taken for runs of another program. */
static const double COMMON = 0.5;

struct maker {
	const struct etc_diff_group *groups;
	const struct etc_diff_options *options;
	struct etc_arena *arena;
	const struct etc_gate_filter *filter;
	/* one comparison for each statistic and each key of --by; NULL: not made yet */
	struct etc_diff *diffs[ETC_STAT_COUNT][ETC_BY_COUNT];
	struct etc_gate_line *lines;
	/* the row of each line; NULL: the line has no row */
	const struct etc_diff_row **rows;
	const struct etc_diff_section **sections; /* for each of `rows`, its section */
	/* `common` is the result of part_in_common() for the section `compared` */
	const struct etc_diff_section *compared;
	/* share of the baseline's time in events that both sides have; 0 if `compared` is NULL */
	double common;
	uint32_t count, room, row_count, row_room, section_count, section_room;
};

uint32_t etc_gate_open(const struct etc_gate *gate)
{
	uint32_t open = 0;

	for (unsigned v = ETC_GATE_FEW; v < ETC_GATE_COUNT; v++)
		open += gate->by_verdict[v];
	return open;
}

/* ---- choosing the rows to judge ----------------------------------------------------- */

static enum etc_status diff_for(struct maker *mk, const struct etc_gate_rule *rule,
                                struct etc_diff **out, struct etc_error *err)
{
	bool category = rule->category.len && !rule->op.len;
	uint8_t by = rule->rows     ? rule->by
	             : category     ? ETC_BY_CATEGORY
	             : rule->op.len ? ETC_BY_OP
	                            : mk->options->by;
	struct etc_diff **at = &mk->diffs[rule->stat][by];
	struct etc_diff_options o = *mk->options;

	if (!*at) {
		o.by = by;
		o.compare.stat = rule->stat;
		*at = etc_new(mk->arena, struct etc_diff, 1);
		ETC_NEED(*at, err);
		ETC_TRY(etc_diff_make(mk->groups, 2, &o, mk->arena, *at, err));
	}
	*out = *at;
	return ETC_OK;
}

/* Returns the name of the row as the screen of `diff` shows it, such as "operator dispatch". */
static struct etc_str word_of(const struct etc_diff_row *row)
{
	const struct etc_profile_row like = { .name = row->key, .delegate = row->delegate };

	return row->level == ETC_DIFF_ROW ? etc_row_word(&like) : row->key;
}

/* Is `op` a name of the row? A row may be named by its key, by its name in the checked dumps, or by
 * the name on the screen. */
static bool is_of(const struct etc_diff_row *row, struct etc_str op)
{
	return etc_str_eq(row->key, op) || etc_str_eq(row->sides[1].name, op) ||
	       etc_str_eq(word_of(row), op);
}

static bool asks_for(const struct etc_gate_rule *rule, const struct etc_diff_row *row)
{
	if (rule->rows)
		return row->level == ETC_DIFF_ROW;
	if (!rule->op.len && !rule->category.len)
		return row->level == ETC_DIFF_RUN;
	if (row->level != ETC_DIFF_ROW)
		return false;
	if (!rule->op.len)
		return etc_str_eq(row->key, rule->category);
	return is_of(row, rule->op) &&
	       (!rule->category.len || etc_str_eq(row->category, rule->category));
}

/* Returns the name of a line of the report, such as "gemm: forward, path 2: GEMM". The rule made
 * from the options has no name. `path` is 0 if there is only one path. */
static struct etc_str line_name(struct maker *mk, const struct etc_gate_rule *rule,
                                struct etc_str method, uint32_t path, struct etc_str what)
{
	struct etc_text t = { 0 };

	etc_text_put(&t, rule->name);
	if (rule->name.len)
		etc_text_cstr(&t, ": ");
	etc_text_put(&t, method);
	if (path)
		etc_text_printf(&t, "%spath %u", method.len ? ", " : "", path);
	if (method.len || path)
		etc_text_cstr(&t, ": ");
	etc_text_put(&t, what);
	return etc_text_keep(&t, mk->arena);
}

static enum etc_status add(struct maker *mk, const struct etc_gate_rule *rule,
                           const struct etc_diff *diff, const struct etc_diff_section *s,
                           const struct etc_diff_row *row, struct etc_error *err)
{
	struct etc_gate_line *line = ETC_APPEND(mk->arena, mk->lines, mk->count, mk->room);
	const struct etc_diff_row **of =
		ETC_APPEND(mk->arena, mk->rows, mk->row_count, mk->row_room);
	const struct etc_diff_section **in =
		ETC_APPEND(mk->arena, mk->sections, mk->section_count, mk->section_room);

	ETC_NEED(line && of && in, err);
	*of = row;
	*in = s;
	*line = (struct etc_gate_line){
		.rule = rule,
		.method = s ? s->method : rule->method,
		.what = row                  ? row->key
		        : rule->op.len       ? rule->op
		        : rule->category.len ? rule->category
		        : rule->rows         ? ETC_STR("any row")
		                             : ETC_STR("end to end"),
		.category = row ? row->category : rule->category,
		.unit = row ? row->unit : 0,
		.verdict = ETC_GATE_MISSING,
		.why = "neither of the two has it",
		.end = row && row->level == ETC_DIFF_RUN,
	};
	line->name = line_name(mk, rule, line->method, s && diff->section_count > 1 ? s->path : 0,
	                       row ? etc_diff_name(row, word_of(row), mk->arena) : line->what);
	ETC_NEED(line->name.ptr, err);
	if (row)
		line->c = *row->against[1];
	if (row && row->sides[0].present != row->sides[1].present)
		line->why = row->sides[0].present ? "only the baseline has it"
		                                  : "the baseline does not have it";
	return ETC_OK;
}

/* For a rule that matches no row, suggests the name of a row. */
static enum etc_status propose(struct maker *mk, const struct etc_gate_rule *rule,
                               const struct etc_diff *diff, struct etc_error *err)
{
	struct etc_str word = rule->op.len ? rule->op : rule->category, near = { 0 }, *names;
	struct etc_gate_line *line = &mk->lines[mk->count - 1];
	size_t n = 0, room = diff->section_count;

	for (uint32_t i = 0; i < diff->section_count; i++)
		room += diff->sections[i].row_count;
	names = etc_new(mk->arena, struct etc_str, room);
	ETC_NEED(names, err);
	for (uint32_t i = 0; i < diff->section_count; i++) {
		const struct etc_diff_section *s = &diff->sections[i];

		if (rule->method.len && !etc_str_eq(rule->method, s->method)) {
			near = s->method.len ? etc_nearest(rule->method, &s->method, 1) : near;
			continue;
		}
		for (uint32_t k = 0; k < s->row_count && word.len; k++)
			if (s->rows[k].level == ETC_DIFF_ROW)
				names[n++] = s->rows[k].key;
	}
	near = n ? etc_nearest(word, names, n) : near;
	if (!near.len)
		return ETC_OK;
	/* a row has this name, but asks_for() rejected the row because of its category */
	if (n && etc_str_eq(near, word)) {
		line->why = "it is of another category";
		return ETC_OK;
	}
	line->why = etc_arena_printf(mk->arena, "%s; did you mean '" ETC_STR_FMT "'?", line->why,
	                             ETC_STR_ARG(near))
	                    .ptr;
	return line->why ? ETC_OK : etc_no_memory(err);
}

static enum etc_status look(struct maker *mk, const struct etc_gate_rule *rule,
                            struct etc_error *err)
{
	uint32_t before = mk->count;
	struct etc_diff *diff;

	ETC_TRY(diff_for(mk, rule, &diff, err));
	for (uint32_t i = 0; i < diff->section_count; i++) {
		const struct etc_diff_section *s = &diff->sections[i];

		if (rule->method.len && !etc_str_eq(rule->method, s->method))
			continue;
		for (uint32_t k = 0; k < s->row_count; k++) {
			bool keep = asks_for(rule, &s->rows[k]);

			if (keep && rule->rows && mk->filter)
				ETC_TRY(mk->filter->keep(mk->filter->arg, diff, i, k, &keep, err));
			if (keep)
				ETC_TRY(add(mk, rule, diff, s, &s->rows[k], err));
		}
	}
	if (mk->count > before)
		return ETC_OK;
	ETC_TRY(add(mk, rule, diff, NULL, NULL, err));
	return propose(mk, rule, diff, err);
}

/* ---- verdicts ------------------------------------------------------------------------ */

static bool is_common(const struct etc_diff_row *row)
{
	return row && row->sides[0].present && row->sides[1].present;
}

/* Returns the fraction of the baseline's time that was spent in events that the checked dumps also
 * have. Only attached rows of kernels and delegate events in the unit of the section count. Returns
 * 1 if the time of these rows is 0. */
static double part_in_common(const struct etc_diff_section *s)
{
	double common = 0, all = 0, time;

	for (uint32_t i = 0; i < s->row_count; i++) {
		const struct etc_diff_row *row = &s->rows[i];

		if (row->level != ETC_DIFF_ROW || row->detached || !row->sides[0].work ||
		    row->unit != s->unit)
			continue;
		/* on average, truncation hides half a tick of each event */
		time = row->against[1]->a.typical + row->sides[0].resolution / 2;
		all += time;
		if (is_common(row))
			common += time * fmin(1, row->sides[1].calls / row->sides[0].calls);
	}
	return all > 0 ? common / all : 1;
}

/* Changes the verdict PASS or IMPROVED to CANNOT if the events that both sides have took less than
 * COMMON of the baseline's time, because the checked dumps may be runs of another program. */
static enum etc_status doubt_program(struct maker *mk, struct etc_gate_line *line,
                                     const struct etc_diff_section *s, struct etc_error *err)
{
	if (line->verdict != ETC_GATE_PASS && line->verdict != ETC_GATE_IMPROVED)
		return ETC_OK;
	if (s != mk->compared) {
		mk->compared = s;
		mk->common = part_in_common(s);
	}
	if (mk->common >= COMMON)
		return ETC_OK;
	line->verdict = ETC_GATE_CANNOT;
	line->why = etc_arena_printf(mk->arena,
	                             "another program: events with %.0f %% of the baseline's time "
	                             "are missing",
	                             100 * (1 - mk->common))
	                    .ptr;
	return line->why ? ETC_OK : etc_no_memory(err);
}

/* Applies Holm's correction to all comparisons of the check. Sets the verdict of each line whose
 * row both groups have. */
static enum etc_status judge(struct maker *mk, struct etc_error *err)
{
	struct etc_comparison *c = etc_new(mk->arena, struct etc_comparison, mk->count);
	uint32_t n = 0;

	ETC_NEED(c, err);
	for (uint32_t i = 0; i < mk->count; i++)
		if (is_common(mk->rows[i]))
			c[n++] = mk->lines[i].c;
	ETC_TRY(etc_compare_adjust(c, n, mk->options->compare.level, mk->arena, err));
	n = 0;
	for (uint32_t i = 0; i < mk->count; i++) {
		struct etc_gate_line *line = &mk->lines[i];

		if (!is_common(mk->rows[i]))
			continue;
		line->c = c[n++];
		if (mk->groups[1].in_first) {
			line->verdict = ETC_GATE_CANNOT;
			line->why = !mk->groups[1].equal_files ? "it is compared with itself"
			            : line->c.a.dumps != line->c.b.dumps
			                    ? "all recordings of one are also the other's"
			                    : "the recordings are byte for byte equal";
			continue;
		}
		line->verdict =
			(uint8_t)etc_gate_verdict(&line->c, etc_diff_has_ratio(mk->rows[i], 1),
		                                  line->rule->limit, &line->why);
		ETC_TRY(doubt_program(mk, line, mk->sections[i], err));
	}
	return ETC_OK;
}

enum etc_status etc_gate_make(const struct etc_diff_group groups[2],
                              const struct etc_gate_rule *rules, uint32_t rule_count,
                              const struct etc_diff_options *options,
                              const struct etc_gate_filter *filter, struct etc_arena *arena,
                              struct etc_gate *out, struct etc_error *err)
{
	struct maker mk = {
		.groups = groups, .options = options, .filter = filter, .arena = arena
	};
	struct etc_diff *diff;

	ETC_TRY(diff_for(&mk, &rules[0], &diff, err));
	for (uint32_t i = 0; i < rule_count; i++)
		ETC_TRY(look(&mk, &rules[i], err));
	ETC_TRY(judge(&mk, err));
	*out = (struct etc_gate){ .lines = mk.lines, .count = mk.count, .diff = diff };
	for (uint32_t i = 0; i < mk.count; i++)
		out->by_verdict[mk.lines[i].verdict]++;
	return ETC_OK;
}

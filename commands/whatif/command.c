/* command.c -- `etcore what-if`: computes the total time for the case that some rows took another
 * time.
 *
 * Runs `analyze` once for all rows and once for each --row, to find which of all rows a --row
 * selects. The time of a path is the sum of its rows' exclusive times, rounding and unattributed
 * time. If the time of a row changes, two terms of this sum change: the row's exclusive time, and
 * the row's part of the rounding. */
#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/number.h"
#include "commands/whatif/ratios.h"
#include "context/analysis.h"
#include "context/ask.h"
#include "context/output.h"
#include "profile/plan.h"
#include "table/cells.h"
#include "table/words.h"

struct etc_whatif_options {
	struct etc_common_options common; /* operands: dumps, their record and program */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	const char *etrecord, *program, *ratios;
	/* --row: item i belongs to item i of `times`, or, if that is empty, of `to` */
	struct etc_opt_list row;
	struct etc_opt_list times, to; /* --times and --to */
	bool no_siblings;
};

extern const struct etc_question etc_ask_what_if;

enum { NAMED = 3 /* maximum number of rows that a note names */ };

/* A change of the time of rows, as given by the options. */
struct change {
	/* value of --row. NULL: the change is for all rows that have a measured ratio and that no
	 * --row selects */
	const char *expression;
	const char *word; /* value of --times or --to, as given */
	/* the factors are measured ratios from a file, and `word` is the name of the kernel
	 * library */
	bool measured;
	/* the option gives either a factor or a time; the other one is NAN. If `measured` is set,
	 * both are NAN */
	double factor, time;
};

/* A row whose time is changed. */
struct picked {
	uint32_t row, path;
	const struct change *by;
	/* the measured ratio, if `by` says that it is used; else NULL */
	const struct etc_ratio_row *ratio;
	/* smallest and largest factor by which the time is multiplied; both are 0 if `by` gives a
	 * time */
	double low, high;
	double self,
		/* ns per run: exclusive time, and the most time that timer truncation may hide */
		hidden;
};

/* `most`: the most time that truncation may hide in a row, in ns; `factor`: change of the total for
 * each ns of hidden time, in ns. */
struct hidden {
	double factor, most;
};

enum line_kind { LINE_ROW, LINE_ROWS, LINE_ROUNDING, LINE_UNATTRIBUTED, LINE_TOTAL };
static const char *const kinds[] = { "row", "rows", "rounding", "unattributed", "total" };

struct line {
	uint8_t kind;
	struct etc_str name, method, file, change, place;
	double path, now, low, high;
};

struct work {
	const struct etc_whatif_options *options;
	struct etc_session *session;
	struct etc_analyses analyses;
	struct etc_targets targets;
	const struct etc_analysis *all;
	struct change *changes;
	uint32_t change_count;
	struct etc_ratios ratios;
	/* for each row, the index of its path; UINT32_MAX: the row belongs to no path */
	uint32_t *path_of;
	uint32_t *chosen; /* for each row, the index of its change plus 1; 0: none */
	struct picked *picked;
	/* working memory of hidden_change(): one entry for each picked row */
	struct hidden *hidden;
	uint32_t picked_count;
	struct line *lines;
	uint32_t line_count;
	struct etc_report_block *blocks;
	uint32_t block_count;
};

static struct etc_arena *arena_of(const struct work *w)
{
	return &w->session->arena;
}

/* ---- options ------------------------------------------------------------------------- */

static enum etc_status parse_factor(const char *text, struct change *c, struct etc_error *err)
{
	struct etc_str rest;

	if (etc_opt_number(text, &c->factor, &rest) && c->factor <= 1e6) {
		if (rest.len == 0)
			return ETC_OK;
		c->factor /= 100;
		if (etc_str_eq(rest, ETC_STR("%")))
			return ETC_OK;
	}
	return etc_fail(err, E0505, "--times '%s'; expected a factor from 0, as 0.5 or 50%%", text);
}

/* Is the value of --to the name of a library, rather than a time? */
static bool is_name(const char *text)
{
	return etc_is_word(text[0]) && !etc_is_digit(text[0]);
}

static enum etc_status parse_time(const char *text, struct change *c, struct etc_error *err)
{
	c->measured = is_name(text);
	if (c->measured || etc_opt_time(text, &c->time))
		return ETC_OK;
	return etc_fail(
		err, E0505,
		"--to '%s'; expected a time with its unit, as 1.5ms, or a library of kernels",
		text);
}

/* Was --to LIBRARY given without a --row? Then it applies to all rows that no --row selects. */
static bool has_rest(const struct etc_whatif_options *o)
{
	return o->to.count == 1 && is_name(o->to.v[0]) && o->row.count == o->times.count;
}

static enum etc_status pair(struct work *w, struct etc_error *err)
{
	const struct etc_whatif_options *o = w->options;
	const bool rest = has_rest(o), times = o->times.count > 0;
	const struct etc_opt_list *values = times ? &o->times : &o->to;

	if (o->row.count + o->times.count + o->to.count == 0)
		return etc_fail(err, E0501, "which rows? --row 'name ~ GEMM' --times 0.5");
	if (!rest && (o->row.count != values->count || (times && o->to.count)))
		return etc_fail(err, E0570, "%u --row, %u --times, %u --to", o->row.count,
		                o->times.count, o->to.count);
	w->changes = etc_new(arena_of(w), struct change, (size_t)o->row.count + 1);
	ETC_NEED(w->changes, err);
	for (uint32_t i = 0; i < o->row.count; i++) {
		struct change *c = &w->changes[w->change_count++];

		*c = (struct change){ o->row.v[i], values->v[i], false, NAN, NAN };
		ETC_TRY((times ? parse_factor : parse_time)(c->word, c, err));
	}
	if (rest)
		w->changes[w->change_count++] = (struct change){ NULL, o->to.v[0], true, NAN, NAN };
	return ETC_OK;
}

/* Checks that `name` is the kernel library whose kernels a loaded plugin identifies. */
static enum etc_status check_library(const struct work *w, const char *name, struct etc_error *err)
{
	const char *library = etc_host_library(&w->session->host);
	size_t n = 0;

	if (!library)
		return etc_fail(
			err, E0505,
			"--to '%s'; not exactly one plugin that tells a library's kernels is "
			"loaded",
			name);
	while (library[n] && etc_lower(library[n]) == etc_lower(name[n]))
		n++;
	if (library[n] || name[n])
		return etc_fail(err, E0505, "--to '%s'; expected a time with its unit, or %s", name,
		                library);
	return ETC_OK;
}

static enum etc_status read_ratios(struct work *w, struct etc_error *err)
{
	const char *path = w->options->ratios;
	struct etc_span bytes;
	bool needed = false;

	for (uint32_t i = 0; i < w->change_count; i++)
		if (w->changes[i].measured) {
			needed = true;
			ETC_TRY(check_library(w, w->changes[i].word, err));
		}
	if (!needed && !path)
		return ETC_OK;
	if (!needed)
		return etc_fail(err, E0501, "--ratios are for --to LIBRARY");
	if (!path)
		return etc_fail(err, E0501,
		                "--to '%s' needs measured ratios: --ratios FILE, of "
		                "`etcore diff without.etdump -- with.etdump -o json=FILE`",
		                w->options->to.v[0]);
	ETC_TRY(etc_in_file(err, etc_session_open(w->session, path, &bytes, err), path));
	return etc_in_file(err, etc_ratios_read(bytes, arena_of(w), &w->ratios, err), path);
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Finds the path of each row. The rows of a path are consecutive, so each search starts at the last
 * path that was found. */
static enum etc_status find_paths(struct work *w, struct etc_error *err)
{
	const struct etc_table *rows = w->all->rows, *paths = w->all->paths;
	uint32_t last = 0;

	w->path_of = etc_new(arena_of(w), uint32_t, rows->row_count);
	w->chosen = etc_new(arena_of(w), uint32_t, rows->row_count);
	w->picked = etc_new(arena_of(w), struct picked, rows->row_count);
	ETC_NEED(w->path_of && w->chosen && w->picked, err);
	for (uint32_t r = 0; r < rows->row_count; r++) {
		const bool timed = !isnan(etc_analysis_number(rows, r, "self_ns")) &&
		                   !isnan(etc_analysis_number(rows, r, "path"));
		uint32_t tried = 0;

		for (; timed && tried < paths->row_count; tried++) {
			const uint32_t p = (last + tried) % paths->row_count;

			if (!etc_analysis_in_path(rows, r, paths, p))
				continue;
			last = p;
			break;
		}
		w->path_of[r] = timed && tried < paths->row_count ? last : UINT32_MAX;
	}
	return ETC_OK;
}

static bool same_cell(const struct etc_cell *a, const struct etc_cell *b)
{
	double x, y;

	if (a->kind == ETC_CELL_TEXT || b->kind == ETC_CELL_TEXT)
		return a->kind == b->kind && etc_str_eq(a->s, b->s);
	return etc_cell_number(a, &x) == etc_cell_number(b, &y) && x == y;
}

static bool same_row(const struct etc_table *a, uint32_t i, const struct etc_table *b, uint32_t k)
{
	static const char *const columns[] = { "name",     "self_ns", "total_ns", "method",
		                               "path",     "place",   "backend",  "calls",
		                               "self_raw", "file",    "unit" };

	for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
		if (!same_cell(etc_analysis_cell(a, i, columns[c]),
		               etc_analysis_cell(b, k, columns[c])))
			return false;
	return true;
}

static struct etc_str name_of(const struct work *w, uint32_t row)
{
	return etc_analysis_text(w->all->rows, row, "name");
}

/* A list of names for a note: the first NAMED names, and the number of all names. */
struct names {
	struct etc_text text;
	uint32_t count;
};

static void name_row(struct names *n, struct etc_str name)
{
	if (n->count < NAMED) {
		etc_text_cstr(&n->text, n->count ? ", " : "");
		etc_text_shown(&n->text, etc_name_word(name));
	}
	n->count++;
}

static void put_names(struct work *w, enum etc_code code, const char *before, struct names *n)
{
	struct etc_str text;

	if (n->count > NAMED)
		etc_text_printf(&n->text, " and %u more", n->count - NAMED);
	text = etc_text_keep(&n->text, arena_of(w));
	if (n->count)
		etc_note_each(&w->analyses.asker.notes, code, "%s" ETC_STR_FMT, before,
		              ETC_STR_ARG(text));
}

static void pick(struct work *w, uint32_t row, uint32_t change, const struct etc_ratio_row *ratio)
{
	const struct etc_table *rows = w->all->rows;
	const struct change *by = &w->changes[change];
	const double most = etc_analysis_number(rows, row, "self_max_ns");
	struct picked *p = &w->picked[w->picked_count++];
	const bool to = !ratio && isnan(by->factor);

	w->chosen[row] = change + 1;
	*p = (struct picked){ row, w->path_of[row], by, ratio, 0, 0, 0, 0 };
	p->self = etc_analysis_number(rows, row, "self_ns");
	p->hidden = isnan(most) ? etc_analysis_number(w->all->paths, p->path, "rounding_ns")
	                        : most - p->self;
	if (!to) {
		p->low = ratio ? ratio->low : by->factor;
		p->high = ratio ? ratio->high : by->factor;
	}
}

/* Returns the measured ratio of a row. NULL if the row has no ratio with a known interval, or if
 * its kernel already is one of the library that --to names. */
static const struct etc_ratio_row *ratio_of(const struct work *w, uint32_t row)
{
	const struct etc_table *rows = w->all->rows;
	const struct etc_ratio_row *r =
		etc_ratios_find(&w->ratios, etc_analysis_text(rows, row, "method"),
	                        etc_analysis_number(rows, row, "path"), name_of(w, row));

	return r && !isnan(r->low) && !isnan(r->high) &&
	                       !etc_str_eq(etc_analysis_text(rows, row, "kernel_library_ran"),
	                                   ETC_STR("yes"))
	               ? r
	               : NULL;
}

/* Assigns a change to one row. If that is impossible, adds the row's name to one of three lists.
 * `twice`: an earlier change has the row. `outside`: the row's time is not part of a path's time.
 * `left`: the row has no measured ratio. For a change without --row, no names are added to `twice`
 * and `outside`, and a name is added to `left` only if the row certainly ran a kernel that is not
 * the library's. */
static void take_row(struct work *w, uint32_t row, uint32_t change, struct names *twice,
                     struct names *outside, struct names *left)
{
	const struct change *c = &w->changes[change];
	const struct etc_ratio_row *ratio = c->measured ? ratio_of(w, row) : NULL;
	const struct etc_str ran = etc_analysis_text(w->all->rows, row, "kernel_library_ran");

	if (w->path_of[row] == UINT32_MAX) {
		if (c->expression)
			name_row(outside, name_of(w, row));
	} else if (w->chosen[row]) {
		if (c->expression)
			name_row(twice, name_of(w, row));
	} else if (!c->measured || ratio) {
		pick(w, row, change, ratio);
	} else if (c->expression || etc_str_eq(ran, ETC_STR("no"))) {
		name_row(left, name_of(w, row));
	}
}

/* Assigns one change to the rows that `analyze --where` selects with the expression of the change.
 * The selected rows have the same order as all rows. */
static enum etc_status take_change(struct work *w, uint32_t change, struct etc_error *err)
{
	const struct change *c = &w->changes[change];
	const struct etc_ask_option where[] = { { "where", c->expression }, { NULL, NULL } };
	struct names twice = { 0 }, outside = { 0 }, left = { 0 };
	const struct etc_table *all = w->all->rows, *some = all;
	const uint32_t before = w->picked_count;
	const struct etc_analysis *answer;
	uint32_t at = 0;

	if (c->expression) {
		ETC_TRY(etc_analyses_ask(&w->analyses, where, &answer, err));
		some = answer->rows;
	}
	for (uint32_t r = 0; r < all->row_count && at < some->row_count; r++)
		if (some == all || same_row(all, r, some, at)) {
			take_row(w, r, change, &twice, &outside, &left);
			at++;
		}
	put_names(w, N0690, "", &twice);
	put_names(w, N0691, "", &outside);
	put_names(w, N0692, "", &left);
	if (w->picked_count == before && !twice.count)
		return etc_fail(err, E0572, "%s '%s'", c->expression ? "--row" : "--to",
		                c->expression ? c->expression : c->word);
	return ETC_OK;
}

/* ---- totals -------------------------------------------------------------------------- */

static int by_factor(const void *a, const void *b)
{
	const double x = fabs(((const struct hidden *)a)->factor),
		     y = fabs(((const struct hidden *)b)->factor);

	return (x < y) - (x > y);
}

static double hidden_change(struct hidden *all, uint32_t count, double rounding)
{
	double sum = 0;

	qsort(all, count, sizeof *all, by_factor);
	for (uint32_t i = 0; i < count && rounding > 0; i++) {
		const double part = all[i].most < rounding ? all[i].most : rounding;

		sum += all[i].factor * part;
		rounding -= part;
	}
	return sum;
}

/* Returns the smallest (`sign` -1) or largest (`sign` 1) possible change of the total due to time
 * that truncation hides in rows. Each row may hide from 0 to `hidden`, and all rows together at
 * most `rounding`. */
static double change_of_rounding(const struct work *w, uint32_t path, double rounding, int sign)
{
	struct hidden *all = w->hidden;
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->picked_count; i++) {
		const struct picked *p = &w->picked[i];
		const double factor = (sign < 0 ? p->low : p->high) - 1;

		if (p->path == path && p->hidden > 0 && factor * sign > 0)
			all[n++] = (struct hidden){ factor, p->hidden };
	}
	return hidden_change(all, n, rounding);
}

static struct etc_str change_text(const struct work *w, const struct picked *p)
{
	const double self = p->ratio ? p->ratio->ratio : p->by->factor;
	char number[3][ETC_NUMBER_MAX];
	size_t n[3];

	if (!p->ratio && isnan(p->by->factor))
		return etc_arena_printf(arena_of(w), "to %s", p->by->word);
	n[0] = etc_number_g(number[0], self);
	if (!p->ratio)
		return etc_arena_printf(arena_of(w), "\xc3\x97 %.*s", (int)n[0], number[0]);
	n[1] = etc_number_g(number[1], p->low);
	n[2] = etc_number_g(number[2], p->high);
	return etc_arena_printf(
		arena_of(w), "\xc3\x97 %.*s \xe2\x80\xa6 %.*s, measured: " ETC_STR_FMT, (int)n[1],
		number[1], (int)n[2], number[2], ETC_STR_ARG(p->ratio->name));
}

static struct line *add_line(struct work *w, uint32_t path, enum line_kind kind, const char *name)
{
	const struct etc_table *paths = w->all->paths;
	struct line *l = &w->lines[w->line_count++];

	*l = (struct line){
		.kind = (uint8_t)kind,
		.name = etc_str_of(name),
		.method = etc_analysis_text(paths, path, "method"),
		.file = etc_analysis_text(paths, path, "file"),
		.path = etc_analysis_number(paths, path, "path"),
	};
	return l;
}

static struct line *add_same(struct work *w, uint32_t path, enum line_kind kind, const char *name,
                             double time)
{
	struct line *l = add_line(w, path, kind, name);

	l->now = l->low = l->high = time;
	return l;
}

static enum etc_status add_picked(struct work *w, const struct picked *p, struct line *total,
                                  struct etc_error *err)
{
	struct line *l = add_line(w, p->path, LINE_ROW, "");
	const bool to = !p->ratio && isnan(p->by->factor);

	l->name = name_of(w, p->row);
	l->place = etc_analysis_text(w->all->rows, p->row, "place");
	l->change = change_text(w, p);
	ETC_NEED(l->change.ptr, err);
	l->now = p->self;
	l->low = to ? p->by->time : p->low * p->self;
	l->high = to ? p->by->time : p->high * p->self;
	total->low += l->low - l->now;
	total->high += l->high - l->now;
	return ETC_OK;
}

/* Adds the lines of one path, and at the end the line with the total of the path. */
static enum etc_status add_path(struct work *w, uint32_t path, struct etc_error *err)
{
	const struct etc_table *paths = w->all->paths;
	const double time = etc_analysis_number(paths, path, "typical_ns"),
		     rounding = etc_analysis_number(paths, path, "rounding_ns"),
		     free = etc_analysis_number(paths, path, "unattributed_ns"),
		     inside = etc_analysis_number(paths, path, "unattributed_delegate_ns");
	struct line total = { .now = time, .low = time, .high = time }, *l;
	double others = time - rounding - free, low, high;

	for (uint32_t i = 0; i < w->picked_count; i++)
		if (w->picked[i].path == path) {
			ETC_TRY(add_picked(w, &w->picked[i], &total, err));
			others -= w->picked[i].self;
		}
	low = change_of_rounding(w, path, rounding, -1);
	high = change_of_rounding(w, path, rounding, 1);
	add_same(w, path, LINE_ROWS, "other rows", others > 0 ? others : 0);
	l = add_same(w, path, LINE_ROUNDING, "rounding", rounding);
	l->low += low;
	l->high += high;
	add_same(w, path, LINE_UNATTRIBUTED, "unattributed: inside delegates", inside);
	add_same(w, path, LINE_UNATTRIBUTED, "unattributed: between instructions", free - inside);
	l = add_same(w, path, LINE_TOTAL, "total", time);
	l->low = total.low + low > 0 ? total.low + low : 0;
	l->high = total.high + high;
	return ETC_OK;
}

/* ---- the answer ---------------------------------------------------------------------- */

static const struct etc_column columns[] = {
#define COLUMN(key, heading, form, meaning, value) \
	{ .name = key, .title = heading, .help = meaning, ETC_FORM_##form },
#include "commands/whatif/line_columns.def"
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void fill(const struct line *l, struct etc_cell *c)
{
#define COLUMN(key, heading, form, meaning, value) *c++ = value;
#include "commands/whatif/line_columns.def"
}

static enum etc_status make_table(const struct work *w, uint32_t from, uint32_t to,
                                  struct etc_table *out, struct etc_error *err)
{
	const uint32_t count = to - from;

	ETC_TRY(etc_table_make(out, columns, COLUMNS, count, arena_of(w), err));
	out->row_kinds = etc_new(arena_of(w), uint8_t, count);
	ETC_NEED(out->row_kinds, err);
	for (size_t i = 0; i < count; i++) {
		fill(&w->lines[from + i], out->cells + i * COLUMNS);
		out->row_kinds[i] =
			w->lines[from + i].kind == LINE_ROW ? ETC_ROW_BODY : ETC_ROW_FOOT;
	}
	return ETC_OK;
}

/* Writes both ends of an interval; if both have the same text, writes the text once. */
static void put_ends(struct etc_text *t, struct etc_text ends[2], const char *between)
{
	if (!etc_str_eq(etc_text_str(&ends[0]), etc_text_str(&ends[1]))) {
		etc_text_put(t, etc_text_str(&ends[0]));
		etc_text_cstr(t, between);
	}
	etc_text_put(t, etc_text_str(&ends[1]));
	for (unsigned i = 0; i < 2; i++) {
		t->failed = t->failed || ends[i].failed;
		etc_text_release(&ends[i]);
	}
}

/* Writes the conclusion: "5.27 ms would be 3.14 … 3.15 ms, 60 % of it". */
static void put_total(struct etc_text *t, const struct line *total)
{
	static const struct etc_profile in_ns = { .unit = ETC_UNIT_NS };
	const struct etc_scale scale = etc_scale_of(&in_ns, total->now);
	const double ends[2] = { total->low, total->high };
	struct etc_text times[2] = { 0 }, shares[2] = { 0 };

	for (unsigned i = 0; i < 2; i++) {
		etc_text_scaled(&times[i], ends[i], scale);
		if (total->now > 0)
			etc_text_percent(&shares[i], ends[i] / total->now);
	}
	etc_text_scaled(t, total->now, scale);
	etc_text_printf(t, " %s would be ", scale.name);
	put_ends(t, times, " \xe2\x80\xa6 ");
	etc_text_printf(t, " %s", scale.name);
	etc_text_cstr(t, total->now > 0 ? ", " : "");
	put_ends(t, shares, " to ");
	etc_text_cstr(t, total->now > 0 ? " of it" : "");
}

static enum etc_status put_head(struct work *w, const struct line *total,
                                struct etc_report_block *block, struct etc_error *err)
{
	struct etc_str *head = etc_new(arena_of(w), struct etc_str, 1);
	struct etc_text t = { 0 };

	ETC_NEED(head, err);
	etc_text_shown(&t, total->method.len ? total->method : ETC_STR("execute"));
	if (w->all->paths->row_count > 1)
		etc_text_printf(&t, ", path %.0f", total->path);
	if (total->file.len) {
		etc_text_cstr(&t, ", ");
		etc_text_shown(&t, total->file);
	}
	etc_text_cstr(&t, ": ");
	put_total(&t, total);
	*head = etc_text_keep(&t, arena_of(w));
	ETC_NEED(head->ptr, err);
	block->head = head;
	block->head_count = 1;
	return ETC_OK;
}

/* Reports N0693 if the change is smaller than the spread of the runs. */
static void remark(struct work *w, uint32_t path, const struct line *total)
{
	const double spread = etc_analysis_number(w->all->paths, path, "spread") * total->now;
	struct etc_notes *notes = &w->analyses.asker.notes;
	const struct etc_str asked = notes->file;

	notes->file = total->file.len ? total->file : asked;
	if (fabs(total->low - total->now) < spread && fabs(total->high - total->now) < spread)
		etc_note_each(notes, N0693, "path %.0f: the runs vary by %.1f %%", total->path,
		              100 * spread / total->now);
	notes->file = asked;
}

static enum etc_status add_block(struct work *w, uint32_t path, struct etc_error *err)
{
	struct etc_report_block *block = &w->blocks[w->block_count];
	const uint32_t from = w->line_count;

	ETC_TRY(add_path(w, path, err));
	remark(w, path, &w->lines[w->line_count - 1]);
	ETC_TRY(put_head(w, &w->lines[w->line_count - 1], block, err));
	ETC_TRY(make_table(w, from, w->line_count, &block->table, err));
	w->block_count++;
	return ETC_OK;
}

/* Chooses the columns for the screen. Columns about files and paths are left out, since the line
 * above the table shows the file and the path. */
static enum etc_status for_screen(struct work *w, struct etc_error *err)
{
	struct etc_selection shown = { 0 };
	enum etc_status st =
		etc_selection_parse(NULL, 0, NULL, "name,change,now_ns,new_min_ns,new_max_ns,place",
	                            arena_of(w), &shown, err);

	for (uint32_t b = 0; b < w->block_count && st == ETC_OK; b++) {
		struct etc_table *t = &w->blocks[b].table;
		uint8_t *row_kinds = t->row_kinds;
		uint32_t *order = etc_new(arena_of(w), uint32_t, t->row_count);

		for (uint32_t i = 0; order && i < t->row_count; i++)
			order[i] = i;
		st = order ? etc_selection_table(&shown, t, order, t->row_count, arena_of(w), t,
		                                 err)
		           : etc_no_memory(err);
		t->row_kinds = row_kinds;
		for (uint32_t i = 0; i < t->row_count && st == ETC_OK; i++) {
			struct etc_cell *name = &t->cells[i * t->column_count];

			*name = etc_cell_text(etc_name_word(name->s));
		}
	}
	etc_selection_release(&shown);
	return st;
}

static enum etc_status compute(struct work *w, struct etc_error *err)
{
	const struct etc_table *paths = w->all->paths;
	const size_t paths_and_one = (size_t)paths->row_count + 1;

	w->hidden = etc_new(arena_of(w), struct hidden, w->picked_count);
	w->lines = etc_new(arena_of(w), struct line, w->picked_count + 5 * paths_and_one);
	w->blocks = etc_new(arena_of(w), struct etc_report_block, paths_and_one);
	ETC_NEED(w->hidden && w->lines && w->blocks, err);
	for (uint32_t p = 0; p < paths->row_count; p++)
		for (uint32_t i = 0; i < w->picked_count; i++)
			if (w->picked[i].path == p) {
				ETC_TRY(add_block(w, p, err));
				break;
			}
	return ETC_OK;
}

/* Rejects a dump without times, or with times of unknown unit. */
static enum etc_status need_times(const struct work *w, struct etc_error *err)
{
	const struct etc_table *paths = w->all->paths;

	for (uint32_t p = 0; p < paths->row_count; p++)
		if (!isnan(etc_analysis_number(paths, p, "typical_ns")))
			return ETC_OK;
	return etc_fail(err, E0573, "%s",
	                paths->row_count ? "its ticks are not ns" : "no execute run");
}

/* Reports N0695 for each dump that is not among those with which the ratios were measured: its
 * program, shapes or processor may be different. */
static void remark_origin(struct work *w, const struct etc_report_file *files, uint32_t count)
{
	for (uint32_t i = 0; w->options->ratios && i < count; i++)
		if (strcmp(files[i].kind, "etdump") == 0 &&
		    etc_str_find(w->ratios.json, files[i].sha256, 0) == SIZE_MAX)
			etc_note_each(&w->analyses.asker.notes, N0695, ETC_STR_FMT,
			              ETC_STR_ARG(files[i].path));
}

static enum etc_status answer(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_whatif_options *o = w->options;
	static const char *const own[] = { "output", NULL };
	const struct etc_asker asker = { .question = &etc_ask_what_if,
		                         .args = &o->common,
		                         .own = own };
	const struct etc_screen screen = etc_session_screen(w->session, &o->common);
	struct etc_report report = { .schema = "etcore.what-if/1",
		                     .notes = &w->session->notes,
		                     .note_files = true };

	ETC_TRY(pair(w, err));
	ETC_TRY(etc_targets_parse(&w->targets, etc_table_formats, &o->output, arena_of(w), err));
	ETC_TRY(etc_session_plugins(w->session, &o->common, 0, err));
	ETC_TRY(etc_analyses_begin(&w->analyses, &asker, &o->common.operands, w->session, err));
	ETC_TRY(read_ratios(w, err));
	ETC_TRY(etc_analyses_ask(&w->analyses, NULL, &w->all, err));
	ETC_TRY(need_times(w, err));
	ETC_TRY(find_paths(w, err));
	for (uint32_t i = 0; i < w->change_count; i++)
		ETC_TRY(take_change(w, i, err));
	ETC_TRY(compute(w, err));
	ETC_TRY(make_table(w, 0, w->line_count, &report.rows, err));
	ETC_TRY(for_screen(w, err));
	ETC_TRY(etc_analysis_files(&w->analyses, w->all,
	                           o->ratios || etc_targets_want_hashes(&w->targets), &report.files,
	                           &report.file_count, err));
	remark_origin(w, report.files, report.file_count);
	report.blocks = w->blocks;
	report.block_count = w->block_count;
	ETC_TRY(etc_analyses_report(&w->analyses, o->common.strict, reply, err));
	ETC_TRY(etc_targets_tables(&w->targets, &report, &report, 1, &screen, reply->out, err));
	return etc_session_end(w->session, err);
}

/* Computes and writes the result. E0501, E0505, E0570 … E0573, E0904, and the errors of
 * `analyze`. */
static enum etc_status change_times(struct etc_session *s, const void *options,
                                    const struct etc_reply *reply, struct etc_error *err)
{
	struct work w = { .options = options, .session = s };
	enum etc_status st;

	st = etc_session_configure(s, &w.options->common, NULL, 0, 0, err);
	if (st == ETC_OK)
		st = answer(&w, reply, err);
	etc_analyses_release(&w.analyses);
	return st;
}

/* ---- options ------------------------------------------------------------------- */

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "row", ETC_OPT_LIST, offsetof(struct etc_whatif_options, row), "COLUMN OP VALUE", NULL,
	  "rows that get a new time, as in analyze --where (repeatable: the first belongs to the first --times)" },
	{ 0, "times", ETC_OPT_LIST, offsetof(struct etc_whatif_options, times), "FACTOR", NULL,
	  "new time of the rows, as a factor: 0.5 or 50% (repeatable)" },
	{ 0, "to", ETC_OPT_LIST, offsetof(struct etc_whatif_options, to), "TIME|LIBRARY", NULL,
	  "new time of each row (1.5ms), or the library whose measured ratios apply (repeatable)" },
	{ 0, "ratios", ETC_OPT_FILE, offsetof(struct etc_whatif_options, ratios), "FILE", NULL,
	  "for --to LIBRARY: a comparison of runs without and with its kernels (diff -o json)" },
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct etc_whatif_options, plan.by), "WHAT",
	  &etc_by_what_if[1], "what a row stands for (default: op)" },
	ETC_METHOD_ROW(struct etc_whatif_options, plan.method),
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct etc_whatif_options, plan.stat), "STATISTIC",
	  "typical|mean|min|total", "how the times of the runs become one time (default: typical)" },
	ETC_WARMUP_ROW(struct etc_whatif_options),
	ETC_FILES_ROWS(struct etc_whatif_options),
	ETC_OUTPUT_ROW(struct etc_whatif_options, ETC_TABLE_FORMATS, ""),
	ETC_ANALYSIS_ROWS(struct etc_whatif_options),
};
/* clang-format on */

const struct etc_question etc_ask_what_if = {
	.name = "what-if",
	.summary = "the total if some rows took another time",
	.usage = "FILE… --row 'COLUMN OP VALUE' --times FACTOR [--row … --times …]",
	.examples = "etcore what-if run.etdump --row 'name ~ GEMM' --times 0.5\n"
		    "etcore what-if run.etdump --row 'category = convolution' --times 50% "
		    "--row 'category = gemm' --times 0\n"
		    "etcore what-if run.etdump --to KleidiAI --ratios diff.json",
	ETC_OPTIONS(struct etc_whatif_options),
	.needs = "which file? etcore what-if run.etdump --row 'name ~ GEMM' --times 0.5",
	.answer = change_times,
};

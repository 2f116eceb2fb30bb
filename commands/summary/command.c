/* command.c -- `etcore summary`: writes a paragraph about the tables of `analyze`.
 *
 * For each sentence, a function writes text from the tables of `analyze`, or writes nothing. The
 * sentence states a conclusion, or that the numbers do not support a conclusion. It names the rows
 * and numbers that prove it, and the command that shows them. sentences.def has the codes of the
 * notes that concern the sentence. */
#include <math.h>
#include <stdalign.h>

#include "base/grow.h"
#include "base/number.h"
#include "context/analysis.h"
#include "context/ask.h"
#include "context/output.h"
#include "profile/plan.h"
#include "stats/trend.h"
#include "table/emit.h"
#include "table/words.h"

struct etc_summary_options {
	struct etc_common_options common; /* operands: dumps, their record and program */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	const char *etrecord, *program;
	bool no_siblings;
};

extern const struct etc_question etc_ask_summary;

#define ETC_SUMMARY_FORMATS(X) \
	X("text", "txt", put_text) X("markdown", "md", put_markdown) X("json", NULL, put_json)

enum { CODES = 12, KINDS = 4, NUMBERS = 6, ENOUGH_RUNS = 10 };

/* Sentences about less than this share of the time are omitted. */
#define LEAST_SHARE 0.05

struct number {
	const char *name;
	double v; /* NAN: unknown */
};

struct sentence {
	const char *id;
	bool cannot; /* the sentence states that the dump does not show something */
	struct etc_text text;
	const char *codes[CODES];
	uint32_t code_count;
	struct etc_str command; /* the command that shows the numbers: "analyze --by category" */
	/* the table that the sentence is derived from: "rows", "path", "runs", "files" or
	 * "notes" */
	const char *rests_on;
	/* the names (struct etc_str) of the rows that prove the sentence */
	struct etc_grow rows;
	struct number numbers[NUMBERS];
	uint32_t number_count;
};

struct work {
	const struct etc_summary_options *options;
	struct etc_session *session;
	struct etc_analyses analyses;
	/* the answers of `analyze` --by op, category, fallback and backend */
	const struct etc_analysis *op, *category, *outside, *backend;
	uint32_t path; /* row, in the table of paths, of the path that took the most time */
	double time;   /* time of a typical run in ns; NAN: unknown */
	double kept, rounding;
	/* indices in op->rows of the attached rows of the path, the largest first */
	uint32_t *row;
	uint32_t rows;
	/* index in `row` of a row that may be larger than the first row; 0: there is none */
	uint32_t rival;
	/* for find_rival(): the times of the first row and of another row in each of `run_count`
	 * runs, and the differences between the two */
	uint64_t *first, *times;
	double *difference;
	size_t run_count;
	struct sentence *sentences;
	uint32_t count;
	const struct etc_report_file *files;
	uint32_t file_count;
};

/* ---- helpers ------------------------------------------------------------------------- */

static double path_number(const struct work *w, const char *column)
{
	return etc_analysis_number(w->op->paths, w->path, column);
}

static double row_number(const struct work *w, uint32_t i, const char *column)
{
	return etc_analysis_number(w->op->rows, w->row[i], column);
}

static struct etc_str row_text(const struct work *w, uint32_t i, const char *column)
{
	return etc_analysis_text(w->op->rows, w->row[i], column);
}

/* Does the note concern the path that the summary describes? A note that begins with "path 2: "
 * concerns only path 2. */
static bool concerns(const struct work *w, const struct etc_note *n)
{
	const struct etc_table *paths = w->op->paths;
	const struct etc_str file = etc_analysis_text(paths, w->path, "file");
	uint64_t number;
	struct etc_str rest;

	if (file.len && n->file.len && !etc_str_eq(file, n->file))
		return false;
	if (!etc_str_starts(n->text, ETC_STR("path ")))
		return true;
	rest = etc_str_sub(n->text, 5, etc_str_find(n->text, ETC_STR(":"), 0));
	return !etc_number_parse_u64(rest, &number) || (double)number == path_number(w, "path");
}

static bool noted(const struct work *w, enum etc_code code)
{
	for (const struct etc_note *n = w->analyses.asker.notes.first; n; n = n->next)
		if (n->code == code && concerns(w, n))
			return true;
	return false;
}

static void number(struct sentence *s, const char *name, double v)
{
	if (s->number_count < NUMBERS)
		s->numbers[s->number_count++] = (struct number){ name, v };
}

static void name(struct work *w, struct sentence *s, struct etc_str row)
{
	struct etc_str *to = ETC_GROW(&w->session->arena, &s->rows, struct etc_str);

	s->text.failed = s->text.failed || !to;
	if (to)
		/* the row of an event without a name has an empty name */
		*to = row.ptr ? row : ETC_STR("");
}

/* Adds the names of all rows by operator for which holds() returns true. */
static void name_all(struct work *w, struct sentence *s,
                     bool (*holds)(const struct work *w, uint32_t i))
{
	for (uint32_t i = 0; i < w->rows; i++)
		if (holds(w, i))
			name(w, s, row_text(w, i, "name"));
}

static void put_time(struct sentence *s, double ns)
{
	static const struct etc_profile in_ns = { .unit = ETC_UNIT_NS };
	const struct etc_scale scale = etc_scale_of(&in_ns, ns);

	etc_text_scaled(&s->text, ns, scale);
	etc_text_printf(&s->text, " %s", scale.name);
}

/* Writes "from 3.1 ms to 3.4 ms"; if both times have the same text, writes one time. */
static void put_times(struct sentence *s, double least, double most)
{
	struct sentence ends[2] = { 0 };

	put_time(&ends[0], least);
	put_time(&ends[1], most);
	if (!etc_str_eq(etc_text_str(&ends[0].text), etc_text_str(&ends[1].text))) {
		etc_text_cstr(&s->text, "from ");
		etc_text_put(&s->text, etc_text_str(&ends[0].text));
		etc_text_cstr(&s->text, " to ");
	}
	etc_text_put(&s->text, etc_text_str(&ends[1].text));
	for (unsigned i = 0; i < 2; i++) {
		s->text.failed = s->text.failed || ends[i].text.failed;
		etc_text_release(&ends[i].text);
	}
}

static void put_share(struct sentence *s, double share)
{
	etc_text_percent(&s->text, share);
}

/* Writes a number of calls per run in the same way as the table of `analyze`. */
static void put_calls(struct sentence *s, double calls)
{
	etc_text_printf(&s->text, "%.*f", calls == floor(calls) ? 0 : 2, calls);
}

static void cannot(struct sentence *s, const char *what)
{
	s->cannot = true;
	etc_text_printf(&s->text, "Cannot say %s", what);
}

/* ---- sentences ----------------------------------------------------------------------- */

static void say_time(struct work *w, struct sentence *s)
{
	const double spread = path_number(w, "spread");
	const struct etc_str method = etc_analysis_text(w->op->paths, w->path, "method"),
			     file = etc_analysis_text(w->op->paths, w->path, "file");

	s->command = ETC_STR("analyze");
	if (!(w->time > 0)) {
		cannot(s, isnan(w->time)
		                  ? "where the time went: no run was measured in a known unit."
		                  : "where the time went: the clock measured no time in a run.");
		return;
	}
	etc_text_put(&s->text, method.len ? method : ETC_STR("A run"));
	if (file.len)
		etc_text_printf(&s->text, " of " ETC_STR_FMT, ETC_STR_ARG(file));
	etc_text_cstr(&s->text, " takes ");
	put_time(s, w->time);
	if (w->kept > 1)
		etc_text_printf(&s->text, ", the mean of the %.0f of %.0f runs near the median",
		                path_number(w, "typical_runs"), w->kept);
	else
		etc_text_cstr(&s->text, " in the only run that counts");
	if (w->kept >= ENOUGH_RUNS && !isnan(spread)) {
		etc_text_cstr(&s->text,
		              noted(w, N0134) ? "; most of them vary by " : "; they vary by ");
		put_share(s, spread);
	}
	etc_text_char(&s->text, '.');
	number(s, "typical_ns", w->time);
	number(s, "typical_runs", path_number(w, "typical_runs"));
	number(s, "kept_runs", w->kept);
	number(s, "spread", spread);
}

/* May another row take at least as long as the first row, if the time that truncation may hide in
 * the other row is added to it? */
static bool hides_first(const struct work *w)
{
	for (uint32_t i = 1; i < w->rows; i++)
		if (!(row_number(w, i, "self_max_ns") < row_number(w, 0, "self_ns")))
			return true;
	return false;
}

/* Is the first row larger than row i, with statistical significance? The times of both rows are
 * compared run by run, because a disturbance or another clock speed affects both rows of a run. The
 * mean of the differences must be at least three standard errors. */
static bool leads(const struct work *w, uint32_t i)
{
	const size_t n = w->run_count;
	double *d = w->difference, mean = 0, squares = 0, independent;
	struct etc_autocorrelation like;

	if (etc_analysis_times(w->op, w->row[i], w->times, (size_t)w->kept) != n)
		return false;
	for (size_t k = 0; k < n; k++) {
		d[k] = (double)w->first[k] - (double)w->times[k];
		mean += d[k] / (double)n;
	}
	for (size_t k = 0; k < n; k++)
		squares += (d[k] - mean) * (d[k] - mean);
	like = etc_autocorrelation(d, n);
	independent = like.why == ETC_DEFINED ? like.effective : (double)n;
	return mean > 0 && mean * mean * independent * ((double)n - 1) >= 9 * squares;
}

/* Sets w->rival to a row that is nearly as large as the first row, so that the order of the two
 * rows is uncertain. w->rival stays 0 if there is no such row. It also stays 0 if there are fewer
 * than ENOUGH_RUNS runs: the sentence about the first row is then only about these runs, so it is
 * true even if the difference is not significant. */
static enum etc_status find_rival(struct work *w, struct etc_error *err)
{
	const size_t most = (size_t)w->kept;

	if (w->rows < 2 || !(w->kept >= ENOUGH_RUNS))
		return ETC_OK;
	w->first = etc_new(&w->session->arena, uint64_t, most);
	w->times = etc_new(&w->session->arena, uint64_t, most);
	w->difference = etc_new(&w->session->arena, double, most);
	ETC_NEED(w->first && w->times && w->difference, err);
	w->run_count = etc_analysis_times(w->op, w->row[0], w->first, most);
	for (uint32_t i = 1; i < w->rows && !w->rival; i++)
		w->rival = leads(w, i) ? 0 : i;
	return ETC_OK;
}

static bool is_first_known(const struct work *w)
{
	return w->rows && w->time > 0 && !noted(w, N0134) && !hides_first(w) && !w->rival;
}

static void say_first(struct work *w, struct sentence *s)
{
	double self;

	if (!w->rows || !(w->time > 0))
		return;
	self = row_number(w, 0, "self_ns");
	s->command = ETC_STR("analyze");
	name(w, s, row_text(w, 0, "name"));
	number(s, "self_ns", self);
	number(s, "self_max_ns", row_number(w, 0, "self_max_ns"));
	number(s, "share", self / w->time);
	if (!is_first_known(w)) {
		if (noted(w, N0134)) {
			cannot(s, "which row is the largest: the runs vary much.");
			return;
		}
		if (!hides_first(w)) {
			name(w, s, row_text(w, w->rival, "name"));
			cannot(s, "which row is the largest: ");
			etc_text_put(&s->text, row_text(w, 0, "name"));
			etc_text_cstr(&s->text, " and ");
			etc_text_put(&s->text, row_text(w, w->rival, "name"));
			etc_text_cstr(&s->text, " differ by less than the runs vary.");
			return;
		}
		for (uint32_t i = 1; i < w->rows; i++)
			if (!(row_number(w, i, "self_max_ns") < row_number(w, 0, "self_ns")))
				name(w, s, row_text(w, i, "name"));
		cannot(s, "which row is the largest: whole ticks of a clock may hide it.");
		return;
	}
	etc_text_put(&s->text, row_text(w, 0, "name"));
	etc_text_cstr(&s->text,
	              self >= w->time / 2 ? " dominates with " : " is the largest row with ");
	put_share(s, self / w->time);
	etc_text_cstr(&s->text, " of the time");
	if (w->kept < ENOUGH_RUNS)
		etc_text_printf(&s->text, " of %s %.0f run%s", w->kept == 1 ? "this" : "these",
		                w->kept, w->kept == 1 ? "" : "s");
	etc_text_cstr(&s->text, " (");
	put_time(s, self);
	etc_text_cstr(&s->text, " in ");
	put_calls(s, row_number(w, 0, "calls"));
	etc_text_printf(&s->text, " call%s).", row_number(w, 0, "calls") == 1 ? "" : "s");
	number(s, "calls", row_number(w, 0, "calls"));
}

static void say_kinds(struct work *w, struct sentence *s)
{
	const struct etc_table *rows = w->category->rows;

	s->command = ETC_STR("analyze --by category");
	for (uint32_t r = 0; r < rows->row_count && s->rows.count < KINDS; r++) {
		const double share = etc_analysis_number(rows, r, "self_ns") / w->time;
		const struct etc_str kind = etc_analysis_text(rows, r, "name");

		if (!etc_analysis_in_path(rows, r, w->category->paths, w->path) ||
		    !(share >= LEAST_SHARE))
			continue;
		etc_text_cstr(&s->text, s->rows.count ? ", " : "By kind of work: ");
		etc_text_put(&s->text, kind);
		etc_text_char(&s->text, ' ');
		put_share(s, share);
		number(s, "share", share);
		name(w, s, kind);
	}
	if (s->rows.count)
		etc_text_char(&s->text, '.');
}

static void say_delegated(struct work *w, struct sentence *s)
{
	const double delegated = path_number(w, "delegated_ns");
	const struct etc_table *rows = w->backend->rows;

	s->command = ETC_STR("analyze --by backend");
	if (isnan(delegated) || !(w->time > 0))
		return;
	number(s, "delegated_ns", delegated);
	number(s, "share", delegated / w->time);
	if (delegated == 0) {
		etc_text_cstr(&s->text, "No time is in delegates.");
		return;
	}
	for (uint32_t r = 0; r < rows->row_count; r++) {
		const struct etc_str backend = etc_analysis_text(rows, r, "name");

		if (etc_analysis_in_path(rows, r, w->backend->paths, w->path) &&
		    !etc_str_eq(backend, ETC_STR("runtime")) &&
		    !etc_str_eq(backend, ETC_STR("portable kernels")))
			name(w, s, backend);
	}
	etc_text_cstr(&s->text, "Delegates take ");
	put_share(s, delegated / w->time);
	etc_text_cstr(&s->text, " of the time.");
}

/* Writes the name of a row of --by fallback, such as "9: mean.out", as "mean.out (instruction
 * 9)". */
static void put_call(struct sentence *s, struct etc_str name)
{
	const size_t colon = etc_str_find(name, ETC_STR(": "), 0);

	if (colon == SIZE_MAX) {
		etc_text_put(&s->text, name);
		return;
	}
	etc_text_put(&s->text, etc_str_sub(name, colon + 2, name.len));
	etc_text_cstr(&s->text, " (instruction ");
	etc_text_put(&s->text, etc_str_sub(name, 0, colon));
	etc_text_char(&s->text, ')');
}

static void say_outside(struct work *w, struct sentence *s)
{
	const struct etc_table *rows = w->outside->rows;
	double sum = 0, calls = 0, most = -1, own;
	uint32_t largest = 0;

	s->command = ETC_STR("analyze --by fallback");
	for (uint32_t r = 0; r < rows->row_count; r++) {
		if (!etc_analysis_in_path(rows, r, w->outside->paths, w->path))
			continue;
		own = etc_analysis_number(rows, r, "total_ns");
		if (isnan(own))
			continue;
		sum += own;
		name(w, s, etc_analysis_text(rows, r, "name"));
		calls += etc_analysis_number(rows, r, "calls");
		if (own > most) {
			most = own;
			largest = r;
		}
	}
	if (calls == 0 || !(w->time > 0))
		return;
	put_calls(s, calls);
	etc_text_printf(&s->text, " operator call%s per run %s outside delegates and take%s ",
	                calls == 1 ? "" : "s", calls == 1 ? "is" : "are", calls == 1 ? "s" : "");
	put_share(s, sum / w->time);
	etc_text_cstr(&s->text, calls == 1 ? " of the time: " : " of the time, the largest is ");
	put_call(s, etc_analysis_text(rows, largest, "name"));
	etc_text_char(&s->text, '.');
	number(s, "calls", calls);
	number(s, "total_ns", sum);
	number(s, "share", sum / w->time);
	number(s, "largest_ns", most);
}

/* Returns the number of calls per run, added up over the rows whose kernel_library_ran is `ran`:
 * "yes", "no" or "cannot tell". */
static double calls_with(const struct work *w, const char *ran)
{
	double calls = 0;

	for (uint32_t i = 0; i < w->rows; i++)
		if (etc_str_eq(row_text(w, i, "kernel_library_ran"), etc_str_of(ran)))
			calls += row_number(w, i, "calls");
	return calls;
}

static bool has_verdict(const struct work *w, uint32_t i)
{
	return row_text(w, i, "kernel_library_ran").len != 0;
}

static bool ran_without(const struct work *w, uint32_t i)
{
	return etc_str_eq(row_text(w, i, "kernel_library_ran"), ETC_STR("no"));
}

static void say_library(struct work *w, struct sentence *s)
{
	const char *library = etc_host_library(&w->session->host);
	const double yes = calls_with(w, "yes"), no = calls_with(w, "no"),
		     unknown = calls_with(w, "cannot tell");

	if (!library || yes + no + unknown == 0)
		return;
	s->command = ETC_STR("analyze");
	name_all(w, s, has_verdict);
	put_calls(s, yes);
	etc_text_cstr(&s->text, " of ");
	put_calls(s, yes + no + unknown);
	etc_text_printf(&s->text, " calls of matrix kernels are %s's", library);
	if (unknown > 0) {
		etc_text_cstr(&s->text, ", of ");
		put_calls(s, unknown);
		etc_text_cstr(&s->text, " that cannot be told");
	}
	etc_text_char(&s->text, '.');
	number(s, "yes", yes);
	number(s, "no", no);
	number(s, "cannot_tell", unknown);
}

static bool is_cut(const struct work *w, uint32_t i)
{
	return !(row_number(w, i, "self_max_ns") <= row_number(w, i, "self_ns"));
}

static void say_rounding(struct work *w, struct sentence *s)
{
	s->command = ETC_STR("analyze");
	if (!(w->rounding / w->time >= LEAST_SHARE))
		return;
	name_all(w, s, is_cut);
	cannot(s, "which rows take ");
	put_share(s, w->rounding / w->time);
	etc_text_cstr(&s->text, " of the time: the clock of their events cuts it off.");
	number(s, "rounding_ns", w->rounding);
	number(s, "share", w->rounding / w->time);
}

static void say_free(struct work *w, struct sentence *s)
{
	const double free_ns = path_number(w, "unattributed_ns");
	const double inside_ns = path_number(w, "unattributed_delegate_ns");

	s->command = ETC_STR("analyze");
	if (!(free_ns / w->time >= LEAST_SHARE))
		return;
	etc_text_cstr(&s->text, "Time in no event is ");
	put_share(s, free_ns / w->time);
	if (inside_ns > 0) { /* the delegates' share, in another sentence, includes this time */
		etc_text_cstr(&s->text, ", ");
		put_share(s, inside_ns / w->time);
		etc_text_cstr(&s->text, " inside delegates");
	}
	etc_text_char(&s->text, '.');
	number(s, "unattributed_ns", free_ns);
	number(s, "share", free_ns / w->time);
	if (inside_ns > 0)
		number(s, "unattributed_delegate_ns", inside_ns);
}

static void say_detached(struct work *w, struct sentence *s)
{
	const struct etc_table *rows = w->op->rows;
	struct etc_str reasons[ETC_DETACH_COUNT], why;
	uint32_t count = 0;

	if (!noted(w, N0303))
		return;
	s->command = ETC_STR("analyze");
	cannot(s, "what detached rows take of the run: ");
	for (uint32_t r = 0; r < rows->row_count; r++) {
		if (!etc_analysis_detached(rows, r, w->op->paths, w->path))
			continue;
		name(w, s, etc_analysis_text(rows, r, "name"));
		why = etc_analysis_text(rows, r, "why");
		if (etc_str_is_in(why, reasons, count) || count == ETC_DETACH_COUNT)
			continue;
		etc_text_cstr(&s->text, count ? ", " : "");
		etc_text_put(&s->text, why);
		reasons[count++] = why;
	}
	etc_text_char(&s->text, '.');
}

/* Returns the command that halves the time of the first row: `what-if --row ... --times 0.5`. If
 * another row has the same name, the command also names the place of the row. Returns only
 * "what-if" if both have the same place, or if the name contains a single quote or a control
 * character and so could not be pasted into a shell. */
static struct etc_str half_command(const struct work *w)
{
	const struct etc_str row = row_text(w, 0, "name"), place = row_text(w, 0, "place");
	bool alone = true;

	for (uint32_t i = 1; i < w->rows; i++)
		if (etc_str_eq(row_text(w, i, "name"), row)) {
			alone = false;
			if (!place.len || etc_str_eq(row_text(w, i, "place"), place))
				return ETC_STR("what-if");
		}
	for (size_t i = 0; i < row.len; i++)
		if ((unsigned char)row.ptr[i] < ' ' || row.ptr[i] == '\'')
			return ETC_STR("what-if");
	return etc_arena_printf(&w->session->arena,
	                        "what-if --row 'name = " ETC_STR_FMT "%s" ETC_STR_FMT
	                        "%s' --times 0.5",
	                        ETC_STR_ARG(row), alone ? "" : " (",
	                        ETC_STR_ARG(alone ? ETC_STR_NONE : place), alone ? "" : ")");
}

static void say_half(struct work *w, struct sentence *s)
{
	double self, hidden, least, most;

	if (!is_first_known(w))
		return;
	self = row_number(w, 0, "self_ns");
	hidden = row_number(w, 0, "self_max_ns") - self;
	hidden = hidden < w->rounding ? hidden : w->rounding;
	most = w->time - self / 2;
	least = most - hidden / 2;
	s->command = half_command(w);
	name(w, s, row_text(w, 0, "name"));
	etc_text_cstr(&s->text, "With half the time for ");
	etc_text_put(&s->text, row_text(w, 0, "name"));
	etc_text_cstr(&s->text, " a run would take ");
	put_times(s, least, most);
	etc_text_cstr(&s->text, ", if nothing else changed.");
	number(s, "new_min_ns", least);
	number(s, "new_max_ns", most);
}

static void say_switch(struct work *w, struct sentence *s)
{
	const char *library = etc_host_library(&w->session->host);
	const double no = calls_with(w, "no");

	if (!library || no == 0)
		return;
	s->command = ETC_STR("diff, what-if --to");
	name_all(w, s, ran_without);
	cannot(s, "whether ");
	etc_text_printf(&s->text, "%s would make the other ", library);
	put_calls(s, no);
	etc_text_cstr(&s->text, " calls faster: compare a build that has it.");
	number(s, "no", no);
}

static void say_places(struct work *w, struct sentence *s)
{
	s->command = ETC_STR("analyze --by module");
	if (noted(w, N0423))
		cannot(s, "which module or source line it is: there is no ETRecord.");
}

static void say_runs(struct work *w, struct sentence *s)
{
	const bool noise = noted(w, N0134), drift = noted(w, N0151), two = noted(w, N0153);
	const double typical = path_number(w, "typical_runs");

	s->command = ETC_STR("analyze --by run");
	number(s, "kept_runs", w->kept);
	if (w->kept < ENOUGH_RUNS) {
		cannot(s, "how much runs vary: ");
		etc_text_printf(&s->text, "%.0f run%s, and %d are needed.", w->kept,
		                w->kept == 1 ? "" : "s", ENOUGH_RUNS);
	} else if (noise || drift || two) {
		cannot(s, "that a typical run stands for all:");
		etc_text_printf(&s->text, "%s%s%s.", noise ? " the runs vary much" : "",
		                drift ? noise ? ", their times drift" : " their times drift" : "",
		                two ? noise || drift ? ", there are two speeds"
		                                     : " there are two speeds"
		                    : "");
	} else {
		etc_text_printf(&s->text, "The %.0f runs show no drift and no second speed, and ",
		                w->kept);
		if (typical < w->kept)
			etc_text_printf(&s->text, "%.0f of them are typical.", typical);
		else
			etc_text_cstr(&s->text, "all are typical.");
		number(s, "typical_runs", typical);
	}
}

static void say_recordings(struct work *w, struct sentence *s)
{
	double dumps = 0;

	for (uint32_t i = 0; i < w->file_count; i++)
		dumps += strcmp(w->files[i].kind, "etdump") == 0;
	s->command = ETC_STR("diff");
	if (dumps != 1)
		return;
	cannot(s, "what another process would measure: this is one recording.");
	number(s, "recordings", dumps);
}

static void say_others(struct work *w, struct sentence *s)
{
	const uint32_t others = w->op->paths->row_count - 1;

	if (others == 0)
		return;
	s->command = ETC_STR("analyze");
	etc_text_printf(&s->text, "%u other path%s that took less time %s not described here.",
	                others, others == 1 ? "" : "s", others == 1 ? "is" : "are");
	number(s, "paths", others);
}

static void warn(struct sentence *s, const struct etc_code_info *info)
{
	etc_text_printf(&s->text, "%s%s", s->code_count ? "; " : "Warned of: ", info->title);
	s->codes[s->code_count++] = info->name;
}

static void say_warnings(struct work *w, struct sentence *s)
{
	for (const struct etc_note *n = w->analyses.asker.notes.first; n; n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);

		if (info->name[0] == 'N' || s->code_count == CODES)
			continue;
		warn(s, info);
		if (n->code == W0226) /* the note says how many runs are lost */
			etc_text_printf(&s->text, " (%.*s)", (int)strcspn(n->text.ptr, ";"),
			                n->text.ptr);
	}
	if (s->code_count)
		etc_text_char(&s->text, '.');
}

/* ---- the answer ---------------------------------------------------------------------- */

static const struct {
	const char *id, *rests_on;
	void (*say)(struct work *w, struct sentence *s);
	enum etc_code codes[CODES];
} sentences[] = {
#define SENTENCE(id, rests_on, say, ...) { id, rests_on, say, { __VA_ARGS__ } },
#include "commands/summary/sentences.def"
};
enum { SENTENCES = sizeof sentences / sizeof sentences[0] };

/* Writes the command that shows the numbers, and the codes of the notes. */
static void put_evidence(const struct sentence *s, struct etc_text *out)
{
	etc_text_cstr(out, " [");
	etc_text_shown(out, s->command);
	for (uint32_t i = 0; i < s->code_count; i++)
		etc_text_printf(out, "%s%s", i || s->command.len ? ", " : "", s->codes[i]);
	etc_text_char(out, ']');
}

static void put_text(void *what, struct etc_text *out)
{
	const struct work *w = what;

	for (uint32_t i = 0; i < w->count; i++) {
		if (i)
			etc_text_char(out, ' ');
		etc_text_shown(out, etc_text_str(&w->sentences[i].text));
		put_evidence(&w->sentences[i], out);
	}
	etc_text_char(out, '\n');
}

static void put_markdown(void *what, struct etc_text *out)
{
	const struct work *w = what;
	struct etc_text evidence = { 0 };

	for (uint32_t i = 0; i < w->count; i++) {
		if (i)
			etc_text_char(out, ' ');
		etc_text_markdown(out, etc_text_str(&w->sentences[i].text));
		evidence.len = 0;
		put_evidence(&w->sentences[i], &evidence);
		etc_text_markdown(out, etc_text_str(&evidence));
	}
	out->failed = out->failed || evidence.failed;
	etc_text_release(&evidence);
	etc_text_char(out, '\n');
}

static void put_sentence(struct etc_emit *e, const struct sentence *s)
{
	const struct etc_str *rows = s->rows.items;

	etc_emit_open(e, NULL, '{');
	etc_emit_cstr(e, "id", s->id);
	etc_emit_bool(e, "cannot_say", s->cannot);
	etc_emit_text(e, "text", etc_text_str(&s->text));
	etc_emit_open(e, "codes", '[');
	for (uint32_t i = 0; i < s->code_count; i++)
		etc_emit_cstr(e, NULL, s->codes[i]);
	etc_emit_close(e);
	etc_emit_text(e, "command", s->command.len ? s->command : ETC_STR_NONE);
	etc_emit_cstr(e, "rests_on", s->rows.count ? "rows" : s->rests_on);
	etc_emit_open(e, "rows", '[');
	for (uint32_t i = 0; i < s->rows.count; i++)
		etc_emit_text(e, NULL, rows[i]);
	etc_emit_close(e);
	etc_emit_open(e, "numbers", '[');
	for (uint32_t i = 0; i < s->number_count; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_cstr(e, "name", s->numbers[i].name);
		etc_emit_known(e, "value", s->numbers[i].v);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

static void put_json(void *what, struct etc_text *out)
{
	const struct work *w = what;
	const struct etc_table *paths = w->op->paths;
	const bool any = paths->row_count > 0;
	const struct etc_str file = etc_analysis_text(paths, w->path, "file");
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_cstr(&e, "schema", "etcore.summary/1");
	etc_emit_block(&e, "files", '[');
	for (uint32_t i = 0; i < w->file_count; i++) {
		etc_emit_open(&e, NULL, '{');
		etc_emit_text(&e, "path", w->files[i].path);
		etc_emit_text(&e, "sha256", w->files[i].sha256);
		etc_emit_cstr(&e, "kind", w->files[i].kind);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
	etc_emit_text(&e, "method",
	              any ? etc_analysis_text(paths, w->path, "method") : ETC_STR_NONE);
	etc_emit_known(&e, "path", any ? path_number(w, "path") : NAN);
	etc_emit_text(&e, "file", file.len ? file : ETC_STR_NONE);
	etc_emit_block(&e, "sentences", '[');
	for (uint32_t i = 0; i < w->count; i++)
		put_sentence(&e, &w->sentences[i]);
	etc_emit_close(&e);
	etc_emit_close(&e);
	etc_text_char(out, '\n');
}

/* Chooses the path whose kept runs took the most time in total. */
static void choose_path(struct work *w)
{
	const struct etc_table *paths = w->op->paths;
	double most = -1;

	w->time = NAN;
	for (uint32_t p = 0; p < paths->row_count; p++) {
		const double time = etc_analysis_number(paths, p, "mean_ns"),
			     kept = etc_analysis_number(paths, p, "runs") -
		                    etc_analysis_number(paths, p, "warmup");

		if (time * kept > most) {
			most = time * kept;
			w->path = p;
			w->time = etc_analysis_number(paths, p, "typical_ns");
			w->kept = kept;
			w->rounding = etc_analysis_number(paths, p, "rounding_ns");
		}
	}
}

static enum etc_status choose_rows(struct work *w, struct etc_error *err)
{
	const struct etc_table *rows = w->op->rows;

	w->row = etc_new(&w->session->arena, uint32_t, rows->row_count);
	ETC_NEED(w->row, err);
	for (uint32_t r = 0; r < rows->row_count && !isnan(w->time); r++)
		if (etc_analysis_in_path(rows, r, w->op->paths, w->path) &&
		    !isnan(etc_analysis_number(rows, r, "self_ns")))
			w->row[w->rows++] = r;
	return ETC_OK;
}

static enum etc_status say_all(struct work *w, struct etc_error *err)
{
	bool failed = false;

	w->sentences = etc_new(&w->session->arena, struct sentence, SENTENCES);
	ETC_NEED(w->sentences, err);
	for (unsigned i = 0; i < SENTENCES && (i == 0 || !isnan(w->time)); i++) {
		struct sentence *s = &w->sentences[w->count];

		*s = (struct sentence){ .id = sentences[i].id, .rests_on = sentences[i].rests_on };
		sentences[i].say(w, s);
		for (const enum etc_code *code = sentences[i].codes; *code != ETC_CODE_NONE; code++)
			if (noted(w, *code))
				s->codes[s->code_count++] = etc_code_info(*code)->name;
		failed = failed || s->text.failed || (s->command.len && !s->command.ptr);
		w->count += s->text.len > 0;
	}
	return failed ? etc_no_memory(err) : ETC_OK;
}

static enum etc_status ask_all(struct work *w, struct etc_error *err)
{
	static const struct etc_ask_option category[] = { { "by", "category" }, { NULL, NULL } },
					   outside[] = { { "by", "fallback" }, { NULL, NULL } },
					   backend[] = { { "by", "backend" }, { NULL, NULL } };

	ETC_TRY(etc_analyses_ask(&w->analyses, NULL, &w->op, err));
	choose_path(w);
	ETC_TRY(choose_rows(w, err));
	ETC_TRY(find_rival(w, err));
	if (isnan(w->time))
		return ETC_OK;
	ETC_TRY(etc_analyses_ask(&w->analyses, category, &w->category, err));
	ETC_TRY(etc_analyses_ask(&w->analyses, outside, &w->outside, err));
	return etc_analyses_ask(&w->analyses, backend, &w->backend, err);
}

static enum etc_status answer(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	static const struct etc_format formats[] =
		ETC_FORMAT_ARRAY(ETC_SUMMARY_FORMATS, ETC_DOCUMENT_FORMAT);
	const struct etc_summary_options *o = w->options;
	static const char *const own[] = { "output", NULL };
	const struct etc_asker asker = { .question = &etc_ask_summary,
		                         .args = &o->common,
		                         .own = own };
	struct etc_targets targets;

	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &w->session->arena, err));
	ETC_TRY(etc_session_plugins(w->session, &o->common, 0, err));
	ETC_TRY(etc_analyses_begin(&w->analyses, &asker, &o->common.operands, w->session, err));
	ETC_TRY(ask_all(w, err));
	ETC_TRY(etc_analysis_files(&w->analyses, w->op, true, &w->files, &w->file_count, err));
	ETC_TRY(say_all(w, err));
	ETC_TRY(etc_analyses_report(&w->analyses, o->common.strict, reply, err));
	ETC_TRY(etc_targets_document(&targets, w, reply->out, err));
	return etc_session_end(w->session, err);
}

/* Writes the summary. E0501, E0505, E0904, and the errors of `analyze`. */
static enum etc_status summarise(struct etc_session *s, const void *options,
                                 const struct etc_reply *reply, struct etc_error *err)
{
	struct work w = { .options = options, .session = s };
	enum etc_status st;

	st = etc_session_configure(s, &w.options->common, NULL, 0, 0, err);
	if (st == ETC_OK)
		st = answer(&w, reply, err);
	for (unsigned i = 0; w.sentences && i < SENTENCES; i++)
		etc_text_release(&w.sentences[i].text);
	etc_analyses_release(&w.analyses);
	return st;
}

/* ---- options ------------------------------------------------------------------- */

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_METHOD_ROW(struct etc_summary_options, plan.method),
	ETC_WARMUP_ROW(struct etc_summary_options),
	ETC_FILES_ROWS(struct etc_summary_options),
	ETC_OUTPUT_ROW(struct etc_summary_options, ETC_SUMMARY_FORMATS, ""),
	ETC_ANALYSIS_ROWS(struct etc_summary_options),
};
/* clang-format on */

const struct etc_question etc_ask_summary = {
	.name = "summary",
	.summary = "one paragraph in words: what takes the time, and how sure that is",
	.usage = "FILE… [-o text|markdown|json]",
	.examples = "etcore summary run.etdump\n"
		    "etcore summary run.etdump -r model.etrecord -o markdown\n"
		    "etcore summary run.etdump -o json",
	ETC_OPTIONS(struct etc_summary_options),
	.needs = "which file? etcore summary run.etdump",
	.answer = summarise,
};

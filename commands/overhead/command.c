/* command.c -- `etcore overhead`: measures what the event tracer costs.
 *
 * Two groups of recordings are compared by the rules of `diff` (stats/compare.h). The first group
 * is runs that logged many events. The second group is runs that logged fewer events, or iterations
 * without events that a runner timed itself. */
#include <math.h>

#include "context/analysis.h"
#include "context/ask.h"
#include "context/compare_options.h"
#include "context/files.h"
#include "context/output.h"
#include "formats/runner/runner_log.h"
#include "profile/plan.h"
#include "stats/compare.h"
#include "table/cells.h"
#include "table/words.h"

struct etc_overhead_options {
	struct etc_common_options common; /* operands: more recordings with the tracer */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	struct etc_opt_list on, off;
	struct etc_compare_words compare;
};

extern const struct etc_question etc_ask_overhead;

/* One measured process: its dump, or the log of its runner. The times are those of the runs after
 * the warm-up. */
struct recording {
	const char *path;
	double *ns;
	uint32_t runs;
	double step;   /* resolution of the times of a log, in ns; 0: `path` is a dump */
	double events; /* number of events per run; 0: `path` is a log */
	bool log;
	const struct etc_analysis *op; /* the analysis by operator; NULL: `path` is a log */
	/* SHA-256 of the program next to the dump; empty: there is none */
	struct etc_str program;
	struct etc_str method; /* method of the runs; empty: unknown */
};

struct side {
	struct recording *v;
	/* one per recording; each has the recording as its only dump. Used to detect a file that
	 * was given twice */
	struct etc_inputs *inputs;
	uint32_t count;
	struct etc_dump_samples *dumps;
	double events; /* mean number of events per run */
	struct etc_str method;
	double step; /* the coarsest resolution of the recordings (struct recording.step), in ns */
	bool logs;
};

struct work {
	const struct etc_overhead_options *options;
	struct etc_plan plan;
	const struct etc_asker *as;
	struct etc_session *session;
	struct etc_analyses *analyses; /* one for each operand that is a dump, not a log */
	uint32_t analysis_count;
	struct etc_notes notes; /* notes of all analyses */
	struct etc_targets targets;
	struct side on, off;
	struct etc_comparison result;
	struct etc_report_file *files;
	uint32_t file_count;
};

static struct etc_arena *arena_of(const struct work *w)
{
	return &w->session->arena;
}

/* ---- recordings ---------------------------------------------------------------------- */

/* Returns the mean number of events of the kept runs; NAN if there are no kept runs. */
static double events_of(const struct etc_table *runs)
{
	double sum = 0, count = 0;

	for (uint32_t r = 0; r < runs->row_count; r++) {
		const struct etc_str use = etc_analysis_text(runs, r, "use");

		if (use.len == 0 || etc_str_eq(use, ETC_STR("warm-up")))
			continue;
		sum += etc_analysis_number(runs, r, "samples");
		count++;
	}
	return count > 0 ? sum / count : NAN;
}

/* Sets r->program to the hash of the program next to a dump, and lists that program in w->files. A
 * program that several dumps have in common is listed once. */
static enum etc_status find_program(struct work *w, struct etc_analyses *a, struct recording *r,
                                    struct etc_error *err)
{
	const struct etc_report_file *files;
	uint32_t count;

	ETC_TRY(etc_analysis_files(a, r->op, true, &files, &count, err));
	for (uint32_t i = 0; i < count; i++) {
		bool listed = strcmp(files[i].kind, "program") != 0;

		if (!listed)
			r->program = files[i].sha256;
		for (uint32_t k = 0; k < w->file_count && !listed; k++)
			listed = etc_str_eq(w->files[k].sha256, files[i].sha256);
		if (!listed)
			w->files[w->file_count++] = files[i];
	}
	return ETC_OK;
}

/* Adds a note about a dump. A note that another dump has, too, is counted, and names no dump. */
static void add_note(struct etc_notes *notes, const struct etc_note *note)
{
	for (struct etc_note *n = notes->first; n; n = n->next)
		if (n->code == note->code && etc_str_eq(n->text, note->text)) {
			n->count += note->count;
			n->file = (struct etc_str){ 0 };
			return;
		}
	etc_note_again(notes, note);
}

static enum etc_status take_dump(struct work *w, struct recording *r, struct etc_error *err)
{
	static const struct etc_ask_option by_run[] = { { "by", "run" }, { NULL, NULL } };
	struct etc_analyses *a = &w->analyses[w->analysis_count++];
	const struct etc_opt_list one = { &r->path, 1 };
	const struct etc_analysis *answer;
	const struct etc_table *rows;

	ETC_TRY(etc_analyses_begin(a, w->as, &one, w->session, err));
	ETC_TRY(etc_analyses_ask(a, by_run, &answer, err));
	for (const struct etc_note *n = a->asker.notes.first; n; n = n->next)
		add_note(&w->notes, n);
	rows = answer->rows;
	r->method = etc_analysis_text(rows, 0, "method");
	r->ns = etc_new(arena_of(w), double, rows->row_count);
	ETC_NEED(r->ns, err);
	for (uint32_t i = 0; i < rows->row_count; i++) {
		const double ns = etc_analysis_number(rows, i, "total_ns");

		if (!etc_str_eq(etc_analysis_text(rows, i, "method"), r->method))
			return etc_fail(err, E0574,
			                "%s has runs of several methods; --method takes one",
			                r->path);
		if (etc_analysis_number(rows, i, "path") != etc_analysis_number(rows, 0, "path"))
			return etc_fail(err, E0574, "%s has runs of several paths of one method",
			                r->path);
		if (!isnan(ns) &&
		    !etc_str_eq(etc_analysis_text(rows, i, "use"), ETC_STR("warm-up")))
			r->ns[r->runs++] = ns;
	}
	r->events = events_of(answer->runs);
	ETC_TRY(etc_analyses_ask(a, NULL, &r->op, err));
	return find_program(w, a, r, err);
}

static enum etc_status take_log(struct work *w, struct recording *r, struct etc_span bytes,
                                struct etc_error *err)
{
	const struct etc_str text = { (const char *)bytes.ptr, bytes.len };
	struct etc_runner_log log;
	uint64_t warmup = 1;

	ETC_TRY(etc_opt_count("warmup", w->options->plan.warmup, UINT32_MAX, &warmup, err));
	ETC_TRY(etc_runner_log_read(text, arena_of(w), &log, err));
	r->log = true;
	r->step = log.step_ms * 1e6;
	r->ns = etc_new(arena_of(w), double, log.iterations);
	ETC_NEED(r->ns, err);
	for (uint32_t i = 0; i < log.iterations; i++) {
		if (i < warmup && log.iterations > 1)
			continue;
		if (!(log.iteration_ms[i] > 0))
			return etc_fail(err, E0574, "%s: iteration %u took 0 ms, which is no time",
			                r->path, i + 1);
		r->ns[r->runs++] = log.iteration_ms[i] * 1e6;
	}
	return ETC_OK;
}

static enum etc_status take(struct work *w, const char *path, struct side *side,
                            struct etc_error *err)
{
	struct recording *r = &side->v[side->count];
	struct etc_inputs *in = &side->inputs[side->count];
	const struct etc_inputs *known;
	struct etc_report_file *file;
	struct etc_span bytes;

	r->path = path;
	ETC_TRY(etc_in_file(err, etc_session_open(w->session, path, &bytes, err), path));
	in->dump = (struct etc_input_file){ .path = path, .bytes = bytes };
	known = etc_inputs_known(side->inputs, side->count, in, arena_of(w));
	if (known) {
		etc_note_twice(&w->notes, in, known);
		return ETC_OK;
	}
	file = &w->files[w->file_count++];
	*file = (struct etc_report_file){
		.path = etc_str_of(path),
		.kind = "etdump",
		.sha256 = etc_file_hash(&in->dump, arena_of(w)),
	};
	ETC_NEED(file->sha256.ptr, err);
	if (etc_file_kind_of(bytes) == ETC_FILE_UNKNOWN && side == &w->off)
		ETC_TRY(take_log(w, r, bytes, err));
	else
		ETC_TRY(take_dump(w, r, err));
	if (r->log)
		file->kind = "runner_log";
	if (r->runs == 0)
		return etc_fail(err, E0574,
		                r->log ? "%s has no line \"Iteration 1 of 10: 2.5 ms\""
		                       : "%s has no run that was measured in ns",
		                path);
	side->count++;
	return ETC_OK;
}

static enum etc_status take_all(struct work *w, const struct etc_opt_list *a,
                                const struct etc_opt_list *b, struct side *side,
                                struct etc_error *err)
{
	const uint32_t count = a->count + b->count;

	side->v = etc_new(arena_of(w), struct recording, count);
	side->inputs = etc_new(arena_of(w), struct etc_inputs, count);
	side->dumps = etc_new(arena_of(w), struct etc_dump_samples, count);
	ETC_NEED(side->v && side->inputs && side->dumps, err);
	for (uint32_t i = 0; i < count; i++)
		ETC_TRY(take(w, i < a->count ? a->v[i] : b->v[i - a->count], side, err));
	for (uint32_t i = 0; i < side->count; i++) {
		const struct recording *r = &side->v[i];

		side->dumps[i] =
			(struct etc_dump_samples){ .runs = r->runs, .time = r->ns, .rows = r->ns };
		side->events += r->events / side->count;
		side->step = fmax(side->step, r->step);
		side->logs = side->logs || r->log;
		side->method = r->method;
	}
	return ETC_OK;
}

/* ---- one program --------------------------------------------------------------------- */

/* Returns the calls per run of the row called `name`; NAN: there is no such row. */
static double calls_of(const struct recording *r, struct etc_str name)
{
	double calls = NAN;

	for (uint32_t i = 0; i < r->op->rows->row_count; i++)
		if (etc_str_eq(etc_analysis_text(r->op->rows, i, "name"), name))
			calls = etc_analysis_number(r->op->rows, i, "calls");
	return calls;
}

/* Compares the programs of two recordings, and how often each event was called. E0576: the programs
 * differ, or the numbers of calls of an event. Sets *shown if something was compared. DELEGATE_CALL
 * and OPERATOR_CALL are left out, because each has a row only if nothing inside it was logged. */
static enum etc_status check_pair(const struct recording *on, const struct recording *off,
                                  bool *shown, struct etc_error *err)
{
	const bool programs = on->program.len && off->program.len;

	if (programs && !etc_str_eq(on->program, off->program))
		return etc_fail(err, E0576, "%s and %s have other programs beside them", on->path,
		                off->path);
	*shown = programs;
	for (uint32_t i = 0; off->op && i < off->op->rows->row_count; i++) {
		const struct etc_str name = etc_analysis_text(off->op->rows, i, "name");
		const double calls = etc_analysis_number(off->op->rows, i, "calls");

		if (etc_str_eq(name, ETC_STR("DELEGATE_CALL")) ||
		    etc_str_eq(name, ETC_STR("OPERATOR_CALL")))
			continue;
		if (calls_of(on, name) != calls)
			return etc_fail(
				err, E0576, ETC_STR_FMT ": %g call%s per run in %s, %g in %s",
				ETC_STR_ARG(name), calls, calls == 1 ? "" : "s", off->path,
				isnan(calls_of(on, name)) ? 0 : calls_of(on, name), on->path);
		*shown = true;
	}
	return ETC_OK;
}

static enum etc_status check_programs(struct work *w, struct etc_error *err)
{
	bool shown = false;

	for (uint32_t i = 1; i < w->on.count; i++)
		ETC_TRY(check_pair(&w->on.v[0], &w->on.v[i], &shown, err));
	for (uint32_t i = 0; i < w->off.count; i++) {
		ETC_TRY(check_pair(&w->on.v[0], &w->off.v[i], &shown, err));
		if (!shown)
			etc_note_each(&w->notes, N0694, "%s", w->off.v[i].path);
	}
	return ETC_OK;
}

/* ---- the comparison ------------------------------------------------------------------ */

static enum etc_status compare(struct work *w, struct etc_error *err)
{
	struct etc_compare_options o = etc_compare_defaults();
	const struct etc_sample_group off = { w->off.dumps, w->off.count, NULL },
				      on = { w->on.dumps, w->on.count, NULL };

	ETC_TRY(etc_compare_options_parse(&w->options->compare, &o, err));
	if (!(w->on.events > w->off.events))
		return etc_fail(err, E0575, "%g event%s per run with --on, %g with --off",
		                w->on.events, w->on.events == 1 ? "" : "s", w->off.events);
	ETC_TRY(etc_compare(&off, &on, 1, &o, &w->result, arena_of(w), err));
	w->result.difference_interval.low -= w->off.step / 2;
	w->result.difference_interval.high += w->off.step / 2;
	return etc_compare_adjust(&w->result, 1, o.level, arena_of(w), err);
}

/* Is the difference more than half of a run's time with the tracer? Then the two recordings may
 * have done different work. */
static bool is_most(const struct work *w)
{
	return w->result.difference > w->result.b.estimate / 2;
}

/* Are the runs with more events significantly longer? */
static bool is_longer(const struct work *w)
{
	const struct etc_comparison *c = &w->result;

	return c->why == ETC_DEFINED && etc_compare_claims(c) && c->difference > 0 &&
	       c->difference_interval.why == ETC_DEFINED && c->difference_interval.low > 0;
}

/* Are the runs with more events significantly longer, and is the difference at most half of the
 * time of these runs? Only then is the difference taken as the cost of the tracer. */
static bool is_cost(const struct work *w)
{
	return is_longer(w) && !is_most(w);
}

/* ---- the answer ---------------------------------------------------------------------- */

static const struct etc_column columns[] = {
	{ .name = "what",
	  .title = "",
	  .help = "on, off: a group; run, event: what the tracer costs" },
	{ .name = "time_ns",
	  .title = "time",
	  ETC_FORM_TIME,
	  .help = "typical run; the difference" },
	{ .name = "low_ns", .title = "from", ETC_FORM_TIME, .help = "lower end of its interval" },
	{ .name = "high_ns", .title = "to", ETC_FORM_TIME, .help = "upper end of its interval" },
	{ .name = "events", .title = "events", ETC_FORM_REAL, .help = "per run" },
	{ .name = "runs", .title = "runs", ETC_FORM_NUMBER, .help = "that count" },
	{ .name = "recordings", .title = "recordings", ETC_FORM_NUMBER, .help = "of the group" },
	{ .name = "certain", .title = "certain", ETC_FORM_BOOL, .help = "by the rules of diff" },
	{ .name = "method", .title = "method", .optional = true, .help = "of the group's runs" },
	{ .name = "tick_ns",
	  .title = "ns per tick",
	  ETC_FORM_REAL,
	  .optional = true,
	  .help = "of the runtime's clock" },
};
enum { COLUMNS = sizeof columns / sizeof columns[0], LINES = 4 };

static struct etc_cell known(bool is, double v)
{
	return is && isfinite(v) ? etc_cell_double(v) : etc_cell_blank();
}

static void put_group(struct etc_cell *c, const struct work *w, const char *what,
                      const struct side *side, const struct etc_comparison_side *of)
{
	const struct etc_host_clock *clock = &w->plan.profile.clock;

	*c++ = etc_cell_word(what);
	*c++ = known(of->why == ETC_DEFINED, of->estimate);
	c += 2;
	*c++ = etc_cell_double(side->events);
	*c++ = etc_cell_u64(of->runs);
	*c++ = etc_cell_u64(side->count);
	*++c = etc_cell_text(side->method);
	*++c = known(clock->unit == ETC_UNIT_NS && !side->logs,
	             (double)clock->scale / (double)etc_clock_den(*clock));
}

static void put_cost(struct etc_cell *c, const struct work *w, const char *what, double per)
{
	const struct etc_comparison *r = &w->result;
	const struct etc_interval *i = &r->difference_interval;
	const bool ends = r->why == ETC_DEFINED && i->why == ETC_DEFINED;

	c[0] = etc_cell_word(what);
	c[1] = known(r->why == ETC_DEFINED, r->difference / per);
	c[2] = known(ends, i->low / per);
	c[3] = known(ends, i->high / per);
	c[4] = etc_cell_double((w->on.events - w->off.events) / per);
	c[7] = etc_cell_bool(is_cost(w));
}

/* Returns why the cost of the tracer cannot be given, if is_cost() is false. */
static const char *doubt_of(const struct work *w)
{
	const struct etc_comparison *c = &w->result;

	if (is_longer(w))
		return "a run takes more than twice as long, so the two may have done other work";
	if (c->why != ETC_DEFINED || !c->significant || c->difference <= 0)
		return "no significantly longer time was measured";
	if (c->caveats & ETC_CAVEAT_DROWNED)
		return "a run takes longer, but the times drift by as much";
	if (c->caveats & ETC_CAVEAT_SPEEDS)
		return "a run takes longer, but two speeds of the runs explain it";
	return "a run takes longer, but recordings of one program may differ by as much";
}

static struct etc_str head_of(const struct work *w)
{
	static const struct etc_profile in_ns = { .unit = ETC_UNIT_NS };
	const struct etc_comparison *r = &w->result;
	const double events = w->on.events - w->off.events;
	const struct etc_scale run = etc_scale_of(&in_ns, fabs(r->difference)),
			       event = etc_scale_of(&in_ns, fabs(r->difference / events));
	const char *what =
		w->off.logs ? "runs that a runner measured without it" : "runs with fewer events";
	struct etc_text t = { 0 };

	if (!is_cost(w)) {
		etc_text_printf(&t, "Cannot say what the tracer costs: against %s, %s", what,
		                doubt_of(w));
		return etc_text_keep(&t, arena_of(w));
	}
	etc_text_cstr(&t, "The tracer costs ");
	etc_text_scaled(&t, r->difference, run);
	etc_text_printf(&t, " %s per run, ", run.name);
	etc_text_scaled(&t, r->difference / events, event);
	etc_text_printf(&t, " %s per event, against %s", event.name, what);
	return etc_text_keep(&t, arena_of(w));
}

static enum etc_status show(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_overhead_options *o = w->options;
	const struct etc_screen screen = etc_session_screen(w->session, &o->common);
	struct etc_cell *cells = etc_new(arena_of(w), struct etc_cell, LINES * COLUMNS);
	struct etc_str head[1] = { head_of(w) };
	struct etc_report_block block = { .head = head, .head_count = 1 };
	struct etc_report report = { .schema = "etcore.overhead/1",
		                     .notes = &w->session->notes,
		                     .note_files = true,
		                     .files = w->files,
		                     .file_count = w->file_count,
		                     .blocks = &block,
		                     .block_count = 1 };

	ETC_NEED(cells && head[0].ptr, err);
	put_group(cells, w, "on", &w->on, &w->result.b);
	put_group(cells + COLUMNS, w, "off", &w->off, &w->result.a);
	put_cost(cells + 2 * COLUMNS, w, "run", 1);
	put_cost(cells + 3 * COLUMNS, w, "event", w->on.events - w->off.events);
	report.rows = block.table = (struct etc_table){
		.columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = LINES
	};
	if (w->on.count == 1 || w->off.count == 1)
		etc_note(&w->notes, N0155, "one recording with the tracer or without it");
	w->session->notes = w->notes;
	ETC_TRY(etc_session_report(w->session, o->common.strict, reply, err));
	return etc_targets_tables(&w->targets, &report, &report, 1, &screen, reply->out, err);
}

static enum etc_status answer(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_overhead_options *o = w->options;
	static const struct etc_opt_list none;
	const size_t most = (size_t)o->on.count + o->common.operands.count + o->off.count;

	w->analyses = etc_new(arena_of(w), struct etc_analyses, most);
	/* at most two files per dump: the dump and its program */
	w->files = etc_new(arena_of(w), struct etc_report_file, 2 * most);
	ETC_NEED(w->analyses && w->files, err);
	etc_notes_init(&w->notes, arena_of(w));
	ETC_TRY(etc_targets_parse(&w->targets, etc_table_formats, &o->output, arena_of(w), err));
	ETC_TRY(take_all(w, &o->on, &o->common.operands, &w->on, err));
	ETC_TRY(take_all(w, &o->off, &none, &w->off, err));
	ETC_TRY(check_programs(w, err));
	ETC_TRY(compare(w, err));
	return show(w, reply, err);
}

/* Compares the recordings and writes the result. E0501, E0505, E0574 … E0576, E0904, and the errors
 * of `analyze`. */
static enum etc_status measure_cost(struct etc_session *s, const void *options,
                                    const struct etc_reply *reply, struct etc_error *err)
{
	static const char *const own[] = { "output", "confidence", "rounds", "process-spread",
		                           NULL };
	const struct etc_overhead_options *o = options;
	const struct etc_asker asker = { .question = &etc_ask_overhead,
		                         .args = &o->common,
		                         .own = own };
	struct work w = { .options = o, .as = &asker, .session = s };
	enum etc_status st;

	if (o->on.count + o->common.operands.count == 0 || o->off.count == 0)
		return etc_fail(err, E0501,
		                "which files? etcore overhead --on traced.etdump --off plain.log");
	st = etc_plan_make(&w.plan, &o->common, &o->plan, s, err);
	if (st == ETC_OK)
		st = answer(&w, reply, err);
	for (uint32_t i = 0; i < w.analysis_count; i++)
		etc_analyses_release(&w.analyses[i]);
	etc_plan_release(&w.plan);
	return st;
}

/* ---- options ------------------------------------------------------------------- */

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "on", ETC_OPT_LIST, offsetof(struct etc_overhead_options, on), "FILE", NULL,
	  "a dump of runs with the tracer (repeatable; operands mean the same)" },
	{ 0, "off", ETC_OPT_LIST, offsetof(struct etc_overhead_options, off), "FILE…", NULL,
	  "dumps with fewer events, or logs of a runner that measures its iterations (repeatable)" },
	ETC_METHOD_ROW(struct etc_overhead_options, plan.method),
	ETC_WARMUP_ROW(struct etc_overhead_options),
	ETC_TEST_ROWS(struct etc_overhead_options),
	ETC_OUTPUT_ROW(struct etc_overhead_options, ETC_TABLE_FORMATS, ""),
	ETC_SOURCE_ROW(struct etc_overhead_options),
	ETC_TICKS_ROW(struct etc_overhead_options),
	ETC_COMMON_ROWS(struct etc_overhead_options),
};
/* clang-format on */

const struct etc_question etc_ask_overhead = {
	.name = "overhead",
	.summary = "what the event tracer costs, per run and per event",
	.usage = "--on FILE… --off FILE…",
	.examples =
		"etcore overhead --on traced.etdump --off plain.log\n"
		"etcore overhead --on events.etdump --off whole-runs.etdump -o json\n"
		"etcore overhead a1.etdump a2.etdump a3.etdump --off b1.etdump b2.etdump b3.etdump",
	.gathers = "off",
	ETC_OPTIONS(struct etc_overhead_options),
	.answer = measure_cost,
};

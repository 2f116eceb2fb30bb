/* gate.c -- runs `etcore check`; see requests.h
 *
 * Compares two groups: the baseline and the checked dumps. Rules select the rows that get a
 * verdict. */
#include "commands/compare/requests.h"

#include "commands/compare/diff_profiles.h"
#include "commands/compare/diff_remarks.h"
#include "context/output.h"
#include "commands/compare/gate_record.h"
#include "context/options.h"
#include "commands/compare/recording_order.h"
#include "base/folder.h"
#include "commands/compare/gate_judge.h"
#include "commands/compare/gate_rules.h"
#include "commands/compare/diff_tables.h"
#include "commands/compare/gate_forms.h"

enum { BOOTSTRAPS = 100 };

static const struct etc_format formats[] = ETC_FORMAT_ARRAY(ETC_GATE_FORMATS, ETC_DOCUMENT_FORMAT);

struct work {
	const struct etc_check_request *request;
	struct etc_session *session;
	struct etc_plan plan;
	struct etc_targets targets;
	struct etc_str link; /* URL of the report, or empty */
	/* the first rule is made from the options --by, --where and others */
	struct etc_gate_rules rules;
	struct etc_file_groups files;
	struct etc_diff_options options;
	struct etc_gate_record record;
	struct etc_gate gate;
	/* per line of the comparison: does --where keep the line? NULL: --where was not given */
	bool *kept;
};

/* ---- options ---------------------------------------------------------------------- */

static enum etc_status make_rules(struct work *w, struct etc_error *err)
{
	const struct etc_check_request *r = w->request;
	struct etc_gate_rule usual = { .stat = ETC_STAT_TYPICAL, .limit = 0.05 };
	struct etc_gate_rules of_file = { 0 };
	struct etc_arena *arena = &w->session->arena;

	if (r->metric && !etc_gate_rule_metric(etc_str_of(r->metric), &usual.stat))
		return etc_fail(err, E0505,
		                "--metric '%s'; expected typical, mean, median, p90, p95 or p99",
		                r->metric);
	if (r->max_regression)
		ETC_TRY(etc_gate_rule_limit("--max-regression", etc_str_of(r->max_regression),
		                            E0505, &usual.limit, err));
	if (r->plan.method)
		usual.method = etc_str_of(r->plan.method);
	for (uint32_t i = 0; i < r->rules.count; i++)
		ETC_TRY(etc_gate_rules_read(r->rules.v[i], &usual, arena, &of_file, err));
	w->rules.v = etc_new(arena, struct etc_gate_rule, 2 + of_file.count);
	ETC_NEED(w->rules.v, err);
	w->rules.v[w->rules.count++] = usual;
	if ((r->plan.by && w->plan.by != ETC_BY_METHOD) || r->plan.where.count) {
		usual.rows = true;
		usual.by = w->plan.by;
		w->rules.v[w->rules.count++] = usual;
	}
	for (uint32_t i = 0; i < of_file.count; i++)
		w->rules.v[w->rules.count++] = of_file.v[i];
	return ETC_OK;
}

/* Adds an operand of --baseline; a folder stands for all dumps and stored baselines in it. */
static enum etc_status add_baseline(struct work *w, const char *path, struct etc_opt_list *to,
                                    struct etc_error *err)
{
	static const char *const endings[] = { ".etdump",    ".etdp",    ".baseline",
		                               ".etdump.gz", ".etdp.gz", NULL };
	struct etc_arena *arena = &w->session->arena;
	const char **files;
	uint32_t count;

	if (!etc_folder_exists(path))
		return etc_opt_append(to, path, arena, err);
	ETC_TRY(etc_folder_list(path, endings, arena, &files, &count, err));
	if (count == 0)
		return etc_in_file(
			err, etc_fail(err, E0177, "a folder without .etdump or .baseline"), path);
	for (uint32_t i = 0; i < count; i++) {
		etc_session_found(w->session, files[i]);
		ETC_TRY(etc_opt_append(to, files[i], arena, err));
	}
	return ETC_OK;
}

static enum etc_status open_files(struct work *w, struct etc_error *err)
{
	const struct etc_check_request *r = w->request;
	struct etc_arena *arena = &w->session->arena;
	struct etc_opt_list operands = { 0 };
	struct etc_group_options o = r->groups;

	if (r->baseline.count == 0)
		return etc_fail(err, E0177, "etcore check run.etdump --baseline before.etdump");
	if (r->common.operands.count == 0)
		return etc_fail(err, E0501,
		                "which dump is to be checked? It stands before --baseline: etcore "
		                "check run.etdump --baseline before.etdump");
	for (uint32_t i = 0; i < r->baseline.count; i++)
		ETC_TRY(add_baseline(w, r->baseline.v[i], &operands, err));
	ETC_TRY(etc_opt_append(&operands, "--", arena, err));
	for (uint32_t i = 0; i < r->common.operands.count; i++)
		ETC_TRY(etc_opt_append(&operands, r->common.operands.v[i], arena, err));
	o.files = operands.v;
	o.file_count = operands.count;
	o.verbose = r->common.verbose > 0;
	ETC_TRY(etc_groups_parse(&w->files, &o, w->session, err));
	if (!r->groups.names && etc_str_eq(w->files.v[0].name, ETC_STR("A")) &&
	    !strchr(operands.v[0], 'A')) {
		/* the paths of the groups do not differ, so etc_groups_parse() named the groups "A"
		 * and "B" */
		w->files.v[0].name = ETC_STR("before");
		w->files.v[1].name = ETC_STR("now");
	}
	ETC_TRY(etc_session_plugins(w->session, &r->common, ETC_SESSION_GATE, err));
	return etc_groups_open(&w->files, &o, w->session, err);
}

/* ---- --where ---------------------------------------------------------------------- */

/* Makes a table with the columns whose values are known before the comparison. --where may use only
 * these. If --where selected rows by their results, Holm's correction would count fewer comparisons
 * than were made. */
static enum etc_status describe(const struct etc_table *all, struct etc_arena *arena,
                                struct etc_table *out, struct etc_error *err)
{
	static const char *const names[] = {
		"key",        "method", "path",     "match",    "base_name",   "name",
		"base_calls", "calls",  "base_ns",  "category", "backend",     "kernel_change",
		"detached",   "unit",   "base_raw", "on",       "name, shown", "match, shown",
	};
	uint32_t from[sizeof names / sizeof *names], n = sizeof names / sizeof *names;
	struct etc_column *columns = etc_new(arena, struct etc_column, n);

	ETC_NEED(columns, err);
	ETC_TRY(etc_table_make(out, columns, n, all->row_count, arena, err));
	for (uint32_t c = 0; c < n; c++) {
		ETC_TRY(etc_table_column(all, etc_str_of(names[c]), &from[c], err));
		columns[c] = all->columns[from[c]];
		columns[c].also = 0;
		for (uint32_t r = 0; r < all->row_count; r++)
			out->cells[(size_t)r * n + c] =
				all->cells[(size_t)r * all->column_count + from[c]];
	}
	for (uint32_t c = 0; c < n; c++)
		for (uint32_t k = 0; k < n; k++)
			if (all->columns[from[c]].also == from[k] + 1)
				columns[c].also = k + 1;
	return ETC_OK;
}

static enum etc_status select_rows(struct work *w, const struct etc_diff *diff,
                                   struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_table all, described;
	struct etc_diff_line *lines;
	uint32_t *rows, count;

	ETC_TRY(etc_view_diff_lines(diff, w->options.compare.level, true, arena, &all, &lines,
	                            err));
	ETC_TRY(etc_table_fill(&all, arena, err));
	ETC_TRY(describe(&all, arena, &described, err));
	ETC_TRY(etc_selection_rows(&w->plan.selection, &described, NULL, arena, &rows, &count,
	                           err));
	etc_selection_remark(&w->plan.selection, &described, &w->session->notes);
	w->kept = etc_new(arena, bool, all.row_count);
	ETC_NEED(w->kept, err);
	for (uint32_t i = 0; i < count; i++)
		w->kept[rows[i]] = true;
	return ETC_OK;
}

/* Does --where select the row? At most one rule uses --where, so this function is always called
 * with the same comparison. The first call sets w->kept for all lines of that comparison. */
static enum etc_status keep_row(void *arg, const struct etc_diff *diff, uint32_t section,
                                uint32_t row, bool *keep, struct etc_error *err)
{
	struct work *w = arg;
	size_t line = row;

	if (!w->kept)
		ETC_TRY(select_rows(w, diff, err));
	for (uint32_t s = 0; s < section; s++)
		line += diff->sections[s].row_count;
	*keep = w->kept[line];
	return ETC_OK;
}

/* ---- the answer ------------------------------------------------------------------- */

/* Reports lines without a verdict, so that they are not mistaken for a pass. */
static void remark(struct work *w)
{
	static const enum etc_code codes[ETC_GATE_COUNT] = {
		[ETC_GATE_FEW] = W0171,   [ETC_GATE_NOISY] = W0172,  [ETC_GATE_ALONE] = W0191,
		[ETC_GATE_DRIFT] = W0192, [ETC_GATE_CANNOT] = W0173, [ETC_GATE_MISSING] = W0174,
	};
	struct etc_notes *notes = &w->session->notes;

	notes->file = (struct etc_str){ 0 };
	for (uint32_t i = 0; i < w->gate.count; i++) {
		const struct etc_gate_line *line = &w->gate.lines[i];

		if (codes[line->verdict] != ETC_CODE_NONE)
			etc_note_each(notes, codes[line->verdict], ETC_STR_FMT "; %s",
			              ETC_STR_ARG(line->name), line->why);
	}
}

static enum etc_status write_all(struct work *w, struct etc_text *out, struct etc_error *err)
{
	struct etc_gate_answer answer = {
		.gate = &w->gate,
		.names = { w->files.v[0].name, w->files.v[1].name },
		.dumps = { w->files.v[0].dump_count, w->files.v[1].dump_count },
		.confidence = w->options.compare.level,
		.notes = &w->session->notes,
		.link = w->link,
		.record = w->record,
	};

	ETC_TRY(etc_list_plugins(&w->session->host, &w->session->arena, &answer.record.plugins,
	                         &answer.record.plugin_count, err));
	ETC_TRY(etc_targets_document(&w->targets, &answer, out, err));
	return etc_gate_summary(&w->targets, &answer, err);
}

/* Returns the status of the command if `open` lines have no verdict. With --no-verdict pass,
 * returns ETC_OK; with --no-verdict fail, the status of a regression; otherwise E0190 (exit status
 * 11). */
static enum etc_status without_verdict(const struct work *w, uint32_t open, struct etc_error *err)
{
	const char *as = w->request->no_verdict;
	enum etc_status st;

	if (as && strcmp(as, "pass") == 0)
		return ETC_OK;
	st = etc_fail(err, E0190, "%u of %u", open, w->gate.count);
	return as ? ETC_FINDING : st;
}

/* Writes the report, even if the exit status is 1 (regression, or --strict) or 11 (no verdict). */
static enum etc_status answer(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	uint32_t slower = w->gate.by_verdict[ETC_GATE_REGRESSION], open = etc_gate_open(&w->gate);
	struct etc_error of_write = { .at = -1 };
	enum etc_status st, written;

	st = etc_session_report(w->session, w->request->common.strict, reply, err);
	if (st != ETC_OK && st != ETC_FINDING && st != ETC_NO_VERDICT)
		return st;
	written = write_all(w, reply->out, &of_write);
	if (written != ETC_OK) {
		if (err)
			*err = of_write;
		return written;
	}
	/* With --strict, `err` has the warning that makes the command fail. E0175 will overwrite
	 * `err`, so the warning is reported here. */
	if (slower && st != ETC_OK && reply->on_note)
		reply->on_note(reply->arg, etc_notes_warning(&w->session->notes));
	if (slower)
		return etc_fail(err, E0175, "%u of %u", slower, w->gate.count);
	return st == ETC_OK && open ? without_verdict(w, open, err) : st;
}

static enum etc_status run(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_check_request *r = w->request;
	struct etc_session *s = w->session;
	const struct etc_gate_filter filter = { keep_row, w };
	struct etc_diff_group *groups;

	ETC_TRY(etc_plan_make(&w->plan, &r->common, &r->plan, s, err));
	w->options = (struct etc_diff_options){
		.by = r->plan.by && w->plan.by == ETC_BY_METHOD ? ETC_BY_METHOD : ETC_BY_OP,
		.most_bootstraps = BOOTSTRAPS,
		.compare = etc_compare_defaults(),
	};
	ETC_TRY(etc_compare_options_parse(&r->compare, &w->options.compare, err));
	ETC_TRY(etc_link_parse(r->report, &w->link, err));
	ETC_TRY(etc_targets_parse(&w->targets, formats, &r->output, &s->arena, err));
	ETC_TRY(etc_gate_record_parse(r->runner, r->dependencies.v, r->dependencies.count,
	                              &s->arena, &w->record, err));
	ETC_TRY(etc_targets_need(&w->targets, "report", r->report, " markdown github ", err));
	ETC_TRY(etc_targets_need(&w->targets, "runner", r->runner, " pytorch ", err));
	ETC_TRY(etc_targets_need(&w->targets, "dependency", r->dependencies.count, " pytorch ",
	                         err));
	ETC_TRY(make_rules(w, err));
	ETC_TRY(open_files(w, err));
	ETC_TRY(etc_diff_profiles(&w->plan, &w->files, s, &groups, err));
	ETC_TRY(etc_recording_order(r->compare.order, groups, 2, &s->arena, err));
	ETC_TRY(etc_gate_make(groups, w->rules.v, w->rules.count, &w->options,
	                      r->plan.where.count ? &filter : NULL, &s->arena, &w->gate, err));
	etc_remark_diff(w->gate.diff, &w->files, &s->arena, &s->notes);
	remark(w);
	return answer(w, reply, err);
}

enum etc_status etc_check(struct etc_session *s, const void *options, const struct etc_reply *reply,
                          struct etc_error *err)
{
	struct work w = { .request = options, .session = s };
	enum etc_status st = run(&w, reply, err);

	etc_plan_release(&w.plan);
	return st;
}

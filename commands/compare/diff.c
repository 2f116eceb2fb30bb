/* diff.c -- runs `etcore diff`; see requests.h
 *
 * The steps: read the configuration, plugins and groups of files; make a profile by event of each
 * dump, with the times of each run; compare the groups (compare.h); write the output formats. */
#include "commands/compare/requests.h"

#include "commands/compare/diff_profiles.h"
#include "commands/compare/diff_forms.h"
#include "commands/compare/diff_remarks.h"
#include "context/files.h"
#include "commands/compare/groups.h"
#include "context/output.h"
#include "profile/plan.h"
#include "commands/compare/recording_order.h"
#include "base/nearest.h"
#include "commands/compare/diff_tables.h"

enum {
	/* maximum number of changed rows in a table on the screen, without --top */
	DEFAULT_TOP = 20,
	/* maximum number of rows and end-to-end times whose intervals come from a bootstrap */
	BOOTSTRAPS = 110
};

struct work {
	const struct etc_diff_request *request;
	struct etc_session *session;
	struct etc_plan plan;
	struct etc_targets targets;
	struct etc_str link; /* URL of the whole report (--report), or empty */
	struct etc_group_options group_options;
	struct etc_file_groups files;
	struct etc_diff_options options;
	struct etc_diff_group *groups;
	struct etc_diff diff;
};

/* ---- options ---------------------------------------------------------------------- */

static enum etc_status make_plan(struct work *w, struct etc_error *err)
{
	const struct etc_diff_request *r = w->request;

	ETC_TRY(etc_plan_make(&w->plan, &r->common, &r->plan, w->session, err));
	if (!r->plan.top)
		w->plan.top = DEFAULT_TOP;
	w->options = (struct etc_diff_options){
		.by = w->plan.by,
		.most_bootstraps = BOOTSTRAPS,
		.compare = etc_compare_defaults(),
	};
	w->options.compare.stat = w->plan.profile.stat;
	if (r->plan.method)
		w->options.method = etc_str_of(r->plan.method);
	ETC_TRY(etc_compare_options_parse(&r->compare, &w->options.compare, err));
	w->group_options = r->groups;
	w->group_options.files = r->common.operands.v;
	w->group_options.file_count = r->common.operands.count;
	w->group_options.verbose = r->common.verbose > 0;
	return ETC_OK;
}

/* Checks that at least one dump has the method of --method. */
static enum etc_status check_method(const struct work *w, struct etc_error *err)
{
	struct etc_str want = w->options.method, names[32];
	uint32_t n = 0;

	if (!want.len)
		return ETC_OK;
	for (uint32_t g = 0; g < w->files.count; g++)
		for (uint32_t d = 0; d < w->groups[g].count; d++)
			for (uint32_t p = 0; p < w->groups[g].dumps[d]->path_count; p++) {
				struct etc_str name = w->groups[g].dumps[d]->paths[p].method;

				if (etc_str_eq(name, want))
					return ETC_OK;
				if (name.len && n < sizeof names / sizeof names[0])
					names[n++] = name;
			}
	return etc_fail_unknown(err, E0508, want, names, n, "the dumps have",
	                        "the methods of these dumps are not known");
}

/* ---- the answer ------------------------------------------------------------------------ */

static enum etc_status list_files(struct work *w, bool hashes, struct etc_report *report,
                                  struct etc_report_diff *diff, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_report_group *groups = etc_new(arena, struct etc_report_group, w->files.count);
	struct etc_report_file *files =
		etc_new(arena, struct etc_report_file, w->files.dump_count * ETC_FILE_KINDS);

	ETC_NEED(groups && files, err);
	report->files = files;
	diff->groups = groups;
	diff->group_count = w->files.count;
	for (uint32_t g = 0; g < w->files.count; g++) {
		groups[g].name = w->files.v[g].name;
		groups[g].files = files + report->file_count;
		for (uint32_t d = 0; d < w->files.v[g].dump_count; d++)
			groups[g].file_count +=
				etc_list_files(&w->files.v[g].inputs[d], hashes, arena,
			                       files + report->file_count + groups[g].file_count);
		report->file_count += groups[g].file_count;
	}
	return ETC_OK;
}

static enum etc_status write_all(struct work *w, struct etc_text *out, struct etc_error *err)
{
	struct etc_session *s = w->session;
	struct etc_report report = { .notes = &s->notes };
	struct etc_report_diff diff = { .confidence = w->options.compare.level, .link = w->link };
	struct etc_diff_screen options = {
		.top = w->plan.top,
		.confidence = w->options.compare.level,
		.unit = w->plan.shown_unit,
		.selection = &w->plan.selection,
		.notes = &s->notes,
		.lines = etc_targets_want_all(&w->targets),
	};
	const struct etc_screen screen = etc_session_screen(s, &w->request->common);

	report.diff = &diff;
	report.forms = &etc_diff_forms;
	report.stat = etc_stat_name(w->options.compare.stat);
	report.by = etc_row_key(w->options.by)->word;
	ETC_TRY(list_files(w, etc_targets_want_hashes(&w->targets) && !w->request->plan.brief,
	                   &report, &diff, err));
	ETC_TRY(etc_list_settings(&s->settings, &s->arena, &report, err));
	ETC_TRY(etc_view_diff(&w->diff, &options, &s->arena, &report, &diff, err));
	return etc_targets_tables(&w->targets, &report, &report, 1, &screen, out, err);
}

static enum etc_status run(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_diff_request *r = w->request;
	struct etc_session *s = w->session;

	ETC_TRY(make_plan(w, err));
	ETC_TRY(etc_link_parse(r->report, &w->link, err));
	ETC_TRY(etc_targets_parse(&w->targets, etc_table_formats, &r->output, &s->arena, err));
	ETC_TRY(etc_targets_need(&w->targets, "report", r->report, " markdown ", err));
	if (r->plan.sort && !r->plan.columns && !etc_targets_want_all(&w->targets))
		return etc_fail(
			err, E0501,
			"--sort is of lines for programs (-o csv, json, \xe2\x80\xa6) or of "
			"--columns; the screen has the largest changes first");
	/* The default screen shows only the largest changes, so details of the other rows are not
	 * needed. */
	w->options.brief = w->plan.top > 0 && !etc_targets_want_all(&w->targets) &&
	                   !etc_selection_chosen(&w->plan.selection);
	ETC_TRY(etc_groups_parse(&w->files, &w->group_options, s, err));
	ETC_TRY(etc_session_plugins(s, &r->common, 0, err));
	ETC_TRY(etc_groups_open(&w->files, &w->group_options, s, err));
	ETC_TRY(etc_diff_profiles(&w->plan, &w->files, s, &w->groups, err));
	ETC_TRY(check_method(w, err));
	ETC_TRY(etc_recording_order(r->compare.order, w->groups, w->files.count, &s->arena, err));
	ETC_TRY(etc_diff_make(w->groups, w->files.count, &w->options, &s->arena, &w->diff, err));
	etc_remark_diff(&w->diff, &w->files, &s->arena, &s->notes);
	ETC_TRY(etc_session_report(s, r->common.strict, reply, err));
	return write_all(w, reply->out, err);
}

enum etc_status etc_diff(struct etc_session *s, const void *options, const struct etc_reply *reply,
                         struct etc_error *err)
{
	struct work w = { .request = options, .session = s };
	enum etc_status st = run(&w, reply, err);

	etc_plan_release(&w.plan);
	return st;
}

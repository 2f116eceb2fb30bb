/* command_compare.c -- `etcore pipeline compare`: checks whether a run folder has the same
 * structure as a run folder that is known to be good; see pipeline.h. It compares only names and
 * files, but no times; `etcore diff` and `etcore check` compare times. */
#include "context/output.h"
#include "commands/pipeline/dump.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/findings.h"
#include "commands/pipeline/categories.h"
#include "commands/pipeline/validate.h"

/* The categories of the events in the dumps of a run without analysis_summary.json. `known`: at
 * least one of the dumps could be read; otherwise `names` says nothing about the run. */
struct categories {
	const struct etc_str *names;
	uint32_t count;
	bool known;
};

/* ---- files ---------------------------------------------------------------------------- */

/* Checks that the documents of the run exist. metrics.json need not be readable, because the kit
 * does not read it either. */
static bool check_files(const struct etc_run_folder *run, const struct categories *made,
                        struct etc_findings *out)
{
	uint64_t before = out->failed;

	if (run->why_not)
		etc_finding(out, E1051, (struct etc_str){ 0 }, "%s", run->why_not);
	if (run->kind == ETC_FOLDER_G3) {
		(void)etc_folder_document_usable(&run->summary, "pipeline_summary.json", out);
	} else {
		(void)etc_folder_document_usable(&run->manifest, "manifest.json", out);
		if (!run->metrics.there)
			etc_finding(out, E1051, (struct etc_str){ 0 }, "metrics.json is missing");
	}
	if (run->analysis.there || !made->known)
		(void)etc_folder_document_usable(&run->analysis, "analysis_summary.json", out);
	if (out->failed == before)
		etc_finding_passed(out, "files of the run");
	return out->failed == before;
}

/* ---- manifest --------------------------------------------------------------------------- */

static const struct etc_tree *check_manifest(const struct etc_run_folder *run,
                                             struct etc_findings *out)
{
	static const char *const keys[] = { "model", "executorch", "results" };
	bool g3 = run->kind == ETC_FOLDER_G3;
	const struct etc_tree *m = g3 ? run->summary.tree : run->manifest.tree, *results;
	struct etc_str name = g3 ? ETC_STR("pipeline_summary.json") : ETC_STR("manifest.json");
	uint64_t before = out->failed;

	for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !g3; i++)
		if (!etc_tree_get(m, keys[i]))
			etc_finding(out, E1053, name, "'%s' is missing", keys[i]);
	results = etc_tree_get(m, g3 ? "runs" : "results");
	if (!results || results->type != ETC_JSON_ARRAY || !results->count) {
		etc_finding(out, E1053, name, "'%s' must be a list that is not empty",
		            g3 ? "runs" : "results");
		return NULL;
	}
	if (out->failed == before)
		etc_finding_passed(out, "keys of " ETC_STR_FMT, ETC_STR_ARG(name));
	return results;
}

static bool has_experiment(const struct etc_run_folder *run, struct etc_str name)
{
	for (uint32_t i = 0; i < run->job_count; i++)
		if (run->jobs[i].experiment.ptr && etc_str_eq(run->jobs[i].experiment, name))
			return true;
	return false;
}

static void check_experiments(const struct etc_run_folder *run,
                              const struct etc_run_folder *known_good, struct etc_findings *out)
{
	uint64_t before = out->failed;

	for (uint32_t i = 0; known_good && i < known_good->job_count; i++) {
		struct etc_str name = known_good->jobs[i].experiment;
		bool seen = false;

		for (uint32_t k = 0; k < i && !seen; k++)
			seen = etc_str_eq(known_good->jobs[k].experiment, name);
		if (name.ptr && !seen && !has_experiment(run, name))
			etc_finding(out, E1064, (struct etc_str){ 0 }, "'" ETC_STR_FMT "'",
			            ETC_STR_ARG(name));
	}
	if (known_good && out->failed == before)
		etc_finding_passed(out, "experiments of the known-good run");
}

/* ---- ETDumps ------------------------------------------------------------------------------ */

/* Is a dump in the run folder the dump of job `j`, although the job names another path? This is
 * possible only for folders of G3 (the kit's package): their summary has the paths at which the
 * dumps were measured, and the folder may have been moved since then. */
static bool lies_below(const struct etc_run_folder *run, const struct etc_folder_job *j)
{
	for (uint32_t i = 0; run->kind == ETC_FOLDER_G3 && i < run->dumps.count; i++)
		if (run->dumps.v[i].kind == ETC_ENTRY_FILE &&
		    etc_run_folder_job(run, &run->dumps.v[i]) == j)
			return true;
	return false;
}

static bool there(const struct etc_run_folder *run, const struct etc_folder_job *j,
                  struct etc_arena *arena)
{
	const char *path = etc_run_folder_path(run, j->etdump, arena);

	return path && etc_file_exists(path);
}

static void check_dumps(const struct etc_run_folder *run, struct etc_findings *out)
{
	uint64_t before = out->failed;

	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct etc_folder_job *j = &run->jobs[i];
		struct etc_str where = etc_job_place(j, out->arena);

		if (j->without_dump || etc_job_is_open(run, j))
			continue;
		if (!j->etdump.len)
			etc_finding(out, E1053, where, "no ETDump is named in its metrics");
		else if (!there(run, j, out->arena) && !lies_below(run, j))
			etc_finding(out, E1051, where, ETC_STR_FMT " is missing",
			            ETC_STR_ARG(j->etdump));
	}
	if (out->failed == before)
		etc_finding_passed(out, "ETDump of each experiment");
}

/* Reports experiments whose name is neither a string nor null. */
static void check_names(const struct etc_tree *results, struct etc_findings *out)
{
	for (const struct etc_tree *t = results->first; t; t = t->next) {
		const struct etc_tree *name = etc_tree_get(t, "experiment");

		if (name && name->type != ETC_JSON_STRING && name->type != ETC_JSON_NULL)
			etc_finding(out, E1053, (struct etc_str){ 0 },
			            "'experiment' is %s; expected text", etc_tree_kind(name));
	}
}

/* ---- analysis ------------------------------------------------------------------------------ */

static bool has_category(const struct etc_run_folder *run, const struct categories *made,
                         struct etc_str name)
{
	const struct etc_tree *totals = etc_tree_get(run->analysis.tree, "category_totals_ms");

	if (!run->analysis.there)
		for (uint32_t i = 0; i < made->count; i++)
			if (etc_str_eq(made->names[i], name))
				return true;
	if (totals && totals->type == ETC_JSON_OBJECT)
		for (const struct etc_tree *t = totals->first; t; t = t->next)
			if (etc_str_eq(t->key, name))
				return true;
	return false;
}

static void check_analysis(const struct etc_run_folder *run,
                           const struct etc_run_folder *known_good, const struct categories *made,
                           struct etc_findings *out)
{
	static const char *const keys[] = { "category_totals_ms", "per_etdump", "kernel_hints" };
	const struct etc_tree *wanted =
		known_good ? etc_tree_get(known_good->analysis.tree, "category_totals_ms") : NULL;
	uint64_t before = out->failed;

	for (size_t i = 0; i < sizeof keys / sizeof keys[0] && run->analysis.there; i++)
		if (!etc_tree_get(run->analysis.tree, keys[i]))
			etc_finding(out, E1053, ETC_STR("analysis_summary.json"), "'%s' is missing",
			            keys[i]);
	if (wanted && wanted->type == ETC_JSON_OBJECT)
		for (const struct etc_tree *t = wanted->first; t; t = t->next)
			if (!has_category(run, made, t->key))
				etc_finding(out, E1065, (struct etc_str){ 0 }, "'" ETC_STR_FMT "'",
				            ETC_STR_ARG(t->key));
	if (out->failed != before)
		return;
	etc_finding_passed(out, run->analysis.there ? "keys of analysis_summary.json"
	                                            : "categories, made of the dumps");
	if (wanted)
		etc_finding_passed(out, "categories of the known-good run");
}

/* Applies the rules of the kit: the files exist; the manifest names model, ExecuTorch and results;
 * every result has its ETDump; the analysis has its keys; the run has all experiments and
 * categories that `known_good` has (NULL: this rule is skipped). If the run has no analysis, the
 * categories in `made` are used. */
static void compare_folders(const struct etc_run_folder *run,
                            const struct etc_run_folder *known_good, const struct categories *made,
                            struct etc_findings *out)
{
	const struct etc_tree *results;

	if (!check_files(run, made, out))
		return;
	results = check_manifest(run, out);
	if (!results)
		return;
	check_names(results, out);
	check_experiments(run, known_good, out);
	check_dumps(run, out);
	check_analysis(run, known_good, made, out);
}

/* E1066: `f` cannot be used as the run that is known to be good. */
static enum etc_status check_known_good(const struct etc_run_folder *f, struct etc_error *err)
{
	const struct etc_folder_document *d = f->kind == ETC_FOLDER_G3 ? &f->summary : &f->manifest;

	if (f->why_not)
		return etc_fail(err, E1066, "%s: %s", f->path, f->why_not);
	if (!d->there)
		return etc_fail(err, E1066, "%s has no manifest.json", f->path);
	if (!d->tree)
		return etc_fail(err, E1066, "%s: %s", d->why.file, d->why.text);
	if (!f->job_count)
		return etc_fail(err, E1066, "%s names no experiment", f->path);
	if (f->analysis.there && !f->analysis.tree)
		return etc_fail(err, E1066, "%s: %s", f->analysis.why.file, f->analysis.why.text);
	return ETC_OK;
}

/* ---- the command ------------------------------------------------------------------------- */

/* Is `e` an event of the framework (ExecuTorch itself)? Such events have no category. */
static bool is_framework(const struct etc_event *e)
{
	return !etc_event_is_delegate(e) &&
	       (etc_str_ends(etc_event_name(e), ETC_STR("_CALL")) ||
	        etc_str_starts(etc_event_name(e), ETC_STR("Method::")) ||
	        etc_str_starts(etc_event_name(e), ETC_STR("Program::")));
}

static void add_category(const char *name, struct etc_str *names, uint32_t *count)
{
	for (uint32_t i = 0; i < *count; i++)
		if (etc_str_eq(names[i], etc_str_of(name)))
			return;
	names[(*count)++] = etc_str_of(name);
}

/* Adds the categories of the events of one dump, except those of the framework. */
static void add_dump(const struct etc_trace *t, struct etc_str *names, uint32_t *count)
{
	for (size_t s = 0; s < t->template_count; s++)
		for (uint32_t e = 0; e < t->templates[s].count; e++) {
			const struct etc_event *event = &t->templates[s].events[e];

			if (event->kind == ETC_EVENT_PROFILE && !is_framework(event))
				add_category(
					etc_category_v1(event->has_delegate_name
				                                ? etc_event_delegate_name(event)
				                                : etc_event_name(event)),
					names, count);
		}
}

/* If the run folder has no analysis, collects in `*out` the names of the kit's categories to which
 * events of the folder's dumps belong. Sets out->known if at least one dump could be read. */
static enum etc_status make_categories(struct etc_session *s, const struct etc_run_folder *f,
                                       struct categories *out, struct etc_error *err)
{
	struct etc_str *names = etc_new(&s->arena, struct etc_str, ETC_KIT_V1_COUNT);

	*out = (struct categories){ .names = names };
	ETC_NEED(names, err);
	for (uint32_t i = 0; i < f->dumps.count && !f->analysis.there; i++) {
		struct etc_dump_work w;
		enum etc_status st;

		if (f->dumps.v[i].kind != ETC_ENTRY_FILE)
			continue;
		st = etc_dump_work_open(&w, f->dumps.v[i].path, &s->settings.limits, NULL);
		if (st == ETC_OK) {
			add_dump(&w.trace, names, &out->count);
			out->known = true;
		}
		etc_dump_work_close(&w);
	}
	return ETC_OK;
}

enum etc_status etc_pipeline_compare(struct etc_session *s, const void *options,
                                     const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_pipeline_options *o = options;
	struct etc_findings findings = { .arena = &s->arena, .strict = o->common.strict };
	struct etc_run_folder folder, known_good;
	struct categories made;
	struct etc_targets targets;

	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_targets_parse(&targets, etc_verdict_formats, &o->output, &s->arena, err));
	if (o->known_good) {
		ETC_TRY(etc_run_folder_read(o->known_good, &s->arena, &known_good, err));
		ETC_TRY(check_known_good(&known_good, err));
	}
	ETC_TRY(etc_run_folder_read(o->folder, &s->arena, &folder, err));
	ETC_TRY(make_categories(s, &folder, &made, err));
	compare_folders(&folder, o->known_good ? &known_good : NULL, &made, &findings);
	if (findings.no_memory)
		return etc_no_memory(err);
	return etc_verdict_give(
		&(struct etc_verdict){
			.folder = &folder,
			.known_good = o->known_good ? &known_good : NULL,
			.findings = &findings,
			.schema = "etcore.pipeline.compare/1",
			.only_layout = true,
			.code = E1063,
		},
		&targets, s, reply, err);
}

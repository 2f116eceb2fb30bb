/* compare.c -- see compare.h */
#include "commands/pipeline/compare.h"

#include <sys/stat.h>

static bool usable(const struct etc_folder_document *d, const char *name, struct etc_findings *out)
{
	if (!d->there)
		etc_finding(out, E1051, (struct etc_str){ 0 }, "%s is missing", name);
	else if (!d->tree)
		etc_finding_error(out, d->why.code == E1067 ? E1067 : E1052, etc_str_of(name),
		                  &d->why);
	else if (d->tree->type != ETC_JSON_OBJECT)
		etc_finding(out, E1053, etc_str_of(name), "expected an object, it is %s",
		            etc_tree_kind(d->tree));
	else
		return true;
	return false;
}

/* ---- files ---------------------------------------------------------------------------- */

/* As in the kit, only the manifest and the analysis must be readable. */
static bool check_files(const struct etc_run_folder *run, const struct etc_folder_categories *made,
                        struct etc_findings *out)
{
	uint64_t before = out->failed;

	if (run->kind == ETC_FOLDER_G3) {
		(void)usable(&run->summary, "pipeline_summary.json", out);
	} else {
		(void)usable(&run->manifest, "manifest.json", out);
		if (!run->metrics.there)
			etc_finding(out, E1051, (struct etc_str){ 0 }, "metrics.json is missing");
	}
	if (run->analysis.there || !made->known)
		(void)usable(&run->analysis, "analysis_summary.json", out);
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

static bool is_file(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Is the path inside of the run folder? The kit's summary has the paths that the dumps
 * had when they were measured. */
static bool lies_below(const struct etc_run_folder *run, const struct etc_folder_job *j)
{
	for (uint32_t i = 0; run->kind == ETC_FOLDER_G3 && i < run->dumps.count; i++)
		if (run->dumps.v[i].kind == ETC_ENTRY_FILE &&
		    etc_run_folder_job(run, &run->dumps.v[i]) == j)
			return true;
	return false;
}

static void check_dumps(const struct etc_run_folder *run, struct etc_findings *out)
{
	uint64_t before = out->failed;

	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct etc_folder_job *j = &run->jobs[i];
		struct etc_str where =
			j->experiment.ptr ? j->experiment : ETC_STR("an experiment without name");

		if (j->without_dump)
			continue;
		if (!j->etdump.len)
			etc_finding(out, E1053, where, "no ETDump is named in its metrics");
		else if (!is_file(etc_run_folder_path(run, j->etdump, out->arena)) &&
		         !lies_below(run, j))
			etc_finding(out, E1051, where, ETC_STR_FMT " is missing",
			            ETC_STR_ARG(j->etdump));
	}
	if (out->failed == before)
		etc_finding_passed(out, "ETDump of each experiment");
}

/* A value that is not a string is not a name. */
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

static bool has_category(const struct etc_run_folder *run, const struct etc_folder_categories *made,
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
                           const struct etc_run_folder *known_good,
                           const struct etc_folder_categories *made, struct etc_findings *out)
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

void etc_compare_folders(const struct etc_run_folder *run, const struct etc_run_folder *known_good,
                         const struct etc_folder_categories *made, struct etc_findings *out)
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

enum etc_status etc_compare_usable(const struct etc_run_folder *f, struct etc_error *err)
{
	const struct etc_folder_document *d = f->kind == ETC_FOLDER_G3 ? &f->summary : &f->manifest;

	if (!f->exists)
		return etc_fail(err, E1066, "%s is no folder", f->path);
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

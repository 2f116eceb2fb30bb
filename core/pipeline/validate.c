/* validate.c -- see validate.h */
#include "pipeline/validate.h"

#include <math.h>
#include <stdlib.h>

/* ---- the kit's checks --------------------------------------------------------------- */

/* Is the document there, and an object? */
static bool check_document(const struct etc_folder_document *d, const char *name,
                           struct etc_findings *out)
{
	if (!d->there) {
		etc_finding(out, E1051, (struct etc_str){ 0 }, "%s is missing", name);
		return false;
	}
	if (!d->tree) {
		etc_finding_error(out, d->why.code == E1067 ? E1067 : E1052, etc_str_of(name),
		                  &d->why);
		return false;
	}
	if (d->tree->type != ETC_JSON_OBJECT) {
		etc_finding(out, E1053, etc_str_of(name), "expected an object, it is %s",
		            etc_tree_kind(d->tree));
		return false;
	}
	etc_finding_passed(out, "%s", name);
	return true;
}

static void check_keys(const struct etc_tree *document, const char *name, const char *list,
                       struct etc_findings *out)
{
	const struct etc_tree *results = etc_tree_get(document, list);

	if (!etc_tree_get(document, "model"))
		etc_finding(out, E1053, etc_str_of(name), "'model' is missing");
	if (!results)
		etc_finding(out, E1053, etc_str_of(name), "'%s' is missing", list);
	else if (results->type != ETC_JSON_ARRAY)
		etc_finding(out, E1053, etc_str_of(name), "'%s' is %s; expected a list", list,
		            etc_tree_kind(results));
}

void etc_validate_layout(const struct etc_run_folder *f, struct etc_findings *out)
{
	if (!f->exists)
		etc_finding(out, E1051, (struct etc_str){ 0 }, "there is no such folder");
	else
		etc_finding_passed(out, "run folder");
	if (f->kind == ETC_FOLDER_G3) {
		if (check_document(&f->summary, "pipeline_summary.json", out))
			check_keys(f->summary.tree, "pipeline_summary.json", "runs", out);
	} else {
		if (check_document(&f->manifest, "manifest.json", out))
			check_keys(f->manifest.tree, "manifest.json", "results", out);
		(void)check_document(&f->metrics, "metrics.json", out);
	}
	if (f->dumps.count)
		etc_finding_passed(out, "%lu ETDump%s by name", (unsigned long)f->dumps.count,
		                   f->dumps.count == 1 ? "" : "s");
	else
		etc_finding(out, E1054, (struct etc_str){ 0 }, "no file ends in .etdump");
}

/* ---- jobs ------------------------------------------------------------------------------ */

static struct etc_str file_name(struct etc_str path)
{
	size_t from = path.len;

	while (from && path.ptr[from - 1] != '/')
		from--;
	return etc_str_sub(path, from, path.len);
}

const struct etc_folder_entry *etc_folder_find_entry(const struct etc_run_folder *f,
                                                     const struct etc_folder_entries *list,
                                                     struct etc_str name)
{
	const struct etc_folder_entry *found = NULL;

	(void)f;
	for (uint32_t i = 0; i < list->count; i++) {
		const struct etc_folder_entry *e = &list->v[i];

		if (etc_str_eq(e->rel, name) || etc_str_eq(etc_str_of(e->path), name))
			return e;
		if (!found && etc_str_eq(file_name(e->rel), file_name(name)))
			found = e;
	}
	return found;
}

/* Where a finding about a job is. */
static struct etc_str place(const struct etc_folder_job *j)
{
	return j->experiment.ptr ? j->experiment : ETC_STR("an experiment without name");
}

static void check_files(const struct etc_run_folder *f, const struct etc_folder_job *j,
                        struct etc_findings *out)
{
	/* An Android run without a dump writes the word None. */
	if (j->without_dump)
		;
	else if (!j->etdump.len || etc_str_eq(j->etdump, ETC_STR("None")))
		etc_finding(out, E1051, place(j), "no ETDump is named");
	else if (!etc_folder_find_entry(f, &f->dumps, j->etdump))
		etc_finding(out, E1051, place(j), ETC_STR_FMT " is missing",
		            ETC_STR_ARG(j->etdump));
	if (j->log.len && !etc_folder_find_entry(f, &f->logs, j->log))
		etc_finding(out, E1051, place(j), ETC_STR_FMT " is missing", ETC_STR_ARG(j->log));
}

static void check_state(const struct etc_folder_job *j, struct etc_findings *out)
{
	static const char *const good[] = { "ok", "analysis-only", "done", "kept" };

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (!j->status.len || etc_str_eq(j->status, etc_str_of(good[i])))
			return;
	etc_finding(out, E1058, place(j), "status '" ETC_STR_FMT "'", ETC_STR_ARG(j->status));
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The numbers of a list; false: something in it is no time. */
static bool read_times(const struct etc_tree *list, double *to)
{
	size_t n = 0;

	for (const struct etc_tree *t = list->first; t; t = t->next)
		if (!etc_tree_number(t, &to[n]) || !isfinite(to[n]) || to[n++] < 0)
			return false;
	return true;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)) + 1e-9;
}

/* `key` of the metrics is none of the two, though it is there. */
static void check_statistic(const struct etc_folder_job *j, const char *key, double one,
                            double other, struct etc_findings *out)
{
	double v;

	if (!etc_tree_number(etc_tree_get(j->metrics, key), &v))
		return;
	if (!near(v, one) && !near(v, other))
		etc_finding(out, E1059, place(j), "%s is %g, its latencies say %g", key, v, one);
}

static void check_times(const struct etc_folder_job *j, struct etc_findings *out)
{
	const struct etc_tree *list = etc_tree_get(j->metrics, "latency_ms");
	double *v;
	size_t n;

	if (!list)
		list = etc_tree_get(j->metrics, "avg_latency_ms");
	if (!list)
		return;
	if (list->type != ETC_JSON_ARRAY) {
		etc_finding(out, E1053, place(j), "latencies are %s; expected a list",
		            etc_tree_kind(list));
		return;
	}
	n = list->count;
	v = etc_new(out->arena, double, n);
	out->no_memory = out->no_memory || !v;
	if (!v || !n)
		return;
	if (!read_times(list, v)) {
		etc_finding(out, E1059, place(j), "a latency is no time");
		return;
	}
	qsort(v, n, sizeof *v, ascending);
	check_statistic(j, "min_ms", v[0], v[0], out);
	check_statistic(j, "max_ms", v[n - 1], v[n - 1], out);
	check_statistic(j, "median_ms", n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2, v[n / 2],
	                out);
}

/* G1 and etcore write the results twice. */
static void check_twice(const struct etc_run_folder *f, struct etc_findings *out)
{
	const struct etc_tree *results = etc_tree_get(f->metrics.tree, "results");
	uint32_t here = 0, missing = 0;

	if (f->kind == ETC_FOLDER_G3 || !f->metrics.tree || !f->manifest.tree)
		return;
	if (!results || results->type != ETC_JSON_ARRAY) {
		etc_finding(out, E1053, ETC_STR("metrics.json"), "'results' is %s; expected a list",
		            etc_tree_kind(results));
		return;
	}
	for (uint32_t i = 0; i < f->job_count; i++) {
		bool found = false;

		for (const struct etc_tree *t = results->first; t && !found; t = t->next)
			found = etc_str_eq(etc_tree_text(etc_tree_get(t, "experiment")),
			                   f->jobs[i].experiment);
		here += found;
		missing += !found;
	}
	if (missing)
		etc_finding(out, E1059, ETC_STR("metrics.json"),
		            "%lu of %lu experiments of the manifest are not in it",
		            (unsigned long)missing, (unsigned long)(here + missing));
}

void etc_validate_jobs(const struct etc_run_folder *f, struct etc_findings *out)
{
	uint32_t experiments = etc_run_folder_experiments(f);
	uint64_t before = out->failed;

	if (!f->job_count)
		etc_finding(out, E1053, (struct etc_str){ 0 }, "no experiment is named");
	if (f->exists && !f->model.len)
		etc_finding(out, E1053, (struct etc_str){ 0 }, "no model is named");
	for (uint32_t i = 0; i < f->job_count; i++) {
		const struct etc_folder_job *j = &f->jobs[i];

		if (!j->experiment.ptr)
			etc_finding(out, E1053, place(j), "'experiment' must be text");
		check_state(j, out);
		check_files(f, j, out);
		check_times(j, out);
	}
	check_twice(f, out);
	if (out->failed == before)
		etc_finding_passed(out, "%lu experiment%s: files, states, latencies",
		                   (unsigned long)experiments, experiments == 1 ? "" : "s");
}

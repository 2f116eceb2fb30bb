/* validate.c -- checks a run folder, without looking into its dumps; see validate.h */
#define _POSIX_C_SOURCE 200809L
#include "commands/pipeline/validate.h"

#include <math.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/sha256_text.h"
#include "commands/pipeline/latency.h"
#include "commands/pipeline/recompute.h"
#include "commands/pipeline/surroundings.h"
#include "formats/runner/runner_log.h"

enum { DAY = 24 * 3600 };

/* ---- the kit's checks --------------------------------------------------------------- */

bool etc_folder_document_usable(const struct etc_folder_document *d, const char *name,
                                struct etc_findings *out)
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

static bool check_document(const struct etc_folder_document *d, const char *name,
                           struct etc_findings *out)
{
	if (!etc_folder_document_usable(d, name, out))
		return false;
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

void etc_validate_summaries(const struct etc_run_folder *f, struct etc_findings *out)
{
	if (f->kind == ETC_FOLDER_G3 && f->summary_count > 1)
		etc_finding(out, W1078, (struct etc_str){ 0 }, "%s, the first of %u by name",
		            f->summary_name, f->summary_count);
}

void etc_validate_layout(const struct etc_run_folder *f, struct etc_findings *out)
{
	if (f->why_not)
		etc_finding(out, E1051, (struct etc_str){ 0 }, "%s", f->why_not);
	else
		etc_finding_passed(out, "run folder");
	if (f->kind == ETC_FOLDER_G3) {
		etc_validate_summaries(f, out);
		if (check_document(&f->summary, "pipeline_summary.json", out))
			check_keys(f->summary.tree, "pipeline_summary.json", "runs", out);
	} else {
		if (check_document(&f->manifest, "manifest.json", out))
			check_keys(f->manifest.tree, "manifest.json", "results", out);
		(void)check_document(&f->metrics, "metrics.json", out);
	}
	if (f->dumps.count)
		etc_finding_passed(out, "%lu ETDump%s by name", (unsigned long)f->dumps.count,
		                   etc_plural(f->dumps.count));
	else if (!etc_run_folder_dumpless(f))
		etc_finding(out, E1054, (struct etc_str){ 0 }, "no file ends in .etdump");
}

/* ---- jobs ------------------------------------------------------------------------------ */

struct etc_str etc_job_place(const struct etc_folder_job *j, struct etc_arena *arena)
{
	struct etc_str place;

	if (!j->experiment.len)
		return ETC_STR("an experiment without name");
	if (!j->block || !j->threads)
		return j->experiment;
	place = etc_arena_printf(arena, ETC_STR_FMT ", %llu thread%s, block %llu",
	                         ETC_STR_ARG(j->experiment), (unsigned long long)j->threads,
	                         etc_plural(j->threads), (unsigned long long)j->block);
	return place.ptr ? place : j->experiment;
}

/* Reports that a file of the job was not found, and why. */
static void check_lack(const struct etc_run_folder *f, const struct etc_folder_job *j,
                       struct etc_str name, struct etc_findings *out)
{
	const char *why = etc_run_folder_lacks(f, name, out->arena);

	etc_finding(out, E1051, etc_job_place(j, out->arena), "%s", why ? why : "");
	out->no_memory = out->no_memory || !why;
}

static void check_files(const struct etc_run_folder *f, const struct etc_folder_job *j,
                        struct etc_findings *out)
{
	/* On Android, the kit writes the text "None" in place of the path of a dump if a process
	 * wrote no dump. */
	if (j->without_dump)
		;
	else if (!j->etdump.len || etc_str_eq(j->etdump, ETC_STR("None")))
		etc_finding(out, E1051, etc_job_place(j, out->arena), "no ETDump is named");
	else if (!etc_run_folder_find(&f->dumps, j->etdump))
		check_lack(f, j, j->etdump, out);
	if (j->log.len && !etc_run_folder_find(&f->logs, j->log) &&
	    !etc_run_folder_find(&f->traces, j->log))
		check_lack(f, j, j->log, out);
}

static void check_state(const struct etc_folder_job *j, struct etc_findings *out)
{
	if (etc_job_succeeded(j))
		return;
	if (j->why.len)
		etc_finding(out, E1058, etc_job_place(j, out->arena),
		            ETC_STR_FMT ": " ETC_STR_FMT " " ETC_STR_FMT, ETC_STR_ARG(j->status),
		            ETC_STR_ARG(j->code), ETC_STR_ARG(j->why));
	else
		etc_finding(out, E1058, etc_job_place(j, out->arena), "status '" ETC_STR_FMT "'",
		            ETC_STR_ARG(j->status));
}

/* Reports members of a job with impossible values. A missing member is not reported, since versions
 * of the kit differ. */
static void check_members(const struct etc_run_folder *f, const struct etc_folder_job *j,
                          struct etc_findings *out)
{
	static const struct {
		const char *key;
		uint32_t least;
	} counts[] = { { "threads", 1 }, { "runs", 1 }, { "warmup", 0 }, { "warmup_dropped", 0 } };
	const struct etc_tree *t = etc_tree_get(j->entry, "status");

	if (t && !etc_tree_text(t).len)
		etc_finding(out, E1053, etc_job_place(j, out->arena),
		            "'status' is %s; expected a word", etc_tree_kind(t));
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		uint64_t n;

		t = etc_tree_get(j->entry, counts[i].key);
		if (t && !(etc_tree_count(t, &n) && n >= counts[i].least))
			etc_finding(out, E1053, etc_job_place(j, out->arena),
			            "'%s' is " ETC_STR_FMT "; expected a whole number from %u",
			            counts[i].key, ETC_STR_ARG(etc_tree_shown(t)), counts[i].least);
	}
	t = f->kind == ETC_FOLDER_G3 ? etc_tree_get(j->entry, "mode") : NULL;
	if (t && !etc_str_eq(etc_tree_text(t), ETC_STR("timing")))
		etc_finding(out, E1053, etc_job_place(j, out->arena),
		            "'mode' is '" ETC_STR_FMT "'; expected timing, xnntrace or xtrace",
		            ETC_STR_ARG(t->text));
	if (f->kind == ETC_FOLDER_G3 && etc_str_eq(j->status, ETC_STR("ok")) &&
	    !(j->metrics && j->metrics->type == ETC_JSON_OBJECT))
		etc_finding(out, E1053, etc_job_place(j, out->arena),
		            "'metrics' is %s; expected an object", etc_tree_kind(j->metrics));
}

bool etc_job_is_open(const struct etc_run_folder *f, const struct etc_folder_job *j)
{
	return f->kind == ETC_FOLDER_ETCORE && (etc_str_eq(j->status, ETC_STR("pending")) ||
	                                        etc_str_eq(j->status, ETC_STR("interrupted")));
}

/* Reads the numbers of a list. Returns false if an element is not a time. */
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
	return isfinite(a) && fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)) + 1e-9;
}

/* Reports the member `key` of the metrics if it exists and is not equal to `want`. */
static void check_statistic(const struct etc_folder_job *j, const char *key, double want,
                            struct etc_findings *out)
{
	const struct etc_tree *t = etc_tree_get(j->metrics, key);
	double v;

	if (!t || (t->type == ETC_JSON_NULL && isnan(want)))
		return;
	if (!etc_tree_number(t, &v) || !near(v, want))
		etc_finding(out, E1059, etc_job_place(j, out->arena),
		            "%s is " ETC_STR_FMT ", its latencies say %g", key,
		            ETC_STR_ARG(etc_tree_shown(t)), want);
}

static void check_statistics(const struct etc_folder_job *j, const struct etc_latency *l,
                             struct etc_findings *out)
{
	const struct {
		const char *key;
		double want;
	} rows[] = {
		{ "min_ms", l->min },       { "max_ms", l->max },
		{ "median_ms", l->median }, { "mean_ms", l->mean },
		{ "p50_ms", l->p50 },       { "p90_ms", l->p90 },
		{ "p95_ms", l->p95 },       { "p99_ms", l->p99 },
		{ "stdev_ms", l->stdev },   { "cv_percent", l->cv_percent },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_statistic(j, rows[i].key, rows[i].want, out);
}

static void check_times(const struct etc_run_folder *f, const struct etc_folder_job *j,
                        struct etc_findings *out)
{
	struct etc_error why = { .at = -1 };
	struct etc_latency l;
	const struct etc_tree *list = etc_tree_get(j->metrics, "latency_ms");
	double *v;
	size_t n;

	if (!list)
		list = etc_tree_get(j->metrics, "avg_latency_ms");
	if (!list)
		return;
	if (list->type != ETC_JSON_ARRAY) {
		etc_finding(out, E1053, etc_job_place(j, out->arena),
		            "latencies are %s; expected a list", etc_tree_kind(list));
		return;
	}
	n = list->count;
	v = etc_new(out->arena, double, n);
	out->no_memory = out->no_memory || !v;
	if (!v || !n)
		return;
	if (!read_times(list, v)) {
		etc_finding(out, E1059, etc_job_place(j, out->arena), "a latency is no time");
		return;
	}
	if (f->kind == ETC_FOLDER_G1 && j->runs && n != j->runs)
		etc_finding(out, E1059, etc_job_place(j, out->arena), "%zu latencies of %llu runs",
		            n, (unsigned long long)j->runs);
	if (etc_latency_of(v, (uint32_t)n, out->arena, &l, &why) == ETC_OK)
		check_statistics(j, &l, out);
	else
		out->no_memory = true;
}

/* Checks that manifest.json and metrics.json have the same results. (For folders of etcore,
 * etc_recompute() does this.) */
static void check_twice(const struct etc_run_folder *f, struct etc_findings *out)
{
	const struct etc_tree *results = etc_tree_get(f->metrics.tree, "results");

	if (f->kind == ETC_FOLDER_G3 || !f->metrics.tree || !f->manifest.tree)
		return;
	if (!results || results->type != ETC_JSON_ARRAY)
		etc_finding(out, E1053, ETC_STR("metrics.json"), "'results' is %s; expected a list",
		            etc_tree_kind(results));
	else if (f->kind != ETC_FOLDER_ETCORE)
		etc_tree_differences(etc_tree_get(f->manifest.tree, "results"), results,
		                     ETC_STR("metrics.json"), "results", "manifest.json says", out);
}

/* ---- logs ------------------------------------------------------------------------------ */

static void check_count(struct etc_str where, const char *what, double have, uint64_t want,
                        struct etc_findings *out)
{
	if (want && have != (double)want)
		etc_finding(out, E1059, where, "it says %s %g, the run's files say %llu", what,
		            have, (unsigned long long)want);
}

/* Returns the summary that G3 (the kit's package) appends to a log: the text after the line
 * "PERFORMANCE SUMMARY". If there are several such lines, the last one counts, because earlier
 * output may contain these words. Empty: there is no summary. */
static struct etc_str summary_of(struct etc_str log)
{
	const struct etc_str words = ETC_STR("\nPERFORMANCE SUMMARY");
	size_t last = log.len;

	for (size_t at = 0; (at = etc_str_find(log, words, at)) != SIZE_MAX;)
		last = at += words.len;
	return etc_str_sub(log, last, log.len);
}

/* Reads the number at the beginning of a value, such as 0.066584 in "0.066584s". NaN: there is no
 * number. */
static double leading_number(struct etc_str value)
{
	size_t end = 0;
	double v;

	while (end < value.len &&
	       ((value.ptr[end] >= '0' && value.ptr[end] <= '9') || value.ptr[end] == '.'))
		end++;
	return etc_number_parse(etc_str_sub(value, 0, end), &v) ? v : (double)NAN;
}

/* Checks the summary of G3 (the kit's package). Its numbers of threads and iterations must be those
 * of the job `j`. Its total time must be that in the runner's own line in the same log (`r`). Each
 * difference is reported as E1059, located at `where`. */
static void check_summary(const struct etc_folder_job *j, struct etc_str where, struct etc_str log,
                          const struct etc_runner_log *r, struct etc_findings *out)
{
	struct etc_str summary = summary_of(log);
	struct etc_str threads = etc_line_value(summary, "CPU Threads");
	struct etc_str runs = etc_line_value(summary, "Execution Iterations");
	double total = leading_number(etc_line_value(summary, "Execution Total Runner"));

	if (threads.len)
		check_count(where, "CPU Threads:", leading_number(threads), j->threads, out);
	if (runs.len)
		check_count(where, "Execution Iterations:", leading_number(runs), j->runs, out);
	if (r->executed && fabs(total * 1000 - r->total_ms) > 0.001)
		etc_finding(out, E1059, where,
		            "it says Execution Total Runner: %g s, the runner's line %g ms", total,
		            r->total_ms);
}

void etc_validate_log(const struct etc_run_folder *f, const struct etc_folder_entry *e,
                      struct etc_str text, struct etc_findings *out)
{
	const struct etc_folder_job *j = NULL;
	struct etc_error why = { .at = -1 };
	struct etc_runner_log r;
	double sum_ms;

	for (uint32_t i = 0; i < f->job_count && !j; i++)
		if (f->jobs[i].log.len && etc_run_folder_find(&f->logs, f->jobs[i].log) == e)
			j = &f->jobs[i];
	if (!j || f->kind == ETC_FOLDER_ETCORE)
		return; /* the logs of etcore's own runs are checked by etc_recompute() */
	if (etc_runner_log_read(text, out->arena, &r, &why) != ETC_OK) {
		out->no_memory = true;
		return;
	}
	if (r.threads >= 0)
		check_count(e->rel, "num threads =", r.threads, j->threads, out);
	if (r.iterations && r.executed && r.total_count >= 0 && r.total_count != r.iterations)
		etc_finding(out, E1059, e->rel, "%u iterations of %g", r.iterations, r.total_count);
	else if (etc_runner_log_lacks(&r))
		etc_finding(out, E1059, e->rel, "%u iterations of %g", r.iterations,
		            r.iterations_of);
	if (!r.iterations && r.executed && r.total_count >= 0)
		check_count(e->rel, "Model executed successfully, time(s):", r.total_count, j->runs,
		            out);
	if (etc_runner_log_contradicts(&r, &sum_ms))
		etc_finding(out, W1020, e->rel,
		            "it has executions of %g ms, and says %g ms for all", sum_ms,
		            r.total_ms);
	check_summary(j, e->rel, text, &r, out);
}

void etc_validate_summary(const struct etc_folder_job *j, const struct etc_kit_robust *dump,
                          struct etc_str where, struct etc_findings *out)
{
	const struct {
		const char *key;
		double want;
	} rows[] = { { "median_ms", dump->median },
		     { "mean_ms", dump->mean },
		     { "cv_percent", dump->cv } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct etc_tree *t = etc_tree_get(j->metrics, rows[i].key);
		double v;

		if (t && (!etc_tree_number(t, &v) || !near(v, rows[i].want)))
			etc_finding(out, E1059, where,
			            "the summary's %s is " ETC_STR_FMT "; the dump says %.10g",
			            rows[i].key, ETC_STR_ARG(etc_tree_shown(t)), rows[i].want);
	}
}

/* Reports a key that occurs twice in an object of a document, because one reader of JSON may use
 * the first of the two values and another reader the second. */
static void check_repeated(const struct etc_run_folder *f, struct etc_findings *out)
{
	const struct {
		const char *name;
		const struct etc_tree *tree;
	} rows[] = { { "manifest.json", f->manifest.tree },
		     { "metrics.json", f->metrics.tree },
		     { "analysis_summary.json", f->analysis.tree },
		     { "pipeline_summary.json", f->summary.tree } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct etc_error why = { .at = -1 };
		const struct etc_tree *twice;

		if (!rows[i].tree)
			continue;
		if (etc_tree_repeated(rows[i].tree, &twice, &why) != ETC_OK)
			out->no_memory = true;
		else if (twice)
			etc_finding(out, E1053, etc_str_of(rows[i].name),
			            "line %u: '" ETC_STR_FMT "' occurs twice in an object",
			            twice->line, ETC_STR_ARG(twice->key));
	}
}

void etc_validate_members(const struct etc_run_folder *f, struct etc_findings *out)
{
	check_repeated(f, out);
	for (uint32_t i = 0; f->kind != ETC_FOLDER_ETCORE && i < f->job_count; i++)
		check_members(f, &f->jobs[i], out);
}

void etc_validate_jobs(const struct etc_run_folder *f, struct etc_findings *out)
{
	const struct etc_tree *listed = etc_tree_list(f->manifest.tree, "jobs");
	uint32_t experiments = etc_run_folder_experiments(f);
	uint64_t before = out->failed;

	/* a run of etcore that was interrupted before its first process ended has no results; this
	 * is no error */
	if (!f->job_count && !(listed && listed->count && f->kind == ETC_FOLDER_ETCORE))
		etc_finding(out, E1053, (struct etc_str){ 0 }, "no experiment is named");
	if (!f->why_not && !f->model.len)
		etc_finding(out, E1053, (struct etc_str){ 0 }, "no model is named");
	for (uint32_t i = 0; i < f->job_count; i++) {
		const struct etc_folder_job *j = &f->jobs[i];

		if (!j->experiment.len)
			etc_finding(out, E1053, etc_job_place(j, out->arena),
			            "'experiment' must be text");
		if (etc_job_is_open(f, j))
			continue;
		check_state(j, out);
		check_files(f, j, out);
		if (f->kind != ETC_FOLDER_ETCORE)
			check_times(f, j, out);
	}
	etc_validate_members(f, out);
	check_twice(f, out);
	if (out->failed == before)
		etc_finding_passed(out, "%lu experiment%s: files, states, latencies",
		                   (unsigned long)experiments, etc_plural(experiments));
}

/* ---- times and hashes ------------------------------------------------------------------- */

void etc_validate_times(const struct etc_run_folder *f, int64_t now, struct etc_findings *out)
{
	const struct etc_tree *document =
		f->kind == ETC_FOLDER_G3 ? f->summary.tree : f->manifest.tree;
	const struct etc_tree *t = etc_tree_get(document, "generated_at");
	struct etc_str text = etc_tree_text(t);
	int64_t written;

	if (!t)
		return;
	if (!etc_time_parse(text, &written))
		etc_finding(out, E1053, (struct etc_str){ 0 },
		            "'generated_at' is '" ETC_STR_FMT "'; expected a date and time",
		            ETC_STR_ARG(etc_tree_shown(t)));
	else if (written > now + DAY)
		etc_finding(out, W1061, (struct etc_str){ 0 },
		            "'generated_at' is in the future: " ETC_STR_FMT, ETC_STR_ARG(text));
}

/* ---- hashes ----------------------------------------------------------------------------- */

struct hashed {
	struct etc_findings *out;
	uint64_t left; /* number of bytes that may still be read */
};

/* Checks the SHA-256 of the file `path`, if the manifest has a hash for it (`wanted`) and the file
 * exists. `size`: size of the file in bytes according to the manifest; NULL: the manifest has no
 * size. */
static void check_hash(struct hashed *h, struct etc_str path, struct etc_str wanted,
                       const uint64_t *size)
{
	struct etc_findings *out = h->out;
	const char *name, *have;
	struct stat st;

	if (!path.len || !wanted.len)
		return;
	name = etc_arena_cstr(out->arena, path);
	out->no_memory = out->no_memory || !name;
	if (!name || stat(name, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	if (size && *size != (uint64_t)st.st_size) {
		etc_finding(out, E1060, path, "it has %llu bytes, the manifest says %llu",
		            (unsigned long long)st.st_size, (unsigned long long)*size);
		return;
	}
	if ((uint64_t)st.st_size > h->left) {
		etc_finding(out, W1075, path, "it has %llu bytes", (unsigned long long)st.st_size);
		return;
	}
	h->left -= (uint64_t)st.st_size;
	have = etc_file_sha256(name, out->arena, NULL);
	if (have && !etc_str_eq(wanted, etc_str_of(have)))
		etc_finding(out, E1060, path, "its SHA-256 is %.12s…, the manifest says %.12s…",
		            have, wanted.len >= 12 ? wanted.ptr : "nothing");
}

void etc_validate_hashes(const struct etc_run_folder *f, struct etc_findings *out)
{
	const struct etc_tree *m = f->manifest.tree, *list = etc_tree_get(m, "experiments");
	struct hashed h = { out, (uint64_t)16 << 30 };
	uint64_t size;
	bool sized = etc_tree_count(etc_tree_get(m, "model_bytes"), &size);

	check_hash(&h, f->model, etc_tree_string(m, "model_sha256"), sized ? &size : NULL);
	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next)
		check_hash(&h, etc_tree_string(t, "runner"), etc_tree_string(t, "runner_sha256"),
		           NULL);
	for (uint32_t i = 0; i < f->job_count; i++) {
		struct etc_str dump = f->jobs[i].etdump;
		const char *path = dump.len ? etc_run_folder_path(f, dump, out->arena) : NULL;

		check_hash(&h, etc_str_of(path), f->jobs[i].etdump_sha256, NULL);
	}
}

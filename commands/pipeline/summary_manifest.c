/* summary_manifest.c -- see summary_internal.h: pairs, gates and failures of a manifest. */
#include "commands/pipeline/summary_internal.h"

/* ---- gates ------------------------------------------------------------------------------ */

/* Reads a fraction in (0, most], given in units of `unit`. */
static bool take_share(const struct etc_tree *gates, const char *key, double unit, double most,
                       double *to)
{
	double v;

	if (!etc_tree_number(etc_tree_get(gates, key), &v) || !(v >= 0 && v * unit < most))
		return false;
	*to = v * unit;
	return true;
}

static void read_gates(struct etc_summary *s)
{
	const struct etc_tree *t = etc_tree_get(s->folder->manifest.tree, "gates");

	s->gates =
		(struct etc_summary_gates){ .alpha = 0.05, .min_effect = 0.02, .regression = 0.05 };
	(void)take_share(t, "alpha", 1, 1, &s->gates.alpha);
	(void)take_share(t, "min_effect_pct", 0.01, 1e6, &s->gates.min_effect);
	s->gates.regression_set = take_share(t, "regression_pct", 0.01, 1e6, &s->gates.regression);
	if (!(s->gates.alpha > 0))
		s->gates.alpha = 0.05;
}

/* ---- pairs ------------------------------------------------------------------------------- */

/* Reads the pairs that the configuration declares, not those that follow from names. */
static enum etc_status read_pairs(struct etc_summary *s, struct etc_error *err)
{
	const struct etc_tree *list = etc_tree_list(s->folder->manifest.tree, "compare_pairs");

	s->pairs = etc_new(s->arena, struct etc_summary_pair, list ? list->count : 0);
	ETC_NEED(s->pairs, err);
	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next) {
		const struct etc_tree *found = etc_tree_get(t, "by_name");
		const struct etc_tree *base = etc_tree_get(t, "baseline");
		const struct etc_tree *candidate = etc_tree_get(t, "candidate");

		if (found && found->type == ETC_JSON_TRUE)
			continue;
		s->pairs[s->pair_count++] = (struct etc_summary_pair){
			.base = etc_tree_text(etc_tree_get(base, "experiment")),
			.base_threads = etc_tree_whole(base, "threads"),
			.candidate = etc_tree_text(etc_tree_get(candidate, "experiment")),
			.candidate_threads = etc_tree_whole(candidate, "threads"),
		};
	}
	return ETC_OK;
}

/* ---- failures ----------------------------------------------------------------------------- */

static void add(struct etc_summary *s, struct etc_summary_failure f)
{
	s->failures[s->failure_count++] = f;
}

/* Reads failures from the list of processes in a manifest of etcore. */
static void take_jobs(struct etc_summary *s, const struct etc_tree *list)
{
	for (const struct etc_tree *t = list->first; t; t = t->next) {
		struct etc_str status = etc_tree_text(etc_tree_get(t, "status"));
		struct etc_str why = etc_tree_text(etc_tree_get(t, "why"));

		if (etc_str_eq(status, ETC_STR("ok")))
			continue;
		if (!why.len)
			why = etc_str_eq(status, ETC_STR("failed")) ? ETC_STR("it failed")
			      : etc_str_eq(status, ETC_STR("interrupted"))
			              ? ETC_STR("it was interrupted")
			              : ETC_STR("it was not measured");
		add(s, (struct etc_summary_failure){
			       .experiment = etc_tree_text(etc_tree_get(t, "experiment")),
			       .code = etc_tree_text(etc_tree_get(t, "code")),
			       .why = why,
			       .threads = etc_tree_whole(t, "threads"),
			       .block = etc_tree_whole(t, "block"),
		       });
	}
}

/* Reads failures from a folder of the kit: results that are marked as failed, and those
 * without a dump. */
static void take_results(struct etc_summary *s)
{
	for (uint32_t i = 0; i < s->folder->job_count; i++) {
		const struct etc_folder_job *j = &s->folder->jobs[i];
		bool failed = etc_str_eq(j->status, ETC_STR("failed")) ||
		              etc_str_eq(j->status, ETC_STR("error"));
		bool has_dump = j->without_dump;

		for (uint32_t k = 0; k < s->dump_count && !has_dump; k++)
			has_dump = etc_run_folder_job(s->folder, s->dumps[k].entry) == j;
		if (failed || !has_dump)
			add(s, (struct etc_summary_failure){
				       .experiment = j->experiment,
				       .why = failed ? j->status : ETC_STR("its ETDump is missing"),
				       .threads = j->threads,
			       });
	}
}

/* An experiment whose dump cannot be used was not measured. */
static void take_dumps(struct etc_summary *s)
{
	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct etc_summary_dump *d = &s->dumps[i];

		if (d->why.code != ETC_CODE_NONE)
			add(s, (struct etc_summary_failure){
				       .experiment = d->experiment,
				       .code = etc_str_of(etc_code_info(d->why.code)->name),
				       .why = etc_str_of(d->why.text),
				       .threads = d->threads,
			       });
	}
}

static enum etc_status read_failures(struct etc_summary *s, struct etc_error *err)
{
	const struct etc_tree *jobs = etc_tree_list(s->folder->manifest.tree, "jobs");
	size_t room = (size_t)(jobs ? jobs->count : 0) + s->folder->job_count + s->dump_count;

	s->failures = etc_new(s->arena, struct etc_summary_failure, room);
	ETC_NEED(s->failures, err);
	if (jobs)
		take_jobs(s, jobs);
	else
		take_results(s);
	take_dumps(s);
	return ETC_OK;
}

enum etc_status etc_summary_read_manifest(struct etc_summary *s, struct etc_error *err)
{
	read_gates(s);
	ETC_TRY(read_pairs(s, err));
	return read_failures(s, err);
}

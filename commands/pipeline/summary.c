/* summary.c -- reads gates, pairs and failures from the manifest, adds up the dumps of each
 * experiment, and compares the experiments of each pair; see summary.h. */
#include "commands/pipeline/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "commands/pipeline/gates.h"
#include "stats/gate.h"

/* Limit in percent for the verdict "no difference", if there is no regression gate: the whole
 * interval must be within it. */
enum { DEFAULT_LIMIT_PCT = 5 };

/* ---- gates ------------------------------------------------------------------------------ */

static void read_gates(struct etc_summary *s)
{
	struct etc_gates g;
	bool set;

	etc_gates_read(s->folder->manifest.tree, &g, NULL);
	set = !isnan(g.regression_pct);
	s->gates = (struct etc_summary_gates){
		.alpha = g.alpha,
		.min_effect = g.min_effect_pct / 100,
		.regression = (set ? g.regression_pct : DEFAULT_LIMIT_PCT) / 100,
		.regression_set = set,
	};
}

/* ---- pairs of a manifest ---------------------------------------------------------------- */

/* Reads the pairs in the manifest. Pairs that were not declared, but follow from names and roles
 * (by_name), are read only if there is a regression gate: the gate must not pass if one side of
 * such a pair was not measured. */
static enum etc_status read_pairs(struct etc_summary *s, struct etc_error *err)
{
	const struct etc_tree *list = etc_tree_list(s->folder->manifest.tree, "compare_pairs");

	s->pairs = etc_new(s->arena, struct etc_summary_pair, list ? list->count : 0);
	ETC_NEED(s->pairs, err);
	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next) {
		const struct etc_tree *found = etc_tree_get(t, "by_name");
		const struct etc_tree *base = etc_tree_get(t, "baseline");
		const struct etc_tree *candidate = etc_tree_get(t, "candidate");

		bool by_name = found && found->type == ETC_JSON_TRUE;

		if (by_name && !s->gates.regression_set)
			continue;
		s->by_name = s->by_name || by_name;
		s->pairs[s->pair_count++] = (struct etc_summary_pair){
			.base = etc_tree_string(base, "experiment"),
			.base_threads = etc_tree_whole(base, "threads"),
			.candidate = etc_tree_string(candidate, "experiment"),
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
		struct etc_str status = etc_tree_string(t, "status");
		struct etc_str why = etc_tree_string(t, "why");

		if (etc_str_eq(status, ETC_STR("ok")))
			continue;
		if (!why.len)
			why = etc_str_eq(status, ETC_STR("failed")) ? ETC_STR("it failed")
			      : etc_str_eq(status, ETC_STR("interrupted"))
			              ? ETC_STR("it was interrupted")
			              : ETC_STR("it was not measured");
		add(s, (struct etc_summary_failure){
			       .experiment = etc_tree_string(t, "experiment"),
			       .code = etc_tree_string(t, "code"),
			       .why = why,
			       .threads = etc_tree_whole(t, "threads"),
			       .block = etc_tree_whole(t, "block"),
		       });
	}
}

/* Returns a text about why the dump of the job is missing. */
static struct etc_str lacks(const struct etc_summary *s, const struct etc_folder_job *j)
{
	const char *why =
		j->etdump.len ? etc_run_folder_lacks(s->folder, j->etdump, s->arena) : NULL;

	return why ? etc_arena_printf(s->arena, "its ETDump %s", why)
	           : ETC_STR("its ETDump is missing");
}

/* Lists the experiments that have no ETDump because no job of the experiment had to record one. */
static enum etc_status list_dumpless(struct etc_summary *s, struct etc_error *err)
{
	const struct etc_run_folder *f = s->folder;
	struct etc_map names;

	s->dumpless = etc_new(s->arena, struct etc_str, f->job_count);
	ETC_NEED(s->dumpless, err);
	etc_map_init(&names, s->arena);
	for (unsigned without = 0; without < 2; without++)
		for (uint32_t i = 0; i < f->job_count; i++) {
			size_t first;

			if (f->jobs[i].without_dump != without)
				continue;
			first = etc_map_add(&names, f->jobs[i].experiment, i);
			ETC_NEED(first != ETC_MAP_NONE, err);
			if (without && first == i)
				s->dumpless[s->dumpless_count++] = f->jobs[i].experiment;
		}
	return ETC_OK;
}

/* Adds a failure for each job that is marked as failed, and for each job that had to record a dump
 * but has none. `listed`: take_jobs() has already read failures from the manifest's list of
 * processes; then only those jobs are examined that are ok and name a dump. */
static enum etc_status take_results(struct etc_summary *s, bool listed, struct etc_error *err)
{
	const struct etc_run_folder *f = s->folder;
	bool *has_dump = etc_new(s->arena, bool, f->job_count);

	ETC_NEED(has_dump, err);
	for (uint32_t k = 0; k < f->dumps.count; k++) {
		const struct etc_folder_job *j = etc_run_folder_job(f, &f->dumps.v[k]);

		if (j)
			has_dump[j - f->jobs] = true;
	}
	for (uint32_t i = 0; i < f->job_count; i++) {
		const struct etc_folder_job *j = &f->jobs[i];
		bool failed = !etc_job_succeeded(j);

		if (listed && (!etc_str_eq(j->status, ETC_STR("ok")) || !j->etdump.len))
			continue;
		if (failed || !(has_dump[i] || j->without_dump))
			add(s, (struct etc_summary_failure){
				       .experiment = j->experiment,
				       .why = failed ? j->status : lacks(s, j),
				       .threads = j->threads,
				       .block = j->block,
			       });
	}
	return ETC_OK;
}

/* Adds a failure for each dump that cannot be used, because the measurement of its experiment is
 * then not complete. A copy of another dump is not a failure. */
static void take_dumps(struct etc_summary *s)
{
	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct etc_summary_dump *d = &s->dumps[i];
		const struct etc_folder_job *of = etc_run_folder_job(s->folder, d->entry);

		if (d->why.code != ETC_CODE_NONE && d->why.code != N0180)
			add(s, (struct etc_summary_failure){
				       .experiment = d->experiment,
				       .code = etc_str_of(etc_code_info(d->why.code)->name),
				       .why = etc_str_of(d->why.text),
				       .threads = d->threads,
				       .block = of ? of->block : 0,
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
	ETC_TRY(take_results(s, jobs != NULL, err));
	ETC_TRY(list_dumpless(s, err));
	take_dumps(s);
	return ETC_OK;
}

/* Reads the pairs of experiments to compare, the gates and the failures, from the documents of the
 * folder. E0904. */
static enum etc_status read_manifest(struct etc_summary *s, struct etc_error *err)
{
	read_gates(s);
	ETC_TRY(read_pairs(s, err));
	return read_failures(s, err);
}

const char *const etc_profile_names[ETC_PROFILES] = { "etcore", "kit-v1", "kit-v2" };

bool etc_leaves_add(struct etc_leaves *l, struct etc_str category, etc_u128 time,
                    struct etc_arena *arena)
{
	struct etc_leaf *new;

	for (uint32_t i = 0; i < l->count; i++)
		if (etc_str_eq(l->v[i].category, category)) {
			l->v[i].time += time;
			return true;
		}
	category = etc_arena_str(arena, category);
	new = category.ptr ? ETC_APPEND(arena, l->v, l->count, l->room) : NULL;
	if (!new)
		return false;
	*new = (struct etc_leaf){ category, time };
	return true;
}

bool etc_breakdown_holds(const struct etc_breakdown *b)
{
	for (int p = 0; p < ETC_PROFILES; p++) {
		etc_u128 sum = b->delegate_overhead + b->operator_overhead + b->framework;

		for (uint32_t i = 0; i < b->leaves[p].count; i++)
			sum += b->leaves[p].v[i].time;
		if (sum != b->end_to_end)
			return false;
	}
	return true;
}

double etc_breakdown_ms(const struct etc_breakdown *b, etc_u128 sum)
{
	return b->executions
	               ? etc_ratio_double(etc_ratio(sum, (etc_u128)b->executions *
	                                                         (b->den ? b->den : 1) * 1000000))
	               : 0;
}

/* ---- experiments ----------------------------------------------------------------------- */

static bool add_breakdown(struct etc_breakdown *to, const struct etc_breakdown *b,
                          struct etc_arena *arena)
{
	const uint64_t from = b->den, den = to->den;
	bool ok = true;

	to->executions += b->executions;
	to->set_aside += b->set_aside;
	to->end_to_end += etc_breakdown_parts(b->end_to_end, from, den);
	to->delegate_overhead += etc_breakdown_parts(b->delegate_overhead, from, den);
	to->rounding += etc_breakdown_parts(b->rounding, from, den);
	to->operator_overhead += etc_breakdown_parts(b->operator_overhead, from, den);
	to->framework += etc_breakdown_parts(b->framework, from, den);
	to->delegated += etc_breakdown_parts(b->delegated, from, den);
	to->detached += etc_breakdown_parts(b->detached, from, den);
	for (int p = 0; p < ETC_PROFILES; p++)
		for (uint32_t i = 0; ok && i < b->leaves[p].count; i++)
			ok = etc_leaves_add(&to->leaves[p], b->leaves[p].v[i].category,
			                    etc_breakdown_parts(b->leaves[p].v[i].time, from, den),
			                    arena);
	return ok;
}

static int slower(const void *x, const void *y)
{
	const struct etc_leaf *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return etc_str_cmp(a->category, b->category);
}

static void sort_leaves(struct etc_breakdown *b)
{
	for (int p = 0; p < ETC_PROFILES; p++)
		if (b->leaves[p].count)
			qsort(b->leaves[p].v, b->leaves[p].count, sizeof *b->leaves[p].v, slower);
}

static enum etc_status fill_experiment(struct etc_summary *s, uint32_t index, struct etc_error *err)
{
	struct etc_summary_experiment *x = &s->experiments[index];
	bool labelled = false;
	double *latency;
	size_t n = 0;

	for (uint32_t i = 0; i < s->dump_count; i++)
		n += s->dumps[i].of == index ? s->dumps[i].times.executions : 0;
	latency = etc_new(s->arena, double, n);
	ETC_NEED(latency, err);
	for (uint32_t i = 0; i < s->dump_count; i++) {
		struct etc_summary_dump *d = &s->dumps[i];

		if (d->of != index || d->why.code != ETC_CODE_NONE)
			continue;
		ETC_NEED(add_breakdown(&x->times, &d->times, s->arena), err);
		if (d->times.executions)
			memcpy(latency + x->latency_count, d->latency_ms,
			       d->times.executions * sizeof *latency);
		x->latency_count += d->times.executions;
		sort_leaves(&d->times);
	}
	sort_leaves(&x->times);
	for (uint32_t i = 0; i < s->experiment_count; i++)
		labelled = labelled || (i != index && etc_str_eq(s->experiments[i].name, x->name));
	x->label = labelled ? etc_arena_printf(s->arena, ETC_STR_FMT "_t%llu", ETC_STR_ARG(x->name),
	                                       (unsigned long long)x->threads)
	                    : x->name;
	if (x->latency_count)
		return etc_kit_robust_of(latency, x->latency_count, s->arena, &x->robust, err);
	return ETC_OK;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static bool has_role(const struct etc_summary *s, struct etc_str name, const char *role)
{
	const struct etc_tree *list = etc_tree_get(s->folder->manifest.tree, "experiments");

	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next)
		if (etc_str_eq(etc_tree_string(t, "name"), name))
			return etc_str_eq(etc_tree_string(t, "role"), etc_str_of(role));
	return false;
}

static bool is_off(struct etc_str name)
{
	return etc_str_ends(name, ETC_STR("_off")) || etc_str_ends(name, ETC_STR("-off"));
}

/* Returns the index of the experiment that is the baseline at this number of threads. This is the
 * experiment with the role baseline; if there is none, the first whose name ends with _off or -off;
 * else the first. Experiments that were not measured, or that have another role, are skipped.
 * UINT32_MAX: there is no baseline. */
static uint32_t baseline(const struct etc_summary *s, uint64_t threads)
{
	uint32_t best = UINT32_MAX;
	int best_rank = -1;

	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_summary_experiment *x = &s->experiments[i];
		int rank = has_role(s, x->name, "baseline") ? 2 : is_off(x->name);

		if (x->threads != threads || !x->latency_count ||
		    has_role(s, x->name, "candidate") || has_role(s, x->name, "other"))
			continue;
		if (rank > best_rank) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

/* Is the whole interval between 1 / (1 + share) and 1 + share, so that the change is at most
 * `share` in either direction? */
static bool is_within(const struct etc_interval *ratio, double share)
{
	return ratio->low >= 1 / (1 + share) && ratio->high <= 1 + share;
}

const struct etc_interval *etc_summary_interval(const struct etc_comparison *c)
{
	const double widest = 100;
	const bool claims = etc_compare_claims(c);
	const struct etc_interval *i = !claims && c->process_interval.why == ETC_DEFINED
	                                       ? &c->process_interval
	                                       : &c->ratio_interval;

	if (i->why != ETC_DEFINED || !(i->low > 0 && i->high <= widest * i->low))
		return NULL;
	return claims || (i->low <= 1 && i->high >= 1) ? i : NULL;
}

/* Returns the verdict for a pair whose change is not significant and whose gate passed: "no
 * difference" if a change beyond the limit is excluded in both directions; otherwise "cannot tell",
 * and *why is set to the reason. */
static const char *without_change(const struct etc_comparison *c, double limit, const char **why)
{
	if (c->ratio_interval.why != ETC_DEFINED)
		*why = "too few runs or recordings for an interval";
	else if (!is_within(&c->ratio_interval, limit))
		*why = "a change beyond the limit is possible";
	else if (c->process_interval.why == ETC_DEFINED && !is_within(&c->process_interval, limit))
		*why = "what other recordings of the same differ by is not known";
	else
		return "no difference";
	return "cannot tell";
}

static const char *verdict_of(const struct etc_comparison *c, const struct etc_summary_gates *g,
                              const char **why)
{
	bool has_ratio = c->ratio_why == ETC_DEFINED, claimed = etc_compare_claims(c);
	enum etc_gate_result gate = etc_gate_verdict(c, has_ratio, g->regression, why);

	/* NOISY and ALONE mean that there may be a slowdown above the limit. If a slowdown is
	 * claimed anyway, these two results do not matter. */
	if (gate >= ETC_GATE_FEW &&
	    !(claimed && (gate == ETC_GATE_NOISY || gate == ETC_GATE_ALONE)))
		return "cannot tell";
	*why = "";
	if (!claimed)
		return without_change(c, g->regression, why);
	if (fabs(c->ratio - 1) < g->min_effect)
		return "negligible";
	return c->difference < 0 ? "faster" : "slower";
}

/* Returns a dump of experiment `in` that has the same bytes as `d`, or NULL. */
static const struct etc_summary_dump *equal_dump(const struct etc_summary *s,
                                                 const struct etc_summary_dump *d, uint32_t in)
{
	for (uint32_t i = 0; i < s->dump_count; i++)
		if (s->dumps[i].of == in && s->dumps[i].why.code == ETC_CODE_NONE &&
		    s->dumps[i].sha256 && d->sha256 && strcmp(s->dumps[i].sha256, d->sha256) == 0)
			return &s->dumps[i];
	return NULL;
}

/* Returns the first dump of experiment `in` that experiment `other` has, too; NULL: there is none.
 * Sets *all if `other` has every dump of `in`. */
static const struct etc_summary_dump *first_shared(const struct etc_summary *s, uint32_t in,
                                                   uint32_t other, bool *all)
{
	const struct etc_summary_dump *first = NULL;

	*all = true;
	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct etc_summary_dump *d = &s->dumps[i];

		if (d->of != in || d->why.code != ETC_CODE_NONE)
			continue;
		if (!equal_dump(s, d, other))
			*all = false;
		else if (!first)
			first = d;
	}
	return first;
}

/* Returns the reason why the recordings of the two sides are not measurements of two different
 * experiments; NULL: they are such measurements. Sets c->shared and c->shared_with. */
static const char *not_comparable(const struct etc_summary *s, struct etc_summary_comparison *c)
{
	bool all_of_base, all_of_candidate;

	c->shared = first_shared(s, c->base, c->candidate, &all_of_base);
	(void)first_shared(s, c->candidate, c->base, &all_of_candidate);
	c->shared_with = c->shared ? equal_dump(s, c->shared, c->candidate) : NULL;
	if (c->shared && (all_of_base || all_of_candidate))
		return "all recordings of one are also the other's";
	if (s->experiments[c->base].other_threads || s->experiments[c->candidate].other_threads)
		return "a log tells another number of threads than the run";
	return NULL;
}

static void judge(struct etc_summary *s, struct etc_summary_comparison *c,
                  const struct etc_comparison *row)
{
	const char *why = not_comparable(s, c);

	c->end_to_end = *row;
	c->why = why ? why : "";
	c->verdict = why ? "cannot tell" : verdict_of(row, &s->gates, &c->why);
	c->regressed = s->gates.regression_set && strcmp(c->verdict, "cannot tell") != 0 &&
	               etc_compare_regressed(row, s->gates.regression);
}

/* Makes a group of the dumps of an experiment. Each dump was written by one process, so each dump
 * is a block. If the manifest has the order of recording for all of these dumps, the order is set,
 * too. */
static enum etc_status group_of(const struct etc_summary *s, uint32_t index,
                                struct etc_arena *arena, struct etc_sample_group *out,
                                struct etc_error *err)
{
	struct etc_dump_samples *dumps =
		etc_new(arena, struct etc_dump_samples, s->experiments[index].dumps);
	double *places = etc_new(arena, double, s->experiments[index].dumps);

	*out = (struct etc_sample_group){ .dumps = dumps, .places = places };
	ETC_NEED(dumps && places, err);
	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct etc_summary_dump *d = &s->dumps[i];

		if (d->of != index || !d->times.executions)
			continue;
		if (!d->order)
			out->places = NULL;
		places[out->dump_count] = (double)d->order;
		dumps[out->dump_count++] = (struct etc_dump_samples){ .runs = d->times.executions,
			                                              .time = d->latency_ms,
			                                              .rows = d->latency_ms };
	}
	return ETC_OK;
}

/* Compares two experiments, and adds the result to the comparisons. Memory for the bootstrap is
 * released at the end. */
static enum etc_status compare(struct etc_summary *s, uint32_t base, uint32_t candidate,
                               struct etc_error *err)
{
	struct etc_summary_comparison *c = &s->comparisons[s->comparison_count++];
	struct etc_compare_options options = s->compare;
	struct etc_sample_group a = { 0 }, b = { 0 };
	struct etc_arena scratch;
	enum etc_status st;

	*c = (struct etc_summary_comparison){ .base = base, .candidate = candidate };
	options.level = 1 - s->gates.alpha;
	etc_arena_init(&scratch, s->arena->budget);
	st = group_of(s, base, &scratch, &a, err);
	if (st == ETC_OK)
		st = group_of(s, candidate, &scratch, &b, err);
	if (st == ETC_OK)
		st = etc_compare(&a, &b, 1, &options, &c->end_to_end, &scratch, err);
	c->order_known = st == ETC_OK && a.places && b.places;
	etc_arena_release(&scratch);
	return st;
}

/* Returns the index of the measured experiment with that name and number of threads, or
 * UINT32_MAX. */
static uint32_t find_experiment(const struct etc_summary *s, struct etc_str name, uint64_t threads)
{
	for (uint32_t i = 0; i < s->experiment_count; i++)
		if (s->experiments[i].threads == threads && s->experiments[i].latency_count &&
		    etc_str_eq(s->experiments[i].name, name))
			return i;
	return UINT32_MAX;
}

static enum etc_status compare_declared(struct etc_summary *s, struct etc_error *err)
{
	for (uint32_t i = 0; i < s->pair_count; i++) {
		struct etc_summary_pair *p = &s->pairs[i];
		uint32_t base = find_experiment(s, p->base, p->base_threads);
		uint32_t candidate = find_experiment(s, p->candidate, p->candidate_threads);

		p->no_base = base == UINT32_MAX;
		p->no_candidate = candidate == UINT32_MAX;
		if (!p->no_base && !p->no_candidate && !s->by_name)
			ETC_TRY(compare(s, base, candidate, err));
	}
	return ETC_OK;
}

static enum etc_status compare_all(struct etc_summary *s, struct etc_error *err)
{
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_summary_experiment *x = &s->experiments[i];
		uint32_t base = baseline(s, x->threads);

		if (base != i && base != UINT32_MAX && x->latency_count &&
		    !has_role(s, x->name, "baseline") && !has_role(s, x->name, "other"))
			ETC_TRY(compare(s, base, i, err));
	}
	return ETC_OK;
}

static enum etc_status pair(struct etc_summary *s, struct etc_error *err)
{
	uint32_t room = s->experiment_count + s->pair_count;
	struct etc_comparison *rows;

	s->comparisons = etc_new(s->arena, struct etc_summary_comparison, room);
	rows = etc_new(s->arena, struct etc_comparison, room);
	ETC_NEED(s->comparisons && rows, err);
	ETC_TRY(compare_declared(s, err));
	if (!s->pair_count || s->by_name)
		ETC_TRY(compare_all(s, err));
	for (uint32_t i = 0; i < s->comparison_count; i++)
		rows[i] = s->comparisons[i].end_to_end;
	ETC_TRY(etc_compare_adjust(rows, s->comparison_count, 1 - s->gates.alpha, s->arena, err));
	for (uint32_t i = 0; i < s->comparison_count; i++)
		judge(s, &s->comparisons[i], &rows[i]);
	return ETC_OK;
}

enum etc_status etc_summary_finish(struct etc_summary *s, struct etc_error *err)
{
	ETC_TRY(read_manifest(s, err));
	for (uint32_t i = 0; i < s->experiment_count; i++)
		ETC_TRY(fill_experiment(s, i, err));
	return pair(s, err);
}

enum etc_status etc_summary_verdict(const struct etc_summary *s, struct etc_error *err)
{
	for (uint32_t i = 0; i < s->pair_count; i++) {
		const struct etc_summary_pair *p = &s->pairs[i];
		struct etc_str name = p->no_base ? p->base : p->candidate;
		uint64_t threads = p->no_base ? p->base_threads : p->candidate_threads;

		if (p->no_base || p->no_candidate)
			return etc_fail(
				err, E1073,
				ETC_STR_FMT "@%llu with " ETC_STR_FMT
					    "@%llu: no usable ETDump of " ETC_STR_FMT "@%llu",
				ETC_STR_ARG(p->base), (unsigned long long)p->base_threads,
				ETC_STR_ARG(p->candidate), (unsigned long long)p->candidate_threads,
				ETC_STR_ARG(name), (unsigned long long)threads);
	}
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		const struct etc_summary_comparison *c = &s->comparisons[i];

		if (c->regressed)
			return etc_fail(err, E1074,
			                ETC_STR_FMT " takes %.3g times as long as " ETC_STR_FMT
			                            "; regression_pct is %g",
			                ETC_STR_ARG(s->experiments[c->candidate].label),
			                c->end_to_end.ratio,
			                ETC_STR_ARG(s->experiments[c->base].label),
			                s->gates.regression * 100);
	}
	return ETC_OK;
}

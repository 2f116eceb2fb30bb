/* recompute.c -- computes the manifest and the metrics of a run folder again from its logs and
 * dumps, and reports differences to the stored files; see recompute.h */
#include "commands/pipeline/recompute.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/map.h"
#include "base/sha256_text.h"
#include "commands/pipeline/kit_stats.h"
#include "commands/pipeline/latency.h"
#include "commands/pipeline/run.h"
#include "commands/pipeline/surroundings.h"

#define MANIFEST ETC_STR("manifest.json")
#define METRICS  ETC_STR("metrics.json")

/* The elapsed time of a process may exceed its time limit by this much, because killing a process
 * takes time. It may also exceed the time from start date to end date by this much, because the
 * system clock may be set. */
enum { SLACK_MS = 5000 };

struct job {
	const struct etc_run_folder *f;
	struct etc_pipeline_run run;
	struct etc_findings *out;
	struct etc_arena *arena;
	/* the numbers that the processes have in the order of start, as far as they were read. The
	 * map detects a number that two processes have */
	struct etc_map orders;
};

/* ---- the settings ---------------------------------------------------------------------- */

static const char *text_of(struct job *j, const struct etc_tree *object, const char *key)
{
	const struct etc_tree *t = etc_tree_get(object, key);
	const char *s = t && t->type == ETC_JSON_STRING ? etc_arena_cstr(j->arena, t->text) : NULL;

	j->out->no_memory = j->out->no_memory || (t && t->type == ETC_JSON_STRING && !s);
	return s;
}

/* Reads a member that must be a whole number of 32 bits. If it is not, adds a finding and returns
 * 0. `of` names the object in the finding. */
static uint32_t count_of(struct job *j, const struct etc_tree *object, const char *of,
                         const char *key)
{
	const struct etc_tree *t = etc_tree_get(object, key);
	uint64_t n = 0;

	if (etc_tree_count(t, &n) && n <= UINT32_MAX)
		return (uint32_t)n;
	etc_finding(j->out, E1053, MANIFEST, "%s: '%s' is %s; expected a whole number", of, key,
	            etc_tree_kind(t));
	return 0;
}

static struct etc_words words_of(struct job *j, const struct etc_tree *object, const char *key)
{
	const struct etc_tree *list = etc_tree_list(object, key);
	struct etc_words w = { 0 };

	w.v = list ? etc_new(j->arena, const char *, list->count + 1) : NULL;
	for (const struct etc_tree *t = w.v ? list->first : NULL; t; t = t->next)
		w.v[w.count++] =
			t->type == ETC_JSON_STRING ? etc_arena_cstr(j->arena, t->text) : NULL;
	for (uint32_t i = 0; i < w.count; i++)
		w.v[i] = w.v[i] ? w.v[i] : "";
	return w;
}

/* Reads a member that must be one of the words text(0) to text(count - 1), and returns the index of
 * the word. If the member is none of these words, adds a finding and returns 0. */
static uint8_t choice_of(struct job *j, const struct etc_tree *object, const char *of,
                         const char *key, const char *(*text)(uint8_t), uint8_t count)
{
	struct etc_str word = etc_tree_string(object, key);

	for (uint8_t i = 0; i < count; i++)
		if (etc_str_eq(word, etc_str_of(text(i))))
			return i;
	etc_finding(j->out, E1053, MANIFEST, "%s: '%s' is '" ETC_STR_FMT "'", of, key,
	            ETC_STR_ARG(word));
	return 0;
}

static void read_threads(struct job *j, const struct etc_tree *t, struct etc_experiment *x)
{
	const struct etc_tree *list = etc_tree_list(t, "threads");
	uint32_t *v = list ? etc_new(j->arena, uint32_t, list->count + 1) : NULL;

	x->threads = (struct etc_numbers){ v, 0 };
	for (const struct etc_tree *n = v ? list->first : NULL; n; n = n->next) {
		uint64_t count = 0;

		if (!etc_tree_count(n, &count) || count > UINT32_MAX)
			etc_finding(j->out, E1053, MANIFEST,
			            "experiment %s: a number of threads is %s", x->name,
			            etc_tree_kind(n));
		v[x->threads.count++] = (uint32_t)count;
	}
	if (!x->threads.count)
		etc_finding(j->out, E1053, MANIFEST, "experiment %s has no numbers of threads",
		            x->name);
}

static void read_target(struct job *j, const struct etc_tree *t, struct etc_run_experiment *e)
{
	const char *target = text_of(j, t, "target");

	if (!target || !etc_target_is(target))
		etc_finding(j->out, E1053, MANIFEST,
		            "'target' is '%s'; expected local, adb or adb:SERIAL",
		            target ? target : "");
	if (!target || strncmp(target, "adb", 3) != 0)
		return;
	e->device = etc_new(j->arena, struct etc_device, 1);
	if (e->device && target[3] == ':')
		e->device->serial = target + 4;
}

static void read_experiment(struct job *j, const struct etc_tree *t, struct etc_experiment *x,
                            struct etc_run_experiment *e)
{
	const struct etc_tree *etdump = etc_tree_get(t, "etdump");
	const char *name = text_of(j, t, "name");
	const char *of;

	etc_experiment_defaults(x);
	if (!name)
		etc_finding(j->out, E1053, MANIFEST, "an experiment has no name that is text");
	else if (!etc_experiment_named(name))
		etc_finding(j->out, E1053, MANIFEST,
		            "the experiment '%s' cannot have files in the run folder", name);
	x->name = name && etc_experiment_named(name) ? name : "";
	of = etc_arena_printf(j->arena, "experiment %s", x->name).ptr;
	of = of ? of : "an experiment";
	x->mode = choice_of(j, t, of, "mode", etc_mode_text, ETC_MODE_XNNTRACE + 1);
	x->role = choice_of(j, t, of, "role", etc_role_text, ETC_ROLE_OTHER + 1);
	x->runs = count_of(j, t, of, "runs");
	x->warmup = count_of(j, t, of, "warmup");
	read_threads(j, t, x);
	x->extra_args = words_of(j, t, "extra_args");
	x->env = words_of(j, t, "env");
	x->inputs = words_of(j, t, "inputs");
	x->method = text_of(j, t, "method");
	x->data_path = text_of(j, t, "data_path");
	x->print_output = text_of(j, t, "print_output");
	x->cpu_affinity = text_of(j, t, "cpu_affinity");
	x->etdump = etdump && etdump->type == ETC_JSON_TRUE;
	if (!x->etdump && !(etdump && etdump->type == ETC_JSON_FALSE))
		etc_finding(j->out, E1053, MANIFEST, "%s: 'etdump' is %s; expected true or false",
		            of, etc_tree_kind(etdump));
	if (!etc_tree_number(etc_tree_get(t, "timeout_s"), &x->timeout_s) || !(x->timeout_s >= 0)) {
		etc_finding(j->out, E1053, MANIFEST, "%s: 'timeout_s' is no number from 0", of);
		x->timeout_s = 0;
	}
	e->runner.path = text_of(j, t, "runner");
	e->runner.sha256 = text_of(j, t, "runner_sha256");
	x->expect_sha256 = text_of(j, t, "expect_sha256");
	read_target(j, t, e);
}

static enum etc_status read_settings(struct job *j, struct etc_error *err)
{
	const struct etc_tree *m = j->f->manifest.tree, *list = etc_tree_list(m, "experiments");
	const struct etc_tree *schedule = etc_tree_get(m, "schedule");
	struct etc_pipeline_config *c = &j->run.config;
	uint32_t n = list ? list->count : 0;

	c->experiments = etc_new(j->arena, struct etc_experiment, n);
	j->run.experiments = etc_new(j->arena, struct etc_run_experiment, n);
	ETC_NEED(c->experiments && j->run.experiments, err);
	if (!n)
		etc_finding(j->out, E1053, MANIFEST, "'experiments' is %s; expected a list",
		            etc_tree_kind(etc_tree_get(m, "experiments")));
	for (const struct etc_tree *t = n ? list->first : NULL; t; t = t->next) {
		read_experiment(j, t, &c->experiments[c->experiment_count],
		                &j->run.experiments[c->experiment_count]);
		c->experiment_count++;
	}
	c->schedule.order =
		choice_of(j, schedule, "schedule", "order", etc_order_text, ETC_ORDER_ABBA + 1);
	c->schedule.blocks = count_of(j, schedule, "schedule", "blocks");
	(void)etc_tree_number(etc_tree_get(schedule, "max_temp_c"), &c->schedule.max_temp_c);
	etc_gates_read(m, &c->gates, j->out);
	j->run.model_sha256 = text_of(j, m, "model_sha256");
	j->run.root = text_of(j, m, "run_root");
	if (!j->run.root)
		etc_finding(j->out, E1053, MANIFEST, "'run_root' is %s; expected text",
		            etc_tree_kind(etc_tree_get(m, "run_root")));
	return j->out->no_memory ? etc_no_memory(err) : ETC_OK;
}

/* ---- the processes ----------------------------------------------------------------------- */

/* Returns the name of a process for findings, such as "mac_sme2_on, 1 thread, block 2". */
static struct etc_str place_of(struct job *j, const struct etc_run_unit *u, uint32_t block)
{
	return etc_arena_printf(j->arena, "%s, %u thread%s, block %u", u->plan->experiment->name,
	                        u->plan->threads, etc_plural(u->plan->threads), block + 1);
}

/* Reports a process that exceeded its time limit by more than SLACK_MS, but was not killed. Also
 * reports a process that was killed because of its time limit, but ended before it reached the
 * limit. */
static void check_limit(struct job *j, struct etc_str place, const struct etc_experiment *x,
                        const struct etc_block_result *r)
{
	const double limit = etc_experiment_limit_ms(x);

	if (r->state == ETC_BLOCK_OK && limit > 0 && r->wall_ms > limit + SLACK_MS)
		etc_finding(j->out, E1059, place, "it took %g s; timeout_s is %g",
		            r->wall_ms / 1000, x->timeout_s);
	else if (r->code == W1014 && (limit <= 0 || r->wall_ms < limit * 0.99 - 1))
		etc_finding(j->out, E1059, place,
		            "it was killed as too slow after %g s; timeout_s is %g",
		            r->wall_ms / 1000, x->timeout_s);
}

/* Reports a process with a negative time, or with an infinite elapsed time (wall_ms). Also reports
 * a process whose start and end dates are not valid, are in the wrong order, or are closer together
 * than the elapsed time. */
static void check_times(struct job *j, struct etc_str place, const struct etc_block_result *r)
{
	int64_t begin, end;

	if (r->wall_ms < 0 || r->user_ms < 0 || r->sys_ms < 0 || isinf(r->wall_ms))
		etc_finding(j->out, E1059, place, "a process took less than no time");
	if (!r->started)
		return;
	if (!etc_time_parse(etc_str_of(r->started), &begin) ||
	    !etc_time_parse(etc_str_of(r->finished ? r->finished : ""), &end))
		etc_finding(j->out, E1053, place,
		            "'started_at' and 'finished_at' must be dates and times");
	else if (end < begin)
		etc_finding(j->out, W1061, place, "it ended before it started: %s, %s", r->finished,
		            r->started);
	else if (r->wall_ms > (double)(end - begin) * 1000 + SLACK_MS)
		etc_finding(j->out, W1061, place, "it took %g s, but %lld s from %s to %s",
		            r->wall_ms / 1000, (long long)(end - begin), r->started, r->finished);
}

/* Reports a process whose status is ok, although it has an exit status of failure, or a signal.
 * Also reports a process that has the same number in the order of start as an earlier process. (0
 * means that a process has no number.) */
static enum etc_status check_end(struct job *j, struct etc_str place,
                                 const struct etc_block_result *r, struct etc_error *err)
{
	int64_t order = r->order;
	size_t before = j->orders.count, at;

	if (r->state == ETC_BLOCK_OK && (r->exit_status || r->signal))
		etc_finding(j->out, E1058, place,
		            "the manifest says ok, but exit status %d and signal %d",
		            r->exit_status, r->signal);
	if (!r->order)
		return ETC_OK;
	at = etc_map_intern(&j->orders, etc_map_number(&order), j->orders.count);
	if (at == ETC_MAP_NONE)
		return etc_no_memory(err);
	if (at != before)
		etc_finding(j->out, E1059, place,
		            "number %u in the order of start is that of another process, too",
		            r->order);
	return ETC_OK;
}

/* Reports contradictions about one process: the log has another number of threads than the manifest
 * (`u`); the numbers of executions differ between the log's list of times, its summary, the dump
 * and the manifest; a line of the log has no time in ms; the dump cannot be of the model; times in
 * the log contradict those in the dump. */
static enum etc_status check_log(struct job *j, struct etc_str place, const struct etc_run_unit *u,
                                 const struct etc_block_result *r, struct etc_error *err)
{
	const char *contradiction;
	const struct etc_runner_log *l = &r->log;
	double said = l->executed ? l->total_count : -1;
	double have = l->iterations ? l->iterations : said, sum_ms;

	ETC_TRY(etc_block_contradiction(r, j->arena, &contradiction, err));
	if (l->threads == INT32_MAX)
		etc_finding(j->out, E1059, place, "its log says more than %d threads",
		            INT32_MAX - 1);
	else if (l->threads >= 0 && (uint32_t)l->threads != u->plan->threads)
		etc_finding(j->out, E1059, place, "its log says %d threads", l->threads);
	if (said >= 0 && said != have)
		etc_finding(j->out, E1059, place,
		            "its log has the times of %g execution%s, and says %g", have,
		            etc_plural((uint64_t)have), said);
	if (etc_runner_log_lacks(l) && (said < 0 || said == have))
		etc_finding(j->out, E1059, place, "its log has the times of %g execution%s of %g",
		            have, etc_plural((uint64_t)have), l->iterations_of);
	if (etc_runner_log_contradicts(l, &sum_ms))
		etc_finding(j->out, W1020, place,
		            "its log has executions of %g ms, and says %g ms for all", sum_ms,
		            l->total_ms);
	if (have >= 0 && r->times.runs && r->times.runs != have)
		etc_finding(j->out, E1059, place, "its ETDump has %u execution%s, its log %g",
		            r->times.runs, etc_plural(r->times.runs), have);
	else if (l->skipped.len)
		etc_finding(j->out, W1018, place,
		            "its log has %u, not %u; no time in ms: " ETC_STR_FMT, l->iterations,
		            r->executions, ETC_STR_ARG(l->skipped));
	else if (have >= 0 && have != r->executions)
		etc_finding(j->out, W1018, place, "its log has %g, not %u", have, r->executions);
	else if (r->times.runs && r->times.runs != r->executions)
		etc_finding(j->out, W1018, place, "its ETDump has %u, not %u", r->times.runs,
		            r->executions);
	if (r->foreign)
		etc_finding(j->out, E1059, place, "its ETDump is not of the model: %s", r->foreign);
	if (contradiction)
		etc_finding(j->out, W1020, place, "%s", contradiction);
	return ETC_OK;
}

/* Reports a process whose runner is not the one in the configuration. Also reports a process that
 * was started when the machine was hotter than max_temp_c. */
static void check_start(struct job *j, struct etc_str place, const struct etc_run_unit *u,
                        const struct etc_block_result *r)
{
	const struct etc_experiment *x = u->plan->experiment;
	const char *runner = j->run.experiments[x - j->run.config.experiments].runner.sha256;
	double most = j->run.config.schedule.max_temp_c;

	if (x->expect_sha256 && (!runner || strcmp(x->expect_sha256, runner) != 0))
		etc_finding(j->out, E1060, place,
		            "the SHA-256 of its runner is %.12s…, expect_sha256 is %.12s…",
		            runner ? runner : "unknown", x->expect_sha256);
	if (most > 0 && r->temperature_c > most)
		etc_finding(j->out, W1077, place, ETC_HEAT_TEXT, r->temperature_c, most);
}

static enum etc_status take_job(struct job *j, const struct etc_tree *t, struct etc_error *err)
{
	struct etc_earlier_job e;
	struct etc_run_unit *u = NULL;
	struct etc_block_result *r, *old = &e.result;
	struct etc_str place;
	uint8_t state;

	etc_run_job_read(t, j->arena, &e);
	state = old->state;
	r = etc_run_find_block(&j->run, &e, &u);
	if (!r || state == ETC_BLOCK_STATES) {
		if (r)
			etc_finding(j->out, E1053, MANIFEST,
			            "jobs: the status of %s with %u threads is no word of a job",
			            u->plan->experiment->name, u->plan->threads);
		/* A process that is not in the plan is reported later, when planned and recorded
		 * processes are compared. */
		return ETC_OK;
	}
	place = place_of(j, u, (uint32_t)e.block - 1);
	if (!old->key || !r->key || strcmp(old->key, r->key) != 0)
		etc_finding(j->out, E1060, place,
		            "it was measured with other settings, model or runner than those of "
		            "the manifest");
	if (state == ETC_BLOCK_OK || state == ETC_BLOCK_FAILED)
		ETC_TRY(etc_run_collect(&j->run, j->f->path, u, (uint32_t)e.block - 1, old, err));
	if (old->state != state)
		etc_finding(j->out, E1058, place, "the manifest says ok, but %s: %s: %s",
		            etc_code_info(old->code)->name, etc_code_info(old->code)->title,
		            old->why ? old->why : "");
	if (state == ETC_BLOCK_OK) {
		ETC_TRY(check_log(j, place, u, old, err));
		check_start(j, place, u, old);
	}
	check_times(j, place, old);
	check_limit(j, place, u->plan->experiment, old);
	ETC_TRY(check_end(j, place, old, err));
	if (old->state != state) {
		old->state = state;
		old->code = ETC_CODE_NONE;
		old->why = NULL;
	}
	old->key = r->key;
	*r = *old;
	return ETC_OK;
}

static int by_order(const void *x, const void *y)
{
	const struct etc_block_result *const *a = x, *const *b = y;

	return ((*a)->order > (*b)->order) - ((*a)->order < (*b)->order);
}

/* Did `a` start before `b`? If both times are in the same second, the texts are compared; the
 * answer is then no if they have different lengths. */
static bool is_earlier(const char *a, const char *b)
{
	int64_t of_a, of_b;

	if (!etc_time_parse(etc_str_of(a), &of_a) || !etc_time_parse(etc_str_of(b), &of_b))
		return false;
	return of_a != of_b ? of_a < of_b : strlen(a) == strlen(b) && strcmp(a, b) < 0;
}

/* Compares the serial numbers of the processes with the times at which the processes started.
 * Reports contradictions, because comparisons use the serial numbers as the order of start. */
static enum etc_status check_order(struct job *j, struct etc_error *err)
{
	const struct etc_block_result **v;
	uint32_t n = 0;

	for (uint32_t i = 0; i < j->run.plan.unit_count; i++)
		n += j->run.plan.units[i].blocks;
	v = etc_new(j->arena, const struct etc_block_result *, n);
	ETC_NEED(v, err);
	n = 0;
	for (uint32_t i = 0; i < j->run.plan.unit_count; i++)
		for (uint32_t k = 0; k < j->run.plan.units[i].blocks; k++)
			if (j->run.units[i].blocks[k].order && j->run.units[i].blocks[k].started)
				v[n++] = &j->run.units[i].blocks[k];
	if (n)
		qsort(v, n, sizeof *v, by_order);
	for (uint32_t i = 1; i < n; i++)
		if (is_earlier(v[i]->started, v[i - 1]->started))
			etc_finding(j->out, W1061, MANIFEST,
			            "process number %u started before number %u: %s, %s",
			            v[i]->order, v[i - 1]->order, v[i]->started, v[i - 1]->started);
	return ETC_OK;
}

static struct etc_str side_name(struct job *j, struct etc_str experiment, uint64_t threads)
{
	return etc_arena_printf(j->arena, ETC_STR_FMT "@%llu", ETC_STR_ARG(experiment),
	                        (unsigned long long)threads);
}

/* Reports each pair of experiments of which one experiment is not in the run. */
static enum etc_status check_pairs(struct job *j, struct etc_error *err)
{
	static const char *const sides[] = { "baseline", "candidate" };
	const struct etc_tree *list = etc_tree_list(j->f->manifest.tree, "compare_pairs");
	struct etc_map units;

	etc_map_init(&units, j->arena);
	for (uint32_t i = 0; list && i < j->run.plan.unit_count; i++) {
		const struct etc_plan_unit *u = &j->run.plan.units[i];
		struct etc_str name = side_name(j, etc_str_of(u->experiment->name), u->threads);

		ETC_NEED(name.ptr && etc_map_add(&units, name, i) != ETC_MAP_NONE, err);
	}
	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next)
		for (size_t s = 0; s < 2; s++) {
			const struct etc_tree *side = etc_tree_get(t, sides[s]);
			struct etc_str name = side_name(j, etc_tree_string(side, "experiment"),
			                                etc_tree_whole(side, "threads"));

			ETC_NEED(name.ptr, err);
			if (etc_map_get(&units, name) == ETC_MAP_NONE)
				etc_finding(j->out, E1053, MANIFEST,
				            "compare_pairs: the %s is '" ETC_STR_FMT
				            "'; no experiment is that",
				            sides[s], ETC_STR_ARG(name));
		}
	return ETC_OK;
}

static enum etc_status take_jobs(struct job *j, struct etc_error *err)
{
	const struct etc_tree *m = j->f->manifest.tree, *list = etc_tree_list(m, "jobs");
	struct etc_str status = etc_tree_string(m, "status");

	if (!list)
		etc_finding(j->out, E1053, MANIFEST, "'jobs' is %s; expected a list",
		            etc_tree_kind(etc_tree_get(m, "jobs")));
	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next)
		ETC_TRY(take_job(j, t, err));
	/* The manifest does not store which experiments were selected. If the status is "running",
	 * all count as selected, so that the recomputed status is also "running" if a block is
	 * open. */
	j->run.interrupted = etc_str_eq(status, ETC_STR("interrupted"));
	for (uint32_t i = 0; i < j->run.plan.unit_count; i++)
		j->run.plan.units[i].selected = etc_str_eq(status, ETC_STR("running"));
	return ETC_OK;
}

/* If some blocks still have to be measured, reports that the run is not complete. */
static void check_complete(struct job *j)
{
	uint32_t all, open = etc_run_open(&j->run, false, &all);
	struct etc_str status = etc_tree_string(j->f->manifest.tree, "status");

	if (open)
		etc_finding(j->out, etc_str_eq(status, ETC_STR("partial")) ? W1072 : E1068,
		            (struct etc_str){ 0 }, ETC_STR_FMT ": %u of %u process%s measured",
		            ETC_STR_ARG(status), all - open, all, all == 1 ? " is" : "es are");
}

/* ---- documents ------------------------------------------------------------------------------ */

/* Checks that the manifest has a seal, and that the seal is correct (etc_seal_holds()). */
static enum etc_status check_seal(struct job *j, struct etc_error *err)
{
	const char *path = etc_run_folder_path(j->f, MANIFEST, j->arena);

	ETC_NEED(path, err);
	j->out->sealed = etc_seal_holds(j->f->manifest.tree, path, j->arena);
	if (!etc_tree_string(j->f->manifest.tree, "seal").len)
		etc_finding(j->out, E1053, MANIFEST, "'seal' is missing");
	else if (!j->out->sealed)
		etc_finding(j->out, E1060, MANIFEST,
		            "it is not as it was written: its seal is another");
	return ETC_OK;
}

/* Do the results in the manifest have lists of kernels? Such a list may come from the output of the
 * dynamic loader, which is not stored in a file. So it can only be compared with the list in
 * metrics.json. */
static bool has_evidence(const struct etc_tree *results)
{
	for (const struct etc_tree *t = results ? results->first : NULL; t; t = t->next)
		if (etc_tree_get(etc_tree_get(t, "metrics"), "kernel_evidence"))
			return true;
	return false;
}

static enum etc_status check_documents(struct job *j, struct etc_error *err)
{
	const struct etc_tree *m = j->f->manifest.tree, *want;
	const struct etc_tree *results = etc_tree_list(m, "results");
	const struct etc_tree *metrics = etc_tree_get(j->f->metrics.tree, "results");
	struct etc_text text = { 0 };
	enum etc_status st = etc_run_measured(&j->run, &text, err);

	if (st == ETC_OK)
		st = etc_tree_read(etc_span_of(etc_text_str(&text)), j->arena, &want, err);
	etc_text_release(&text);
	if (st != ETC_OK && st != ETC_NOMEM) {
		etc_finding_error(j->out, E1052, MANIFEST, err);
		*err = (struct etc_error){ .at = -1 };
		return ETC_OK;
	}
	ETC_TRY(st);
	etc_tree_differences(etc_tree_get(want, "status"), etc_tree_get(m, "status"), MANIFEST,
	                     "status", "its jobs say", j->out);
	etc_tree_differences(etc_tree_get(want, "jobs"), etc_tree_list(m, "jobs"), MANIFEST, "jobs",
	                     "its files say", j->out);
	etc_tree_differences(etc_tree_get(want, "results"), results, MANIFEST, "results",
	                     "its logs and dumps say", j->out);
	etc_tree_differences(etc_tree_get(want, "results"), metrics, METRICS, "results",
	                     "its logs and dumps say", j->out);
	if (has_evidence(results))
		etc_tree_differences(results, metrics, METRICS, "results", "manifest.json says",
		                     j->out);
	return ETC_OK;
}

/* Checks that the logs of kernel traces are unchanged, by the hashes in the manifest. */
static void check_kernel_logs(struct job *j)
{
	const struct etc_tree *list = etc_tree_list(j->f->manifest.tree, "results");

	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next) {
		const struct etc_tree *k =
			etc_tree_get(etc_tree_get(t, "metrics"), "kernel_evidence");
		struct etc_str log = etc_tree_string(k, "log_rel");
		struct etc_str want = etc_tree_string(k, "log_sha256");
		const char *path = etc_run_folder_path(j->f, log, j->arena), *have;

		if (!log.len || !want.len || !path)
			continue;
		have = etc_file_sha256(path, j->arena, NULL);
		if (!have)
			etc_finding(j->out, E1051, log, "the log of kernels cannot be read");
		else if (!etc_str_eq(want, etc_str_of(have)))
			etc_finding(j->out, E1060, log, "the log of kernels is not as it was");
	}
}

/* Did a process of the run write the file named `rel` as its dump? Also true if a process that
 * still has to run would write that file: the process may have run, and etcore may have ended
 * before it could record the result. */
static bool is_written(struct job *j, struct etc_str rel)
{
	for (uint32_t i = 0; i < j->run.plan.unit_count; i++) {
		const struct etc_run_unit *u = &j->run.units[i];
		const struct etc_experiment *x = u->plan->experiment;

		for (uint32_t k = 0; k < u->plan->blocks; k++) {
			const char *name;

			if (x->mode != ETC_MODE_TIMING || !x->etdump ||
			    !(u->blocks[k].started || u->blocks[k].state == ETC_BLOCK_PENDING))
				continue;
			name = etc_plan_file(u->plan, k, ".etdump", j->arena);
			if (name && etc_str_eq(rel, etc_str_of(name)))
				return true;
		}
	}
	return false;
}

/* Reports dumps that no process of the run wrote, because reports and other commands would count
 * these dumps. */
static void check_strangers(struct job *j)
{
	const struct etc_folder_entries *lists[] = { &j->f->dumps, &j->f->odd_dumps };

	for (size_t l = 0; l < 2; l++)
		for (uint32_t i = 0; i < lists[l]->count; i++)
			if (!is_written(j, lists[l]->v[i].rel))
				etc_finding(j->out, E1059, lists[l]->v[i].rel,
				            "no process of the run wrote it");
}

/* ---- quality --------------------------------------------------------------------------------- */

/* Computes how much the medians of the unit's blocks differ. *cv is set to their coefficient of
 * variation in %, *low and *high to the smallest and the largest median in ms. All are 0 if fewer
 * than two blocks have latencies. */
static enum etc_status spread_of_blocks(struct job *j, const struct etc_run_unit *u, uint8_t source,
                                        double *cv, double *low, double *high,
                                        struct etc_error *err)
{
	double *medians = etc_new(j->arena, double, u->plan->blocks);
	struct etc_latency l;
	uint32_t n = 0;

	*cv = *low = *high = 0;
	ETC_NEED(medians, err);
	for (uint32_t k = 0; k < u->plan->blocks; k++) {
		uint32_t warmup = u->plan->experiment->warmup;
		uint32_t count = etc_block_latencies(&u->blocks[k], source, warmup, NULL);
		double *v = etc_new(j->arena, double, count);

		ETC_NEED(v, err);
		etc_block_latencies(&u->blocks[k], source, warmup, v);
		ETC_TRY(etc_latency_of(v, count, j->arena, &l, err));
		if (count)
			medians[n++] = l.median;
	}
	if (n < 2)
		return ETC_OK;
	ETC_TRY(etc_latency_of(medians, n, j->arena, &l, err));
	*cv = l.cv_percent;
	*low = l.min;
	*high = l.max;
	return ETC_OK;
}

static enum etc_status check_quality(struct job *j, const struct etc_run_unit *u,
                                     struct etc_error *err)
{
	double most = j->run.config.gates.cv_max_pct, cv, low, high;
	struct etc_unit_latencies times;
	struct etc_kit_robust r;
	struct etc_str place =
		etc_arena_printf(j->arena, "%s, %u thread%s", u->plan->experiment->name,
	                         u->plan->threads, etc_plural(u->plan->threads));

	if (u->plan->experiment->mode != ETC_MODE_TIMING || !etc_run_unit_tried(u))
		return ETC_OK;
	ETC_TRY(etc_unit_latencies(u, j->arena, &times, err));
	if (times.n < ETC_LATENCY_FEWEST) {
		etc_finding(j->out, W1062, place,
		            "%u latencies; of fewer than %d no difference can be significant",
		            times.n, ETC_LATENCY_FEWEST);
		return ETC_OK;
	}
	ETC_TRY(etc_kit_robust_of(times.v, times.n, j->arena, &r, err));
	if (!(r.clean_cv <= most))
		etc_finding(j->out, W1062, place,
		            "latencies vary by %.1f %% even without outliers; cv_max_pct is %g",
		            r.clean_cv, most);
	ETC_TRY(spread_of_blocks(j, u, times.source, &cv, &low, &high, err));
	if (!(cv <= most))
		etc_finding(j->out, W1069, place,
		            "medians of its blocks go from %.4g to %.4g ms, a variation of "
		            "%.1f %%; cv_max_pct is %g",
		            low, high, cv, most);
	return ETC_OK;
}

/* Checks the latencies of all units. If a unit has only one process, the variation between
 * processes is unknown; then the line about the passed check says so. */
static enum etc_status check_noise(struct job *j, struct etc_error *err)
{
	uint64_t before = j->out->failed;
	uint32_t single = 0;

	for (uint32_t i = 0; i < j->run.plan.unit_count; i++) {
		const struct etc_plan_unit *u = &j->run.plan.units[i];

		single += u->blocks == 1 && u->experiment->mode == ETC_MODE_TIMING;
		ETC_TRY(check_quality(j, &j->run.units[i], err));
	}
	if (j->out->failed != before)
		return ETC_OK;
	if (single)
		etc_finding_passed(j->out,
		                   "latencies within processes; not between them: %u experiment%s "
		                   "of one process",
		                   single, etc_plural(single));
	else
		etc_finding_passed(j->out, "latencies within processes and between them");
	return ETC_OK;
}

/* ---- the whole recomputation ----------------------------------------------------------------- */

static enum etc_status recompute(struct job *j, bool quality, struct etc_error *err)
{
	struct etc_findings *out = j->out;
	struct etc_error why = { .at = -1 };
	uint64_t before = out->failed;

	ETC_TRY(read_settings(j, err));
	ETC_TRY(check_seal(j, err));
	if (out->failed != before && !j->run.config.experiment_count)
		return ETC_OK;
	ETC_TRY(etc_model_open(&j->run.program, etc_arena_cstr(j->arena, j->f->model),
	                       j->run.model_sha256, j->arena, err));
	if (etc_run_plan_make(&j->run.config, NULL, 0, j->arena, &j->run.plan, &why) != ETC_OK) {
		etc_finding_error(out, E1053, MANIFEST, &why);
		return ETC_OK;
	}
	if (j->run.plan.blocks != j->run.config.schedule.blocks)
		etc_finding(out, E1059, MANIFEST, "schedule.blocks is %u; the plan has %u",
		            j->run.config.schedule.blocks, j->run.plan.blocks);
	ETC_TRY(etc_run_make_units(&j->run, err));
	ETC_TRY(take_jobs(j, err));
	ETC_TRY(check_order(j, err));
	ETC_TRY(check_pairs(j, err));
	ETC_TRY(check_documents(j, err));
	check_strangers(j);
	check_kernel_logs(j);
	check_complete(j);
	if (out->failed == before)
		etc_finding_passed(out,
		                   "every number of manifest and metrics, out of logs and dumps");
	return quality ? check_noise(j, err) : ETC_OK;
}

enum etc_status etc_recompute(const struct etc_run_folder *f, bool quality,
                              struct etc_findings *out, struct etc_error *err)
{
	struct job j = { .f = f, .out = out, .arena = out->arena };
	struct etc_pipeline_options none = { .folder = NULL };
	struct etc_notes silent;
	enum etc_status st;

	if (f->kind != ETC_FOLDER_ETCORE)
		return ETC_OK;
	etc_notes_init(&silent, j.arena);
	etc_map_init(&j.orders, j.arena);
	j.run.arena = j.arena;
	j.run.notes = &silent;
	j.run.options = &none;
	st = recompute(&j, quality, err);
	etc_model_close(j.run.program);
	return st;
}

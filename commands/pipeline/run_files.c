/* run_files.c -- writes manifest.json and metrics.json; see run.h. */
#define _GNU_SOURCE /* realpath */
#include <math.h>
#include <stdlib.h>

#include "base/inside.h"
#include "base/sha256_text.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/run.h"
#include "commands/pipeline/surroundings.h"

const char *etc_run_path(const struct etc_pipeline_run *run, const char *relative)
{
	return etc_arena_printf(run->arena, "%s/%s", run->root, relative).ptr;
}

static void put_words(struct etc_emit *e, const char *name, const struct etc_words *w)
{
	etc_emit_open(e, name, '[');
	for (uint32_t i = 0; i < w->count; i++)
		etc_emit_cstr(e, NULL, w->v[i]);
	etc_emit_close(e);
}

static const char *text_of(const struct etc_tree *of, const char *key, struct etc_arena *arena)
{
	const struct etc_str text = etc_tree_string(of, key);

	return text.len ? etc_arena_cstr(arena, text) : NULL;
}

/* Returns the checkout with which all results of the folder were measured. What differs between the
 * checkout of now and that of the results taken over is unknown. */
static struct etc_checkout find_checkout(const struct etc_pipeline_run *run)
{
	const char *runner = run->config.experiment_count ? run->experiments[0].runner.path : NULL;
	const struct etc_checkout now = etc_executorch_checkout(runner, run->arena);
	const struct etc_tree *old = etc_tree_get(run->earlier, "executorch");
	const struct etc_tree *dirty = etc_tree_get(old, "dirty");
	struct etc_checkout c = { .dirty = -1 };

	if (!run->earlier)
		return now;
	c.path = text_of(old, "path", run->arena);
	c.sha = text_of(old, "sha", run->arena);
	if (dirty && (dirty->type == ETC_JSON_TRUE || dirty->type == ETC_JSON_FALSE))
		c.dirty = dirty->type == ETC_JSON_TRUE;
	if (etc_run_open(run, true, NULL) == 0)
		return c;
	if (!c.sha || !now.sha || strcmp(c.sha, now.sha) != 0)
		return (struct etc_checkout){ .path = now.path, .dirty = -1 };
	c.dirty = c.dirty == now.dirty ? c.dirty : -1;
	return c;
}

static void put_checkout(struct etc_emit *e, const struct etc_pipeline_run *run)
{
	const struct etc_checkout c = find_checkout(run);

	etc_emit_open(e, "executorch", '{');
	etc_emit_bool(e, "present", c.path != NULL);
	etc_emit_cstr(e, "sha", c.sha);
	if (c.dirty < 0)
		etc_emit_null(e, "dirty");
	else
		etc_emit_bool(e, "dirty", c.dirty);
	etc_emit_cstr(e, "path", c.path);
	etc_emit_close(e);
}

static void put_experiment(struct etc_emit *e, const struct etc_pipeline_run *run, uint32_t i)
{
	const struct etc_experiment *x = &run->config.experiments[i];
	const struct etc_runner_file *f = &run->experiments[i].runner;
	const struct etc_device *d = run->experiments[i].device;

	etc_emit_open(e, NULL, '{');
	etc_emit_cstr(e, "name", x->name);
	etc_emit_cstr(e, "runner", f->path);
	etc_emit_bool(e, "runner_present", f->there);
	etc_emit_cstr(e, "runner_sha256", f->sha256);
	etc_emit_cstr(e, "expect_sha256", x->expect_sha256);
	etc_emit_u64(e, "runner_bytes", f->bytes);
	etc_emit_cstr(e, "runner_machine",
	              f->elf && f->machine ? etc_machine_name(f->machine, run->arena) : NULL);
	etc_emit_cstr(e, "target",
	              !d          ? "local"
	              : d->serial ? etc_arena_printf(run->arena, "adb:%s", d->serial).ptr
	                          : "adb");
	etc_emit_cstr(e, "mode", etc_mode_text(x->mode));
	etc_emit_cstr(e, "role", etc_role_text(x->role));
	etc_emit_u64(e, "runs", x->runs);
	etc_emit_u64(e, "warmup", x->warmup);
	etc_emit_open(e, "threads", '[');
	for (uint32_t k = 0; k < x->threads.count; k++)
		etc_emit_u64(e, NULL, x->threads.v[k]);
	etc_emit_close(e);
	put_words(e, "extra_args", &x->extra_args);
	put_words(e, "env", &x->env);
	put_words(e, "inputs", &x->inputs);
	etc_emit_cstr(e, "method", x->method);
	etc_emit_cstr(e, "data_path", x->data_path);
	etc_emit_cstr(e, "print_output", x->print_output);
	etc_emit_cstr(e, "cpu_affinity", x->cpu_affinity);
	etc_emit_bool(e, "etdump", x->etdump);
	etc_emit_real(e, "timeout_s", x->timeout_s);
	etc_emit_close(e);
}

/* Writes the schedule and the gates. The member `blocks` is the planned number of blocks. If all
 * experiments have fewer runs than the configured number of blocks, the planned number is smaller
 * than the configured number. */
static void put_schedule(struct etc_emit *e, const struct etc_pipeline_run *run)
{
	const struct etc_pipeline_config *c = &run->config;

	etc_emit_open(e, "schedule", '{');
	etc_emit_cstr(e, "order", etc_order_text(c->schedule.order));
	etc_emit_u64(e, "blocks", run->plan.blocks);
	etc_emit_u64(e, "cooldown_ms", c->schedule.cooldown_ms);
	etc_emit_known(e, "max_temp_c", c->schedule.max_temp_c > 0 ? c->schedule.max_temp_c : NAN);
	etc_emit_close(e);
	etc_emit_open(e, "gates", '{');
	etc_emit_known(e, "regression_pct", c->gates.regression_pct);
	etc_emit_real(e, "alpha", c->gates.alpha);
	etc_emit_real(e, "min_effect_pct", c->gates.min_effect_pct);
	etc_emit_real(e, "cv_max_pct", c->gates.cv_max_pct);
	etc_emit_close(e);
}

static void put_side(struct etc_emit *e, const char *name, const char *experiment, uint32_t threads)
{
	etc_emit_open(e, name, '{');
	etc_emit_cstr(e, "experiment", experiment);
	etc_emit_u64(e, "threads", threads);
	etc_emit_close(e);
}

static void put_pair(struct etc_emit *e, const struct etc_compare_pair *p, bool found)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_cstr(e, "label", p->label);
	put_side(e, "baseline", p->baseline, p->baseline_threads);
	put_side(e, "candidate", p->candidate, p->candidate_threads);
	etc_emit_bool(e, "by_name", found);
	etc_emit_close(e);
}

static bool ends(const char *name, const char *with)
{
	return etc_str_ends(etc_str_of(name), etc_str_of(with));
}

/* Do these two experiments belong together, if the configuration declares no pairs? Their roles
 * decide; without roles, the names that the kit uses decide. */
static bool is_pair(const struct etc_experiment *base, const struct etc_experiment *candidate)
{
	size_t n = strlen(base->name);

	if (base->role == ETC_ROLE_BASELINE && candidate->role == ETC_ROLE_CANDIDATE)
		return true;
	if (base->role || candidate->role || !ends(base->name, "_off") ||
	    !ends(candidate->name, "_on"))
		return false;
	return strlen(candidate->name) == n - 1 && strncmp(base->name, candidate->name, n - 3) == 0;
}

static void find_pairs(struct etc_emit *e, const struct etc_pipeline_config *c)
{
	for (uint32_t b = 0; b < c->experiment_count; b++)
		for (uint32_t k = 0; k < c->experiment_count; k++) {
			const struct etc_experiment *base = &c->experiments[b];
			const struct etc_experiment *other = &c->experiments[k];

			if (b == k || base->mode || other->mode || !is_pair(base, other))
				continue;
			for (uint32_t i = 0; i < base->threads.count; i++)
				for (uint32_t m = 0; m < other->threads.count; m++)
					if (base->threads.v[i] == other->threads.v[m])
						put_pair(e,
						         &(struct etc_compare_pair){
								 "", base->name, other->name,
								 base->threads.v[i],
								 other->threads.v[m] },
						         true);
		}
}

static void put_pairs(struct etc_emit *e, const struct etc_pipeline_config *c)
{
	etc_emit_block(e, "compare_pairs", '[');
	for (uint32_t i = 0; i < c->pair_count; i++)
		put_pair(e, &c->pairs[i], false);
	if (!c->pair_count)
		find_pairs(e, c);
	etc_emit_close(e);
}

/* Writes run->surroundings, an object whose members do not change during the run. */
void etc_run_look_around(struct etc_pipeline_run *run)
{
	struct etc_emit e = { .out = &run->surroundings };

	etc_emit_block(&e, NULL, '{');
	put_checkout(&e, run);
	etc_surroundings_emit(&e, run->arena);
	put_schedule(&e, run);
	put_pairs(&e, &run->config);
	etc_emit_block(&e, "experiments", '[');
	for (uint32_t i = 0; i < run->config.experiment_count; i++)
		put_experiment(&e, run, i);
	etc_emit_close(&e);
	etc_emit_close(&e);
}

static void put_device(struct etc_emit *e, const char *name, const struct etc_device *d)
{
	etc_emit_open(e, name, '{');
	etc_emit_cstr(e, "serial", d->serial);
	etc_emit_cstr(e, "model", d->model);
	etc_emit_cstr(e, "abi", d->abi);
	etc_emit_cstr(e, "soc", d->soc);
	etc_emit_cstr(e, "build", d->build);
	etc_emit_cstr(e, "dir", d->dir);
	etc_emit_close(e);
}

/* Writes one device as an object, in the form of the kit; several devices as a list. */
static void put_devices(struct etc_emit *e, const struct etc_device *d)
{
	if (d && !d->next)
		put_device(e, "device", d);
	if (!d || !d->next)
		return;
	etc_emit_open(e, "devices", '[');
	for (; d; d = d->next)
		put_device(e, NULL, d);
	etc_emit_close(e);
}

static void put_job(struct etc_emit *e, const struct etc_run_unit *u, uint32_t i)
{
	const struct etc_block_result *b = &u->blocks[i];

	etc_emit_open(e, NULL, '{');
	etc_emit_cstr(e, "experiment", u->plan->experiment->name);
	etc_emit_u64(e, "threads", u->plan->threads);
	etc_emit_u64(e, "block", i + 1);
	etc_emit_u64(e, "order", b->order);
	etc_emit_cstr(e, "status", etc_block_state_text(b->state));
	etc_emit_cstr(e, "key", b->key);
	etc_emit_cstr(e, "started_at", b->started);
	etc_emit_cstr(e, "finished_at", b->finished);
	etc_emit_known(e, "wall_ms", b->wall_ms);
	etc_emit_known(e, "user_ms", b->user_ms);
	etc_emit_known(e, "sys_ms", b->sys_ms);
	etc_emit_u64(e, "peak_rss_kib", b->peak_rss_kib);
	etc_emit_known(e, "temperature_c", b->temperature_c);
	etc_emit_known(e, "mhz", b->mhz);
	etc_emit_i64(e, "exit_status", b->exit_status);
	etc_emit_i64(e, "signal", b->signal);
	etc_emit_cstr(e, "etdump_sha256", b->etdump_sha256);
	etc_emit_cstr(e, "log_sha256", b->log_sha256);
	etc_emit_cstr(e, "code", b->code ? etc_code_info(b->code)->name : NULL);
	etc_emit_cstr(e, "why", b->why);
	etc_emit_close(e);
}

/* Returns the status of the run. If some processes have not run: "interrupted" after an
 * interruption; else "running" if one of these processes is of a selected experiment; else
 * "partial". If all processes have run: "failed" if one of them failed; else "ok". */
static const char *status_of(const struct etc_pipeline_run *run)
{
	bool pending = false, failed = false, to_do = false;

	for (uint32_t i = 0; i < run->plan.unit_count; i++)
		for (uint32_t k = 0; k < run->units[i].plan->blocks; k++) {
			uint8_t s = run->units[i].blocks[k].state;
			bool open = s == ETC_BLOCK_PENDING || s == ETC_BLOCK_INTERRUPTED;

			pending = pending || open;
			to_do = to_do || (open && run->units[i].plan->selected);
			failed = failed || s == ETC_BLOCK_FAILED;
		}
	if (pending)
		return run->interrupted ? "interrupted" : to_do ? "running" : "partial";
	return failed ? "failed" : "ok";
}

static void put_jobs(struct etc_emit *e, const struct etc_pipeline_run *run)
{
	etc_emit_block(e, "jobs", '[');
	for (uint32_t i = 0; i < run->plan.unit_count; i++)
		for (uint32_t k = 0; k < run->units[i].plan->blocks; k++)
			put_job(e, &run->units[i], k);
	etc_emit_close(e);
}

static enum etc_status put_results(struct etc_emit *e, const struct etc_pipeline_run *run,
                                   struct etc_error *err)
{
	etc_emit_block(e, "results", '[');
	for (uint32_t i = 0; i < run->plan.unit_count; i++)
		if (etc_run_unit_tried(&run->units[i]))
			ETC_TRY(etc_metrics_emit(e, run, &run->units[i], err));
	etc_emit_close(e);
	return ETC_OK;
}

static enum etc_status manifest(struct etc_pipeline_run *run, struct etc_text *out,
                                struct etc_error *err)
{
	struct etc_emit e = { .out = out };
	struct etc_str fixed = etc_text_str(&run->surroundings);
	char *config = realpath(run->config.path, NULL);

	etc_emit_block(&e, NULL, '{');
	etc_emit_cstr(&e, "generated_at", etc_time_text(run->arena));
	etc_emit_cstr(&e, "config", config ? config : run->config.path);
	free(config);
	etc_emit_cstr(&e, "model", run->model);
	etc_emit_cstr(&e, "model_sha256", run->model_sha256);
	etc_emit_u64(&e, "model_bytes", run->model_bytes);
	etc_emit_cstr(&e, "etrecord", etc_record_beside(run->model, run->arena));
	etc_emit_cstr(&e, "run_root", run->root);
	etc_emit_cstr(&e, "etcore", ETCORE_VERSION);
	etc_emit_cstr(&e, "status", status_of(run));
	etc_emit_cstr(&e, "started_at", run->started);
	put_devices(&e, run->devices);
	etc_text_char(out, ',');
	/* the JSON object `fixed`, without its braces and its line feed */
	etc_text_put(out, etc_str_sub(fixed, 1, fixed.len - 2));
	put_jobs(&e, run);
	ETC_TRY(put_results(&e, run, err));
	etc_emit_cstr(&e, "seal", etc_hex_sha256(etc_span_of(etc_text_str(out)), run->arena));
	etc_emit_close(&e);
	return ETC_OK;
}

enum etc_status etc_run_measured(const struct etc_pipeline_run *run, struct etc_text *out,
                                 struct etc_error *err)
{
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_cstr(&e, "status", status_of(run));
	put_jobs(&e, run);
	ETC_TRY(put_results(&e, run, err));
	etc_emit_close(&e);
	return out->failed ? etc_no_memory(err) : ETC_OK;
}

static enum etc_status metrics(struct etc_pipeline_run *run, struct etc_text *out,
                               struct etc_error *err)
{
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	ETC_TRY(put_results(&e, run, err));
	etc_emit_close(&e);
	return ETC_OK;
}

static enum etc_status write_one(struct etc_pipeline_run *run, const char *name,
                                 enum etc_status (*make)(struct etc_pipeline_run *,
                                                         struct etc_text *, struct etc_error *),
                                 struct etc_error *err)
{
	const char *path = etc_run_path(run, name);
	struct etc_text text = { 0 };
	enum etc_status st = make(run, &text, err);

	if (st == ETC_OK && (text.failed || !path))
		st = etc_no_memory(err);
	if (st == ETC_OK)
		st = etc_inside_write(run->root, path, etc_text_str(&text), err);
	etc_text_release(&text);
	return st;
}

/* metrics.json is written first, then manifest.json. Memory for the files is released at the
 * end. */
enum etc_status etc_run_write(struct etc_pipeline_run *run, struct etc_error *err)
{
	struct etc_arena *lasting = run->arena, scratch;
	enum etc_status st;

	etc_arena_init(&scratch, lasting->budget);
	run->arena = &scratch;
	st = write_one(run, "metrics.json", metrics, err);
	if (st == ETC_OK)
		st = write_one(run, "manifest.json", manifest, err);
	run->arena = lasting;
	etc_arena_release(&scratch);
	return st;
}

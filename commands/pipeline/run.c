/* run.c -- runs `etcore pipeline run`; see run.h */
#define _GNU_SOURCE /* realpath, nanosleep */
#include "host/guard.h"
#include "commands/pipeline/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/inside.h"
#include "base/stop.h"
#include "base/sha256_text.h"
#include "commands/pipeline/latency.h"
#include "commands/pipeline/surroundings.h"

enum { WARM_MOST_S = 300 };

/* ---- preparation ---------------------------------------------------------------- */

static const char *absolute(const char *path, struct etc_arena *arena)
{
	char here[PATH_MAX];

	if (path[0] == '/')
		return etc_arena_cstr(arena, etc_str_of(path));
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	if (!getcwd(here, sizeof here))
		return etc_arena_cstr(arena, etc_str_of(path));
	return etc_arena_printf(arena, "%s/%s", strcmp(here, "/") == 0 ? "" : here, path).ptr;
}

/* Returns the parent folder of `path`, without a slash at the end. */
static struct etc_str parent(struct etc_str path)
{
	size_t n = path.len - etc_path_name(path).len;

	return etc_str_sub(path, 0, n > 1 ? n - 1 : n);
}

/* Returns the default output folder, which is called "android" or "results". The kit's rules are
 * used. If the model is in a folder named artifacts, the output folder is next to artifacts.
 * Otherwise it is in the nearest folder named out_* above the model's folder. If there is none, it
 * is in the model's folder. */
static const char *default_root(const char *model, bool android, struct etc_arena *arena)
{
	const char *name = android ? "android" : "results";
	struct etc_str folder = parent(etc_str_of(model)), up = parent(folder);

	if (!etc_str_eq(etc_path_name(folder), ETC_STR("artifacts")))
		while (up.len > 1 && !etc_str_starts(etc_path_name(up), ETC_STR("out_")))
			up = parent(up);
	if (up.len <= 1)
		up = folder;
	return etc_arena_printf(arena, ETC_STR_FMT "/%s", ETC_STR_ARG(up), name).ptr;
}

static struct etc_device *device_of(struct etc_pipeline_run *run, const char *serial)
{
	struct etc_device **at = &run->devices;

	for (; *at; at = &(*at)->next)
		if (serial && (*at)->serial ? strcmp(serial, (*at)->serial) == 0
		                            : serial == (*at)->serial)
			return *at;
	*at = etc_new(run->arena, struct etc_device, 1);
	if (*at) {
		(*at)->serial = serial;
		(*at)->dir =
			run->config.device.dir ? run->config.device.dir : "/data/local/tmp/etcore";
	}
	return *at;
}

/* Is the experiment for Android? The kit's configurations have no key for this. So the runner's
 * file, the name of the experiment and the output folder are examined. */
static bool looks_android(const struct etc_pipeline_run *run, const struct etc_experiment *x,
                          const struct etc_runner_file *f)
{
	const char *root = run->config.output_root;

	return etc_runner_file_android(f) || strncmp(x->name, "android_", 8) == 0 ||
	       (root && etc_str_ends(etc_str_of(root), ETC_STR("/android")));
}

static enum etc_status choose_target(struct etc_pipeline_run *run, uint32_t i,
                                     struct etc_error *err)
{
	const struct etc_experiment *x = &run->config.experiments[i];
	struct etc_run_experiment *e = &run->experiments[i];
	const char *said = run->options->target ? run->options->target
	                   : x->target          ? x->target
	                                        : run->config.device.target;

	if (!said && run->options->serial)
		said = "adb";
	if (!said && looks_android(run, x, &e->runner)) {
		said = "adb";
		etc_note_each(run->notes, N1030, "%s: adb", x->name);
	}
	if (!said || strcmp(said, "local") == 0)
		return ETC_OK;
	if (!etc_target_is(said))
		return etc_fail(err, E1002, "target '%s'; expected local, adb or adb:SERIAL", said);
	e->device = device_of(run, said[3] == ':' ? said + 4 : run->options->serial);
	return e->device ? ETC_OK : etc_no_memory(err);
}

static enum etc_status look_at_runners(struct etc_pipeline_run *run, struct etc_error *err)
{
	run->experiments =
		etc_new(run->arena, struct etc_run_experiment, run->config.experiment_count);
	ETC_NEED(run->experiments, err);
	for (uint32_t i = 0; i < run->config.experiment_count; i++) {
		const char *path = run->config.experiments[i].runner_path;

		if (path)
			ETC_TRY(etc_runner_file_look(path, run->arena, &run->experiments[i].runner,
			                             err));
		ETC_TRY(choose_target(run, i, err));
	}
	return ETC_OK;
}

static enum etc_status look_at_model(struct etc_pipeline_run *run, struct etc_error *err)
{
	const char *model = run->config.model;

	run->model = absolute(model, run->arena);
	ETC_NEED(run->model, err);
	run->model_sha256 = etc_file_sha256(model, run->arena, &run->model_bytes);
	if (!run->model_sha256 && !run->options->dry_run)
		return etc_in_file(err,
		                   etc_fail(err, E0901, "the model: %s",
		                            etc_folder_exists(model)
		                                    ? "it is a folder"
		                                    : strerror(errno ? errno : ENOENT)),
		                   model);
	return run->options->dry_run
	               ? ETC_OK
	               : etc_model_open(&run->program, model, run->model_sha256, run->arena, err);
}

enum etc_status etc_run_make_units(struct etc_pipeline_run *run, struct etc_error *err)
{
	run->units = etc_new(run->arena, struct etc_run_unit, run->plan.unit_count);
	ETC_NEED(run->units, err);
	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		struct etc_run_unit *u = &run->units[i];

		u->plan = &run->plan.units[i];
		u->blocks = etc_new(run->arena, struct etc_block_result, u->plan->blocks);
		ETC_NEED(u->blocks, err);
		for (uint32_t k = 0; k < u->plan->blocks; k++) {
			u->blocks[k].temperature_c = u->blocks[k].mhz = NAN;
			u->blocks[k].times.load_ms = -1;
			u->blocks[k].log.threads = -1;
			u->blocks[k].key = etc_run_key(run, u, k);
		}
	}
	return ETC_OK;
}

/* Warns of experiments in which each process has too few runs for a typical run. */
static void note_few_runs(const struct etc_pipeline_run *run)
{
	const struct etc_experiment *last = NULL;
	uint64_t blocks = etc_plan_blocks(&run->config);

	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		const struct etc_plan_unit *u = &run->plan.units[i];
		const struct etc_experiment *x = u->experiment;
		uint32_t fewest = etc_plan_runs(u, u->blocks - 1);

		if (!u->selected || x == last || x->mode != ETC_MODE_TIMING ||
		    fewest >= ETC_LATENCY_FEWEST)
			continue;
		last = x;
		etc_note_each(run->notes, W1062,
		              "%s: %u run%s in %u process%s: one of fewer than %d counts by its "
		              "median; runs = %llu is enough%s",
		              x->name, x->runs, etc_plural(x->runs), u->blocks,
		              u->blocks == 1 ? "" : "es", ETC_LATENCY_FEWEST,
		              (unsigned long long)(ETC_LATENCY_FEWEST * blocks),
		              blocks > 1 ? ", or fewer blocks" : "");
	}
}

static enum etc_status prepare(struct etc_pipeline_run *run, struct etc_error *err)
{
	const struct etc_pipeline_options *o = run->options;
	bool android;

	ETC_TRY(etc_pipeline_config_read(o->common.config, o->common.set.v, o->common.set.count,
	                                 run->arena, run->notes, &run->config, err));
	ETC_TRY(etc_run_plan_make(&run->config, o->only.v, o->only.count, run->arena, &run->plan,
	                          err));
	note_few_runs(run);
	ETC_TRY(look_at_model(run, err));
	ETC_TRY(look_at_runners(run, err));
	android = run->experiments[0].device != NULL;
	run->root = run->config.output_root ? absolute(run->config.output_root, run->arena)
	                                    : default_root(run->model, android, run->arena);
	ETC_NEED(run->root, err);
	return etc_run_make_units(run, err);
}

/* ---- one process ------------------------------------------------------------------ */

/* Checks the file of the runner before it is started. The block fails if the file is missing, is
 * not executable, or does not have the hash that the configuration expects. Returns false if the
 * block failed. */
static bool check_runner(const struct etc_pipeline_run *run, const struct etc_block_place *at,
                         const struct etc_runner_file *f, struct etc_block_result *r)
{
	const struct etc_experiment *x = at->unit->experiment;

	if (!x->runner_path)
		etc_block_fails(at, r, W1010, "runner_path is not set");
	else if (!f->there)
		etc_block_fails(at, r, W1010, "%s", f->path);
	else if (!f->executable && !run->experiments[x - run->config.experiments].device)
		etc_block_fails(at, r, W1011, "%s may not be executed: chmod +x", f->path);
	else if (x->expect_sha256 && f->sha256 && strcmp(x->expect_sha256, f->sha256) != 0)
		etc_block_fails(at, r, W1028, "%s is %s", f->path, f->sha256);
	return r->state != ETC_BLOCK_FAILED;
}

static void tick(void *arg, uint64_t elapsed_ms)
{
	etc_run_progress(arg, elapsed_ms);
}

/* Handles the file of a dump when the process has ended. Gives the file its final name if the block
 * succeeded, or failed only because its log has no latencies (W1019). If the block failed for
 * another reason, renames the file to *.refused. If the block neither succeeded nor failed, removes
 * the file. If the file cannot be renamed, the block fails (W1017). */
static void name_dump(const struct etc_block_place *at, struct etc_block_result *r,
                      const char *part, const char *dump, struct etc_arena *arena)
{
	const char *to = dump;

	if (r->state == ETC_BLOCK_FAILED && !(r->etdump_sha256 && r->code == W1019))
		to = etc_arena_printf(arena, "%s.refused", dump).ptr;
	if (r->state != ETC_BLOCK_OK && r->state != ETC_BLOCK_FAILED)
		remove(part);
	else if (to && etc_file_exists(part) && rename(part, to) != 0)
		etc_block_fails(at, r, W1017, "%s cannot be renamed to %s: %s", part, to,
		                strerror(errno));
}

static enum etc_status execute(struct etc_pipeline_run *run, const struct etc_plan_job *job,
                               const struct etc_block_place *at, struct etc_block_result *r,
                               struct etc_error *err)
{
	const struct etc_experiment *x = at->unit->experiment;
	struct etc_run_experiment *e = &run->experiments[x - run->config.experiments];
	const char *log = etc_plan_file(at->unit, job->block, ".log", run->arena);
	const char *dump = etc_plan_file(at->unit, job->block, ".etdump", run->arena);
	const char *part = etc_plan_file(at->unit, job->block, ".etdump.part", run->arena);
	bool timing = x->mode == ETC_MODE_TIMING;
	struct etc_task t = {
		.at = at,
		.runner = &e->runner,
		.model = run->model,
		.root = run->root,
		.tick = tick,
		.arg = run,
	};

	ETC_NEED(log && dump && part, err);
	t.log = etc_run_path(run, log);
	t.executions = timing ? x->warmup + job->runs : 1;
	t.remote = e->device != NULL;
	dump = etc_run_path(run, dump);
	part = e->device ? dump : etc_run_path(run, part);
	ETC_NEED(t.log && dump && part, err);
	if (timing)
		t.etdump = x->etdump ? part : "/dev/null";
	remove(dump);
	remove(part);
	if (e->device)
		ETC_TRY(etc_device_run(e->device, &t, run->arena, r, err));
	else
		ETC_TRY(etc_local_run(&t, run->arena, r, err));
	if (r->state == ETC_BLOCK_INTERRUPTED) {
		remove(part);
		return ETC_OK;
	}
	ETC_TRY(etc_block_collect(at, t.log, timing && x->etdump ? part : NULL, t.executions,
	                          run->arena, r, err));
	if (r->state == ETC_BLOCK_FAILED && r->code == W1013 && r->log.unknown_flag.len)
		etc_block_fails(at, r,
		                etc_str_eq(r->log.unknown_flag, ETC_STR("etdump_path")) ? W1015
		                                                                        : W1013,
		                "the runner does not know --" ETC_STR_FMT,
		                ETC_STR_ARG(r->log.unknown_flag));
	if (r->state == ETC_BLOCK_PENDING)
		r->state = ETC_BLOCK_OK;
	if (timing && x->etdump)
		name_dump(at, r, part, dump, run->arena);
	if (r->state == ETC_BLOCK_FAILED)
		r->etdump_sha256 = NULL;
	return ETC_OK;
}

static void judge_clock(const struct etc_block_place *at, int64_t began, uint64_t took_ms)
{
	int64_t by_date = etc_time_now() - began, by_clock = (int64_t)(took_ms / 1000);

	if (by_date > by_clock + 5 || by_date < by_clock - 5)
		etc_block_warns(at, W1020, "the date went on by %lld s while %lld s went by",
		                (long long)by_date, (long long)by_clock);
}

/* Reports that the machine is hotter than max_temp_c, or that its temperature is unknown (W1077).
 * Does nothing if max_temp_c is not set. */
static void judge_heat(struct etc_pipeline_run *run, const struct etc_block_place *at, double heat)
{
	double most = run->config.schedule.max_temp_c;

	if (most > 0 && isnan(heat))
		etc_note(run->notes, W1077, "the temperature of this machine is not known");
	else if (most > 0 && heat > most)
		etc_block_warns(at, W1077, ETC_HEAT_TEXT, heat, most);
}

static enum etc_status run_job(struct etc_pipeline_run *run, const struct etc_plan_job *job,
                               struct etc_error *err)
{
	struct etc_run_unit *u = &run->units[job->unit];
	struct etc_block_result *r = &u->blocks[job->block];
	const struct etc_experiment *x = u->plan->experiment;
	const struct etc_block_place at = { u->plan, job->block, run->notes, run->program };
	const char *folder = etc_run_path(run, x->name);
	uint64_t begin = etc_process_now();
	int64_t began = etc_time_now();

	ETC_NEED(folder, err);
	ETC_TRY(etc_inside_make(run->root, folder, err));
	etc_run_progress(run, 0);
	if (check_runner(run, &at, &run->experiments[x - run->config.experiments].runner, r)) {
		r->order = ++run->last_order;
		r->started = etc_time_text(run->arena);
		r->temperature_c = etc_temperature();
		r->mhz = etc_frequency_mhz();
		judge_heat(run, &at, r->temperature_c);
		ETC_TRY(execute(run, job, &at, r, err));
		r->finished = etc_time_text(run->arena);
		judge_clock(&at, began, etc_process_now() - begin);
	}
	run->spent_ms += etc_process_now() - begin;
	run->done++;
	return ETC_OK;
}

uint32_t etc_run_open(const struct etc_pipeline_run *run, bool selected, uint32_t *of)
{
	uint32_t open = 0, all = 0;

	for (uint32_t i = 0; i < run->plan.unit_count; i++)
		for (uint32_t k = 0; k < run->units[i].plan->blocks; k++) {
			uint8_t s = run->units[i].blocks[k].state;

			if (selected && !run->units[i].plan->selected)
				continue;
			all++;
			open += s == ETC_BLOCK_PENDING || s == ETC_BLOCK_INTERRUPTED;
		}
	if (of)
		*of = all;
	return open;
}

/* ---- all processes ------------------------------------------------------------------ */

static void nap(uint64_t ms)
{
	uint64_t until = etc_process_now() + ms;

	while (etc_process_now() < until && !etc_stop_signal()) {
		uint64_t left = until - etc_process_now();
		struct timespec t = { 0, (long)(left < 100 ? left : 100) * 1000000 };

		nanosleep(&t, NULL);
	}
}

/* Waits for cooldown_ms, except before the first process. If max_temp_c is set, then waits until
 * the machine is at most that hot, but not longer than WARM_MOST_S seconds. A signal to stop ends
 * this second wait. */
static void cool_down(const struct etc_pipeline_run *run)
{
	double most = run->config.schedule.max_temp_c;

	if (run->done)
		nap(run->config.schedule.cooldown_ms);
	for (int i = 0; i < WARM_MOST_S && most > 0 && etc_temperature() > most; i++) {
		if (etc_stop_signal())
			return;
		nap(1000);
	}
}

static enum etc_status run_all(struct etc_pipeline_run *run, struct etc_error *err)
{
	for (run->job = 0; run->job < run->plan.job_count; run->job++) {
		const struct etc_plan_job *job = &run->plan.jobs[run->job];
		struct etc_block_result *r = &run->units[job->unit].blocks[job->block];

		if (r->state == ETC_BLOCK_KEPT)
			continue;
		cool_down(run);
		if (!etc_stop_signal())
			ETC_TRY(run_job(run, job, err));
		run->interrupted = etc_stop_signal() && etc_run_open(run, true, NULL);
		ETC_TRY(etc_run_write(run, err));
		if (run->interrupted)
			return ETC_OK;
	}
	return ETC_OK;
}

/* Traces the kernels of each unit whose experiment is a trace. With --kernel-trace, also traces the
 * first unit of each other experiment. Units that are not selected, or that have failed, are left
 * out. */
static enum etc_status trace_all(struct etc_pipeline_run *run, struct etc_error *err)
{
	bool any = false;

	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		struct etc_run_unit *u = &run->units[i];
		bool first = i == 0 || run->units[i - 1].plan->experiment != u->plan->experiment;
		bool wanted = u->plan->experiment->mode == ETC_MODE_XNNTRACE ||
		              (run->options->kernel_trace && first);

		if (!wanted || !u->plan->selected || strcmp(etc_run_unit_status(u), "failed") == 0)
			continue;
		if (etc_stop_signal()) {
			run->interrupted = true;
			break;
		}
		any = true;
		ETC_TRY(etc_run_kernels(run, u, err));
	}
	return any ? etc_run_write(run, err) : ETC_OK;
}

static enum etc_status measure(struct etc_pipeline_run *run, struct etc_error *err)
{
	enum etc_status st;

	run->started = etc_time_text(run->arena);
	etc_run_look_around(run);
	if (run->surroundings.failed)
		return etc_no_memory(err);
	if (etc_crash_owned())
		etc_stop_catch();
	st = etc_run_drop(run, err);
	if (st == ETC_OK)
		st = etc_run_write(run, err);
	if (st == ETC_OK)
		st = run_all(run, err);
	if (st == ETC_OK && !run->interrupted)
		st = trace_all(run, err);
	etc_run_progress_end(run);
	if (etc_crash_owned())
		etc_stop_release();
	return st;
}

static enum etc_status verdict(const struct etc_pipeline_run *run, struct etc_error *err)
{
	uint32_t failed = 0;

	for (uint32_t i = 0; i < run->plan.job_count; i++)
		failed +=
			run->units[run->plan.jobs[i].unit].blocks[run->plan.jobs[i].block].state ==
			ETC_BLOCK_FAILED;
	if (run->interrupted) {
		uint32_t all, open = etc_run_open(run, false, &all);

		return etc_fail(err, E1007, "%s: %u of %u process%s measured",
		                etc_signal_name(etc_stop_signal()), all - open, all,
		                all == 1 ? " is" : "es are");
	}
	if (failed)
		return etc_fail(err, E1005, "%u of %u process%s failed", failed,
		                run->plan.job_count, run->plan.job_count == 1 ? "" : "es");
	return ETC_OK;
}

static enum etc_status go_on(struct etc_pipeline_run *run, struct etc_text *out,
                             struct etc_error *err)
{
	ETC_TRY(etc_run_take_over(run, err));
	if (run->options->dry_run) {
		etc_run_show_plan(run, out);
		return ETC_OK;
	}
	ETC_TRY(measure(run, err));
	ETC_TRY(etc_run_show_results(run, out, err));
	return verdict(run, err);
}

/* Locks the folder, so that only one command at a time measures into it. The lock is on the folder
 * itself, and ends with this process. It has no effect on file systems without locks. The caller
 * must close the descriptor `*lock`. */
static enum etc_status lock_folder(const struct etc_pipeline_run *run, int *lock,
                                   struct etc_error *err)
{
	*lock = open(run->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return etc_fail(err, E1032, "'%s'", run->root);
	return ETC_OK;
}

static enum etc_status go(struct etc_pipeline_run *run, struct etc_text *out, struct etc_error *err)
{
	enum etc_status st;
	int lock = -1;

	ETC_TRY(prepare(run, err));
	if (run->options->dry_run)
		return go_on(run, out, err);
	ETC_TRY(etc_folder_make_all(run->root, err));
	st = lock_folder(run, &lock, err);
	if (st == ETC_OK)
		st = go_on(run, out, err);
	if (lock >= 0)
		close(lock);
	return st;
}

enum etc_status etc_run_pipeline(const struct etc_pipeline_options *options, int progress,
                                 struct etc_arena *arena, struct etc_notes *notes,
                                 struct etc_text *out, struct etc_error *err)
{
	struct etc_pipeline_run run = {
		.options = options, .progress = progress, .arena = arena, .notes = notes
	};
	enum etc_status st = go(&run, out, err);

	etc_text_release(&run.surroundings);
	etc_model_close(run.program);
	return st;
}

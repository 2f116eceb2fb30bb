/* run_resume.c -- takes over the results of an earlier command in the folder; see run.h.
 *
 * The folder's manifest lists which blocks are complete, and what they depended on. The numbers of
 * these blocks are read again from logs and dumps. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/inside.h"
#include "base/sha256_text.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/run.h"
#include "commands/pipeline/surroundings.h"

static void put(struct etc_text *t, const char *text)
{
	etc_text_cstr(t, text ? text : "");
	etc_text_char(t, '\0');
}

const char *etc_run_key(const struct etc_pipeline_run *run, const struct etc_run_unit *u,
                        uint32_t block)
{
	const struct etc_experiment *x = u->plan->experiment;
	const struct etc_run_experiment *e = &run->experiments[x - run->config.experiments];
	const struct etc_words *lists[] = { &x->extra_args, &x->env, &x->inputs };
	struct etc_text t = { 0 };
	const char *key;

	put(&t, run->model_sha256);
	put(&t, e->runner.sha256);
	put(&t, x->name);
	put(&t, x->method);
	put(&t, x->data_path);
	put(&t, x->print_output);
	put(&t, x->cpu_affinity);
	put(&t, e->device ? e->device->serial ? e->device->serial : "adb" : "local");
	etc_text_printf(&t, "%u %u %u %u %u %u %d", x->mode, x->runs, x->warmup, u->plan->threads,
	                u->plan->blocks, block, x->etdump);
	for (size_t i = 0; i < 3; i++) {
		etc_text_printf(&t, " %u ", lists[i]->count);
		for (uint32_t k = 0; k < lists[i]->count; k++)
			put(&t, lists[i]->v[k]);
	}
	key = t.failed ? NULL : etc_hex_sha256(etc_span_of(etc_text_str(&t)), run->arena);
	etc_text_release(&t);
	return key;
}

/* ---- a job of a manifest ------------------------------------------------------------- */

static uint8_t state_of(struct etc_str status)
{
	for (uint8_t s = ETC_BLOCK_PENDING; s < ETC_BLOCK_KEPT; s++)
		if (etc_str_eq(status, etc_str_of(etc_block_state_text(s))))
			return s;
	return ETC_BLOCK_STATES;
}

static enum etc_code code_of(struct etc_str name)
{
	unsigned count;
	const struct etc_code_info *list = etc_code_list(&count);

	for (unsigned i = 0; name.len && i < count; i++)
		if (etc_str_eq(name, etc_str_of(list[i].name)))
			return list[i].code;
	return ETC_CODE_NONE;
}

static const char *text_of(const struct etc_tree *job, const char *key, struct etc_arena *arena)
{
	const struct etc_tree *t = etc_tree_get(job, key);

	return t && t->type == ETC_JSON_STRING ? etc_arena_cstr(arena, t->text) : NULL;
}

static double real_of(const struct etc_tree *job, const char *key)
{
	double v;

	return etc_tree_number(etc_tree_get(job, key), &v) ? v : NAN;
}

/* Reads a whole number, which may be negative. */
static int whole_of(const struct etc_tree *job, const char *key)
{
	double v = real_of(job, key);

	return v > -1e9 && v < 1e9 ? (int)v : 0;
}

void etc_run_job_read(const struct etc_tree *job, struct etc_arena *arena,
                      struct etc_earlier_job *out)
{
	*out = (struct etc_earlier_job){
		.experiment = etc_tree_string(job, "experiment"),
		.threads = etc_tree_whole(job, "threads"),
		.block = etc_tree_whole(job, "block"),
		.result = {
			.state = state_of(etc_tree_string(job, "status")),
			.code = code_of(etc_tree_string(job, "code")),
			.why = text_of(job, "why", arena),
			.key = text_of(job, "key", arena),
			.started = text_of(job, "started_at", arena),
			.finished = text_of(job, "finished_at", arena),
			.etdump_sha256 = text_of(job, "etdump_sha256", arena),
			.log_sha256 = text_of(job, "log_sha256", arena),
			.order = (uint32_t)etc_tree_whole(job, "order"),
			.wall_ms = real_of(job, "wall_ms"),
			.user_ms = real_of(job, "user_ms"),
			.sys_ms = real_of(job, "sys_ms"),
			.temperature_c = real_of(job, "temperature_c"),
			.mhz = real_of(job, "mhz"),
			.peak_rss_kib = etc_tree_whole(job, "peak_rss_kib"),
			.exit_status = whole_of(job, "exit_status"),
			.signal = whole_of(job, "signal"),
			.log.threads = -1,
			.times.load_ms = -1,
		},
	};
}

struct etc_block_result *etc_run_find_block(const struct etc_pipeline_run *run,
                                            const struct etc_earlier_job *job,
                                            struct etc_run_unit **unit)
{
	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		struct etc_run_unit *u = &run->units[i];

		if (!etc_str_eq(job->experiment, etc_str_of(u->plan->experiment->name)) ||
		    job->threads != u->plan->threads)
			continue;
		*unit = u;
		return job->block >= 1 && job->block <= u->plan->blocks ? &u->blocks[job->block - 1]
		                                                        : NULL;
	}
	return NULL;
}

enum etc_status etc_run_collect(const struct etc_pipeline_run *run, const char *folder,
                                const struct etc_run_unit *u, uint32_t block,
                                struct etc_block_result *r, struct etc_error *err)
{
	const struct etc_experiment *x = u->plan->experiment;
	bool timing = x->mode == ETC_MODE_TIMING;
	struct etc_notes silent;
	const struct etc_block_place at = { u->plan, block, &silent, run->program };
	const char *log = etc_plan_file(u->plan, block, ".log", run->arena);
	const char *dump = etc_plan_file(u->plan, block, ".etdump", run->arena), *refused;

	etc_notes_init(&silent, run->arena);
	log = etc_arena_printf(run->arena, "%s/%s", folder, log ? log : "").ptr;
	dump = etc_arena_printf(run->arena, "%s/%s", folder, dump ? dump : "").ptr;
	refused = etc_arena_printf(run->arena, "%s.refused", dump ? dump : "").ptr;
	ETC_NEED(log && dump && refused, err);
	if (r->state == ETC_BLOCK_FAILED && !etc_file_exists(dump))
		dump = refused;
	r->etdump_sha256 = r->log_sha256 = NULL;
	if (!r->started)
		return ETC_OK; /* no process was started, so there are no files */
	ETC_TRY(etc_block_collect(&at, log, timing && x->etdump ? dump : NULL,
	                          timing ? x->warmup + etc_plan_runs(u->plan, block) : 1,
	                          run->arena, r, err));
	if (r->state == ETC_BLOCK_FAILED)
		r->etdump_sha256 = NULL;
	return ETC_OK;
}

/* ---- taking results over --------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* State that etc_run_take_over() collects when it reads the jobs in the manifest. */
struct takeover {
	bool edited; /* the manifest has been changed since etcore wrote it */
	/* a job has the result ok, but this result would be overwritten, because the job's
	 * experiment is selected, or is not in the plan any more */
	bool kept;
	bool taken; /* the result of a job was taken over */
	/* a text that names a job whose result would be lost, and says why; NULL: there is no such
	 * job. The result of such a job cannot be taken over, and the job is not measured again,
	 * because its experiment is not selected */
	const char *lost;
};

/* Reports that the result of a job was not taken over from the earlier run. `state` is the state
 * of the job there. */
static void not_taken(struct etc_pipeline_run *run, const struct etc_plan_unit *u, uint8_t state,
                      const char *why, struct takeover *t)
{
	const char *name = u->experiment->name, *plural = etc_plural(u->threads);

	if (u->selected && run->options->resume)
		etc_note_each(run->notes, W1027, "%s with %u thread%s: %s", name, u->threads,
		              plural, why);
	if (u->selected || state != ETC_BLOCK_OK)
		return;
	t->lost = etc_arena_printf(run->arena, "%s with %u thread%s: %s", name, u->threads, plural,
	                           why)
	                  .ptr;
	if (t->lost && run->options->force)
		etc_note_each(run->notes, W1072, "%s", t->lost);
}

/* Is the folder of the experiment a symbolic link? A run folder with such a link is not valid, and
 * a measurement would replace the link. */
static bool is_link(const struct etc_pipeline_run *run, const char *experiment)
{
	const char *path = etc_run_path(run, experiment);
	struct stat st;

	return path && lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Reports an experiment whose date of measurement does not exist or is in the future. */
static void judge_date(struct etc_notes *notes, const char *name, const char *finished)
{
	int64_t then;

	if (!etc_time_parse(etc_str_of(finished), &then))
		etc_note(notes, W1020, "%s was measured at no time that exists: %s", name,
		         finished);
	else if (then > etc_time_now() + 60)
		etc_note(notes, W1020, "%s was measured in the future: %s", name, finished);
}

/* Takes over the result of an entry of "jobs". The conditions: the plan has the block of the entry;
 * the block need not be measured again; the manifest has not been changed; the folder of the
 * experiment is not a symbolic link; the runner has the hash expect_sha256; the key and the files
 * of the block are unchanged. */
static enum etc_status take_job(struct etc_pipeline_run *run, struct etc_earlier_job *e,
                                struct takeover *t, struct etc_error *err)
{
	struct etc_run_unit *u;
	const struct etc_experiment *x;
	struct etc_block_result *r = etc_run_find_block(run, e, &u), *old = &e->result;
	const char *dump = old->etdump_sha256, *log = old->log_sha256, *why = NULL;
	const char *name, *runner;
	uint8_t state = old->state;

	if (e->result.order > run->last_order)
		run->last_order = e->result.order;
	if (!r && state == ETC_BLOCK_OK)
		t->kept = true; /* otherwise etc_run_drop() would remove the job's files */
	if (!r || (state != ETC_BLOCK_OK && state != ETC_BLOCK_FAILED))
		return ETC_OK;
	x = u->plan->experiment;
	name = x->name;
	runner = run->experiments[x - run->config.experiments].runner.sha256;
	if (state == ETC_BLOCK_OK && old->finished)
		judge_date(run->notes, name, old->finished);
	if (u->plan->selected && state == ETC_BLOCK_OK)
		t->kept = true;
	if (u->plan->selected && (run->options->force || state == ETC_BLOCK_FAILED))
		return ETC_OK;
	if (t->edited) {
		why = "the manifest was edited";
	} else if (is_link(run, name)) {
		why = "its folder is a symbolic link";
	} else if (!r->key || !same(old->key, r->key)) {
		why = "model, runner or settings are others";
	} else if (x->expect_sha256 && runner && strcmp(x->expect_sha256, runner) != 0) {
		why = "its runner is not that of expect_sha256";
	} else {
		ETC_TRY(etc_run_collect(run, run->root, u, (uint32_t)e->block - 1, old, err));
		if (old->state != state || !same(dump, old->etdump_sha256) ||
		    (log && !same(log, old->log_sha256)))
			why = "its files are not as they were";
	}
	if (why) {
		not_taken(run, u->plan, state, why, t);
		return ETC_OK;
	}
	old->key = r->key;
	*r = *old;
	r->state = state == ETC_BLOCK_OK ? ETC_BLOCK_KEPT : state;
	t->taken = t->taken || state == ETC_BLOCK_OK;
	return ETC_OK;
}

static bool has_serial(const struct etc_tree *device, const char *serial)
{
	return etc_str_eq(etc_tree_string(device, "serial"), etc_str_of(serial ? serial : ""));
}

/* Copies the facts about devices from the manifest of an earlier command. When a device is used
 * again, its facts are replaced. */
static void take_devices(struct etc_pipeline_run *run, const struct etc_tree *manifest)
{
	const struct etc_tree *one = etc_tree_get(manifest, "device");

	for (struct etc_device *d = run->devices; d; d = d->next) {
		const struct etc_tree *t = one;

		if (!one || !has_serial(one, d->serial))
			for (t = etc_tree_first(manifest, "devices"); t; t = t->next)
				if (has_serial(t, d->serial))
					break;
		d->model = text_of(t, "model", run->arena);
		d->abi = text_of(t, "abi", run->arena);
		d->soc = text_of(t, "soc", run->arena);
		d->build = text_of(t, "build", run->arena);
	}
}

/* Was the folder made by another program, such as the kit? In that case its manifest has results,
 * but no jobs. */
static bool is_foreign(const struct etc_tree *manifest)
{
	return etc_tree_first(manifest, "results") && !etc_tree_get(manifest, "jobs");
}

/* Must be called for a folder without a manifest. Returns an error if the folder has a dump or log
 * with a name that the plan uses, because the file belongs to a run whose manifest was lost. Does
 * nothing with --force or --dry-run. */
static enum etc_status refuse_orphans(const struct etc_pipeline_run *run, struct etc_error *err)
{
	static const char *const endings[] = { ".etdump", ".log" };

	if (run->options->force || run->options->dry_run)
		return ETC_OK;
	for (uint32_t i = 0; i < 2 * run->plan.job_count; i++) {
		const struct etc_plan_job *j = &run->plan.jobs[i / 2];
		const char *name = etc_plan_file(run->units[j->unit].plan, j->block, endings[i % 2],
		                                 run->arena);
		const char *path = name ? etc_run_path(run, name) : NULL;

		ETC_NEED(path, err);
		if (etc_file_exists(path))
			return etc_fail(err, E1006, "'%s', without manifest.json: %s", run->root,
			                name);
	}
	return ETC_OK;
}

enum etc_status etc_run_take_over(struct etc_pipeline_run *run, struct etc_error *err)
{
	const char *path = etc_run_path(run, "manifest.json");
	const struct etc_tree *manifest;
	struct etc_error why = { .at = -1 };
	struct takeover t = { .kept = false };

	ETC_NEED(path, err);
	if (!etc_file_exists(path))
		return refuse_orphans(run, err);
	if (run->options->force && !run->options->only.count)
		return ETC_OK;
	if (etc_tree_open(path, run->arena, &manifest, &why) != ETC_OK) {
		if (why.code != E1052 && why.code != E1067) {
			*err = why;
			return (enum etc_status)etc_code_info(why.code)->status;
		}
		return etc_in_file(err, etc_fail(err, E1031, "%s", why.text), path);
	}
	t.edited = !etc_seal_holds(manifest, path, run->arena);
	if (!t.edited)
		take_devices(run, manifest);
	for (const struct etc_tree *j = etc_tree_first(manifest, "jobs"); j; j = j->next) {
		struct etc_earlier_job e;

		etc_run_job_read(j, run->arena, &e);
		ETC_TRY(take_job(run, &e, &t, err));
	}
	if (t.taken)
		run->earlier = manifest;
	if (run->options->force || run->options->dry_run)
		return ETC_OK;
	if (is_foreign(manifest))
		return etc_fail(err, E1006, "'%s', not made by etcore", run->root);
	if (t.lost)
		return etc_fail(err, E1006, "'%s'; --only would lose %s", run->root, t.lost);
	return t.kept && !run->options->resume ? etc_fail(err, E1006, "'%s'", run->root) : ETC_OK;
}

/* ---- removing old files ------------------------------------------------------------------ */

/* Removes the files of `job`, an earlier process of experiment `x` that is not in the current
 * plan. */
static enum etc_status drop_job(const struct etc_pipeline_run *run, const struct etc_experiment *x,
                                const struct etc_earlier_job *job, struct etc_error *err)
{
	static const char *const suffixes[] = { ".etdump", ".etdump.refused", ".log",
		                                "_kernels.log", "_xnntrace.log" };
	const struct etc_plan_unit u = { .experiment = x, .threads = (uint32_t)job->threads };

	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		const char *name =
			etc_plan_file(&u, (uint32_t)job->block - 1, suffixes[i], run->arena);
		const char *path = name ? etc_run_path(run, name) : NULL;

		ETC_NEED(path, err);
		etc_inside_remove(run->root, path);
	}
	return ETC_OK;
}

/* `name` is the experiment of a process that the manifest lists. Sets *out to the experiment with
 * this name in the current plan; if there is none, to default values with this name. Returns false
 * if the experiment is in the plan but not selected, or if the name is not valid. */
static bool earlier_experiment(const struct etc_pipeline_run *run, struct etc_str name,
                               struct etc_experiment *out)
{
	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		const struct etc_plan_unit *u = run->units[i].plan;

		if (!etc_str_eq(name, etc_str_of(u->experiment->name)))
			continue;
		*out = *u->experiment;
		return u->selected;
	}
	etc_experiment_defaults(out);
	out->name = etc_arena_cstr(run->arena, name);
	return name.len && out->name && etc_experiment_named(out->name);
}

/* Must the files of an earlier process be removed? If the process is in the plan: yes, if its
 * result was not taken over and it will not be measured again. If it is not in the plan: yes,
 * unless the plan has its experiment, but the user did not select it. Sets *out to the experiment
 * of the process. */
static bool is_surplus(const struct etc_pipeline_run *run, const struct etc_earlier_job *job,
                       struct etc_experiment *out)
{
	struct etc_run_unit *u;
	const struct etc_block_result *r = etc_run_find_block(run, job, &u);

	if (!r)
		return earlier_experiment(run, job->experiment, out);
	*out = *u->plan->experiment;
	return !u->plan->selected && r->state == ETC_BLOCK_PENDING;
}

enum etc_status etc_run_drop(const struct etc_pipeline_run *run, struct etc_error *err)
{
	const char *path = etc_run_path(run, "manifest.json");
	const struct etc_tree *manifest;
	struct etc_error why = { .at = -1 };

	ETC_NEED(path, err);
	if (!etc_file_exists(path) || etc_tree_open(path, run->arena, &manifest, &why) != ETC_OK)
		return ETC_OK;
	for (const struct etc_tree *t = etc_tree_first(manifest, "jobs"); t; t = t->next) {
		struct etc_experiment x;
		struct etc_earlier_job e;

		etc_run_job_read(t, run->arena, &e);
		if (e.block && e.block <= UINT32_MAX && e.threads <= UINT32_MAX &&
		    is_surplus(run, &e, &x))
			ETC_TRY(drop_job(run, &x, &e, err));
	}
	return ETC_OK;
}

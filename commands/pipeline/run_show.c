/* run_show.c -- writes the plan, the results and the progress as text; see run.h. */
#include <math.h>
#include <unistd.h>

#include "base/file.h"
#include "base/shell.h"
#include "commands/pipeline/latency.h"
#include "commands/pipeline/run.h"

static void put_command(const struct etc_pipeline_run *run, const struct etc_task *t,
                        const struct etc_device *d, struct etc_text *out)
{
	const char **argv;

	if (d) {
		etc_text_tell(out, "adb %s%sshell ", d->serial ? "-s " : "",
		              d->serial ? etc_arena_printf(run->arena, "%s ", d->serial).ptr : "");
		etc_text_shown(out,
		               etc_shell_word(etc_arena_cstr(run->arena,
		                                             etc_device_command(d, t, run->arena)),
		                              run->arena));
	} else {
		argv = etc_task_argv(t, t->runner->path, t->model, t->etdump, run->arena);
		for (uint32_t i = 0; argv && argv[i]; i++) {
			if (i)
				etc_text_char(out, ' ');
			etc_text_shown(out, etc_shell_shown(argv[i], run->arena));
		}
	}
	etc_text_char(out, '\n');
}

/* Names the files that the plan needs and that do not exist. */
static void put_missing(const struct etc_pipeline_run *run, struct etc_text *out)
{
	if (!run->model_sha256)
		etc_text_tell(out, "missing: the model %s\n", run->model);
	for (uint32_t i = 0; i < run->config.experiment_count; i++)
		if (!run->experiments[i].runner.there)
			etc_text_tell(out, "missing: the runner %s of %s\n",
			              run->experiments[i].runner.path
			                      ? run->experiments[i].runner.path
			                      : "(runner_path is not set)",
			              run->config.experiments[i].name);
}

void etc_run_show_plan(const struct etc_pipeline_run *run, struct etc_text *out)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < run->plan.job_count; i++)
		kept += run->units[run->plan.jobs[i].unit].blocks[run->plan.jobs[i].block].state ==
		        ETC_BLOCK_KEPT;
	etc_text_tell(out, "into %s: %u process%s, %s", run->root, run->plan.job_count,
	              run->plan.job_count == 1 ? "" : "es",
	              etc_order_text(run->config.schedule.order));
	if (kept)
		etc_text_printf(out, ", %u measured already", kept);
	etc_text_char(out, '\n');
	for (uint32_t i = 0; i < run->plan.job_count; i++) {
		const struct etc_plan_job *j = &run->plan.jobs[i];
		const struct etc_run_unit *u = &run->units[j->unit];
		const struct etc_experiment *x = u->plan->experiment;
		const struct etc_run_experiment *e = &run->experiments[x - run->config.experiments];
		const struct etc_block_place at = { u->plan, j->block, run->notes, NULL };
		bool timing = x->mode == ETC_MODE_TIMING;
		const char *dump = etc_plan_file(u->plan, j->block, ".etdump", run->arena);
		struct etc_task t = {
			.at = &at,
			.runner = &e->runner,
			.model = run->model,
			.etdump = timing && x->etdump ? etc_run_path(run, dump) : NULL,
			.executions = timing ? x->warmup + j->runs : 1,
		};

		etc_text_tell(out, "%2u  %s, %u thread%s, block %u of %u: ", i + 1, x->name,
		              u->plan->threads, etc_plural(u->plan->threads), j->block + 1,
		              u->plan->blocks);
		if (timing)
			etc_text_printf(out, "%u warm-up + %u run%s%s\n", x->warmup, j->runs,
			                etc_plural(j->runs),
			                u->blocks[j->block].state == ETC_BLOCK_KEPT ? " (measured)"
			                                                            : "");
		else
			etc_text_cstr(out, "kernels\n");
		etc_text_cstr(out, "    ");
		put_command(run, &t, e->device, out);
	}
	put_missing(run, out);
}

static void put_ms(struct etc_text *out, double v)
{
	if (isnan(v))
		etc_text_printf(out, " %10s", "-");
	else
		etc_text_printf(out, " %10.4f", v);
}

enum etc_status etc_run_show_results(const struct etc_pipeline_run *run, struct etc_text *out,
                                     struct etc_error *err)
{
	int width = 10;

	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		int n = (int)etc_utf8_width(etc_str_of(run->units[i].plan->experiment->name));

		width = n > width ? n : width;
	}
	etc_text_printf(out,
	                "%-*s threads  runs  median ms    mean ms     p90 ms   CV %%  status\n",
	                width, "experiment");
	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		const struct etc_run_unit *u = &run->units[i];
		struct etc_unit_latencies times;
		struct etc_latency l;

		ETC_TRY(etc_unit_latencies(u, run->arena, &times, err));
		ETC_TRY(etc_latency_of(times.v, times.n, run->arena, &l, err));
		etc_text_tell(out, "%-*s %7u %5u", width, u->plan->experiment->name,
		              u->plan->threads, times.n);
		put_ms(out, l.median);
		put_ms(out, l.mean);
		put_ms(out, l.p90);
		if (isnan(l.cv_percent))
			etc_text_printf(out, " %6s", "-");
		else
			etc_text_printf(out, " %6.1f", l.cv_percent);
		etc_text_tell(out, "  %s\n", etc_run_unit_status(u));
		if (u->evidence.tried)
			etc_text_tell(out, "  %u kernel%s seen%s%s\n", u->evidence.kernels.count,
			              etc_plural(u->evidence.kernels.count),
			              u->evidence.why ? ": " : "",
			              u->evidence.why ? u->evidence.why : "");
	}
	etc_text_tell(out, "%s/manifest.json, metrics.json\n", run->root);
	return ETC_OK;
}

static void put_time(struct etc_text *out, double seconds)
{
	if (seconds < 90)
		etc_text_printf(out, "%.0f s", seconds);
	else if (seconds < 5400)
		etc_text_printf(out, "%.0f min", seconds / 60);
	else
		etc_text_printf(out, "%.1f h", seconds / 3600);
}

/* Returns the number of processes that have not ended yet, including the current one. */
static uint32_t left_to_run(const struct etc_pipeline_run *run)
{
	uint32_t n = 0;

	for (uint32_t i = run->job; i < run->plan.job_count; i++) {
		const struct etc_plan_job *j = &run->plan.jobs[i];

		n += run->units[j->unit].blocks[j->block].state != ETC_BLOCK_KEPT;
	}
	return n;
}

/* Shows a line with the current process and the remaining time. The remaining time is computed as
 * if each process took as long as the average process so far. */
void etc_run_progress(struct etc_pipeline_run *run, uint64_t elapsed_ms)
{
	const struct etc_plan_job *j = &run->plan.jobs[run->job];
	const struct etc_plan_unit *u = run->units[j->unit].plan;
	struct etc_text line = { 0 };
	double each, left;

	bool terminal = isatty(run->progress);

	if (!run->progress || (!terminal && elapsed_ms))
		return;
	etc_text_cstr(&line, terminal ? "\r\033[K" : "");
	etc_text_tell(&line, "[%u/%u] %s, %u thread%s", run->job + 1, run->plan.job_count,
	              u->experiment->name, u->threads, etc_plural(u->threads));
	if (u->blocks > 1)
		etc_text_printf(&line, ", block %u of %u", j->block + 1, u->blocks);
	etc_text_cstr(&line, ": ");
	put_time(&line, (double)elapsed_ms / 1000);
	if (run->done) {
		each = (double)run->spent_ms / run->done;
		left = each * left_to_run(run) - (double)elapsed_ms;
		etc_text_cstr(&line, ", about ");
		put_time(&line, left > 0 ? left / 1000 : 0);
		etc_text_cstr(&line, " left");
	}
	if (!terminal)
		etc_text_char(&line, '\n');
	etc_descriptor_write(run->progress, etc_text_str(&line));
	etc_text_release(&line);
}

void etc_run_progress_end(const struct etc_pipeline_run *run)
{
	if (run->progress && isatty(run->progress))
		etc_descriptor_write(run->progress, ETC_STR("\r\033[K"));
}

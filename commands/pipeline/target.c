/* target.c -- the code that both targets share, and the code of the local target; see target.h. */
#define _POSIX_C_SOURCE 200809L
#include "commands/pipeline/target.h"

#include <errno.h>
#include <string.h>

extern char **environ;

enum { FLAGS = 24, LOG_MOST = 256 << 20 };

static const char *joined(const struct etc_words *w, struct etc_arena *arena)
{
	struct etc_str s = etc_arena_printf(arena, "%s", w->v[0]);

	for (uint32_t i = 1; s.ptr && i < w->count; i++)
		s = etc_arena_printf(arena, ETC_STR_FMT ",%s", ETC_STR_ARG(s), w->v[i]);
	return s.ptr;
}

static void put_flag(const char **argv, uint32_t *n, const char *flag, const char *value)
{
	if (!value)
		return;
	argv[(*n)++] = flag;
	argv[(*n)++] = value;
}

const char **etc_task_argv(const struct etc_task *t, const char *program, const char *model,
                           const char *etdump, struct etc_arena *arena)
{
	const struct etc_experiment *e = t->at->unit->experiment;
	const char **argv = etc_new(arena, const char *, FLAGS + e->extra_args.count);
	const char *runs = etc_arena_printf(arena, "%u", t->executions).ptr;
	const char *threads = etc_arena_printf(arena, "%u", t->at->unit->threads).ptr;
	const char *inputs = e->inputs.count ? joined(&e->inputs, arena) : NULL;
	uint32_t n = 0;

	if (!argv || !runs || !threads || (e->inputs.count && !inputs))
		return NULL;
	argv[n++] = program;
	put_flag(argv, &n, "--model_path", model);
	put_flag(argv, &n, "--num_executions", runs);
	put_flag(argv, &n, "--cpu_threads", threads);
	put_flag(argv, &n, "--etdump_path", etdump);
	put_flag(argv, &n, "--inputs", inputs);
	put_flag(argv, &n, "--method_name", e->method);
	put_flag(argv, &n, "--data_path", e->data_path);
	put_flag(argv, &n, "--print_output", e->print_output);
	for (uint32_t i = 0; i < e->extra_args.count; i++)
		argv[n++] = e->extra_args.v[i];
	return argv;
}

/* Do the two entries NAME=VALUE set the same variable? */
static bool same_name(const char *entry, const char *other)
{
	size_t n = strcspn(entry, "=");

	return strncmp(entry, other, n) == 0 && other[n] == '=';
}

static void put_env(const char **env, uint32_t *n, const char *entry)
{
	for (uint32_t i = 0; i < *n; i++)
		if (same_name(entry, env[i])) {
			env[i] = entry;
			return;
		}
	env[(*n)++] = entry;
}

/* Returns the environment variables of the runner: those of this program, then XNN_LOG_LEVEL, then
 * those of the task, then those of the experiment. If a name occurs again, the later value replaces
 * the earlier one. NULL: out of memory. */
static const char **task_env(const struct etc_task *t, struct etc_arena *arena)
{
	const struct etc_experiment *e = t->at->unit->experiment;
	uint32_t room = 2, n = 0;
	const char **env;

	for (char **v = environ; v && *v; v++)
		room++;
	for (const char *const *v = t->extra_env; v && *v; v++)
		room++;
	env = etc_new(arena, const char *, room + e->env.count);
	if (!env)
		return NULL;
	for (char **v = environ; v && *v; v++)
		env[n++] = *v;
	put_env(env, &n, e->mode == ETC_MODE_TIMING ? "XNN_LOG_LEVEL=0" : "XNN_LOG_LEVEL=5");
	for (const char *const *v = t->extra_env; v && *v; v++)
		put_env(env, &n, *v);
	for (uint32_t i = 0; i < e->env.count; i++)
		put_env(env, &n, e->env.v[i]);
	return env;
}

/* ---- how a process ended ----------------------------------------------------------- */

static void judge_start(const struct etc_task *t, int why, struct etc_arena *arena,
                        struct etc_block_result *r)
{
	const struct etc_runner_file *f = t->runner;

	if (why == EINVAL && t->at->unit->experiment->cpu_affinity)
		etc_block_fails(t->at, r, W1026, "cpu_affinity %s",
		                t->at->unit->experiment->cpu_affinity);
	else if (f->elf && f->machine && f->machine != etc_machine_here())
		etc_block_fails(t->at, r, W1011, "%s is for %s (ELF machine %u), this is %s",
		                f->path, etc_machine_name(f->machine, arena), f->machine,
		                etc_machine_name(etc_machine_here(), arena));
	else if (why == ENOEXEC)
		etc_block_fails(t->at, r, W1011, "%s is neither a program nor begins with #!",
		                f->path);
	else if (why == ENOENT && f->loader)
		etc_block_fails(t->at, r, W1011, "%s needs %s, which is not there", f->path,
		                f->loader);
	else
		etc_block_fails(t->at, r, W1011, "%s: %s", f->path, strerror(why));
}

static void judge_status(const struct etc_task *t, const struct etc_job *j, struct etc_arena *arena,
                         struct etc_block_result *r)
{
	const struct etc_runner_file *f = t->runner;

	/* a shell and adb report an end by signal N as exit status 128 + N */
	if (j->status > 128 && j->status < 128 + 32)
		etc_block_fails(t->at, r, W1012, "exit status %d: %s (%s)", j->status,
		                etc_signal_name(j->status - 128), t->log);
	else if (!t->remote && f->elf && f->machine && f->machine != etc_machine_here() &&
	         j->status >= 126)
		judge_start(t, ENOEXEC, arena, r);
	else
		etc_block_fails(t->at, r, W1013, "exit status %d (%s)", j->status, t->log);
}

void etc_judge_end(const struct etc_task *t, const struct etc_job *j, struct etc_arena *arena,
                   struct etc_block_result *r)
{
	r->wall_ms = (double)j->wall_us / 1000;
	r->user_ms = (double)j->user_us / 1000;
	r->sys_ms = (double)j->sys_us / 1000;
	r->peak_rss_kib = j->peak_rss_kib;
	r->exit_status = j->end == ETC_JOB_EXITED ? j->status : -1;
	r->signal = j->end == ETC_JOB_SIGNALED ? j->status : 0;
	switch (j->end) {
	case ETC_JOB_REFUSED:
		judge_start(t, j->status, arena, r);
		break;
	case ETC_JOB_SIGNALED:
		etc_block_fails(t->at, r, W1012, "%s (signal %d) after %.1f s (%s)",
		                etc_signal_name(j->status), j->status, r->wall_ms / 1000, t->log);
		break;
	case ETC_JOB_TIMED_OUT:
		etc_block_fails(t->at, r, W1014, "timeout_s is %g (%s)",
		                t->at->unit->experiment->timeout_s, t->log);
		break;
	case ETC_JOB_FLOODED:
		etc_block_fails(t->at, r, W1021, "more than %d MiB (%s)", LOG_MOST >> 20, t->log);
		break;
	case ETC_JOB_STOPPED:
		r->state = ETC_BLOCK_INTERRUPTED;
		break;
	default:
		if (j->status)
			judge_status(t, j, arena, r);
	}
}

/* ---- this machine ------------------------------------------------------------------ */

bool etc_target_is(const char *s)
{
	return strcmp(s, "local") == 0 || strcmp(s, "adb") == 0 || strncmp(s, "adb:", 4) == 0;
}

enum etc_status etc_local_run(const struct etc_task *t, struct etc_arena *arena,
                              struct etc_block_result *r, struct etc_error *err)
{
	const struct etc_experiment *e = t->at->unit->experiment;
	struct etc_cpus cpus = { 0 };
	struct etc_job j = {
		.argv = etc_task_argv(t, t->runner->path, t->model, t->etdump, arena),
		.env = task_env(t, arena),
		.cpus = e->cpu_affinity ? &cpus : NULL,
		.log = t->log,
		.folder = t->root,
		.limit_ms = etc_experiment_limit_ms(e),
		.log_limit = LOG_MOST,
		.tick = t->tick,
		.arg = t->arg,
	};

	ETC_NEED(j.argv && j.env, err);
	if (e->cpu_affinity)
		etc_cpus_parse(etc_str_of(e->cpu_affinity), &cpus);
	ETC_TRY(etc_job_run(&j, err));
	etc_judge_end(t, &j, arena, r);
	return ETC_OK;
}

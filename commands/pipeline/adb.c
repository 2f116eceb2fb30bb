/* adb.c -- runs a task on an Android device through the program adb; see target.h.
 *
 * adb is started with a vector of arguments. The words after `shell` are a text for the device's
 * shell, so each word is quoted. On the device, executor_runner writes its log to logcat with the
 * tag ExecuTorch. The log of the block contains the output of executor_runner, followed by its
 * lines in logcat. */
#include "commands/pipeline/target.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/inside.h"
#include "base/shell.h"

enum { SHORT_MS = 30000, PUSH_MS = 600000, WORDS = 12, PUSHED_MAX = 4096, LOG_MOST = 256 << 20 };

/* Builds the arguments of an adb call, terminated by NULL. */
static const char **call(const struct etc_device *d, struct etc_arena *arena,
                         const char *const *words)
{
	const char **argv = etc_new(arena, const char *, WORDS);
	uint32_t n = 0;

	if (!argv)
		return NULL;
	argv[n++] = d->adb;
	if (d->serial) {
		argv[n++] = "-s";
		argv[n++] = d->serial;
	}
	while (*words && n + 1 < WORDS)
		argv[n++] = *words++;
	return argv;
}

/* Runs adb for at most `limit` ms. On success, sets *out to the output of adb without surrounding
 * blanks (unless `out` is NULL), and returns true. On failure, sets *why to the reason, and returns
 * false. */
static bool ask(const struct etc_device *d, const char *const *words, unsigned limit,
                struct etc_arena *arena, const char **out, const char **why)
{
	struct etc_process p = { .argv = call(d, arena, words), .limit_ms = limit };
	struct etc_error err = { .at = -1 };
	struct etc_str said;
	bool fine = false;

	*why = "out of memory";
	if (!p.argv)
		return false;
	if (etc_process_run(&p, &err) != ETC_OK) {
		*why = etc_arena_cstr(arena, etc_str_of(err.text));
	} else {
		fine = p.end == ETC_PROCESS_EXITED && p.status == 0;
		said = etc_str_trim(etc_text_str(p.err.len || fine ? &p.err : &p.out));
		if (p.end == ETC_PROCESS_TIMED_OUT)
			*why = "no answer in time";
		else if (!fine)
			*why = etc_arena_printf(arena, "adb %s: %.*s (exit status %d)", words[0],
			                        (int)(said.len < 300 ? said.len : 300),
			                        said.ptr ? said.ptr : "", p.status)
			               .ptr;
		if (fine && out)
			*out = etc_arena_cstr(arena, etc_str_trim(etc_text_str(&p.out)));
	}
	etc_process_release(&p);
	return fine;
}

static const char *property(const struct etc_device *d, const char *name, struct etc_arena *arena)
{
	const char *const words[] = { "shell", "getprop", name, NULL };
	const char *out = NULL, *why;

	if (!ask(d, words, SHORT_MS, arena, &out, &why) || !out || !*out)
		return NULL;
	return out;
}

/* Runs a command in the device's shell. The command is passed to adb as one argument. */
static bool shell(const struct etc_device *d, struct etc_str command, struct etc_arena *arena,
                  const char **out, const char **why)
{
	const char *text = etc_arena_cstr(arena, command);
	const char *const words[] = { "shell", text, NULL };

	*why = "out of memory";
	return text && ask(d, words, SHORT_MS, arena, out, why);
}

/* Prepares a device before its first use: finds adb, creates the folder on the device, and reads
 * the properties of the device. Returns false if this failed; the block has then failed with
 * W1023. */
static bool get_ready(struct etc_device *d, const struct etc_task *t, struct etc_arena *arena,
                      struct etc_block_result *r)
{
	const char *make[] = { "shell", "mkdir", "-p", NULL, NULL };
	const char *connect[] = { "connect", d->serial, NULL };
	const char *why;
	char path[4096];

	if (d->ready)
		return true;
	if (!etc_process_find("adb", path, sizeof path)) {
		etc_block_fails(t->at, r, W1023, "there is no adb on PATH");
		return false;
	}
	d->adb = etc_arena_cstr(arena, etc_str_of(path));
	make[3] = etc_arena_cstr(arena, etc_shell_word(d->dir, arena));
	if (d->serial && strchr(d->serial, ':')) { /* the device is connected over the network */
		struct etc_device any = *d;

		any.serial = NULL;
		ask(&any, connect, SHORT_MS, arena, NULL, &why);
	}
	if (!ask(d, make, SHORT_MS, arena, NULL, &why)) {
		etc_block_fails(t->at, r, W1023, "%s", why);
		return false;
	}
	d->abi = property(d, "ro.product.cpu.abi", arena);
	d->model = property(d, "ro.product.model", arena);
	d->soc = property(d, "ro.soc.model", arena);
	d->build = property(d, "ro.build.fingerprint", arena);
	d->pushed.v = etc_new(arena, const char *, PUSHED_MAX);
	d->ready = d->adb && make[3] && d->pushed.v;
	if (!d->ready)
		etc_block_fails(t->at, r, W1023, "out of memory");
	return d->ready;
}

static bool push(const struct etc_device *d, const char *from, const char *name,
                 struct etc_arena *arena, const char **why)
{
	const char *words[] = { "push", from, NULL, NULL };

	words[2] = etc_arena_printf(arena, "%s/%s", d->dir, name).ptr;
	*why = "out of memory";
	return words[2] && ask(d, words, PUSH_MS, arena, NULL, why);
}

static const char *runner_name(const struct etc_task *t, struct etc_arena *arena)
{
	return etc_arena_printf(arena, "executor_runner_%s", t->at->unit->experiment->name).ptr;
}

/* Copies the runner, and the shared libraries (.so) in the runner's folder, to the device. Makes
 * the runner executable. */
static bool push_runner(const struct etc_device *d, const struct etc_task *t, const char *name,
                        struct etc_arena *arena, const char **why)
{
	static const char *const libraries[] = { ".so", NULL };
	struct etc_str to = etc_arena_printf(arena, "%s/%s", d->dir, name), word;
	const char *slash = strrchr(t->runner->path, '/');
	const char *folder =
		slash ? etc_arena_cstr(arena, (struct etc_str){ t->runner->path,
	                                                        (size_t)(slash - t->runner->path) })
		      : ".";
	const char **found = NULL;
	uint32_t count = 0;

	if (!to.ptr || !folder || !push(d, t->runner->path, name, arena, why))
		return false;
	if (etc_folder_list(*folder ? folder : "/", libraries, arena, &found, &count, NULL) ==
	    ETC_OK)
		for (uint32_t i = 0; i < count; i++)
			if (!push(d, found[i], etc_file_name(found[i]), arena, why))
				return false;
	word = etc_shell_word(to.ptr, arena);
	return shell(d, etc_arena_printf(arena, "chmod 755 " ETC_STR_FMT, ETC_STR_ARG(word)), arena,
	             NULL, why);
}

static bool provide(struct etc_device *d, const struct etc_task *t, struct etc_arena *arena,
                    struct etc_block_result *r)
{
	const char *name = runner_name(t, arena), *why = "out of memory";
	const struct etc_experiment *e = t->at->unit->experiment;
	bool known = false;

	for (uint32_t i = 0; name && i < d->pushed.count; i++)
		known = known || strcmp(d->pushed.v[i], name) == 0;
	if (name && !d->pushed_model && push(d, t->model, etc_file_name(t->model), arena, &why))
		d->pushed_model = t->model;
	if (name && d->pushed_model && !known) {
		known = push_runner(d, t, name, arena, &why);
		for (uint32_t i = 0; known && i < e->inputs.count; i++)
			known = push(d, e->inputs.v[i], etc_file_name(e->inputs.v[i]), arena, &why);
		if (known && e->data_path)
			known = push(d, e->data_path, etc_file_name(e->data_path), arena, &why);
		if (known && d->pushed.count < PUSHED_MAX)
			d->pushed.v[d->pushed.count++] = name;
	}
	if (!known)
		etc_block_fails(t->at, r, W1023, "%s", why ? why : "");
	return known;
}

static void put_word(struct etc_text *to, const char *word, struct etc_arena *arena)
{
	etc_text_char(to, ' ');
	etc_text_put(to, etc_shell_word(word, arena));
}

struct etc_str etc_device_command(const struct etc_device *d, const struct etc_task *t,
                                  struct etc_arena *arena)
{
	const struct etc_experiment *e = t->at->unit->experiment;
	struct etc_str folder = etc_shell_word(d->dir, arena);
	const char *program = etc_arena_printf(arena, "./executor_runner_%s", e->name).ptr;
	const char **argv = etc_task_argv(t, program, etc_file_name(t->model),
	                                  t->etdump ? etc_file_name(t->etdump) : NULL, arena);
	struct etc_text to = { 0 };
	struct etc_cpus cpus;
	char mask[ETC_CPUS_TEXT];

	etc_text_printf(&to,
	                "cd " ETC_STR_FMT " && export LD_LIBRARY_PATH=" ETC_STR_FMT
	                " && export XNN_LOG_LEVEL=%d",
	                ETC_STR_ARG(folder), ETC_STR_ARG(folder),
	                e->mode == ETC_MODE_TIMING ? 0 : 5);
	for (uint32_t i = 0; i < e->env.count; i++) {
		etc_text_cstr(&to, " && export");
		put_word(&to, e->env.v[i], arena);
	}
	etc_text_cstr(&to, " && echo $$ > etcore.pid && exec");
	if (e->cpu_affinity && etc_cpus_parse(etc_str_of(e->cpu_affinity), &cpus)) {
		etc_cpus_mask(&cpus, mask);
		etc_text_printf(&to, " taskset %s", mask);
	}
	for (uint32_t i = 0; argv && argv[i]; i++)
		put_word(&to,
		         i && strcmp(argv[i - 1], "--data_path") == 0 ? etc_file_name(argv[i])
		                                                      : argv[i],
		         arena);
	return etc_text_keep(&to, arena);
}

/* Kills the runner on the device, since it continues to run after adb has ended. The file
 * etcore.pid has its process id. */
static void kill_there(const struct etc_device *d, struct etc_arena *arena)
{
	struct etc_str dir = etc_shell_word(d->dir, arena);
	const char *why;

	shell(d,
	      etc_arena_printf(arena, "cd " ETC_STR_FMT " && kill -9 $(cat etcore.pid)",
	                       ETC_STR_ARG(dir)),
	      arena, NULL, &why);
}

/* Appends the lines of logcat that have this tag to the log of the block. */
static enum etc_status add_logcat(const struct etc_device *d, const struct etc_task *t,
                                  const char *tag, struct etc_arena *arena, struct etc_error *err)
{
	const char *path = etc_arena_printf(arena, "%s.logcat", t->log).ptr;
	const char *const words[] = { "logcat", "-d", "-s", tag, NULL };
	struct etc_job j = { .argv = call(d, arena, words),
		             .log = path,
		             .folder = t->root,
		             .limit_ms = SHORT_MS,
		             .log_limit = LOG_MOST };
	struct etc_text all = { 0 };
	struct etc_file file;
	enum etc_status st = ETC_OK;

	ETC_NEED(path && j.argv, err);
	ETC_TRY(etc_job_run(&j, err));
	if (etc_file_open_found(&file, t->log, 0, NULL) == ETC_OK) {
		etc_text_put(&all,
		             (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len });
		etc_file_release(&file);
	}
	etc_text_printf(&all, "--------- logcat %s\n", tag);
	if (etc_file_open_found(&file, path, 0, NULL) == ETC_OK) {
		etc_text_put(&all,
		             (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len });
		etc_file_release(&file);
	}
	remove(path);
	if (all.failed)
		st = etc_no_memory(err);
	if (st == ETC_OK)
		st = etc_inside_write(t->root, t->log, etc_text_str(&all), err);
	etc_text_release(&all);
	return st;
}

static struct etc_str remote_dump(const struct etc_device *d, const struct etc_task *t,
                                  struct etc_arena *arena)
{
	return etc_arena_printf(arena, "%s/%s", d->dir, etc_file_name(t->etdump));
}

static void remove_there(const struct etc_device *d, struct etc_str path, struct etc_arena *arena)
{
	struct etc_str word = path.ptr ? etc_shell_word(path.ptr, arena) : path;
	const char *why;

	shell(d, etc_arena_printf(arena, "rm -f " ETC_STR_FMT, ETC_STR_ARG(word)), arena, NULL,
	      &why);
}

static void pull(const struct etc_device *d, const struct etc_task *t, struct etc_arena *arena,
                 struct etc_block_result *r)
{
	struct etc_str remote = remote_dump(d, t, arena);
	const char *words[] = { "pull", remote.ptr, t->etdump, NULL };
	const char *why;

	if (!remote.ptr)
		return;
	if (!ask(d, words, PUSH_MS, arena, NULL, &why)) {
		remove(t->etdump);
		if (r->state != ETC_BLOCK_FAILED)
			etc_block_fails(t->at, r, W1015, "%s", why ? why : "");
	}
	remove_there(d, remote, arena);
}

static bool clean(const struct etc_device *d, const struct etc_task *t, struct etc_arena *arena,
                  struct etc_block_result *r)
{
	const char *const forget[] = { "logcat", "-c", NULL };
	const char *why;

	if (!ask(d, forget, SHORT_MS, arena, NULL, &why)) {
		etc_block_fails(t->at, r, W1023, "%s", why ? why : "");
		return false;
	}
	if (t->etdump)
		remove_there(d, remote_dump(d, t, arena), arena);
	return true;
}

enum etc_status etc_device_run(struct etc_device *d, const struct etc_task *t,
                               struct etc_arena *arena, struct etc_block_result *r,
                               struct etc_error *err)
{
	const struct etc_experiment *e = t->at->unit->experiment;
	const char *command, *words[] = { "shell", NULL, NULL };
	struct etc_job j = { .log = t->log,
		             .folder = t->root,
		             .log_limit = LOG_MOST,
		             .tick = t->tick,
		             .arg = t->arg };

	if (!get_ready(d, t, arena, r) || !provide(d, t, arena, r) || !clean(d, t, arena, r))
		return ETC_OK;
	command = etc_arena_cstr(arena, etc_device_command(d, t, arena));
	words[1] = command;
	j.argv = command ? call(d, arena, words) : NULL;
	j.limit_ms = etc_experiment_limit_ms(e);
	ETC_NEED(j.argv, err);
	ETC_TRY(etc_job_run(&j, err));
	if (j.end != ETC_JOB_EXITED)
		kill_there(d, arena);
	etc_judge_end(t, &j, arena, r);
	if (r->state == ETC_BLOCK_INTERRUPTED)
		return ETC_OK;
	ETC_TRY(add_logcat(d, t, e->mode == ETC_MODE_TIMING ? "ExecuTorch" : "XNNPACK", arena,
	                   err));
	if (t->etdump)
		pull(d, t, arena, r);
	return ETC_OK;
}

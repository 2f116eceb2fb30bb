/* run_kernels.c -- finds the kernels that an experiment uses; see run.h. For this, the runner is
 * executed once more, with LD_DEBUG: the dynamic loader then reports the functions that it binds,
 * and XNNPACK the kernels that it selects. The time of this execution is not measured. */
#include <stdio.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/sha256_text.h"
#include "commands/pipeline/run.h"

enum { BINDINGS_MOST = 1 << 30 };

/* Reads the kernels from the files "<prefix>.<pid>", and removes the files. There are several files
 * if the runner starts several processes. Sets *any if at least one file could be read. */
static enum etc_status read_bindings(struct etc_pipeline_run *run, struct etc_run_unit *u,
                                     const char *prefix, bool *any, struct etc_error *err)
{
	static const char *const ends[] = { "", NULL };
	const char *slash = strrchr(prefix, '/');
	const char *folder =
		etc_arena_cstr(run->arena, (struct etc_str){ prefix, (size_t)(slash - prefix) });
	const char **files = NULL;
	uint32_t count = 0;
	enum etc_status st = ETC_OK;

	ETC_NEED(folder, err);
	if (etc_folder_list(folder, ends, run->arena, &files, &count, NULL) != ETC_OK)
		return ETC_OK;
	for (uint32_t i = 0; i < count; i++) {
		struct etc_file f;

		if (strncmp(files[i], prefix, strlen(prefix)) != 0)
			continue;
		if (st == ETC_OK &&
		    etc_file_open_found(&f, files[i], BINDINGS_MOST, NULL) == ETC_OK) {
			*any = true;
			st = etc_kernels_from_bindings(
				(struct etc_str){ (const char *)f.bytes.ptr, f.bytes.len },
				run->arena, &u->evidence.kernels, err);
			etc_file_release(&f);
		}
		remove(files[i]);
	}
	return st;
}

static enum etc_status read_log(struct etc_pipeline_run *run, struct etc_run_unit *u,
                                const char *path, struct etc_error *err)
{
	struct etc_file f;
	enum etc_status st;

	if (etc_file_open_found(&f, path, 0, NULL) != ETC_OK)
		return ETC_OK;
	u->evidence.log_sha256 = etc_hex_sha256(f.bytes, run->arena);
	st = etc_kernels_from_log((struct etc_str){ (const char *)f.bytes.ptr, f.bytes.len },
	                          run->arena, &u->evidence.kernels, err);
	etc_file_release(&f);
	return st;
}

/* Reads the kernels of an experiment that is a trace, from the log that its process wrote. */
static enum etc_status of_trace(struct etc_pipeline_run *run, struct etc_run_unit *u,
                                struct etc_error *err)
{
	const char *log = etc_plan_file(u->plan, 0, ".log", run->arena);

	u->evidence.log = log;
	return log ? read_log(run, u, etc_run_path(run, log), err) : etc_no_memory(err);
}

static enum etc_status extra(struct etc_pipeline_run *run, struct etc_run_unit *u,
                             struct etc_error *err)
{
	const struct etc_experiment *x = u->plan->experiment;
	const struct etc_run_experiment *e = &run->experiments[x - run->config.experiments];
	const char *name = x->name;
	const char *log =
		etc_arena_printf(run->arena, "%s/%s_t%u_kernels.log", name, name, u->plan->threads)
			.ptr;
	/* The loader follows symbolic links, so the name must not be predictable. */
	char random[17];
	int why = etc_file_random(random);
	const char *prefix =
		etc_arena_printf(run->arena, "%s/%s/.bindings-%s", run->root, name, random).ptr;
	const char *env[] = { "LD_DEBUG=bindings,reloc,libs", NULL, "XNN_LOG_LEVEL=5", NULL };
	const struct etc_block_place at = { u->plan, 0, run->notes, NULL };
	struct etc_block_result r = { .exit_status = 0 };
	bool any = false;
	struct etc_task t = { .at = &at,
		              .runner = &e->runner,
		              .model = run->model,
		              .root = run->root,
		              .etdump = "/dev/null",
		              .executions = 1,
		              .extra_env = env };

	if (why)
		return etc_fail(err, E0903, "%s", strerror(why));
	env[1] = prefix ? etc_arena_printf(run->arena, "LD_DEBUG_OUTPUT=%s", prefix).ptr : NULL;
	t.log = log ? etc_run_path(run, log) : NULL;
	ETC_NEED(env[1] && t.log, err);
	u->evidence.log = log;
	if (e->device) {
		t.remote = true;
		t.etdump = NULL;
		ETC_TRY(etc_device_run(e->device, &t, run->arena, &r, err));
	} else {
		ETC_TRY(etc_local_run(&t, run->arena, &r, err));
	}
	ETC_TRY(read_bindings(run, u, prefix, &any, err));
	ETC_TRY(read_log(run, u, t.log, err));
	if (r.state == ETC_BLOCK_FAILED)
		u->evidence.why = "the extra execution failed";
	else if (!any && !e->device && !u->evidence.kernels.count)
		u->evidence.why = "the loader told nothing: a static program";
	else if (!u->evidence.kernels.count && u->evidence.kernels.at_load)
		u->evidence.why = "kernels were bound while libraries were loaded, none at a call";
	return ETC_OK;
}

enum etc_status etc_run_kernels(struct etc_pipeline_run *run, struct etc_run_unit *u,
                                struct etc_error *err)
{
	const struct etc_block_place at = { u->plan, 0, run->notes, NULL };

	u->evidence.tried = true;
	if (u->plan->experiment->mode == ETC_MODE_XNNTRACE)
		ETC_TRY(of_trace(run, u, err));
	else
		ETC_TRY(extra(run, u, err));
	if (!u->evidence.kernels.count) {
		if (!u->evidence.why)
			u->evidence.why = "neither bound functions nor lines of XNNPACK";
		etc_block_warns(&at, W1025, "%s", u->evidence.why);
	}
	return ETC_OK;
}

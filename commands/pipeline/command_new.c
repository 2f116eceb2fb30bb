/* command_new.c -- `etcore pipeline new KIND [FILE]`: writes a commented configuration. */
#define _DEFAULT_SOURCE /* lstat */
#include <stdio.h>
#include <sys/stat.h>

#include "commands/pipeline/pipeline.h"
#include "base/inside.h"
#include "base/nearest.h"

/* ---- the text ---------------------------------------------------------------------- */

/* The parts of the configuration that depend on its kind (mac, android or linux). */
struct target {
	const char *kind;
	const char *on, *off; /* names of the two experiments */
	const char *runner_on, *runner_off;
	const char *what;
	const char *affinity; /* the line that sets CPU affinity, with its comment */
	const char *device;   /* text of the section [device]; "": the file has no such section */
};

#define PIN "# cpu_affinity = 4-7              ; cores to run on: a list, or a mask such as 0xf0\n"

static const struct target targets[] = {
	{ "mac", "mac_sme2_on", "mac_sme2_off", "executorch/cmake-out/mac-arm64/executor_runner",
	  "executorch/cmake-out/mac-arm64-sme2-off/executor_runner", "this Mac",
	  "# cpu_affinity is for Linux and Android: macOS does not pin\n", "" },
	{ "android", "android_sme2_on", "android_sme2_off",
	  "executorch/cmake-out/android-arm64-v9a/executor_runner",
	  "executorch/cmake-out/android-arm64-v9a-sme2-off/executor_runner",
	  "an Android device, through adb", PIN,
	  "\n[device]\n"
	  "target = adb                      ; adb:SERIAL where several devices are attached\n"
	  "dir = /data/local/tmp/etcore      ; folder on the device; is made\n" },
	{ "linux", "linux_on", "linux_off", "cmake-out/executor_runner",
	  "cmake-out-off/executor_runner", "this Linux machine", PIN, "" },
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

static void put_experiment(struct etc_text *out, const struct target *t, const char *name,
                           const char *runner, const char *role)
{
	etc_text_printf(out,
	                "\n[experiment %s]\n"
	                "runner_path = %s\n"
	                "role = %s\n"
	                "runs = 30                         ; measured executions\n"
	                "warmup = 1                        ; executions before them, in the same "
	                "process\n"
	                "threads = 1                       ; 1, 2, 4: each value is measured\n"
	                "timeout_s = 600                   ; one process may take so long\n",
	                name, runner, role);
	etc_text_cstr(out, t->affinity);
	etc_text_cstr(out, "# mode = xnntrace                 ; list kernels instead: a runner "
	                   "built with XNN_LOG_LEVEL=5\n"
	                   "# inputs = input0.bin             ; raw tensors; without: ones\n"
	                   "# extra_args = --method_name forward\n"
	                   "# env = XNN_LOG_LEVEL=0           ; NAME=VALUE, blanks between\n");
}

static void put(struct etc_text *out, const struct target *t)
{
	etc_text_printf(
		out,
		"# %s.ini -- measures a model with two runners on %s.\n"
		"#\n"
		"#     etcore pipeline run --config %s.ini --dry-run    what would be done\n"
		"#     etcore pipeline run --config %s.ini\n"
		"#\n"
		"# Lines with '#' are keys that are off. Relative paths begin where etcore is "
		"started.\n"
		"\n"
		"[pipeline]\n"
		"model = models/model.pte          ; the program, .pte\n"
		"output_root = runs/%s\n",
		t->kind, t->what, t->kind, t->kind, t->kind);
	put_experiment(out, t, t->on, t->runner_on, "candidate");
	put_experiment(out, t, t->off, t->runner_off, "baseline");
	etc_text_printf(out,
	                "\n[compare speedup]\n"
	                "baseline = %s@1        ; experiment@threads\n"
	                "candidate = %s@1\n",
	                t->off, t->on);
	etc_text_cstr(
		out,
		"\n[schedule]\n"
		"order = abba                      ; sequential, interleave or abba\n"
		"blocks = 3                        ; processes that the runs are divided over: "
		"at least 4 each\n"
		"cooldown_ms = 0                   ; pause between two processes\n");
	etc_text_cstr(out, t->device);
}

enum etc_status etc_pipeline_template(const char *kind, struct etc_text *out, struct etc_error *err)
{
	struct etc_str names[TARGETS], near;

	for (size_t i = 0; i < TARGETS; i++) {
		names[i] = etc_str_of(targets[i].kind);
		if (strcmp(targets[i].kind, kind) == 0) {
			put(out, &targets[i]);
			return ETC_OK;
		}
	}
	near = etc_nearest(etc_str_of(kind), names, TARGETS);
	if (near.len)
		return etc_fail(err, E1000, "'%s'; did you mean '" ETC_STR_FMT "'?", kind,
		                ETC_STR_ARG(near));
	return etc_fail(err, E1000, "'%s'", kind);
}

/* ---- the file ---------------------------------------------------------------------- */

/* Does the file exist? At the default path (`chosen` is false), a symbolic link counts as an
 * existing file even if its target is missing. Another user may have placed the link there, so
 * etcore must not write to its target. */
static bool is_taken(const char *path, bool chosen)
{
	struct stat st;

	return chosen ? etc_file_exists(path) : lstat(path, &st) == 0;
}

static enum etc_status write_new(const char *path, bool chosen, struct etc_str text,
                                 struct etc_text *out, struct etc_error *err)
{
	if (is_taken(path, chosen))
		return etc_fail(err, E0632, "'%s'", path);
	ETC_TRY(chosen ? etc_file_write(path, text, err)
	               : etc_inside_write_beside(path, text, err));
	etc_text_tell(out, "%s: set the model and the runners, then\n", path);
	etc_text_tell(out, "etcore pipeline run --config %s --dry-run\n", path);
	return ETC_OK;
}

enum etc_status etc_pipeline_new(struct etc_session *s, const void *options,
                                 const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_pipeline_options *o = options;
	const char *kind = etc_operand(&o->common, 1), *path = etc_operand(&o->common, 2);
	struct etc_text text = { 0 };
	enum etc_status st;
	char name[64];

	(void)s;
	if (o->output.count + (path != NULL) > 1)
		return etc_fail(err, E0501, "pipeline new writes one file; which of them?");
	path = o->output.count ? o->output.v[0] : path;
	st = etc_pipeline_template(kind, &text, err);
	snprintf(name, sizeof name, "%s.ini", kind);
	if (st == ETC_OK && text.failed)
		st = etc_no_memory(err);
	if (st == ETC_OK && path && strcmp(path, "-") == 0)
		etc_text_put(reply->out, etc_text_str(&text));
	else if (st == ETC_OK)
		st = write_new(path ? path : name, path != NULL, etc_text_str(&text), reply->out,
		               err);
	etc_text_release(&text);
	return st;
}

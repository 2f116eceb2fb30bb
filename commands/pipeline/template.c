/* template.c -- see template.h */
#include "commands/pipeline/template.h"

#include "base/nearest.h"

/* The lines that differ between targets. */
struct target {
	const char *kind;
	const char *on, *off; /* names of the experiments */
	const char *runner_on, *runner_off;
	const char *what;
	const char *affinity; /* the line that sets CPU affinity, with its comment */
	const char *device;   /* the section [device], or "" */
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
	                "runs = 10                         ; measured executions\n"
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
		"blocks = 3                        ; processes that the runs are divided over\n"
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

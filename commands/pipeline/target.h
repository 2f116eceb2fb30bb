/* target.h -- executes a runner on a target: this machine, or an Android device through adb. If a
 * target cannot do something, the block fails, but the command continues. */
#ifndef ETC_COMMANDS_PIPELINE_TARGET_H
#define ETC_COMMANDS_PIPELINE_TARGET_H

#include "base/job.h"
#include "commands/pipeline/measure.h"

/* What one process has to do. */
struct etc_task {
	const struct etc_block_place *at;
	const struct etc_runner_file *runner;
	const char *model; /* absolute path of the model */
	/* paths of the output files; etdump is NULL if no dump is requested */
	const char *etdump, *log;
	const char *root; /* the run folder, which contains the log */
	uint32_t executions;
	bool remote; /* the process runs on another machine */
	/* additional environment variables, NAME=VALUE, terminated by NULL. A variable of the
	 * experiment with the same name takes precedence */
	const char *const *extra_env;
	void (*tick)(void *arg, uint64_t elapsed_ms);
	void *arg;
};

/* An Android device. */
struct etc_device {
	struct etc_device *next;
	const char *serial; /* NULL: the only connected device */
	const char *adb;    /* path of the program adb */
	const char *dir;    /* folder on the device for all files */
	/* properties of the device, as its getprop prints them; NULL: unknown */
	const char *abi, *model, *soc, *build;
	const char *pushed_model; /* the model that was copied to the device; NULL: none yet */
	struct etc_words pushed;  /* the runners that were copied to the device */
	bool ready;
};

/* Returns the command line for the task: `program`, then the options of executor_runner. `model`
 * and `etdump` are paths on the target; `etdump` is NULL if no dump is requested. The array is
 * terminated by NULL. Returns NULL if out of memory. */
const char **etc_task_argv(const struct etc_task *t, const char *program, const char *model,
                           const char *etdump, struct etc_arena *arena);

/* Is the text the name of a target: "local", "adb" or "adb:SERIAL"? */
bool etc_target_is(const char *s);

/* Runs the task on this machine. If the task fails, this is recorded in `r` and reported as a
 * warning; it is not an error. E0903, E0904. */
enum etc_status etc_local_run(const struct etc_task *t, struct etc_arena *arena,
                              struct etc_block_result *r, struct etc_error *err) ETC_MUST_CHECK;

/* Stores times, exit status and signal of a process that has ended in `r`. If the process failed,
 * the block fails with W1011 to W1014, W1021 or W1026. If the user stopped the process, the block
 * is interrupted. */
void etc_judge_end(const struct etc_task *t, const struct etc_job *j, struct etc_arena *arena,
                   struct etc_block_result *r);

/* Runs the task on the device: copies missing files to the device, runs the process, copies the
 * dump back. Failures and errors are those of etc_local_run(). */
enum etc_status etc_device_run(struct etc_device *d, const struct etc_task *t,
                               struct etc_arena *arena, struct etc_block_result *r,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Returns the command line that runs the task on the device, as one text for the device's shell. */
struct etc_str etc_device_command(const struct etc_device *d, const struct etc_task *t,
                                  struct etc_arena *arena);

#endif

/* target.h -- targets that run a runner: this machine, or an Android device through adb.
 * If a target cannot do something, the block fails, not the command. */
#ifndef ETC_COMMANDS_PIPELINE_TARGET_H
#define ETC_COMMANDS_PIPELINE_TARGET_H

#include "base/job.h"
#include "commands/pipeline/measure.h"

/* The task of one process. */
struct etc_task {
	const struct etc_block_place *at;
	const struct etc_runner_file *runner;
	const char *model;        /* absolute path of the model */
	const char *etdump, *log; /* output files; etdump NULL: none */
	const char *root;         /* the run folder, which contains the log */
	uint32_t executions;
	bool remote; /* runs on another machine */
	/* NAME=VALUE, terminated by NULL; variables of the experiment replace those with the same
	 * name */
	const char *const *extra_env;
	void (*tick)(void *arg, uint64_t elapsed_ms);
	void *arg;
};

/* An Android device. */
struct etc_device {
	struct etc_device *next;
	const char *serial; /* NULL: the only connected device */
	const char *adb;    /* path of the program */
	const char *dir;    /* folder on the device */
	/* properties of the device, as its getprop prints them; NULL: unknown */
	const char *abi, *model, *soc, *build;
	const char *pushed_model;
	struct etc_words pushed; /* runners that were pushed */
	bool ready;
};

/* The command line that runs the task: `program` and the options of executor_runner, with `model`
 * and `etdump` (NULL: none) as paths on the target. Terminated by NULL; returns NULL if out of
 * memory. */
const char **etc_task_argv(const struct etc_task *t, const char *program, const char *model,
                           const char *etdump, struct etc_arena *arena);

/* Is it a target: "local", "adb" or "adb:SERIAL"? */
bool etc_target_is(const char *s);

/* Runs the task on this machine. Failures are in `r` and in the notes. E0903, E0904. */
enum etc_status etc_local_run(const struct etc_task *t, struct etc_arena *arena,
                              struct etc_block_result *r, struct etc_error *err) ETC_MUST_CHECK;

/* Stores times, exit status and signal of a process that has ended in `r`. If it failed, the block
 * fails with W1011 to W1014, W1021 or W1026; if the user stopped it, the block is interrupted. */
void etc_judge_end(const struct etc_task *t, const struct etc_job *j, struct etc_arena *arena,
                   struct etc_block_result *r);

/* Runs the task on the device: pushes files that are missing there, runs it, pulls the dump.
 * Otherwise as etc_local_run. */
enum etc_status etc_device_run(struct etc_device *d, const struct etc_task *t,
                               struct etc_arena *arena, struct etc_block_result *r,
                               struct etc_error *err) ETC_MUST_CHECK;

/* The command line that runs the task on the device: one text for the device's shell. */
struct etc_str etc_device_command(const struct etc_device *d, const struct etc_task *t,
                                  struct etc_arena *arena);

#endif

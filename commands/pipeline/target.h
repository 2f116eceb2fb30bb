/* target.h -- where runners run: this machine, or an Android device through adb.
 *
 * One struct for both; what a target cannot do is a failed block, never a failed command. */
#ifndef ETC_PIPELINE_TARGET_H
#define ETC_PIPELINE_TARGET_H

#include "base/job.h"
#include "commands/pipeline/measure.h"

/* What one process shall do. */
struct etc_task {
	const struct etc_block_place *at;
	const struct etc_runner_file *runner;
	const char *model;        /* absolute */
	const char *etdump, *log; /* to be written; etdump NULL: none */
	const char *root;         /* the folder that the log lies in somewhere below */
	uint32_t executions;
	bool remote;                  /* not on this machine */
	const char *const *extra_env; /* NAME=VALUE before the experiment's, NULL at the end */
	void (*tick)(void *arg, uint64_t elapsed_ms);
	void *arg;
};

/* An Android device. */
struct etc_device {
	struct etc_device *next;
	const char *serial; /* NULL: the only one */
	const char *adb;    /* path of the program */
	const char *dir;
	const char *abi, *model, *soc, *build; /* of getprop; or NULL */
	const char *pushed_model;
	struct etc_words pushed; /* runners */
	bool ready;
};

/* The flags of executor_runner that ask for this, with `model` and `etdump` as the target
 * names them; the first word is left to the caller. NULL at the end; NULL: no memory. */
const char **etc_task_argv(const struct etc_task *t, const char *program, const char *model,
                           const char *etdump, struct etc_arena *arena);

/* Runs it here. What went wrong is in `r` and among the notes. E0903, E0904. */
enum etc_status etc_local_run(const struct etc_task *t, struct etc_arena *arena,
                              struct etc_block_result *r, struct etc_error *err) ETC_MUST_CHECK;

/* Judges how a process ended: W1011 … W1014, W1021, W1026. */
void etc_judge_end(const struct etc_task *t, const struct etc_job *j, struct etc_arena *arena,
                   struct etc_block_result *r);

/* A word as a POSIX shell takes it: what is not plain is quoted. */
struct etc_str etc_shell_word(const char *word, struct etc_arena *arena);

/* Pushes what is not there yet, runs, pulls the dump. As etc_local_run. */
enum etc_status etc_device_run(struct etc_device *d, const struct etc_task *t,
                               struct etc_arena *arena, struct etc_block_result *r,
                               struct etc_error *err) ETC_MUST_CHECK;

/* The command that runs it on the device: one text for its shell. */
struct etc_str etc_device_command(const struct etc_device *d, const struct etc_task *t,
                                  struct etc_arena *arena);

#endif

/* folder.h -- what a pipeline left in a folder: its files, and the jobs that they
 * tell of. Reads the folders of `etcore pipeline run` and of both generations of
 * Arm's kit:
 *
 *   G1      manifest.json, metrics.json, <experiment>/<experiment>_t<T>.{etdump,log}
 *   G3      <model>_<experiment>_t<T>.etdump …, <model>_pipeline_summary.json
 *   etcore  as G1, with more keys and blocks
 *
 * No dump is opened here. */
#ifndef ETC_PIPELINE_FOLDER_H
#define ETC_PIPELINE_FOLDER_H

#include "base/notes.h"
#include "commands/pipeline/tree.h"

enum {
	ETC_FOLDER_DEPTH = 64,            /* of folders in folders */
	ETC_FOLDER_ENTRIES = 1 << 20,     /* files and folders */
	ETC_RUN_FOLDER_BUDGET = 512 << 20 /* bytes that reading one needs at most */
};

enum etc_folder_kind {
	ETC_FOLDER_NONE, /* no file tells of a run */
	ETC_FOLDER_G1,
	ETC_FOLDER_G3,
	ETC_FOLDER_ETCORE
};
const char *etc_folder_kind_name(uint8_t kind);

enum etc_entry_kind {
	ETC_ENTRY_FILE,
	ETC_ENTRY_FOLDER,
	ETC_ENTRY_DANGLING, /* a link to nowhere */
	ETC_ENTRY_SPECIAL   /* a pipe, a device, a socket */
};

/* A file that a pipeline may have made. */
struct etc_folder_entry {
	const char *path;   /* can be opened */
	struct etc_str rel; /* below the folder */
	uint8_t kind;       /* enum etc_entry_kind */
	uint64_t bytes;
	int64_t time; /* of the last change, in seconds since 1970 */
};

struct etc_folder_entries {
	struct etc_folder_entry *v;
	uint32_t count, room;
};

/* One JSON file of the folder. */
struct etc_folder_document {
	bool there;                  /* something has its name */
	const struct etc_tree *tree; /* NULL: it is not there, or cannot be read: */
	struct etc_error why;
};

/* One process of one experiment at one number of threads. */
struct etc_folder_job {
	struct etc_str experiment;  /* ptr NULL: it has no name that is text */
	struct etc_str status;      /* "ok"; empty: not told */
	struct etc_str code, why;   /* it failed; empty: not told */
	struct etc_str etdump, log; /* as they are written: relative to the folder, or absolute */
	uint64_t threads, runs, warmup; /* 0: not told; warm-ups are in the dump, at its begin */
	uint64_t order;                 /* in which processes were started, from 1; 0: not told */
	const struct etc_tree *metrics; /* its object; NULL: none, or another block's as well */
	bool without_dump; /* it was measured without one: a trace of kernels, or so configured */
};

struct etc_run_folder {
	const char *path;
	bool exists;
	uint8_t kind;                                                    /* enum etc_folder_kind */
	struct etc_folder_document manifest, metrics, analysis, summary; /* summary: of G3 */
	struct etc_folder_entries dumps, logs, traces; /* *.etdump, *.log, *_xnntrace.log */
	const struct etc_folder_job *jobs;
	uint32_t job_count;
	struct etc_str model; /* as it is written; empty: not told */
};

/* Looks at all of it. What is missing or broken is in `out`. E1067 more than the
 * limits above, E0904. */
enum etc_status etc_run_folder_read(const char *path, struct etc_arena *arena,
                                    struct etc_run_folder *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* `name` as the folder's files write paths: absolute, or below the folder. NULL: no
 * memory. */
const char *etc_run_folder_path(const struct etc_run_folder *f, struct etc_str name,
                                struct etc_arena *arena);

/* The job that wrote the dump, or NULL. By its path, else by its file's name, where
 * only one job has it. */
const struct etc_folder_job *etc_run_folder_job(const struct etc_run_folder *f,
                                                const struct etc_folder_entry *dump);

/* Experiments at a number of threads: their jobs lie side by side. */
uint32_t etc_run_folder_experiments(const struct etc_run_folder *f);

/* Experiment and threads as the name of a dump tells them: "mac_sme2_on_t2_b1" is
 * "mac_sme2_on" with 2 threads. A name without "_t<T>" is all experiment, 0 threads. */
struct etc_str etc_dump_experiment(struct etc_str stem, uint64_t *threads);

#endif

/* folder.h -- reads a run folder: its files, and the jobs (processes) that they describe.
 *
 * Supports the folders of `etcore pipeline run`, and those of Arm's kit: G1 are its first scripts,
 * G3 is its package.
 *
 * G1      manifest.json, metrics.json, <experiment>/<experiment>_t<T>.{etdump,log}
 * G3      <model>_<experiment>_t<T>.etdump ..., <model>_pipeline_summary.json
 * etcore  as G1, with more keys and blocks
 *
 * Dumps are not opened here. */
#ifndef ETC_COMMANDS_PIPELINE_FOLDER_H
#define ETC_COMMANDS_PIPELINE_FOLDER_H

#include "commands/pipeline/tree.h"

enum {
	ETC_FOLDER_DEPTH = 64,            /* most levels of folders */
	ETC_FOLDER_ENTRIES = 1 << 20,     /* most files and folders */
	ETC_RUN_FOLDER_BUDGET = 512 << 20 /* limit of memory for reading a run folder */
};

enum etc_folder_kind {
	ETC_FOLDER_NONE, /* no file describes a run */
	ETC_FOLDER_G1,
	ETC_FOLDER_G3,
	ETC_FOLDER_ETCORE
};
const char *etc_folder_kind_name(uint8_t kind);

enum etc_entry_kind {
	ETC_ENTRY_FILE,
	ETC_ENTRY_FOLDER,
	ETC_ENTRY_DANGLING, /* a symbolic link whose target does not exist */
	ETC_ENTRY_SPECIAL   /* a pipe, a device, a socket */
};

/* A file that a pipeline may have written. */
struct etc_folder_entry {
	const char *path;   /* path to open */
	struct etc_str rel; /* path relative to the folder */
	uint8_t kind;       /* enum etc_entry_kind */
	uint64_t bytes;
};

struct etc_folder_entries {
	struct etc_folder_entry *v;
	uint32_t count, room;
};

/* One JSON file of the folder. */
struct etc_folder_document {
	bool there;                  /* a file or other entry with this name exists */
	const struct etc_tree *tree; /* NULL: missing, or not readable (see `why`) */
	struct etc_error why;
};

/* One process of one experiment at one number of threads. */
struct etc_folder_job {
	struct etc_str experiment;  /* ptr NULL: the name is missing or not a string */
	struct etc_str status;      /* status of the job in the documents: "ok"; empty: unknown */
	struct etc_str code, why;   /* why the job failed; empty: unknown */
	struct etc_str etdump, log; /* paths as written: relative to the folder, or absolute */
	/* 0: unknown. `runs` does not include the `warmup` runs, which are at the start of the
	 * dump */
	uint64_t threads, runs, warmup;
	uint64_t order;               /* number in the order of start, from 1; 0: unknown */
	uint64_t block;               /* number of the block, from 1; 0: unknown */
	struct etc_str etdump_sha256; /* SHA-256 of the dump when it was written; empty: unknown */
	/* the object that has the members threads, runs and status; NULL: there is none */
	const struct etc_tree *entry;
	/* the member "metrics" of the result. If the result has several blocks, only the first
	 * block's job has it, so that the metrics are checked once */
	const struct etc_tree *metrics;
	/* the job wrote no dump: it was a trace of kernels, or the configuration asked for none */
	bool without_dump;
};

/* Is the status of the job a word for success, or is it unknown? */
bool etc_job_succeeded(const struct etc_folder_job *j);

struct etc_run_folder {
	const char *path;
	const char *why_not; /* why the folder cannot be read; NULL: it can */
	uint8_t kind;        /* enum etc_folder_kind */
	struct etc_folder_document manifest, metrics, analysis, summary; /* only G3 has `summary` */
	const char *summary_name;                                        /* NULL: there is none */
	uint32_t summary_count;
	struct etc_folder_entries dumps, logs, traces; /* *.etdump, *.log, *_xnntrace.log */
	struct etc_folder_entries
		odd_dumps;               /* dumps by other names: *.etdp, *.etdump.gz, *.etdp.gz */
	struct etc_folder_entries links; /* symbolic links to folders, which are not followed */
	const struct etc_folder_job *jobs;
	uint32_t job_count;
	struct etc_str model; /* model path as written; empty: unknown */
};

/* Reads the folder. Missing or broken files are noted in `out`. E1067 if it exceeds the
 * limits above, E0904. */
enum etc_status etc_run_folder_read(const char *path, struct etc_arena *arena,
                                    struct etc_run_folder *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Resolves a path that a file of the folder contains: absolute, or relative to the folder. NULL if
 * out of memory. */
const char *etc_run_folder_path(const struct etc_run_folder *f, struct etc_str name,
                                struct etc_arena *arena);

/* Returns the job that wrote the dump: the job whose path of a dump is that of `dump`. If there is
 * none, returns the only job whose dump has the same file name. NULL: there is none. */
const struct etc_folder_job *etc_run_folder_job(const struct etc_run_folder *f,
                                                const struct etc_folder_entry *dump);

/* The entry that a path in the folder's files names: the one with that path or, if there is none,
 * the first with the same file name, since the folder may have been moved. NULL: there is none. */
const struct etc_folder_entry *etc_run_folder_find(const struct etc_folder_entries *list,
                                                   struct etc_str name);

/* Says why etc_run_folder_find() does not find a file: "on/on_t1.log is missing", the operating
 * system's reason, or that a symbolic link leads to its folder. NULL if out of memory. */
const char *etc_run_folder_lacks(const struct etc_run_folder *f, struct etc_str name,
                                 struct etc_arena *arena);

/* Did every process of a run of etcore end well without a dump, as its configuration asked? */
bool etc_run_folder_dumpless(const struct etc_run_folder *f);

/* Is the last member of a manifest, "seal", the SHA-256 of everything before it in its file? False
 * also if it has none, or if the file cannot be read. */
bool etc_seal_holds(const struct etc_tree *manifest, const char *path, struct etc_arena *arena);

/* The ETRecord next to a model: "model.pte.etrecord", as in G1 and G3, else "model.etrecord"; NULL:
 * there is none. */
const char *etc_record_beside(const char *model, struct etc_arena *arena);

/* Number of distinct pairs (experiment, number of threads) of the jobs. The jobs of one pair are
 * adjacent in f->jobs. */
uint32_t etc_run_folder_experiments(const struct etc_run_folder *f);

/* Splits the name of a dump into experiment and threads: "mac_sme2_on_t2_b1" is
 * "mac_sme2_on" with 2 threads. A name without "_t<T>" is all experiment, 0 threads. */
struct etc_str etc_dump_experiment(struct etc_str stem, uint64_t *threads);

#endif

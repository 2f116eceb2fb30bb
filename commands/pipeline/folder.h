/* folder.h -- reads a run folder: its files, and the jobs (processes) that these files describe.
 *
 * Reads the folders of `etcore pipeline run`, and those of Arm's profiling kit. The kit has two
 * generations: G1 are its first scripts, G3 is its package.
 *
 * G1      manifest.json, metrics.json, <experiment>/<experiment>_t<T>.{etdump,log}
 * G3      <model>_<experiment>_t<T>.etdump ..., <model>_pipeline_summary.json
 * etcore  as G1, with more keys and blocks
 *
 * Dumps are listed, but not opened. */
#ifndef ETC_COMMANDS_PIPELINE_FOLDER_H
#define ETC_COMMANDS_PIPELINE_FOLDER_H

#include "commands/pipeline/tree.h"

enum {
	ETC_FOLDER_DEPTH = 64,            /* maximum depth of folders */
	ETC_FOLDER_ENTRIES = 1 << 20,     /* maximum number of files and folders */
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
	/* the folder has an entry with the document's name; it may be something other than a
	 * file */
	bool there;
	const struct etc_tree *tree; /* NULL: missing, or not readable (see `why`) */
	struct etc_error why;
};

/* One process that the pipeline started. It measured one experiment with one number of threads, or
 * one block of that measurement. */
struct etc_folder_job {
	struct etc_str experiment; /* ptr NULL: the name is missing or not a string */
	struct etc_str status;     /* status of the job in the documents: "ok"; empty: unknown */
	struct etc_str code, why;  /* why the job failed; empty: unknown */
	/* paths as written in the documents: relative to the folder, or absolute */
	struct etc_str etdump, log;
	/* number of threads; number of measured runs, without the `warmup` runs, which come first
	 * in the dump; 0: unknown */
	uint64_t threads, runs, warmup;
	uint64_t order;               /* number in the order of start, from 1; 0: unknown */
	uint64_t block;               /* number of the block, from 1; 0: unknown */
	struct etc_str etdump_sha256; /* SHA-256 of the dump when it was written; empty: unknown */
	/* the JSON object that describes the job, with the members threads, runs and status; NULL:
	 * no document of the folder has such an object */
	const struct etc_tree *entry;
	/* the member "metrics" of the result. If a result has several blocks, only the job of its
	 * first block has this member, so that the metrics are checked once */
	const struct etc_tree *metrics;
	/* the job wrote no dump, because it was a trace of kernels, or because the configuration
	 * asked for no dump */
	bool without_dump;
};

/* Does the job count as successful? It does if its status means success, and also if its status is
 * unknown. */
bool etc_job_succeeded(const struct etc_folder_job *j);

struct etc_run_folder {
	const char *path;
	const char *why_not; /* why the folder cannot be read; NULL: it can be read */
	uint8_t kind;        /* enum etc_folder_kind */
	struct etc_folder_document manifest, metrics, analysis, summary; /* only G3 has `summary` */
	const char *summary_name; /* name of the file with `summary`; NULL: there is none */
	uint32_t summary_count;
	/* files with names such as *.etdump, *.log and *_xnntrace.log */
	struct etc_folder_entries dumps, logs, traces;
	struct etc_folder_entries
		odd_dumps;               /* dumps by other names: *.etdp, *.etdump.gz, *.etdp.gz */
	struct etc_folder_entries links; /* symbolic links to folders, which are not followed */
	const struct etc_folder_job *jobs;
	uint32_t job_count;
	struct etc_str model; /* path of the model, as the documents have it; empty: unknown */
};

/* Reads the folder. Files that are missing or broken are noted in `out`, and are no error. E1067:
 * the folder exceeds one of the limits at the top of this file. E0904. */
enum etc_status etc_run_folder_read(const char *path, struct etc_arena *arena,
                                    struct etc_run_folder *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Returns the path to open for `name`, a path that a file of the folder contains: an absolute path,
 * or one relative to the folder. NULL: out of memory. */
const char *etc_run_folder_path(const struct etc_run_folder *f, struct etc_str name,
                                struct etc_arena *arena);

/* Returns the job that wrote the dump. This is the job with the path of the dump; if there is none,
 * the only job whose dump has the same file name. NULL: there is no such job. */
const struct etc_folder_job *etc_run_folder_job(const struct etc_run_folder *f,
                                                const struct etc_folder_entry *dump);

/* Returns the entry for `name`, a path that a file of the folder contains. This is the entry with
 * that path. If there is none, it is the first entry with the same file name, since the folder may
 * have been moved. NULL: there is no such entry. */
const struct etc_folder_entry *etc_run_folder_find(const struct etc_folder_entries *list,
                                                   struct etc_str name);

/* Returns a text about why etc_run_folder_find() does not find a file: "on/on_t1.log is missing", a
 * reason of the operating system, or that the path leads through a symbolic link to a folder. NULL:
 * out of memory. */
const char *etc_run_folder_lacks(const struct etc_run_folder *f, struct etc_str name,
                                 struct etc_arena *arena);

/* Is the folder that of a run of etcore in which every process ended successfully, but wrote no
 * dump, because the configuration asked for none? */
bool etc_run_folder_dumpless(const struct etc_run_folder *f);

/* A seal is the last member of a manifest: the SHA-256 of everything before it in the file. Is the
 * seal correct? False if it is wrong, if the manifest has none, or if the file cannot be read. */
bool etc_seal_holds(const struct etc_tree *manifest, const char *path, struct etc_arena *arena);

/* Returns the path of the ETRecord next to a model: "model.pte.etrecord", as in G1 and G3, else
 * "model.etrecord". NULL: there is none. */
const char *etc_record_beside(const char *model, struct etc_arena *arena);

/* Returns the number of different pairs (experiment, number of threads) among the jobs. Jobs of one
 * pair are adjacent in f->jobs. */
uint32_t etc_run_folder_experiments(const struct etc_run_folder *f);

/* Splits the name of a dump into experiment and number of threads: "mac_sme2_on_t2_b1" is
 * "mac_sme2_on" with 2 threads. If the name has no "_t<T>", the whole name is the experiment, and
 * *threads is 0. */
struct etc_str etc_dump_experiment(struct etc_str stem, uint64_t *threads);

#endif

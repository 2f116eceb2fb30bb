/* validate.h -- checks that a run folder is complete and consistent. These functions do not look
 * into dumps; the caller does. */
#ifndef ETC_COMMANDS_PIPELINE_VALIDATE_H
#define ETC_COMMANDS_PIPELINE_VALIDATE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/kit_stats.h"

/* Could the document be read, and is it a JSON object? If not, adds a finding. */
bool etc_folder_document_usable(const struct etc_folder_document *d, const char *name,
                                struct etc_findings *out);

/* Reports W1078 if a folder of G3 (the kit's package) has several summaries; only one of these was
 * read. */
void etc_validate_summaries(const struct etc_run_folder *f, struct etc_findings *out);

/* Makes the checks of the kit itself: the files exist, the manifest names a model and has a list of
 * results, and at least one file name ends with ".etdump". Also checks that metrics.json is valid
 * JSON. A folder of G3 (the kit's package) has a summary in place of manifest and metrics. */
void etc_validate_layout(const struct etc_run_folder *f, struct etc_findings *out);

/* Returns the text that findings about the process of job `j` give as their location. The text may
 * be in the arena. */
struct etc_str etc_job_place(const struct etc_folder_job *j, struct etc_arena *arena);

/* Does the process of job `j` still have to be run? Always false for a folder that etcore did not
 * make. `validate` does not report such processes one by one; it reports once that the run is not
 * complete. */
bool etc_job_is_open(const struct etc_run_folder *f, const struct etc_folder_job *j);

/* Reports keys that occur twice in an object. In folders of the kit, also reports members of jobs
 * with impossible values, such as a number of runs with a fraction. (In folders of etcore,
 * etc_recompute() checks these members.) */
void etc_validate_members(const struct etc_run_folder *f, struct etc_findings *out);

/* Makes checks that the kit does not make. Reads no dumps. Keys must have the right types; named
 * files must exist; the status of every job must be success; statistics must agree with the
 * latencies. Sets out->no_memory if out of memory. */
void etc_validate_jobs(const struct etc_run_folder *f, struct etc_findings *out);

/* Compares `text`, the log of a job, with the folder's documents: threads, executions, totals. Does
 * nothing if the log belongs to no job, or if etc_recompute() checks the folder. */
void etc_validate_log(const struct etc_run_folder *f, const struct etc_folder_entry *e,
                      struct etc_str text, struct etc_findings *out);

/* Compares the statistics in a summary of G3 with `dump`, the statistics computed from the dump. */
void etc_validate_summary(const struct etc_folder_job *j, const struct etc_kit_robust *dump,
                          struct etc_str where, struct etc_findings *out);

/* Checks the member "generated_at" of the manifest, or of a summary of G3. It must be a date and
 * time (E1053), and at most a day later than `now` (W1061). `now` is in seconds since 1970. */
void etc_validate_times(const struct etc_run_folder *f, int64_t now, struct etc_findings *out);

/* Compares the SHA-256 of model, runners and dumps with the hashes in the manifest. Missing files
 * and files that are not regular files are skipped. Since the manifest may name any file, at most
 * 16 GiB are read in total. W1075 names a file that was skipped because of this limit. */
void etc_validate_hashes(const struct etc_run_folder *f, struct etc_findings *out);

#endif

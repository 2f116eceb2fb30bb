/* validate.h -- checks that a run folder is complete and consistent, by its files alone;
 * the caller checks the dumps. */
#ifndef ETC_COMMANDS_PIPELINE_VALIDATE_H
#define ETC_COMMANDS_PIPELINE_VALIDATE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/kit_stats.h"

/* Is the document readable, and an object? If not, adds a finding. */
bool etc_folder_document_usable(const struct etc_folder_document *d, const char *name,
                                struct etc_findings *out);

/* Reports that a folder of G3, the kit's package, has several summaries, of which one was read
 * (W1078). */
void etc_validate_summaries(const struct etc_run_folder *f, struct etc_findings *out);

/* Performs the kit's checks: the files exist, the manifest names a model and has a list of results,
 * and some file name ends in ".etdump". Also checks that metrics.json is valid JSON. A folder of
 * G3, the kit's package, has a summary instead of manifest and metrics. */
void etc_validate_layout(const struct etc_run_folder *f, struct etc_findings *out);

/* The location of a finding about a process; the text may be the arena's. */
struct etc_str etc_job_place(const struct etc_folder_job *j, struct etc_arena *arena);

/* Is it a process of a folder of etcore that is still to be run? `validate` does not report each of
 * these, but once that the run is not complete. */
bool etc_job_is_open(const struct etc_run_folder *f, const struct etc_folder_job *j);

/* Reports keys that occur twice in an object and, in folders of the kit, members of jobs with
 * values that no job can have, such as a number of runs with a fraction. etc_recompute() checks the
 * members in folders of etcore. */
void etc_validate_members(const struct etc_run_folder *f, struct etc_findings *out);

/* Makes the checks that the kit lacks, but does not look into dumps. Keys must have the right
 * types; named files must exist; every job must have the status of success; and statistics must
 * agree with the latencies. Sets out->no_memory if out of memory. */
void etc_validate_jobs(const struct etc_run_folder *f, struct etc_findings *out);

/* Compares the log of a job with the folder's files: threads, executions, totals. Does nothing if
 * the log belongs to no job, or if etc_recompute() checks the folder. */
void etc_validate_log(const struct etc_run_folder *f, const struct etc_folder_entry *e,
                      struct etc_str text, struct etc_findings *out);

/* Compares the statistics of G3's summary with those of the dump. */
void etc_validate_summary(const struct etc_folder_job *j, const struct etc_kit_robust *dump,
                          struct etc_str where, struct etc_findings *out);

/* Checks "generated_at" in the manifest, or in G3's summary: it must be a date and time (E1053), at
 * most a day after `now`, in seconds since 1970 (W1061). */
void etc_validate_times(const struct etc_run_folder *f, int64_t now, struct etc_findings *out);

/* Compares the SHA-256 of model, runners and dumps with the manifest. Missing files and files that
 * are not regular are skipped. The manifest may name any file, so at most 16 GiB are read in all;
 * W1075 names a file that is skipped because of this limit. */
void etc_validate_hashes(const struct etc_run_folder *f, struct etc_findings *out);

#endif

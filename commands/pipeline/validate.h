/* validate.h -- is a folder what a run leaves? By its files alone; dumps are opened by
 * the caller. */
#ifndef ETC_PIPELINE_VALIDATE_H
#define ETC_PIPELINE_VALIDATE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/kit_stats.h"

/* The kit's checks: the files are there, the manifest names a model and has a list of
 * results, some file ends in ".etdump"; and that metrics.json is JSON. A folder of G3
 * has neither manifest nor metrics: its summary stands for both. */
void etc_validate_layout(const struct etc_run_folder *f, struct etc_findings *out);

/* What the kit never looked at, but for the dumps: types of keys, files that are named,
 * states, latencies that contradict each other. E0904 is out->no_memory. */
void etc_validate_jobs(const struct etc_run_folder *f, struct etc_findings *out);

/* The log of a job beside what the folder's files say of it: threads, executions, totals. */
void etc_validate_log(const struct etc_run_folder *f, const struct etc_folder_entry *e,
                      struct etc_str text, struct etc_findings *out);

/* The statistics of G3's summary beside those of the dump. */
void etc_validate_summary(const struct etc_folder_job *j, const struct etc_kit_robust *dump,
                          struct etc_str where, struct etc_findings *out);

/* When the folder's files say that they were written, beside `now` (seconds since 1970). */
void etc_validate_times(const struct etc_run_folder *f, int64_t now, struct etc_findings *out);

/* Are model and runners what they were, as far as the manifest has their SHA-256 and they
 * are still there? */
void etc_validate_hashes(const struct etc_run_folder *f, struct etc_findings *out);

#endif

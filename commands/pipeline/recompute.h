/* recompute.h -- does a run folder of etcore say what its logs and dumps carry?
 *
 * The run is made again out of the manifest's settings: its plan, and of each process what
 * its log and dump hold. What `etcore pipeline run` would write of it must be what stands in
 * manifest.json and metrics.json, to the last digit. What no file carries (how long a process
 * took, the machine) is held by the manifest's seal. */
#ifndef ETC_PIPELINE_RECOMPUTE_H
#define ETC_PIPELINE_RECOMPUTE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"

/* `quality`: also how much latencies vary, within blocks and between them, by the run's
 * gates. Says nothing of folders that are not etcore's. E0904. */
enum etc_status etc_recompute(const struct etc_run_folder *f, bool quality,
                              struct etc_findings *out, struct etc_error *err) ETC_MUST_CHECK;

/* Can it be made again: is it etcore's? */
bool etc_recomputable(const struct etc_run_folder *f);

/* [gates] cv_max_pct of the run, or its default. */
double etc_folder_cv_max(const struct etc_run_folder *f);

/* Names what differs between two documents that should be the same: `want` and `have`.
 * `says`: whose word `want` is ("its logs and dumps say"). */
void etc_tree_differences(const struct etc_tree *want, const struct etc_tree *have,
                          struct etc_str file, const char *name, const char *says,
                          struct etc_findings *out);

#endif

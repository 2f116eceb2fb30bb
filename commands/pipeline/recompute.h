/* recompute.h -- checks whether the manifest and metrics of an etcore run folder agree with its
 * logs and dumps.
 *
 * The run is reconstructed: the plan from the settings in the manifest, the results from each
 * process's log and dump. Then manifest.json and metrics.json must equal, to the last digit, the
 * files that `etcore pipeline run` would write. Facts that are in no other file (how long a process
 * took, the machine) cannot be checked in this way; the manifest's hash protects them. */
#ifndef ETC_COMMANDS_PIPELINE_RECOMPUTE_H
#define ETC_COMMANDS_PIPELINE_RECOMPUTE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"

/* Adds a finding for each difference between a run's manifest and metrics, and its logs and dumps.
 * With `quality`, also adds a finding if latencies vary more than the gates of the run allow,
 * within blocks or between blocks. Does nothing for folders of the kit. E0904. */
enum etc_status etc_recompute(const struct etc_run_folder *f, bool quality,
                              struct etc_findings *out, struct etc_error *err) ETC_MUST_CHECK;

/* Reports the differences between `want` and `have`, two documents that should be equal. `says`
 * names the source of `want` in messages, such as "its logs and dumps say". */
void etc_tree_differences(const struct etc_tree *want, const struct etc_tree *have,
                          struct etc_str file, const char *name, const char *says,
                          struct etc_findings *out);

#endif

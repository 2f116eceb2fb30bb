/* recompute.h -- checks whether the manifest and metrics of an etcore run folder agree
 * with its logs and dumps.
 *
 * The run is reconstructed from the settings in the manifest: its plan, and the contents
 * of each process's log and dump. manifest.json and metrics.json must equal, to the last
 * digit, the files that `etcore pipeline run` would write for it. Facts that are in no
 * other file (how long a process took, the machine) are protected by the manifest's hash. */
#ifndef ETC_COMMANDS_PIPELINE_RECOMPUTE_H
#define ETC_COMMANDS_PIPELINE_RECOMPUTE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"

/* Adds a finding for every difference between the manifest and metrics of a run and its logs and
 * dumps. `quality`: also for latencies that vary more than the run's gates allow, within blocks or
 * between them. Does nothing for folders of the kit. E0904. */
enum etc_status etc_recompute(const struct etc_run_folder *f, bool quality,
                              struct etc_findings *out, struct etc_error *err) ETC_MUST_CHECK;

/* Reports the differences between two documents that should be equal, `want` and `have`.
 * `says` names the source of `want` in messages ("its logs and dumps say"). */
void etc_tree_differences(const struct etc_tree *want, const struct etc_tree *have,
                          struct etc_str file, const char *name, const char *says,
                          struct etc_findings *out);

#endif

/* compare.h -- checks whether a run folder has the same structure as a known good one. It
 * compares names and files only; `etcore diff` and `etcore check` compare times. */
#ifndef ETC_PIPELINE_COMPARE_H
#define ETC_PIPELINE_COMPARE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"

/* The categories of a run without analysis_summary.json, computed from its dumps if
 * possible. */
struct etc_folder_categories {
	const struct etc_str *names;
	uint32_t count;
	bool known;
};

/* Applies the kit's rules: the files exist; the manifest names model, ExecuTorch and
 * results; every result has its ETDump; the analysis has its keys; and the run has all
 * experiments and categories of `known_good`. The last rule is skipped if `known_good` is
 * NULL. `made` replaces an analysis that does not exist. */
void etc_compare_folders(const struct etc_run_folder *run, const struct etc_run_folder *known_good,
                         const struct etc_folder_categories *made, struct etc_findings *out);

/* Can `f` serve as the known good run? E1066. */
enum etc_status etc_compare_usable(const struct etc_run_folder *f,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif

/* compare.h -- does a run have the shape of a known good one? Names and files only: how
 * fast it was is the matter of `etcore diff` and `etcore check`. */
#ifndef ETC_PIPELINE_COMPARE_H
#define ETC_PIPELINE_COMPARE_H

#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"

/* The categories of a run without analysis_summary.json, as far as somebody made them. */
struct etc_folder_categories {
	const struct etc_str *names;
	uint32_t count;
	bool known;
};

/* The kit's rules: the files are there; the manifest names model, ExecuTorch and results;
 * the ETDump of every result is there; the analysis has its keys; experiments and
 * categories of `known_good` are among those of the run. `known_good` NULL: without the
 * last one. `made` stands for an analysis that is not there. */
void etc_compare_folders(const struct etc_run_folder *run, const struct etc_run_folder *known_good,
                         const struct etc_folder_categories *made, struct etc_findings *out);

/* Can `f` be compared with? E1066. */
enum etc_status etc_compare_usable(const struct etc_run_folder *f,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif

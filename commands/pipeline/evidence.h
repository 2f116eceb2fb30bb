/* evidence.h -- the micro-kernels that `etcore pipeline run --kernel-trace` saw, for the
 * report: what was called, and what was chosen. Evidence, told apart from what names of
 * events suggest. */
#ifndef ETC_PIPELINE_EVIDENCE_H
#define ETC_PIPELINE_EVIDENCE_H

#include "commands/pipeline/folder.h"
#include "table/emit.h"

/* A section of report.md for each experiment that was traced; nothing if none was. */
void etc_evidence_markdown(const struct etc_run_folder *f, struct etc_text *out);

/* The member "kernel_evidence": a list of {experiment, threads, called[], chosen[],
 * bound_at_load}; nothing if none was traced. */
void etc_evidence_emit(struct etc_emit *e, const struct etc_run_folder *f);

#endif

/* evidence.h -- writes the micro-kernels recorded by `etcore pipeline run --kernel-trace` into the
 * report: those that were called, and those that were selected. This is observed in the process,
 * unlike kernels inferred from names of events. */
#ifndef ETC_COMMANDS_PIPELINE_EVIDENCE_H
#define ETC_COMMANDS_PIPELINE_EVIDENCE_H

#include "commands/pipeline/folder.h"
#include "table/emit.h"

/* Writes a section of report.md for each experiment with a kernel trace; writes nothing if there is
 * none. */
void etc_evidence_markdown(const struct etc_run_folder *f, struct etc_text *out);

/* Writes the member "kernel_evidence", a list of {experiment, threads, called[], chosen[],
 * bound_at_load}; writes nothing if no experiment has a kernel trace. */
void etc_evidence_emit(struct etc_emit *e, const struct etc_run_folder *f);

#endif

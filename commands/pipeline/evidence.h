/* evidence.h -- writes into the report which micro-kernels were called, and which were selected, as
 * recorded by `etcore pipeline run --kernel-trace`. The kernels were observed in the process.
 * (Other parts of the report infer kernels from the names of events.) */
#ifndef ETC_COMMANDS_PIPELINE_EVIDENCE_H
#define ETC_COMMANDS_PIPELINE_EVIDENCE_H

#include "commands/pipeline/folder.h"
#include "table/emit.h"

/* Writes a section of report.md for each experiment with a kernel trace. Writes nothing if no
 * experiment has one. */
void etc_evidence_markdown(const struct etc_run_folder *f, struct etc_text *out);

/* Writes the member "kernel_evidence", a list of {experiment, threads, called[], chosen[],
 * bound_at_load}; writes nothing if no experiment has a kernel trace. */
void etc_evidence_emit(struct etc_emit *e, const struct etc_run_folder *f);

#endif

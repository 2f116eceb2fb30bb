/* evidence.h -- writes the micro-kernels that `etcore pipeline run --kernel-trace`
 * recorded into the report: those that were called, and those that were selected. This is
 * evidence from the process, unlike guesses from names of events. */
#ifndef ETC_PIPELINE_EVIDENCE_H
#define ETC_PIPELINE_EVIDENCE_H

#include "commands/pipeline/folder.h"
#include "table/emit.h"

/* Writes a section of report.md for each experiment with a trace; nothing if there is
 * none. */
void etc_evidence_markdown(const struct etc_run_folder *f, struct etc_text *out);

/* Writes the member "kernel_evidence", a list of {experiment, threads, called[],
 * chosen[], bound_at_load}; nothing if there is no trace. */
void etc_evidence_emit(struct etc_emit *e, const struct etc_run_folder *f);

#endif

/* summary_internal.h -- private to summary*.c. */
#ifndef ETC_PIPELINE_SUMMARY_INTERNAL_H
#define ETC_PIPELINE_SUMMARY_INTERNAL_H

#include "commands/pipeline/summary.h"

/* Reads pairs, gates and failures from the folder's documents. E0904. */
enum etc_status etc_summary_read_manifest(struct etc_summary *s,
                                          struct etc_error *err) ETC_MUST_CHECK;

#endif

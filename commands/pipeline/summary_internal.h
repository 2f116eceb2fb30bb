/* summary_internal.h -- for summary*.c alone. */
#ifndef ETC_PIPELINE_SUMMARY_INTERNAL_H
#define ETC_PIPELINE_SUMMARY_INTERNAL_H

#include "commands/pipeline/summary.h"

/* Pairs, gates and failures, by the folder's documents. E0904. */
enum etc_status etc_summary_read_manifest(struct etc_summary *s,
                                          struct etc_error *err) ETC_MUST_CHECK;

#endif

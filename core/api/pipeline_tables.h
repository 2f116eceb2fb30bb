/* pipeline_tables.h -- the files that `etcore pipeline report` writes. */
#ifndef ETC_API_PIPELINE_TABLES_H
#define ETC_API_PIPELINE_TABLES_H

#include "api/pipeline_measure.h"

/* The kit's tables of one dump, beside it or below --into. Where the Inspector raises there
 * are none, and d->kit_why says so. E0903, E0904. */
enum etc_status etc_report_tables(struct etc_report_job *job, struct etc_dump_work *w,
                                  struct etc_summary_dump *d, struct etc_error *err) ETC_MUST_CHECK;

/* The kit's two tables of each pair. E0903, E0904. */
enum etc_status etc_report_pairs(struct etc_report_job *job, struct etc_error *err) ETC_MUST_CHECK;

/* analysis_summary.json and report.md. E0903, E0904. */
enum etc_status etc_report_documents(struct etc_report_job *job,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif

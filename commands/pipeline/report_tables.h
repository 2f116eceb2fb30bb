/* report_tables.h -- writes the files of `etcore pipeline report`. */
#ifndef ETC_API_PIPELINE_TABLES_H
#define ETC_API_PIPELINE_TABLES_H

#include "commands/pipeline/report_measure.h"
#include "context/output.h"

/* Writes the kit's tables of one dump, next to it or below --into. If the Inspector
 * raises there are none, and d->kit_why has the error. E0903, E0904. */
enum etc_status etc_report_tables(struct etc_report_job *job, struct etc_dump_work *w,
                                  struct etc_summary_dump *d, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the kit's two tables of each pair. E0903, E0904. */
enum etc_status etc_report_pairs(struct etc_report_job *job, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the kit's tables of micro-kernels for every log whose name ends in
 * "_xnntrace.log". E0903, E0904. */
enum etc_status etc_report_traces(struct etc_report_job *job, struct etc_error *err) ETC_MUST_CHECK;

/* Writes FOLDER/<id><suffix> piece by piece; on an error no file remains. `*path` is set
 * to its name. */
enum etc_status etc_report_write(struct etc_report_job *job, const char *folder, struct etc_str id,
                                 const char *suffix, etc_file_writer *fn, const void *what,
                                 const char **path, struct etc_error *err) ETC_MUST_CHECK;

/* The folder for the tables of a file: its own, or one below --into, which is created.
 * NULL: the folder for the run. */
enum etc_status etc_report_folder(struct etc_report_job *job, const struct etc_folder_entry *e,
                                  const char **out, struct etc_error *err) ETC_MUST_CHECK;

/* analysis_summary.json and report.md. E0903, E0904. */
enum etc_status etc_report_documents(struct etc_report_job *job,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif

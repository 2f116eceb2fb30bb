/* folder_internal.h -- private to folder.c and folder_jobs.c. */
#ifndef ETC_PIPELINE_FOLDER_INTERNAL_H
#define ETC_PIPELINE_FOLDER_INTERNAL_H

#include "commands/pipeline/folder.h"

/* Sets kind, model and jobs from the documents. E0904. */
enum etc_status etc_run_folder_jobs(struct etc_run_folder *f, struct etc_arena *arena,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif

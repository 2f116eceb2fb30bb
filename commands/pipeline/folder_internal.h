/* folder_internal.h -- for folder*.c alone. */
#ifndef ETC_PIPELINE_FOLDER_INTERNAL_H
#define ETC_PIPELINE_FOLDER_INTERNAL_H

#include "commands/pipeline/folder.h"

/* Kind, model and jobs, by the documents. E0904. */
enum etc_status etc_run_folder_jobs(struct etc_run_folder *f, struct etc_arena *arena,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif

/* judge.h -- `etcore pipeline validate`, `compare` and `report`: what is said of
 * a folder that a run left. */
#ifndef ETC_API_PIPELINE_JUDGE_H
#define ETC_API_PIPELINE_JUDGE_H

#include "context/analysis.h"

/* Is the folder what a run leaves? E1050 with the findings in `out`. E1067. */
enum etc_status etc_pipeline_validate(const struct etc_pipeline_options *options,
                                      struct etc_text *out, etc_note_fn *on_note, void *arg,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Has it the shape of a known good run? E1063 with the findings in `out`. E1066, E1067. */
enum etc_status etc_pipeline_compare(const struct etc_pipeline_options *options,
                                     struct etc_text *out, etc_note_fn *on_note, void *arg,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Writes analysis_summary.json, report.md and the tables of each dump. E1051, E1054, E1055 if
 * there is nothing to report, E0505, E0550, E0903. */
enum etc_status etc_pipeline_report(const struct etc_pipeline_options *options,
                                    struct etc_text *out, etc_note_fn *on_note, void *arg,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif

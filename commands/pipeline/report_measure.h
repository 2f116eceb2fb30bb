/* report_measure.h -- one dump of `etcore pipeline report`: where its time went. */
#ifndef ETC_API_PIPELINE_MEASURE_H
#define ETC_API_PIPELINE_MEASURE_H

#include "commands/pipeline/dump.h"
#include "commands/pipeline/pipeline.h"
#include "base/map.h"
#include "commands/pipeline/summary.h"

/* Operators of an experiment while its dumps are read. */
struct etc_report_operators {
	struct etc_map known; /* name -> place in v */
	struct etc_summary_operator *v;
	uint32_t count, room;
};

struct etc_report_job {
	const struct etc_pipeline_options *options;
	struct etc_session *session;
	struct etc_run_folder folder;
	struct etc_record record;
	bool has_record;
	struct etc_report_operators *operators; /* of each experiment */
	struct etc_summary summary;
};

/* Fills what is measured: times, latencies, load; adds to its experiment's operators. What
 * is kept is the summary's arena's. d->why: no execution (E1057). E0605, E0904. */
enum etc_status etc_report_measure(struct etc_report_job *job, struct etc_dump_work *w,
                                   struct etc_summary_dump *d,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Hands the operators to the experiments, slowest first. */
enum etc_status etc_report_operators_finish(struct etc_report_job *job,
                                            struct etc_error *err) ETC_MUST_CHECK;

#endif

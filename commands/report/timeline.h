/* timeline.h -- one run as JSON for the page: its events with start, duration and nesting. */
#ifndef ETC_COMMANDS_REPORT_TIMELINE_H
#define ETC_COMMANDS_REPORT_TIMELINE_H

#include "context/inputs.h"
#include "profile/plan.h"
#include "table/emit.h"

/* Counts over the dumps of a group. */
struct etc_timelines {
	uint32_t room; /* slices that may still be written */
	/* number of runs in earlier dumps: the numbers of runs continue, as in `analyze --by run` */
	uint32_t runs;
};

/* Appends an object for the typical run of each path of the dump to the open array of `e`, while there
 * is room for slices. E0605, E0904. */
enum etc_status etc_report_timelines(const struct etc_inputs *in, const struct etc_plan *plan,
                                     struct etc_session *s, struct etc_timelines *counts,
                                     struct etc_emit *e, struct etc_error *err) ETC_MUST_CHECK;

#endif

/* timeline.h -- writes a run as JSON for the page: its events with start, duration and nesting. */
#ifndef ETC_COMMANDS_REPORT_TIMELINE_H
#define ETC_COMMANDS_REPORT_TIMELINE_H

#include "context/inputs.h"
#include "profile/plan.h"
#include "table/emit.h"

/* Numbers that continue from one dump of a group to the next. */
struct etc_timelines {
	uint32_t room; /* number of slices (events in a timeline) that may still be written */
	/* number of runs in the dumps before this one. Run numbers continue from dump to dump, as
	 * in `analyze --by run` */
	uint32_t runs;
};

/* Appends to the open array of `e` one object for each path of the dump: a typical run of the path.
 * Stops when there is no room for more slices. E0605, E0904. */
enum etc_status etc_report_timelines(const struct etc_inputs *in, const struct etc_plan *plan,
                                     struct etc_session *s, struct etc_timelines *counts,
                                     struct etc_emit *e, struct etc_error *err) ETC_MUST_CHECK;

#endif

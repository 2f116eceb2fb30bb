/* timeline.h -- one run as JSON for the page: what ran when, within what. */
#ifndef ETC_COMMANDS_REPORT_TIMELINE_H
#define ETC_COMMANDS_REPORT_TIMELINE_H

#include "context/inputs.h"
#include "profile/plan.h"
#include "table/emit.h"

/* Appends an object for the typical run of each path of the dump to the open array of `e`, while there
 * is room for slices: *room, of which it takes as many as it writes. E0605, E0904. */
enum etc_status etc_report_timelines(const struct etc_inputs *in, const struct etc_plan *plan,
                                     struct etc_session *s, uint32_t *room, struct etc_emit *e,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif

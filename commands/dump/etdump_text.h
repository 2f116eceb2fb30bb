/* etdump_text.h -- lines of `etcore dump` for an ETDump.
 *
 * Text out of the file stands in quotes, and what does not print is escaped: no
 * name can pass for a number, a line or a terminal's command; "-" is what is
 * absent. */
#ifndef ETC_VIEW_DUMP_ETDUMP_H
#define ETC_VIEW_DUMP_ETDUMP_H

#include "base/text.h"
#include "table/file_text.h"
#include "model/raw.h"
#include "model/trace.h"

void etc_view_dump_head(const struct etc_trace *trace, struct etc_text *out);

/* The run's own fields, and the heads of the columns of its `events` events. */
void etc_view_dump_run(const struct etc_trace *trace, size_t run, size_t events,
                       struct etc_text *out);

/* One line for the event, and one for what a debug event logged. */
void etc_view_dump_event(size_t index, const struct etc_raw_event *event, struct etc_text *out);

/* ValueType of the schema, by its number; NULL if it has no name. */
const char *etc_view_value_type(int8_t val);

#endif

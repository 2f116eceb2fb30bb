/* etdump_text.h -- writes an ETDump as text for `etcore dump`.
 *
 * Texts from the file are quoted, and unprintable characters escaped, so that no name can look
 * like a number or a line, or control the terminal; "-" is an absent field. */
#ifndef ETC_COMMANDS_DUMP_ETDUMP_TEXT_H
#define ETC_COMMANDS_DUMP_ETDUMP_TEXT_H

#include "base/text.h"
#include "table/file_text.h"
#include "model/raw.h"
#include "model/trace.h"

void etc_view_dump_head(const struct etc_trace *trace, struct etc_text *out);

/* Writes the run's own fields and the column titles of its `events` events. */
void etc_view_dump_run(const struct etc_trace *trace, size_t run, size_t events,
                       struct etc_text *out);

/* Writes a line for the event, and one for the value that a debug event logged. */
void etc_view_dump_event(size_t index, const struct etc_raw_event *event, struct etc_text *out);

/* Name of a ValueType of the schema; NULL if it has none. */
const char *etc_view_value_type(unsigned val);

#endif

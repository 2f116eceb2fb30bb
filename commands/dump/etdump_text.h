/* etdump_text.h -- writes an ETDump as text for `etcore dump`.
 *
 * Texts from the file are quoted, and unprintable characters escaped, so that a name cannot be
 * mistaken for a number or another line, and cannot control the terminal. "-" is an absent
 * field. */
#ifndef ETC_COMMANDS_DUMP_ETDUMP_TEXT_H
#define ETC_COMMANDS_DUMP_ETDUMP_TEXT_H

#include "base/text.h"
#include "table/file_text.h"
#include "model/raw.h"
#include "model/trace.h"

void etc_view_dump_head(const struct etc_trace *trace, struct etc_text *out);

/* Writes the fields of the run itself, and the column titles of the list of its `events` events. */
void etc_view_dump_run(const struct etc_trace *trace, size_t run, size_t events,
                       struct etc_text *out);

/* Writes one line about the event. A debug event gets a second line, about the value that it
 * logged. */
void etc_view_dump_event(size_t index, const struct etc_raw_event *event, struct etc_text *out);

/* Returns the name of a ValueType of the schema; NULL if `val` is none of them. */
const char *etc_view_value_type(unsigned val);

#endif

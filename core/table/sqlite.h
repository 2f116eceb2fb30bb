/* sqlite.h -- writes tables as SQLite databases. libsqlite3 is loaded only when a database is
 * written, so that other commands start faster. */
#ifndef ETC_TABLE_SQLITE_H
#define ETC_TABLE_SQLITE_H

#include "base/error.h"
#include "table/formats.h"

/* Loads libsqlite3 once. E1206: it is not installed, or too old. */
enum etc_status etc_sqlite_load(struct etc_error *err) ETC_MUST_CHECK;

/* Writes a database with one table, whose name is the title of the report's table. Call
 * etc_sqlite_load() before. An unknown value is written as NULL, a truth value as 0 or 1, a list as
 * "a; b", and a map as a JSON object. */
void etc_write_sqlite(const struct etc_report *report, const struct etc_screen *screen,
                      struct etc_text *out);

#endif

/* sheet.h -- writes a report that consists of one table as JSON: {"schema", "files", "rows",
 * "notes"}. A row is an object with a member for each column; an unknown value is null; numbers
 * that JSON cannot represent are the texts "nan", "inf" and "-inf". */
#ifndef ETC_TABLE_SHEET_H
#define ETC_TABLE_SHEET_H

#include "base/text.h"
#include "table/report.h"

/* Writes report->schema, files, rows and notes as one document. */
void etc_write_sheet_json(const struct etc_report *report, struct etc_text *out);

/* Writes the document of etc_write_sheet_json() as one object per line. The member "type" of each
 * object is "sheet", "file", "row" or "note". */
void etc_write_sheet_ndjson(const struct etc_report *report, struct etc_text *out);

#endif

/* diff_forms.h -- an answer of `etcore diff` where it is not like that of `analyze`. */
#ifndef ETC_WRITE_DIFF_H
#define ETC_WRITE_DIFF_H

#include "table/report.h"

/* One document, "etcore.diff/1", of the form of docs/diff.schema.json. */
void etc_write_diff_json(const struct etc_report *report, struct etc_text *out);

/* The same, one object per line: what begins it, groups, rows, notes. */
void etc_write_diff_ndjson(const struct etc_report *report, struct etc_text *out);

/* These two, and markdown for a pull request: the verdict, what changed, the rest folded away. */
extern const struct etc_report_forms etc_diff_forms;

#endif

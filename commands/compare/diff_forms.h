/* diff_forms.h -- the output formats of `etcore diff` that differ from those of
 * `analyze`. */
#ifndef ETC_COMMANDS_COMPARE_DIFF_FORMS_H
#define ETC_COMMANDS_COMPARE_DIFF_FORMS_H

#include "table/report.h"

/* Writes one document, "etcore.diff/1", of the form of docs/diff.schema.json. */
void etc_write_diff_json(const struct etc_report *report, struct etc_text *out);

/* Writes the document of etc_write_diff_json() as one object per line: a header, groups, rows,
 * notes. */
void etc_write_diff_ndjson(const struct etc_report *report, struct etc_text *out);

/* The three formats: JSON and one JSON object per line (the functions above), and Markdown for a
 * pull request. The Markdown page has the verdict, the changed rows, and the other rows in a folded
 * section. */
extern const struct etc_report_forms etc_diff_forms;

#endif

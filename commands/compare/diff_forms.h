/* diff_forms.h -- the output formats of `etcore diff` that differ from those of
 * `analyze`. */
#ifndef ETC_COMMANDS_COMPARE_DIFF_FORMS_H
#define ETC_COMMANDS_COMPARE_DIFF_FORMS_H

#include "table/report.h"

/* Writes one JSON document, "etcore.diff/1"; docs/diff.schema.json describes it. */
void etc_write_diff_json(const struct etc_report *report, struct etc_text *out);

/* Writes the content of etc_write_diff_json() as one JSON object per line: a header, groups, rows,
 * notes. */
void etc_write_diff_ndjson(const struct etc_report *report, struct etc_text *out);

/* The formats: a JSON document and one JSON object per line (the functions above), and Markdown for
 * a pull request. The Markdown page has the verdict, the changed rows, and a folded section with
 * the other rows. */
extern const struct etc_report_forms etc_diff_forms;

#endif

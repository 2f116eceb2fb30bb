/* sheet.h -- functions that the subcommands of `etcore numeric` share: they show one table, with
 * selected rows, on the terminal or in machine-readable formats. */
#ifndef ETC_COMMANDS_NUMERIC_SHEET_H
#define ETC_COMMANDS_NUMERIC_SHEET_H

#include "context/inputs.h"
#include "context/output.h"
#include "table/select.h"

struct etc_numeric_sheet {
	struct etc_targets targets;
	struct etc_selection selection;
	struct etc_screen screen; /* `top`: maximum number of rows on a screen */
	const char *schema;       /* name of the JSON document's schema */
};

struct etc_numeric_options;

/* Configures the session, and parses the options that all subcommands have. `schema`: name of the
 * schema of the JSON document, such as "etcore.numeric.values/1". *sheet must be zeroed first, and
 * its selection must be released, even after an error. E0501, E0505, E0507, E0904, and the errors
 * of the configuration. */
enum etc_status etc_numeric_sheet_begin(struct etc_numeric_sheet *sheet,
                                        const struct etc_numeric_options *options,
                                        const char *schema, const struct etc_format *formats,
                                        struct etc_session *s,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* The content of a report. On a terminal, the lines `head` are printed before the table, and the
 * table has the columns `shown` if --columns was not given. Errors of writing: E0506, E0902, E0903,
 * E0904. */
struct etc_numeric_page {
	const struct etc_report_file *files;
	uint32_t file_count;
	const struct etc_str *head;
	uint32_t head_count;
	const char *shown; /* names of the columns on the screen, separated by ',' */
	const struct etc_table *table;
	uint32_t *rows;
	uint32_t row_count;
};

/* Sets the page's table, and selects its rows by the options that the sheet has. E0505, E0904. */
enum etc_status etc_numeric_sheet_select(const struct etc_numeric_sheet *sheet,
                                         const struct etc_table *table,
                                         struct etc_numeric_page *page, struct etc_arena *arena,
                                         struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_numeric_sheet_write(struct etc_numeric_sheet *sheet,
                                        const struct etc_numeric_page *page, struct etc_session *s,
                                        struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

#endif

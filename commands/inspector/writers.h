/* writers.h -- the writers of the Inspector's outputs. Each writes its complete text, or fails
 * without output. */
#ifndef ETC_COMMANDS_INSPECTOR_WRITERS_H
#define ETC_COMMANDS_INSPECTOR_WRITERS_H

#include "commands/inspector/numeric_gap.h"
#include "inspector/inspector.h"

/* Parameters of the Inspector's print_data_tabular(). */
struct etc_insp_switches {
	bool units;         /* include_units: write the units of times */
	bool delegate_data; /* include_delegate_debug_data: also write delegates' metadata */
};

typedef enum etc_status etc_insp_writer(struct etc_inspector *in,
                                        const struct etc_insp_switches *switches,
                                        struct etc_text *out, struct etc_error *err);

etc_insp_writer etc_insp_table; /* like the Inspector's print_data_tabular */
etc_insp_writer etc_insp_tsv;   /* like the Inspector's save_data_to_tsv */
etc_insp_writer etc_insp_csv;   /* like the Inspector's to_dataframe().to_csv() */
etc_insp_writer etc_insp_json;  /* JSON of the schema etcore.inspector/1 */

/* clang-format off */
/* The formats of -o: name, ending of files, writer of the events, writer of --numeric_gap. */
#define ETC_INSPECTOR_FORMATS(X) \
	X("table", "txt", etc_insp_table, etc_insp_gap_text) \
	X("tsv",   NULL,  etc_insp_tsv,   etc_insp_gap_text) \
	X("csv",   NULL,  etc_insp_csv,   etc_insp_gap_csv) \
	X("json",  NULL,  etc_insp_json,  etc_insp_gap_json)
/* clang-format on */

/* Runs compare_results(plot=False) for every block called "Execute". E0824: it raises an exception;
 * `out` then has the text that was printed before the exception. */
enum etc_status etc_insp_compare_results(struct etc_inspector *in, struct etc_text *out,
                                         struct etc_error *err) ETC_MUST_CHECK;

#endif

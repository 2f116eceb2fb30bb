/* runs.h -- tables in which a row stands for whole runs: `--by run`, `--by file`, `--by method`. */
#ifndef ETC_COMMANDS_ANALYZE_RUNS_H
#define ETC_COMMANDS_ANALYZE_RUNS_H

#include "base/error.h"
#include "model/profile.h"
#include "table/table.h"

/* How a run was read. */
enum etc_run_layout {
	ETC_RUN_WHOLE, /* the run's file is complete */
	ETC_RUN_OWN,   /* the file is truncated, but still has the FlatBuffers vtables of the run */
	ETC_RUN_INFERRED /* the file is truncated; the layout of the run's tables was inferred */
};

/* A profile and the files of its runs. */
struct etc_runs_part {
	const struct etc_profile *profile;
	const struct etc_str *files;
	/* for each run of the trace, the index of its file in `files`; NULL: all runs are of
	 * files[0] */
	const uint32_t *file;
	const uint8_t *layout; /* enum etc_run_layout of each run; NULL: all are WHOLE */
};

/* Makes a table with one row per run, per file and path, or per method, depending on `by`. Its
 * first columns are the first columns of etc_view_rows(); then come the number of runs, the typical
 * run, median, mean, p90 and max. The time per run is the statistic that --stat selects (`stat` of
 * the first profile). Runs of unknown method are grouped by path. E0904. */
enum etc_status etc_view_runs(const struct etc_runs_part *parts, uint32_t count, uint8_t by,
                              struct etc_arena *arena, struct etc_table *out,
                              struct etc_error *err) ETC_MUST_CHECK;

/* The line below the table of `--by run`. It is about the path with the most time: how many of the
 * path's runs were kept, how many are typical, the range of their times, and a bar chart of all
 * runs of the path. Empty if there is no path, or out of memory. */
struct etc_str etc_view_runs_line(const struct etc_runs_part *parts, uint32_t count,
                                  struct etc_arena *arena);

/* The default columns of etc_view_runs() on a screen, separated by ',', as etc_selection_parse()
 * reads them. */
const char *etc_runs_columns(uint8_t by, bool several_files, bool salvaged);

#endif

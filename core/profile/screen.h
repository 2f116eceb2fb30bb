/* screen.h -- shows a profile on the screen: header, ranked table, foot. */
#ifndef ETC_PROFILE_SCREEN_H
#define ETC_PROFILE_SCREEN_H

#include "base/error.h"
#include "table/report.h"
#include "model/profile.h"

struct etc_screen_options {
	/* maximum number of rows of a table; "N more" follows if there are others; 0: all */
	uint32_t top;
	/* indices in `rows` of the columns to show: those that --columns names, or else those of
	 * --roofline; column_count is 0 if neither option was given */
	const uint32_t *columns;
	uint32_t column_count;
	bool titled; /* the columns have headings instead of their names: those of --roofline */
	bool tree;   /* rows are modules, shown as a tree */
	/* the shown rows, as the table for programs; its cells are made row by row when they are
	 * read */
	const struct etc_table *rows;
};

/* Fills blocks and block_count of the report. The headers are those of `profile`. The rows are
 * those of `shown`, the same profile with the requested key. `all` is `shown` before --where
 * removed rows. E0904. */
enum etc_status etc_view_screen(const struct etc_profile *profile, const struct etc_profile *all,
                                const struct etc_profile *shown,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_report *report, struct etc_error *err) ETC_MUST_CHECK;

/* Makes the lines above the table of `path`, or of the load (ETC_PROFILE_LOAD). */
enum etc_status etc_view_header(const struct etc_profile *profile, uint32_t path,
                                struct etc_arena *arena, struct etc_report_block *block,
                                struct etc_error *err) ETC_MUST_CHECK;

enum { ETC_VIEW_LIBRARIES = 4 /* maximum number of lines about libraries */ };

/* Returns text such as "KleidiAI  8 of 8 matrix kernels: ..." about library number `nth`, from 0,
 * among those that an annotator examined. Empty: there are fewer. */
struct etc_str etc_view_library(const struct etc_profile *profile, uint32_t path, uint32_t nth,
                                struct etc_arena *arena);

#endif

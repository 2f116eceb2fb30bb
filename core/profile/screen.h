/* screen.h -- shows a profile on the screen: header, ranked table, foot. */
#ifndef ETC_VIEW_SCREEN_H
#define ETC_VIEW_SCREEN_H

#include "base/error.h"
#include "table/report.h"
#include "model/profile.h"

struct etc_screen_options {
	uint32_t top;            /* rows of a table before "N more"; 0: all */
	const uint32_t *columns; /* indices in `rows`, for --columns; else column_count is 0 */
	uint32_t column_count;
	bool titled; /* the columns are shown under headings of their own */
	bool tree;   /* rows are modules, shown as a tree */
	/* the shown rows as the table that programs get; its cells are made row by row when they
	 * are read */
	const struct etc_table *rows;
};

/* Fills blocks and block_count of the report: headers of `profile`, rows of `shown`, the same
 * profile with the requested key. `all` is `shown` before --where removed rows. E0904. */
enum etc_status etc_view_screen(const struct etc_profile *profile, const struct etc_profile *all,
                                const struct etc_profile *shown,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_report *report, struct etc_error *err) ETC_MUST_CHECK;

/* The lines above the table of `path` (ETC_PROFILE_LOAD: of the load). */
enum etc_status etc_view_header(const struct etc_profile *profile, uint32_t path,
                                struct etc_arena *arena, struct etc_report_block *block,
                                struct etc_error *err) ETC_MUST_CHECK;

enum { ETC_VIEW_LIBRARIES = 4 /* most lines about libraries */ };

/* Text such as "KleidiAI  8 of 8 matrix kernels: ..." about library number `nth`, from 0, of those
 * that an annotator checked; empty: there are fewer. */
struct etc_str etc_view_library(const struct etc_profile *profile, uint32_t path, uint32_t nth,
                                struct etc_arena *arena);

#endif

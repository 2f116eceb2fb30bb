/* output.h -- `-o FORMAT[=PATH]`: which formats, and where they go. */
#ifndef ETC_API_OUTPUT_H
#define ETC_API_OUTPUT_H

#include "base/arena.h"
#include "table/formats.h"

/* One -o FORMAT[=PATH]. */
struct etc_target {
	const struct etc_format *format;
	const char *path; /* NULL: standard output */
	struct etc_text text;
};

struct etc_targets {
	struct etc_target *v;
	uint32_t count;
};

/* Parses the options (none: text). Two for standard output are E0501, unknown
 * formats E0505. Release the targets in any case. E0904. */
enum etc_status etc_targets_parse(struct etc_targets *t, const char *const *options, uint32_t count,
                                  struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;
void etc_targets_release(struct etc_targets *t);

/* Does a format show the hashes of the files? */
bool etc_targets_want_hashes(const struct etc_targets *t);

/* Is one a document for machines? */
bool etc_targets_want_all(const struct etc_targets *t);

/* Do all take tables row by row, so that long ones need no cells (table/table.h)? */
bool etc_targets_row_by_row(const struct etc_targets *t);

/* Writes the reports: a program gets one document of `joined`, a person one
 * screen for each of the `count` reports. Files first, then standard output into
 * `out`, so nothing is printed when a file cannot be written; what is written row by row
 * needs no memory but a piece of `out`, which is there before the first. E0904, E0902. */
enum etc_status etc_targets_write(struct etc_targets *t, const struct etc_report *joined,
                                  const struct etc_report *reports, uint32_t count,
                                  const struct etc_screen *screen, struct etc_text *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif

/* cut.h -- shortens an answer in JSON: keeps the largest rows, and adds up the rows that are left
 * out.
 *
 * The answer must be that of `analyze` or `diff`, which write one row per line. The rows of a path
 * are consecutive, the largest first. */
#ifndef ETC_COMMANDS_REPORT_CUT_H
#define ETC_COMMANDS_REPORT_CUT_H

#include "base/text.h"

/* Number of members of a JSON row whose values are added up over the rows that are left out. */
enum { ETC_CUT_SUMS = 5 };

struct etc_report_cut {
	size_t room; /* approximate number of bytes of rows that are kept */
	/* how often each path is listed: for `diff`, the number of groups; for `analyze`, 1 */
	uint32_t groups;
	/* JSON with the hashes of the files. Where the shortened answer has no hash of a file, the
	 * hash from `hashes` is inserted */
	struct etc_str hashes;

	struct etc_text kept; /* the document with only the rows that are kept */
	struct etc_text left; /* JSON: one object for each path of which rows were left out */
	uint64_t rows, left_rows;

	/* The members below are private. */
	struct etc_text line; /* the beginning of a line whose end is in a later chunk */
	struct etc_text of;   /* JSON members that identify the path of the last row */
	/* value of the member "file" of the last row, with its quotes; empty: the row has no such
	 * member */
	struct etc_text file;
	uint64_t listed, paths;
	size_t used, used_here, detached_here;
	/* numbers of the attached and of the detached rows of the current path that were left
	 * out */
	uint64_t here, here_detached;
	double sums[ETC_CUT_SUMS];
	bool summed[ETC_CUT_SUMS];
};

/* Processes the next chunk of the answer. Can be used as the sink of a struct etc_text. `arg` is a
 * struct etc_report_cut. */
bool etc_report_cut_sink(void *arg, struct etc_str chunk);

/* Must be called after the last chunk. Returns false if out of memory. */
bool etc_report_cut_end(struct etc_report_cut *c);
void etc_report_cut_release(struct etc_report_cut *c);

#endif

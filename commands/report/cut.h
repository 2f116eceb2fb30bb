/* cut.h -- keeps the largest rows of an answer in JSON, and adds up the other rows.
 *
 * The answer is one of `analyze` or `diff`: these write one row per line, the rows of a path
 * consecutively, largest first. */
#ifndef ETC_COMMANDS_REPORT_CUT_H
#define ETC_COMMANDS_REPORT_CUT_H

#include "base/text.h"

/* The members of a row that are added up. */
enum { ETC_CUT_SUMS = 5 };

struct etc_report_cut {
	size_t room;     /* approximate number of bytes of rows that are kept */
	uint32_t groups; /* `diff`: how often each path is listed; `analyze`: 1 */
	/* An answer that contains the hashes of the files. Where the answer that is cut has no
	 * hash, the hash is inserted. */
	struct etc_str hashes;

	struct etc_text kept; /* the document with the rows that are kept */
	struct etc_text left; /* JSON: an object for each path that lost rows */
	uint64_t rows, left_rows;

	/* The members below are private. */
	struct etc_text line; /* beginning of a line whose end is in the next chunk */
	struct etc_text of;   /* JSON members that identify the path of the last row */
	struct etc_text file; /* file of the last row, as JSON */
	uint64_t listed, paths;
	size_t used, used_here, detached_here;
	uint64_t here, here_detached; /* number of rows of the current path that were left out */
	double sums[ETC_CUT_SUMS];
	bool summed[ETC_CUT_SUMS];
};

/* Receives the next chunk of the answer: a sink of struct etc_text. `arg` is a struct
 * etc_report_cut. */
bool etc_report_cut_sink(void *arg, struct etc_str chunk);

/* Call it after the last chunk. Returns false if out of memory. */
bool etc_report_cut_end(struct etc_report_cut *c);
void etc_report_cut_release(struct etc_report_cut *c);

#endif

/* report.h -- the result of a command as tables, which is the input of the writers of output
 * formats. It has files, methods, one machine-readable table of rows, the same rows formatted for
 * people, and notes.
 *
 * The command fills a struct etc_report, which is plain data in memory of the arena; a writer reads
 * it once. Members that a command does not set are empty. */
#ifndef ETC_TABLE_REPORT_H
#define ETC_TABLE_REPORT_H

#include "base/notes.h"
#include "base/text.h"
#include "model/settings.h"
#include "table/table.h"

struct etc_report_file {
	struct etc_str path;
	struct etc_str sha256; /* hexadecimal; empty: not requested */
	const char *kind;      /* "etdump", "etrecord" … */
};

struct etc_report_method {
	struct etc_cell name;
	struct etc_cell load;
	const struct etc_cell *loads;
	size_t load_count;
	/* one row for each path, with all numbers that the screen shows above the ranked table of
	 * the path */
	struct etc_table paths;
	/* for each path, the times of its runs; NULL: no times are known in ns */
	const uint64_t *const *samples;
	uint64_t samples_den; /* the samples are counted in 1/samples_den ns */
	const size_t *sample_counts;
};

/* The part of the screen about one path: head lines, a ranked table, and a table of detached rows
 * (see the glossary). */
struct etc_report_block {
	const struct etc_str *head;
	uint32_t head_count;
	struct etc_table table;
	/* rows of detached events, which are not in `table`; may have no rows */
	struct etc_table detached;
};

/* One path of one dump, in a group that is compared. */
struct etc_report_dump {
	struct etc_str file;
	/* `path`: number of the path; `load`: load time in ns */
	struct etc_cell method, path, load;
	size_t runs, warmup;
	/* times of the runs (of Method::execute), in file order; NULL: they are not known in ns */
	const uint64_t *samples;
	uint64_t samples_den; /* the samples are counted in 1/samples_den ns */
};

/* A group of dumps that `etcore diff` compares. */
struct etc_report_group {
	struct etc_str name;
	const struct etc_report_file *files;
	uint32_t file_count;
	const struct etc_report_dump *dumps;
	uint32_t dump_count;
};

/* Parts of an answer of `etcore diff` other than tables. */
struct etc_report_diff {
	const struct etc_report_group *groups; /* the groups of dumps; the first is the base */
	uint32_t group_count;
	double confidence;       /* confidence level of the intervals, such as 0.95 */
	struct etc_str headline; /* one sentence */
	struct etc_str link;     /* URL of the report, for a link in Markdown; or empty */
};

struct etc_report;

/* Functions for a report whose JSON and Markdown have another form than those of `etcore
 * analyze`. */
struct etc_report_forms {
	void (*json)(const struct etc_report *report, struct etc_text *out);
	void (*ndjson)(const struct etc_report *report, struct etc_text *out);
	void (*markdown)(const struct etc_report *report, struct etc_text *out);
};

/* Maximum number of commands that a report suggests. */
enum { ETC_REPORT_NEXT = 3 };

struct etc_report {
	const struct etc_report_file *files;
	uint32_t file_count;
	const struct etc_report_method *methods;
	uint32_t method_count;
	struct etc_table rows; /* rows with the requested columns */
	/* the rows with all columns, for JSON, in which the columns are fixed */
	struct etc_table all_rows;
	const struct etc_notes *notes;
	/* the notes are about several files, so the screen names the file of each note */
	bool note_files;

	/* name of the JSON schema, if the JSON consists of files, rows and notes only
	 * (table/sheet.h); else NULL */
	const char *schema;
	/* the functions that write JSON, NDJSON and Markdown; NULL: those of `etcore analyze` */
	const struct etc_report_forms *forms;
	struct etc_report_diff *diff; /* other parts of the answer of `etcore diff`; NULL for other
	                               * commands */
	/* title of this screen, if there are several screens; empty: no title */
	struct etc_str title;
	struct etc_report_block *blocks;
	uint32_t block_count;
	/* rows for --events, or for a --by whose rows are runs; no rows: none of these options is
	 * given */
	struct etc_table events;
	uint32_t events_top; /* maximum number of events on screen; 0: all */
	/* machine-readable formats, such as CSV, show the table `events` instead of `rows` */
	bool events_for_rows;
	struct etc_table allocations; /* has no rows if the dump has no allocations */
	/* length in ns of the unit of times on screen; 0: the unit is chosen by the size of the
	 * times */
	double unit_ns;
	const char *stat, *by; /* values of --stat and --by */
	/* the configuration keys that were set: in a file, in the environment or by an option */
	const struct etc_setting *settings;
	uint32_t setting_count;
	struct etc_str under;  /* a line that is shown below the events; empty: none */
	struct etc_str more;   /* a text about paths that are not shown; empty: none */
	struct etc_str legend; /* explanation of words and cells of the screen; empty: nothing needs
	                        * an explanation */
	/* commands that are suggested next; an empty text ends the list */
	struct etc_str next[ETC_REPORT_NEXT];
};

/* Returns the table for formats that can contain only one table: the events if they were requested,
 * else the rows. */
static inline const struct etc_table *etc_report_table(const struct etc_report *report)
{
	bool events = report->events_for_rows || report->events.row_count;

	return events ? &report->events : &report->rows;
}

/* Returns the number of rows of events that a screen leaves out. */
static inline uint32_t etc_events_left(const struct etc_report *report)
{
	uint32_t top = report->events_top;

	return top && report->events.row_count > top ? report->events.row_count - top : 0;
}

#endif

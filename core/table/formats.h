/* formats.h -- the output formats of reports, by name. */
#ifndef ETC_TABLE_FORMATS_H
#define ETC_TABLE_FORMATS_H

#include "base/error.h"
#include "base/text.h"
#include "table/report.h"

/* The screen or page on which a report is shown. */
struct etc_screen {
	/* width in columns; 0: the output is not a terminal, and lines may have any width */
	uint32_t width;
	uint32_t top; /* maximum number of rows of a table; 0: all */
	bool color, ascii;
	bool terminal; /* standard output is a terminal */
	bool bars;     /* in a table with times, a bar follows each row */
};

/* An output format. */
struct etc_format {
	const char *name;
	/* another ending of file names, in addition to the name, that selects the format: "md";
	 * NULL: there is none */
	const char *ending;

	/* These members are for reports in tables: */
	/* machine-readable: one document has the results of all input files. False: the format is
	 * for people, with one screen for each report. */
	bool machine;
	bool hashes; /* the format shows the hashes of the input files */
	void (*tables)(const struct etc_report *report, const struct etc_screen *screen,
	               struct etc_text *out);

	/* This member is for reports that do not consist of tables: it writes the report `what`.
	 * Everything is computed before, so writing cannot fail. */
	void (*document)(void *what, struct etc_text *out);

	/* if a command writes the format itself: what the command needs to know about the format */
	const void *own;
	bool needs_path; /* the format is never written to standard output */
};

/* A list of formats is a macro that has a row X(name, ending, ...) for each format; the first
 * format is the default. The macro is used for the words of the option -o (in help, completion and
 * messages), and for the array of formats, which ends with a zeroed row. */
#define ETC_FORMAT_WORD(name, ...) "|" name

/* clang-format off */
#define ETC_FORMAT_ARRAY(FORMATS, ROW) { FORMATS(ROW) { 0 } }

/* The formats of all reports in tables. A new format needs a row here and a file with its
 * writer. */
#define ETC_TABLE_FORMATS(X)                                                                               \
	X("text",     "txt",   false, false, etc_write_text)                                                \
	X("csv",      NULL,    true,  false, etc_write_csv)                                                 \
	X("tsv",      NULL,    true,  false, etc_write_tsv)                                                 \
	X("markdown", "md",    false, false, etc_write_markdown)                                            \
	X("json",     NULL,    true,  true,  etc_write_json)                                                \
	X("ndjson",   "jsonl", true,  true,  etc_write_ndjson)                                              \
	X("parquet",  NULL,    true,  false, etc_write_parquet)                                             \
	X("arrow",    NULL,    true,  false, etc_write_arrow)                                               \
	/* this comment ends the list, so that every row can end in a backslash */
#define ETC_TABLE_FORMAT(name, ending, machine, hashes, writer)                                            \
	{ name, ending, machine, hashes, writer, NULL, NULL, false },

/* The formats of a document. put_text and put_json are functions in the file that has the array of
 * formats. */
#define ETC_TEXT_JSON_FORMATS(X) X("text", "txt", put_text) X("json", NULL, put_json)
#define ETC_DOCUMENT_FORMAT(name, ending, writer)                                                          \
	{ name, ending, false, false, NULL, writer, NULL, false },

/* A format whose row has no writer, because the command writes all its formats by one function
 * (context/output.h). */
#define ETC_NAMED_FORMAT(name, ending, ...) { name, ending, false, false, NULL, NULL, NULL, false },
/* clang-format on */

extern const struct etc_format etc_table_formats[];

/* Returns the format called `name`, or NULL. */
const struct etc_format *etc_format_find(const struct etc_format *formats, struct etc_str name);

/* Fails with E0505 and the message "BEFORE'NAME'; the formats are text, csv, ...". */
enum etc_status etc_format_unknown(const struct etc_format *formats, const char *before,
                                   struct etc_str name, struct etc_error *err) ETC_MUST_CHECK;

#define ETC_TABLE_WRITER(name, ending, machine, hashes, writer)                       \
	void writer(const struct etc_report *report, const struct etc_screen *screen, \
	            struct etc_text *out);
ETC_TABLE_FORMATS(ETC_TABLE_WRITER)
#undef ETC_TABLE_WRITER

/* Writes only the rows, each as one JSON object per line with a member for each column. Programs
 * that read tables can read such a file as one table. */
void etc_write_lines(const struct etc_report *report, const struct etc_screen *screen,
                     struct etc_text *out);

/* Writes the value of a cell: a number with all digits, a text unchanged, nothing for a blank
 * cell. */
void etc_write_plain(struct etc_text *out, const struct etc_cell *c);

/* Writes a cell as JSON; null for a blank cell and for a number that JSON cannot represent. */
void etc_write_json_cell(struct etc_text *out, const struct etc_cell *c);

#endif

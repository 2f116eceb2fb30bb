/* output.h -- the option -o of all commands: output formats and destinations.
 *
 *     -o FORMAT        to standard output
 *     -o FORMAT=PATH   to a file
 *     -o PATH          to a file whose extension is that of a format, in any case: report.md,
 *                      x.json
 *
 * A value is a PATH alone if there is a '.' or a '/' before the first '='; any other value begins
 * with a FORMAT. */
#ifndef ETC_CONTEXT_OUTPUT_H
#define ETC_CONTEXT_OUTPUT_H

#include "context/options.h"
#include "table/formats.h"

/* The row of option -o for a command whose struct has a member `output`, a struct etc_opt_list.
 * FORMATS is a list as in table/formats.h. The text `more` is appended to the help. */
#define ETC_OUTPUT_ROW(type, FORMATS, more)                                                    \
	{                                                                                      \
		'o', "output", ETC_OPT_LIST, offsetof(type, output), "FORMAT[=PATH]|PATH",     \
			&("" FORMATS(ETC_FORMAT_WORD))[1],                                     \
			"output format (default: the first) and file; PATH alone: the format " \
			"is its file extension (repeatable)" more                              \
	}

/* One option -o: a format, and where to write it. */
struct etc_target {
	const struct etc_format *format;
	const char *path; /* NULL: standard output */
};

struct etc_targets {
	struct etc_target *v;
	uint32_t count;
};

/* Parses the values of -o. If there are none, the first format is written to standard output.
 * E0505: unknown format or extension, or a format that needs a file. E0501: two outputs to standard
 * output or to one file. E0904. */
enum etc_status etc_targets_parse(struct etc_targets *t, const struct etc_format *formats,
                                  const struct etc_opt_list *options, struct etc_arena *arena,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Fails with E0501 if `option` was given (`given`), but would have no effect: it affects only the
 * formats in the list `names` (with a blank before and after each name), and none of them is
 * requested. */
enum etc_status etc_targets_need(const struct etc_targets *t, const char *option, bool given,
                                 const char *names, struct etc_error *err) ETC_MUST_CHECK;

/* Does a requested format show the hashes of files? */
bool etc_targets_want_hashes(const struct etc_targets *t);

/* Is one of the requested formats a machine-readable document (etc_format.machine)? */
bool etc_targets_want_all(const struct etc_targets *t);

/* Do all requested formats write tables row by row? Then long tables need no cells in memory
 * (table/table.h). */
bool etc_targets_row_by_row(const struct etc_targets *t);

/* Writes `what` in the format `format`. `for_file`: the output is a file, not a terminal. */
typedef enum etc_status etc_target_writer(const struct etc_format *format, bool for_file,
                                          void *what, struct etc_text *out, struct etc_error *err);

/* Writes the files first, then the output for standard output to `out`; so nothing is printed if a
 * file cannot be written. Text is written through a small buffer, so an output may be larger than
 * memory. E0902, E0903, E0904, E0909, and errors of `write`. */
enum etc_status etc_targets_write(const struct etc_targets *t, etc_target_writer *write, void *what,
                                  struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_targets_write(), for formats that write a document: `what` is the first argument of
 * etc_format.document(). */
enum etc_status etc_targets_document(const struct etc_targets *t, void *what, struct etc_text *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_targets_write(), for reports that consist of tables. Machine-readable formats write the
 * report `joined` as one document; formats for people write one screen for each of the `count`
 * reports. If tables are written row by row, the only allocation is the buffer of `out`; it is made
 * before the first row. E0561: a binary format on a terminal. */
enum etc_status etc_targets_tables(const struct etc_targets *t, const struct etc_report *joined,
                                   const struct etc_report *reports, uint32_t count,
                                   const struct etc_screen *screen, struct etc_text *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Writes one file piece by piece; on failure no file remains. `folder`: if etcore chose the file's
 * name, the user's folder that contains the file (base/inside.h); NULL: the user chose the name.
 * E0903, E0904, and errors of `write`. */
typedef enum etc_status etc_file_writer(const void *what, struct etc_text *out,
                                        struct etc_error *err);
enum etc_status etc_output_write(const char *folder, const char *path, etc_file_writer *write,
                                 const void *what, struct etc_error *err) ETC_MUST_CHECK;

/* Removes from `targets` those that are written to standard output, so that only files are
 * written. */
void etc_targets_only_files(struct etc_targets *targets);

#endif

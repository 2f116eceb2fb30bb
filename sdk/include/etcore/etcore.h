/* etcore/etcore.h -- etcore as a library: every command of the program.
 *
 * A program that uses the library makes a query. A query has a question, which is
 * a command of the program etcore ("analyze", "inspector", "dump" ...); options,
 * with the names that they have on the command line; and inputs: paths, memory or
 * file descriptors. A query can be run several times. Its answer is text, which is
 * passed to a function of the caller.
 *
 *     struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
 *     struct etcore_query *q;
 *
 *     if (etcore_query_new("analyze", &q, &err) != ETCORE_STATUS_OK ||
 *         etcore_add(q, "run.etdump", &err) != ETCORE_STATUS_OK ||
 *         etcore_set(q, "stat", "median", &err) != ETCORE_STATUS_OK ||
 *         etcore_run(q, print, stdout, &err) != ETCORE_STATUS_OK)
 *             fprintf(stderr, "%s: %s\n", err.code, err.message);
 *     etcore_query_free(q);
 *
 * Rules that hold throughout
 *   - A function that can fail returns one of ETCORE_STATUS_* (these are the exit
 *     statuses of the program etcore) and describes the error in `*err`; `err` may
 *     be NULL. No function prints, exits or changes the locale.
 *   - Queries are independent: several threads may each use a query of their
 *     own. One query is used from one thread at a time.
 *   - The library copies its arguments before a function returns, except for the
 *     bytes of etcore_add_memory. The lifetime of a returned pointer is stated:
 *     "constant" is valid forever; "of the query" until it runs again or is freed.
 *   - Text is UTF-8 and NUL-terminated. Text with a length is not NUL-terminated;
 *     it may come from an untrusted file and contain any byte.
 *   - Structs start with their size; later versions add members only at the end.
 *     The caller sets `size` to sizeof the struct, and the library writes no byte
 *     beyond this size.
 *   - Functions are only added, never changed: a program that was built with an
 *     older header works with every newer libetcore.so of the same SONAME.
 *
 * This header is valid in C99 and C++11 and later; it includes only standard
 * headers. */
#ifndef ETCORE_ETCORE_H
#define ETCORE_ETCORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ETCORE_API __attribute__((visibility("default")))
#else
#define ETCORE_API
#endif

/* The major version is also in the SONAME, and changes only if existing programs would break. The
 * minor version is incremented with each addition. */
#define ETCORE_API_MAJOR 1u
#define ETCORE_API_MINOR 4u

/* Returns the API version of the loaded library: major << 16 | minor. */
ETCORE_API uint32_t etcore_api_version(void);

/* Returns the version of etcore, such as "0.1.0"; constant. */
ETCORE_API const char *etcore_version(void);

/* Installs signal handlers, for a program that only runs queries, in one thread. Call it before
 * the first query.
 *   - If a plugin crashes, its name, the hook and the event are printed on standard error, and
 *     the process exits with status 9.
 *   - A signal that ends the process (SIGINT, SIGTERM ...) first removes incomplete output files.
 *   - SIGXFSZ is ignored: an output file that exceeds the limit is E0903.
 *   - Files are mapped. If one is truncated while it is read, E0907 is printed on standard error,
 *     and the process exits with status 3.
 * The handling of a signal that the program already ignores or handles is not changed. Without this
 * call, the library installs no signal handler; a plugin that crashes then ends the process. */
ETCORE_API void etcore_own_process(void);

/* ---- diagnostics ------------------------------------------------------------ */

/* Kinds of errors, by what the caller can do about them. The exit statuses of the program etcore
 * are the same. */
#define ETCORE_STATUS_OK      0
#define ETCORE_STATUS_FINDING 1 /* a check found something */
#define ETCORE_STATUS_USAGE   2 /* the options or the configuration are wrong */
#define ETCORE_STATUS_IO      3 /* a call of the operating system failed */
#define ETCORE_STATUS_FORMAT  4 /* the file is not of the expected kind */
/* the file is of the expected kind, but its contents are damaged */
#define ETCORE_STATUS_CORRUPT 5
/* the file is valid, but of a version that this etcore does not support */
#define ETCORE_STATUS_UNSUPPORTED 6
#define ETCORE_STATUS_LIMIT       7 /* a configured limit was exceeded */
#define ETCORE_STATUS_NO_MEMORY   8
#define ETCORE_STATUS_PLUGIN      9  /* a plugin crashed or failed */
#define ETCORE_STATUS_RAISES      10 /* ExecuTorch's Inspector would raise an exception */
/* a check could not decide; the answer is the report of the check */
#define ETCORE_STATUS_NO_VERDICT 11

#define ETCORE_SEVERITY_NOTE    0u
#define ETCORE_SEVERITY_WARNING 1u
#define ETCORE_SEVERITY_ERROR   2u

/* An error, a warning or a note. */
struct etcore_diagnostic {
	/* sizeof(struct etcore_diagnostic); 0: the library does not fill the struct */
	uint32_t size;
	/* ETCORE_STATUS_*; for a warning or note: the status that it causes with the option
	 * "strict" */
	int32_t status;
	uint32_t severity; /* ETCORE_SEVERITY_* */
	uint32_t line;     /* line of a text file, from 1; 0: does not apply */
	int64_t offset;    /* position in the file, in bytes; -1: does not apply */
	uint64_t count;    /* number of occurrences */
	/* such as "E0201"; "" if there is no code, because the answer explains the status. A
	 * constant text, which is never freed */
	const char *code;
	const char *hint;   /* what the user can do, or ""; a constant text, too */
	char see[32];       /* the command that explains the code: "etcore explain E0201" */
	char file[1024];    /* the input that the diagnostic is about, or "" */
	char message[1280]; /* what was expected and what was found, in one printable line */
};

/* Initial value of a struct etcore_diagnostic. */
#define ETCORE_DIAGNOSTIC                                                            \
	{                                                                            \
		sizeof(struct etcore_diagnostic), 0, 0, 0, -1, 0, "", "", "", "", "" \
	}

/* Describes diagnostic number `i`, counted from 0 in the order of codes: fills code, hint, status
 * and severity, and writes the title to `message`. Returns 1; 0: there is no such number. */
ETCORE_API int etcore_code(uint32_t i, struct etcore_diagnostic *out);

/* ---- questions and their options ------------------------------------------- */

/* A question: a command of the program etcore. All texts are constant. */
struct etcore_question {
	uint32_t size;
	uint32_t hidden;      /* 1: internal to etcore; runs only after etcore_own_process */
	const char *name;     /* "analyze" */
	const char *summary;  /* one line */
	const char *usage;    /* "FILE... [-r ETRECORD] [options]" */
	const char *examples; /* command lines, one per line */
	uint32_t groups;      /* 1: an operand "--" starts a new group of inputs */
	uint32_t reserved;
};

/* Describes question number `i`, counted from 0. Returns 1; 0: there is no such number. */
ETCORE_API int etcore_question(uint32_t i, struct etcore_question *out);

#define ETCORE_OPTION_FLAG     0u /* takes no value */
#define ETCORE_OPTION_COUNT    1u /* takes no value; its occurrences are counted */
#define ETCORE_OPTION_TEXT     2u /* takes a value; the last one is used */
#define ETCORE_OPTION_LIST     3u /* takes a value; if it is given several times, all are used */
#define ETCORE_OPTION_CHOICE   4u /* takes one of `choices` */
#define ETCORE_OPTION_OPTIONAL 5u /* as TEXT, but the value may be left out */
#define ETCORE_OPTION_FILE     6u /* as TEXT: the path of an input, or the name of one in memory */

/* An option of a question. All texts are constant. */
struct etcore_option_info {
	uint32_t size;
	uint32_t kind;        /* ETCORE_OPTION_* */
	uint32_t hidden;      /* 1: the option cannot be given on etcore's command line */
	uint32_t letter;      /* 'r' of -r; 0: none */
	const char *name;     /* "etrecord" */
	const char *argument; /* "FILE"; NULL: takes no value */
	const char *choices;  /* "ns|us|ms"; NULL: any value */
	const char *help;     /* one line */
	/* Since 1.2. For an option without `choices`: words that a program may propose to the user,
	 * "name|calls". Other values are accepted, too. NULL: none. */
	const char *words;
};

/* Describes option number `i`, counted from 0, of a question. Returns 1; 0: there is no such
 * number, or no such question. */
ETCORE_API int etcore_option(const char *question, uint32_t i, struct etcore_option_info *out);

/* A key of the configuration. All texts are constant. */
struct etcore_key_info {
	uint32_t size;
	/* section of the configuration, such as "etcore"; "plugin" stands for all sections
	 * [plugin.NAME], "backend" for all sections [backend.ID] */
	const char *section;
	const char *key;
	const char *built_in;    /* default value */
	const char *unit;        /* such as "bytes"; "" if the value has no unit */
	const char *help;        /* one line */
	const char *expected;    /* what a value looks like */
	const char *environment; /* the environment variable that sets the key; NULL: none */
};

/* Describes key number `i`, counted from 0. Returns 1; 0: there is no such number. */
ETCORE_API int etcore_key(uint32_t i, struct etcore_key_info *out);

/* ---- a query ---------------------------------------------------------------- */

struct etcore_query;

/* Creates a query and sets `*out` to it; on failure, to NULL. Free it with etcore_query_free.
 * ETCORE_STATUS_USAGE: there is no such question. ETCORE_STATUS_NO_MEMORY. The comments below name
 * a status without its prefix. */
ETCORE_API int etcore_query_new(const char *question, struct etcore_query **out,
                                struct etcore_diagnostic *err);

/* Frees the query, and everything that is "of the query". Does nothing if `q` is NULL. */
ETCORE_API void etcore_query_free(struct etcore_query *q);

/* Sets an option by its name on the command line, without dashes: "stat", "etrecord", "where". For
 * an option that may be repeated, appends a value. For a flag, `value` is NULL. Files are opened
 * when the query runs. USAGE: there is no such option, or it does not accept the value.
 * NO_MEMORY. */
ETCORE_API int etcore_set(struct etcore_query *q, const char *option, const char *value,
                          struct etcore_diagnostic *err);

/* Appends an operand: the path of an input ("-": standard input), or a word, such as "info" and
 * NAME in `etcore plugins info NAME`. NO_MEMORY. */
ETCORE_API int etcore_add(struct etcore_query *q, const char *operand,
                          struct etcore_diagnostic *err);

/* By default the library reads a file into memory. If the file is written to or truncated during
 * that read, the query fails with IO (E0907); later changes of the file have no effect. If `on` is
 * not 0, the library instead maps the files that the query opens after this call. That needs less
 * memory, and less time if only a part of a file is needed. DANGER: a mapped file must not be
 * truncated before the query and the last Arrow array of its answer are freed. If another process
 * truncates it, the system ends this process with SIGBUS when a thread reads the missing part. Map
 * only files that nobody else can write to. After etcore_own_process, all files are mapped. Since
 * API 1.1. */
ETCORE_API void etcore_map_files(struct etcore_query *q, int on);

/* Adds a file whose bytes are in memory: as an operand if `option` is NULL, else as the value of
 * this option, which must be of kind FILE. Answers and messages call the file `name`, which must
 * differ from other names of the query. The library does not look for files that belong to it. The
 * bytes are not copied: they must stay valid and unchanged until the query is freed. USAGE,
 * NO_MEMORY. */
ETCORE_API int etcore_add_memory(struct etcore_query *q, const char *option, const char *name,
                                 const void *bytes, size_t size, struct etcore_diagnostic *err);

/* Adds the file of an open file descriptor; `option` and `name` have the same meaning as for
 * etcore_add_memory. A regular file is read (or mapped, see etcore_map_files) from its start,
 * whatever its current position is. A pipe or socket is read to its end, which must come within 4
 * GiB. The caller still owns the descriptor, and may close it after this function has returned.
 * USAGE, IO, LIMIT, NO_MEMORY. */
ETCORE_API int etcore_add_descriptor(struct etcore_query *q, const char *option, const char *name,
                                     int descriptor, struct etcore_diagnostic *err);

/* A function of the caller that receives a piece of an answer. It returns 0 to continue, any other
 * number to stop. It may call etcore_note, but no other function with the same query. */
typedef int etcore_write_fn(void *arg, const char *bytes, size_t size);

/* Runs the query. The text of the answer is passed to `write` in pieces, in the format that the
 * option "output" names; if `write` is NULL, the text is discarded. If the value of "output" is
 * FORMAT=PATH, the library writes the file PATH. `write` is not called before all inputs have been
 * read without an error. A query may be run again, also with further options. Returns any status.
 * With FINDING or NO_VERDICT, the answer is the report of the check. IO is also returned if `write`
 * stopped. With CORRUPT, there is an answer only if the option "salvage" recovered a part of a
 * truncated ETDump. */
ETCORE_API int etcore_run(struct etcore_query *q, etcore_write_fn *write, void *arg,
                          struct etcore_diagnostic *err);

/* Describes warning or note number `i`, counted from 0, of the last run. Warnings and notes about
 * the inputs exist before the first call of `write`; the question "trace" may add notes about its
 * output later. Returns 1; 0: there is no such number. */
ETCORE_API int etcore_note(const struct etcore_query *q, uint32_t i, struct etcore_diagnostic *out);

/* ---- the tables of an answer --------------------------------------------------
 *
 * After a query "analyze" (since 1.3 also "inspector") has run, its tables can be read. The tables
 * have everything that the output formats of the query show, and the data from which it was
 * computed. Options that select (by, method, stat, warmup, where, sort, columns) apply to the table
 * ROWS; the other tables are always complete. Numbers that are unknown or do not apply are blank,
 * never 0. Times are in nanoseconds if the name of the column ends in _ns, else in raw ticks. */

#define ETCORE_TABLE_ROWS        0u /* the rows of the analysis, ranked by time */
#define ETCORE_TABLE_PATHS       1u /* the paths of all methods */
#define ETCORE_TABLE_RUNS        2u /* the runs of the dumps, in the order of the files */
#define ETCORE_TABLE_EVENTS      3u /* the distinct events, with percentiles of their times */
#define ETCORE_TABLE_SAMPLES     4u /* every measurement: event, run, raw start and end */
#define ETCORE_TABLE_ALLOCATIONS 5u /* memory that was allocated, by allocator */
#define ETCORE_TABLE_FILES       6u /* the files that were read */

/* Since 1.3, after a query "inspector": the data of ExecuTorch's Inspector.event_blocks. If the
 * argument `write` of etcore_run is NULL, no text is made, which saves time. Times are in the
 * target time scale. A blank cell stands for None, or for the default of the field in Python. */
#define ETCORE_TABLE_BLOCKS    7u /* one row per EventBlock */
#define ETCORE_TABLE_INSPECTED 8u /* one row per Event, in the order of blocks */
/* one row for each run of each Event that has times, in the order of events */
#define ETCORE_TABLE_INSPECTED_SAMPLES 9u
#define ETCORE_TABLE_VALUES            10u /* debug data, run outputs and reference outputs */

/* Since 1.4, after a query "batch" with the option "keep": the number of the first of the tables
 * that docs/farm.md describes (runs, paths, rows ...), which have the data of all dumps of the
 * query. etcore_answer_table returns the numbers and names of all these tables. */
#define ETCORE_TABLE_BATCH 32u

#define ETCORE_CELL_BLANK 0u
#define ETCORE_CELL_TEXT  1u
#define ETCORE_CELL_INT   2u
#define ETCORE_CELL_UINT  3u
#define ETCORE_CELL_REAL  4u
#define ETCORE_CELL_BOOL  5u
#define ETCORE_CELL_BYTES 6u /* binary data in `text` and `length`; since 1.3 */

/* Writes the answer of the last run again, in any format of the question's option "output": "json",
 * "csv" ... USAGE: there is no such format, or the query has no answer. IO: `write` stopped.
 * NO_MEMORY. */
ETCORE_API int etcore_write(struct etcore_query *q, const char *format, etcore_write_fn *write,
                            void *arg, struct etcore_diagnostic *err);

/* A table of an answer. */
struct etcore_table_info {
	uint32_t size;
	uint32_t number;  /* ETCORE_TABLE_* */
	const char *name; /* "rows"; constant */
};

/* Describes the `i`-th table of the answer, counted from 0. Returns 1; 0: the answer has fewer
 * tables, or there is no answer. Since 1.4. */
ETCORE_API int etcore_answer_table(const struct etcore_query *q, uint32_t i,
                                   struct etcore_table_info *out);

/* Sets `*rows` and `*columns` to the numbers of rows and columns of a table. The first call for a
 * table makes the table, which may take long. USAGE: there is no such table, or no answer. PLUGIN,
 * NO_MEMORY. */
ETCORE_API int etcore_table(struct etcore_query *q, uint32_t table, uint64_t *rows,
                            uint32_t *columns, struct etcore_diagnostic *err);

struct etcore_column_info {
	uint32_t size;
	/* ETCORE_CELL_*: all cells of the column that are not blank can be read as this type */
	uint32_t type;
	const char *name; /* "self_ns"; of the query */
	const char *help; /* one line, or ""; "of the query", as defined at the top of this file */
	/* The members that follow exist since 1.2. */
	const char *unit; /* "ns", "bytes" ..., or ""; of the query */
	/* 0: the cells are not lists. Otherwise ETCORE_CELL_* of the items: a cell is then a list,
	 * which etcore_cell() returns as TEXT ("a; b"); etcore_item() reads single items */
	uint32_t items;
	uint32_t reserved;
};

/* Describes a column. Returns 1; 0: there is no such column, or etcore_table was not called for the
 * table. */
ETCORE_API int etcore_column(const struct etcore_query *q, uint32_t table, uint32_t column,
                             struct etcore_column_info *out);

/* A cell. The value of an INT or BOOL is in `i`, that of a UINT in `u`, that of a REAL in `f`. A
 * non-negative INT is also in `u`, and every number is also in `f`, as the nearest double. */
struct etcore_cell {
	uint32_t size;
	uint32_t kind; /* ETCORE_CELL_* */
	int64_t i;
	uint64_t u;
	double f;
	/* TEXT, BYTES: `length` bytes of any value, not NUL-terminated; the memory is the
	 * query's */
	const char *text;
	size_t length;
};

/* Reads a cell. Returns 1; 0: there is no such cell, or etcore_table was not called for the
 * table. */
ETCORE_API int etcore_cell(const struct etcore_query *q, uint32_t table, uint64_t row,
                           uint32_t column, struct etcore_cell *out);

/* Reads item `i`, counted from 0, of a cell that is a list. Returns 1; 0: the list has fewer items,
 * or there is no such cell. Since 1.2. */
ETCORE_API int etcore_item(const struct etcore_query *q, uint32_t table, uint64_t row,
                           uint32_t column, uint32_t i, struct etcore_cell *out);

/* The samples of one part of the answer, as columns of `count` elements; of the query. A part is a
 * dump, or several dumps that were pooled because their events agree. */
struct etcore_samples {
	uint32_t size;
	uint32_t reserved;
	uint64_t count;
	const uint32_t *event; /* for each sample, its row in ETCORE_TABLE_EVENTS */
	const uint32_t *run;   /* for each sample, its row in ETCORE_TABLE_RUNS */
	const uint64_t *start; /* raw ticks; the duration is end - start, if end >= start */
	const uint64_t *end;
};

/* Describes the samples of part number `i`, counted from 0. Returns 1; 0: there is no such part, or
 * etcore_table was not called for ETCORE_TABLE_SAMPLES. */
ETCORE_API int etcore_samples(const struct etcore_query *q, uint32_t i, struct etcore_samples *out);

/* Sets `*out` to a stream of the Arrow C stream interface (etcore/arrow.h, or Arrow's own abi.h)
 * with a table, for pyarrow, pandas, polars, DuckDB ... The columns of ETCORE_TABLE_SAMPLES are not
 * copied: the memory of the answer is kept, even after the query is freed, until the last of their
 * arrays is released, which any thread may do. All other columns are copies. On failure, the stream
 * is marked as released (out->release is NULL). Returns the same statuses as etcore_table. */
struct ArrowArrayStream;
ETCORE_API int etcore_arrow(struct etcore_query *q, uint32_t table, struct ArrowArrayStream *out,
                            struct etcore_diagnostic *err);

#ifdef __cplusplus
}
#endif
#endif

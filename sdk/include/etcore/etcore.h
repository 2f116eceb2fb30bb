/* etcore/etcore.h -- etcore as a library: every command of the program.
 *
 * The interface is the query. A query has a question, which is a command of the
 * command line ("analyze", "inspector", "dump" ...); options with the names of
 * the command line; and inputs: paths, memory or file descriptors. It can be run
 * several times. Its answer is text that is passed to a function of the caller.
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
 *   - A function that can fail returns one of ETCORE_STATUS_* (the exit status
 *     of the program) and describes the error in `*err`; `err` may be NULL. It
 *     never prints, exits or changes the locale.
 *   - Queries are independent: several threads may each use a query of their
 *     own. One query is used from one thread at a time.
 *   - The library copies its arguments before a function returns, except for the
 *     bytes of etcore_add_memory. The lifetime of a returned pointer is stated:
 *     "constant" is valid forever; "of the query" until it runs again or is freed.
 *   - Text is UTF-8 and NUL-terminated. Text with a length is not NUL-terminated;
 *     it may come from an untrusted file and contain any byte.
 *   - Structs start with their size and only grow at the end. The caller sets
 *     `size` to sizeof the struct; the library writes no byte beyond it.
 *   - Functions are only added, never changed: a program that was built with an
 *     older header works with every newer libetcore.so of the same SONAME.
 *
 * C99 and later, C++11 and later; includes only standard headers. */
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

/* Major: is also in the SONAME, and changes only if existing programs would break. Minor: is
 * incremented with each addition. */
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
 * Signals that the program already ignores or handles are left alone. Without this call the
 * library installs no signal handler, and a plugin that crashes ends the process. */
ETCORE_API void etcore_own_process(void);

/* ---- diagnostics ------------------------------------------------------------ */

/* Kinds of error, by what the caller can do about it; also the exit statuses of the program. */
#define ETCORE_STATUS_OK          0
#define ETCORE_STATUS_FINDING     1 /* a check found something */
#define ETCORE_STATUS_USAGE       2 /* the options or the configuration are wrong */
#define ETCORE_STATUS_IO          3 /* the operating system refused */
#define ETCORE_STATUS_FORMAT      4 /* not a file of the expected kind */
#define ETCORE_STATUS_CORRUPT     5 /* right kind of file, damaged contents */
#define ETCORE_STATUS_UNSUPPORTED 6 /* valid, but newer than this etcore understands */
#define ETCORE_STATUS_LIMIT       7 /* larger than the configured limit */
#define ETCORE_STATUS_NO_MEMORY   8
#define ETCORE_STATUS_PLUGIN      9  /* a plugin crashed or failed */
#define ETCORE_STATUS_RAISES      10 /* ExecuTorch's Inspector raises here */
#define ETCORE_STATUS_NO_VERDICT  11 /* a check could not decide; the answer is its report */

#define ETCORE_SEVERITY_NOTE    0u
#define ETCORE_SEVERITY_WARNING 1u
#define ETCORE_SEVERITY_ERROR   2u

/* An error, a warning or a note. */
struct etcore_diagnostic {
	uint32_t size;      /* sizeof(struct etcore_diagnostic); 0: nothing is written */
	int32_t status;     /* ETCORE_STATUS_*; of a warning or note: the status with "strict" */
	uint32_t severity;  /* ETCORE_SEVERITY_* */
	uint32_t line;      /* line of a text file, from 1; 0: does not apply */
	int64_t offset;     /* position in the file, in bytes; -1: does not apply */
	uint64_t count;     /* number of occurrences */
	const char *code;   /* "E0201"; "" if the answer alone explains the status; constant */
	const char *hint;   /* what to do about it, or ""; constant */
	char see[32];       /* "etcore explain E0201" */
	char file[1024];    /* the input that the diagnostic is about, or "" */
	char message[1280]; /* one printable line: what was expected and found */
};

/* Initial value of a struct etcore_diagnostic. */
#define ETCORE_DIAGNOSTIC                                                            \
	{                                                                            \
		sizeof(struct etcore_diagnostic), 0, 0, 0, -1, 0, "", "", "", "", "" \
	}

/* Describes diagnostic number `i`, from 0, in the order of codes: fills code, hint, status and
 * severity, and puts the title into `message`. Returns 1, or 0 after the last one. */
ETCORE_API int etcore_code(uint32_t i, struct etcore_diagnostic *out);

/* ---- questions and their options ------------------------------------------- */

/* A question: the command `etcore NAME`. All texts are constant. */
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

/* Describes question number `i`, from 0. Returns 1, or 0 after the last one. */
ETCORE_API int etcore_question(uint32_t i, struct etcore_question *out);

#define ETCORE_OPTION_FLAG     0u /* takes no value */
#define ETCORE_OPTION_COUNT    1u /* takes no value; its occurrences are counted */
#define ETCORE_OPTION_TEXT     2u /* takes a value; the last one is used */
#define ETCORE_OPTION_LIST     3u /* takes a value; each is appended */
#define ETCORE_OPTION_CHOICE   4u /* takes one of `choices` */
#define ETCORE_OPTION_OPTIONAL 5u /* as TEXT, but the value may be left out */
#define ETCORE_OPTION_FILE     6u /* as TEXT: the path of an input, or the name of one in memory */

/* An option of a question. All texts are constant. */
struct etcore_option_info {
	uint32_t size;
	uint32_t kind;        /* ETCORE_OPTION_* */
	uint32_t hidden;      /* 1: only for programs, not on the command line */
	uint32_t letter;      /* 'r' of -r; 0: none */
	const char *name;     /* "etrecord" */
	const char *argument; /* "FILE"; NULL: takes no value */
	const char *choices;  /* "ns|us|ms"; NULL: any value */
	const char *help;     /* one line */
	/* Since 1.2. Without choices: words to propose for completion, "name|calls"; other values
	 * are accepted too. NULL: none. */
	const char *words;
};

/* Describes option number `i`, from 0, of a question. Returns 1; 0 after the last one, or if there
 * is no such question. */
ETCORE_API int etcore_option(const char *question, uint32_t i, struct etcore_option_info *out);

/* A key of the configuration. All texts are constant. */
struct etcore_key_info {
	uint32_t size;
	/* section of the configuration, "etcore"; "plugin" stands for all sections
	 * [plugin.NAME], "backend" for all sections [backend.ID] */
	const char *section;
	const char *key;
	const char *built_in;    /* default value */
	const char *unit;        /* such as "bytes"; "" if the value has no unit */
	const char *help;        /* one line */
	const char *expected;    /* what a value looks like */
	const char *environment; /* the variable that sets it; NULL: none */
};

/* Describes key number `i`, from 0. Returns 1, or 0 after the last one. */
ETCORE_API int etcore_key(uint32_t i, struct etcore_key_info *out);

/* ---- a query ---------------------------------------------------------------- */

struct etcore_query;

/* Creates a query; `*out` is NULL on failure. Free it with etcore_query_free.
 * USAGE: no such question. NO_MEMORY. */
ETCORE_API int etcore_query_new(const char *question, struct etcore_query **out,
                                struct etcore_diagnostic *err);

/* Frees the query, and every pointer "of the query" with it. NULL is ignored. */
ETCORE_API void etcore_query_free(struct etcore_query *q);

/* Sets an option by its name on the command line, without dashes: "stat",
 * "etrecord", "where". An option that may be repeated is appended to. A flag takes
 * NULL. Files are opened when the query runs. USAGE: no such option, or a value
 * that it does not accept. NO_MEMORY. */
ETCORE_API int etcore_set(struct etcore_query *q, const char *option, const char *value,
                          struct etcore_diagnostic *err);

/* Appends an operand: the path of an input ("-": standard input), or a word as
 * in "plugins info NAME". NO_MEMORY. */
ETCORE_API int etcore_add(struct etcore_query *q, const char *operand,
                          struct etcore_diagnostic *err);

/* By default the library reads a file into memory. If the file is written to or truncated during
 * that read, the query fails with IO (E0907); later changes of the file have no effect.
 * With `on` set, files that the query opens after this call are mapped instead. That needs less
 * memory, and less time for files that are read in part.
 * DANGER: a mapped file must not be truncated before the query and the last Arrow array of its
 * answer are freed. If another process does that, the system ends this process with SIGBUS when a
 * thread reads the missing part. Map only files that nobody else can write to. After
 * etcore_own_process all files are mapped.
 * Since API 1.1. */
ETCORE_API void etcore_map_files(struct etcore_query *q, int on);

/* Adds a file that is in memory: as an operand (`option` NULL), or as the file of
 * an option of kind FILE. `name` stands for it in answers and messages, and must
 * differ from other names of the query; no sibling files are searched for. The
 * bytes are not copied: they must stay valid and unchanged until the query is
 * freed. USAGE, NO_MEMORY. */
ETCORE_API int etcore_add_memory(struct etcore_query *q, const char *option, const char *name,
                                 const void *bytes, size_t size, struct etcore_diagnostic *err);

/* Adds a file that is an open file descriptor; `option` and `name` as for etcore_add_memory. A
 * regular file is read (or mapped, see etcore_map_files) from its start, regardless of the current
 * position; a pipe or socket is read to its end, at most 4 GiB. The descriptor still belongs to the
 * caller, who may close it as soon as the function returns. USAGE, IO, LIMIT, NO_MEMORY. */
ETCORE_API int etcore_add_descriptor(struct etcore_query *q, const char *option, const char *name,
                                     int descriptor, struct etcore_diagnostic *err);

/* Receives a piece of an answer; returns 0 to continue, anything else to stop. It
 * may call etcore_note; no other call with the same query is allowed. */
typedef int etcore_write_fn(void *arg, const char *bytes, size_t size);

/* Runs the query. The text is passed to `write` in pieces (NULL: it is discarded), in the format
 * that the option "output" names; with "output" FORMAT=PATH the library writes that file. `write`
 * is not called before all inputs have been read without an error. A query may be run again, also
 * with further options.
 * Returns any status. With FINDING or NO_VERDICT the answer is the report of the check. IO is
 * also returned if `write` stopped. With CORRUPT there is an answer only if the option `salvage`
 * recovered a part of a truncated ETDump. */
ETCORE_API int etcore_run(struct etcore_query *q, etcore_write_fn *write, void *arg,
                          struct etcore_diagnostic *err);

/* Describes warning or note number `i`, from 0, of the last run. Warnings and notes about the
 * inputs exist before the first call of `write`; "trace" may add notes about what it wrote. Returns
 * 1, or 0 after the last one. */
ETCORE_API int etcore_note(const struct etcore_query *q, uint32_t i, struct etcore_diagnostic *out);

/* ---- the tables of an answer --------------------------------------------------
 *
 * After a query "analyze" (since 1.3 also "inspector") has run, its tables can be
 * read: everything that its formats show, and the data behind it. Options that
 * select (by, method, stat, warmup, where, sort, columns) apply to the table ROWS;
 * the other tables are always complete. Numbers that are unknown or do not apply
 * are blank, never 0. Times are in nanoseconds if the name of the column ends in
 * _ns, else in raw ticks. */

#define ETCORE_TABLE_ROWS        0u /* the rows of the analysis, ranked by time */
#define ETCORE_TABLE_PATHS       1u /* methods, and the paths through each */
#define ETCORE_TABLE_RUNS        2u /* the runs of the dumps, in the order of the files */
#define ETCORE_TABLE_EVENTS      3u /* the distinct events, with their percentiles */
#define ETCORE_TABLE_SAMPLES     4u /* every measurement: event, run, raw start and end */
#define ETCORE_TABLE_ALLOCATIONS 5u /* memory allocations, per allocator */
#define ETCORE_TABLE_FILES       6u /* the files that were read */

/* Since 1.3, after a query "inspector": ExecuTorch's Inspector.event_blocks. If the `write`
 * of etcore_run is NULL, the text is not made, which saves time. Times are in the target time
 * scale. A blank cell is None, or the default of the field in Python. */
#define ETCORE_TABLE_BLOCKS            7u  /* a row per EventBlock */
#define ETCORE_TABLE_INSPECTED         8u  /* a row per Event, block by block */
#define ETCORE_TABLE_INSPECTED_SAMPLES 9u  /* a row per timed Event and run, event by event */
#define ETCORE_TABLE_VALUES            10u /* debug data, run outputs and reference outputs */

/* Since 1.4, after a query "batch" with the option "keep": the number of the first of the tables of
 * docs/farm.md (runs, paths, rows ...), for all dumps of the query. etcore_answer_table gives the
 * numbers and names of all. */
#define ETCORE_TABLE_BATCH 32u

#define ETCORE_CELL_BLANK 0u
#define ETCORE_CELL_TEXT  1u
#define ETCORE_CELL_INT   2u
#define ETCORE_CELL_UINT  3u
#define ETCORE_CELL_REAL  4u
#define ETCORE_CELL_BOOL  5u
#define ETCORE_CELL_BYTES 6u /* `text` and `length`, as of TEXT, but binary; since 1.3 */

/* Writes the answer again, in any format of the question's option "output": "json",
 * "csv" ... USAGE: no such format, or the query has no answer. IO: `write`
 * stopped. NO_MEMORY. */
ETCORE_API int etcore_write(struct etcore_query *q, const char *format, etcore_write_fn *write,
                            void *arg, struct etcore_diagnostic *err);

/* A table of an answer. */
struct etcore_table_info {
	uint32_t size;
	uint32_t number;  /* ETCORE_TABLE_* */
	const char *name; /* "rows"; constant */
};

/* Describes table number `i`, from 0, of those that the answer has. Returns 1; 0 after the last
 * one, or if there is no answer. Since 1.4. */
ETCORE_API int etcore_answer_table(const struct etcore_query *q, uint32_t i,
                                   struct etcore_table_info *out);

/* Makes a table, if this is the first call for it, and returns its numbers of rows and columns. The
 * first call may take long. USAGE: no such table, or no answer. PLUGIN, NO_MEMORY. */
ETCORE_API int etcore_table(struct etcore_query *q, uint32_t table, uint64_t *rows,
                            uint32_t *columns, struct etcore_diagnostic *err);

struct etcore_column_info {
	uint32_t size;
	/* ETCORE_CELL_* of the cells that are not blank: each can be read as this type */
	uint32_t type;
	const char *name; /* "self_ns"; of the query */
	const char *help; /* one line, or ""; of the query */
	/* The members that follow exist since 1.2. */
	const char *unit; /* "ns", "bytes" ..., or ""; of the query */
	uint32_t items;   /* ETCORE_CELL_* of the items, if the cells are lists: such a cell is
	                   * TEXT, "a; b", and etcore_item() reads single items. 0: the cells are
	                   * no lists */
	uint32_t reserved;
};

/* Describes a column. Returns 1; 0 if there is no such column, or etcore_table was not called for
 * the table. */
ETCORE_API int etcore_column(const struct etcore_query *q, uint32_t table, uint32_t column,
                             struct etcore_column_info *out);

/* One cell. INT and BOOL are in `i`, UINT in `u`; a non-negative INT is in `u` too.
 * Every number is also in `f`, as the nearest double. */
struct etcore_cell {
	uint32_t size;
	uint32_t kind; /* ETCORE_CELL_* */
	int64_t i;
	uint64_t u;
	double f;
	/* TEXT: `length` bytes of any value, not NUL-terminated; of the query */
	const char *text;
	size_t length;
};

/* Reads a cell. Returns 1; 0 if there is no such cell, or etcore_table was not called for the
 * table. */
ETCORE_API int etcore_cell(const struct etcore_query *q, uint32_t table, uint64_t row,
                           uint32_t column, struct etcore_cell *out);

/* Reads item `i`, from 0, of a cell that is a list. Returns 1; 0 after the last one, or if there is
 * no such cell. Since 1.2. */
ETCORE_API int etcore_item(const struct etcore_query *q, uint32_t table, uint64_t row,
                           uint32_t column, uint32_t i, struct etcore_cell *out);

/* The samples of one part of the answer, as columns of `count` entries; of the query.
 * A part is one dump, or all dumps that were pooled because their events agree. */
struct etcore_samples {
	uint32_t size;
	uint32_t reserved;
	uint64_t count;
	const uint32_t *event; /* for each sample, its row in ETCORE_TABLE_EVENTS */
	const uint32_t *run;   /* for each sample, its row in ETCORE_TABLE_RUNS */
	const uint64_t *start; /* raw ticks; duration is end - start when end >= start */
	const uint64_t *end;
};

/* Describes part number `i`, from 0. Returns 1; 0 after the last one, or if etcore_table was not
 * called for ETCORE_TABLE_SAMPLES. */
ETCORE_API int etcore_samples(const struct etcore_query *q, uint32_t i, struct etcore_samples *out);

/* Returns a table in `*out` as a stream of the Arrow C stream interface (etcore/arrow.h, or Arrow's
 * own abi.h), for pyarrow, pandas, polars, DuckDB ... The columns of samples are not
 * copied: the memory of the answer is kept until their last array is released, on
 * any thread, even after the query is freed. All other columns are copies. On
 * failure `out` is released (`release` is NULL). Status as etcore_table. */
struct ArrowArrayStream;
ETCORE_API int etcore_arrow(struct etcore_query *q, uint32_t table, struct ArrowArrayStream *out,
                            struct etcore_diagnostic *err);

#ifdef __cplusplus
}
#endif
#endif

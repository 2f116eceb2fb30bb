/* etcore/etcore.h -- etcore as a library: ask what the program answers.
 *
 * The whole interface is a query: a question of the command line ("analyze",
 * "inspector", "dump" ...), options by the command line's words, inputs from
 * paths, memory or descriptors. It is run once or more often; its answer is
 * text handed to a function of the caller.
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
 *   - A function that can fail returns one of ETCORE_STATUS_* (what the program
 *     would exit with) and fills a struct etcore_diagnostic, which may be NULL.
 *     It never prints, never exits, never changes the locale.
 *   - Queries are independent of each other: any number of threads may work,
 *     each on its own. One query is used from one thread at a time.
 *   - What is handed in is copied at once, except for the bytes of
 *     etcore_add_memory. What is handed out as a pointer says how long it lives:
 *     "constant" is for ever; "of the query" is until it runs again or is freed.
 *   - Text is UTF-8 and NUL-terminated, unless it comes with a length: then it
 *     may come from an untrusted file, and any byte may occur in it.
 *   - Structs start with their size and only grow at the end. The caller sets
 *     `size` to sizeof as it was compiled; the library writes no byte beyond.
 *   - Functions are only added, never changed: a program that was built with an
 *     older header goes on working with every newer libetcore.so of its SONAME.
 *
 * C99 and later, C++11 and later; needs nothing but this header. */
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

/* Major: also in the SONAME; changes only when an existing program would break.
 * Minor: grows with each addition. */
#define ETCORE_API_MAJOR 1u
#define ETCORE_API_MINOR 3u

/* The API version of the loaded library: major << 16 | minor. */
ETCORE_API uint32_t etcore_api_version(void);

/* Version of etcore, "0.1.0"; constant. */
ETCORE_API const char *etcore_version(void);

/* For a program that does nothing but ask, with one thread, before its first
 * query: a crash inside a plugin is then told on standard error with plugin, hook
 * and event, and ends the process with status 9. SIGINT, SIGTERM and whatever else ends
 * a process by default removes output files that are not whole first; SIGXFSZ is ignored: a file that
 * grows too large is E0903. Files are mapped, and one that is cut while it is read ends the
 * process with E0907 on standard error and status 3. What the program ignores or handles already stays so. Without
 * it the library touches no signal handler, and a plugin that crashes takes the program with it. */
ETCORE_API void etcore_own_process(void);

/* ---- diagnostics ------------------------------------------------------------ */

/* What the caller can do about an error; also the exit statuses of the program. */
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
#define ETCORE_STATUS_NO_VERDICT  11 /* a check could not tell; the report is there */

#define ETCORE_SEVERITY_NOTE    0u
#define ETCORE_SEVERITY_WARNING 1u
#define ETCORE_SEVERITY_ERROR   2u

/* An error, a warning or a note. */
struct etcore_diagnostic {
	uint32_t size;      /* sizeof(struct etcore_diagnostic); 0: nothing is written */
	int32_t status;     /* ETCORE_STATUS_*; of a warning or note what "strict" makes of it */
	uint32_t severity;  /* ETCORE_SEVERITY_* */
	uint32_t line;      /* of a text file, from 1; 0: does not apply */
	int64_t offset;     /* byte in the file; -1: does not apply */
	uint64_t count;     /* how often it was met */
	const char *code;   /* "E0201"; "" when the answer itself says it all; constant */
	const char *hint;   /* what to do about it, or ""; constant */
	char see[32];       /* "etcore explain E0201" */
	char file[1024];    /* the input that it is about, or "" */
	char message[1280]; /* one printable line: what was expected and found */
};

/* Initial value of one. */
#define ETCORE_DIAGNOSTIC                                                            \
	{                                                                            \
		sizeof(struct etcore_diagnostic), 0, 0, 0, -1, 0, "", "", "", "", "" \
	}

/* The diagnostics that exist, in the order of their numbers: fills code, hint,
 * status, severity and, as message, the title. Returns 1, or 0 after the last. */
ETCORE_API int etcore_code(uint32_t i, struct etcore_diagnostic *out);

/* ---- questions and their options ------------------------------------------- */

/* A question: what `etcore NAME` answers. All texts are constant. */
struct etcore_question {
	uint32_t size;
	uint32_t hidden;      /* 1: how etcore starts itself; only after etcore_own_process */
	const char *name;     /* "analyze" */
	const char *summary;  /* one line */
	const char *usage;    /* "FILE... [-r ETRECORD] [options]" */
	const char *examples; /* command lines, a line each */
	uint32_t groups;      /* 1: operands "--" part the inputs into groups */
	uint32_t reserved;
};

/* Returns 1, or 0 after the last one. */
ETCORE_API int etcore_question(uint32_t i, struct etcore_question *out);

#define ETCORE_OPTION_FLAG     0u /* takes no value */
#define ETCORE_OPTION_COUNT    1u /* takes no value; each time counts */
#define ETCORE_OPTION_TEXT     2u /* takes a value; the last one counts */
#define ETCORE_OPTION_LIST     3u /* takes a value; each is appended */
#define ETCORE_OPTION_CHOICE   4u /* takes one of `choices` */
#define ETCORE_OPTION_OPTIONAL 5u /* as TEXT, but the value may be left out */
#define ETCORE_OPTION_FILE     6u /* as TEXT: the path of an input, or a name given to one */

/* An option of a question. All texts are constant. */
struct etcore_option_info {
	uint32_t size;
	uint32_t kind;        /* ETCORE_OPTION_* */
	uint32_t hidden;      /* 1: for programs; the command line has no such option */
	uint32_t letter;      /* 'r' of -r, or 0 */
	const char *name;     /* "etrecord" */
	const char *argument; /* "FILE"; NULL: takes no value */
	const char *choices;  /* "ns|us|ms"; NULL: any value */
	const char *help;     /* one line */
	/* Since 1.2. Of one without choices, words that are worth a proposal, "name|calls", and
	 * not all that there are; NULL: none. */
	const char *words;
};

/* Option number `i` of a question. Returns 1; 0 after the last one, or when
 * there is no such question. */
ETCORE_API int etcore_option(const char *question, uint32_t i, struct etcore_option_info *out);

/* A key of the configuration. All texts are constant. */
struct etcore_key_info {
	uint32_t size;
	const char *section; /* "etcore"; "plugin" and "backend" take a name */
	const char *key;
	const char *built_in;    /* default value */
	const char *unit;        /* "bytes", or "" */
	const char *help;        /* one line */
	const char *expected;    /* what a value looks like */
	const char *environment; /* the variable that sets it; NULL: none */
};

/* Returns 1, or 0 after the last one. */
ETCORE_API int etcore_key(uint32_t i, struct etcore_key_info *out);

/* ---- a query ---------------------------------------------------------------- */

struct etcore_query;

/* Begins a query; `*out` is NULL on failure. Free it with etcore_query_free.
 * USAGE: no such question. NO_MEMORY. */
ETCORE_API int etcore_query_new(const char *question, struct etcore_query **out,
                                struct etcore_diagnostic *err);

/* Ends it; NULL is nothing. Every pointer "of the query" ends as well. */
ETCORE_API void etcore_query_free(struct etcore_query *q);

/* Sets an option by its name on the command line, without dashes: "stat",
 * "etrecord", "where". Those that may be repeated append. A flag takes NULL.
 * Files are opened when the query runs. USAGE: no such option, or a value that
 * it does not take. NO_MEMORY. */
ETCORE_API int etcore_set(struct etcore_query *q, const char *option, const char *value,
                          struct etcore_diagnostic *err);

/* Appends an operand: the path of an input ("-": standard input), or a word as
 * in "plugins info NAME". NO_MEMORY. */
ETCORE_API int etcore_add(struct etcore_query *q, const char *operand,
                          struct etcore_diagnostic *err);

/* Files are read into memory, as they are at that moment: one that is written to or cut
 * meanwhile is IO (E0907), whatever becomes of it later does not matter. With `on` those that the query opens
 * from now on are mapped instead, which takes less memory and, of files that are read in part, less time. DANGER: when somebody cuts such a
 * file while the query runs, or before it and the answer's last Arrow array are freed, the system ends the
 * process with SIGBUS, whichever thread reads there: map only files that nobody else can write to. After
 * etcore_own_process all files are mapped. Since API 1.1. */
ETCORE_API void etcore_map_files(struct etcore_query *q, int on);

/* Hands in a file from memory: as an operand (`option` NULL), or as the file of
 * an option of kind FILE. `name` stands for it in answers and messages, and must
 * differ from other names of the query; nothing is looked for beside it. The
 * bytes are not copied: they must neither change nor end before the query is
 * freed. USAGE, NO_MEMORY. */
ETCORE_API int etcore_add_memory(struct etcore_query *q, const char *option, const char *name,
                                 const void *bytes, size_t size, struct etcore_diagnostic *err);

/* The same from an open descriptor: a file is read (or mapped, see etcore_map_files) as a
 * whole, wherever its position is; a pipe or socket is read to its end, at most 4 GiB of it. The
 * caller keeps the descriptor and may close it at once. USAGE, IO, LIMIT,
 * NO_MEMORY. */
ETCORE_API int etcore_add_descriptor(struct etcore_query *q, const char *option, const char *name,
                                     int descriptor, struct etcore_diagnostic *err);

/* Takes a piece of an answer; returns 0 to go on, anything else to stop. It may
 * read the query's notes; any other call with the same query is a mistake. */
typedef int etcore_write_fn(void *arg, const char *bytes, size_t size);

/* Answers. The text goes to `write` piece by piece (NULL: nowhere) in the format
 * that the option "output" names; with "output" FORMAT=PATH the library writes
 * that file. Nothing is handed out before all of the inputs are known to be
 * readable. A FINDING of a check has its report all the same. A query may be run
 * again, with more options too. Any status; IO also when `write` stops it; CORRUPT
 * has an answer when only a part of a cut ETDump was found by the option `salvage`. */
ETCORE_API int etcore_run(struct etcore_query *q, etcore_write_fn *write, void *arg,
                          struct etcore_diagnostic *err);

/* The warnings and notes of the last run, in order; complete before `write` is
 * called for the first time. Returns 1, or 0 after the last one. */
ETCORE_API int etcore_note(const struct etcore_query *q, uint32_t i, struct etcore_diagnostic *out);

/* ---- reading on in an answer --------------------------------------------------
 *
 * Of a query "analyze" that ran (and, since 1.3, "inspector"): everything that its formats show, and what they
 * are made of. The options that choose (by, method, stat, warmup, where, sort,
 * columns) shape the table of rows; the others are always whole. Numbers that are
 * unknown or do not apply are blank, never 0. Times are in nanoseconds where the
 * name of a column ends in _ns, raw ticks otherwise. */

#define ETCORE_TABLE_ROWS        0u /* what takes the time, ranked */
#define ETCORE_TABLE_PATHS       1u /* methods, and the paths through each */
#define ETCORE_TABLE_RUNS        2u /* the blocks of the dump, in its order */
#define ETCORE_TABLE_EVENTS      3u /* the distinct events, with their percentiles */
#define ETCORE_TABLE_SAMPLES     4u /* every measurement: event, run, raw start and end */
#define ETCORE_TABLE_ALLOCATIONS 5u /* of memory, per allocator */
#define ETCORE_TABLE_FILES       6u /* what was read */

/* Since 1.3, of a query "inspector": ExecuTorch's Inspector.event_blocks. With `write` NULL
 * nothing is printed, and nothing is spent on it. Times are in the target time scale. A blank
 * is None, or the default of the field in Python. */
#define ETCORE_TABLE_BLOCKS            7u  /* each EventBlock */
#define ETCORE_TABLE_INSPECTED         8u  /* each Event, block by block */
#define ETCORE_TABLE_INSPECTED_SAMPLES 9u  /* each timed Event in each run, event by event */
#define ETCORE_TABLE_VALUES            10u /* debug data, run outputs and reference outputs */

#define ETCORE_CELL_BLANK 0u
#define ETCORE_CELL_TEXT  1u
#define ETCORE_CELL_INT   2u
#define ETCORE_CELL_UINT  3u
#define ETCORE_CELL_REAL  4u
#define ETCORE_CELL_BOOL  5u
#define ETCORE_CELL_BYTES 6u /* as TEXT, but not text; since 1.3 */

/* The answer once more, in any format of the question's option "output": "json",
 * "csv" ... USAGE: no such format, or the query has no answer. IO: `write`
 * stopped it. NO_MEMORY. */
ETCORE_API int etcore_write(struct etcore_query *q, const char *format, etcore_write_fn *write,
                            void *arg, struct etcore_diagnostic *err);

/* Size of a table. It is made by the first call, which may take its time. USAGE:
 * no such table, or no answer. PLUGIN, NO_MEMORY. */
ETCORE_API int etcore_table(struct etcore_query *q, uint32_t table, uint64_t *rows,
                            uint32_t *columns, struct etcore_diagnostic *err);

struct etcore_column_info {
	uint32_t size;
	uint32_t
		type; /* ETCORE_CELL_*, not BLANK: every cell that is not blank can be read as it */
	const char *name; /* "self_ns"; of the query */
	const char *help; /* one line, or ""; of the query */
	/* Since 1.2 */
	const char *unit; /* "ns", "bytes" ..., or ""; of the query */
	uint32_t items;   /* ETCORE_CELL_* of the items, if the column is one of lists: its
	                   * cells are TEXT, "a; b", and etcore_item() has each; else 0 */
	uint32_t reserved;
};

/* Returns 1; 0 when there is no such column, or the table was not asked for. */
ETCORE_API int etcore_column(const struct etcore_query *q, uint32_t table, uint32_t column,
                             struct etcore_column_info *out);

/* One cell. INT and BOOL are in `i`, UINT and an INT that is not negative in `u`,
 * and every number also in `f`, as the nearest double. */
struct etcore_cell {
	uint32_t size;
	uint32_t kind; /* ETCORE_CELL_* */
	int64_t i;
	uint64_t u;
	double f;
	const char *text; /* TEXT: `length` bytes, any byte, no NUL behind; of the query */
	size_t length;
};

/* Returns 1; 0 when there is no such cell, or the table was not asked for. */
ETCORE_API int etcore_cell(const struct etcore_query *q, uint32_t table, uint64_t row,
                           uint32_t column, struct etcore_cell *out);

/* Item `i`, from 0, of a cell of a column of lists. Returns 1; 0 after the last one, or when
 * there is no such cell. Since 1.2. */
ETCORE_API int etcore_item(const struct etcore_query *q, uint32_t table, uint64_t row,
                           uint32_t column, uint32_t i, struct etcore_cell *out);

/* The samples of one dump (of all, when their events agree and they were pooled),
 * as columns of `count` entries; of the query. */
struct etcore_samples {
	uint32_t size;
	uint32_t reserved;
	uint64_t count;
	const uint32_t *event; /* row of ETCORE_TABLE_EVENTS */
	const uint32_t *run;   /* row of ETCORE_TABLE_RUNS */
	const uint64_t *start; /* raw ticks; duration is end - start when end >= start */
	const uint64_t *end;
};

/* Part number `i`. Returns 1; 0 after the last one, or when ETCORE_TABLE_SAMPLES
 * was not asked for. */
ETCORE_API int etcore_samples(const struct etcore_query *q, uint32_t i, struct etcore_samples *out);

/* A table as a stream of the Arrow C stream interface (etcore/arrow.h, or Arrow's
 * own abi.h): pyarrow, pandas, polars, DuckDB ... import `out`. Columns `start` and
 * `end` of the samples are not copied: the memory of the answer is kept until the
 * last array of them is released, on whatever thread, also after the query was
 * freed. All other columns are copies. On failure `out` is released (`release` is
 * NULL). Status as etcore_table. */
struct ArrowArrayStream;
ETCORE_API int etcore_arrow(struct etcore_query *q, uint32_t table, struct ArrowArrayStream *out,
                            struct etcore_diagnostic *err);

#ifdef __cplusplus
}
#endif
#endif

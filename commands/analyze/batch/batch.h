/* batch.h -- `etcore batch`: declarations shared by its files. docs/farm.md describes the tables.
 *
 * One process lists the dumps and assigns them to worker processes that it forks. A worker analyses
 * one dump at a time and keeps the rows in memory until there are enough for a part (one file) of
 * each table. A dump counts as done when the parts with its rows are written. So if a worker
 * crashes, the dump it was analysing is reported as lost, and the dumps whose rows it kept are
 * analysed again by other workers. */
#ifndef ETC_COMMANDS_ANALYZE_BATCH_BATCH_H
#define ETC_COMMANDS_ANALYZE_BATCH_BATCH_H

#include "base/map.h"
#include "base/sha256.h"
#include "commands/analyze/answer.h"

/* The names of 10^6 dumps take 200 MB, so names have a budget of their own. */
#define ETC_BATCH_NAMES_BUDGET ((size_t)(SIZE_MAX >> 32 ? UINT64_C(16) << 30 : 1 << 30))

struct etc_batch_options {
	struct etc_common_options common; /* operands: dumps, folders */
	const char *files_from, *out, *jobs, *shard, *pattern, *timeout, *format, *tables,
		*partition, *progress;
	struct etc_opt_list meta;
	bool resume, keep;
};

/* ---- inputs.c: which dumps --------------------------------------------------- */

struct etc_batch_items {
	const char **v; /* paths of the dumps: as given, or found in a given folder */
	uint32_t count, room;
};

struct etc_shard {
	uint64_t i, n;
};

/* Lists the dumps of the shard, also those in archives. Folders are searched recursively, but links
 * to folders inside them are not followed. A folder that cannot be read is listed, so that opening
 * it reports the error. E0501, E0901, E0904. */
enum etc_status etc_batch_list(const struct etc_batch_options *o, const struct etc_shard *shard,
                               struct etc_arena *arena, struct etc_batch_items *out,
                               struct etc_error *err) ETC_MUST_CHECK;

/* ---- meta.c: columns from options and paths ----------------------------------- */

enum { ETC_META_MOST = 16 };

struct etc_meta {
	struct etc_str names[ETC_META_MOST]; /* NUL-terminated */
	struct etc_str values[ETC_META_MOST];
	uint32_t count;
	const char *pattern;          /* value of --meta-pattern, or NULL */
	uint32_t keys[ETC_META_MOST]; /* indices of the columns of --partition-by */
	uint32_t key_count;
};

/* Parses --meta, --meta-pattern and --partition-by. E0501, E0904. */
enum etc_status etc_meta_parse(const struct etc_batch_options *o, struct etc_arena *arena,
                               struct etc_meta *out, struct etc_error *err) ETC_MUST_CHECK;

/* Sets the values of the columns of --meta and --meta-pattern for the dump at `path`. Values of the
 * pattern are views into `path`. They are empty if `path` does not match the pattern. */
void etc_meta_of(const struct etc_meta *meta, const char *path,
                 struct etc_str values[ETC_META_MOST]);

/* The folder for the rows of a dump in Hive's partition layout, "date=2026-11-24/device=pixel/", or
 * "". Characters other than letters, digits, '-', '_' and '.' are written as %XX. The text is in
 * the arena; {NULL, 0}: out of memory. */
struct etc_str etc_meta_folder(const struct etc_meta *meta, const char *path,
                               struct etc_arena *arena);

/* ---- sheets.c: the tables -------------------------------------------------------- */

enum etc_sheet_kind {
	ETC_SHEET_RUNS,
	ETC_SHEET_PATHS,
	ETC_SHEET_ROWS,
	ETC_SHEET_NOTES,
	ETC_SHEET_ERRORS,
	ETC_SHEET_SKETCHES,
	ETC_SHEET_SAMPLES, /* this sheet and the following ones are written only with --tables */
	ETC_SHEET_EVENTS,
	ETC_SHEET_BASELINES,
	ETC_SHEETS
};

enum { ETC_HEX = 2 * ETC_SHA256_BYTES };

/* The rows of one table that have not been written yet. */
struct etc_sheet {
	struct etc_table table;
	size_t room;       /* number of cells that are allocated */
	uint32_t *folders; /* for each row, the index of its folder in etc_sheets.folders */
	uint32_t row_room;
};

struct etc_sheets {
	struct etc_sheet of[ETC_SHEETS];
	const struct etc_meta *meta;
	uint32_t wanted;         /* bit k: table k is written */
	struct etc_arena arena;  /* texts of the cells */
	struct etc_str *folders; /* NUL-terminated partition folders of the rows; in the arena */
	uint32_t folder_count, folder_room;
	uint32_t folder; /* index of the folder of the rows that are added next */
	/* cache: guess[k][c % 128] is the index, in table k, of the column that had the name of an
	 * answer's column c when it was searched last */
	uint32_t guess[ETC_SHEETS][128];
};

/* A dump, and values of columns that describe it. */
struct etc_dump {
	const char *path;
	char run_id[ETC_HEX + 1]; /* SHA-256 of the dump's bytes; "": the dump cannot be read */
	char analysis_id[ETC_HEX + 1];
	int64_t bytes, modified_ns; /* -1: unknown */
	/* size of the file by stat(); for a member of an archive, the size of the archive */
	int64_t file_bytes;
};

extern const char *const etc_sheet_names[ETC_SHEETS];
extern const char etc_batch_version[]; /* version of etcore; defined in command.c */

/* Is `name` the name of a built-in column of the tables that get the --meta columns? */
bool etc_sheets_own(struct etc_str name);

/* Selects the tables to write: always those before ETC_SHEET_SAMPLES, and those named in `more`
 * (separated by commas; NULL: no others). E0505. */
enum etc_status etc_sheets_wanted(const char *more, uint32_t *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_sheets_init(struct etc_sheets *s, const struct etc_meta *meta, uint32_t wanted,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Begins the rows of a dump: finds or adds the folder that they belong to. E0904. */
enum etc_status etc_sheets_begin(struct etc_sheets *s, const struct etc_dump *d,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Sets *out to the rows of the sheet that belong to the folder. out->cells is NULL if there are
 * none. If the sheet also has rows of other folders, the rows of this folder are copied to `*room`,
 * which the caller frees. E0904. */
enum etc_status etc_sheets_of_folder(const struct etc_sheets *s, enum etc_sheet_kind kind,
                                     uint32_t folder, struct etc_table *out, struct etc_cell **room,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Removes all rows. */
void etc_sheets_clear(struct etc_sheets *s);

void etc_sheets_release(struct etc_sheets *s);

bool etc_sheets_full(const struct etc_sheets *s);

/* The next functions add the rows of one dump to tables. E0904. */
enum etc_status etc_sheets_path(struct etc_sheets *s, const struct etc_dump *d,
                                struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_answer(struct etc_sheets *s, const struct etc_dump *d,
                                  const struct etc_table *paths, const struct etc_table *rows,
                                  const struct etc_part *part,
                                  struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_events(struct etc_sheets *s, const struct etc_dump *d,
                                  const struct etc_table *events,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Adds the row of a dump to the table of baselines; `baseline` is the text that
 * `etcore baseline save` writes for the dump. */
enum etc_status etc_sheets_baseline(struct etc_sheets *s, const struct etc_dump *d,
                                    struct etc_str baseline, struct etc_error *err) ETC_MUST_CHECK;

/* Adds rows to the table `sketches` and, if it is wanted, to `samples`. */
enum etc_status etc_sheets_times(struct etc_sheets *s, const struct etc_dump *d,
                                 const struct etc_profile *profile,
                                 struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_note(struct etc_sheets *s, const struct etc_dump *d,
                                const struct etc_note *note, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_error(struct etc_sheets *s, const struct etc_dump *d,
                                 const struct etc_error *what,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* ---- parts.c: the folder ---------------------------------------------------------- */

struct etc_parts {
	const char *out;
	const struct etc_format *format;
	char prefix[64]; /* prefix of the names of this shard's parts: "0-of-4-" */
	char run[96];    /* prefix of file names of this run: `prefix` and a random number */
	char settings[ETC_HEX + 1]; /* hash of etcore's version, configuration and plugins */
	uint32_t wanted;            /* bit k: table k is written */
	/* the first line of each list of dumps: settings, format and tables. Lists of earlier runs
	 * that begin with another line are not used */
	struct etc_str head;
	int lock, own_lock;
	struct etc_map paths; /* keys "SIZE TIME PATH" of the dumps that earlier runs analysed */
	/* run_id -> index of the item that has its rows; ETC_PARTS_BEFORE: rows of an earlier
	 * run */
	struct etc_map ids;
	struct etc_arena *arena;
};

#define ETC_PARTS_BEFORE ((size_t)UINT32_MAX)

/* Creates and locks the folder, and removes parts that an earlier run did not complete. With
 * `resume`, reads the lists of dumps that are done; without, E1201 if the shard has such a list.
 * E0903, E0904, E1202 the folder is locked. */
enum etc_status etc_parts_open(struct etc_parts *p, const struct etc_shard *shard, bool resume,
                               struct etc_error *err) ETC_MUST_CHECK;
void etc_parts_close(struct etc_parts *p);

/* Has an earlier run analysed this file, and are its size and time still the same? */
bool etc_parts_has(const struct etc_parts *p, const char *path);

/* Writes a part of each table that has rows. The first parts of a worker are written even without
 * rows, except in ndjson. Then writes `done`, the list of the dumps in these parts; without the
 * list, the parts do not count. E0903, E0904. */
enum etc_status etc_parts_write(const struct etc_parts *p, uint32_t worker, uint32_t nth,
                                const struct etc_sheets *sheets, struct etc_str done,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Checks the parts of a worker that may have ended while it wrote them. Returns true if they are
 * complete and were kept, false if they were removed. */
bool etc_parts_settle(const struct etc_parts *p, uint32_t worker, uint32_t nth);

/* Appends a dump to `done`, the text of the list of dumps in a part. */
void etc_parts_add(struct etc_text *done, const struct etc_dump *d);

/* Writes the file _SUCCESS. E0903. */
enum etc_status etc_parts_success(const struct etc_parts *p, struct etc_error *err) ETC_MUST_CHECK;

/* ---- worker.c ----------------------------------------------------------------------- */

enum etc_order_kind {
	ETC_ORDER_DUMP, /* analyse `item`; the worker answers with its run_id */
	ETC_ORDER_GO,   /* after DUMP: add the rows, since no other worker has that run_id */
	/* instead of GO: skip the analysis, since the run_id has rows already */
	ETC_ORDER_KNOWN,
	ETC_ORDER_LOST, /* report that a worker crashed on `item`, with `code` and `text` */
	ETC_ORDER_WRITE
};

struct etc_order {
	uint8_t what; /* enum etc_order_kind */
	uint32_t item;
	enum etc_code code;
	char run_id[ETC_HEX + 1];
	char text[64];
};

enum etc_word_kind {
	ETC_WORD_ID,    /* run_id of the current dump */
	ETC_WORD_DONE,  /* finished the current dump; see struct etc_word */
	ETC_WORD_PARTS, /* the rows of all dumps so far are written */
	ETC_WORD_FAILED /* parts cannot be written; reason in `error` */
};

struct etc_word {
	uint8_t what; /* enum etc_word_kind */
	/* failed: the finished dump failed; full: the worker has enough rows to write a part */
	bool failed, full;
	char run_id[ETC_HEX + 1];
	struct etc_error error;
};

struct etc_batch {
	const struct etc_batch_options *options;
	struct etc_batch_items items;
	struct etc_meta meta;
	struct etc_parts parts;
	struct etc_arena *arena;
	uint64_t jobs;
	uint64_t limit_ms; /* time limit for each dump */
	struct etc_shard shard;
	int progress; /* file descriptor for progress messages, or 0 */
};

/* Main function of a worker: executes orders until the socket is closed. Returns the exit status of
 * the process. */
int etc_batch_work(const struct etc_batch *b, int fd, uint32_t number);

struct etc_batch_counts {
	/* done: number of dumps that are done; failed: number of these that have a row in the table
	 * `errors` */
	uint32_t done, failed;
	uint32_t before; /* number of dumps that earlier runs analysed */
	uint32_t left;
};

/* Analyses all dumps in this process; the tables stay in memory and are not written. E0904. */
enum etc_status etc_batch_here(const struct etc_batch *b, struct etc_sheets *sheets,
                               struct etc_batch_counts *out, struct etc_error *err) ETC_MUST_CHECK;

/* ---- keep.c ---------------------------------------------------------------------------- */

/* Number of the first table of `batch` in the library: ETCORE_TABLE_BATCH. */
enum { ETC_BATCH_FIRST = 32 };

/* The type of a function that fills struct etc_batch from the options. */
typedef enum etc_status etc_batch_make_fn(struct etc_session *s,
                                          const struct etc_batch_options *options,
                                          struct etc_batch *out, struct etc_error *err);

/* The input in memory with that name, or NULL. */
static inline const struct etc_given *etc_batch_given(const struct etc_batch_options *o,
                                                      const char *name)
{
	const struct etc_given *g = o->common.given;

	while (g && strcmp(g->name, name) != 0)
		g = g->next;
	return g;
}

/* Makes the tables for a caller of the library. E1200: there is a result, but some dumps have a row
 * in the table `errors`. */
enum etc_status etc_batch_keep(const struct etc_batch_options *options, etc_batch_make_fn *make,
                               const struct etc_reply *reply, struct etc_error *err) ETC_MUST_CHECK;

/* ---- farm.c ---------------------------------------------------------------------------- */

/* Runs `jobs` workers until all dumps are done or a signal arrives. `progress`: file descriptor, or
 * 0. E0903, E0904. */
enum etc_status etc_batch_farm(struct etc_batch *b, uint64_t jobs, int progress,
                               struct etc_batch_counts *out, struct etc_error *err) ETC_MUST_CHECK;

#endif

/* batch.h -- `etcore batch`: declarations shared by its files. docs/farm.md describes the tables.
 *
 * One process lists the dumps, forks worker processes, and assigns the dumps to them. A worker
 * analyses one dump at a time. It keeps the rows in memory until it has enough rows to write one
 * file, called a part, of each table. A dump counts as done when the parts with its rows are
 * written. So if a worker crashes, the dump it was analysing is reported as lost, and the dumps
 * whose rows it had not written are analysed again by other workers. */
#ifndef ETC_COMMANDS_ANALYZE_BATCH_BATCH_H
#define ETC_COMMANDS_ANALYZE_BATCH_BATCH_H

#include "base/map.h"
#include "base/sha256.h"
#include "commands/analyze/answer.h"

/* The names of 10^6 dumps take 200 MB, so the memory for names has a budget of its own. */
#define ETC_BATCH_NAMES_BUDGET ((size_t)(SIZE_MAX >> 32 ? UINT64_C(16) << 30 : 1 << 30))

struct etc_batch_options {
	struct etc_common_options common; /* operands: dumps, folders */
	const char *files_from, *out, *jobs, *shard, *pattern, *timeout, *format, *tables,
		*partition, *progress;
	struct etc_opt_list meta;
	bool resume, keep;
};

/* ---- inputs.c: list of the dumps --------------------------------------------- */

struct etc_batch_items {
	const char **v; /* paths of the dumps: as given, or found in a given folder */
	uint32_t count, room;
};

struct etc_shard {
	uint64_t i, n;
};

/* Lists the dumps of the shard (--shard), including those in archives. Folders are searched
 * recursively, but links to folders inside them are not followed. A folder that cannot be read is
 * listed like a dump, so that opening it reports the error. E0501, E0901, E0904. */
enum etc_status etc_batch_list(const struct etc_batch_options *o, const struct etc_shard *shard,
                               struct etc_arena *arena, struct etc_batch_items *out,
                               struct etc_error *err) ETC_MUST_CHECK;

/* ---- meta.c: columns from options and paths ----------------------------------- */

enum { ETC_META_MOST = 16 };

struct etc_meta {
	struct etc_str names[ETC_META_MOST]; /* NUL-terminated */
	struct etc_str values[ETC_META_MOST];
	uint32_t count;
	const char *pattern;          /* value of --meta-pattern; NULL: not given */
	uint32_t keys[ETC_META_MOST]; /* the columns of --partition-by, as indices in `names` */
	uint32_t key_count;
};

/* Parses --meta, --meta-pattern and --partition-by. E0501, E0904. */
enum etc_status etc_meta_parse(const struct etc_batch_options *o, struct etc_arena *arena,
                               struct etc_meta *out, struct etc_error *err) ETC_MUST_CHECK;

/* Sets the values of the columns of --meta and --meta-pattern for the dump at `path`. The values of
 * --meta-pattern are views into `path`, and are empty if `path` does not match the pattern. */
void etc_meta_of(const struct etc_meta *meta, const char *path,
                 struct etc_str values[ETC_META_MOST]);

/* Returns the folder for the rows of a dump in Hive's partition layout, such as
 * "date=2026-11-24/device=pixel/"; "" without --partition-by. Characters other than letters,
 * digits, '-', '_' and '.' are written as %XX. The text is in the arena; {NULL, 0}: out of
 * memory. */
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
	uint32_t wanted;         /* bit k is set if table k is written */
	struct etc_arena arena;  /* texts of the cells */
	struct etc_str *folders; /* NUL-terminated partition folders of the rows; in the arena */
	uint32_t folder_count, folder_room;
	uint32_t folder; /* index of the folder of the rows that are added next */
	/* cache of column searches: guess[k][c % 128] is the index, in table k, of the column that
	 * was found last for column c of an answer */
	uint32_t guess[ETC_SHEETS][128];
};

/* A dump, and the values of the columns that describe the file. */
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

/* Is `name` a built-in column of a table that also gets the columns of --meta? */
bool etc_sheets_own(struct etc_str name);

/* Selects the tables to write: all tables before ETC_SHEET_SAMPLES, and the tables that `more`
 * names (separated by commas; NULL: none). E0505. */
enum etc_status etc_sheets_wanted(const char *more, uint32_t *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_sheets_init(struct etc_sheets *s, const struct etc_meta *meta, uint32_t wanted,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Must be called before the rows of a dump are added. Finds or adds the folder of --partition-by to
 * which the dump's rows are written. E0904. */
enum etc_status etc_sheets_begin(struct etc_sheets *s, const struct etc_dump *d,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Sets *out to those rows of the sheet that belong to the folder; out->cells is NULL if there are
 * none. If the sheet also has rows of other folders, the rows of this folder are copied to an
 * array; `*room` is set to that array, and the caller must free it. E0904. */
enum etc_status etc_sheets_of_folder(const struct etc_sheets *s, enum etc_sheet_kind kind,
                                     uint32_t folder, struct etc_table *out, struct etc_cell **room,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Removes all rows. */
void etc_sheets_clear(struct etc_sheets *s);

void etc_sheets_release(struct etc_sheets *s);

bool etc_sheets_full(const struct etc_sheets *s);

/* The functions below add the rows of one dump to the tables. E0904. */
enum etc_status etc_sheets_path(struct etc_sheets *s, const struct etc_dump *d,
                                struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_answer(struct etc_sheets *s, const struct etc_dump *d,
                                  const struct etc_table *paths, const struct etc_table *rows,
                                  const struct etc_part *part,
                                  struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_events(struct etc_sheets *s, const struct etc_dump *d,
                                  const struct etc_table *events,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Adds the row of a dump to the table of baselines. `baseline` is the baseline of the dump, as
 * `etcore baseline save` writes it. */
enum etc_status etc_sheets_baseline(struct etc_sheets *s, const struct etc_dump *d,
                                    struct etc_str baseline, struct etc_error *err) ETC_MUST_CHECK;

/* Adds the times of a dump to the table `sketches`. Also adds them to the table `samples`, if that
 * table is written. */
enum etc_status etc_sheets_times(struct etc_sheets *s, const struct etc_dump *d,
                                 const struct etc_profile *profile,
                                 struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_note(struct etc_sheets *s, const struct etc_dump *d,
                                const struct etc_note *note, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_sheets_error(struct etc_sheets *s, const struct etc_dump *d,
                                 const struct etc_error *what,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* ---- parts.c: files of the output folder ------------------------------------------ */

struct etc_parts {
	const char *out;
	const struct etc_format *format;
	char prefix[64]; /* prefix of the names of this shard's parts: "0-of-4-" */
	char run[96]; /* prefix of the names of this query's files: `prefix` and a random number */
	char settings[ETC_HEX + 1]; /* hash of etcore's version, configuration and plugins */
	uint32_t wanted;            /* bit k: table k is written */
	/* the first line of each list of dumps: settings, format and tables. If the list of an
	 * earlier query begins with another line, that list is ignored */
	struct etc_str head;
	int lock, own_lock;
	/* the dumps that earlier queries analysed; keys are "SIZE TIME PATH" */
	struct etc_map paths;
	/* maps a run_id to the index (in etc_batch_items) of the dump whose rows it identifies, or
	 * to ETC_PARTS_BEFORE if an earlier query wrote these rows */
	struct etc_map ids;
	struct etc_arena *arena;
};

#define ETC_PARTS_BEFORE ((size_t)UINT32_MAX)

/* Creates and locks the folder, and removes the parts that an earlier query did not complete. With
 * `resume`, reads the lists of the dumps that are done. E1201: a list of this shard exists, and
 * `resume` is false. E1202: another process has locked the folder. E0903, E0904. */
enum etc_status etc_parts_open(struct etc_parts *p, const struct etc_shard *shard, bool resume,
                               struct etc_error *err) ETC_MUST_CHECK;
void etc_parts_close(struct etc_parts *p);

/* Has an earlier query analysed the dump in its present state? The state is the size of the file
 * and the time of its last change. */
bool etc_parts_has(const struct etc_parts *p, const char *path);

/* Writes a part of each table that has rows, then `done`, the list of the dumps in these parts.
 * Parts without a list are ignored. The first parts of a worker (`nth` is 0) are written even
 * without rows, except in ndjson. E0903, E0904. */
enum etc_status etc_parts_write(const struct etc_parts *p, uint32_t worker, uint32_t nth,
                                const struct etc_sheets *sheets, struct etc_str done,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Checks parts whose worker may have ended while it was writing them. Returns true if the parts are
 * complete and were kept, false if they were removed. */
bool etc_parts_settle(const struct etc_parts *p, uint32_t worker, uint32_t nth);

/* Appends a dump to `done`, the list of dumps that etc_parts_write() writes. */
void etc_parts_add(struct etc_text *done, const struct etc_dump *d);

/* Writes the file _SUCCESS, as a sign that the query has ended. E0903. */
enum etc_status etc_parts_success(const struct etc_parts *p, struct etc_error *err) ETC_MUST_CHECK;

/* ---- worker.c ----------------------------------------------------------------------- */

enum etc_order_kind {
	/* open the dump `item`; the worker answers with the dump's run_id, and waits for GO or
	 * KNOWN */
	ETC_ORDER_DUMP,
	/* after DUMP, if no other dump has that run_id: analyse the dump and add its rows */
	ETC_ORDER_GO,
	/* after DUMP, instead of GO: do not analyse the dump, because another dump with that run_id
	 * has rows already */
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
	/* failed: the analysis of the finished dump failed; full: the worker holds enough rows to
	 * write a part */
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
	/* done: number of finished dumps; failed: number of finished dumps that have a row in the
	 * table `errors` */
	uint32_t done, failed;
	uint32_t before; /* number of dumps that earlier queries analysed */
	uint32_t left;
};

/* Analyses all dumps in this process. The tables are not written; they stay in memory. E0904. */
enum etc_status etc_batch_here(const struct etc_batch *b, struct etc_sheets *sheets,
                               struct etc_batch_counts *out, struct etc_error *err) ETC_MUST_CHECK;

/* ---- keep.c ---------------------------------------------------------------------------- */

/* Number of the first table of `batch` in the library: ETCORE_TABLE_BATCH. */
enum { ETC_BATCH_FIRST = 32 };

/* A function that sets `*out` to the answer of `etcore batch` with these options. */
typedef enum etc_status etc_batch_make_fn(struct etc_session *s,
                                          const struct etc_batch_options *options,
                                          struct etc_batch *out, struct etc_error *err);

/* Returns the input that the caller of the library passed in memory under that name, or NULL. */
static inline const struct etc_given *etc_batch_given(const struct etc_batch_options *o,
                                                      const char *name)
{
	const struct etc_given *g = o->common.given;

	while (g && strcmp(g->name, name) != 0)
		g = g->next;
	return g;
}

/* Makes the tables for a caller of the library. E1200: the tables are complete, but some dumps have
 * a row in the table `errors`. */
enum etc_status etc_batch_keep(const struct etc_batch_options *options, etc_batch_make_fn *make,
                               const struct etc_reply *reply, struct etc_error *err) ETC_MUST_CHECK;

/* ---- farm.c ---------------------------------------------------------------------------- */

/* Runs `jobs` workers until all dumps are done or a signal arrives. `progress`: file descriptor for
 * progress messages; 0: none are written. E0903, E0904. */
enum etc_status etc_batch_farm(struct etc_batch *b, uint64_t jobs, int progress,
                               struct etc_batch_counts *out, struct etc_error *err) ETC_MUST_CHECK;

#endif

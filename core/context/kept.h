/* kept.h -- the answer of a query, kept so that a caller can read its tables.
 *
 * A command that keeps its answer has a struct that begins with struct etc_kept. etc_kept_close()
 * releases plugins and files. The memory is released with the last reference to the answer, because
 * columns that the caller got may be views into that memory. */
#ifndef ETC_CONTEXT_KEPT_H
#define ETC_CONTEXT_KEPT_H

#include <stdatomic.h>

#include "base/text.h"
#include "table/table.h"

/* The tables of an answer of `analyze`; the numbers are those of ETCORE_TABLE_*
 * (etcore/etcore.h). */
enum etc_answer_table {
	ETC_TABLE_ROWS,
	ETC_TABLE_PATHS,
	ETC_TABLE_RUNS,
	ETC_TABLE_EVENTS,
	ETC_TABLE_SAMPLES,
	ETC_TABLE_ALLOCATIONS,
	ETC_TABLE_FILES,
	ETC_TABLE_COUNT
};

/* Writes the cells of rows [from, from + count) of column `column` to `to`. These cells are blank
 * at first. */
typedef void etc_column_maker_fn(const void *of, uint32_t column, uint32_t from, uint32_t count,
                                 struct etc_cell *to);

/* Writes all numbers of a column to `to`, which is zeroed, as int64, uint64 or double according to
 * the column's type. Returns false if a cell is blank, or if this function would not be faster than
 * making cells; the caller then makes the cells. */
typedef bool etc_column_numbers_fn(const void *of, uint32_t column, uint64_t *to);

/* A table whose columns have types. types[i] is an enum etc_cell_kind, never BLANK. All cells of
 * column i can be converted to this type. */
struct etc_typed_table {
	struct etc_table table;
	const uint8_t *types;
	bool made;
	/* If not NULL, the table has no cells yet, and this function makes them, column by column.
	 * Cells point to memory that lives as long as the answer. */
	etc_column_maker_fn *fill;
	/* faster alternative to `fill` for columns of numbers; or NULL */
	etc_column_numbers_fn *numbers;
	const void *of; /* first argument of both functions */
};

struct etc_kept;

/* Functions and tables that all answers of one command have. */
struct etc_kept_kind {
	/* the answer has `count` tables; their numbers are ETCORE_TABLE_*, from `first` on */
	uint32_t first, count;
	const char *const *names; /* names of the tables */
	/* Makes the table with the number `first` + `which`. E0904, and errors of plugins:
	 * E0605. */
	enum etc_status (*make)(struct etc_kept *k, uint32_t which, struct etc_error *err);
	/* Writes the answer in one of the command's formats. E0505, E0904. */
	enum etc_status (*write)(struct etc_kept *k, const char *format, struct etc_text *out,
	                         struct etc_error *err);
	/* Writes the answer's runs one by one as CSV, with the given columns. The answer cannot be
	 * used afterwards. NULL: the answer has no runs. E0904. */
	enum etc_status (*write_runs)(struct etc_kept *k, const char *columns, struct etc_text *out,
	                              struct etc_error *err);
	/* The time of a row of the table ROWS is a mean over runs. Writes the row's time in each of
	 * these runs to `to`, which has room for `most` times, in the order of the runs and all in
	 * one unit. Returns the number of times; 0: they are unknown, or more than `most`. NULL:
	 * the answer has no table ROWS. */
	size_t (*row_times)(const struct etc_kept *k, uint32_t row, uint64_t *to, size_t most);
	void (*close)(struct etc_kept *k);   /* releases plugins and files */
	void (*release)(struct etc_kept *k); /* releases the memory */
};

struct etc_kept {
	const struct etc_kept_kind *kind;
	struct etc_typed_table *tables; /* the kind->count tables of the answer */
	atomic_uint references;
};

static inline void etc_kept_init(struct etc_kept *k, const struct etc_kept_kind *kind,
                                 struct etc_typed_table *tables)
{
	k->kind = kind;
	k->tables = tables;
	atomic_init(&k->references, 1);
}

static inline void etc_kept_keep(struct etc_kept *k)
{
	atomic_fetch_add(&k->references, 1);
}

static inline void etc_kept_drop(struct etc_kept *k)
{
	if (atomic_fetch_sub(&k->references, 1) == 1)
		k->kind->release(k);
}

/* Releases plugins and files of the answer, and the reference of the caller. */
static inline void etc_kept_close(struct etc_kept *k)
{
	k->kind->close(k);
	etc_kept_drop(k);
}

/* Returns the table with that number, ETCORE_TABLE_*; NULL: the answer does not have it. */
static inline struct etc_typed_table *etc_kept_table(const struct etc_kept *k, uint32_t number)
{
	uint32_t at = number - k->kind->first;

	return at < k->kind->count ? &k->tables[at] : NULL;
}

#endif

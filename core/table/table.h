/* table.h -- named typed columns, the interface between reports and output formats.
 * Without it each of S reports would need code for each of F formats.
 *
 * A report fills a table (plain data, arena memory), a writer is one loop over it. A
 * number's unit belongs to its column; unknown is blank, never 0. */
#ifndef ETC_VIEW_TABLE_H
#define ETC_VIEW_TABLE_H

#include "base/arena.h"
#include "base/error.h"

enum etc_cell_kind {
	ETC_CELL_BLANK, /* unknown or not applicable */
	ETC_CELL_TEXT,
	ETC_CELL_INT,
	ETC_CELL_UINT, /* integers above the range of INT */
	ETC_CELL_REAL,
	ETC_CELL_BOOL,
	ETC_CELL_LIST /* distinct values of one kind */
};

struct etc_cell;

struct etc_cell_list {
	struct etc_str joined; /* "a; b": where there are no lists */
	const struct etc_cell *items;
	uint32_t count; /* at least 1 */
};

struct etc_cell {
	uint8_t kind; /* enum etc_cell_kind */
	union {
		int64_t i; /* INT, BOOL */
		uint64_t u;
		double f;
		struct etc_str s;
		const struct etc_cell_list *list;
	};
};

/* The number in a cell; false: it holds none, and *v is 0. */
static inline bool etc_cell_number(const struct etc_cell *cell, double *v)
{
	*v = cell->kind == ETC_CELL_REAL   ? cell->f
	     : cell->kind == ETC_CELL_INT  ? (double)cell->i
	     : cell->kind == ETC_CELL_UINT ? (double)cell->u
	                                   : 0;
	return cell->kind == ETC_CELL_REAL || cell->kind == ETC_CELL_INT ||
	       cell->kind == ETC_CELL_UINT;
}

/* How a number is shown on screen; formats for machines always have all digits. */
enum etc_column_style {
	ETC_STYLE_PLAIN,
	ETC_STYLE_TIME,   /* ns in the cell; one unit for the whole column on screen */
	ETC_STYLE_SHARE,  /* fraction 0..1; percent on screen */
	ETC_STYLE_BOUND,  /* ns; shown as "+18" beside the column before it */
	ETC_STYLE_NUMBER, /* of any size; six digits on screen */
	ETC_STYLE_LIST,   /* names, ", " between; on screen all of three, else "first and 3 more" */
	ETC_STYLE_JSON    /* text that is JSON: a list; no string in a JSON document */
};

/* May a column be dropped on a narrow terminal? Higher values are dropped first, of equal
 * ones the rightmost. */
enum etc_column_optional {
	ETC_COLUMN_NEEDED,
	ETC_COLUMN_OPTIONAL, /* true */
	ETC_COLUMN_MINOR,
	/* repeats other columns or matters least: dropped before texts are shortened */
	ETC_COLUMN_AGAIN
};

struct etc_column {
	const char *name;  /* "self_ns": key in csv and json */
	const char *title; /* "per run": on screen */
	const char *help;
	const char *unit; /* "bytes", or NULL; of times the name has it */
	uint8_t style;    /* enum etc_column_style */
	uint8_t cell;     /* enum etc_cell_kind of its cells, but for blanks and whole numbers among
	                   * REAL; BLANK: REAL of times and shares, INT of other numbers, else TEXT */
	uint8_t items;    /* of LIST: kind of the items */
	bool right;       /* numbers */
	uint8_t optional; /* may be dropped to fit a narrow terminal: enum etc_column_optional */
	bool extra;       /* goes into the member "columns" of a JSON row, if not blank */
	bool typed;       /* only for --where, --sort and --columns; not written in any format */
	const char *alias; /* a further word that a person may type, or NULL */
	/* 1 + index of a column with the same values in other words, which conditions
	 * accept as well; 0: none */
	uint32_t also;
	/* 1 + index of the column with the upper end, which has the same `alias`; 0: not
	 * the lower end of an interval */
	uint32_t upper;
};

/* Kinds of columns, as initializers of struct etc_column. */
#define ETC_FORM_TEXT   .cell = ETC_CELL_BLANK
#define ETC_FORM_BOOL   .cell = ETC_CELL_BOOL
#define ETC_FORM_REAL   .cell = ETC_CELL_REAL, .right = true
#define ETC_FORM_NUMBER .right = true
#define ETC_FORM_FLOAT  .style = ETC_STYLE_NUMBER, .right = true
#define ETC_FORM_JSON   .style = ETC_STYLE_JSON
#define ETC_FORM_TIME   .style = ETC_STYLE_TIME, .right = true
#define ETC_FORM_SHARE  .style = ETC_STYLE_SHARE, .right = true

/* Its unit, or "". */
static inline const char *etc_column_unit(const struct etc_column *c)
{
	size_t n = strlen(c->name);

	if (c->unit)
		return c->unit;
	return n > 3 && strcmp(c->name + n - 3, "_ns") == 0 ? "ns" : "";
}

/* Kind of a row on screen. */
enum etc_row_kind { ETC_ROW_BODY, ETC_ROW_FOOT };

/* The most columns of a table without cells. */
enum { ETC_TABLE_MADE = 56 };

/* Makes row `r` of a long table in `to`, whose cells are blank. */
typedef void etc_table_maker_fn(void *of, uint32_t r, struct etc_cell *to);

struct etc_table {
	struct etc_str title;
	const struct etc_column *columns;
	uint32_t column_count;
	struct etc_cell *cells; /* row_count x column_count; NULL: `make` makes them */
	etc_table_maker_fn *make;
	void *of;           /* argument of `make` */
	uint8_t *row_kinds; /* enum etc_row_kind, or NULL: all body */
	uint32_t row_count;
};

/* A row of a table, with or without cells. */
static inline const struct etc_cell *etc_table_row(const struct etc_table *t, uint32_t r,
                                                   struct etc_cell room[ETC_TABLE_MADE])
{
	if (t->cells)
		return t->cells + (size_t)r * t->column_count;
	memset(room, 0, t->column_count * sizeof *room);
	t->make(t->of, r, room);
	return room;
}

/* The text of a list on a screen: all of up to three items, else the first, and *more is how
 * many follow. */
struct etc_str etc_list_head(struct etc_str list, uint32_t *more);

/* Makes all cells, for access by column. E0904. */
enum etc_status etc_table_fill(struct etc_table *t, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

#endif

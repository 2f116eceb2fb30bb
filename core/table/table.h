/* table.h -- tables of named, typed columns: the interface between reports and output formats.
 * Without tables, each of S reports would need code for each of F formats.
 *
 * A command fills a table, which is plain data in memory of the arena; the writer of a format is
 * one loop over the table. The unit of a number belongs to its column. An unknown value is a blank
 * cell, never 0. */
#ifndef ETC_TABLE_TABLE_H
#define ETC_TABLE_TABLE_H

#include "base/arena.h"
#include "base/error.h"

enum etc_cell_kind {
	ETC_CELL_BLANK, /* unknown or not applicable */
	ETC_CELL_TEXT,
	ETC_CELL_INT,
	ETC_CELL_UINT, /* an integer above the range of INT */
	ETC_CELL_REAL,
	ETC_CELL_BOOL,
	ETC_CELL_BYTES, /* bytes that are not text, in `s`; only in tables of the library */
	ETC_CELL_LIST,  /* values of one kind; a list that was made by a roll-up has no value
	                 * twice */
	ETC_CELL_MAP    /* names and values alternate in `list`; all are texts */
};

struct etc_cell;

struct etc_cell_list {
	/* the text for formats without lists and maps: a list as "a; b", a map as a JSON object */
	struct etc_str joined;
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

/* Sets `*v` to the number in a cell. False: the cell has no number; `*v` is then 0. */
static inline bool etc_cell_number(const struct etc_cell *cell, double *v)
{
	*v = cell->kind == ETC_CELL_REAL   ? cell->f
	     : cell->kind == ETC_CELL_INT  ? (double)cell->i
	     : cell->kind == ETC_CELL_UINT ? (double)cell->u
	                                   : 0;
	return cell->kind == ETC_CELL_REAL || cell->kind == ETC_CELL_INT ||
	       cell->kind == ETC_CELL_UINT;
}

/* How the values of a column are shown on screen. Machine-readable formats always have all
 * digits. */
enum etc_column_style {
	ETC_STYLE_PLAIN,
	ETC_STYLE_TIME,     /* ns in the cell; one unit for the whole column on screen */
	ETC_STYLE_ROW_TIME, /* ns in the cell; one unit for each row on screen */
	ETC_STYLE_SHARE,    /* fraction 0..1, in percent on screen */
	ETC_STYLE_BOUND,    /* ns; shown as "+18" after the column before it */
	ETC_STYLE_NUMBER,   /* a number of any size; six digits on screen */
	/* names separated by ", "; if there are more than three, a screen shows "first and 3
	 * more" */
	ETC_STYLE_LIST,
	/* the text of a JSON list; a JSON document contains it as a list, not as a string */
	ETC_STYLE_JSON
};

/* The order in which columns are left out on a narrow terminal: columns with the highest value
 * first; among columns of equal value, the rightmost first. */
enum etc_column_optional {
	ETC_COLUMN_NEEDED,
	ETC_COLUMN_OPTIONAL, /* equals 1, so that an initialiser of struct etc_column may use `true` */
	ETC_COLUMN_MINOR,
	/* the column repeats other columns, or matters least; it is left out before texts are
	 * shortened */
	ETC_COLUMN_AGAIN
};

struct etc_column {
	const char *name;  /* name of the column in CSV and JSON: "self_ns" */
	const char *title; /* heading of the column on screen: "per run" */
	const char *help;
	const char *unit; /* "bytes", or NULL; the unit of times is part of the name */
	uint8_t style;    /* enum etc_column_style: how the cells are shown on screen */
	/* enum etc_cell_kind of the column's cells. Any cell may be blank, and cells of a REAL
	 * column may be integers. BLANK: the kind follows from style, name and alignment
	 * (etc_column_type()). */
	uint8_t cell;
	uint8_t items; /* for LIST: enum etc_cell_kind of the items */
	bool right;    /* right-aligned */
	/* enum etc_column_optional: whether and when a narrow terminal leaves the column out */
	uint8_t optional;
	/* In some rows, only this column has the name of the row. So a narrow terminal leaves it
	 * out last, after all other optional columns and the bars. */
	bool names;
	/* Only for a column that answers the question of the command; NULL for others. On a very
	 * narrow terminal, even columns that are not optional are left out. This column is then
	 * left out last, and gets the heading `last`. The heading includes the unit (if there is
	 * one), which is otherwise in the heading of another column. */
	const char *last;
	/* in JSON, the value is in the member "columns" of the row; a blank value is left out */
	bool extra;
	/* the column exists only for --where, --sort and --columns; output formats do not contain
	 * it */
	bool typed;
	const char *alias; /* another name that is accepted; NULL: there is none */
	/* 1 + the index of a column with the same values in other words; 0: there is none. A
	 * condition on this column is also tested with that column, then with the column that the
	 * `also` of that column names, and so on. */
	uint32_t also;
	/* if this column has the lower end of an interval: 1 + the index of the column with the
	 * upper end, which has the same `alias`; else 0 */
	uint32_t upper;
};

/* Kinds of columns, for initialisers of struct etc_column: they set the members that belong to the
 * kind. */
#define ETC_FORM_TEXT     .cell = ETC_CELL_BLANK
#define ETC_FORM_BOOL     .cell = ETC_CELL_BOOL
#define ETC_FORM_REAL     .cell = ETC_CELL_REAL, .right = true
#define ETC_FORM_NUMBER   .right = true
#define ETC_FORM_UINT     .cell = ETC_CELL_UINT, .right = true
#define ETC_FORM_FLOAT    .style = ETC_STYLE_NUMBER, .right = true
#define ETC_FORM_JSON     .style = ETC_STYLE_JSON
#define ETC_FORM_TIME     .style = ETC_STYLE_TIME, .right = true
#define ETC_FORM_ROW_TIME .style = ETC_STYLE_ROW_TIME, .right = true
#define ETC_FORM_SHARE    .style = ETC_STYLE_SHARE, .right = true

/* Returns the unit of the column's numbers, or "". */
static inline const char *etc_column_unit(const struct etc_column *c)
{
	size_t n = strlen(c->name);

	if (c->unit)
		return c->unit;
	return n > 3 && strcmp(c->name + n - 3, "_ns") == 0 ? "ns" : "";
}

/* Returns the type of the column's cells, an enum etc_cell_kind other than BLANK. The type depends
 * only on the declaration of the column, never on the rows. */
uint8_t etc_column_type(const struct etc_column *c);

/* Kind of a row on screen. */
enum etc_row_kind { ETC_ROW_BODY, ETC_ROW_FOOT };

/* Maximum number of columns of a table without cells, whose rows are made one by one. */
enum { ETC_TABLE_MADE = 68 };

/* Makes row `r` of a long table: writes its cells to `to`. The caller has made all cells blank. */
typedef void etc_table_maker_fn(void *of, uint32_t r, struct etc_cell *to);

struct etc_table {
	struct etc_str title;
	const struct etc_column *columns;
	uint32_t column_count;
	/* row_count x column_count cells, row by row; NULL: the table has no cells, and `make`
	 * makes a row whenever it is read */
	struct etc_cell *cells;
	etc_table_maker_fn *make;
	void *of;           /* argument of `make` */
	uint8_t *row_kinds; /* for each row an enum etc_row_kind; NULL: all rows are BODY */
	uint32_t row_count;
};

/* Returns row `r` of a table: its cells, or, if the table has no cells, cells made in `room`. */
static inline const struct etc_cell *etc_table_row(const struct etc_table *t, uint32_t r,
                                                   struct etc_cell room[ETC_TABLE_MADE])
{
	if (t->cells)
		return t->cells + (size_t)r * t->column_count;
	memset(room, 0, t->column_count * sizeof *room);
	t->make(t->of, r, room);
	return room;
}

/* Returns the text of a list as a screen shows it: up to three items; of a longer list only the
 * first item. Sets `*more` to the number of items that are left out. */
struct etc_str etc_list_head(struct etc_str list, uint32_t *more);

/* Makes a table of `row_count` rows with cells to be filled in. E0904. */
enum etc_status etc_table_make(struct etc_table *t, const struct etc_column *columns,
                               uint32_t column_count, uint32_t row_count, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Makes the cells of a table that has none, so that cells can be accessed in any order. E0904. */
enum etc_status etc_table_fill(struct etc_table *t, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

#endif

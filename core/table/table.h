/* table.h -- named typed columns, the interface between reports and output formats: without it
 * each of S reports would need code for each of F formats.
 *
 * A report fills a table (plain data, arena memory), a writer is one loop over it. A number's
 * unit belongs to its column; unknown is blank, never 0. */
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
	ETC_CELL_LIST,  /* values of one kind; those of roll-ups are distinct */
	ETC_CELL_MAP    /* names and values alternate in `list`; all are texts */
};

struct etc_cell;

struct etc_cell_list {
	/* text for formats without lists and maps: the items as "a; b", or a map as a JSON
	 * object */
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

/* How a number is shown on screen; formats for programs always have all digits. */
enum etc_column_style {
	ETC_STYLE_PLAIN,
	ETC_STYLE_TIME,     /* ns in the cell; one unit for the whole column on screen */
	ETC_STYLE_ROW_TIME, /* ns in the cell; one unit for each row on screen */
	ETC_STYLE_SHARE,    /* fraction 0..1, in percent on screen */
	ETC_STYLE_BOUND,    /* ns; shown as "+18" after the column before it */
	ETC_STYLE_NUMBER,   /* a number of any size; six digits on screen */
	/* names separated by ", "; on screen at most three of them, else "first and 3 more" */
	ETC_STYLE_LIST,
	/* the text of a JSON list; a JSON document contains it as a list, not as a string */
	ETC_STYLE_JSON
};

/* The order in which columns are left out on a narrow terminal. Those with the highest value are
 * left out first; among equal values, the rightmost first. */
enum etc_column_optional {
	ETC_COLUMN_NEEDED,
	ETC_COLUMN_OPTIONAL, /* equals 1, so that an initialiser of struct etc_column may use `true` */
	ETC_COLUMN_MINOR,
	/* repeats other columns, or matters least: left out before texts are shortened */
	ETC_COLUMN_AGAIN
};

struct etc_column {
	const char *name;  /* "self_ns": name of the column in csv and json */
	const char *title; /* "per run": heading of the column on screen */
	const char *help;
	const char *unit; /* "bytes", or NULL; the unit of times is part of the name */
	uint8_t style;    /* enum etc_column_style */
	/* enum etc_cell_kind of the column's cells. Any cell may be blank, and cells of a REAL
	 * column may be integers. BLANK: the kind follows from style, name and alignment
	 * (etc_column_type()). */
	uint8_t cell;
	uint8_t items; /* for LIST: enum etc_cell_kind of the items */
	bool right;    /* right-aligned */
	/* enum etc_column_optional: whether and when a narrow terminal leaves the column out */
	uint8_t optional;
	/* Some rows are named by this column only. It is left out after all other optional columns,
	 * and after the bars. */
	bool names;
	/* in JSON the value is in the row's member "columns", unless it is blank */
	bool extra;
	/* the column exists only for --where, --sort and --columns, and no output format contains
	 * it */
	bool typed;
	const char *alias; /* another accepted name, or NULL */
	/* 1 + the index of a column that has the same values in other words; conditions test it
	 * and those that it names, too. 0: there is none. */
	uint32_t also;
	/* 1 + the index of the column with the upper end of the interval, which has the same
	 * `alias`; 0: this column is not the lower end of an interval */
	uint32_t upper;
};

/* The kinds of columns, as members of an initialiser of struct etc_column. */
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

/* Returns the type of the column's cells, an enum etc_cell_kind other than BLANK. It depends on the
 * column only, never on the rows. */
uint8_t etc_column_type(const struct etc_column *c);

/* Kind of a row on screen. */
enum etc_row_kind { ETC_ROW_BODY, ETC_ROW_FOOT };

/* Maximum number of columns of a table that has no cells, and whose rows are made one by one. */
enum { ETC_TABLE_MADE = 68 };

/* Makes row `r` of a long table: writes its cells to `to`. They are blank at first. */
typedef void etc_table_maker_fn(void *of, uint32_t r, struct etc_cell *to);

struct etc_table {
	struct etc_str title;
	const struct etc_column *columns;
	uint32_t column_count;
	/* the cells, row_count x column_count; NULL: the table has no cells, and `make` makes a row
	 * when it is read */
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

/* Returns the text of a list as a screen shows it: up to three items. Of a longer list, only the
 * first item; `*more` is the number of the others. */
struct etc_str etc_list_head(struct etc_str list, uint32_t *more);

/* Makes a table of `row_count` rows with cells to be filled in. E0904. */
enum etc_status etc_table_make(struct etc_table *t, const struct etc_column *columns,
                               uint32_t column_count, uint32_t row_count, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Makes the cells of a table that has none, so that they can be accessed by column. E0904. */
enum etc_status etc_table_fill(struct etc_table *t, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

#endif

/* frame.h -- reproduces the pandas DataFrame of ExecuTorch's Inspector: one row per event, with
 * typed cells. The type of a column (its dtype) follows pandas' rules.
 *
 * Cells are computed on demand and not stored. */
#ifndef ETC_COMMANDS_INSPECTOR_FRAME_H
#define ETC_COMMANDS_INSPECTOR_FRAME_H

#include "commands/inspector/writers.h"

enum etc_frame_kind {
	ETC_FRAME_NONE, /* Python's None */
	ETC_FRAME_NAN,  /* a missing value: the float nan */
	ETC_FRAME_BOOL,
	ETC_FRAME_INT,
	ETC_FRAME_FLOAT,
	ETC_FRAME_STR,
	ETC_FRAME_OBJECT /* a list or a dict; etc_frame_text() writes its Python repr */
};

struct etc_frame_cell {
	uint8_t kind; /* enum etc_frame_kind */
	bool plain;   /* STR: known to be printable ASCII without leading or trailing blank */
	union {
		int64_t i;
		double f;
		struct etc_str s;
	};
};

struct etc_frame_column {
	struct etc_str name;
	uint8_t source; /* identifies the column in frame.c */
	uint32_t meta;  /* index of the column in etc_frame.meta, if `source` is METADATA */
	/* the column has the type float64, because every cell is the statistic `stat` */
	bool as_float;
	uint8_t stat; /* index of the statistic, if as_float */
};

struct etc_metaframe;

struct etc_frame {
	const struct etc_inspector *in;
	struct etc_frame_column *columns;
	uint32_t column_count;
	const uint32_t *events; /* per row: index of its event in the block */
	/* first row of each block; the last entry is the number of all rows */
	const uint32_t *first_row;
	uint32_t row_count;
	/* for each block and statistic: is the statistic's column float64 in the block? */
	const bool *block_floats;
	/* columns of the delegates' metadata; NULL: the frame has no data of delegates */
	struct etc_metaframe *meta;
};

/* A position in the frame: the current row. Initialise it with { 0 }; it is then before the first
 * row. */
struct etc_frame_row {
	uint32_t block, event;
	const struct etc_insp_block *b;
	const struct etc_insp_event *e;
};

/* Cache for etc_frame_plain_width(): the lengths of the texts that the column START_TIME has in one
 * row and in a few rows after it. { 0 }: nothing is cached yet. */
struct etc_frame_widths {
	const struct etc_insp_block *b;
	uint32_t from, to; /* range of events */
	uint32_t rows;     /* number of rows that will be requested, from this one on */
	size_t widths[64];
};

/* Moves to `row`, which must not be before the current row. */
static inline void etc_frame_go(const struct etc_frame *f, struct etc_frame_row *r, uint32_t row)
{
	while (row >= f->first_row[r->block + 1])
		r->block++;
	r->event = f->events[row];
	r->b = &f->in->blocks[r->block];
	r->e = &r->b->events[r->event];
}

/* Makes the frame. With `printing`, it is the frame of _prepare_dataframe, without the columns and
 * rows that print_data_tabular leaves out; otherwise it is the frame of to_dataframe. E0809: there
 * is no event. E0819: a metadata key has the name of a column. */
enum etc_status etc_frame_make(struct etc_inspector *in, const struct etc_insp_switches *switches,
                               bool printing, struct etc_frame *out,
                               struct etc_error *err) ETC_MUST_CHECK;

struct etc_frame_cell etc_frame_cell(const struct etc_frame *f, const struct etc_frame_row *r,
                                     uint32_t column);

/* Returns the cell for a value that a parser returned, or for a delegate's name that is not a text.
 * A value in JSON becomes a cell of kind OBJECT. */
struct etc_frame_cell etc_frame_datum(const struct etc_datum *d);

/* Returns the type of a column: STR if some cell may be text, FLOAT for statistics, BOOL, or
 * OBJECT. Cells without a value are NONE or NAN. */
enum etc_frame_kind etc_frame_column_kind(const struct etc_frame *f, uint32_t column);

/* Is it known, without making the text of this OBJECT cell, that the text is one line of ASCII?
 * False may also mean that this is unknown. */
bool etc_frame_is_plain(const struct etc_frame *f, const struct etc_frame_row *r, uint32_t column);

/* Returns the length of the text of a cell for which etc_frame_is_plain() is true. `near`: the
 * caller's cache (struct etc_frame_widths). */
size_t etc_frame_plain_width(const struct etc_frame *f, const struct etc_frame_row *r,
                             uint32_t column, struct etc_frame_widths *near);

/* ---- starts.c ------------------------------------------------------------------------ */

/* Writes the start times of an event in all runs, as a list. */
void etc_frame_put_starts(struct etc_text *t, const struct etc_inspector *in,
                          const struct etc_insp_block *b, uint32_t event);

/* Fills w->widths with the lengths of the texts that the column START_TIME has for the events of
 * `w`. */
void etc_frame_measure_starts(const struct etc_inspector *in, struct etc_frame_widths *w);

/* ---- frame.c ------------------------------------------------------------------------- */

/* Writes an OBJECT cell as Python's str() does. */
void etc_frame_text(const struct etc_frame *f, const struct etc_frame_row *r, uint32_t column,
                    struct etc_text *t);

#endif

/* metaframe.c -- makes the columns of delegate metadata; see metaframe.h.
 *
 * pandas makes a Series (with its own dtype) of each event, a frame of the Series of a block, and
 * then concatenates the frames of all blocks. At each step a missing cell becomes NaN, so that the
 * integers of its column become floats. A text among numbers changes the type of the whole column
 * to object. */
#include "commands/inspector/metaframe.h"

#include "base/map.h"
#include "inspector/pyrepr.h"

struct etc_metacell {
	struct etc_frame_cell cell;
	/* only if cell.kind is OBJECT: the value; NULL: the cell has the complete list of the
	 * event's metadata */
	const struct etc_datum *datum;
};

/* The kinds of the cells of a column, as a set of bits. */
enum { SEES_INT = 1, SEES_FLOAT = 2, SEES_MISSING = 4, SEES_STR = 8, SEES_OTHER = 16 };

static unsigned sees(const struct etc_frame_cell *c)
{
	switch (c->kind) {
	case ETC_FRAME_INT:
		return SEES_INT;
	case ETC_FRAME_FLOAT:
		return SEES_FLOAT;
	case ETC_FRAME_NONE:
	case ETC_FRAME_NAN:
		return SEES_MISSING;
	case ETC_FRAME_STR:
		return SEES_STR;
	default:
		return SEES_OTHER;
	}
}

static void to_float(struct etc_frame_cell *c)
{
	if (c->kind == ETC_FRAME_INT)
		*c = (struct etc_frame_cell){ .kind = ETC_FRAME_FLOAT, .f = (double)c->i };
	else if (c->kind == ETC_FRAME_NONE)
		c->kind = ETC_FRAME_NAN;
}

/* Converts `count` cells, `step` elements apart, to the types that pandas infers for a list of
 * values. Called for each Series, then for each column. `all`: the kinds of these cells
 * (SEES_*). */
static void infer(struct etc_metacell *cells, uint32_t count, size_t step, unsigned all)
{
	bool numeric = (all & (SEES_INT | SEES_FLOAT)) && !(all & (SEES_STR | SEES_OTHER));
	bool text = (all & SEES_STR) && !(all & ~(unsigned)(SEES_STR | SEES_MISSING));

	for (uint32_t i = 0; i < count; i++) {
		struct etc_frame_cell *c = &cells[i * step].cell;

		if (numeric && all != SEES_INT)
			to_float(c);
		else if (text && c->kind == ETC_FRAME_NONE)
			c->kind = ETC_FRAME_NAN;
	}
}

static bool is_list(const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);

	return x->parsed.form == ETC_PARSED_LIST
	               ? x->parsed.count > 0
	               : x->parsed.form != ETC_PARSED_DICT && !x->was_parsed && e->has_metadata;
}

struct etc_frame_cell etc_frame_datum(const struct etc_datum *d)
{
	switch (d->kind) {
	case ETC_DATUM_NULL:
		return (struct etc_frame_cell){ .kind = ETC_FRAME_NONE };
	case ETC_DATUM_BOOL:
		return (struct etc_frame_cell){ .kind = ETC_FRAME_BOOL, .i = d->i };
	case ETC_DATUM_I64:
		return (struct etc_frame_cell){ .kind = ETC_FRAME_INT, .i = d->i };
	case ETC_DATUM_F64:
		return (struct etc_frame_cell){ .kind = ETC_FRAME_FLOAT, .f = d->f };
	case ETC_DATUM_STR:
		return (struct etc_frame_cell){ .kind = ETC_FRAME_STR, .s = d->text };
	default:
		return (struct etc_frame_cell){ .kind = ETC_FRAME_OBJECT };
	}
}

static struct etc_metacell cell_of(const struct etc_datum *d)
{
	return (struct etc_metacell){ etc_frame_datum(d), d };
}

static const struct etc_str list_column = { "delegate_debug_metadata", 23 };

/* Returns the number of named values of an event; a list is one value. */
static uint32_t value_count(const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);

	return is_list(e) ? 1 : x->parsed.form == ETC_PARSED_DICT ? x->parsed.count : 0;
}

static struct etc_str value_name(const struct etc_insp_event *e, uint32_t i)
{
	return is_list(e) ? list_column : etc_insp_extra(e)->parsed.items[i].name;
}

static enum etc_status name_columns(struct etc_inspector *in, struct etc_metaframe *m,
                                    struct etc_map *known, struct etc_error *err)
{
	size_t all = 0;

	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t k = 0; k < in->blocks[b].event_count; k++)
			all += value_count(&in->blocks[b].events[k]);
	m->names = etc_new(in->arena, struct etc_str, all);
	ETC_NEED(m->names, err);
	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t k = 0; k < in->blocks[b].event_count; k++) {
			const struct etc_insp_event *e = &in->blocks[b].events[k];

			for (uint32_t i = 0; i < value_count(e); i++) {
				struct etc_str name = value_name(e, i);
				size_t at = etc_map_add(known, name, m->column_count);

				if (at == ETC_MAP_NONE)
					return etc_no_memory(err);
				if (at == m->column_count)
					m->names[m->column_count++] = name;
			}
		}
	return ETC_OK;
}

/* Stores the named values of one event (its Series) in the cells of the row. */
static void fill_row(const struct etc_insp_event *e, const struct etc_map *known,
                     struct etc_metacell *row, uint32_t columns, const bool *in_block)
{
	unsigned all = 0;
	bool missing = false;

	for (uint32_t i = 0; i < value_count(e); i++) {
		size_t at = etc_map_get(known, value_name(e, i));

		row[at] = is_list(e) ? ((struct etc_metacell){ { .kind = ETC_FRAME_OBJECT }, NULL })
		                     : cell_of(&etc_insp_extra(e)->parsed.items[i]);
	}
	for (uint32_t c = 0; c < columns; c++) {
		missing |= in_block[c] && row[c].cell.kind == ETC_FRAME_NAN;
		all |= row[c].cell.kind == ETC_FRAME_NAN ? 0 : sees(&row[c].cell);
	}
	infer(row, columns, 1, missing && all == SEES_INT ? SEES_INT | SEES_MISSING : all);
}

static enum etc_status fill_block(struct etc_metaframe *m, uint32_t block,
                                  const struct etc_map *known, struct etc_error *err)
{
	const struct etc_insp_block *b = &m->in->blocks[block];
	uint32_t columns = m->column_count;
	struct etc_metacell *cells =
		etc_new(m->in->arena, struct etc_metacell, (size_t)b->event_count * columns);
	bool *in_block = etc_new(m->in->arena, bool, columns), any = false;

	ETC_NEED(cells && in_block, err);
	for (uint32_t k = 0; k < b->event_count; k++)
		for (uint32_t i = 0; i < value_count(&b->events[k]); i++)
			any = in_block[etc_map_get(known, value_name(&b->events[k], i))] = true;
	if (!any)
		return ETC_OK;
	for (size_t i = 0; i < (size_t)b->event_count * columns; i++)
		cells[i].cell.kind = ETC_FRAME_NAN;
	for (uint32_t k = 0; k < b->event_count; k++)
		fill_row(&b->events[k], known, cells + (size_t)k * columns, columns, in_block);
	for (uint32_t c = 0; c < columns; c++) {
		unsigned all = 0;

		for (uint32_t k = 0; k < b->event_count; k++)
			all |= sees(&cells[(size_t)k * columns + c].cell);
		if (in_block[c])
			infer(cells + c, b->event_count, columns, all);
	}
	m->cells[block] = cells;
	return ETC_OK;
}

/* A column that is int64 in one block and float64 or missing in another becomes float64. */
static void join_blocks(struct etc_metaframe *m)
{
	for (uint32_t c = 0; c < m->column_count; c++) {
		unsigned all = 0;

		for (uint32_t b = 0; b < m->in->block_count; b++) {
			all |= m->cells[b] ? 0 : SEES_MISSING;
			for (uint32_t k = 0; m->cells[b] && k < m->in->blocks[b].event_count; k++)
				all |= sees(&m->cells[b][(size_t)k * m->column_count + c].cell);
		}
		if (all & (SEES_STR | SEES_OTHER) || all == SEES_INT)
			continue;
		for (uint32_t b = 0; b < m->in->block_count; b++)
			for (uint32_t k = 0; m->cells[b] && k < m->in->blocks[b].event_count; k++) {
				struct etc_frame_cell *cell =
					&m->cells[b][(size_t)k * m->column_count + c].cell;

				if (cell->kind == ETC_FRAME_INT)
					to_float(cell);
			}
	}
}

/* Fails if a parser reported damage: in Python, the parser would then raise an exception, and there
 * would be no table. */
static enum etc_status check_parsed(const struct etc_inspector *in, struct etc_error *err)
{
	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t i = 0; i < in->blocks[b].event_count; i++) {
			const struct etc_insp_event *e = &in->blocks[b].events[i];

			if (etc_insp_extra(e)->parsed.corrupt)
				return etc_fail(err, E0823,
				                "metadata of event '" ETC_STR_FMT
				                "' in block '" ETC_STR_FMT "'",
				                ETC_STR_ARG(e->name),
				                ETC_STR_ARG(in->blocks[b].name));
		}
	return ETC_OK;
}

enum etc_status etc_metaframe_make(struct etc_inspector *in, struct etc_metaframe **out,
                                   struct etc_error *err)
{
	struct etc_metaframe *m = etc_new(in->arena, struct etc_metaframe, 1);
	struct etc_map known;

	ETC_TRY(check_parsed(in, err));
	ETC_NEED(m, err);
	*out = m;
	m->in = in;
	etc_map_init(&known, in->arena);
	m->cells = etc_new(in->arena, struct etc_metacell *, in->block_count);
	ETC_NEED(m->cells, err);
	ETC_TRY(name_columns(in, m, &known, err));
	for (uint32_t b = 0; m->column_count && b < in->block_count; b++)
		ETC_TRY(fill_block(m, b, &known, err));
	join_blocks(m);
	return ETC_OK;
}

struct etc_frame_cell etc_metaframe_cell(const struct etc_metaframe *m, uint32_t block,
                                         uint32_t event, uint32_t column)
{
	if (!m->cells[block])
		return (struct etc_frame_cell){ .kind = ETC_FRAME_NAN };
	return m->cells[block][(size_t)event * m->column_count + column].cell;
}

/* Writes metadata that no parser has parsed, as a list: the bytes of each run, '' for a run without
 * metadata. */
static void put_blobs(struct etc_text *t, const struct etc_inspector *in,
                      const struct etc_insp_block *b, uint32_t event)
{
	for (uint32_t i = 0; i < b->run_count; i++) {
		struct etc_span blob =
			etc_trace_metadata(in->trace, etc_insp_sample(in, b, event, i));

		if (i)
			etc_text_cstr(t, ", ");
		if (blob.len)
			etc_py_bytes(t, blob);
		else
			etc_text_cstr(t, "''");
	}
}

void etc_metaframe_text(const struct etc_metaframe *m, uint32_t block, uint32_t event,
                        uint32_t column, struct etc_text *t)
{
	const struct etc_insp_event *e = &m->in->blocks[block].events[event];
	const struct etc_insp_extra *x = etc_insp_extra(e);
	const struct etc_metacell *c = &m->cells[block][(size_t)event * m->column_count + column];

	if (c->datum) {
		etc_py_datum(t, c->datum);
		return;
	}
	etc_text_char(t, '[');
	if (x->parsed.form == ETC_PARSED_LIST)
		for (uint32_t i = 0; i < x->parsed.count; i++) {
			if (i)
				etc_text_cstr(t, ", ");
			etc_py_datum(t, &x->parsed.items[i]);
		}
	else
		put_blobs(t, m->in, &m->in->blocks[block], event);
	etc_text_char(t, ']');
}

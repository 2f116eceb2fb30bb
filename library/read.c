/* read.c -- the functions of etcore/etcore.h that read an answer: formats, tables, cells. */
#define _GNU_SOURCE /* locale_t */
#include "library/public.h"

_Static_assert(ETCORE_TABLE_FILES == ETC_TABLE_FILES && ETC_TABLE_COUNT == ETC_TABLE_FILES + 1,
               "tables have the numbers of etcore.h");
_Static_assert(ETCORE_CELL_TEXT == ETC_CELL_TEXT && ETCORE_CELL_BOOL == ETC_CELL_BOOL &&
                       ETCORE_CELL_BYTES == ETC_CELL_BYTES,
               "cells have the numbers of etcore.h");

static enum etc_status has_answer(const struct etcore_query *q, struct etc_error *err)
{
	if (q->answer)
		return ETC_OK;
	if (!q->question->keeps)
		return etc_fail(err, E0991, "'%s' has only its text", q->question->name);
	return etc_fail(err, E0991, "it has not run, or failed");
}

enum etc_status etc_public_table(struct etcore_query *q, uint32_t table,
                                 const struct etc_typed_table **out, struct etc_error *err)
{
	struct etc_typed_table *t;
	struct etc_locale locale;
	enum etc_status st;

	ETC_TRY(has_answer(q, err));
	t = etc_kept_table(q->answer, table);
	if (!t)
		return etc_fail(err, E0991, "'%s' has no table %u", q->question->name,
		                (unsigned)table);
	*out = t;
	if (t->made)
		return ETC_OK;
	locale = etc_locale_enter();
	st = q->answer->kind->make(q->answer, table - q->answer->kind->first, err);
	etc_locale_leave(locale);
	t->made = st == ETC_OK;
	return st;
}

int etcore_write(struct etcore_query *q, const char *format, etcore_write_fn *write, void *arg,
                 struct etcore_diagnostic *err)
{
	struct etc_locale locale = etc_locale_enter();
	struct etc_receiver receiver = { .write = write, .arg = arg, .locale = locale };
	struct etc_text out = { .sink = etc_receive, .arg = &receiver };
	struct etc_error e = { .at = -1 };
	enum etc_status st = etc_receive_begin(&out, q->args, &e);

	if (st == ETC_OK)
		st = has_answer(q, &e);
	if (st == ETC_OK)
		st = q->answer->kind->write(q->answer, format ? format : "", &out, &e);
	st = etc_receive_end(&out, st, &e);
	etc_locale_leave(locale);
	return etc_public_error(err, st, &e);
}

static uint64_t rows_of(const struct etcore_query *q, uint32_t table)
{
	const struct etc_answer *a = (const struct etc_answer *)q->answer;
	uint64_t rows = 0;

	if (table != ETC_TABLE_SAMPLES)
		return etc_kept_table(q->answer, table)->table.row_count;
	for (uint32_t i = 0; i < a->part_count; i++)
		rows += a->samples[i].count;
	return rows;
}

int etcore_answer_table(const struct etcore_query *q, uint32_t i, struct etcore_table_info *out)
{
	struct etcore_table_info all;

	if (!q->answer || i >= q->answer->kind->count)
		return 0;
	all = (struct etcore_table_info){ .number = q->answer->kind->first + i,
		                          .name = q->answer->kind->names[i] };
	etc_public_copy(out, &all, sizeof all);
	return 1;
}

int etcore_table(struct etcore_query *q, uint32_t table, uint64_t *rows, uint32_t *columns,
                 struct etcore_diagnostic *err)
{
	const struct etc_typed_table *t = NULL;
	struct etc_error e = { .at = -1 };
	enum etc_status st = etc_public_table(q, table, &t, &e);

	if (rows)
		*rows = st == ETC_OK ? rows_of(q, table) : 0;
	if (columns)
		*columns = st == ETC_OK ? t->table.column_count : 0;
	return etc_public_error(err, st, &e);
}

/* Returns the table if it was made before by etc_public_table(), else NULL. */
static const struct etc_typed_table *made(const struct etcore_query *q, uint32_t table)
{
	const struct etc_typed_table *t = q->answer ? etc_kept_table(q->answer, table) : NULL;

	return t && t->made ? t : NULL;
}

int etcore_column(const struct etcore_query *q, uint32_t table, uint32_t column,
                  struct etcore_column_info *out)
{
	const struct etc_typed_table *t = made(q, table);
	struct etcore_column_info all;

	if (!t || column >= t->table.column_count)
		return 0;
	all = (struct etcore_column_info){
		.type = table == ETC_TABLE_SAMPLES ? ETCORE_CELL_UINT : t->types[column],
		.name = t->table.columns[column].name,
		.help = t->table.columns[column].help ? t->table.columns[column].help : "",
		.unit = etc_column_unit(&t->table.columns[column]),
	};
	if (all.type == ETC_CELL_LIST) {
		all.type = ETCORE_CELL_TEXT;
		all.items = t->table.columns[column].items;
	}
	if (all.type == ETC_CELL_MAP)
		all.type = ETCORE_CELL_TEXT;
	etc_public_copy(out, &all, sizeof all);
	return 1;
}

static struct etc_cell sample_cell(const struct etcore_query *q, uint64_t row, uint32_t column)
{
	const struct etc_sample_columns *s = ((const struct etc_answer *)q->answer)->samples;
	struct etc_cell c = { .kind = ETC_CELL_UINT };

	for (; row >= s->count; s++)
		row -= s->count;
	c.u = column == ETC_SAMPLE_EVENT ? s->event[row]
	      : column == ETC_SAMPLE_RUN ? s->run[row]
	                                 : (column == ETC_SAMPLE_START ? s->start : s->end)[row];
	return c;
}

static void copy_cell(const struct etc_cell *c, struct etcore_cell *out)
{
	bool many = c->kind == ETC_CELL_LIST || c->kind == ETC_CELL_MAP;
	struct etc_str text = many ? c->list->joined : c->s;
	struct etcore_cell all = { .kind = many ? ETCORE_CELL_TEXT : c->kind };

	if (c->kind == ETC_CELL_INT || c->kind == ETC_CELL_BOOL)
		all.i = c->i;
	if (c->kind == ETC_CELL_UINT || (c->kind == ETC_CELL_INT && c->i >= 0))
		all.u = c->u;
	if (all.kind == ETCORE_CELL_TEXT || all.kind == ETCORE_CELL_BYTES) {
		all.text = text.len ? text.ptr : "";
		all.length = text.len;
	}
	all.f = c->kind == ETC_CELL_REAL   ? c->f
	        : c->kind == ETC_CELL_UINT ? (double)c->u
	                                   : (double)all.i;
	etc_public_copy(out, &all, sizeof all);
}

/* Returns a cell of any table except the samples of an analysis. */
static struct etc_cell cell_of(const struct etc_typed_table *t, uint64_t row, uint32_t column)
{
	struct etc_cell c = { .kind = ETC_CELL_BLANK };

	if (!t->fill)
		return t->table.cells[(size_t)row * t->table.column_count + column];
	t->fill(t->of, column, (uint32_t)row, 1, &c);
	return c;
}

int etcore_cell(const struct etcore_query *q, uint32_t table, uint64_t row, uint32_t column,
                struct etcore_cell *out)
{
	const struct etc_typed_table *t = made(q, table);
	struct etc_cell c;

	if (!t || column >= t->table.column_count || row >= rows_of(q, table))
		return 0;
	c = table == ETC_TABLE_SAMPLES ? sample_cell(q, row, column) : cell_of(t, row, column);
	copy_cell(&c, out);
	return 1;
}

int etcore_item(const struct etcore_query *q, uint32_t table, uint64_t row, uint32_t column,
                uint32_t i, struct etcore_cell *out)
{
	const struct etc_typed_table *t = made(q, table);
	struct etc_cell c;

	if (!t || table == ETC_TABLE_SAMPLES || column >= t->table.column_count ||
	    row >= rows_of(q, table))
		return 0;
	c = cell_of(t, row, column);
	if (c.kind != ETC_CELL_LIST || i >= c.list->count)
		return 0;
	copy_cell(&c.list->items[i], out);
	return 1;
}

int etcore_samples(const struct etcore_query *q, uint32_t i, struct etcore_samples *out)
{
	const struct etc_answer *a = (const struct etc_answer *)q->answer;
	const struct etc_sample_columns *s;
	struct etcore_samples all;

	if (!made(q, ETC_TABLE_SAMPLES) || i >= a->part_count)
		return 0;
	s = &a->samples[i];
	all = (struct etcore_samples){
		.count = s->count,
		.event = s->event,
		.run = s->run,
		.start = s->start,
		.end = s->end,
	};
	etc_public_copy(out, &all, sizeof all);
	return 1;
}

/* values.c -- see numeric.h: `etcore numeric values`. */
#include "context/files.h"
#include "commands/numeric/logged.h"
#include "commands/numeric/numeric.h"
#include "commands/numeric/export.h"
#include "commands/numeric/sheet.h"
#include "commands/numeric/value_rows.h"

/* In an undamaged dump the tensors of all runs do not overlap in the buffer, so together they
 * are at most as large as the buffer. For a damaged dump this limits how much is read. */
enum { OVERLAP_MOST = 4, OVERLAP_FREE = 64 << 20 };

struct work {
	const struct etc_numeric_options *o;
	struct etc_session *s;
	struct etc_inputs in;
	struct etc_numeric_sheet sheet;
	struct etc_targets exports;
	struct etc_logged_list list;
	struct etc_value_row *rows; /* list.count of them, before --method is applied */
	size_t row_count;
	struct etc_value_maker maker;
};

/* ---- all rows ---------------------------------------------------------------------------- */

static enum etc_status make_rows(struct work *w, struct etc_error *err)
{
	const char *only = w->o->method;
	bool found = false;

	w->rows = etc_new(&w->s->arena, struct etc_value_row, w->list.count);
	ETC_NEED(w->rows, err);
	for (size_t i = 0; i < w->list.count; i++) {
		struct etc_logged *g = &w->list.v[i];

		if (only && !etc_str_eq(g->method, etc_str_of(only)))
			continue;
		found = true;
		ETC_TRY(etc_value_row_make(&w->maker, g, &w->rows[w->row_count], err));
		/* list.v[i] stays the value of row i: exports look elements up by row. */
		w->list.v[w->row_count++] = *g;
	}
	if (only && !found && w->list.count)
		return etc_fail(err, E0508, "'%s'; of the values " ETC_STR_FMT " is known", only,
		                ETC_STR_ARG(w->list.v[0].method.len ? w->list.v[0].method
		                                                    : ETC_STR("no method")));
	return ETC_OK;
}

static bool several_methods(const struct work *w)
{
	for (size_t i = 1; i < w->row_count; i++)
		if (!etc_str_eq(w->rows[i].method, w->rows[0].method))
			return true;
	return false;
}

static struct etc_str headline(const struct work *w, const uint32_t *rows, uint32_t count)
{
	size_t tensors = 0, with_nan = 0, with_inf = 0, runs = 0;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct etc_value_row *r = &w->rows[rows[i]];

		tensors += r->is_tensor;
		bytes += r->bytes;
		with_nan += r->summary.nan > 0;
		with_inf += r->summary.inf > 0;
		runs += i == 0 || r->run != w->rows[rows[i - 1]].run;
	}
	return etc_arena_printf(&w->s->arena,
	                        "%lu values of %zu run%s: %zu tensors of %llu bytes, %zu with NaN, "
	                        "%zu with infinities",
	                        (unsigned long)count, runs, runs == 1 ? "" : "s", tensors,
	                        (unsigned long long)bytes, with_nan, with_inf);
}

static void remark(struct work *w)
{
	if (!w->list.count)
		etc_note(&w->s->notes, W1152, "%zu runs", w->in.trace.run_count);
	else if (!w->in.debug_buffer.path && w->in.trace.tensor_count)
		etc_note(&w->s->notes, W1150, "%zu tensors", w->in.trace.tensor_count);
	if (w->maker.unread)
		etc_note(&w->s->notes, W1151, "%zu of %zu values are not read", w->maker.unread,
		         w->list.count);
}

static enum etc_status open_all(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_options *o = w->o;

	ETC_TRY(etc_session_configure(w->s, &o->common, NULL, 0, 0, err));
	w->sheet.schema = "etcore.numeric.values/1";
	ETC_TRY(etc_numeric_sheet_parse(&w->sheet, o, etc_values_formats, w->s, err));
	ETC_TRY(etc_export_take(&w->sheet.targets, &w->exports, &w->s->arena, err));
	ETC_TRY(etc_opt_count("contents", o->contents, UINT32_MAX, &w->maker.contents, err));
	return etc_inputs_open(w->s, &o->paths, &w->in, err);
}

/* ---- exports ------------------------------------------------------------------------------ */

/* The elements of a scalar, as a tensor without dimensions. */
static bool scalar_elements(const struct etc_value *v, struct etc_elements *e)
{
	const void *at = v->tag == ETC_VALUE_FLOAT || v->tag == ETC_VALUE_DOUBLE
	                         ? (const void *)&v->d
	                         : (const void *)&v->i;

	*e = (struct etc_elements){ .type = "float64", .kind = ETC_SCALAR_FLOAT, .bits = 64 };
	if (v->tag == ETC_VALUE_INT)
		*e = (struct etc_elements){ .type = "int64",
			                    .kind = ETC_SCALAR_SIGNED,
			                    .bits = 64 };
	else if (v->tag == ETC_VALUE_BOOL)
		*e = (struct etc_elements){ .type = "bool", .kind = ETC_SCALAR_BOOL, .bits = 8 };
	e->parts = 1;
	e->count = 1;
	e->contiguous = true;
	e->bytes = (struct etc_span){ at, e->bits / 8 };
	return v->has_member && v->tag >= ETC_VALUE_INT && v->tag <= ETC_VALUE_DOUBLE;
}

/* Exports the values of these rows: readable tensors, and scalars. */
static enum etc_status export_rows(struct work *w, const uint32_t *rows, uint32_t count,
                                   struct etc_export **out, size_t *n, struct etc_error *err)
{
	struct etc_export *v = etc_new(&w->s->arena, struct etc_export, count);

	ETC_NEED(v, err);
	*out = v;
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_logged *g = &w->list.v[rows[i]];
		const struct etc_value_row *row = &w->rows[rows[i]];
		struct etc_elements e = g->elements;

		if (row->summarised || (!g->tensor && scalar_elements(g->value, &e)))
			v[(*n)++] = (struct etc_export){ row->key, e };
	}
	if (*n < count)
		etc_note(&w->s->notes, W1155, "%lu of %lu", (unsigned long)(count - *n),
		         (unsigned long)count);
	return ETC_OK;
}

static enum etc_status run(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_span *buffer = w->in.debug_buffer.path ? &w->in.debug_buffer.bytes : NULL;
	struct etc_report_file files[ETC_FILE_KINDS];
	struct etc_numeric_page page = { .files = files, .head_count = 1 };
	struct etc_str head;
	struct etc_export *tensors = NULL;
	size_t tensor_count = 0;
	struct etc_table table;
	uint32_t *rows;

	w->maker.arena = &w->s->arena;
	w->maker.sha256 = w->o->sha256;
	w->maker.bytes_left = (buffer ? (uint64_t)buffer->len : 0) * OVERLAP_MOST + OVERLAP_FREE;
	ETC_TRY(etc_logged_list(&w->in, buffer, &w->s->arena, &w->list, err));
	ETC_TRY(make_rows(w, err));
	remark(w);
	ETC_TRY(etc_view_values(w->rows, w->row_count, &w->s->arena, &table, err));
	ETC_TRY(etc_selection_rows(&w->sheet.selection, &table, NULL, &w->s->arena, &rows,
	                           &page.row_count, err));
	head = headline(w, rows, page.row_count);
	page.file_count = etc_list_files(&w->in, w->o->sha256, &w->s->arena, files);
	page.head = &head;
	page.shown = etc_values_columns(several_methods(w), w->maker.contents > 0);
	page.table = &table;
	page.rows = rows;
	if (w->exports.count)
		ETC_TRY(export_rows(w, rows, page.row_count, &tensors, &tensor_count, err));
	ETC_TRY(etc_session_report(w->s, w->o->common.strict, reply, err));
	ETC_TRY(etc_export_write(&w->exports, tensors, tensor_count, &w->s->arena, err));
	return etc_numeric_sheet_write(&w->sheet, &page, w->s, reply->out, err);
}

enum etc_status etc_numeric_values(struct etc_session *s, const void *options,
                                   const struct etc_reply *reply, struct etc_error *err)
{
	struct work w = { .o = options, .s = s };
	enum etc_status st = open_all(&w, err);

	if (st == ETC_OK)
		st = run(&w, reply, err);
	etc_selection_release(&w.sheet.selection);
	return st;
}

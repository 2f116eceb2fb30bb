/* numeric_values.c -- see numeric.h: `etcore numeric values`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/files.h"
#include "api/logged.h"
#include "api/numeric.h"
#include "api/numeric_sheet.h"
#include "base/number.h"
#include "base/sha256.h"
#include "view/values.h"

/* A run logs each value at a place of its own: bytes of all tensors together are at
 * most those of the buffer. Only a damaged dump wants many times as much read. */
enum { OVERLAP_MOST = 4, OVERLAP_FREE = 64 << 20, NODES_SHOWN = 8 };

struct work {
	const struct etc_numeric_values_options *o;
	struct etc_session *s;
	struct etc_inputs in;
	struct etc_numeric_sheet sheet;
	struct etc_logged_list list;
	struct etc_value_row *rows; /* list.count, before --method */
	size_t row_count;
	uint64_t contents;
	uint64_t bytes_left; /* that may be read */
	size_t unread, runs;
};

/* ---- texts of a row --------------------------------------------------------------- */

static struct etc_str keep(struct etc_text *t, struct etc_arena *arena, bool *ok)
{
	struct etc_str s = etc_arena_str(arena, etc_text_str(t));

	*ok = *ok && !t->failed && (s.ptr || t->len == 0);
	etc_text_release(t);
	return s;
}

static struct etc_str list_text(const int64_t *v, uint32_t count, struct etc_arena *arena, bool *ok)
{
	struct etc_text t = { 0 };

	etc_text_char(&t, '[');
	for (uint32_t i = 0; i < count; i++) {
		etc_text_cstr(&t, i ? ", " : "");
		etc_text_i64(&t, v[i]);
	}
	etc_text_char(&t, ']');
	return keep(&t, arena, ok);
}

/* Dimensions by their strides, the widest first; of equal ones the first. */
static struct etc_str order_text(const struct etc_tensor *t, struct etc_arena *arena, bool *ok)
{
	int64_t order[ETC_LIMIT_TENSOR_RANK];

	if (t->rank > ETC_LIMIT_TENSOR_RANK || t->stride_count != t->rank)
		return (struct etc_str){ 0 };
	for (uint32_t i = 0; i < t->rank; i++) {
		uint32_t at = i;

		while (at > 0 && t->strides[order[at - 1]] < t->strides[i]) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
	return list_text(order, t->rank, arena, ok);
}

static struct etc_str nodes_text(const struct etc_place *p, struct etc_arena *arena, bool *ok)
{
	struct etc_text t = { 0 };

	for (uint32_t i = 0; i < p->count && i < NODES_SHOWN; i++) {
		etc_text_cstr(&t, i ? ", " : "");
		etc_text_put(&t, p->nodes[i]->name);
	}
	if (p->count > NODES_SHOWN)
		etc_text_printf(&t, ", ... %lu in all", (unsigned long)p->count);
	return keep(&t, arena, ok);
}

/* "forward.run1.event0.addmm_out": letters, digits and _ between the points. */
static struct etc_str key_text(const struct etc_logged *g, struct etc_str name,
                               struct etc_arena *arena, bool *ok)
{
	struct etc_str parts[2] = { g->method, name };
	struct etc_text t = { 0 };

	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < parts[k].len && i < 100; i++) {
			char c = parts[k].ptr[i];
			bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			             (c >= '0' && c <= '9');

			etc_text_char(&t, plain ? c : '_');
		}
		if (k == 0) {
			etc_text_printf(&t, "%srun%lu.event%lu", t.len ? "." : "",
			                (unsigned long)g->run, (unsigned long)g->event);
			if (g->item >= 0)
				etc_text_printf(&t, ".%ld", (long)g->item);
			etc_text_cstr(&t, name.len ? "." : "");
		}
	}
	return keep(&t, arena, ok);
}

/* The fewest digits that read back as the same float: those of a double would show
 * what no float has. */
static void put_float(struct etc_text *t, double v)
{
	char text[40];
	int n = 0;

	for (int digits = 6; digits <= 9; digits++) {
		n = snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtof(text, NULL) == (float)v)
			break;
	}
	etc_text_put(t, (struct etc_str){ text, (size_t)n });
}

static void put_number(struct etc_text *t, double v, bool narrow)
{
	char text[ETC_NUMBER_MAX];

	if (!isfinite(v))
		etc_text_cstr(t, isnan(v) ? "\"nan\"" : v > 0 ? "\"inf\"" : "\"-inf\"");
	else if (narrow)
		put_float(t, v);
	else
		etc_text_put(t, (struct etc_str){ text, etc_number_repr(text, v) });
}

static struct etc_str contents_text(const struct etc_elements *e, uint64_t most,
                                    struct etc_arena *arena, bool *ok)
{
	uint64_t n = e->count < most ? e->count : most;
	struct etc_text t = { 0 };

	etc_text_char(&t, '[');
	for (uint64_t i = 0; i < n && !t.failed; i++) {
		etc_text_cstr(&t, i ? ", " : "");
		if (!etc_elements_are_integers(e))
			put_number(&t, etc_element_real(e, i, 0), e->bits < 64);
		else if (e->kind == ETC_SCALAR_UNSIGNED)
			etc_text_u64(&t, (uint64_t)etc_element_integer(e, i));
		else
			etc_text_i64(&t, etc_element_integer(e, i));
	}
	etc_text_char(&t, ']');
	return keep(&t, arena, ok);
}

/* ---- a row --------------------------------------------------------------------------- */

static void set_scalar(const struct etc_value *v, struct etc_value_row *row,
                       struct etc_arena *arena, bool *ok)
{
	static const char *const types[] = {
		[ETC_VALUE_NULL] = "none",
		[ETC_VALUE_INT] = "int",
		[ETC_VALUE_BOOL] = "bool",
		[ETC_VALUE_FLOAT] = "float",
		[ETC_VALUE_DOUBLE] = "double",
		[ETC_VALUE_TENSOR] = "tensor",
		[ETC_VALUE_TENSOR_LIST] = "tensor list",
		[ETC_VALUE_STRING] = "string",
	};
	struct etc_text t = { 0 };

	if (!v->present || v->tag < 0 || v->tag > ETC_VALUE_STRING)
		return;
	row->type = types[v->tag];
	if (!v->has_member)
		return;
	if (v->tag == ETC_VALUE_INT || v->tag == ETC_VALUE_BOOL) {
		row->scalar = (struct etc_cell){ .kind = ETC_CELL_INT, .i = v->i };
		etc_text_i64(&t, v->i);
	} else if (v->tag == ETC_VALUE_FLOAT || v->tag == ETC_VALUE_DOUBLE) {
		row->scalar = (struct etc_cell){ .kind = ETC_CELL_REAL, .f = v->d };
		put_number(&t, v->d, v->tag == ETC_VALUE_FLOAT);
	} else if (v->tag == ETC_VALUE_STRING) {
		etc_text_char(&t, '"');
		etc_text_json(&t, v->text);
		etc_text_char(&t, '"');
	}
	row->contents = keep(&t, arena, ok);
}

static void add_sha256(void *arg, struct etc_span bytes)
{
	etc_sha256_add(arg, bytes);
}

static void summarise(struct work *w, const struct etc_logged *g, struct etc_value_row *row,
                      bool *ok)
{
	const struct etc_elements *e = &g->elements;
	struct etc_arena *arena = &w->s->arena;
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_sha256 sha;
	struct etc_text hex = { 0 };

	if (row->bytes > w->bytes_left) {
		w->unread++;
		row->problem = "W1151";
		return;
	}
	w->bytes_left -= row->bytes;
	etc_sha256_init(&sha);
	etc_summarise(e, &row->summary, w->o->sha256 ? add_sha256 : NULL, &sha);
	row->summarised = true;
	row->integers = etc_elements_are_integers(e);
	row->is_unsigned = e->kind != ETC_SCALAR_SIGNED;
	if (w->contents)
		row->contents = contents_text(e, w->contents, arena, ok);
	if (!w->o->sha256)
		return;
	etc_sha256_end(&sha, digest);
	etc_text_hex(&hex, (struct etc_span){ digest, sizeof digest });
	row->sha256 = keep(&hex, arena, ok);
}

/* What the dump says of a tensor, whether or not it can be read. */
static void set_tensor(struct work *w, const struct etc_logged *g, struct etc_value_row *row,
                       bool *ok)
{
	const struct etc_torch_dtype *type = etc_torch_dtype_of_scalar(g->tensor->scalar_type);
	const struct etc_tensor *t = g->tensor;
	struct etc_arena *arena = &w->s->arena;

	row->is_tensor = true;
	row->offset = t->offset;
	row->type = type ? type->name.ptr : NULL;
	row->shape = list_text(t->sizes, t->rank, arena, ok);
	if (t->stride_count)
		row->strides = list_text(t->strides, t->stride_count, arena, ok);
	row->dim_order = order_text(t, arena, ok);
	if (g->problem) {
		row->problem = etc_code_info(g->problem)->name;
		return;
	}
	if (!g->elements.type)
		return;
	row->elements = g->elements.count;
	if (__builtin_mul_overflow(g->elements.count, g->elements.bits, &row->bytes))
		row->bytes = UINT64_MAX;
	else
		row->bytes = row->bytes / 8 + (row->bytes % 8 != 0);
	if (g->readable)
		summarise(w, g, row, ok);
}

static enum etc_status make_row(struct work *w, const struct etc_logged *g,
                                struct etc_value_row *row, struct etc_error *err)
{
	static const char *const whats[] = {
		[ETC_LOGGED_OTHER] = "other",       [ETC_LOGGED_OUTPUT] = "output",
		[ETC_LOGGED_OPERATOR] = "operator", [ETC_LOGGED_ARGUMENT] = "argument",
		[ETC_LOGGED_DELEGATE] = "delegate",
	};
	const struct etc_handles *h = g->of->handles;
	const struct etc_event *e = g->of->event;
	struct etc_arena *arena = &w->s->arena;
	bool inside = e->chain != UINT64_MAX, ok = true;

	*row = (struct etc_value_row){
		.method = g->method,
		.name = g->of->name,
		.what = whats[g->what],
		.run = g->run,
		.event = g->event,
		.item = g->item,
	};
	if (!row->name.len && g->what == ETC_LOGGED_OUTPUT)
		row->name = ETC_STR("output");
	if (inside)
		row->instruction = etc_arena_printf(arena, "%llu:%ld", (unsigned long long)e->chain,
		                                    (long)e->instruction_id);
	row->nodes = nodes_text(g->of->place, arena, &ok);
	if (h && (h->form == ETC_HANDLES_INT || h->form == ETC_HANDLES_LIST))
		row->handles = list_text(h->v, h->count, arena, &ok);
	row->key = key_text(g, row->name, arena, &ok);
	if (g->tensor)
		set_tensor(w, g, row, &ok);
	else
		set_scalar(g->value, row, arena, &ok);
	return ok ? ETC_OK : etc_fail(err, E0904, "texts of a value");
}

/* ---- all of them ------------------------------------------------------------------------ */

static enum etc_status make_rows(struct work *w, struct etc_error *err)
{
	const char *only = w->o->method;
	bool found = false;

	w->rows = etc_new(&w->s->arena, struct etc_value_row, w->list.count);
	if (!w->rows)
		return etc_fail(err, E0904, "%zu values", w->list.count);
	for (size_t i = 0; i < w->list.count; i++) {
		struct etc_logged *g = &w->list.v[i];

		if (only && !etc_str_eq(g->method, etc_str_of(only)))
			continue;
		found = true;
		ETC_TRY(make_row(w, g, &w->rows[w->row_count], err));
		/* The list goes on with the rows, one to one: exports look elements up. */
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
	                        "%lu values of %zu runs: %zu tensors of %llu bytes, %zu with NaN, "
	                        "%zu with infinities",
	                        (unsigned long)count, runs, tensors, (unsigned long long)bytes,
	                        with_nan, with_inf);
}

static void remark(struct work *w)
{
	if (!w->list.count)
		etc_note(&w->s->notes, W1152, "%zu runs", w->in.trace.run_count);
	else if (!w->in.debug_buffer.path && w->in.trace.tensor_count)
		etc_note(&w->s->notes, W1150, "%zu tensors", w->in.trace.tensor_count);
	if (w->unread)
		etc_note(&w->s->notes, W1151, "%zu of %zu values are not read", w->unread,
		         w->list.count);
}

static enum etc_status parse_contents(struct work *w, struct etc_error *err)
{
	const char *text = w->o->contents;

	if (text &&
	    (!etc_number_parse_u64(etc_str_of(text), &w->contents) || w->contents > UINT32_MAX))
		return etc_fail(err, E0505, "--contents '%s'; expected a whole number from 0",
		                text);
	return ETC_OK;
}

static enum etc_status open_all(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_values_options *o = w->o;
	struct etc_input_paths paths = {
		.dump = o->dump,
		.etrecord = o->etrecord,
		.debug_buffer = o->debug_buffer,
		.no_siblings = o->no_siblings,
		.verbose = o->common.verbose > 0,
	};
	struct etc_numeric_words words = {
		.output = o->output,
		.output_count = o->output_count,
		.where = o->where,
		.where_count = o->where_count,
		.top = o->top,
		.sort = o->sort,
		.columns = o->columns,
		.terminal = o->terminal,
		.ascii = o->ascii,
		.width = o->width,
	};

	ETC_TRY(etc_session_configure(w->s, &o->common, NULL, 0, 0, err));
	w->sheet.schema = "etcore.numeric.values/1";
	ETC_TRY(etc_numeric_sheet_parse(&w->sheet, &words, false, w->s, err));
	ETC_TRY(parse_contents(w, err));
	return etc_inputs_open(w->s, &paths, &w->in, err);
}

static enum etc_status run(struct work *w, struct etc_text *out, etc_note_fn *on_note, void *arg,
                           struct etc_error *err)
{
	const struct etc_span *buffer = w->in.debug_buffer.path ? &w->in.debug_buffer.bytes : NULL;
	struct etc_report_file files[ETC_FILE_KINDS];
	struct etc_numeric_page page = { .files = files, .head_count = 1 };
	struct etc_str head;
	struct etc_table table;
	uint32_t *rows;

	w->bytes_left = buffer ? buffer->len : 0;
	w->bytes_left = w->bytes_left * OVERLAP_MOST + OVERLAP_FREE;
	ETC_TRY(etc_logged_list(&w->in, buffer, &w->s->arena, &w->list, err));
	ETC_TRY(make_rows(w, err));
	remark(w);
	ETC_TRY(etc_view_values(w->rows, w->row_count, &w->s->arena, &table, err));
	ETC_TRY(etc_numeric_sheet_rows(&w->sheet, &table, &w->s->arena, &rows, &page.row_count,
	                               err));
	head = headline(w, rows, page.row_count);
	page.file_count = etc_list_files(&w->in, w->o->sha256, &w->s->arena, files);
	page.head = &head;
	page.shown = etc_values_columns(several_methods(w), w->contents > 0);
	page.table = &table;
	page.rows = rows;
	ETC_TRY(etc_session_report(w->s, w->o->common.strict, on_note, arg, err));
	return etc_numeric_sheet_write(&w->sheet, &page, w->s, out, err);
}

enum etc_status etc_numeric_values(const struct etc_numeric_values_options *options,
                                   struct etc_text *out, etc_note_fn *on_note, void *arg,
                                   struct etc_error *err)
{
	struct etc_session s;
	struct work w = { .o = options, .s = &s };
	enum etc_status st;

	etc_session_init(&s, 0);
	st = open_all(&w, err);
	if (st == ETC_OK)
		st = run(&w, out, on_note, arg, err);
	etc_numeric_sheet_release(&w.sheet);
	etc_session_release(&s);
	return st;
}

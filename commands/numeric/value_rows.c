/* value_rows.c -- see value_rows.h */
#include "commands/numeric/value_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/sha256.h"
#include "table/cells.h"

enum { NODES_SHOWN = 8 };

/* ---- texts of a row --------------------------------------------------------------- */

static struct etc_str keep(struct etc_text *t, struct etc_arena *arena, bool *ok)
{
	struct etc_str s = etc_text_keep(t, arena);

	*ok = *ok && s.ptr;
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

/* The dimensions sorted by stride, largest first; equal strides in the order of
 * dimensions. */
static struct etc_str order_text(const struct etc_tensor *t, struct etc_arena *arena, bool *ok)
{
	int64_t order[ETC_LIMIT_TENSOR_RANK] = { 0 };

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

/* "forward.run1.event0.addmm_out": parts of letters, digits and _, joined by points. */
static struct etc_str key_text(const struct etc_logged *g, struct etc_str name,
                               struct etc_arena *arena, bool *ok)
{
	struct etc_str parts[2] = { g->method, name };
	struct etc_text t = { 0 };

	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < parts[k].len && i < 100; i++) {
			char c = parts[k].ptr[i];

			etc_text_char(&t, etc_is_alphanumeric(c) ? c : '_');
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

/* Appends the shortest number that reads back as the same float; a double's digits would
 * suggest a precision that a float does not have. */
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
		row->scalar = etc_cell_int(v->i);
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

static void summarise(struct etc_value_maker *m, const struct etc_logged *g,
                      struct etc_value_row *row, bool *ok)
{
	const struct etc_elements *e = &g->elements;
	struct etc_arena *arena = m->arena;
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_sha256 sha;
	struct etc_text hex = { 0 };

	if (row->bytes > m->bytes_left) {
		m->unread++;
		row->problem = "W1151";
		return;
	}
	m->bytes_left -= row->bytes;
	etc_sha256_init(&sha);
	etc_summarise(e, &row->summary, m->sha256 ? etc_sha256_part : NULL, &sha);
	row->summarised = true;
	row->integers = etc_elements_are_integers(e);
	row->is_unsigned = e->kind != ETC_SCALAR_SIGNED;
	if (m->contents)
		row->contents = contents_text(e, m->contents, arena, ok);
	if (!m->sha256)
		return;
	etc_sha256_end(&sha, digest);
	etc_text_hex(&hex, (struct etc_span){ digest, sizeof digest });
	row->sha256 = keep(&hex, arena, ok);
}

/* Fills the columns that the dump has for every tensor, readable or not. */
static void set_tensor(struct etc_value_maker *m, const struct etc_logged *g,
                       struct etc_value_row *row, bool *ok)
{
	const struct etc_torch_dtype *type = etc_torch_dtype_of_scalar(g->tensor->scalar_type);
	const struct etc_tensor *t = g->tensor;
	struct etc_arena *arena = m->arena;

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
		summarise(m, g, row, ok);
}

enum etc_status etc_value_row_make(struct etc_value_maker *m, const struct etc_logged *g,
                                   struct etc_value_row *row, struct etc_error *err)
{
	static const char *const whats[] = {
		[ETC_LOGGED_OTHER] = "other",       [ETC_LOGGED_OUTPUT] = "output",
		[ETC_LOGGED_OPERATOR] = "operator", [ETC_LOGGED_ARGUMENT] = "argument",
		[ETC_LOGGED_DELEGATE] = "delegate",
	};
	const struct etc_handles *h = g->of->handles;
	const struct etc_event *e = g->of->event;
	struct etc_arena *arena = m->arena;
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
		set_tensor(m, g, row, &ok);
	else
		set_scalar(g->value, row, arena, &ok);
	return ok ? ETC_OK : etc_no_memory(err);
}

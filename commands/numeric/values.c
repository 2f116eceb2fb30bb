/* values.c -- runs `etcore numeric values`, which lists the values that runs logged; see
 * numeric.h. */
#include "context/files.h"

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/grow.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/sha256.h"
#include "commands/numeric/export.h"
#include "commands/numeric/logged.h"
#include "commands/numeric/numeric.h"
#include "commands/numeric/sheet.h"
#include "profile/profile.h"
#include "profile/remarks.h"
#include "table/cells.h"
#include "table/table.h"
#include "tensor/summary.h"

/* ---- the table ----------------------------------------------------------------- */

struct etc_value_row {
	/* name under which the formats npz and safetensors store the value; unique in a file */
	struct etc_str key;
	struct etc_str method, name, nodes, handles, instruction;
	/* what the value is: "operator", "delegate", "argument", "output", "other" */
	const char *what;
	uint32_t run, event; /* index of the run in the dump, and of the event in the run */
	/* index of the value in a logged list, or among the outputs of its run; -1: the value is in
	 * neither */
	int32_t item;
	/* tensor: torch's name of the element type; other value: "int", "bool", "float", "double",
	 * "string", "none" ...; NULL: unknown */
	const char *type;
	struct etc_str shape, strides,
		/* JSON lists; empty: the value has none, or the dim order is the default one for
		 * the shape */
		dim_order;
	bool is_tensor, summarised;
	uint64_t elements, bytes;
	int64_t offset;             /* offset of a tensor in the debug buffer, in bytes */
	struct etc_summary summary; /* valid if summarised */
	bool integers; /* the elements are integers: summary.min_bits and max_bits are valid */
	bool is_unsigned;
	struct etc_cell scalar; /* the value, if it is a single number; else BLANK */
	struct etc_str sha256, contents;
	/* code of the diagnostic that says why the value cannot be read; NULL: it can be read */
	const char *problem;
};

static const struct etc_column columns[] = {
#define COLUMN(key, heading, form, may_go, meaning, value) \
	{ .name = key, .title = heading, .help = meaning, .optional = may_go, ETC_FORM_##form },
#include "commands/numeric/values_columns.def"
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* Returns an integer as an exact cell. `bits` are its 64 bits, as stored in the summary. */
static struct etc_cell integer_cell(uint64_t bits, bool is_unsigned)
{
	if (is_unsigned)
		return etc_cell_u64(bits);
	return etc_cell_int((int64_t)bits);
}

/* Returns the cell for the smallest or largest element. `bits`: the 64 bits of this element if the
 * elements are integers; `number`: the element, otherwise. */
static struct etc_cell end_cell(const struct etc_value_row *v, uint64_t bits, double number)
{
	if (!v->summarised)
		return v->scalar;
	if (!v->summary.has_range)
		return etc_cell_blank();
	return v->integers ? integer_cell(bits, v->is_unsigned) : etc_cell_double(number);
}

static struct etc_cell mean_cell(const struct etc_value_row *v)
{
	if (!v->summarised)
		return v->scalar;
	return isnan(v->summary.mean) ? etc_cell_blank() : etc_cell_double(v->summary.mean);
}

static enum etc_status fill(const struct etc_value_row *v, struct etc_cell *c,
                            struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_summary *s = &v->summary;
	struct etc_str hash = ETC_STR("");

	if (v->summarised)
		hash = etc_arena_printf(arena, "%016llx", (unsigned long long)s->hash);
	ETC_NEED(hash.ptr, err);
#define COLUMN(key, heading, form, optional, help, value) *c++ = value;
#include "commands/numeric/values_columns.def"
	return ETC_OK;
}

/* Makes the table, one row per element of `rows`. E0904. */
static enum etc_status make_table(const struct etc_value_row *rows, size_t count,
                                  struct etc_arena *arena, struct etc_table *out,
                                  struct etc_error *err)
{
	ETC_NEED(count <= UINT32_MAX, err);
	ETC_TRY(etc_table_make(out, columns, COLUMNS, (uint32_t)count, arena, err));
	for (size_t i = 0; i < count; i++)
		ETC_TRY(fill(&rows[i], &out->cells[i * COLUMNS], arena, err));
	return ETC_OK;
}

/* Returns the names of the columns that fit on a screen, separated by ',', as etc_selection_parse()
 * reads them. */
static const char *table_columns(bool several_methods, bool contents, bool sha256)
{
#define VALUES(hash) \
	"run,what,name,nodes,handles,item,type,shape,min,max,mean,nan,inf," hash ",problem"
#define CONTENTS "run,what,name,handles,item,type,shape,contents,"
	static const char *const lists[2][2][2] = {
		{ { VALUES("xxh64"), VALUES("sha256") },
		  { CONTENTS "problem", CONTENTS "sha256,problem" } },
		{ { "method," VALUES("xxh64"), "method," VALUES("sha256") },
		  { "method," CONTENTS "problem", "method," CONTENTS "sha256,problem" } },
	};

	return lists[several_methods][contents][sha256];
#undef VALUES
#undef CONTENTS
}

/* ---- a row: description and contents of a logged value ------------------------- */

struct etc_value_maker {
	struct etc_arena *arena; /* memory for the texts */
	uint64_t contents;       /* number of elements to show */
	bool sha256;
	uint64_t bytes_left; /* number of bytes that may still be read */
	size_t unread; /* number of values that were not read because `bytes_left` was too small */
	struct etc_map places; /* maps the address of a place to an index in `nodes` */
	struct etc_grow nodes; /* struct etc_str: the nodes of each place as text */
};

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

/* Returns the list of the tensor's dimensions, sorted by stride, the largest first. Dimensions with
 * equal strides keep their order. */
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

/* Names each node once: a delegate has the handle of an operator several times if it computes
 * several of the operator's nodes. */
static struct etc_str nodes_text(const struct etc_place *p, struct etc_arena *arena, bool *ok)
{
	struct etc_text t = { 0 };
	struct etc_map seen;
	size_t n = 0;

	etc_map_init(&seen, arena);
	for (uint32_t i = 0; i < p->count && *ok; i++) {
		size_t at = etc_map_add(&seen, p->nodes[i]->name, n);

		*ok = at != ETC_MAP_NONE;
		if (at != n || n++ >= NODES_SHOWN)
			continue;
		etc_text_cstr(&t, n > 1 ? ", " : "");
		etc_text_put(&t, p->nodes[i]->name);
	}
	if (n > NODES_SHOWN)
		etc_text_printf(&t, ", ... %zu in all", n);
	return keep(&t, arena, ok);
}

/* Returns the value's name in files to which tensors are written, such as
 * "forward.run1.event0.addmm_out". Its parts consist of letters, digits and '_', and are joined by
 * '.'. */
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

/* Appends the shortest number that gives the same float when it is read. (The digits of a double
 * would suggest a precision that a float does not have.) */
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

/* Fills the columns that are known for every tensor, even for one whose elements cannot be read. */
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

/* Returns the nodes of `place` as text, which is made only once for the values of all runs. */
static struct etc_str nodes_of(struct etc_value_maker *m, const struct etc_place *place, bool *ok)
{
	const struct etc_str key = { (const char *)&place, sizeof place };
	const size_t at = etc_map_intern(&m->places, key, m->nodes.count);
	struct etc_str *text;

	if (at < m->nodes.count)
		return ((struct etc_str *)m->nodes.items)[at];
	text = at == ETC_MAP_NONE ? NULL : ETC_GROW(m->arena, &m->nodes, struct etc_str);
	*ok = *ok && text;
	if (*ok)
		*text = nodes_text(place, m->arena, ok);
	return *ok ? *text : ETC_STR_NONE;
}

/* Fills the row of a logged value. Reads the elements of the value once. E0904. */
static enum etc_status make_row(struct etc_value_maker *m, const struct etc_logged *g,
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
	row->nodes = nodes_of(m, g->of->place, &ok);
	if (h && (h->form == ETC_HANDLES_INT || h->form == ETC_HANDLES_LIST))
		row->handles = list_text(h->v, h->count, arena, &ok);
	row->key = key_text(g, row->name, arena, &ok);
	if (g->tensor)
		set_tensor(m, g, row, &ok);
	else
		set_scalar(g->value, row, arena, &ok);
	return ok ? ETC_OK : etc_no_memory(err);
}

/* In an undamaged dump, the tensors of all runs do not overlap in the buffer, so together they are
 * at most as large as the buffer. In a damaged dump they may overlap; so at most OVERLAP_MOST times
 * the size of the buffer plus OVERLAP_FREE bytes are read. */
enum { OVERLAP_MOST = 4, OVERLAP_FREE = 64 << 20 };

struct work {
	const struct etc_numeric_options *o;
	struct etc_session *s;
	struct etc_inputs in;
	struct etc_numeric_sheet sheet;
	struct etc_targets exports;
	struct etc_logged_list list;
	struct etc_value_row *rows; /* room for list.count rows, of which row_count are filled */
	size_t row_count;
	struct etc_value_maker maker;
};

/* ---- all rows ---------------------------------------------------------------------------- */

/* Fails with E0508: no run of this method logged values. */
static enum etc_status unknown_method(struct work *w, const char *only, struct etc_error *err)
{
	struct etc_str *names = etc_new(&w->s->arena, struct etc_str, w->list.count);
	size_t n = 0;

	ETC_NEED(names, err);
	for (size_t i = 0; i < w->list.count; i++)
		if (!n || !etc_str_eq(names[n - 1], w->list.v[i].method))
			names[n++] = w->list.v[i].method;
	return etc_fail_unknown(err, E0508, etc_str_of(only), names, n, "the dump has values of",
	                        "the methods of this dump are not known");
}

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
		ETC_TRY(make_row(&w->maker, g, &w->rows[w->row_count], err));
		/* list.v is overwritten so that list.v[i] is the value of row i, because exports
		 * find elements by row. */
		w->list.v[w->row_count++] = *g;
	}
	return only && !found && w->list.count ? unknown_method(w, only, err) : ETC_OK;
}

static bool several_methods(const struct work *w)
{
	for (size_t i = 1; i < w->row_count; i++)
		if (!etc_str_eq(w->rows[i].method, w->rows[0].method))
			return true;
	return false;
}

/* Sets of[0 .. count) to the numbers of the runs of the rows `rows`, in ascending order. Returns
 * the number of different runs. */
static size_t different_runs(const struct work *w, const uint32_t *rows, uint32_t count,
                             uint64_t *of)
{
	size_t runs = 0;

	for (uint32_t i = 0; i < count; i++)
		of[i] = w->rows[rows[i]].run;
	qsort(of, count, sizeof *of, etc_by_u64);
	for (uint32_t i = 0; i < count; i++)
		runs += i == 0 || of[i] != of[i - 1];
	return runs;
}

static enum etc_status headline(const struct work *w, const uint32_t *rows, uint32_t count,
                                struct etc_str *head, struct etc_error *err)
{
	uint64_t *of = etc_new(&w->s->arena, uint64_t, count);
	size_t tensors = 0, with_nan = 0, with_inf = 0, runs;
	uint64_t bytes = 0;

	ETC_NEED(of, err);
	runs = different_runs(w, rows, count, of);
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_value_row *r = &w->rows[rows[i]];

		tensors += r->is_tensor;
		bytes += r->bytes;
		with_nan += r->summary.nan > 0;
		with_inf += r->summary.inf > 0;
	}
	*head = etc_arena_printf(
		&w->s->arena,
		"%lu value%s of %zu run%s: %zu tensor%s of %llu bytes, %zu with NaN, "
		"%zu with infinities",
		(unsigned long)count, etc_plural(count), runs, etc_plural(runs), tensors,
		etc_plural(tensors), (unsigned long long)bytes, with_nan, with_inf);
	return head->ptr ? ETC_OK : etc_no_memory(err);
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

	ETC_TRY(etc_numeric_sheet_begin(&w->sheet, o, "etcore.numeric.values/1", etc_values_formats,
	                                w->s, err));
	ETC_TRY(etc_export_take(&w->sheet.targets, &w->exports, &w->s->arena, err));
	ETC_TRY(etc_opt_count("contents", o->contents, UINT32_MAX, &w->maker.contents, err));
	ETC_TRY(etc_inputs_open(w->s, &o->paths, &w->in, err));
	etc_remark_foreign(&w->in, &w->s->notes);
	return etc_profile_meet(w->s, &o->common, &w->in, err);
}

/* ---- writing values to a file --------------------------------------------------------------- */

/* Describes a scalar as a tensor without dimensions. */
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

/* Exports those values of the rows `rows` that are scalars or readable tensors. */
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

	w->maker.arena = &w->s->arena;
	etc_map_init(&w->maker.places, &w->s->arena);
	w->maker.sha256 = w->o->sha256;
	w->maker.bytes_left = (buffer ? (uint64_t)buffer->len : 0) * OVERLAP_MOST + OVERLAP_FREE;
	ETC_TRY(etc_logged_list(&w->in, buffer, &w->s->arena, &w->list, err));
	ETC_TRY(make_rows(w, err));
	remark(w);
	ETC_TRY(make_table(w->rows, w->row_count, &w->s->arena, &table, err));
	ETC_TRY(etc_numeric_sheet_select(&w->sheet, &table, &page, &w->s->arena, err));
	ETC_TRY(headline(w, page.rows, page.row_count, &head, err));
	page.file_count = etc_list_files(&w->in, w->o->sha256, &w->s->arena, files);
	page.head = &head;
	page.shown = table_columns(several_methods(w), w->maker.contents > 0, w->maker.sha256);
	if (w->exports.count)
		ETC_TRY(export_rows(w, page.rows, page.row_count, &tensors, &tensor_count, err));
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

/* gap_write.c -- the frame of calculate_numeric_gap as text and JSON. */

#include "base/map.h"
#include "base/number.h"
#include "base/sha256.h"
#include "commands/inspector/numeric_gap.h"
#include "inspector/pyrepr.h"

/* find_op_names for both sides: the values of the graph, and the events, whose handles are in
 * the handles of a row. */
struct names {
	const struct etc_gap_frame *frame;
	struct etc_map merged_of; /* debug handle -> entry of gap->merged */
	uint32_t *aot, *event;    /* entry of each; UINT32_MAX: none */
	uint32_t *aot_first, *aot_list, *event_first, *event_list; /* the same as lists per entry */
};

/* The entry that has all these handles, or UINT32_MAX; no two entries share a handle. */
static uint32_t entry_of(const struct names *n, const int64_t *handle, uint32_t count)
{
	size_t first = count ? etc_map_get(&n->merged_of, etc_map_number(handle)) : ETC_MAP_NONE;

	for (uint32_t i = 1; i < count; i++)
		if (etc_map_get(&n->merged_of, etc_map_number(&handle[i])) != first)
			return UINT32_MAX;
	return first == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)first;
}

/* Makes a list for each entry, in order. */
static bool by_entry(const uint32_t *of, uint32_t count, uint32_t entries, struct etc_arena *arena,
                     uint32_t **first, uint32_t **list)
{
	*first = etc_new(arena, uint32_t, (size_t)entries + 2);
	*list = etc_new(arena, uint32_t, count);
	if (!*first || !*list)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (of[i] != UINT32_MAX)
			(*first)[of[i] + 2]++;
	for (uint32_t i = 2; i < entries + 2; i++)
		(*first)[i] += (*first)[i - 1];
	for (uint32_t i = 0; i < count; i++)
		if (of[i] != UINT32_MAX)
			(*list)[(*first)[of[i] + 1]++] = i;
	return true;
}

static bool find_names(struct names *n, struct etc_arena *arena)
{
	const struct etc_gap *g = n->frame->gap;
	const struct etc_reference_method *aot = n->frame->aot;

	etc_map_init(&n->merged_of, arena);
	for (uint32_t i = 0; i < g->merged_count; i++)
		for (uint32_t k = 0; k < g->merged[i].handle_count; k++)
			if (etc_map_add(&n->merged_of, etc_map_number(&g->merged[i].handle[k]),
			                i) == ETC_MAP_NONE)
				return false;
	n->aot = etc_new(arena, uint32_t, aot->count);
	n->event = etc_new(arena, uint32_t, g->event_count);
	if (!n->aot || !n->event)
		return false;
	for (uint32_t i = 0; i < aot->count; i++)
		n->aot[i] = entry_of(n, aot->values[i].handle, aot->values[i].handle_count);
	for (uint32_t i = 0; i < g->event_count; i++)
		n->event[i] = entry_of(n, g->events[i].handle, g->events[i].handle_count);
	return by_entry(n->aot, aot->count, g->merged_count, arena, &n->aot_first, &n->aot_list) &&
	       by_entry(n->event, g->event_count, g->merged_count, arena, &n->event_first,
	                &n->event_list);
}

/* ---- cells: JSON, or as Python prints them ------------------------------------------ */

struct style {
	bool json;
};

static void put_str(struct etc_text *t, struct style s, struct etc_str v)
{
	if (!s.json) {
		etc_py_str(t, v);
		return;
	}
	etc_text_json_string(t, v);
}

static void put_double(struct etc_text *t, struct style s, double v)
{
	char text[ETC_NUMBER_MAX];

	if (s.json)
		etc_text_json_real(t, v);
	else
		etc_text_put(t, (struct etc_str){ text, etc_number_repr(text, v) });
}

static void put_handle(struct etc_text *t, struct style s, const struct etc_gap_runtime *r)
{
	etc_text_char(t, s.json ? '[' : '(');
	for (uint32_t i = 0; i < r->handle_count; i++) {
		etc_text_cstr(t, i ? ", " : "");
		etc_text_i64(t, r->handle[i]);
	}
	etc_text_cstr(t, s.json ? "]" : r->handle_count == 1 ? ",)" : ")");
}

static void put_tensor(struct etc_text *t, struct style s, const char *dtype, const int64_t *sizes,
                       uint32_t rank, const uint8_t digest[ETC_SHA256_BYTES])
{
	etc_text_printf(t, s.json ? "{\"dtype\": \"%s\", \"shape\": [" : "%s[", dtype);
	for (uint32_t i = 0; i < rank; i++) {
		etc_text_cstr(t, i ? ", " : "");
		etc_text_i64(t, sizes[i]);
	}
	etc_text_char(t, ']');
	if (!s.json)
		return;
	etc_text_cstr(t, ", \"sha256\": \"");
	etc_text_hex(t, (struct etc_span){ digest, ETC_SHA256_BYTES });
	etc_text_cstr(t, "\"}");
}

/* Numbers as record_references.py writes them: 64-bit integers and floats. */
static bool put_number(struct etc_text *t, struct style s, const struct etc_safetensor *a)
{
	int64_t i;
	double d;

	if (a->count != 1 || a->bytes.len != sizeof i)
		return false;
	memcpy(&i, a->bytes.ptr, sizeof i);
	memcpy(&d, a->bytes.ptr, sizeof d);
	if (a->type->kind == ETC_SCALAR_FLOAT)
		put_double(t, s, d);
	else
		etc_text_i64(t, i);
	return true;
}

static void put_aot(struct etc_text *t, struct style s, const struct etc_reference *v)
{
	const struct etc_safetensor *a = v->items[0];
	uint8_t digest[ETC_SHA256_BYTES];

	if (v->kind == ETC_REFERENCE_NUMBER && put_number(t, s, a))
		return;
	etc_sha256_of(a->bytes, digest);
	etc_text_cstr(t, v->kind == ETC_REFERENCE_LIST ? "[" : "");
	put_tensor(t, s, a->type->numpy ? a->type->numpy : a->type->name, a->sizes, a->rank,
	           digest);
	etc_text_cstr(t, v->kind == ETC_REFERENCE_LIST ? "]" : "");
}

static void put_run(struct etc_text *t, struct style s, const struct etc_insp_value *v)
{
	uint8_t digest[ETC_SHA256_BYTES];

	if (v->kind == ETC_INSP_FLOAT) {
		put_double(t, s, v->f);
	} else if (v->kind == ETC_INSP_TENSOR) {
		etc_insp_digest(v->tensors, digest);
		put_tensor(t, s, v->tensors->type->numpy, v->tensors->sizes, v->tensors->rank,
		           digest);
	} else if (v->kind == ETC_INSP_BOOL) {
		etc_text_cstr(t, s.json ? v->i ? "true" : "false" : v->i ? "True" : "False");
	} else {
		etc_text_i64(t, v->i);
	}
}

static void put_aot_ops(struct etc_text *t, struct style s, const struct names *n, uint32_t entry)
{
	const struct etc_reference_method *aot = n->frame->aot;
	uint32_t put = 0;

	etc_text_char(t, '[');
	for (uint32_t i = n->aot_first[entry]; i < n->aot_first[entry + 1]; i++) {
		const struct etc_reference *v = &aot->values[n->aot_list[i]];

		for (uint32_t k = 0; k < v->op_count; k++) {
			etc_text_cstr(t, put++ ? ", " : "");
			put_str(t, s, v->ops[k].name);
		}
	}
	etc_text_char(t, ']');
}

static void put_run_ops(struct etc_text *t, struct style s, const struct names *n, uint32_t entry)
{
	etc_text_char(t, '[');
	for (uint32_t i = n->event_first[entry]; i < n->event_first[entry + 1]; i++) {
		etc_text_cstr(t, i > n->event_first[entry] ? ", " : "");
		put_str(t, s, n->frame->gap->events[n->event_list[i]].name);
	}
	etc_text_char(t, ']');
}

static void put_traces(struct etc_text *t, struct style s, const struct names *n, uint32_t entry)
{
	uint32_t put = 0;

	etc_text_char(t, '{');
	for (uint32_t i = n->aot_first[entry]; i < n->aot_first[entry + 1]; i++) {
		const struct etc_reference *v = &n->frame->aot->values[n->aot_list[i]];

		for (uint32_t k = 0; k < v->op_count; k++) {
			etc_text_cstr(t, put++ ? ", " : "");
			put_str(t, s, v->ops[k].name);
			etc_text_cstr(t, ": ");
			if (v->ops[k].stack_trace.ptr)
				put_str(t, s, v->ops[k].stack_trace);
			else
				etc_text_cstr(t, s.json ? "null" : "None");
		}
	}
	etc_text_char(t, '}');
}

static void put_row(struct etc_text *t, struct style s, const struct names *n,
                    const struct etc_gap_row *row)
{
	static const char *const keys[] = {
		"{\"aot_debug_handle\": ",
		", \"aot_ops\": ",
		", \"aot_intermediate_output\": ",
		", \"runtime_ops\": ",
		", \"runtime_debug_handle\": ",
		", \"runtime_intermediate_output\": ",
		", \"gap\": [",
		", \"stacktraces\": ",
	};
	uint32_t entry = (uint32_t)(row->runtime - n->frame->gap->merged);

	for (unsigned c = 0; c < sizeof keys / sizeof keys[0]; c++) {
		etc_text_cstr(t, s.json ? keys[c] : c ? "\t" : "");
		if (c == 0 || c == 4)
			put_handle(t, s, row->runtime);
		else if (c == 1)
			put_aot_ops(t, s, n, entry);
		else if (c == 2)
			put_aot(t, s, row->aot);
		else if (c == 3)
			put_run_ops(t, s, n, entry);
		else if (c == 5)
			put_run(t, s, row->value);
		else if (c == 7)
			put_traces(t, s, n, entry);
		if (c != 6)
			continue;
		etc_text_cstr(t, s.json ? "" : "[");
		put_double(t, s, row->gap);
		etc_text_char(t, ']');
	}
	etc_text_cstr(t, s.json ? "}" : "\n");
}

/* ---- documents ----------------------------------------------------------------------- */

enum etc_status etc_insp_gap_text(struct etc_inspector *in, const struct etc_gap_frame *frame,
                                  struct etc_text *out, struct etc_error *err)
{
	struct names n = { .frame = frame };

	ETC_NEED(find_names(&n, in->arena), err);
	if (frame->gap->row_count)
		etc_text_cstr(out,
		              "aot_debug_handle\taot_ops\taot_intermediate_output\truntime_ops\t"
		              "runtime_debug_handle\truntime_intermediate_output\tgap\t"
		              "stacktraces\n");
	for (uint32_t i = 0; i < frame->gap->row_count; i++)
		put_row(out, (struct style){ false }, &n, &frame->gap->rows[i]);
	return ETC_OK;
}

enum etc_status etc_insp_gap_json(struct etc_inspector *in, const struct etc_gap_frame *frame,
                                  struct etc_text *out, struct etc_error *err)
{
	const struct style json = { true };
	struct names n = { .frame = frame };

	ETC_NEED(find_names(&n, in->arena), err);
	etc_text_cstr(out,
	              "{\"schema\": \"etcore.inspector.numeric_gap/1\", \"reference_graph\": ");
	put_str(out, json, frame->aot->graph);
	etc_text_cstr(out, ", \"distance\": ");
	put_str(out, json, frame->distance);
	etc_text_cstr(out, ", \"rows\": [");
	for (uint32_t i = 0; i < frame->gap->row_count; i++) {
		etc_text_cstr(out, i ? ",\n" : "\n");
		put_row(out, json, &n, &frame->gap->rows[i]);
	}
	etc_text_cstr(out, "\n]}\n");
	return ETC_OK;
}

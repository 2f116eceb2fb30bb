/* gap_write.c -- writes the frame of calculate_numeric_gap as text, CSV and JSON; see
 * numeric_gap.h. */
#include "base/sha256.h"
#include "commands/inspector/numeric_gap.h"
#include "commands/inspector/values.h"
#include "table/csv.h"

/* For each value of the graph, and for each event: the entry of gap->merged that has all handles of
 * the value or event. This is what the Inspector's find_op_names finds for values and events. */
struct names {
	const struct etc_gap_frame *frame;
	uint32_t *aot, *event; /* the entry of each value, and of each event; UINT32_MAX: none */
	/* for each entry, lists of the values and of the events that belong to it */
	uint32_t *aot_first, *aot_list, *event_first, *event_list;
};

/* Returns the entry of gap->merged that has all these handles; UINT32_MAX: there is none. No two
 * entries share a handle. */
static uint32_t entry_of(const struct names *n, const int64_t *handle, uint32_t count)
{
	size_t first = count ? etc_map_get(&n->frame->gap->merged_of, etc_map_number(handle))
	                     : ETC_MAP_NONE;

	for (uint32_t i = 1; i < count; i++)
		if (etc_map_get(&n->frame->gap->merged_of, etc_map_number(&handle[i])) != first)
			return UINT32_MAX;
	return first == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)first;
}

/* Groups the indices 0 to count - 1 by entry. of[i] is the entry of index i, UINT32_MAX: none. The
 * indices of entry k are list[first[k]] to list[first[k + 1] - 1], in ascending order. False: out
 * of memory. */
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

static void put_handle(struct etc_text *t, enum etc_insp_style s, const struct etc_gap_runtime *r)
{
	etc_text_char(t, s == ETC_INSP_JSON ? '[' : '(');
	for (uint32_t i = 0; i < r->handle_count; i++) {
		etc_insp_comma(t, i);
		etc_text_i64(t, r->handle[i]);
	}
	etc_text_cstr(t, s == ETC_INSP_JSON ? "]" : r->handle_count == 1 ? ",)" : ")");
}

static void put_tensor(struct etc_text *t, enum etc_insp_style style, const char *dtype,
                       const int64_t *sizes, uint32_t rank, const uint8_t digest[ETC_SHA256_BYTES])
{
	if (style == ETC_INSP_JSON) {
		etc_insp_put_tensor(t, etc_str_of(dtype), sizes, rank, digest);
		return;
	}
	etc_text_printf(t, "%s[", dtype);
	for (uint32_t i = 0; i < rank; i++) {
		etc_insp_comma(t, i);
		etc_text_i64(t, sizes[i]);
	}
	etc_text_char(t, ']');
}

/* Writes a number in the form in which sdk/python/record_references.py stores it: a 64-bit integer
 * or float. False: the tensor is not such a number. */
static bool put_number(struct etc_text *t, enum etc_insp_style s, const struct etc_safetensor *a)
{
	int64_t i;
	double d;

	if (a->count != 1 || a->bytes.len != sizeof i)
		return false;
	memcpy(&i, a->bytes.ptr, sizeof i);
	memcpy(&d, a->bytes.ptr, sizeof d);
	if (a->type->kind == ETC_SCALAR_FLOAT)
		etc_insp_put_real(t, s, d);
	else
		etc_text_i64(t, i);
	return true;
}

static void put_aot(struct etc_text *t, enum etc_insp_style s, const struct etc_reference *v)
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

static void put_run(struct etc_text *t, enum etc_insp_style s, const struct etc_insp_value *v)
{
	uint8_t digest[ETC_SHA256_BYTES];

	if (v->kind == ETC_INSP_FLOAT) {
		etc_insp_put_real(t, s, v->f);
	} else if (v->kind == ETC_INSP_TENSOR) {
		etc_insp_digest(v->tensors, digest);
		put_tensor(t, s, v->tensors->type->numpy, v->tensors->sizes, v->tensors->rank,
		           digest);
	} else if (v->kind == ETC_INSP_BOOL) {
		etc_insp_put_bool(t, s, v->i);
	} else {
		etc_text_i64(t, v->i);
	}
}

static void put_aot_ops(struct etc_text *t, enum etc_insp_style s, const struct names *n,
                        uint32_t entry)
{
	const struct etc_reference_method *aot = n->frame->aot;
	uint32_t put = 0;

	etc_text_char(t, '[');
	for (uint32_t i = n->aot_first[entry]; i < n->aot_first[entry + 1]; i++) {
		const struct etc_reference *v = &aot->values[n->aot_list[i]];

		for (uint32_t k = 0; k < v->op_count; k++) {
			etc_insp_comma(t, put++);
			etc_insp_put_str(t, s, v->ops[k].name);
		}
	}
	etc_text_char(t, ']');
}

static void put_run_ops(struct etc_text *t, enum etc_insp_style s, const struct names *n,
                        uint32_t entry)
{
	etc_text_char(t, '[');
	for (uint32_t i = n->event_first[entry]; i < n->event_first[entry + 1]; i++) {
		etc_insp_comma(t, i - n->event_first[entry]);
		etc_insp_put_str(t, s, n->frame->gap->events[n->event_list[i]].name);
	}
	etc_text_char(t, ']');
}

static void put_traces(struct etc_text *t, enum etc_insp_style s, const struct names *n,
                       uint32_t entry)
{
	uint32_t put = 0;

	etc_text_char(t, '{');
	for (uint32_t i = n->aot_first[entry]; i < n->aot_first[entry + 1]; i++) {
		const struct etc_reference *v = &n->frame->aot->values[n->aot_list[i]];

		for (uint32_t k = 0; k < v->op_count; k++) {
			etc_insp_comma(t, put++);
			etc_insp_put_str(t, s, v->ops[k].name);
			etc_text_cstr(t, ": ");
			if (v->ops[k].stack_trace.ptr)
				etc_insp_put_str(t, s, v->ops[k].stack_trace);
			else
				etc_insp_put_none(t, s);
		}
	}
	etc_text_char(t, '}');
}

static void put_row(struct etc_text *t, enum etc_insp_style s, const struct names *n,
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
		etc_text_cstr(t, s == ETC_INSP_JSON ? keys[c] : c ? "\t" : "");
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
		etc_text_cstr(t, s == ETC_INSP_JSON ? "" : "[");
		etc_insp_put_real(t, s, row->gap);
		etc_text_char(t, ']');
	}
	etc_text_cstr(t, s == ETC_INSP_JSON ? "}" : "\n");
}

/* Writes `lines` as CSV. In `lines`, fields are separated by tabs, and no field contains a tab. */
static void put_csv(struct etc_text *out, struct etc_str lines)
{
	size_t from = 0;

	for (size_t i = 0; i < lines.len; i++) {
		if (lines.ptr[i] != '\t' && lines.ptr[i] != '\n')
			continue;
		etc_csv_field(out, etc_str_sub(lines, from, i), ',');
		etc_text_char(out, lines.ptr[i] == '\n' ? '\n' : ',');
		from = i + 1;
	}
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
		put_row(out, ETC_INSP_PYTHON, &n, &frame->gap->rows[i]);
	return ETC_OK;
}

enum etc_status etc_insp_gap_csv(struct etc_inspector *in, const struct etc_gap_frame *frame,
                                 struct etc_text *out, struct etc_error *err)
{
	struct etc_text lines = { 0 };
	enum etc_status st = etc_insp_gap_text(in, frame, &lines, err);

	if (st == ETC_OK && !lines.failed)
		put_csv(out, etc_text_str(&lines));
	out->failed |= lines.failed;
	etc_text_release(&lines);
	return st;
}

enum etc_status etc_insp_gap_json(struct etc_inspector *in, const struct etc_gap_frame *frame,
                                  struct etc_text *out, struct etc_error *err)
{
	struct names n = { .frame = frame };

	ETC_NEED(find_names(&n, in->arena), err);
	etc_text_cstr(out,
	              "{\"schema\": \"etcore.inspector.numeric_gap/1\", \"reference_graph\": ");
	etc_insp_put_str(out, ETC_INSP_JSON, frame->aot->graph);
	etc_text_cstr(out, ", \"distance\": ");
	etc_insp_put_str(out, ETC_INSP_JSON, frame->distance);
	etc_text_cstr(out, ", \"rows\": [");
	for (uint32_t i = 0; i < frame->gap->row_count; i++) {
		etc_text_cstr(out, i ? ",\n" : "\n");
		put_row(out, ETC_INSP_JSON, &n, &frame->gap->rows[i]);
	}
	etc_text_cstr(out, "\n]}\n");
	return ETC_OK;
}

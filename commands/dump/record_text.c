/* record_text.c -- writes an ETRecord as text; see record_text.h */
#include "commands/dump/record_text.h"

#include "base/codes.h"
#include "base/number.h"
#include "model/limits.h"
#include "commands/dump/etdump_text.h"

#include <stdio.h>

static void index_of(size_t i, struct etc_text *out)
{
	char number[24];

	snprintf(number, sizeof number, "[%zu]", i);
	etc_text_printf(out, "  %6s  ", number);
}

void etc_view_entry_head(struct etc_text *out)
{
	etc_text_printf(out, "  %6s  %12s %12s  %-8s  %-8s  %-10s  name\n", "[#]", "bytes",
	                "packed", "method", "crc32", "use");
}

void etc_view_entry(size_t i, const struct etc_view_entry *e, struct etc_text *out)
{
	index_of(i, out);
	etc_text_printf(out, "%12llu %12llu  %-8s  %08lx  %-10s  ", (unsigned long long)e->bytes,
	                (unsigned long long)e->packed, e->method, (unsigned long)e->crc, e->use);
	etc_view_quoted(e->name, out);
	etc_text_char(out, '\n');
}

/* ---- maps ---------------------------------------------------------------- */

static void handles(const struct etc_handles *h, struct etc_text *out)
{
	if (h->raw.len) {
		etc_view_quoted(h->raw, out);
		return;
	}
	if (h->form == ETC_HANDLES_LIST)
		etc_text_char(out, '[');
	for (uint32_t i = 0; i < h->count; i++) {
		etc_text_cstr(out, i ? ", " : "");
		etc_text_i64(out, h->v[i]);
	}
	if (h->form == ETC_HANDLES_LIST)
		etc_text_char(out, ']');
	else if (h->count == 0)
		etc_text_cstr(out, h->form == ETC_HANDLES_NULL ? "null" : "-");
}

static void handle_entry(const char *indent, const struct etc_handle_entry *e, struct etc_text *out)
{
	etc_text_cstr(out, indent);
	etc_view_quoted(e->key, out);
	etc_text_cstr(out, "  ");
	handles(&e->handles, out);
	etc_text_char(out, '\n');
}

static void handle_map(const struct etc_method_maps *m, struct etc_text *out)
{
	for (uint32_t i = 0; i < m->handle_count; i++)
		handle_entry("    ", &m->handles[i], out);
}

static void delegate_map(const struct etc_method_maps *m, struct etc_text *out)
{
	for (uint32_t i = 0; i < m->delegate_count; i++) {
		const struct etc_delegate_entry *d = &m->delegates[i];

		etc_text_cstr(out, "    ");
		etc_view_quoted(d->key, out);
		if (d->odd.kind != ETC_ODD_NONE) {
			etc_text_cstr(out, "  no object\n");
			continue;
		}
		etc_text_cstr(out, "  name ");
		if (d->has_backend)
			etc_view_quoted(d->backend, out);
		else
			etc_text_cstr(out, d->backend_is_null ? "null" : "-");
		if (d->map_is_null)
			etc_text_cstr(out, "  delegate_map null\n");
		else
			etc_text_printf(out, "  delegate_map %lu\n", (unsigned long)d->count);
		for (uint32_t k = 0; k < d->count; k++)
			handle_entry("      ", &d->ids[k], out);
	}
}

static void num_outs_map(const struct etc_method_maps *m, struct etc_text *out)
{
	for (uint32_t i = 0; i < m->num_outs_count; i++) {
		const struct etc_num_outs_entry *e = &m->num_outs[i];

		etc_text_cstr(out, "    ");
		etc_view_quoted(e->key, out);
		etc_text_cstr(out, "  ");
		if (e->raw.len)
			etc_view_quoted(e->raw, out);
		else
			etc_text_i64(out, e->outputs);
		etc_text_char(out, '\n');
	}
}

void etc_view_record_maps(const struct etc_record *r, struct etc_text *out)
{
	const struct {
		const char *name;
		bool present, null, odd;
		size_t in, odd_method; /* offsets of two members of struct etc_method_maps */
		void (*put)(const struct etc_method_maps *m, struct etc_text *out);
	} maps[] = {
		{ "debug_handle_map", r->handle_map_present, r->handle_map_null, r->handle_map_odd,
		  offsetof(struct etc_method_maps, in_handle_map),
		  offsetof(struct etc_method_maps, odd_handle_map), handle_map },
		{ "delegate_map", r->delegate_map_present, r->delegate_map_null,
		  r->delegate_map_odd, offsetof(struct etc_method_maps, in_delegate_map),
		  offsetof(struct etc_method_maps, odd_delegate_map), delegate_map },
		{ "instruction_id_to_num_outs_map", r->num_outs_map_present, r->num_outs_map_null,
		  r->num_outs_map_odd, offsetof(struct etc_method_maps, in_num_outs_map),
		  offsetof(struct etc_method_maps, odd_num_outs_map), num_outs_map },
	};

	for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
		etc_text_printf(out, "\n%s%s\n", maps[i].name,
		                !maps[i].present ? " -"
		                : maps[i].odd    ? " no object"
		                : maps[i].null   ? " null"
		                                 : "");
		for (uint32_t k = 0; k < r->method_count; k++) {
			const char *m = (const char *)&r->methods[k];

			if (!*(const bool *)(m + maps[i].in))
				continue;
			etc_text_cstr(out, "  ");
			etc_view_quoted(r->methods[k].method, out);
			etc_text_cstr(
				out,
				((const struct etc_odd *)(const void *)(m + maps[i].odd_method))
							->kind == ETC_ODD_NONE
					? "\n"
					: "  no object\n");
			maps[i].put(&r->methods[k], out);
		}
	}
}

/* ---- graphs -------------------------------------------------------------- */

const char *etc_view_graph_kind(unsigned kind)
{
	return kind == ETC_GRAPH_EDGE ? "edge" : kind == ETC_GRAPH_EXPORTED ? "exported" : "extra";
}

static void refusal(const char *what, uint32_t code, struct etc_str why, struct etc_text *out)
{
	etc_text_printf(out, "          %s", what);
	if (code)
		etc_text_printf(out, " %s", etc_code_info((enum etc_code)code)->name);
	etc_text_cstr(out, ": ");
	etc_view_quoted(why, out);
	etc_text_char(out, '\n');
}

void etc_view_record_graphs(const struct etc_record *r, struct etc_text *out)
{
	etc_text_printf(out, "\ngraphs %lu\n", (unsigned long)r->graph_count);
	if (r->graph_count)
		etc_text_printf(out, "  %6s  %-8s %7s  %-7s  name\n", "[#]", "kind", "nodes",
		                "weights");
	for (uint32_t i = 0; i < r->graph_count; i++) {
		const struct etc_graph *g = &r->graphs[i];

		index_of(i, out);
		etc_text_printf(out, "%-8s %6lu%c  %-7s  ", etc_view_graph_kind(g->kind),
		                (unsigned long)g->node_count, g->truncated ? '+' : ' ',
		                g->has_state_dict ? "yes" : "no");
		etc_view_quoted(g->name, out);
		etc_text_cstr(out, "  method ");
		etc_view_quoted(g->method, out);
		etc_text_char(out, '\n');
		if (g->python_refuses)
			refusal("Python refuses it:", g->python_refuses, g->python_reason, out);
		if (g->unsupported.len)
			refusal("the Inspector cannot show it", 0, g->unsupported, out);
	}
}

/* ---- values -------------------------------------------------------------- */

const char *etc_view_ref_kind(unsigned kind)
{
	static const char *const names[] = {
		[ETC_REF_NONE] = "none",
		[ETC_REF_BOOL] = "bool",
		[ETC_REF_INT] = "int",
		[ETC_REF_BIG] = "int",
		[ETC_REF_FLOAT] = "float",
		[ETC_REF_COMPLEX] = "complex",
		[ETC_REF_STRING] = "str",
		[ETC_REF_BYTES] = "bytes",
		[ETC_REF_BYTEARRAY] = "bytearray",
		[ETC_REF_LIST] = "list",
		[ETC_REF_TUPLE] = "tuple",
		[ETC_REF_SIZE] = "size",
		[ETC_REF_DICT] = "dict",
		[ETC_REF_ORDERED_DICT] = "dict",
		[ETC_REF_COUNTER] = "counter",
		[ETC_REF_SET] = "set",
		[ETC_REF_TENSOR] = "tensor",
		[ETC_REF_STORAGE] = "storage",
		[ETC_REF_DTYPE] = "dtype",
		[ETC_REF_OTHER] = "other",
	};

	return kind < sizeof names / sizeof names[0] ? names[kind] : "other";
}

const char *etc_view_values_state(unsigned state)
{
	static const char *const names[] = {
		[ETC_VALUES_UNREAD] = "unread",
		[ETC_VALUES_READ] = "read",
		[ETC_VALUES_REFUSED] = "refused",
		[ETC_VALUES_CLOSED] = "not read",
	};

	return state < sizeof names / sizeof names[0] ? names[state] : "unread";
}

static void tensor(const struct etc_ref_tensor *t, struct etc_text *out)
{
	etc_text_char(out, ' ');
	etc_text_put(out, t->dtype->name);
	etc_text_cstr(out, " [");
	for (uint32_t i = 0; i < t->rank && i < ETC_LIMIT_TENSOR_RANK; i++) {
		etc_text_cstr(out, i ? ", " : "");
		etc_text_i64(out, t->sizes[i]);
	}
	etc_text_cstr(out, t->rank > ETC_LIMIT_TENSOR_RANK ? ", ..." : "");
	etc_text_char(out, ']');
}

static void one_value(const struct etc_ref_value *v, struct etc_text *out)
{
	char number[ETC_NUMBER_MAX];

	etc_text_cstr(out, etc_view_ref_kind(v->kind));
	if (v->kind == ETC_REF_TENSOR) {
		tensor(v->tensor, out);
	} else if (v->kind == ETC_REF_INT || v->kind == ETC_REF_BOOL) {
		etc_text_char(out, ' ');
		etc_text_i64(out, v->integer);
	} else if (v->kind == ETC_REF_FLOAT) {
		etc_text_char(out, ' ');
		etc_text_put(out, (struct etc_str){ number, etc_number_repr(number, v->real[0]) });
	} else if (etc_ref_is_list(v) || v->kind == ETC_REF_SET) {
		etc_text_printf(out, " of %lu", (unsigned long)v->count);
	} else if (etc_ref_is_dict(v)) {
		etc_text_printf(out, " of %lu", (unsigned long)v->count / 2);
	}
}

void etc_view_record_blob(const char *name, const struct etc_record_blob *b, struct etc_text *out)
{
	if (!b->present) {
		etc_text_printf(out, "\n%s -\n", name);
		return;
	}
	etc_text_printf(out, "\n%s %zu bytes, %s", name, b->bytes, etc_view_values_state(b->state));
	if (b->why.len) {
		etc_text_cstr(out, ": ");
		etc_view_quoted(b->why, out);
	}
	if (b->value && b->method_count == 0) {
		etc_text_cstr(out, ": ");
		one_value(b->value, out);
	}
	etc_text_char(out, '\n');
	for (uint32_t m = 0; m < b->method_count; m++) {
		etc_text_cstr(out, "  ");
		etc_view_quoted(b->methods[m].method, out);
		etc_text_printf(out, "  test cases %lu\n", (unsigned long)b->methods[m].count);
		for (uint32_t c = 0; c < b->methods[m].count; c++) {
			const struct etc_record_case *one = &b->methods[m].cases[c];

			etc_text_printf(out, "    [%lu] ", (unsigned long)c);
			for (uint32_t i = 0; i < one->count; i++) {
				etc_text_cstr(out, i ? ", " : "");
				one_value(one->values[i], out);
			}
			etc_text_char(out, '\n');
		}
	}
}

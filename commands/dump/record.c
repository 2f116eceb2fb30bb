/* record.c -- writes the maps, graphs and values of an ETRecord as JSON; see record.h */
#include "commands/dump/record.h"

#include "base/codes.h"
#include "model/limits.h"
#include "commands/dump/record_text.h"
#include "commands/dump/schema.h"

void etc_dump_refusal(struct etc_emit *e, const char *name, uint32_t code, struct etc_str why)
{
	if (!code) {
		etc_emit_null(e, name);
		return;
	}
	etc_emit_open(e, name, '{');
	etc_emit_text(e, "code", etc_str_of(etc_code_info((enum etc_code)code)->name));
	etc_emit_text(e, "text", why);
	etc_emit_close(e);
}

/* ---- maps ---------------------------------------------------------------- */

/* Writes a value as its JSON text. Used for values of a type that no exporter writes. */
static void raw(struct etc_emit *e, struct etc_str key, struct etc_str text)
{
	etc_emit_open_key(e, key, '{');
	etc_emit_text(e, "raw", text.ptr ? text : ETC_STR(""));
	etc_emit_close(e);
}

/* Writes "no object" for a value that should be an object. */
static void no_object(struct etc_emit *e, struct etc_str key)
{
	etc_emit_key(e, key);
	etc_text_cstr(e->out, "\"no object\"");
}

static void handle_entry(struct etc_emit *e, const struct etc_handle_entry *x)
{
	const struct etc_handles *h = &x->handles;

	if (h->raw.len) {
		raw(e, x->key, h->raw);
		return;
	}
	if (h->form == ETC_HANDLES_LIST) {
		etc_emit_open_key(e, x->key, '[');
		for (uint32_t i = 0; i < h->count; i++)
			etc_emit_i64(e, NULL, h->v[i]);
		etc_emit_close(e);
		return;
	}
	etc_emit_key(e, x->key);
	if (h->count)
		etc_text_i64(e->out, h->v[0]);
	else
		etc_text_cstr(e->out, "null");
}

static void handle_map(struct etc_emit *e, const struct etc_method_maps *m)
{
	for (uint32_t i = 0; i < m->handle_count; i++)
		handle_entry(e, &m->handles[i]);
}

static void delegate(struct etc_emit *e, const struct etc_delegate_entry *d)
{
	if (d->has_backend)
		etc_emit_text(e, "name", d->backend);
	else if (d->backend_is_null)
		etc_emit_null(e, "name");
	if (d->map_is_null) {
		etc_emit_null(e, "delegate_map");
		return;
	}
	etc_emit_open(e, "delegate_map", '{');
	for (uint32_t i = 0; i < d->count; i++)
		handle_entry(e, &d->ids[i]);
	etc_emit_close(e);
}

static void delegate_map(struct etc_emit *e, const struct etc_method_maps *m)
{
	for (uint32_t i = 0; i < m->delegate_count; i++) {
		if (m->delegates[i].odd.kind != ETC_ODD_NONE) {
			no_object(e, m->delegates[i].key);
			continue;
		}
		etc_emit_open_key(e, m->delegates[i].key, '{');
		delegate(e, &m->delegates[i]);
		etc_emit_close(e);
	}
}

static void num_outs_map(struct etc_emit *e, const struct etc_method_maps *m)
{
	for (uint32_t i = 0; i < m->num_outs_count; i++) {
		const struct etc_num_outs_entry *x = &m->num_outs[i];

		if (x->raw.len) {
			raw(e, x->key, x->raw);
			continue;
		}
		etc_emit_key(e, x->key);
		etc_text_i64(e->out, x->outputs);
	}
}

/* One map of the record. has() returns whether the map has an entry for the method. It sets `*odd`
 * to true if the entry is not an object. put() writes the entry. */
struct map {
	const char *name;
	bool present, null, odd;
	bool (*has)(const struct etc_method_maps *m, bool *odd);
	void (*put)(struct etc_emit *e, const struct etc_method_maps *m);
};

static bool has_handles(const struct etc_method_maps *m, bool *odd)
{
	*odd = m->odd_handle_map.kind != ETC_ODD_NONE;
	return m->in_handle_map;
}

static bool has_delegates(const struct etc_method_maps *m, bool *odd)
{
	*odd = m->odd_delegate_map.kind != ETC_ODD_NONE;
	return m->in_delegate_map;
}

static bool has_num_outs(const struct etc_method_maps *m, bool *odd)
{
	*odd = m->odd_num_outs_map.kind != ETC_ODD_NONE;
	return m->in_num_outs_map;
}

void etc_dump_record_maps(const struct etc_record *r, struct etc_emit *e)
{
	const struct map maps[] = {
		{ "debug_handle_map", r->handle_map_present, r->handle_map_null, r->handle_map_odd,
		  has_handles, handle_map },
		{ "delegate_map", r->delegate_map_present, r->delegate_map_null,
		  r->delegate_map_odd, has_delegates, delegate_map },
		{ "instruction_id_to_num_outs_map", r->num_outs_map_present, r->num_outs_map_null,
		  r->num_outs_map_odd, has_num_outs, num_outs_map },
	};
	bool odd;

	etc_emit_block(e, "maps", '{');
	for (const struct map *m = maps; m < maps + sizeof maps / sizeof maps[0]; m++) {
		if (!m->present)
			continue;
		if (m->odd) {
			no_object(e, etc_str_of(m->name));
			continue;
		}
		if (m->null) {
			etc_emit_null(e, m->name);
			continue;
		}
		etc_emit_block(e, m->name, '{');
		for (uint32_t i = 0; i < r->method_count; i++) {
			if (!m->has(&r->methods[i], &odd))
				continue;
			if (odd) {
				no_object(e, r->methods[i].method);
				continue;
			}
			etc_emit_open_key(e, r->methods[i].method, '{');
			m->put(e, &r->methods[i]);
			etc_emit_close(e);
		}
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

/* ---- graphs -------------------------------------------------------------- */

static void python_refuses(const struct etc_walk *w, const char *name, const void *graph)
{
	const struct etc_graph *g = graph;

	etc_dump_refusal(w->e, name, g->python_refuses, g->python_reason);
}

/* clang-format off */
#define GRAPH struct etc_graph
static const struct etc_schema graph = { ETC_SCHEMA(GRAPH,
	{ ETC_FIELD(GRAPH, "name", name) },
	{ ETC_FIELD(GRAPH, "method", method) },
	{ ETC_FIELD(GRAPH, "kind", kind), .word = etc_view_graph_kind },
	{ ETC_FIELD(GRAPH, "nodes", node_count) },
	{ ETC_FIELD(GRAPH, "truncated", truncated) },
	{ ETC_FIELD(GRAPH, "has_state_dict", has_state_dict) },
	{ ETC_FIELD(GRAPH, "unsupported", unsupported) },
	{ ETC_FIELD_BY("python_refuses", python_refuses) }) };
static const struct etc_schema graphs = { ETC_SCHEMA(struct etc_record,
	{ ETC_FIELD_TABLES(struct etc_record, "graphs", graphs, graph_count, graph), .lines = true }),
	.bare = true };
/* clang-format on */

void etc_dump_record_graphs(const struct etc_record *r, struct etc_emit *e)
{
	etc_walk_table(&(struct etc_walk){ .e = e }, NULL, &graphs, r);
}

/* ---- values -------------------------------------------------------------- */

/* Writes the sizes of a tensor. A hostile file may have many tensors with thousands of dimensions,
 * so at most as many sizes are written as real tensors have. The member "rank" has the number of
 * all sizes. */
static void sizes(struct etc_emit *e, const char *name, const int64_t *v, uint32_t rank)
{
	etc_emit_open(e, name, '[');
	for (uint32_t i = 0; i < rank && i < ETC_LIMIT_TENSOR_RANK; i++)
		etc_emit_i64(e, NULL, v[i]);
	etc_emit_close(e);
}

static void tensor(struct etc_emit *e, const struct etc_ref_tensor *t)
{
	etc_emit_text(e, "dtype", t->dtype->name);
	etc_emit_u64(e, "rank", t->rank);
	sizes(e, "sizes", t->sizes, t->rank);
	sizes(e, "strides", t->strides, t->rank);
	etc_emit_u64(e, "offset", t->offset);
}

static void value(struct etc_emit *e, const char *name, const struct etc_ref_value *v)
{
	etc_emit_open(e, name, '{');
	etc_emit_text(e, "kind", etc_str_of(etc_view_ref_kind(v->kind)));
	if (v->kind == ETC_REF_TENSOR)
		tensor(e, v->tensor);
	else if (v->kind == ETC_REF_BOOL)
		etc_emit_bool(e, "value", v->integer != 0);
	else if (v->kind == ETC_REF_INT)
		etc_emit_i64(e, "value", v->integer);
	else if (v->kind == ETC_REF_FLOAT)
		etc_emit_real(e, "value", v->real[0]);
	else if (etc_ref_is_dict(v))
		etc_emit_u64(e, "count", v->count / 2);
	else if (etc_ref_is_list(v) || v->kind == ETC_REF_SET)
		etc_emit_u64(e, "count", v->count);
	etc_emit_close(e);
}

static void cases(struct etc_emit *e, const struct etc_record_method *m)
{
	etc_emit_open_key(e, m->method, '[');
	for (uint32_t c = 0; c < m->count; c++) {
		etc_emit_open(e, NULL, '[');
		for (uint32_t i = 0; i < m->cases[c].count; i++)
			value(e, NULL, m->cases[c].values[i]);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void blob(struct etc_emit *e, const char *name, const struct etc_record_blob *b)
{
	if (!b->present) {
		etc_emit_null(e, name);
		return;
	}
	etc_emit_open(e, name, '{');
	etc_emit_u64(e, "bytes", b->bytes);
	etc_emit_text(e, "state", etc_str_of(etc_view_values_state(b->state)));
	etc_emit_text(e, "why", b->why);
	if (b->value && b->method_count == 0)
		value(e, "value", b->value);
	etc_emit_open(e, "methods", '{');
	for (uint32_t m = 0; m < b->method_count; m++)
		cases(e, &b->methods[m]);
	etc_emit_close(e);
	etc_emit_close(e);
}

void etc_dump_record_values(const struct etc_record *r, struct etc_emit *e)
{
	blob(e, "reference_outputs", &r->reference_outputs);
	blob(e, "representative_inputs", &r->representative_inputs);
}

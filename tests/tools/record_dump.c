/* record_dump.c -- prints what etcore reads from an ETRecord, one JSON object per line.
 * tests/record_truth.py compares it with what Python's own zipfile and json find in the file. */
#include "base/file.h"
#include "base/notes.h"
#include "base/text.h"
#include "formats/etrecord/etrecord.h"

#include <stdio.h>
#include <stdlib.h>

static void text(struct etc_text *t, struct etc_str s)
{
	etc_text_char(t, '"');
	etc_text_json(t, s);
	etc_text_char(t, '"');
}

static void handles(struct etc_text *t, const struct etc_handles *h)
{
	if (h->raw.len) {
		etc_text_put(t, h->raw);
	} else if (h->form == ETC_HANDLES_INT) {
		etc_text_i64(t, h->v[0]);
	} else if (h->form == ETC_HANDLES_LIST) {
		etc_text_char(t, '[');
		for (uint32_t i = 0; i < h->count; i++) {
			if (i)
				etc_text_char(t, ',');
			etc_text_i64(t, h->v[i]);
		}
		etc_text_char(t, ']');
	} else {
		etc_text_cstr(t, "null");
	}
}

static void key(struct etc_text *t, bool *first, struct etc_str s)
{
	if (!*first)
		etc_text_char(t, ',');
	*first = false;
	text(t, s);
	etc_text_char(t, ':');
}

static void delegate(struct etc_text *t, const struct etc_delegate_entry *d)
{
	bool first = true;

	etc_text_cstr(t, "{\"name\":");
	if (d->has_backend)
		text(t, d->backend);
	else
		etc_text_cstr(t, "null");
	etc_text_cstr(t, ",\"delegate_map\":");
	if (d->map_is_null)
		etc_text_cstr(t, "null");
	else
		etc_text_char(t, '{');
	for (uint32_t i = 0; i < d->count; i++) {
		key(t, &first, d->ids[i].key);
		handles(t, &d->ids[i].handles);
	}
	etc_text_cstr(t, d->map_is_null ? "}" : "}}");
}

static void method(struct etc_text *t, const struct etc_method_maps *m)
{
	bool first = true;

	etc_text_cstr(t, "{\"method\":");
	text(t, m->method);
	etc_text_printf(t, ",\"in\":[%d,%d,%d],\"handles\":{", m->in_handle_map, m->in_delegate_map,
	                m->in_num_outs_map);
	for (uint32_t i = 0; i < m->handle_count; i++) {
		key(t, &first, m->handles[i].key);
		handles(t, &m->handles[i].handles);
	}
	etc_text_cstr(t, "},\"delegates\":{");
	first = true;
	for (uint32_t i = 0; i < m->delegate_count; i++) {
		key(t, &first, m->delegates[i].key);
		delegate(t, &m->delegates[i]);
	}
	etc_text_cstr(t, "},\"num_outs\":{");
	first = true;
	for (uint32_t i = 0; i < m->num_outs_count; i++) {
		key(t, &first, m->num_outs[i].key);
		etc_text_i64(t, m->num_outs[i].outputs);
	}
	etc_text_cstr(t, "}}\n");
}

static void node(struct etc_text *t, const struct etc_graph *g, const struct etc_node *n)
{
	etc_text_cstr(t, "{\"graph\":");
	text(t, g->name);
	etc_text_cstr(t, ",\"name\":");
	text(t, n->name);
	etc_text_cstr(t, ",\"op\":");
	text(t, n->op);
	etc_text_cstr(t, ",\"target\":");
	text(t, n->target);
	etc_text_cstr(t, ",\"debug_handle\":");
	handles(t, &n->debug_handle);
	etc_text_printf(t, ",\"foreign\":%s,\"stack_trace\":", n->foreign ? "true" : "false");
	if (n->has_stack_trace)
		text(t, n->stack_trace);
	else
		etc_text_cstr(t, "null");
	etc_text_cstr(t, ",\"modules\":");
	etc_text_cstr(t, n->has_modules ? "[" : "null");
	for (uint32_t i = 0; i < n->module_count; i++) {
		etc_text_cstr(t, i ? ",[" : "[");
		text(t, n->modules[i].key);
		etc_text_char(t, ',');
		text(t, n->modules[i].path);
		etc_text_char(t, ',');
		text(t, n->modules[i].klass);
		etc_text_char(t, ']');
	}
	etc_text_cstr(t, n->has_modules ? "]" : "");
	etc_text_cstr(t, ",\"file\":");
	text(t, n->source_file);
	etc_text_printf(t, ",\"line\":%u,\"source\":", (unsigned)n->source_line);
	text(t, n->source_text);
	etc_text_cstr(t, "}\n");
}

/* Writes a value and those inside it as nested lists, such as ["int", 1]: the form of
 * record_truth.py. Writes at most *budget values, because a hostile value may contain itself. */
static void value(struct etc_text *t, const struct etc_ref_value *v, struct etc_span file,
                  unsigned depth, unsigned *budget);

static void numbers(struct etc_text *t, const int64_t *v, uint32_t count)
{
	etc_text_char(t, '[');
	for (uint32_t i = 0; i < count; i++) {
		etc_text_cstr(t, i ? "," : "");
		etc_text_i64(t, v[i]);
	}
	etc_text_char(t, ']');
}

static void tensor(struct etc_text *t, const struct etc_ref_tensor *v, struct etc_span file)
{
	text(t, v->dtype->name);
	etc_text_char(t, ',');
	numbers(t, v->sizes, v->rank);
	etc_text_char(t, ',');
	numbers(t, v->strides, v->rank);
	etc_text_printf(t, ",%llu,", (unsigned long long)v->offset);
	if (v->storage)
		text(t, v->storage->key);
	else
		etc_text_cstr(t, "null");
	etc_text_printf(t, ",%td,%zu,[%d,%d,%d,%d]",
	                v->bytes.len ? v->bytes.ptr - file.ptr : (ptrdiff_t)0, v->bytes.len,
	                v->conj, v->neg, v->parameter, v->quantizer != NULL);
}

static void items(struct etc_text *t, const struct etc_ref_value *v, struct etc_span file,
                  unsigned depth, unsigned *budget)
{
	etc_text_char(t, '[');
	for (uint32_t i = 0; i < v->count; i++) {
		etc_text_cstr(t, i ? "," : "");
		value(t, v->items[i], file, depth + 1, budget);
	}
	etc_text_char(t, ']');
}

static void value(struct etc_text *t, const struct etc_ref_value *v, struct etc_span file,
                  unsigned depth, unsigned *budget)
{
	static const char *const names[] = { "none",      "bool",        "int",     "big",
		                             "float",     "complex",     "string",  "bytes",
		                             "bytearray", "list",        "tuple",   "torch.Size",
		                             "dict",      "OrderedDict", "Counter", "set",
		                             "tensor",    "storage",     "dtype",   "other" };

	if (*budget == 0 || depth > 400) {
		etc_text_cstr(t, "[\"...\"]");
		return;
	}
	--*budget;
	etc_text_printf(t, "[\"%s\",", names[v->kind]);
	switch ((enum etc_ref_kind)v->kind) {
	case ETC_REF_NONE:
		etc_text_cstr(t, "null");
		break;
	case ETC_REF_BOOL:
	case ETC_REF_INT:
		etc_text_i64(t, v->integer);
		break;
	case ETC_REF_FLOAT:
		etc_text_printf(t, "\"%a\"", v->real[0]);
		break;
	case ETC_REF_COMPLEX:
		etc_text_printf(t, "\"%a\",\"%a\"", v->real[0], v->real[1]);
		break;
	case ETC_REF_DTYPE:
	case ETC_REF_OTHER:
		text(t, v->text);
		break;
	case ETC_REF_BIG:
	case ETC_REF_STRING:
	case ETC_REF_BYTES:
	case ETC_REF_BYTEARRAY:
		etc_text_char(t, '"');
		etc_text_hex(t, etc_span_of(v->text));
		etc_text_char(t, '"');
		break;
	case ETC_REF_TENSOR:
		tensor(t, v->tensor, file);
		break;
	case ETC_REF_STORAGE:
		text(t, v->storage->key);
		break;
	default:
		items(t, v, file, depth, budget);
	}
	etc_text_char(t, ']');
}

static void blob(struct etc_text *t, const char *name, const struct etc_record_blob *b,
                 struct etc_span file)
{
	static const char *const states[] = { "unread", "read", "refused", "closed" };
	unsigned budget = 20000;

	etc_text_printf(t, "{\"values\":\"%s\",\"state\":\"%s\",\"forward\":%lld,\"why\":", name,
	                states[b->state], (long long)b->forward_cases);
	text(t, b->why);
	etc_text_cstr(t, ",\"cases\":{");
	for (uint32_t m = 0; m < b->method_count; m++) {
		etc_text_cstr(t, m ? "," : "");
		text(t, b->methods[m].method);
		etc_text_cstr(t, ":[");
		for (uint32_t c = 0; c < b->methods[m].count; c++)
			etc_text_printf(t, "%s%u", c ? "," : "",
			                (unsigned)b->methods[m].cases[c].count);
		etc_text_char(t, ']');
	}
	etc_text_cstr(t, "},\"value\":");
	if (b->value)
		value(t, b->value, file, 0, &budget);
	else
		etc_text_cstr(t, "null");
	etc_text_cstr(t, "}\n");
}

static void record(struct etc_text *t, const struct etc_record *r)
{
	bool first = true;

	etc_text_cstr(t, "{\"version\":");
	text(t, r->version);
	etc_text_printf(t, ",\"present\":[%d,%d,%d],\"null\":[%d,%d,%d]", r->handle_map_present,
	                r->delegate_map_present, r->num_outs_map_present, r->handle_map_null,
	                r->delegate_map_null, r->num_outs_map_null);
	etc_text_printf(t, ",\"export_graph_id\":");
	if (r->has_export_graph_id)
		etc_text_u64(t, r->export_graph_id);
	else
		etc_text_cstr(t, "null");
	etc_text_printf(t,
	                ",\"reference_outputs\":[%d,%d,%zu],\"representative_inputs\":[%d,%d,%zu]",
	                r->reference_outputs.present, r->reference_outputs.is_pickle,
	                r->reference_outputs.bytes, r->representative_inputs.present,
	                r->representative_inputs.is_pickle, r->representative_inputs.bytes);
	etc_text_printf(t, ",\"refuses\":%u,\"reason\":", (unsigned)r->inspector_refuses);
	text(t, r->inspector_reason);
	etc_text_printf(t, ",\"graphs_refuse\":%u,\"graphs_reason\":", (unsigned)r->graphs_refuse);
	text(t, r->graphs_reason);
	etc_text_cstr(t, ",\"graphs\":{");
	for (uint32_t i = 0; i < r->graph_count; i++) {
		key(t, &first, r->graphs[i].name);
		etc_text_u64(t, r->graphs[i].node_count);
	}
	etc_text_cstr(t, "},\"unknown\":[");
	for (uint32_t i = 0; i < r->unknown_count; i++) {
		etc_text_cstr(t, i ? "," : "");
		text(t, r->unknown[i]);
	}
	etc_text_cstr(t, "]}\n");
	for (uint32_t i = 0; i < r->method_count; i++)
		method(t, &r->methods[i]);
	for (uint32_t i = 0; i < r->graph_count; i++)
		for (uint32_t k = 0; k < r->graphs[i].node_count; k++)
			node(t, &r->graphs[i], &r->graphs[i].nodes[k]);
}

static void notes_of(struct etc_text *t, const struct etc_notes *notes)
{
	for (const struct etc_note *n = notes->first; n; n = n->next) {
		etc_text_printf(t, "{\"note\":\"%s\",\"text\":", etc_code_info(n->code)->name);
		text(t, n->text);
		etc_text_cstr(t, "}\n");
	}
}

int main(int argc, char **argv)
{
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_record r;
	struct etc_error err = { 0 };
	struct etc_text t = { 0 };
	struct etc_file file;
	uint32_t want = argc > 2 ? (uint32_t)atoi(argv[2]) : ETC_RECORD_ALL;
	enum etc_status st;

	if (argc < 2)
		return 2;
	st = etc_file_open(&file, argv[1], (size_t)1 << 30, &err);
	if (st != ETC_OK)
		return (int)st;
	etc_arena_init(&arena, ((size_t)64 << 20) + file.bytes.len * 8);
	etc_notes_init(&notes, &arena);
	st = etc_etrecord_read(file.bytes, want, &arena, &notes, &r, &err);
	if (st != ETC_OK)
		fprintf(stderr, "%s %s\n", etc_code_info(err.code)->name, err.text);
	else if (r.handle_map_odd || r.delegate_map_odd || r.num_outs_map_odd)
		st = etc_fail(&err, E0406, "a map is no object");
	else
		record(&t, &r);
	if (st == ETC_OK && r.reference_outputs.present)
		blob(&t, "reference_outputs", &r.reference_outputs, file.bytes);
	if (st == ETC_OK && r.representative_inputs.present)
		blob(&t, "representative_inputs", &r.representative_inputs, file.bytes);
	notes_of(&t, &notes);
	fwrite(t.ptr ? t.ptr : "", 1, t.len, stdout);
	etc_text_release(&t);
	etc_arena_release(&arena);
	etc_file_release(&file);
	return (int)st;
}

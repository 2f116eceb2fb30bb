/* fuzz_graph.c -- reads the bytes as the JSON of one entry of an ETRecord. The archive around the
 * entry is valid, so that the reader of archives rejects no input. The first byte selects the
 * entry. */
#include <string.h>
#include <zlib.h>

#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/graph_lines.h"
#include "formats/etrecord/graph_flow.h"
#include "touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = { "edge_dialect_exported_program/forward", "exported_program",
	                             "debug_handle_map", "delegate_map",
	                             "instruction_id_to_num_outs_map" };
enum { NAMES = sizeof names / sizeof names[0], LOCAL = 30, CENTRAL = 46, END = 22 };

struct archive {
	uint8_t *ptr;
	size_t len, central, directory;
	unsigned count;
};

static void put(uint8_t *p, unsigned width, size_t v)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* Writes the fields that the two zip headers of an entry share; `p` is the position of "version
 * needed" in either. */
static void describe(uint8_t *p, const char *name, const uint8_t *data, size_t size)
{
	put(p, 2, 20);
	put(p + 10, 4, crc32(0, data, (uInt)size));
	put(p + 14, 4, size);
	put(p + 18, 4, size);
	put(p + 22, 2, strlen(name));
}

/* Writes an entry of the archive, or with `directory` its header in the central directory. Called
 * for all entries first, and then again for their directory. */
static void add(struct archive *a, bool directory, const char *name, const uint8_t *data,
                size_t size)
{
	uint8_t *p = a->ptr + a->len;

	if (directory) {
		memcpy(p, "PK\1\2", 4);
		describe(p + 6, name, data, size);
		put(p + 42, 4, a->central);
		memcpy(p + CENTRAL, name, strlen(name));
		a->len += CENTRAL + strlen(name);
		a->central += LOCAL + strlen(name) + size;
		a->count++;
		return;
	}
	memcpy(p, "PK\3\4", 4);
	describe(p + 4, name, data, size);
	memcpy(p + LOCAL, name, strlen(name));
	if (size)
		memcpy(p + LOCAL + strlen(name), data, size);
	a->len += LOCAL + strlen(name) + size;
}

static void finish(struct archive *a)
{
	uint8_t *p = a->ptr + a->len;

	memcpy(p, "PK\5\6", 4);
	put(p + 8, 2, a->count);
	put(p + 10, 2, a->count);
	put(p + 12, 4, a->len - a->directory);
	put(p + 16, 4, a->directory);
	a->len += END;
}

static void text(struct etc_str s)
{
	bytes(etc_span_of(s));
}

static void look_at_node(const struct etc_node *n)
{
	text(n->name);
	text(n->op);
	text(n->target);
	text(n->stack_trace);
	text(n->source_file);
	text(n->source_text);
	text(n->source_fn);
	text(n->debug_handle.raw);
	for (uint32_t i = 0; i < n->module_count; i++) {
		text(n->modules[i].key);
		text(n->modules[i].path);
		text(n->modules[i].klass);
	}
}

static void lines(struct etc_span file, const struct etc_graph *g, struct etc_arena *arena)
{
	struct etc_graph_lines out;
	struct etc_error err = { 0 };
	struct etc_zip zip;

	if (etc_zip_open(file, arena, &zip, &err) != ETC_OK)
		return;
	if (etc_graph_lines(&zip, g, arena, &out, &err) != ETC_OK) {
		require(err.code != ETC_CODE_NONE);
		return;
	}
	for (uint32_t i = 0; i < out.count; i++) {
		text(out.v[i].name);
		text(out.v[i].target);
		for (uint32_t k = 0; k < out.v[i].argument_count; k++) {
			text(out.v[i].arguments[k].name);
			text(out.v[i].arguments[k].text);
		}
	}
}

/* Counts the inputs and outputs of all nodes whose number of elements is known. */
static uint64_t fixed(const struct etc_graph_flow *flow, const struct etc_graph *g)
{
	uint64_t count = 0, n;

	for (uint32_t i = 0; flow->whole && i < g->node_count; i++) {
		const struct etc_graph_tensors *lists[] = { &flow->calls[i].inputs,
			                                    &flow->calls[i].outputs };

		for (uint32_t k = 0; k < 2; k++)
			for (uint32_t t = 0; t < lists[k]->count; t++)
				count +=
					etc_graph_elements(&flow->tensors[lists[k]->first + t], &n);
	}
	return count;
}

static void flow(struct etc_span file, const struct etc_graph *g, struct etc_arena *arena)
{
	struct etc_error err = { 0 };
	struct etc_graph_flow out;
	struct etc_zip zip;
	uint64_t count;

	if (etc_zip_open(file, arena, &zip, &err) != ETC_OK)
		return;
	if (etc_graph_flow_read(&zip, g, arena, &out, &err) != ETC_OK) {
		require(err.code != ETC_CODE_NONE);
		return;
	}
	count = fixed(&out, g);
	bytes((struct etc_span){ (const uint8_t *)&count, sizeof count });
	if (g->tensors && g->tensors->whole && out.whole)
		require(fixed(g->tensors, g) == count);
}

static void read_it(struct etc_span file, uint32_t want)
{
	struct etc_error err = { 0 };
	struct etc_record r = { 0 };
	struct etc_arena arena;
	struct etc_notes notes;

	etc_arena_init(&arena, 16 << 20);
	etc_notes_init(&notes, &arena);
	if (etc_etrecord_read(file, want, &arena, &notes, &r, &err) != ETC_OK) {
		require(err.code != ETC_CODE_NONE && err.text[0]);
		/* the archive itself is valid, so these errors must not occur */
		require(err.code != E0401 && err.code != E0403 && err.code != E0404);
		r.graph_count = r.method_count = 0;
	}
	for (uint32_t i = 0; i < r.graph_count; i++) {
		for (uint32_t k = 0; k < r.graphs[i].node_count; k++)
			look_at_node(&r.graphs[i].nodes[k]);
		text(r.graphs[i].unsupported);
		text(r.graphs[i].python_reason);
		lines(file, &r.graphs[i], &arena);
		flow(file, &r.graphs[i], &arena);
	}
	for (uint32_t i = 0; i < r.method_count; i++)
		text(r.methods[i].method);
	etc_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name = names[size ? data[0] % NAMES : 0];
	const uint8_t *json = data + (size > 0);
	size_t len = size - (size > 0);
	struct archive a = { 0 };

	a.ptr = calloc(1, len + 1024);
	if (!a.ptr)
		return 0;
	for (int directory = 0; directory < 2; directory++) {
		if (directory)
			a.directory = a.len;
		add(&a, directory, "ETRECORD_V0", (const uint8_t *)"", 0);
		add(&a, directory, name, json, len);
	}
	finish(&a);
	read_it((struct etc_span){ a.ptr, a.len }, ETC_RECORD_ALL);
	read_it((struct etc_span){ a.ptr, a.len }, ETC_RECORD_MAPS | ETC_RECORD_GRAPHS);
	read_it((struct etc_span){ a.ptr, a.len }, ETC_RECORD_EDGE | ETC_RECORD_FLOWS);
	free(a.ptr);
	return 0;
}

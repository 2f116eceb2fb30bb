/* fuzz_etrecord.c -- reads any bytes as an ETRecord. The checksums of the archive are repaired
 * first, since damage would otherwise never reach the reader of JSON. */
#include <stdlib.h>

#include "formats/etrecord/etrecord.h"
#include "zip_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sum; /* stores results, so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void text(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++)
		sum += (uint8_t)s.ptr[i];
}

static void handles(const struct etc_handles *h)
{
	for (uint32_t i = 0; i < h->count; i++)
		sum += (uint64_t)h->v[i];
	text(h->raw);
}

static void method(const struct etc_method_maps *m)
{
	text(m->method);
	for (uint32_t i = 0; i < m->handle_count; i++) {
		text(m->handles[i].key);
		handles(&m->handles[i].handles);
	}
	for (uint32_t i = 0; i < m->delegate_count; i++) {
		text(m->delegates[i].backend);
		for (uint32_t k = 0; k < m->delegates[i].count; k++)
			handles(&m->delegates[i].ids[k].handles);
	}
	for (uint32_t i = 0; i < m->num_outs_count; i++)
		text(m->num_outs[i].raw);
}

static void node(const struct etc_node *n)
{
	text(n->name);
	text(n->op);
	text(n->stack_trace);
	text(n->source_file);
	text(n->source_text);
	handles(&n->debug_handle);
	for (uint32_t i = 0; i < n->module_count; i++) {
		text(n->modules[i].key);
		text(n->modules[i].path);
		text(n->modules[i].klass);
	}
}

static void read_record(struct etc_span file, uint32_t want)
{
	struct etc_error err = { 0 };
	struct etc_record r = { 0 };
	struct etc_arena arena;
	struct etc_notes notes;
	enum etc_status st;

	etc_arena_init(&arena, 16 << 20);
	etc_notes_init(&notes, &arena);
	st = etc_etrecord_read(file, want, &arena, &notes, &r, &err);
	if (st != ETC_OK) {
		require(err.code != ETC_CODE_NONE && err.text[0] != '\0' && st != ETC_USAGE);
		r = (struct etc_record){ 0 };
	}
	for (uint32_t i = 0; i < r.method_count; i++)
		method(&r.methods[i]);
	for (uint32_t i = 0; i < r.graph_count; i++)
		for (uint32_t k = 0; k < r.graphs[i].node_count; k++)
			node(&r.graphs[i].nodes[k]);
	for (uint32_t i = 0; i < r.unknown_count; i++)
		text(r.unknown[i]);
	etc_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	read_record((struct etc_span){ copy, size }, ETC_RECORD_MAPS);
	repair(copy, size);
	read_record((struct etc_span){ copy, size }, ETC_RECORD_ALL);
	free(copy);
	return 0;
}

/* fuzz_xnnpack_graph.c -- reads any bytes as the blob of an XNNPACK delegate. */
#include <string.h>

#include "formats/program/delegate_graph.h"
#include "touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct etc_delegate_graph g;
	struct etc_error err = { 0 };
	struct etc_arena arena;
	bool read;

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	etc_arena_init(&arena, 16 << 20);
	if (etc_delegate_graph_read((struct etc_span){ copy, size }, &arena, &g, &read, &err) ==
	    ETC_OK) {
		/* each node and constant takes at least an offset (4 bytes) in the blob */
		require(g.count <= size / 4 && g.constant_count <= size / 4);
		for (uint32_t i = 0; i < g.count; i++)
			require(g.nodes[i].kind <= ETC_DELEGATE_KINDS && g.nodes[i].handle >= 0);
		bytes((struct etc_span){ (const uint8_t *)g.constants,
		                         g.constant_count * sizeof *g.constants });
		require(g.quantised || !g.quantised_constants);
	} else {
		require(err.code == E0904);
	}
	etc_arena_release(&arena);
	free(copy);
	return 0;
}

/* fuzz_safetensors.c -- reads any bytes as a safetensors file of reference values. */
#include "base/arena.h"
#include "formats/etrecord/references.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_references r;
	struct etc_error err = { .at = -1 };
	struct etc_arena arena;
	volatile uint8_t sum = 0;

	etc_arena_init(&arena, (size_t)64 << 20);
	if (etc_references_read((struct etc_span){ data, size }, &arena, &r, &err) == ETC_OK)
		for (uint32_t m = 0; m < r.count; m++)
			for (uint32_t v = 0; v < r.methods[m].count; v++)
				for (uint32_t i = 0; i < r.methods[m].values[v].count; i++) {
					struct etc_span b = r.methods[m].values[v].items[i]->bytes;

					sum = b.len ? (uint8_t)(sum + b.ptr[0] + b.ptr[b.len - 1])
					            : sum;
				}
	etc_arena_release(&arena);
	return 0;
}

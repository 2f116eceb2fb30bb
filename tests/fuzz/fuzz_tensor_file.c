/* fuzz_tensor_file.c -- reads any bytes as a .ptd, a file of tensors that a program uses. */
#include <stdlib.h>

#include "formats/program/tensor_file.h"
#include "touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sizes(struct etc_numbers v)
{
	for (uint32_t i = 0; i < v.count; i++)
		sum += (uint64_t)etc_i32_at(v, i);
}

static void tensors(const struct etc_tensor_file *f, struct etc_span file)
{
	for (uint32_t i = 0; i < f->data_count; i++) {
		const struct etc_external_data *d = &f->data[i];

		bytes(etc_span_of(d->key));
		require(d->segment < f->segment_count);
		require(d->bytes.len == 0 ||
		        etc_fits(file.len, (size_t)(d->bytes.ptr - file.ptr), d->bytes.len));
		bytes(d->bytes);
		sizes(d->sizes);
		bytes(d->dim_order);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct etc_span file = { copy, size };
	struct etc_tensor_file f;
	struct etc_error err = { 0 };
	struct etc_arena arena;

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	etc_arena_init(&arena, 16 << 20);
	if (etc_tensor_file_read(file, NULL, &arena, &f, &err) != ETC_OK)
		require(err.code != ETC_CODE_NONE && err.text[0] && f.data_count == 0);
	tensors(&f, file);
	etc_arena_release(&arena);
	free(copy);
	return 0;
}

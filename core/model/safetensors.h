/* safetensors.h -- a file of named tensors in Hugging Face's format, as plain data. Made by
 * formats/container/safetensors.c; everything is a view into the mapped file. */
#ifndef ETC_MODEL_SAFETENSORS_H
#define ETC_MODEL_SAFETENSORS_H

#include "base/span.h"
#include "model/scalar_type.h"

struct etc_safetensor {
	struct etc_str name;
	struct etc_str dtype;               /* "F32" */
	const struct etc_scalar_type *type; /* NULL: an unknown dtype */
	const int64_t *sizes;               /* non-negative */
	uint32_t rank;
	uint64_t count; /* number of elements, stored row-major, little-endian */
	/* bytes of the elements; exactly `count` elements if `type` is known */
	struct etc_span bytes;
};

struct etc_safetensors_entry {
	struct etc_str key, value;
};

struct etc_safetensors {
	const struct etc_safetensor *tensors; /* in the header's order */
	uint32_t count;
	const struct etc_safetensors_entry *metadata; /* "__metadata__" */
	uint32_t metadata_count;
};

/* Returns the value of a key of the metadata; ptr is NULL if the key does not exist. */
static inline struct etc_str etc_safetensors_get(const struct etc_safetensors *t,
                                                 struct etc_str key)
{
	for (uint32_t i = 0; i < t->metadata_count; i++)
		if (etc_str_eq(t->metadata[i].key, key))
			return t->metadata[i].value;
	return (struct etc_str){ 0 };
}

#endif

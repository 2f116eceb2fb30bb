/* tensor_files.h -- writes tensors in the formats of other tools: .npy and .npz of numpy, and
 * safetensors.
 *
 * Elements are written in row-major order. They are written block by block, so a file may be larger
 * than memory. For quantised types, the stored integers are written. */
#ifndef ETC_COMMANDS_NUMERIC_TENSOR_FILES_H
#define ETC_COMMANDS_NUMERIC_TENSOR_FILES_H

#include "base/text.h"
#include "tensor/element.h"

struct etc_export {
	struct etc_str name; /* unique among the tensors of a file */
	struct etc_elements elements;
};

/* Return the name that the format has for the element type; NULL if the format lacks the type.
 * numpy lacks bfloat16 and float8. Both formats lack types that are smaller than a byte. */
const char *etc_npy_type(const struct etc_elements *e);
const char *etc_safetensors_type(const struct etc_elements *e);

/* Writes one tensor as .npy, version 1.0. etc_npy_type() must not be NULL for the tensor. */
void etc_write_npy(const struct etc_export *tensor, struct etc_text *out);

/* Writes all tensors as .npz: a zip archive of uncompressed entries "<name>.npy". */
void etc_write_npz(const struct etc_export *tensors, size_t count, struct etc_text *out);

/* Writes all tensors as one safetensors file, sorted by the size of an element (the largest first),
 * then by name. `order` is scratch for `count` indices. */
void etc_write_safetensors(const struct etc_export *tensors, size_t count, size_t *order,
                           struct etc_text *out);

/* Returns the number of bytes of all elements as they are written. */
uint64_t etc_export_bytes(const struct etc_elements *e);

/* Calls take() with the bytes of all elements, block by block, in row-major order. */
typedef void etc_export_taker(void *arg, struct etc_span bytes);
void etc_export_each(const struct etc_elements *e, etc_export_taker *take, void *arg);

/* Implements etc_export_taker: appends the bytes to `out`, a struct etc_text. */
static inline void etc_export_put(void *out, struct etc_span bytes)
{
	etc_text_put(out, (struct etc_str){ (const char *)bytes.ptr, bytes.len });
}

#endif

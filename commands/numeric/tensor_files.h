/* tensor_files.h -- writes tensors in the formats of other tools: numpy's .npy and .npz,
 * safetensors.
 *
 * Elements are written in row-major order, block by block, so a file may be larger than
 * memory. Quantised types are written as the stored integers. */
#ifndef ETC_COMMANDS_NUMERIC_TENSOR_FILES_H
#define ETC_COMMANDS_NUMERIC_TENSOR_FILES_H

#include "base/text.h"
#include "tensor/element.h"

struct etc_export {
	struct etc_str name; /* unique among the tensors of a file */
	struct etc_elements elements;
};

/* The name that the format has for the element type, or NULL if it lacks the type. numpy lacks
 * bfloat16 and float8, and both formats lack types smaller than a byte. */
const char *etc_npy_type(const struct etc_elements *e);
const char *etc_safetensors_type(const struct etc_elements *e);

/* Writes one tensor as .npy, version 1.0. Its type must have a name. */
void etc_write_npy(const struct etc_export *tensor, struct etc_text *out);

/* Writes all tensors as .npz: a zip archive of uncompressed entries "<name>.npy". */
void etc_write_npz(const struct etc_export *tensors, size_t count, struct etc_text *out);

/* Writes all tensors as one safetensors file: sorted by element width, widest first, then by name.
 * `order` has room for `count` indices. */
void etc_write_safetensors(const struct etc_export *tensors, size_t count, size_t *order,
                           struct etc_text *out);

/* Number of bytes of all elements as written. */
uint64_t etc_export_bytes(const struct etc_elements *e);

/* Passes the bytes of all elements to `take`, block by block, in row-major order. */
typedef void etc_export_taker(void *arg, struct etc_span bytes);
void etc_export_each(const struct etc_elements *e, etc_export_taker *take, void *arg);

/* An etc_export_taker that appends the bytes to `out`, a struct etc_text. */
static inline void etc_export_put(void *out, struct etc_span bytes)
{
	etc_text_put(out, (struct etc_str){ (const char *)bytes.ptr, bytes.len });
}

#endif

/* tensor.h -- the contents of tensors in a debug buffer, as plain data.
 *
 * Made by formats/etdump/debug_buffer.c; later code only reads them. There are two separate
 * views: the bytes with strides (struct etc_tensor_view), and the tensor as the Inspector reads
 * it (struct etc_tensor_data). */
#ifndef ETC_MODEL_TENSOR_H
#define ETC_MODEL_TENSOR_H

#include "base/span.h"
#include "model/scalar_type.h"

/* A tensor whose elements are all inside the debug buffer. */
struct etc_tensor_view {
	const struct etc_scalar_type *type;
	const int64_t *sizes;
	const int64_t *strides; /* in elements, none negative; NULL: row-major */
	uint32_t rank;
	uint64_t count;        /* number of elements; 1 for rank 0 */
	struct etc_span bytes; /* the bytes from the first element to the last */
	bool contiguous;       /* `bytes` has the elements in row-major order, without gaps */
};

/* Can the Inspector read the tensor, and if not, why? */
enum etc_tensor_state {
	ETC_TENSOR_READ,
	/* the Inspector's get_scalar_type_size() does not support the scalar type: E0818 */
	ETC_TENSOR_UNSUPPORTED,
	/* elements are outside of the buffer, or the sizes are impossible: E0817 */
	ETC_TENSOR_OUTSIDE
};

/* A tensor as the Inspector reads it. The Inspector ignores strides. */
struct etc_tensor_data {
	const struct etc_scalar_type *type;
	/* sizes; a size of -1 is replaced by the one that follows from the number of elements */
	const int64_t *sizes;
	uint32_t rank;
	uint8_t state; /* enum etc_tensor_state; if it is not READ, all other members are empty */
	/* the tensor consists of `size` zero bytes, which are not stored, because there is no
	 * buffer or there are no elements */
	bool zeros;
	uint64_t size; /* size of the tensor in bytes */
	struct etc_span bytes;
};

#endif

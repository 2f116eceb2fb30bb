/* torch_pair.h -- two tensors as torch pairs their elements: shapes broadcast
 * against each other, elements in the order in which torch keeps the result of an
 * elementwise operation in memory, and therefore adds it up.
 *
 * Source: TensorIteratorBase::reorder_dimensions of torch 2.13. */
#ifndef ETC_NUMERIC_TORCH_PAIR_H
#define ETC_NUMERIC_TORCH_PAIR_H

#include "tensor/element.h"

/* More elements than this are walked only if they are stored one by one: a few
 * bytes with strides of 0, or shapes that broadcast, can ask for any number. */
#define ETC_TORCH_PAIR_MOST ((uint64_t)1 << 30)

enum etc_torch_pair_state {
	ETC_TORCH_PAIRED,
	ETC_TORCH_SHAPES, /* the shapes do not broadcast */
	ETC_TORCH_MANY    /* too many elements or dimensions */
};

struct etc_torch_pair {
	struct etc_elements a, b; /* both of the same sizes, walked in memory order */
	uint64_t count;
	int64_t sizes[ETC_LIMIT_TENSOR_RANK];
	int64_t strides[2][ETC_LIMIT_TENSOR_RANK];
};

/* `b` may be `a`: the order of one tensor alone. The pair holds pointers into
 * itself: it stays where it is. */
enum etc_torch_pair_state etc_torch_pair(const struct etc_elements *a, const struct etc_elements *b,
                                         struct etc_torch_pair *out);

/* Do the shapes agree, dimension by dimension? */
bool etc_same_shape(const struct etc_elements *a, const struct etc_elements *b);

/* The elements of a pair, block by block, as tensor.to(torch.float64) makes them,
 * or .to(torch.float32): of a complex one the real part; scale and zero of
 * quantised ones do not count. */
struct etc_torch_reader {
	struct etc_element_walk walk[2];
	bool floats; /* every number is one of float32 */
	double block[2][ETC_ELEMENT_BLOCK];
	size_t have[2], used[2];
};

void etc_torch_read_begin(struct etc_torch_reader *r, const struct etc_torch_pair *p, bool floats);

/* The next numbers of both; 0 at the end. */
size_t etc_torch_read(struct etc_torch_reader *r, const double **a, const double **b);

#endif

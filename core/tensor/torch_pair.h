/* torch_pair.h -- pairs the elements of two tensors as an elementwise operation of torch does.
 * Shapes are broadcast. The order of the pairs is the order in which torch stores the result of the
 * operation, and so the order in which it sums the result.
 *
 * Source: TensorIteratorBase::reorder_dimensions of torch 2.13. */
#ifndef ETC_TENSOR_TORCH_PAIR_H
#define ETC_TENSOR_TORCH_PAIR_H

#include "tensor/element.h"

/* Limit for the number of elements of the broadcast shape. A larger shape is accepted only if one
 * of the tensors has at least one bit of data for each element. Without this limit, a few bytes
 * could claim any number of elements, by strides of 0 or by broadcasting. */
#define ETC_TORCH_PAIR_MOST ((uint64_t)1 << 30)

enum etc_torch_pair_state {
	ETC_TORCH_PAIRED,
	ETC_TORCH_SHAPES, /* the shapes cannot be broadcast to one shape */
	ETC_TORCH_MANY    /* too many elements or dimensions */
};

struct etc_torch_pair {
	/* the broadcast tensors: both have the same sizes, with the dimensions in torch's order of
	 * iteration */
	struct etc_elements a, b;
	uint64_t count;
	int64_t sizes[ETC_LIMIT_TENSOR_RANK];
	int64_t strides[2][ETC_LIMIT_TENSOR_RANK];
};

/* Broadcasts `a` and `b` to one shape, and puts the dimensions in the order in which torch iterates
 * over them. To get the order for a single tensor, pass it as both `a` and `b`. `*out` contains
 * pointers to itself, so it must not be copied. */
enum etc_torch_pair_state etc_torch_pair(const struct etc_elements *a, const struct etc_elements *b,
                                         struct etc_torch_pair *out);

/* Do both tensors have the same number of dimensions, and the same size in each? */
bool etc_same_shape(const struct etc_elements *a, const struct etc_elements *b);

/* Reads the elements of a pair of tensors, block by block. The elements are converted as
 * tensor.to(torch.float64) or .to(torch.float32) does: of complex numbers only the real part is
 * kept, and scale and zero point of quantised types are not applied. */
struct etc_torch_reader {
	struct etc_element_walk walk[2];
	bool floats; /* numbers are converted to float32; false: to float64 */
	double block[2][ETC_ELEMENT_BLOCK];
	size_t have[2], used[2];
};

void etc_torch_read_begin(struct etc_torch_reader *r, const struct etc_torch_pair *p, bool floats);

/* Points `*a` and `*b` to the next numbers of the two tensors. Returns their number, which is the
 * same for both tensors, and 0 at the end. */
size_t etc_torch_read(struct etc_torch_reader *r, const double **a, const double **b);

#endif

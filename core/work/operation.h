/* operation.h -- computes the work of one operator from the shapes and types of its tensors. The
 * formulas are the rows of operators.def; docs/work.md has their sources. */
#ifndef ETC_WORK_OPERATION_H
#define ETC_WORK_OPERATION_H

#include "base/span.h"
#include "model/work.h"

enum { ETC_OPERAND_RANK = 16 };

struct etc_operand {
	uint64_t size[ETC_OPERAND_RANK];
	/* number of bytes besides the elements, such as the scales of quantised weights */
	uint64_t more;
	uint32_t rank;
	uint16_t bits; /* bits of an element; 0: unknown */
	uint8_t type;  /* enum etc_work_type */
	bool dynamic;  /* the sizes change from run to run */
	bool again;    /* it is the same tensor as an earlier operand, so it is not read again */
};

/* An operator with its tensors, in the order of its arguments. Arguments that are None are left
 * out. */
struct etc_operation {
	/* stem of the operator's name, such as "linear": see join/operator_stem.h */
	struct etc_str stem;
	/* the formula for `stem`; NULL: it was not looked up yet */
	const struct etc_formula *formula;
	const struct etc_operand *in, *out;
	uint32_t in_count, out_count;
	/* For a pooling, the number of elements of a window. For a convolution, the number of
	 * products for each element of its result; if `transposed`, for each element of its input.
	 * 0: unknown. */
	uint64_t window;
	int64_t start; /* for attention with a cache: position of its first query among all keys of
	                * the cache; -1: unknown */
	bool transposed;
	bool accumulates; /* for index_put() and similar operators: the last argument is added to
	                   * the existing elements; false: it replaces them */
	bool in_place;    /* the result overwrites the first argument */
};

/* Returns the row of operators.def for an operator's stem; NULL: there is none. */
const struct etc_formula *etc_work_formula(struct etc_str stem);

struct etc_work etc_work_of(const struct etc_operation *op);

/* Adds the work of `b` to `a`, which is then the work of both. */
void etc_work_add(struct etc_work *a, const struct etc_work *b);

#endif

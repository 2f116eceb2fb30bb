/* operation.h -- the work of one operator by the shapes and types of its tensors. The formulas
 * are the rows of operators.def; docs/work.md has their sources. */
#ifndef ETC_WORK_OPERATION_H
#define ETC_WORK_OPERATION_H

#include "base/span.h"
#include "model/work.h"

enum { ETC_OPERAND_RANK = 16 };

struct etc_operand {
	uint64_t size[ETC_OPERAND_RANK];
	uint64_t more; /* bytes besides its elements: the scales of quantised weights */
	uint32_t rank;
	uint16_t bits; /* bits of an element; 0: not known */
	uint8_t type;  /* enum etc_work_type */
	bool dynamic;  /* its sizes change from run to run */
	bool again;    /* the same tensor as an earlier operand, which is read once */
};

/* Tensors in the order of the operator's arguments; those that are None are left out. */
struct etc_operation {
	struct etc_str stem; /* "linear": join/operator_stem.h */
	/* the formula of the operator's stem; NULL: not looked up */
	const struct etc_formula *formula;
	const struct etc_operand *in, *out;
	uint32_t in_count, out_count;
	/* Pooling: elements of a window. A convolution: products for each element of its result, or
	 * of its input if `transposed`. 0: not known. */
	uint64_t window;
	int64_t start; /* attention with a cache: position of its first query; -1: not known */
	bool transposed;
	bool in_place; /* the result is the first argument */
};

/* The row of operators.def for an operator's stem; NULL: none. */
const struct etc_formula *etc_work_formula(struct etc_str stem);

struct etc_work etc_work_of(const struct etc_operation *op);

/* Adds the work of `b` to `a`, which is then the work of both. */
void etc_work_add(struct etc_work *a, const struct etc_work *b);

#endif

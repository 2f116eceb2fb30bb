/* operators.h -- categories and precisions of XNNPACK's operators and micro-kernel types. */
#ifndef PLUGINS_XNNPACK_OPERATORS_H
#define PLUGINS_XNNPACK_OPERATORS_H

#include "names.h"

struct xnnpack_class {
	const char *category;  /* a word of docs/columns.md; NULL: unknown */
	const char *precision; /* "fp32", "int8" …; NULL: unknown */
	/* kind of the matrix product, such as "gemm int4 block"; empty if the operator is neither a
	 * GEMM nor a convolution */
	char variant[48];
	bool is_matrix; /* GEMM or IGEMM micro-kernel */
};

void xnnpack_classify(const struct xnnpack_name *name, struct xnnpack_class *out);

#endif

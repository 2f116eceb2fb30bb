/* torch_dtype.h -- element types by torch's names, as in files of torch.save. */
#ifndef ETC_MODEL_TORCH_DTYPE_H
#define ETC_MODEL_TORCH_DTYPE_H

#include "base/span.h"

struct etc_torch_dtype {
	struct etc_str name;    /* "float32", without "torch." */
	struct etc_str storage; /* "Float" of torch.FloatStorage; empty: only untyped storages */
	/* bytes per element; torch stores an element of less than a byte in one byte */
	uint8_t bytes;
	int8_t scalar_type; /* ExecuTorch's code (etc_scalar_type()); -1: none */
	/* `real`: a floating-point type; `complex`: a complex type. Only tensors of these types can
	 * require gradients. */
	bool real, complex;
	bool quantised;
};

/* Returns the type with this name; NULL: torch has no such dtype. */
const struct etc_torch_dtype *etc_torch_dtype(struct etc_str name);

/* Finds a dtype by the name of its legacy storage class, without "Storage". */
const struct etc_torch_dtype *etc_torch_dtype_of_storage(struct etc_str name);

/* Returns the type for ExecuTorch's code, or NULL. */
const struct etc_torch_dtype *etc_torch_dtype_of_scalar(int8_t scalar_type);

#endif

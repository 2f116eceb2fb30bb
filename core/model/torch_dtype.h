/* torch_dtype.h -- element types by torch's names, as in files of torch.save. */
#ifndef ETC_MODEL_TORCH_DTYPE_H
#define ETC_MODEL_TORCH_DTYPE_H

#include "base/span.h"

struct etc_torch_dtype {
	struct etc_str name; /* "float32", without "torch." */
	/* name of the type's class of storages: "Float" for torch.FloatStorage; empty: there is no
	 * such class */
	struct etc_str storage;
	/* bytes per element; torch stores an element of less than a byte in one byte */
	uint8_t bytes;
	/* ExecuTorch's code of the type (etc_scalar_type()); -1: ExecuTorch does not have the
	 * type */
	int8_t scalar_type;
	/* `real`: a floating-point type; `complex`: a complex type. Only tensors of these types can
	 * require gradients. */
	bool real, complex;
	bool quantised;
};

/* Returns the type with this name; NULL: torch has no such dtype. */
const struct etc_torch_dtype *etc_torch_dtype(struct etc_str name);

/* Finds a dtype by the name of its legacy storage class, without "Storage". */
const struct etc_torch_dtype *etc_torch_dtype_of_storage(struct etc_str name);

/* Returns the dtype to which ExecuTorch gives the code `scalar_type`; NULL: torch has no such
 * dtype. */
const struct etc_torch_dtype *etc_torch_dtype_of_scalar(int8_t scalar_type);

#endif

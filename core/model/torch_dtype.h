/* torch_dtype.h -- element types by torch's names, as in files of torch.save. */
#ifndef ETC_MODEL_TORCH_DTYPE_H
#define ETC_MODEL_TORCH_DTYPE_H

#include "base/span.h"

struct etc_torch_dtype {
	struct etc_str name;    /* "float32", without "torch." */
	struct etc_str storage; /* "Float" of torch.FloatStorage; empty: only untyped storages */
	uint8_t bytes;          /* per element; torch stores types below a byte in 1 */
	int8_t scalar_type;     /* ExecuTorch's code (etc_scalar_type()), or -1 */
	/* a floating-point type, a complex type; only their tensors can require gradients */
	bool real, complex;
	bool quantised;
};

/* NULL for a name that is not a torch dtype. */
const struct etc_torch_dtype *etc_torch_dtype(struct etc_str name);

/* Finds a dtype by the name of its legacy storage class, without "Storage". */
const struct etc_torch_dtype *etc_torch_dtype_of_storage(struct etc_str name);

/* Torch's name for ExecuTorch's code, or NULL. */
const struct etc_torch_dtype *etc_torch_dtype_of_scalar(int8_t scalar_type);

#endif

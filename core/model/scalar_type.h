/* scalar_type.h -- element types of tensors, by the numbers of ExecuTorch's
 * schema/scalar_type.fbs (not those of the exported program's JSON). */
#ifndef ETC_MODEL_SCALAR_TYPE_H
#define ETC_MODEL_SCALAR_TYPE_H

#include <stddef.h>
#include <stdint.h>

struct etc_scalar_type {
	int8_t code;
	uint8_t bytes;           /* per element; 0: packed below a byte, or unknown */
	const char *name;        /* schema spelling: "FLOAT" */
	const char *numpy;       /* numpy's dtype: "float32"; NULL: numpy has none */
	uint8_t inspector_reads; /* 1: get_scalar_type_size of the Inspector knows it */
};

/* NULL for a code that no schema has. */
const struct etc_scalar_type *etc_scalar_type(int8_t code);

#endif

/* scalar_type.h -- element types of tensors, by the numbers of ExecuTorch's
 * schema/scalar_type.fbs (not those of the exported program's JSON). */
#ifndef ETC_MODEL_SCALAR_TYPE_H
#define ETC_MODEL_SCALAR_TYPE_H

#include <stddef.h>
#include <stdint.h>

/* The encoding of an element. */
enum etc_scalar_kind {
	ETC_SCALAR_UNSIGNED,
	ETC_SCALAR_SIGNED,
	ETC_SCALAR_BOOL,
	ETC_SCALAR_FLOAT, /* IEEE 754, 32 or 64 bits */
	ETC_SCALAR_HALF,  /* IEEE 754, 16 bits */
	ETC_SCALAR_BFLOAT16,
	ETC_SCALAR_E5M2,
	ETC_SCALAR_E4M3FN,
	ETC_SCALAR_E5M2FNUZ,
	ETC_SCALAR_E4M3FNUZ
};

struct etc_scalar_type {
	int8_t code;
	uint8_t bytes;           /* per element; 0: packed below a byte, or unknown */
	const char *name;        /* schema spelling: "FLOAT" */
	const char *numpy;       /* numpy's dtype: "float32"; NULL: numpy has none */
	uint8_t inspector_reads; /* 1: supported by the Inspector's get_scalar_type_size */
	uint8_t bits;            /* per element; below 8: packed, the lowest bits first */
	uint8_t kind;            /* enum etc_scalar_kind */
};

/* NULL for a code that no schema has. */
const struct etc_scalar_type *etc_scalar_type(int8_t code);

#endif

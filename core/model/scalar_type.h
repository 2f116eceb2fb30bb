/* scalar_type.h -- element types of tensors, by the numbers of ExecuTorch's
 * schema/scalar_type.fbs (not those of the exported program's JSON). */
#ifndef ETC_MODEL_SCALAR_TYPE_H
#define ETC_MODEL_SCALAR_TYPE_H

#include <stddef.h>
#include <stdint.h>

/* How the bits of an element encode a number. */
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
	/* bytes per element; 0: an element is smaller than a byte, or its size is unknown */
	uint8_t bytes;
	const char *name;  /* the type's name in the schema: "FLOAT" */
	const char *numpy; /* numpy's dtype: "float32"; NULL: numpy has none */
	/* 1: the Inspector's function get_scalar_type_size() supports the type */
	uint8_t inspector_reads;
	/* bits per element; if below 8, elements are packed, beginning with the lowest bits */
	uint8_t bits;
	uint8_t kind; /* enum etc_scalar_kind */
};

/* Returns the type with this code. NULL: no schema has it. */
const struct etc_scalar_type *etc_scalar_type(int8_t code);

#endif

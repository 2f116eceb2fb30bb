/* scalar_value.h -- reads numbers of any scalar type, including types that neither C nor numpy
 * has (bfloat16, float8, packed integers). */
#ifndef ETC_MODEL_SCALAR_VALUE_H
#define ETC_MODEL_SCALAR_VALUE_H

#include "model/scalar_type.h"

/* Returns element `index` of a packed array as a double. Integers above 2^53 are rounded. For
 * quantised types, returns the stored integer. The caller has checked that the element is inside
 * the array. */
double etc_scalar_real(const struct etc_scalar_type *type, const uint8_t *array, size_t index);

/* Returns the number with these IEEE 754 bits. */
double etc_real_of_f32(uint32_t bits);
double etc_real_of_f64(uint64_t bits);

#endif

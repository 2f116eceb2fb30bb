/* scalar_value.h -- reads numbers of any scalar type, including those that neither C nor numpy
 * has (bfloat16, float8, packed integers). */
#ifndef ETC_MODEL_SCALAR_VALUE_H
#define ETC_MODEL_SCALAR_VALUE_H

#include "model/scalar_type.h"

/* Element `index` of a packed array as a double: integers above 2^53 are
 * rounded; quantised types give their stored integer. The caller has checked
 * that the element lies in the array. */
double etc_scalar_real(const struct etc_scalar_type *type, const uint8_t *array, size_t index);

/* The number whose IEEE 754 bits these are. */
double etc_real_of_f32(uint32_t bits);
double etc_real_of_f64(uint64_t bits);

#endif

/* weights.h -- reads the weights of a record, and compares them with bytes of a program.
 * For places.c. */
#ifndef ETC_TOGETHER_WEIGHTS_H
#define ETC_TOGETHER_WEIGHTS_H

#include "together/together.h"
#include "formats/container/zip.h"
#include "model/reference.h"

/* Maximum number of elements that are compared while the weights of a program are searched in a
 * record. */
enum { ETC_WEIGHTS_WORK = 1 << 28 };

/* Reads an entry with weights: a dict of names and tensors. `*dict` is NULL if it is unreadable or
 * too large. `check`: also reads the whole entry to verify its checksum. E0904. */
enum etc_status etc_weights_load(const struct etc_zip *zip, const struct etc_zip_entry *e,
                                 bool check, struct etc_arena *arena,
                                 const struct etc_ref_value **dict,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Is the weight distinctive enough to search for? Weights of few bytes, or of one value, also occur
 * by chance. Adds the number of visited elements to `*work`. */
bool etc_weight_tells(const struct etc_ref_tensor *t, uint64_t *work);

/* Do `bytes` begin with the weight, in any order of dimensions? Compares at most `room` bytes. */
bool etc_weight_is(const struct etc_ref_tensor *t, struct etc_span bytes, size_t room,
                   uint64_t *work);

/* Returns the i-th of the float32 numbers in `bytes`. */
float etc_weight_float(struct etc_span bytes, uint64_t i);

/* Are the numbers equal, except for rounding? The tolerance is relative to `b`. */
bool etc_weight_near(float a, float b, float tolerance);

/* Does the weight have elements of float32? */
bool etc_weight_is_float(const struct etc_ref_tensor *t);

/* Do `bytes` begin with the weight, each element multiplied by factors[i], where i is its index in
 * `dimension`? The dimensions may be in any order, and elements may differ by rounding. */
bool etc_weight_is_scaled(const struct etc_ref_tensor *t, uint32_t dimension, const float *factors,
                          struct etc_span bytes, uint64_t *work);

#endif

/* summary.h -- summarises a tensor in one pass: extremes, mean, numbers of NaNs and infinities,
 * and a hash. */
#ifndef ETC_TENSOR_SUMMARY_H
#define ETC_TENSOR_SUMMARY_H

#include "tensor/element.h"

struct etc_summary {
	/* numbers of elements: of all, of those that are NaN, and of those that are infinite. A
	 * complex element is NaN if a part is NaN; otherwise it is infinite if a part is. */
	uint64_t count, nan, inf;
	/* min and max are set: some element is not NaN, and the type is not complex */
	bool has_range;
	double min, max; /* infinities are included; 64-bit integers are rounded */
	/* for integer types: the exact min and max, as the bits of an int64; for the unsigned
	 * 64-bit type, of a uint64 */
	uint64_t min_bits, max_bits;
	/* mean of the finite elements, which are added as doubles in 8 lanes; NaN: no element is
	 * finite */
	double mean;
	uint64_t hash; /* XXH64 of the bytes in row-major order (hash.h) */
};

/* etc_summarise() reads all elements once. If `more` is not NULL, also passes their bytes to it,
 * block by block, in row-major order. Quantised types are summarised by their stored integers. */
typedef void etc_summary_tap(void *arg, struct etc_span bytes);
void etc_summarise(const struct etc_elements *e, struct etc_summary *out, etc_summary_tap *more,
                   void *arg);

#endif

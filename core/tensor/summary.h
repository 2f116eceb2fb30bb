/* summary.h -- summarises a tensor in one pass: extremes, mean, numbers of NaNs and infinities,
 * and a hash. */
#ifndef ETC_NUMERIC_SUMMARY_H
#define ETC_NUMERIC_SUMMARY_H

#include "tensor/element.h"

struct etc_summary {
	/* numbers of elements: a complex one is NaN if a part is, else infinite if a part is */
	uint64_t count, nan, inf;
	/* min and max are set: some element is not NaN, and the type is not complex */
	bool has_range;
	double min, max;             /* includes infinities; 64-bit integers are rounded */
	uint64_t min_bits, max_bits; /* integers: exactly, as int64 or (unsigned 64) uint64 */
	double mean;   /* mean of the finite elements, added in double in 8 lanes; NaN if there are
	              * none */
	uint64_t hash; /* XXH64 of the bytes in row-major order (hash.h) */
};

/* etc_summarise() reads all elements once. It passes their bytes to `more` (unless NULL), too,
 * block by block in row-major order. Quantised types are summarised as stored. */
typedef void etc_summary_tap(void *arg, struct etc_span bytes);
void etc_summarise(const struct etc_elements *e, struct etc_summary *out, etc_summary_tap *more,
                   void *arg);

#endif

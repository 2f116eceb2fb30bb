/* summary.h -- what a tensor holds, in one pass over it: extremes, mean, what is no
 * number, and a hash. */
#ifndef ETC_NUMERIC_SUMMARY_H
#define ETC_NUMERIC_SUMMARY_H

#include "tensor/element.h"

struct etc_summary {
	uint64_t count, nan, inf;    /* elements; of a complex one either part counts */
	bool has_range;              /* some element is no NaN; never for complex types */
	double min, max;             /* of those, infinities too; integers of 64 bits rounded */
	uint64_t min_bits, max_bits; /* integers: exactly, as int64 or (unsigned 64) uint64 */
	double mean;   /* of the finite ones, each lane of 8 added up in double; NaN if none */
	uint64_t hash; /* XXH64 of the bytes in row-major order (hash.h) */
};

/* Reads all elements once. `more` (or NULL) gets the bytes as well, block by block in row-major
 * order. Quantised types count as stored. */
typedef void etc_summary_tap(void *arg, struct etc_span bytes);
void etc_summarise(const struct etc_elements *e, struct etc_summary *out, etc_summary_tap *more,
                   void *arg);

#endif

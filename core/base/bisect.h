/* bisect.h -- binary search for the point from which on a condition holds. */
#ifndef ETC_BASE_BISECT_H
#define ETC_BASE_BISECT_H

#include <stddef.h>

/* Sets the size_t variable `at` to the first index below `count` for which `holds`, an expression
 * of `at`, is true; to `count` if there is none. `holds` must also be true for all indexes after
 * that one. */
#define ETC_BISECT(at, count, holds)                                                            \
	for (size_t low_ = 0, high_ = (count); (at) = low_ + (high_ - low_) / 2, low_ < high_;) \
		if (holds)                                                                      \
			high_ = (at);                                                           \
		else                                                                            \
			low_ = (at) + 1

#endif

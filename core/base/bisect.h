/* bisect.h -- binary search for the first index for which a condition holds. */
#ifndef ETC_BASE_BISECT_H
#define ETC_BASE_BISECT_H

#include <stddef.h>

/* Sets the size_t variable `at` to the first index below `count` for which `holds` is true, or to
 * `count` if there is none. `holds` is an expression of `at`. If `holds` is true for an index, it
 * must be true for all later indices. */
#define ETC_BISECT(at, count, holds)                                                            \
	for (size_t low_ = 0, high_ = (count); (at) = low_ + (high_ - low_) / 2, low_ < high_;) \
		if (holds)                                                                      \
			high_ = (at);                                                           \
		else                                                                            \
			low_ = (at) + 1

#endif

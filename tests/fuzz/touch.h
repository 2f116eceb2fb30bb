/* touch.h -- what fuzz targets do to what a reader gave: look at it, so that a
 * sanitizer sees a view that leaves its buffer. */
#ifndef ETC_FUZZ_TOUCH_H
#define ETC_FUZZ_TOUCH_H

#include <stdlib.h>

#include "base/span.h"

static volatile uint64_t sum; /* so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* The first bytes, some of each cache line, and the last one. */
static void bytes(struct etc_span s)
{
	for (size_t i = 0; i < s.len; i += i < 64 ? 1 : 64)
		sum += s.ptr[i];
	if (s.len)
		sum += s.ptr[s.len - 1];
}

#endif

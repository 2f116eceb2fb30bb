/* touch.h -- for fuzz targets: reads the bytes of the views that a reader returned, so that a
 * sanitizer detects a view outside of its buffer. */
#ifndef ETC_FUZZ_TOUCH_H
#define ETC_FUZZ_TOUCH_H

#include <stdlib.h>

#include "base/span.h"

static volatile uint64_t sum; /* stores results, so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Reads the first 64 bytes, one byte of each further 64, and the last byte. */
static void bytes(struct etc_span s)
{
	for (size_t i = 0; i < s.len; i += i < 64 ? 1 : 64)
		sum += s.ptr[i];
	if (s.len)
		sum += s.ptr[s.len - 1];
}

#endif
